query_error <- function(expr, pattern) expect_error(expr, pattern, class = "noiseaware_error_query")
input_error <- function(expr, pattern) expect_error(expr, pattern, class = "noiseaware_error_input")

people <- domain(income = c(0, 1e5), age = dom_real(18, 90, missing = 40), kids = dom_count(0, 8),
                 smoker = dom_binary(missing = 1), region = c("n", "e", "s"))

bounds_of <- function(domain, name) c(domain[[name]]$lower, domain[[name]]$upper)

test_that("bounds follow from those of the inputs", {
  d <- derive(people, log_income = log1p(income), age2 = ((age - 54) / 36)^2, both = age * smoker,
              per = income / (kids + 1), cap = pmin(income, 5e4), gap = abs(kids - 3),
              root = sqrt(income), cube = (kids - 4)^3, e = exp(kids), l = log2(age - 16))
  expect_equal(bounds_of(d, "log_income"), c(0, log1p(1e5)), tolerance = 1e-15)
  expect_identical(bounds_of(d, "age2"), c(0, 1))
  expect_identical(bounds_of(d, "both"), c(0, 90))
  expect_identical(bounds_of(d, "per"), c(0, 1e5))
  expect_identical(bounds_of(d, "cap"), c(0, 5e4))
  expect_identical(bounds_of(d, "gap"), c(0, 5))
  expect_identical(bounds_of(d, "root"), c(0, sqrt(1e5)))
  expect_identical(bounds_of(d, "cube"), c(-64, 64))
  expect_equal(bounds_of(d, "e"), c(1, exp(8)), tolerance = 1e-15)
  expect_equal(bounds_of(d, "l"), c(1, log2(74)), tolerance = 1e-15)
})

# A random expression of a, b and c; arguments of log, sqrt and / are often legal.
random_expression <- function(depth) {
  if (depth == 0) return(sample(list(quote(a), quote(b), quote(c), 2, 0.5), 1)[[1]])
  part <- function() random_expression(depth - 1)
  switch(sample(11, 1), call("+", part(), part()), call("-", part(), part()),
         call("*", part(), part()), call("/", part(), call("+", quote(c), quote(c^2))),
         call("^", part(), 2), call("^", part(), 3), call("abs", part()),
         call("pmax", part(), part()), call("sqrt", call("abs", part())),
         call("exp", call("pmin", part(), 3)), call("log", call("+", call("abs", part()), 1)))
}

test_that("whatever R computes from records within the bounds is within the derived bounds", {
  withr::local_seed(21)
  box <- domain(a = c(-2, 3), b = c(0, 1), c = c(0.25, 8))
  corners <- expand.grid(a = c(-2, 0, 3), b = c(0, 1), c = c(0.25, 8))
  inside <- data.frame(a = stats::runif(400, -2, 3), b = stats::runif(400),
                       c = stats::runif(400, 0.25, 8))
  records <- rbind(corners, inside)
  made <- 0
  for (i in 1:150) {
    expr <- random_expression(sample(1:4, 1))
    found <- tryCatch(bounds_of(rlang::inject(derive(box, z = !!expr)), "z"),
                      noiseaware_error_query = function(e) NULL)
    if (is.null(found)) next
    made <- made + 1
    values <- eval(expr, records)
    # R's x^3 is that of the C library, not of two multiplications.
    slack <- 4 * .Machine$double.eps * max(abs(found))
    expect_gte(min(values), found[[1]] - slack)
    expect_lte(max(values), found[[2]] + slack)
  }
  expect_gt(made, 100)
})

test_that("comparisons are binary columns", {
  d <- derive(people, old = age >= 65, none = kids == 0, odd = (income > 1e4) * 2)
  expect_identical(d$old$type, "binary")
  expect_identical(d$none$levels, c("0", "1"))
  expect_identical(d$odd$type, "real")
  expect_identical(bounds_of(d, "odd"), c(0, 2))
})

