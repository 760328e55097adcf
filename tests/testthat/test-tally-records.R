# ---- the quantiser, through R ------------------------------------------------

# The published total function of one cell, in the order it is written down.
quantise <- function(x, column) {
  g <- 2^-column$grid_exp
  if (is.na(x)) return(column$missing_q - column$centre_q)
  q <- if (x >= column$upper_q * g) {
    column$upper_q
  } else if (x <= column$lower_q * g) {
    column$lower_q
  } else if (-g / 2 < x && x < g / 2) {
    0
  } else {
    floor(x * 2^column$grid_exp + 0.5)
  }
  q - column$centre_q
}

corner_cells <- function(column) {
  g <- 2^-column$grid_exp
  ends <- c(column$lower_q, column$upper_q) * g
  near <- function(x) c(x, x * (1 + 2^-52), x * (1 - 2^-53), x + g / 2, x - g / 2, x + g, x - g)
  ties <- (c(0:3, 17, 2^19) + 0.5) * g
  c(NA, NaN, Inf, -Inf, 0, -0, 1e308, -1e308, .Machine$double.xmax, 5e-324, -5e-324,
    near(ends[[1]]), near(ends[[2]]), near(column$centre_q * g), ties, -ties,
    0.49999999999999994 * g, -0.49999999999999994 * g, 0.5 * g, -0.5 * g,
    stats::runif(40, 2 * ends[[1]] - ends[[2]], 2 * ends[[2]]))
}

test_that("every double becomes the published whole number", {
  withr::local_seed(5)
  columns <- list(dom_real(-1, 1), dom_real(0, 1), dom_real(-1e9, 1e9),
                  dom_real(1e6, 1e6 + 3, missing = 1e6 + 1), dom_real(-1e-7, 3e-7),
                  dom_count(0, 12), dom_real(-2^40, 2^45), dom_real(1e14, 1e14 + 8))
  for (column in columns) {
    query <- query_moments(domain(x = column), "replace_one", degree = 1)
    cells <- corner_cells(query$columns$x)
    expected <- vapply(cells, quantise, 0, query$columns$x)
    expect_identical(contributions(query, data.frame(x = cells))[, 1], expected)
  }
})

test_that("the public tally of one cell is the same whole number", {
  query <- query_moments(domain(x = c(-3, 7)), "replace_one")
  for (x in c(-3, 7, 2, 0.1, NA, Inf, -99)) {
    q <- quantise(x, query$columns$x)
    expect_identical(as.numeric(tally_records(query, data.frame(x = x))$sums), c(q, q^2))
  }
})

test_that("integers have no missing value in disguise", {
  query <- query_moments(domain(x = c(-5, 5)), "replace_one", degree = 1)
  largest <- .Machine$integer.max
  expect_identical(tally_records(query, data.frame(x = c(NA, -largest, largest))),
                   tally_records(query, data.frame(x = c(NA, -5, 5))))
})

# ---- sums --------------------------------------------------------------------

test_that("sums are those of the definition, in exact arithmetic", {
  query <- query_moments(domain(x = c(0, 8), b = dom_binary(), f = c("p", "q", "r")), "add_remove")
  data <- data.frame(x = c(1, 7.5, 99, NA), b = c(1, 0, 1, NA), f = c("q", "p", NA, "q"))
  # About the centres 4 and 0.5; 99 becomes 8, missing becomes the centre or the first level.
  x <- c(-3, 3.5, 4, 0)
  b <- c(0.5, -0.5, 0.5, -0.5)
  p <- c(0, 1, 1, 0)
  q <- c(1, 0, 0, 1)
  expected <- c(
    n = 4, "sum(x)" = sum(x), "sum(b)" = sum(b), "sum(f=p)" = 2, "sum(f=q)" = 2, "sum(f=r)" = 0,
    "sum(x*x)" = sum(x^2), "sum(x*b)" = sum(x * b), "sum(x*f=p)" = sum(x * p),
    "sum(x*f=q)" = sum(x * q),
    "sum(x*f=r)" = 0, "sum(b*f=p)" = sum(b * p), "sum(b*f=q)" = sum(b * q), "sum(b*f=r)" = 0
  )
  tally <- tally_records(query, data)
  natural <- as.numeric(tally$sums) * statistics(query)$grid
  expect_identical(stats::setNames(natural, statistics(query)$name), expected)
  expect_identical(tally$n, "4")
})

test_that("pairs of factors give their table", {
  query <- query_moments(domain(f = c("p", "q", "r"), g = c("u", "v", "w")), "replace_one")
  withr::local_seed(8)
  data <- data.frame(f = sample(c("p", "q", "r"), 99, TRUE), g = sample(c("u", "v", "w"), 99, TRUE))
  natural <- as.numeric(tally_records(query, data)$sums) * statistics(query)$grid
  counts <- table(data$g, data$f)
  expect_identical(natural[7:15], as.numeric(counts))
})

