test_that("only releases and tallies can be observed", {
  for (bad in list(NULL, 1, data.frame(x = 1), list())) {
    expect_error(observe(bad), "`release` must be a release", class = "noiseaware_error_input")
  }
})

test_that("an observation describes its columns in natural units", {
  query <- query_moments(domain(x = c(0, 10), b = dom_binary(), f = c("p", "q", "r")),
                         "replace_one", outside = "redact")
  seen <- new_observation(query, data.frame(name = "sum(x)"), 12, "external", secure = NA)
  expect_s3_class(seen, "noiseaware_observation")
  expect_identical(seen$centre, c(x = 5, b = 0.5, f = 0))
  expect_identical(seen$kind, "moments")
  expect_identical(seen$n, 12)
  expect_identical(seen$relation, "replace_one")
  expect_identical(seen$outside, "redact")
  expect_identical(seen$columns$x[c("type", "lower", "upper")],
                   list(type = "real", lower = 0, upper = 10))
  expect_identical(seen$columns$b$levels, c("0", "1"))
  expect_identical(seen$columns$f$levels, c("p", "q", "r"))
  zero <- c(x = 0, b = 0, f = 0)
  plain <- new_observation(query, data.frame(), NULL, "external", centre = zero)
  expect_identical(plain$centre, zero)
})
