query <- query_moments(domain(x = c(0, 10), y = c(-1, 1)), "replace_one")

test_that("the noise of each statistic is priced in natural units", {
  price <- cost(query, mech_laplace(1), n = 1000)
  # L1 = 16/3; weights 5, 1, 25, 5, 1 in natural units.
  weights <- c(5, 1, 25, 5, 1)
  expect_identical(price$noise$statistic, statistics(query)$name)
  expect_equal(price$noise$sd, sqrt(2) * 16 / 3 * weights, tolerance = 1e-6)
  expect_equal(price$noise$sd_mean, price$noise$sd / 1000)
  expect_null(cost(query, mech_laplace(1))$noise$sd_mean)
  gaussian <- cost(query, mech_gaussian(mu = 0.5))
  expect_equal(gaussian$noise$sd, 3 / 0.5 * weights, tolerance = 1e-6)
})

test_that("the price is the noise a release then has", {
  for (mechanism in list(mech_laplace(0.3), mech_gaussian(1, 1e-6))) {
    made <- release_insecure(query, data.frame(x = 1, y = 0), mechanism, seed = 1)
    expect_identical(cost(query, mechanism)$noise$sd, noise_sd(made$noise, made$statistics$scale))
  }
})

test_that("spending is told in every currency it has", {
  expect_equal(cost(query, mech_laplace(0.5))$spend, list(rho = 0.125, epsilon = 0.5))
  expect_equal(cost(query, mech_gaussian(rho = 0.08))$spend, list(rho = 0.08, mu = 0.4))
})

test_that("several releases are priced together", {
  price <- function(...) cost(lapply(list(...), function(mechanism) list(query, mechanism)))$spend
  expect_equal(price(mech_laplace(0.5), mech_laplace(1)), list(rho = 0.125 + 0.5, epsilon = 1.5))
  expect_equal(price(mech_gaussian(mu = 3), mech_gaussian(mu = 4)), list(rho = 12.5, mu = 5))
  expect_equal(price(mech_gaussian(mu = 1), mech_laplace(1)), list(rho = 1))
  expect_length(cost(list(list(query, mech_laplace(1)), list(query, mech_laplace(2))))$noise, 2)
})

test_that("arguments are checked", {
  expect_error(cost(query_moments(domain(x = 0:1)), mech_laplace(1)), "relation",
               class = "noiseaware_error_query")
  expect_error(cost(1, mech_laplace(1)), "`query`", class = "noiseaware_error_input")
  expect_error(cost(query, 1), "`mechanism`", class = "noiseaware_error_input")
  expect_error(cost(query, mech_laplace(1), n = 0), "`n`", class = "noiseaware_error_input")
  for (bad in list(list(), list(query, mech_laplace(1)), list(list(query)), list(list(query, 1)))) {
    expect_error(cost(bad), "pairs", class = "noiseaware_error_input")
  }
})

test_that("prices print", {
  expect_snapshot({
    cost(query, mech_laplace(1), n = 1000)
    cost(query, mech_gaussian(1, 1e-6))
    cost(list(list(query, mech_gaussian(rho = 0.1)), list(query, mech_laplace(0.2))))
  })
})
