# Vectors by mpmath with 40 digits, except where another source is named.

test_that("numbers are read as the decimals that were typed", {
  expect_identical(units_from_number(0.1, "epsilon"), "100000000000")
  expect_identical(units_from_number(1, "epsilon"), "1000000000000")
  expect_identical(units_from_number(1L, "epsilon"), "1000000000000")
  expect_identical(units_from_number(1e-3, "epsilon"), "1000000000")
  expect_identical(units_from_number(0.1 + 0.2, "epsilon"), "300000000000")
  expect_identical(units_from_number(1e-12, "epsilon"), "1")
  expect_identical(units_from_number(9999999, "epsilon"), "9999999000000000000")
})

test_that("numbers are read the same way under any option for printing", {
  withr::local_options(OutDec = ",", scipen = 100, digits = 3)
  expect_identical(units_from_number(0.123456789, "epsilon"), "123456789000")
  withr::local_options(scipen = -100)
  expect_identical(units_from_number(123.5, "epsilon"), "123500000000000")
})

test_that("numbers that are no budget are refused", {
  for (bad in list(0, -1, NA_real_, NaN, Inf, 1e-13, 1e7, 9999999.9999999999, "1", c(1, 2), NULL)) {
    expect_error(units_from_number(bad, "epsilon"), class = "noiseaware_error_input")
  }
})

test_that("ten times 0.1 is exactly 1", {
  tenth <- units_from_number(0.1, "epsilon")
  expect_identical(compose_sequential(rep(tenth, 10)), units_from_number(1, "epsilon"))
  expect_identical(units_sum(c("9007199254740993", "1")), "9007199254740994")
})

test_that("units print as the shortest decimal and read back", {
  expect_identical(decimal_from_units_cpp("100000000000"), "0.1")
  expect_identical(decimal_from_units_cpp("12500000000000"), "12.5")
  expect_identical(units_from_decimal_cpp("12.5"), "12500000000000")
  expect_identical(units_from_decimal_cpp("1e+05"), "100000000000000000")
  expect_error(units_from_decimal_cpp("-1"))
  expect_error(units_from_decimal_cpp("1,5"))
  expect_error(decimal_from_units_cpp("01"))
})

test_that("squares of units are rounded down", {
  expect_identical(square_units("100000000000"), "10000000000")
  expect_identical(square_units("1999999"), "3")
})

test_that("disjoint groups cost the largest, or the two largest when a record can move", {
  expect_identical(compose_parallel("add_remove", c("1", "5", "3")), "5")
  expect_identical(compose_parallel("replace_one", c("1", "5", "3"), c("2", "6", "4")), "8")
  expect_identical(compose_parallel("replace_one", c("1", "5", "3"), c("2", "10", "4")), "10")
  expect_identical(compose_parallel("replace_one", "5", "7"), "7")
})

test_that("costs that are not whole numbers as text are refused", {
  for (bad in list(1, "1.5", "-1", "01", NA_character_, character(), NULL)) {
    expect_error(compose_sequential(bad), class = "noiseaware_error_input")
  }
  expect_error(compose_parallel("replace_one", "1"), class = "noiseaware_error_input")
  expect_error(compose_parallel("replace_one", "1", c("1", "2")), class = "noiseaware_error_input")
  expect_error(compose_parallel("both", "1"), class = "noiseaware_error_input")
})

test_that("Gaussian privacy converts to (epsilon, delta)", {
  expect_equal(gdp_delta(1, 1), 0.12693673750664, tolerance = 1e-12)
  expect_equal(gdp_delta(0, 1), 0.38292492254803, tolerance = 1e-12)
  expect_equal(gdp_delta(8, 2), 0.00049540173893875, tolerance = 1e-12)
  expect_equal(gdp_epsilon(1e-5, 1), 4.3771780956812, tolerance = 1e-12)
  expect_equal(gdp_epsilon(1e-8, 2), 12.749246399636, tolerance = 1e-12)
  expect_equal(1 / gdp_mu(1, 1e-5), 3.7306316348159, tolerance = 1e-12)
  expect_equal(1 / gdp_mu(0.01, 1e-8), 412.35694207972, tolerance = 1e-12)
})

test_that("Gaussian delta is that of pnorm()", {
  delta <- function(epsilon, mu) {
    pnorm(-epsilon / mu + mu / 2) - exp(epsilon) * pnorm(-epsilon / mu - mu / 2)
  }
  for (mu in c(0.3, 1, 3)) {
    for (epsilon in c(0, 0.5, 2)) {
      expect_equal(gdp_delta(epsilon, mu), delta(epsilon, mu), tolerance = 1e-11)
    }
  }
})

test_that("the calibrated mu keeps its promise", {
  for (epsilon in c(0.1, 1, 5)) {
    for (delta in c(1e-9, 1e-5)) {
      mu <- analytic_gaussian_mu_cpp(epsilon, delta)
      expect_lte(gdp_delta(epsilon, mu), delta)
      expect_equal(mu, gdp_mu(epsilon, delta), tolerance = 1e-10)
    }
  }
  inner <- fine_grid_budget_cpp(1, 1e-6, 100, 2^20)
  expect_equal(1 - inner$epsilon, 1e-9, tolerance = 1e-6)
  expect_equal(1 - inner$delta / 1e-6, 1e-9, tolerance = 1e-6)
  expect_error(fine_grid_budget_cpp(1, 1e-6, 1, 2))
})