test_that("derived columns may be derived from, and numbers put in", {
  k <- 54
  d <- derive(people, a = age - !!k, a2 = a^2, s = a2 * smoker)
  expect_identical(d$a2$expression, "(age - 54)^2")
  expect_identical(d$s$expression, "(age - 54)^2 * smoker")
  expect_named(d$s$inputs, c("age", "smoker"))
  again <- derive(d["a2"], half = a2 / 2)
  expect_identical(again$half$expression, "(age - 54)^2 / 2")
  expect_identical(derive(people, "x y" = age^2)[["x y"]]$expression, "age^2")
})

test_that("domains and queries with derived columns survive being saved and hold no code", {
  d <- derive(people, x = log1p(income) * smoker, y = age > 30)
  path <- withr::local_tempfile()
  for (object in list(d, query_moments(d, "replace_one"), query_moments(d["x"], "add_remove"))) {
    saveRDS(object, path)
    expect_identical(readRDS(path), object)
    kinds <- unlist(rapply(object, typeof, how = "unlist"))
    expect_true(all(kinds %in% c("character", "double", "integer", "NULL")))
  }
})

test_that("what could fail for some record is refused, from public bounds alone", {
  refused <- function(expr, pattern) {
    query_error(rlang::inject(derive(people, z = !!expr)), paste0("Column z cannot.*", pattern))
  }
  refused(quote(log(income)), "income in \\[0, 1e\\+05\\], the bounds of the argument of a log")
  refused(quote(log(income) > 3), "logarithm")
  refused(quote((age > 30) / kids == 1), "divisor contain 0")
  refused(quote(log10(kids - 1)), "logarithm")
  refused(quote(log1p(-kids)), "log1p")
  refused(quote(sqrt(age - 20)), "square root go below 0")
  refused(quote(income / kids), "divisor contain 0")
  refused(quote(1 / (age - 30)), "divisor contain 0")
  refused(quote(exp(income)), "too large")
  refused(quote((income^20)^20), "too large")
  refused(quote(pmin(age, 5)), "same value everywhere")
  refused(quote(age * 0), "same value everywhere")
  refused(quote(kids^2 / 1e300), "too wide, too close to 0")
  refused(quote(region == 1), "more than two levels")
  refused(quote(height * 2), "`height` is not a column of the domain.*!!")
  refused(quote(mean(age)), "row-wise")
  refused(1, "uses no column")
})

test_that("arguments are checked", {
  input_error(derive(), "`domain` is missing")
  input_error(derive(list(x = c(0, 1)), y = x), "`domain` must be made by `domain\\(\\)`")
  query_error(derive(people), "at least one named expression")
  input_error(derive(people, age^2), "names")
  input_error(derive(people, a = age, a = kids), "names")
  query_error(derive(people, d = age^2), "cannot be named d")
  query_error(derive(people, age = age^2), "already has a column age")
  query_error(derive(people, a = age^2, a2 = b), "Column a2 .*`b` is not a column")
  query_error(derive(people, a = !!c(1, 2) * age), "one finite number")
})

test_that("a domain that contradicts its derived columns is refused", {
  d <- derive(people, a2 = age^2)
  d$age <- dom_real(0, 120)
  query_error(query_moments(d, "replace_one"), "does not fit.*declared in two ways")
  query_error(derive(d, b = a2 + age), "declared in two ways")
})

test_that("tables and groups are of declared columns", {
  d <- derive(people, old = age >= 65)
  query_error(query_tables(d, ~ old, "replace_one"), "old is derived")
  query <- query_moments(d, "add_remove")
  expect_error(check_by("old", query), "by", class = "noiseaware_error_input")
})

test_that("domains and queries print where a column comes from", {
  d <- derive(people, log_income = log1p(income), old = age >= 65)
  expect_snapshot(transform = hide_ids, {
    d
    query_moments(d[c("kids", "log_income", "old")], "replace_one")
    derive(people, z = log(income))
  }, error = TRUE)
})

# ---- the tally against plain R ------------------------------------------------

