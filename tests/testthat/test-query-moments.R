query_error <- function(expr, pattern) expect_error(expr, pattern, class = "noiseaware_error_query")
input_error <- function(expr, pattern) expect_error(expr, pattern, class = "noiseaware_error_input")

clinic <- domain(age = c(18, 90), smoker = dom_binary(), region = c("n", "e", "s"))

test_that("a query is a plain list that survives being saved", {
  query <- query_moments(clinic, "replace_one")
  expect_s3_class(query, c("noiseaware_query_moments", "noiseaware_query"), exact = TRUE)
  path <- withr::local_tempfile()
  saveRDS(query, path)
  expect_identical(readRDS(path), query)
  expect_identical(query[c("kind", "relation", "degree", "clip", "outside", "unit_rows")],
                   list(kind = "moments", relation = "replace_one", degree = 2L, clip = "box",
                        outside = "clamp", unit_rows = 1L))
})

test_that("a relation is optional until a price is asked for", {
  query <- query_moments(clinic)
  expect_null(query$relation)
  query_error(require_relation(query), "no `relation`")
  query_error(sensitivity(query), "replace_one.*add_remove")
  query_error(cost(query, mech_laplace(1)), "no `relation`")
})

test_that("arguments are checked", {
  input_error(query_moments(list(x = c(0, 1))), "`domain` must be made by `domain\\(\\)`")
  input_error(query_moments(clinic, "bounded"),
              "`relation` must be one of \"replace_one\", \"add_remove\"")
  input_error(query_moments(clinic, c("replace_one", "add_remove")[2:1]), "relation")
  input_error(query_moments(clinic, c("replace_one", "add_remove")), "relation")
  input_error(query_moments(clinic, degree = 0), "`degree`")
  input_error(query_moments(clinic, degree = 1.5), "`degree`")
  for (bad in list(5, -1, NA, "2", NULL, c(1, 2), Inf)) {
    input_error(query_moments(clinic, degree = bad), "`degree` must be a whole number from 1 to 4")
  }
  query_error(query_moments(clinic, degree = 3), "numeric columns only.*smoker")
  input_error(query_moments(clinic, outside = "drop"), "`outside` must be one of")
  input_error(query_moments(clinic, clip = "cube"), "`clip`")
  query_error(query_moments(clinic, clip = "ball"), "not available")
  query_error(query_moments(clinic, radius = 1), "not available")
  for (reserved in c("response", "allocation", "unit")) {
    arguments <- stats::setNames(list(clinic, "age"), c("domain", reserved))
    query_error(do.call(query_moments, arguments), paste0("`", reserved, "` is reserved"))
  }
})

# The two words of `relation` are not a default: choosing for the user would be
# choosing what is promised.
test_that("no relation is chosen silently", {
  expect_null(formals(query_moments)$relation)
  expect_null(formals(query_tables)$relation)
})

test_that("several rows per person need add_remove", {
  query_error(query_moments(clinic, "replace_one", unit_rows = 2),
              "needs `relation = \"add_remove\"`")
  query_error(query_moments(clinic, unit_rows = 2), "add_remove")
  expect_identical(query_moments(clinic, "add_remove", unit_rows = 3)$unit_rows, 3L)
  input_error(query_moments(clinic, "add_remove", unit_rows = 0), "unit_rows")
  input_error(query_moments(clinic, "add_remove", unit_rows = 1.5), "unit_rows")
})

test_that("a query that asks for too much is refused before anything is listed", {
  wide <- do.call(domain, stats::setNames(rep(list(c(0, 1)), 199), paste0("x", 1:199)))
  query_error(query_moments(wide, "replace_one"), "more than 20000 statistics")
  expect_identical(nrow(statistics(query_moments(wide, "replace_one", degree = 1))), 199L)
})

test_that("queries print what is asked, of what, under which relation", {
  expect_snapshot(transform = hide_ids, {
    query_moments(clinic, "replace_one")
    query_moments(clinic, "add_remove", degree = 1, outside = "redact", unit_rows = 3)
    query_moments(clinic)
  })
})
