# Reference scales, computed by hand. The domains give exactly these reaches:
# [-1, 1] has M = 2^20; the half range 0.625 has 2^20 steps per 1 and M = 655360.
vector_query <- function(columns) query_moments(do.call(domain, columns), "replace_one")

test_that("scales are those of the published vectors", {
  two <- vector_query(list(x = c(-1, 1), y = c(-0.625, 0.625)))
  expect_identical(vapply(two$columns, column_reach, 0), c(x = 2^20, y = 655360))
  expect_identical(
    stats::setNames(calibrate_noise(mech_laplace(1), two)$scales, statistics(two)$name),
    c("sum(x)" = "5592406", "sum(y)" = "3495254", "sum(x*x)" = "5864062014806",
      "sum(x*y)" = "3665038759254", "sum(y*y)" = "2290649224534")
  )
  one <- vector_query(list(x = c(-1, 1)))
  expect_identical(calibrate_noise(mech_laplace(0.1), one)$scales, c("23592960", "24739011624960"))
})

test_that("Laplace scales are the smallest whole numbers that keep the promise", {
  withr::local_seed(11)
  for (i in 1:40) {
    query <- vector_query(list(x = sort(stats::rnorm(2)), y = sort(stats::rnorm(2, sd = 1e3))))
    mechanism <- mech_laplace(signif(10^stats::runif(1, -3, 1), 4))
    noise <- calibrate_noise(mechanism, query)
    num <- whole_text(noise$sensitivity$num)
    den <- whole_text(noise$sensitivity$den)
    weights <- whole_text(statistic_plan(query)$weight)
    for (m in seq_along(weights)) {
      enough <- function(scale) laplace_suffices(scale, weights[[m]], mechanism, num, den)
      expect_true(enough(noise$scales[[m]]))
      expect_false(enough(whole_text(as.numeric(noise$scales[[m]]) - 1)))
    }
  }
})

test_that("Gaussian scales keep the promise and waste less than 1 in 10^9", {
  withr::local_seed(12)
  for (i in 1:40) {
    query <- vector_query(list(x = sort(stats::rnorm(2)), y = sort(stats::rnorm(2, sd = 1e3))))
    mechanism <- mech_gaussian(mu = signif(10^stats::runif(1, -3, 0.5), 4))
    noise <- calibrate_noise(mechanism, query)
    need <- noise$sensitivity$value * statistic_plan(query)$weight / mech_mu(mechanism)
    expect_true(scales_suffice(mechanism, query, calibrate_noise))
    expect_lt(max(as.numeric(noise$scales) - need * (1 + 1e-9)), 1)
    expect_lte(noise$mu_actual, mech_mu(mechanism))
    expect_gt(noise$mu_actual, mech_mu(mechanism) * (1 - 1e-9))
  }
})

test_that("rho and mu buy the same noise, and (epsilon, delta) a little less than its mu", {
  query <- vector_query(list(x = c(-1, 1)))
  expect_identical(calibrate_noise(mech_gaussian(rho = 0.125), query),
                   calibrate_noise(mech_gaussian(mu = 0.5), query))
  approximate <- mech_gaussian(1, 1e-6)
  noise <- calibrate_noise(approximate, query)
  # The slack for the grid: at least 1e-9 in epsilon, and no more than 1e-6 in mu^2.
  ratio <- as.numeric(noise$target) / as.numeric(approximate$mu2_units)
  expect_lt(ratio, 1)
  expect_gt(ratio, 1 - 1e-6)
  expect_true(scales_suffice(approximate, query, calibrate_noise))
})

# The loss of the discrete Gaussian itself, summed from its definition: what
# (epsilon, delta) means, without the theory used for calibration. A count that
# moves by one step of its weight w against a scale s has shift w / s in units of
# the standard deviation; at 2^20 steps the sum is an integral to all digits.
test_that("a Gaussian count meets its (epsilon, delta)", {
  query <- query_tables(domain(x = dom_binary()), ~ x, "replace_one")
  for (budget in list(c(1, 1e-5), c(0.1, 1e-3), c(3, 1e-9))) {
    noise <- calibrate_noise(mech_gaussian(budget[[1]], budget[[2]]), query)
    mu <- statistic_plan(query)$weight / as.numeric(noise$scales)
    delta <- stats::pnorm(mu / 2 - budget[[1]] / mu) -
      exp(budget[[1]]) * stats::pnorm(-mu / 2 - budget[[1]] / mu)
    expect_lte(delta, budget[[2]])
    expect_gt(delta, budget[[2]] * 0.9999)
  }
})

test_that("more rows per person need that many times the noise", {
  scales <- function(rows, mechanism) {
    query <- query_moments(domain(x = c(-1, 1)), "add_remove", unit_rows = rows)
    as.numeric(calibrate_noise(mechanism, query)$scales)
  }
  expect_equal(scales(5, mech_laplace(1)), 5 * scales(1, mech_laplace(1)))
  expect_equal(scales(5, mech_gaussian(mu = 1)), 5 * scales(1, mech_gaussian(mu = 1)),
               tolerance = 1e-6)
})

test_that("what cannot be calibrated is a classed error that says which way to go", {
  query <- vector_query(list(x = c(-1, 1)))
  expect_error(calibrate_noise(mech_laplace(1e-12), query), "larger epsilon",
               class = "noiseaware_error_query")
  expect_error(calibrate_noise(mech_gaussian(mu = 1e3), query), "smaller epsilon",
               class = "noiseaware_error_query")
  expect_error(calibrate_noise("laplace", query), "mech_laplace", class = "noiseaware_error_input")
})

test_that("exact comparison of products is right", {
  expect_identical(big_product("99999999", "99999999"), big_limbs("9999999800000001"))
  expect_true(big_at_least(big_product("12345678901234567890", "2"),
                           big_limbs("24691357802469135780")))
  expect_false(big_at_least(big_product("12345678901234567890", "2"),
                            big_limbs("24691357802469135781")))
  expect_true(big_at_least(big_limbs("10000"), big_limbs("9999")))
})