tally_domain <- derive(
  people, log_income = log1p(income), age2 = (age - 54)^2, both = smoker * (kids - 1.5),
  old = age >= 65, ratio = income / (age + kids), cap = pmax(pmin(income, 3e4), 1e4 + kids),
  r = sqrt(exp(-kids) + 1), far = -abs(age - 50) / 7
)

tally_records_of <- function(rows) {
  withr::local_seed(12)
  hostile <- c(NA, NaN, Inf, -Inf, 1e308, -1e308, 5e-324, -0, 0)
  mixed <- function(x) ifelse(stats::runif(rows) < 0.3, sample(hostile, rows, TRUE), x)
  data.frame(income = mixed(stats::rexp(rows, 1e-4)), age = mixed(stats::runif(rows, 0, 110)),
             kids = mixed(stats::rpois(rows, 3)), smoker = sample(c(0, 1, NA, 7), rows, TRUE),
             region = sample(c("n", "s", "x", NA), rows, TRUE))
}

# Cells in natural units after the total map of their own column.
clamped <- function(x, lower, upper, missing) {
  ifelse(is.na(x), missing, pmin(pmax(x, lower), upper))
}

clamped_records <- function(data) {
  data.frame(income = clamped(data$income, 0, 1e5, 5e4), age = clamped(data$age, 18, 90, 40),
             kids = clamped(data$kids, 0, 8, 4),
             smoker = ifelse(data$smoker %in% 0:1, data$smoker, 1))
}

# Steps of the grid, by the published rule.
steps_of <- function(x, column) {
  g <- 2^-column$grid_exp
  x <- pmin(pmax(x, column$lower_q * g), column$upper_q * g)
  floor(x / g + 0.5) - column$centre_q
}

oracle_steps <- function(query, data) {
  clean <- clamped_records(data)
  sapply(Filter(is_derived, query$columns), function(column) {
    steps_of(eval(str2lang(column$expression), clean) * 1, column)
  })
}

test_that("derived cells are the expression of clamped cells, on their own grid", {
  data <- tally_records_of(400)
  derived <- names(Filter(is_derived, unclass(tally_domain)))
  query <- query_moments(tally_domain[derived], "replace_one", degree = 1)
  expect_identical(unname(contributions(query, data)), unname(oracle_steps(query, data)))
  # The same with the inputs in the query, in any place.
  all <- query_moments(tally_domain[c("old", "age", "r", derived[-c(4, 7)], "kids", "income",
                                      "smoker", "region")], "replace_one", degree = 1)
  found <- contributions(all, data)
  colnames(found) <- statistics(all)$name
  expected <- oracle_steps(all, data)
  expect_identical(unname(found[, paste0("sum(", colnames(expected), ")")]), unname(expected))
})

test_that("sums of products and tallies of derived columns are exact, whatever the way", {
  data <- tally_records_of(2500)
  query <- query_moments(tally_domain[c("log_income", "old", "both", "kids")], "replace_one")
  kids <- steps_of(clamped_records(data)$kids, query$columns$kids)
  steps <- cbind(oracle_steps(query, data), kids)
  plan <- statistic_plan(query)
  with_one <- cbind(1, steps)
  expected <- colSums(with_one[, plan$atom1 + 1] * with_one[, plan$atom2 + 1])
  tally <- tally_records(query, data)
  expect_identical(as.numeric(tally$sums), unname(expected))
  expect_identical(tally_records(query, data[2500:1, ]), tally)
  parts <- lapply(list(1:7, 8:2500), function(rows) tally_records(query, data[rows, ]))
  expect_identical(do.call(c, parts), tally)
  wide <- data[rep(1:2500, 60), ]
  one <- withr::with_options(list(mc.cores = 1), tally_records(query, wide))
  expect_identical(withr::with_options(list(mc.cores = 2), tally_records(query, wide)), one)
})

