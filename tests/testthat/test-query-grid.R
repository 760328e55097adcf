# Independent arithmetic: exponents from the definition, not from log2().
smallest_power <- function(x) {
  e <- 0
  while (2^e < x) e <- e + 1
  while (2^(e - 1) >= x) e <- e - 1
  e
}

random_bounds <- function(count) {
  width <- 10^stats::runif(count, -12, 12)
  offset <- ifelse(stats::runif(count) < 0.5, 0, 10^stats::runif(count, -12, 12))
  lower <- offset * sample(c(-1, 1), count, replace = TRUE) - width * stats::runif(count)
  Map(c, lower, lower + width)
}

special_bounds <- list(
  c(0, 1), c(-1, 1), c(0, 2), c(0, 2 + 2^-51), c(-3, 7), c(0, 1e6), c(1e6, 1e6 + 1),
  c(2^40, 2^40 + 2), c(-2^31, 2^31 - 1), c(1e15, 1e15 + 4), c(-1e25, 3e24), c(1e-20, 3e-20),
  c(0.1, 0.3), c(-1e-15, 1e-15),
  c(1900, 2026), c(-0.5, 0), c(0, 2^-20)
)

# Which of the published properties of a grid do not hold for these bounds.
broken_properties <- function(grid, bounds) {
  step <- 2^-grid$grid_exp
  reach <- column_reach(grid)
  whole <- c(grid$lower_q, grid$upper_q, grid$centre_q)
  wanted <- 20 - smallest_power(bounds[[2]] / 2 - bounds[[1]] / 2)
  holds <- c(
    "not finer than wanted" = grid$grid_exp <= wanted,
    "coarser only near 2^51" =
      grid$grid_exp == wanted || max(abs(bounds)) * 2^(grid$grid_exp + 1) > 2^50,
    "2^19 steps at least" = grid$grid_exp < wanted || reach >= 2^19,
    "2^20 + 1 steps at most" = reach <= 2^20 + 1,
    "at most 2^51" = max(abs(whole)) <= 2^51,
    "lower bound kept" = abs(grid$lower_q * step - bounds[[1]]) <= step / 2,
    "upper bound kept" = abs(grid$upper_q * step - bounds[[2]]) <= step / 2,
    "centre in the middle" = grid$centre_q == floor((grid$lower_q + grid$upper_q) / 2),
    "whole numbers" = all(whole %% 1 == 0),
    "not empty" = grid$lower_q < grid$upper_q
  )
  names(holds)[!holds]
}

test_that("grids have the published properties whatever the bounds", {
  withr::local_seed(1)
  bounds <- c(special_bounds, random_bounds(400))
  grids <- lapply(bounds, function(b) {
    tryCatch(snap_range(b[[1]], b[[2]], "x"), noiseaware_error_query = function(e) NULL)
  })
  made <- !vapply(grids, is.null, NA)
  # Refused are only bounds that doubles hardly tell apart.
  expect_gt(mean(made), 0.9)
  expect_identical(unlist(Map(broken_properties, grids[made], bounds[made])), character())
})

test_that("familiar bounds have the grid one expects", {
  expect_identical(snap_range(-1, 1, "x"),
                   list(lower_q = -2^20, upper_q = 2^20, centre_q = 0, grid_exp = 20L))
  expect_identical(snap_range(0, 1, "x"),
                   list(lower_q = 0, upper_q = 2^21, centre_q = 2^20, grid_exp = 21L))
  expect_identical(snap_range(0, 2^30, "x"),
                   list(lower_q = 0, upper_q = 2^21, centre_q = 2^20, grid_exp = -9L))
  # Half range 50 <= 2^6, so 14 binary digits after the point.
  expect_identical(snap_range(0, 100, "x")[c("upper_q", "grid_exp")],
                   list(upper_q = 100 * 2^14, grid_exp = 14L))
})

test_that("exponents are right at and around powers of two", {
  for (e in -60:60) {
    expect_identical(ceiling_log2(2^e), as.double(e))
    expect_identical(ceiling_log2(2^e * (1 + 2^-52)), e + 1)
    expect_identical(ceiling_log2(2^e * (1 - 2^-53)), as.double(e))
  }
})

test_that("bounds that leave no room for a grid are refused", {
  for (bounds in list(c(-1e308, 1e308), c(0, 5e-324), c(1e17, 1e17 + 16), c(1, 1 + 2^-52),
                      c(0, 1e-30), c(-1e34, 1e34))) {
    expect_error(query_moments(domain(weight = bounds)), "The bounds of weight",
                 class = "noiseaware_error_query")
  }
})

test_that("binary columns are symmetric and levels are counts on the common grid", {
  binary <- snap_column(dom_binary(), "b")
  expect_identical(column_centre(binary), 0.5)
  expect_identical(column_reach(binary), 2^20)
  expect_identical(column_reach(binary) * column_step(binary), 0.5)
  levels <- snap_column(dom_levels(1:5), "l")
  expect_identical(levels[c("lower_q", "upper_q", "centre_q", "grid_exp")],
                   list(lower_q = 0, upper_q = 2^20, centre_q = 0, grid_exp = 20L))
})

test_that("the missing value is snapped too, by default to the centre", {
  snapped <- function(...) snap_column(dom_real(...), "x")
  expect_identical(snapped(0, 10)$missing_q, snapped(0, 10)$centre_q)
  expect_identical(snapped(0, 10, missing = 0)$missing_q, 0)
  expect_identical(snapped(0, 10, missing = 10)$missing_q, snapped(0, 10)$upper_q)
  third <- snapped(0, 10, missing = 10 / 3)
  expect_lte(abs(third$missing_q * column_step(third) - 10 / 3), column_step(third) / 2)
  expect_identical(snap_column(dom_levels(1:5, other = 4), "l")$missing_q, 3)
})

test_that("a column is described in natural units", {
  expect_identical(
    describe_column(snap_column(dom_real(0, 8, missing = 2), "x")),
    list(name = "x", type = "real", lower = 0, upper = 8, centre = 4, missing = 2)
  )
  expect_identical(
    describe_column(snap_column(dom_levels(c("a", "b", "c"), other = "c"), "l")),
    list(name = "l", type = "levels", lower = 0, upper = 1, centre = 0, levels = c("a", "b", "c"),
         missing = "c")
  )
})

test_that("higher degrees have coarser grids, and sums of 2^40 records fit", {
  for (degree in 1:4) {
    bits <- moment_bits(degree)
    for (bounds in special_bounds) {
      grid <- tryCatch(snap_range(bounds[[1]], bounds[[2]], "x", bits),
                       noiseaware_error_query = function(e) NULL)
      if (is.null(grid)) next
      reach <- column_reach(grid)
      expect_lte(reach, 2^bits + 1)
      # Exact in doubles, and 2^40 of them in 128 bits with a sign.
      expect_lt(reach^degree, 2^45)
      expect_lte(degree * abs(grid$grid_exp), 180)
    }
    expect_identical(snap_range(-1, 1, "x", bits)$upper_q, 2^bits)
  }
})