test_that("redaction turns the whole row into the centre and the unknown levels", {
  query <- query_moments(domain(x = c(0, 8), y = c(-1, 1), b = dom_binary(missing = 1),
                                f = dom_levels(c("p", "q", "r"), other = "r")),
                         "replace_one", outside = "redact")
  redacted <- data.frame(x = c(9, 3, -Inf, 8, NA), y = c(0.5, 1.01, 0, 1, 0.5), b = 0, f = "p")
  centred <- data.frame(x = c(4, 4, 4, 8, NA), y = c(0, 0, 0, 1, 0.5), b = c(1, 1, 1, 0, 0),
                        f = c("r", "r", "r", "p", "p"))
  expect_identical(tally_records(query, redacted), tally_records(query, centred))
})

test_that("large sums do not lose a unit", {
  query <- query_moments(domain(x = c(0, 1)), "replace_one")
  tally <- tally_records(query, data.frame(x = rep(c(1, 0.25), c(1e6, 1))))
  # 1e6 times 2^20 and 2^40, and one cell of -2^19 and 2^38.
  expect_identical(tally$sums, c("1048575475712", "1099511902653906944"))
})

# ---- the same whatever the way -----------------------------------------------

wide_query <- query_moments(domain(x = c(-3, 3), y = c(0, 1), f = c("p", "q", "r")), "replace_one")

wide_data <- function(rows) {
  withr::local_seed(6)
  data.frame(x = stats::rnorm(rows, sd = 2), y = stats::runif(rows),
             f = sample(c("p", "q", "r", NA), rows, TRUE))
}

test_that("cores do not matter", {
  data <- wide_data(140000)
  tables <- query_tables(domain(f = c("p", "q", "r"), y = dom_count(0, 1)), ~ f:y, "replace_one")
  for (query in list(wide_query, tables)) {
    one <- withr::with_options(list(mc.cores = 1), tally_records(query, data))
    two <- withr::with_options(list(mc.cores = 2), tally_records(query, data))
    expect_identical(two, one)
    expect_identical(withr::with_options(list(mc.cores = 2),
                                         tally_records(query, data[140000:1, ])), one)
  }
})

test_that("tallies of parts merge into the tally of the whole", {
  data <- wide_data(3000)
  whole <- tally_records(wide_query, data)
  withr::local_seed(7)
  part <- sample(1:5, nrow(data), replace = TRUE)
  tallies <- lapply(split(data, part), tally_records, query = wide_query)
  expect_identical(do.call(c, unname(tallies)), whole)
  expect_identical(do.call(c, unname(rev(tallies))), whole)
  expect_identical(c(c(tallies[[1]], tallies[[2]]), c(tallies[[3]], tallies[[4]], tallies[[5]])),
                   whole)
  expect_identical(c(whole, tally_records(wide_query, data[0, ])), whole)
  expect_identical(c(whole), whole)
})

test_that("only tallies of one query merge", {
  data <- wide_data(5)
  tally <- tally_records(wide_query, data)
  other <- query_moments(domain(x = c(-3, 3), y = c(0, 1), f = c("p", "q", "s")), "replace_one")
  expect_error(c(tally, tally_records(other, data)), "same query", class = "noiseaware_error_input")
  expect_error(c(tally, 1), "tally_records", class = "noiseaware_error_input")
  expect_error(c(tally, data), "tally_records", class = "noiseaware_error_input")
})

test_that("no rows is a tally of nothing", {
  tally <- tally_records(wide_query, wide_data(10)[0, ])
  expect_identical(tally$n, "0")
  expect_identical(unique(tally$sums), "0")
  expect_identical(tally_records(wide_query, function() NULL), tally)
})

test_that("arguments are checked", {
  expect_error(tally_records(1, data.frame(x = 1)), "`query`", class = "noiseaware_error_input")
})

# ---- what a tally shows -------------------------------------------------------

test_that("a tally prints no value", {
  query <- query_moments(domain(x = c(0, 1000)), "replace_one")
  tally <- tally_records(query, data.frame(x = rep(977, 7)))
  secrets <- c(tally$sums, tally$n, "977")
  shown <- c(utils::capture.output(print(tally)), utils::capture.output(summary(tally)),
             format(tally), utils::capture.output(tally))
  for (secret in secrets) expect_no_match(shown, paste0("\\b", secret, "\\b"))
  expect_snapshot(tally)
})

test_that("a tally survives being saved and does not touch the generator", {
  set.seed(1)
  before <- .Random.seed
  tally <- tally_records(wide_query, wide_data(20))
  expect_identical(.Random.seed, before)
  expect_identical(unserialize(serialize(tally, NULL)), tally)
})

test_that("looking into a tally shows no value", {
  query <- query_moments(domain(x = c(0, 1000)), "replace_one")
  tally <- tally_records(query, data.frame(x = c(123.25, 777.5)))
  expect_identical(utils::capture.output(str(tally)), "<tally> SENSITIVE ")
})
