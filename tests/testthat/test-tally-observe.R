test_that("a tally is seen as exact statistics in natural units", {
  query <- query_moments(domain(x = c(0, 10), b = dom_binary()), "replace_one")
  data <- data.frame(x = c(1, 4, 10), b = c(0, 1, 1))
  seen <- observe(tally_records(query, data))
  x <- data$x - 5
  b <- data$b - 0.5
  expect_s3_class(seen, "noiseaware_observation")
  expect_identical(seen$statistics$name, c("sum(x)", "sum(b)", "sum(x*x)", "sum(x*b)"))
  expect_equal(seen$statistics$value, c(sum(x), sum(b), sum(x^2), sum(x * b)), tolerance = 1e-12)
  expect_identical(unique(seen$statistics$noise), "none")
  expect_identical(unique(seen$statistics$scale), 0)
  expect_identical(seen$n, 3)
  expect_identical(seen$centre, c(x = 5, b = 0.5))
  expect_identical(seen$origin, "tally")
  expect_match(seen$privacy$text, "NON-PRIVATE")
})

test_that("n is exact and not a statistic, also where it would be released with noise", {
  query <- query_moments(domain(x = c(0, 10)), "add_remove")
  seen <- observe(tally_records(query, data.frame(x = c(1, 4, 10))))
  expect_identical(seen$n, 3)
  expect_identical(seen$statistics$name, c("sum(x)", "sum(x*x)"))
  tables <- query_tables(domain(b = dom_binary()), ~ b, "add_remove")
  expect_identical(observe(tally_records(tables, data.frame(b = c(0, 1, 1))))$statistics$value, 2)
})
