test_that("the core gets grids and positions and nothing else", {
  query <- query_moments(domain(x = c(0, 1), f = c("p", "q", "r"), b = dom_binary()), "add_remove")
  plan <- core_plan(query)
  expect_named(plan, c("kind", "columns", "group", "public_n", "terms", "products", "redact"))
  expect_identical(plan$columns[[1]],
                   list(type = "real", lower_q = 0, upper_q = 2^21, centre_q = 2^20, grid_exp = 21L,
                        missing_q = 2^20, categories = 2^21 + 1))
  expect_identical(plan$columns[[2]]$categories, 3L)
  expect_null(names(plan$columns))
  expect_false(plan$public_n)
  expect_true(core_plan(query_moments(domain(x = 0:1), "replace_one"))$public_n)
})

test_that("terms are pairs of column and level, 0 for the constant", {
  query <- query_moments(domain(x = c(0, 1), f = c("p", "q", "r")), "add_remove")
  terms <- core_plan(query)$terms
  expect_type(terms, "integer")
  row_of <- function(name) terms[match(name, statistics(query)$name), ]
  expect_identical(row_of("n"), c(0L, 0L, 0L, 0L))
  expect_identical(row_of("sum(x)"), c(0L, 0L, 1L, 0L))
  expect_identical(row_of("sum(f=r)"), c(0L, 0L, 2L, 2L))
  expect_identical(row_of("sum(x*x)"), c(1L, 0L, 1L, 0L))
  expect_identical(row_of("sum(x*f=q)"), c(1L, 0L, 2L, 1L))
})

test_that("products and redaction are switched by the query", {
  flags <- function(...) {
    core_plan(query_moments(domain(x = 0:1), "replace_one", ...))[c("products", "redact")]
  }
  expect_identical(flags(), list(products = TRUE, redact = FALSE))
  expect_identical(flags(degree = 1, outside = "redact"), list(products = FALSE, redact = TRUE))
})

test_that("cells are pairs of table and position, -1 for n", {
  query <- query_tables(domain(b = dom_binary(), f = c("p", "q", "r")), ~ b, "add_remove")
  expect_identical(core_plan(query)$cells, cbind(c(-1L, 0L), c(0L, 1L)))
  nested <- query_tables(domain(b = dom_binary(), f = c("p", "q", "r")), ~ b:f + f, "replace_one")
  plan <- core_plan(nested)
  expect_identical(plan$cliques, list(c(0L, 1L), 1L))
  expect_identical(plan$cells, cbind(rep(0:1, c(6, 3)), c(0:5, 0:2)))
})

test_that("groups are a number of categories and where the rest goes", {
  query <- query_moments(domain(x = 0:1, f = dom_levels(c("p", "q", "r"), other = "r")),
                         "add_remove")
  by <- check_by("f", query)
  plan <- core_plan(without_column(query, by), by)
  expect_identical(plan$group, list(categories = 3L, missing_q = 2))
  expect_length(plan$columns, 1)
})

test_that("derived columns are programs of stored columns", {
  declared <- domain(x = c(0, 1), b = dom_binary(), y = c(0, 2))
  query <- query_moments(derive(declared, z = log1p(y) * b, w = x^2)[c("z", "x", "w")],
                         "replace_one")
  plan <- core_plan(query)
  expect_length(plan$columns, 3)
  expect_identical(vapply(plan$inputs, function(column) column$type, ""), c("real", "binary"))
  # Stored are x, y and b; the programs use y, b and x.
  expect_identical(plan$used, c(2L, 3L, 1L))
  expect_identical(plan$derived, list(
    list(column = 1L, op = c("input", "log1p", "input", "*"), value = c(1, 0, 2, 0)),
    list(column = 3L, op = c("input", "^"), value = c(3, 2))
  ))
  expect_null(core_plan(query_moments(declared, "replace_one"))$derived)
})

test_that("terms of higher moments are up to four columns", {
  query <- query_moments(domain(x = c(0, 1), y = c(0, 1)), "add_remove", degree = 4)
  plan <- core_plan(query)
  expect_identical(plan$degree, 4L)
  expect_type(plan$terms, "integer")
  row_of <- function(name) plan$terms[match(name, statistics(query)$name), ]
  expect_identical(row_of("n"), c(0L, 0L, 0L, 0L))
  expect_identical(row_of("sum(y)"), c(0L, 0L, 0L, 2L))
  expect_identical(row_of("sum(x*x*y)"), c(0L, 1L, 1L, 2L))
  expect_identical(row_of("sum(x*y*y*y)"), c(1L, 2L, 2L, 2L))
})
