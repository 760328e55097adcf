# Queries and releases of every kind, by a name that says what is special.

# R cannot use such a name as an argument unless the session is in UTF-8.
unicode_name <- function() if (l10n_info()[["UTF-8"]]) "gr\u00f6\u00dfe" else "groesse"

example_domain <- function() {
  columns <- list(c(0, 10), dom_real(-1, 3, missing = 0), dom_count(0, 4), dom_binary(missing = 1),
                  dom_levels(c("\u00e4\u4e2d", "e e", "\"q\"\\"), other = "e e"))
  do.call(domain, stats::setNames(columns, c("x", unicode_name(), "k", "b", "r")))
}

# Columns derived from numbers, counts, binary columns and non-ASCII names.
example_derived <- function() {
  size <- as.name(unicode_name())
  derive(example_domain(), log_x = log1p(x), "x k" = x * k, s2 = (!!size - 1)^2, tall = !!size > 1,
         bx = b * (x - 1 / 3), both = log_x * tall)
}

example_queries <- function() {
  all <- example_domain()
  derived <- example_derived()
  list(
    "moments, replace_one" = query_moments(all, "replace_one"),
    "moments, add_remove" = query_moments(all, "add_remove"),
    "moments, sums only" = query_moments(all, "replace_one", degree = 1),
    "moments, redact" = query_moments(all, "replace_one", outside = "redact"),
    "moments, several rows" = query_moments(all, "add_remove", unit_rows = 4),
    "moments, no relation" = query_moments(all),
    "moments, one wide column" = query_moments(domain(y = c(-1e12, 1e15)), "replace_one"),
    "moments, derived" = query_moments(derived, "replace_one"),
    "moments, derived alone" = query_moments(derived[c("bx", "tall", "x k")], "add_remove",
                                             outside = "redact"),
    "moments, degree 3" = query_moments(derived[c("x", "k", "s2")], "replace_one", degree = 3),
    "moments, degree 4" = query_moments(derived[c("log_x", "k")], "add_remove", degree = 4),
    "moments, degree 4, replaced" = query_moments(all[c("x", "k")], "replace_one", degree = 4),
    "tables, one count" = query_tables(all, ~ b, "replace_one"),
    "tables, noisy n" = query_tables(all, ~ b, "add_remove"),
    "tables, nested" = query_tables(all, ~ b + k + b:k:r, "replace_one"),
    "tables, no relation" = query_tables(all, ~ r)
  )
}

example_data <- function(rows = 60) {
  withr::local_seed(99)
  data <- data.frame(
    x = c(NA, -Inf, 99, stats::runif(rows - 3, 0, 10)), size = stats::rnorm(rows),
    k = rep_len(0:5, rows), b = rep_len(c(0, 1, NA), rows),
    r = rep_len(c("\u00e4\u4e2d", "e e", "\"q\"\\", "unknown"), rows),
    y = stats::rnorm(rows, sd = 1e14)
  )
  names(data)[[2]] <- unicode_name()
  data
}

example_mechanisms <- function() {
  list(
    "Laplace" = mech_laplace(0.7), "Gaussian (epsilon, delta)" = mech_gaussian(1, 1e-6),
    "Gaussian mu" = mech_gaussian(mu = 0.123456), "Gaussian rho" = mech_gaussian(rho = 0.01)
  )
}

# Every query with one mechanism, every mechanism with one query, and what others
# published.
example_releases <- function() {
  data <- example_data()
  queries <- Filter(function(query) !is.null(query$relation), example_queries())
  make <- function(query, mechanism) {
    suppressWarnings(release(query, data, mechanism, no_ledger()),
                     classes = "noiseaware_warning_no_ledger")
  }
  by_query <- lapply(queries, make, mech_laplace(0.7))
  by_mechanism <- lapply(example_mechanisms(), make, query = queries[[1]])
  c(by_query, by_mechanism, example_externals())
}

example_externals <- function() {
  tables <- query_tables(domain(b = dom_binary(), r = c("p", "q", "s")), ~ b + r)
  moments <- query_moments(domain(x = c(0, 10), y = c(-5, 5)))
  list(
    "external, integers" = as_release(tables, n = 1000, c("count(b=1)" = 312),
                                      noise_laplace(10, grid = 1)),
    "external, unknown n" = as_release(tables, values = c("count(r=p)" = 7.25),
                                       noise = noise_gaussian(1 / 3)),
    "external, suppressed" = as_release(tables, n = 0, c("count(r=q)" = 12, "count(r=p)" = -3),
                                        noise_laplace(2.5), threshold = 0.1),
    "external, mixed noise" = as_release(
      moments, n = 5e9, c("sum(x)" = 1e-300, "sum(y*y)" = -1.1e200, "sum(x*y)" = 1 / 3),
      list(noise_none(), noise_gaussian(1e10, grid = 0.1), noise_laplace(pi)),
      centre = c(y = -0.1, x = 0.3)
    ),
    "external, noisy n" = as_release(query_moments(domain(x = c(0, 1)), "add_remove"),
                                     values = c(n = 100.5, "sum(x)" = 3), noise = noise_laplace(1))
  )
}

# A release by groups, charged to a ledger.
example_set <- function(population = "people of \u00c5") {
  query <- query_moments(domain(x = c(0, 10), r = c("p", "q", "s")), "add_remove")
  ledger <- ledger_create(tempfile(), population, epsilon = 10)
  suppressMessages(release(query, data.frame(x = 1:9, r = "q"), mech_laplace(1), ledger, by = "r",
                           about = list(title = "By region \u00e9", licence = "CC0")))
}
