# Posteriors of the models of sums by brute force, written with base R only.

# --- observations ----------------------------------------------------------------

count_column <- function(name = "x", lower = 0, upper = 8) {
  list(name = name, type = "count", lower = lower, upper = upper, centre = (lower + upper) / 2,
       missing = (lower + upper) / 2)
}

# The noisy sum of one column; `centre` is that of the column unless told.
sum_observation <- function(value, n, scale = 1, lower = 0, upper = 3, column = real_column,
                            centre = (lower + upper) / 2, outside = "clamp", ...) {
  column <- column("x", lower, upper)
  make_observation(c("sum(x)" = value), n = n, scale = scale, kind = "moments",
                   columns = list(column), centre = c(x = centre), outside = outside, ...)
}

# The noisy sum and sum of squares.
normal_observation <- function(values, n, scale = c(1, 1), lower = -1, upper = 1,
                               centre = (lower + upper) / 2, outside = "clamp", ...) {
  make_observation(c("sum(x)" = values[[1]], "sum(x*x)" = values[[2]]), n = n, scale = scale,
                   kind = "moments", columns = list(real_column("x", lower, upper)),
                   centre = c(x = centre), outside = outside, ...)
}

map_records <- function(x, lower, upper, outside, centre) {
  if (outside == "clamp") return(pmin(pmax(x, lower), upper))
  ifelse(x < lower | x > upper, centre, x)
}

# --- one parameter: the distribution of the sum on a lattice -----------------------

# Probabilities of a mapped record about the centre, on multiples of `step`. A
# continuous record goes to the nearest multiple: the error is of order step^2.
record_pmf <- function(family, rate, lower, upper, outside, centre, step) {
  below <- if (outside == "clamp") lower else centre
  above <- if (outside == "clamp") upper else centre
  if (family == "poisson") {
    at <- seq(max(ceiling(lower), 0), floor(upper))
    inside <- stats::dpois(at, rate)
    outer <- c(stats::ppois(ceiling(lower) - 1, rate), stats::ppois(floor(upper), rate, FALSE))
  } else {
    at <- seq(lower, upper, by = step)
    ends <- pmin(pmax(c(at - step / 2, upper + step / 2), lower), upper)
    inside <- diff(stats::pexp(ends, rate))
    outer <- c(stats::pexp(lower, rate), stats::pexp(upper, rate, FALSE))
  }
  list(k = round((c(at, below, above) - centre) / step), p = c(inside, outer))
}

# log p(value | rate) for each rate. `size`: a number, or weights named by successive n.
lattice_likelihood <- function(family, rates, value, size, log_noise, lower, upper, outside, centre,
                               step) {
  sizes <- if (is.null(names(size))) size else as.numeric(names(size))
  weights <- if (is.null(names(size))) 1 else size
  reach <- ceiling((upper - lower + abs(centre - lower) + abs(centre - upper)) / step) + 1
  length <- 2^ceiling(log2(2 * max(sizes) * reach + 2))
  k <- seq_len(length) - 1
  k <- ifelse(k < length / 2, k, k - length)
  noise <- exp(log_noise(value - k * step))
  vapply(rates, function(rate) {
    pmf <- record_pmf(family, rate, lower, upper, outside, centre, step)
    dense <- numeric(length)
    for (j in seq_along(pmf$k)) {
      slot <- pmf$k[[j]] %% length + 1
      dense[[slot]] <- dense[[slot]] + pmf$p[[j]]
    }
    phi <- stats::fft(dense)
    total <- 0
    for (i in rev(seq_along(sizes))) total <- total * phi + weights[[i]]  # Horner
    total <- total * phi^sizes[[1]]
    log(max(sum(Re(stats::fft(total, inverse = TRUE)) / length * noise), 1e-300))
  }, 0)
}

# Posterior of a rate with a gamma prior, by the trapezoid rule on the log scale. The
# likelihood is computed at `points` rates and interpolated by a spline.
rate_oracle <- function(log_likelihood, prior, points = 200, range = NULL) {
  if (is.null(range)) range <- log(stats::qgamma(c(1e-8, 1 - 1e-8), prior$shape, prior$rate))
  nodes <- seq(range[[1]], range[[2]], length.out = points)
  log_prior <- function(x) stats::dgamma(exp(x), prior$shape, prior$rate, log = TRUE) + x
  height <- log_likelihood(exp(nodes))
  # Further down there is nothing but rounding error.
  inside <- range(which(height + log_prior(nodes) > max(height + log_prior(nodes)) - 22))
  inside <- inside[[1]]:inside[[2]]
  x <- seq(min(nodes[inside]), max(nodes[inside]), length.out = 4000)
  log_weight <- log_prior(x) + stats::splinefun(nodes[inside], height[inside])(x)
  weight <- exp(log_weight - max(log_weight))
  mass <- weight / sum(weight)
  mean <- sum(mass * exp(x))
  steps <- c(0, cumsum((utils::head(weight, -1) + weight[-1]) / 2))
  list(mean = mean, sd = sqrt(sum(mass * (exp(x) - mean)^2)),
       log_evidence = max(log_weight) + log(sum(weight) * (x[[2]] - x[[1]])),
       cdf = function(at) {
         stats::approx(x, steps / steps[[length(x)]], log(at), rule = 2)$y
       })
}

# --- any model: prior draws weighted by the noise ------------------------------------

# `theta`: draws from the prior (a data frame); `records(theta, n)`: a matrix, one row of
# records per draw. `n` is a number, or one per draw.
importance_oracle <- function(theta, mapped_sums, values, noise, scale) {
  log_weight <- 0
  for (j in seq_along(values)) {
    log_weight <- log_weight + log_noise_density(values[[j]] - mapped_sums[, j], noise, scale[[j]])
  }
  weight <- exp(log_weight - max(log_weight))
  weight <- weight / sum(weight)
  list(theta = theta, weight = weight, size = 1 / sum(weight^2),
       log_evidence = max(log_weight) + log(mean(exp(log_weight - max(log_weight)))))
}

# Draws of a fit against weighted draws, in standard errors of both; `slack` is what
# an approximation may be off, in probability.
expect_draws_near <- function(fit, variable, oracle, limit = 4, slack = 0) {
  draws <- posterior::extract_variable_matrix(fit$draws, variable)
  size <- min(posterior::ess_bulk(draws), length(draws))
  values <- oracle$theta[[variable]]
  order <- order(values)
  for (p in c(0.05, 0.25, 0.5, 0.75, 0.95)) {
    at <- values[order][[which.max(cumsum(oracle$weight[order]) >= p)]]
    error <- sqrt(p * (1 - p) * (1 / size + 1 / oracle$size))
    testthat::expect_lt(abs(mean(draws <= at) - p), limit * error + slack)
  }
}