test_that("stored types do not matter", {
  query <- query_moments(derive(people, x = kids * smoker, y = income + age)[c("x", "y")],
                         "replace_one")
  plain <- data.frame(income = c(5, 1e6, NA), age = c(20, 50, NA), kids = c(1, NA, 12),
                      smoker = c(0, 1, NA))
  typed <- data.frame(income = c(5L, 1000000L, NA), age = c(20L, 50L, NA), kids = c(1L, NA, 12L),
                      smoker = factor(c("0", "1", NA)))
  expect_identical(tally_records(query, typed), tally_records(query, plain))
  expect_identical(tally_records(query, as.matrix(plain)), tally_records(query, plain))
  input_error(tally_records(query, plain[-1]), "no column income")
})

test_that("a redacted row is the centre of every derived number and 0 of a binary one", {
  d <- derive(people, l = log1p(income), old = age >= 18, k2 = kids^2)
  redact <- function(names, data) {
    contributions(query_moments(d[names], "replace_one", degree = 1, outside = "redact"), data)
  }
  data <- data.frame(income = c(10, 2e5, 10, NA), age = c(20, 20, 99, NA), kids = c(1, 1, 1, 9),
                     smoker = 0, region = "n")
  # income and age are not asked for, but decide: rows 2 and 3 are outside there.
  found <- redact(c("l", "old"), data)
  query <- query_moments(d[c("l", "old")], "replace_one", degree = 1)
  expect_identical(found[c(1, 4), ], contributions(query, data)[c(1, 4), ])
  expect_identical(found[2:3, 1], c(0, 0))
  expect_identical(found[2:3, 2], c(-2^20, -2^20))
  # A column that nothing needs decides nothing.
  expect_identical(redact("k2", data)[1:3, 1], contributions(
    query_moments(d["k2"], "replace_one", degree = 1), data)[1:3, 1])
  expect_identical(redact("k2", data)[4, 1], 0)
})

# ---- sensitivity, releases, files ---------------------------------------------

test_that("no neighbour exceeds the sensitivity of derived columns", {
  d <- derive(domain(x = c(-2, 3), y = c(0, 1), b = dom_binary(), f = c("p", "q", "r")),
              x2 = x^2, xy = x * y, l = log1p(y), up = x > 0, bx = b * x)
  for (names in list(c("x", "x2"), c("xy", "up", "f"), c("y", "xy", "bx", "l"))) {
    for (relation in c("replace_one", "add_remove")) {
      query <- query_moments(d[names], relation)
      expect_query(query)
      expect_identical(sensitivity(query)$status, "bound")
    }
    expect_query(query_moments(d[names], "replace_one", outside = "redact"))
  }
})

# An expression evaluated on the raw cell, as if clamping came last.
raw_derived <- function(query, records) {
  column <- query$columns[[1]]
  steps <- eval(str2lang(column$expression), records) / column_step(column) - column$centre_q
  steps[is.na(steps)] <- 0
  steps <- pmin(pmax(steps, -1e100), 1e100)
  cbind(steps, steps^2)
}

test_that("an expression of raw cells would be caught", {
  query <- query_moments(derive(domain(x = c(-2, 3)), x2 = x^2)["x2"], "replace_one")
  expect_failure(expect_query(query, contribute = raw_derived), "neighbours differ by")
})

