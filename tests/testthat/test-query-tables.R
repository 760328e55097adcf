query_error <- function(expr, pattern) expect_error(expr, pattern, class = "noiseaware_error_query")
input_error <- function(expr, pattern) expect_error(expr, pattern, class = "noiseaware_error_input")

clinic <- domain(smoker = dom_binary(), region = c("n", "e", "s"), visits = dom_count(1, 3),
                 sex = c("f", "m"), age = c(18, 90))

names_of <- function(cliques, relation = "replace_one") {
  statistics(query_tables(clinic, cliques, relation))$name
}

test_that("the table of two levels is the count of the second", {
  expect_identical(names_of(~ smoker), "count(smoker=1)")
  expect_identical(names_of(~ sex), "count(sex=m)")
})

test_that("larger tables have one count per cell, the first column fastest", {
  expect_identical(names_of(~ region), c("count(region=n)", "count(region=e)", "count(region=s)"))
  expect_identical(names_of(~ visits), c("count(visits=1)", "count(visits=2)", "count(visits=3)"))
  expect_identical(names_of(~ smoker:sex),
                   c("count(smoker=0,sex=f)", "count(smoker=1,sex=f)", "count(smoker=0,sex=m)",
                     "count(smoker=1,sex=m)"))
  expect_length(names_of(~ smoker:region:visits), 2 * 3 * 3)
})

test_that("columns of a clique are in the order of the domain", {
  expect_identical(names_of(~ sex:smoker), names_of(~ smoker:sex))
  expect_identical(query_tables(clinic, ~ sex:smoker, "replace_one"),
                   query_tables(clinic, list(c("smoker", "sex")), "replace_one"))
  expect_identical(query_tables(clinic, c("smoker", "sex"), "replace_one"),
                   query_tables(clinic, ~ smoker + sex, "replace_one"))
})

test_that("cliques may nest but not repeat", {
  expect_identical(names_of(~ smoker + smoker:sex)[1:2],
                   c("count(smoker=1)", "count(smoker=0,sex=f)"))
  query_error(names_of(~ smoker:sex + sex:smoker), "each table once")
  query_error(names_of(list()), "each table once")
  query_error(names_of(list(character())), "at least one column")
})

test_that("n is released under add_remove unless a table adds up to it", {
  expect_identical(names_of(~ smoker, "add_remove"), c("n", "count(smoker=1)"))
  expect_identical(names_of(~ smoker + sex, "add_remove"),
                   c("n", "count(smoker=1)", "count(sex=m)"))
  expect_false("n" %in% names_of(~ region, "add_remove"))
  expect_false("n" %in% names_of(~ smoker + smoker:sex, "add_remove"))
  expect_false("n" %in% names_of(~ smoker, "replace_one"))
})

test_that("only names, colons and pluses have a meaning", {
  for (bad in list(~ smoker * sex, ~ smoker - sex, ~ log(visits), ~ 1, ~ smoker:1,
                   ~ (smoker + sex)^2)) {
    query_error(names_of(bad), "column names joined by")
  }
  expect_identical(names_of(~ (smoker + sex)), c("count(smoker=1)", "count(sex=m)"))
  input_error(names_of(smoker ~ sex), "`cliques` must be a formula")
  input_error(names_of(NULL), "`cliques` must be a formula")
  input_error(names_of(1), "`cliques` must be a formula")
})

test_that("columns must be declared and have levels", {
  query_error(names_of(~ smoker:income), "names income, not in the domain")
  query_error(names_of(~ age), "age is continuous")
  far <- domain(k = dom_count(2^52, 2^52 + 4))
  query_error(query_tables(far, ~ k, "replace_one"), "too far from 0")
})

test_that("arguments are checked", {
  input_error(query_tables(list(), ~ a), "`domain` must be made by")
  input_error(query_tables(clinic, ~ sex, "both"), "`relation`")
  query_error(query_tables(clinic, ~ sex, "replace_one", 2), "no further arguments")
  query_error(query_tables(clinic, ~ sex, "replace_one", degree = 2), "no further arguments")
  query_error(query_tables(clinic, ~ sex, "replace_one", unit_rows = 2), "add_remove")
  large <- domain(a = dom_levels(1:200), b = dom_levels(1:200))
  query_error(query_tables(large, ~ a:b, "replace_one"), "It asks for 40,000")
})

test_that("levels that would make two cells look the same are refused", {
  sly <- domain(a = c("x", "x,b=y"), b = c("y", "z"), c = c("p", "q", "r"))
  expect_silent(query_tables(sly, ~ a:b, "replace_one"))
  clash <- domain(a = c("1", "1,b=1", "2"), b = c("1", "1,b=1"))
  query_error(query_tables(clash, ~ a:b, "replace_one"), "the same name")
})

test_that("a count column is counted by its whole numbers", {
  query <- query_tables(clinic, ~ visits, "replace_one")
  sums <- function(visits) as.numeric(tally_records(query, data.frame(visits = visits))$sums) / 2^20
  expect_identical(sums(c(1, 2, 2, 3)), c(1, 2, 1))
  # Nearest whole number, clamped; missing becomes the middle.
  expect_identical(sums(c(0, -5, 1.4, 1.5, 99, NA)), c(3, 2, 1))
})

test_that("table queries print their tables", {
  expect_snapshot(transform = hide_ids, {
    query_tables(clinic, ~ smoker + smoker:region, "replace_one")
    query_tables(clinic, ~ sex, "add_remove", unit_rows = 2)
  })
})
