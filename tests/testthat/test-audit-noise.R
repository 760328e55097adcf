# What the pipeline adds is the noise it writes down: right law, right size,
# independent between statistics, groups, queries and seeds.

mixed_query <- query_moments(domain(x = c(0, 50), b = dom_binary(), f = c("a", "b", "c")),
                             relation = "add_remove")
records <- data.frame(x = c(3, 47.5), b = c(1, 0), f = c("a", "c"))

# Noise in units of its scale: draws in rows, statistics in columns.
unit_noise <- function(mechanism, fraction = 1, draws = 20000, seed = 11) {
  noise <- calibrate_noise(mechanism, mixed_query)
  used <- audit_weaken(noise, fraction)
  answers <- audit_draws(mixed_query, records, mechanism, draws, seed, used)
  sweep(sweep(answers, 2, summed(mixed_query, records)), 2, as.numeric(noise$scales), "/")
}

# Bound of the p-value of Kolmogorov's test (Massart, 1990). On grids of 2^16
# steps and more per scale the law cannot be told from the continuous one.
law_p <- function(x, name) {
  law <- if (name == "laplace") laplace_law else stats::pnorm
  x <- sort(x)
  steps <- seq_along(x) / length(x)
  distance <- max(steps - law(x), law(x) - steps + 1 / length(x))
  min(1, 2 * exp(-2 * length(x) * distance^2))
}

laplace_law <- function(x) ifelse(x < 0, exp(-abs(x)) / 2, 1 - exp(-abs(x)) / 2)

worst_p <- function(mechanism, fraction = 1) {
  noise <- unit_noise(mechanism, fraction)
  min(apply(noise, 2, law_p, name = mechanism$name))
}

test_that("every statistic of a moment query has the promised noise", {
  skip_on_cran()
  for (mechanism in list(mech_laplace(0.5), mech_gaussian(1, 1e-6))) {
    expect_gt(worst_p(mechanism), 1e-4)
    expect_lt(worst_p(mechanism, 0.9), 1e-4)
    expect_lt(worst_p(mechanism, 1.1), 1e-4)
  }
})

test_that("Laplace noise is not taken for Gaussian, nor the other way round", {
  skip_on_cran()
  laplace <- unit_noise(mech_laplace(1))[, 1] / sqrt(2)
  expect_lt(law_p(laplace, "gaussian"), 1e-4)
  expect_lt(law_p(unit_noise(mech_gaussian(mu = 1))[, 1] * sqrt(2), "laplace"), 1e-4)
})

# The largest correlation between columns, in standard errors.
worst_correlation <- function(x) {
  r <- stats::cor(x)
  max(abs(r[upper.tri(r)])) * sqrt(nrow(x))
}

test_that("statistics, groups, seeds and queries have unrelated noise", {
  skip_on_cran()
  noise <- unit_noise(mech_gaussian(mu = 1))
  other <- unit_noise(mech_gaussian(mu = 1), seed = 12)
  # 12 x 12 pairs at most: five standard errors are one false alarm in 10^4.
  expect_lt(worst_correlation(noise), 5)
  expect_lt(worst_correlation(cbind(noise[, 1], other[, 1], noise[c(2:nrow(noise), 1), 1])), 5)
  expect_gt(worst_correlation(cbind(noise[, 1], noise[, 1] + other[, 1])), 5)
})

test_that("the same seed gives two queries unrelated noise, and one query the same", {
  skip_on_cran()
  count <- function(name) {
    query_tables(do.call(domain, stats::setNames(list(c("a", "b", "c")), name)), list(name),
                 relation = "add_remove")
  }
  noise_of <- function(query) {
    data <- stats::setNames(data.frame(f = character()), names(query$columns))
    t(vapply(1:300, function(seed) {
      release_insecure(query, data, mech_gaussian(mu = 1), seed)$statistics$value
    }, numeric(3)))
  }
  first <- noise_of(count("f"))
  expect_lt(worst_correlation(cbind(first, noise_of(count("g")))), 5)
  expect_identical(first[1:3, ], noise_of(count("f"))[1:3, ])
})