test_that("the reader derives the columns again and refuses what does not fit", {
  d <- derive(people, l = log1p(income), old = age >= 65, s = kids * smoker)
  query <- query_moments(d[c("l", "old", "s", "age")], "replace_one")
  expect_named(query$inputs, c("income", "kids", "smoker"))
  path <- withr::local_tempfile()
  write_query(query, path)
  file <- parse_untrusted_json(read_untrusted_text(path))
  refused <- function(edit, pattern = "derived column") {
    expect_error(query_from_json(edit(file)$query), pattern, class = "noiseaware_error_release")
  }
  expect_identical(query_from_json(file$query), query)
  column <- function(i, member, to) edit("query", "columns", i, member, to = to)
  for (text in c("log1p(age)", "log1p(wealth)", "log(income)", "log1p( income)", "system(income)",
                 "1e400", "income", "log1p(region)", strrep("(", 999), "log1p(income) ",
                 "income / kids", "1")) {
    refused(column(1, "expression", text))
  }
  # One step may be the rounding of another computer; two may not.
  lower <- as.numeric(file$query$columns[[3]]$lower_q)
  expect_error(query_from_json(column(3, "lower_q", whole_text(lower - 2))(file)$query),
               class = "noiseaware_error_release")
  refused(column(2, "expression", "age + 1"))
  refused(column(3, "expression", removed), "no derived column uses")
  refused(column(4, "expression", "age"))
  refused(column(1, "grid_exp", 16L))
  refused(column(1, "type", "count"), "grid of column|derived column")
  refused(edit("query", "inputs", 1, to = removed))
  refused(edit("query", "inputs", to = removed))
  refused(edit("query", "inputs", 1, "name", to = "age"), "column twice")
  refused(edit("query", "inputs", 1, "name", to = "wealth"))
  refused(edit("query", "inputs", 1, "upper_q", to = "800000"), "grid of column income")
  refused(edit("query", "inputs", 1, "expression", to = "age"), "derived column where")
  other <- utils::modifyList(file$query$inputs[[1]], list(name = "other"))
  unused <- edit("query", "inputs", 4, to = other)
  refused(unused, "no derived column uses")
})

test_that("a file with an expression in the wrong place or form is refused", {
  query <- query_moments(derive(people, l = log1p(income))[c("l", "age")], "replace_one")
  path <- withr::local_tempfile()
  write_query(query, path)
  file <- parse_untrusted_json(read_untrusted_text(path))
  refused <- function(edit, pattern) {
    expect_error(read_query(local_file(canonical_json(edit(file)))), pattern,
                 class = "noiseaware_error_release")
  }
  refused(edit("query", "columns", 1, "expression", to = ""), "format")
  refused(edit("query", "columns", 1, "expression", to = 1L), "format")
  refused(edit("query", "columns", 1, "expression", to = strrep("x", 1001)), "format")
  refused(edit("query", "columns", 1, "expression", to = list("log1p(income)")), "format")
  refused(edit("query", "inputs", to = list()), "format")
  tables <- query_tables(people, ~ smoker, "replace_one")
  table_file <- list(format = "dp-query", version = "1", query = query_to_json(tables))
  table_file$query$columns[[1]]$expression <- "smoker > 0"
  expect_error(read_query(local_file(canonical_json(table_file))), "derived column where",
               class = "noiseaware_error_release")
})

test_that("releases of derived columns are priced, released, read and observed", {
  d <- derive(people, l = log1p(income), l2 = l^2, old = age >= 65)
  query <- query_moments(d[c("l", "l2", "old")], "replace_one")
  expect_identical(nrow(cost(query, mech_laplace(1))$noise), nrow(statistics(query)))
  made <- suppressWarnings(release(query, tally_records_of(50), mech_laplace(1), no_ledger()))
  path <- withr::local_tempfile(fileext = ".json")
  write_release(made, path)
  expect_identical(read_release(path), made)
  seen <- observe(made)
  expect_identical(seen$columns$l2$expression, "log1p(income)^2")
  expect_identical(seen$columns$old$levels, c("0", "1"))
  expect_identical(seen$centre[["old"]], 0.5)
  expect_named(seen$columns, c("l", "l2", "old"))
})

test_that("groups keep the columns that derived ones need", {
  d <- derive(people, ks = kids * smoker, a2 = age^2)
  query <- query_moments(d[c("smoker", "ks", "a2")], "add_remove")
  data <- tally_records_of(60)
  ledger <- local_ledger(epsilon = 10)
  set <- suppressMessages(release(query, data, mech_laplace(1), ledger, by = "smoker"))
  path <- withr::local_tempfile(fileext = ".json")
  write_release(set, path)
  expect_identical(read_release(path), set)
  grouped <- set$releases[["1"]]$query
  expect_named(grouped$columns, c("ks", "a2"))
  expect_named(grouped$inputs, c("kids", "age", "smoker"))
})
