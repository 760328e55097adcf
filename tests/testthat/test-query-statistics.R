test_that("sums come in domain order, then the upper triangle of products", {
  query <- query_moments(domain(y = c(0, 1), x = c(0, 1)), "replace_one")
  expect_identical(statistics(query)$name,
                   c("sum(y)", "sum(x)", "sum(y*y)", "sum(y*x)", "sum(x*x)"))
  sums <- query_moments(domain(y = 0:1, x = 0:1), "replace_one", degree = 1)
  expect_identical(statistics(sums)$name, c("sum(y)", "sum(x)"))
})

test_that("n comes first where it is noisy", {
  expect_identical(statistics(query_moments(domain(x = c(0, 1)), "add_remove"))$name,
                   c("n", "sum(x)", "sum(x*x)"))
  expect_identical(statistics(query_moments(domain(x = c(0, 1))))$name, c("sum(x)", "sum(x*x)"))
})

test_that("what is known is not released", {
  query <- query_moments(domain(x = c(0, 1), b = dom_binary(), f = c("p", "q", "r")), "replace_one")
  expect_identical(statistics(query)$name, c(
    "sum(x)", "sum(b)", "sum(f=p)", "sum(f=q)", "sum(f=r)",
    "sum(x*x)", "sum(x*b)", "sum(x*f=p)", "sum(x*f=q)", "sum(x*f=r)",
    "sum(b*f=p)", "sum(b*f=q)", "sum(b*f=r)"
  ))
  two <- statistics(query_moments(domain(f = c("p", "q", "r"), g = c("u", "v", "w")),
                                  "replace_one"))
  expect_identical(sum(grepl("*", two$name, fixed = TRUE)), 9L)
  expect_false(any(grepl("f=.*f=", two$name)))
})

test_that("the number of statistics is known without listing them", {
  domains <- list(
    domain(x = c(0, 1)), domain(b = dom_binary()), domain(f = c("a", "b", "c")),
    domain(x = c(0, 1), y = c(0, 1), b = dom_binary(), f = dom_levels(1:4), g = dom_levels(1:3)),
    domain(f = dom_levels(1:4), g = dom_levels(1:3), h = dom_levels(1:5), b = dom_binary())
  )
  for (declared in domains) {
    for (degree in 1:2) {
      query <- query_moments(declared, "replace_one", degree = degree)
      expect_equal(moment_count(query$columns, degree), nrow(statistics(query)))
    }
  }
})

test_that("one record contributes what statistics() says, and attains both ends", {
  query <- query_moments(domain(x = c(-3, 8), b = dom_binary(), f = c("p", "q", "r")), "add_remove")
  withr::local_seed(4)
  records <- rbind(hostile_records(query, 300), corner_records(query, 100))
  natural <- sweep(contributions(query, records), 2, statistics(query)$grid, "*")
  expect_true(all(t(natural) >= statistics(query)$lower & t(natural) <= statistics(query)$upper))
  weight <- statistic_plan(query)$weight * statistics(query)$grid
  expect_identical(apply(abs(natural), 2, max), weight)
})

test_that("natural units: sums about the centre, products of them, counts of one", {
  table <- statistics(query_moments(domain(x = c(0, 8), y = c(-2, 2), f = c("p", "q", "r")),
                                    "add_remove"))
  row.names(table) <- table$name
  range_of <- function(name) unlist(table[name, c("lower", "upper")], use.names = FALSE)
  expect_identical(range_of("n"), c(1, 1))
  expect_identical(range_of("sum(x)"), c(-4, 4))
  expect_identical(range_of("sum(x*x)"), c(0, 16))
  expect_identical(range_of("sum(x*y)"), c(-8, 8))
  expect_identical(range_of("sum(f=q)"), c(0, 1))
  expect_identical(range_of("sum(x*f=q)"), c(-4, 4))
  expect_identical(table["n", "grid"], 2^-20)
  expect_identical(table["sum(x*x)", "grid"], table["sum(x)", "grid"]^2)
})

test_that("two statistics never share a name", {
  expect_error(query_moments(domain(x = 0:1, y = 0:1, "x*y" = 0:1), "replace_one"),
               "the same name, \"sum\\(x\\*y\\)\"", class = "noiseaware_error_query")
})

test_that("statistics() takes queries only", {
  expect_error(statistics(domain(x = 0:1)), "query_moments", class = "noiseaware_error_input")
})