test_that("zero-concentrated privacy converts to (epsilon, delta)", {
  expect_equal(zcdp_delta(0.5, 4), 1.9579541695772e-4, tolerance = 1e-12)
  expect_equal(zcdp_delta(0.1, 1), 8.9332457718184e-3, tolerance = 1e-12)
  expect_equal(zcdp_delta(0.005, 0.3), 1.5032310195748e-4, tolerance = 1e-12)
  expect_equal(zcdp_epsilon(0.5, 1e-6), 5.2215344445302, tolerance = 1e-12)
  expect_equal(zcdp_epsilon(0.1, 1e-5), 1.9142388320036, tolerance = 1e-12)
  expect_equal(zcdp_epsilon(0.005, 1e-9), 0.56489328430204, tolerance = 1e-12)
  expect_equal(zcdp_epsilon(1, 1e-10), 10.034343581348, tolerance = 1e-12)
})

test_that("the exact delta of the discrete Gaussian is larger on a coarse grid", {
  expect_equal(discrete_gaussian_delta_cpp(1, 1, 1), 0.141351339406, tolerance = 1e-11)
  expect_equal(discrete_gaussian_delta_cpp(10000, 10, 0.1), 0.00875155642993, tolerance = 1e-11)
  expect_gt(discrete_gaussian_delta_cpp(1, 1, 1), gdp_delta(1, 1))
})

# Google's dp_accounting.
test_that("privacy loss distributions compose", {
  sgd <- list(kind = "subsampled_gaussian", count = 1000, sigma = 1, rate = 0.01)
  expect_equal(pld_epsilon(list(sgd), 1e-5), 1.828243646, tolerance = 4e-7)
  laplace <- list(kind = "laplace", count = 3, epsilon = 0.2)
  gaussian <- list(kind = "subsampled_gaussian", count = 2, sigma = 5, rate = 1)
  expect_equal(pld_epsilon(list(laplace, gaussian), 1e-6), 1.682804653, tolerance = 4e-7)
  expect_equal(pld_epsilon(list(list(kind = "pure", count = 30, epsilon = 0.3)), 1e-5),
               7.175734746, tolerance = 4e-7)
})

test_that("steps that cannot be composed are refused", {
  pure <- list(kind = "pure", count = 1, epsilon = 1)
  bad_steps <- list(
    list(), pure, list(1), list(list(kind = "pure")), list(modifyList(pure, list(kind = "none"))),
    list(modifyList(pure, list(count = 0))), list(modifyList(pure, list(epsilon = 0))),
    list(list(kind = "subsampled_gaussian", count = 1, sigma = 1, rate = 0)),
    list(list(kind = "subsampled_gaussian", count = 1, sigma = 0.001, rate = 1))
  )
  for (bad in bad_steps) {
    expect_error(pld_epsilon(bad, 1e-5), class = "noiseaware_error_input")
  }
  expect_error(pld_epsilon(list(pure), 1e-11), class = "noiseaware_error_input")
})

test_that("bad arguments of the accountant are refused by name", {
  for (bad in list(-1, NA_real_, Inf, "1", NULL)) {
    expect_error(gdp_delta(bad, 1), "epsilon", class = "noiseaware_error_input")
    expect_error(gdp_delta(1, bad), "mu", class = "noiseaware_error_input")
    expect_error(zcdp_delta(bad, 1), "rho", class = "noiseaware_error_input")
  }
  for (bad in list(0, 1, -1, NA_real_)) {
    expect_error(gdp_epsilon(bad, 1), "delta", class = "noiseaware_error_input")
    expect_error(gdp_mu(1, bad), "delta", class = "noiseaware_error_input")
    expect_error(zcdp_epsilon(1, bad), "delta", class = "noiseaware_error_input")
  }
})

test_that("scales are whole numbers, rounded up", {
  m <- c(1048576, 655360)
  weights <- sprintf("%.0f", c(m, m[1]^2, m[1] * m[2], m[2]^2))
  expect_identical(
    laplace_scales_cpp("16", "3", "1000000000000", weights),
    c("5592406", "3495254", "5864062014806", "3665038759254", "2290649224534")
  )
  gaussian <- gaussian_scales_cpp("9", "1", "1000000000000", weights)
  expect_identical(gaussian$scales, c("3145729", "1966081", "3298534883584", "2061584302240",
                                      "1288490188900"))
  expect_lt(gaussian$mu_actual, 1)
  expect_gt(gaussian$mu_actual, 1 - 1e-9)
  expect_error(laplace_scales_cpp("1", "1", "0", "1"), "budget")
  expect_error(gaussian_scales_cpp("1", "1", "1000000000000", "1"), "scale")
})

# Keystream and algorithm of an independent implementation.
test_that("simulated noise is the published vector and leaves R's generator alone", {
  set.seed(1)
  before <- .Random.seed
  expect_identical(
    noise_sample_cpp(list(name = "laplace", scale = "10", divisor = "3"), 12, "42"),
    as.character(c(8, -10, -7, -7, 1, 1, 7, 10, 0, -10, 0, -5))
  )
  expect_identical(
    noise_sample_cpp(list(name = "gaussian", scale = "1099511627776"), 5, "42"),
    c("491432406117", "-902088319310", "459040928192", "-2563164623806", "1949811685910")
  )
  expect_identical(.Random.seed, before)
  expect_error(noise_sample_cpp(list(name = "cauchy", scale = "1"), 1, "1"), "laplace or gaussian")
  expect_error(noise_sample_cpp(list(name = "laplace", scale = "0"), 1, "1"), "scale")
  expect_error(noise_sample_cpp(list(name = "laplace", scale = "1"), 1, "18446744073709551616"))
})

test_that("hashes are SHA-256", {
  expect_identical(sha256_hex_cpp("abc"),
                   "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
})
