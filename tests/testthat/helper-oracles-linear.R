# Observations of moments and oracles for linear regression, from textbook formulas.

# Exact sums and sums of products of `data` about the centres, named as a query names
# them, observed with the given noise. `columns` are in the order of the query.
moment_observation <- function(data, columns, noise = "none", scale = 1, shift = 0, ...) {
  atoms <- do.call(rbind, lapply(columns, moment_atoms, data = data))
  values <- do.call(cbind, atoms$values)
  linear <- stats::setNames(colSums(values), paste0("sum(", atoms$label, ")"))
  products <- list()
  for (j in seq_len(nrow(atoms))) {
    for (k in j:nrow(atoms)) {
      if (atoms$column[[j]] == atoms$column[[k]] && atoms$levels[[j]]) next
      name <- paste0("sum(", atoms$label[[j]], "*", atoms$label[[k]], ")")
      products[[name]] <- sum(values[, j] * values[, k])
    }
  }
  all <- c(linear, unlist(products))
  make_observation(all + shift, noise = noise, scale = scale, columns = columns, kind = "moments",
                   n = nrow(data), outside = "clamp", ...)
}

moment_atoms <- function(column, data) {
  values <- data[[column$name]]
  coded <- if (is.null(column$levels)) {
    list(values - column$centre)
  } else if (length(column$levels) == 2) {
    list((values == column$levels[[2]]) - column$centre)
  } else {
    lapply(column$levels, function(level) as.double(values == level))
  }
  label <- column$name
  if (length(coded) > 1) label <- paste0(label, "=", column$levels)
  found <- data.frame(column = column$name, label = label, levels = !is.null(column$levels))
  found$values <- coded
  found
}

# A data set with a number, a binary column, a factor and an outcome.
regression_data <- function(n = 60, seed = 1) {
  withr::with_seed(seed, {
    x <- stats::rnorm(n, 50, 12)
    b <- rep_len(c("0", "1", "1"), n)
    g <- rep_len(c("a", "b", "c", "b"), n)
    y <- 3 + 0.1 * x + 0.7 * (b == "1") - 0.5 * (g == "c") + stats::rnorm(n, 0, 0.8)
    data.frame(x = x, b = b, g = g, y = y)
  })
}

regression_declared <- function() {
  list(real_column("x", 0, 100), binary_column("b"), factor_column("g"), real_column("y", 0, 16))
}

# Posterior of (theta, sigma^2) given records: Lambda_n, mu_n, a_n and b_n as in any
# textbook.
textbook_nig <- function(x, y, prior) {
  precision <- prior$precision + crossprod(x)
  mean <- solve(precision, prior$precision %*% prior$mean + crossprod(x, y))
  rate <- prior$rate + (sum(y^2) + sum(prior$mean * (prior$precision %*% prior$mean)) -
                          sum(mean * (precision %*% mean))) / 2
  list(mean = as.vector(mean), precision = precision, shape = prior$shape + length(y) / 2,
       rate = rate)
}

# Marginal of one coefficient: Student with 2 shape degrees of freedom.
coefficient_oracle <- function(nig, k) {
  scale <- sqrt(nig$rate / nig$shape * solve(nig$precision)[k, k])
  df <- 2 * nig$shape
  list(mean = nig$mean[[k]], sd = scale * sqrt(df / (df - 2)),
       cdf = function(q) stats::pt((q - nig$mean[[k]]) / scale, df))
}

sigma_oracle <- function(nig) {
  mean <- sqrt(nig$rate) * exp(lgamma(nig$shape - 0.5) - lgamma(nig$shape))
  list(mean = mean, sd = sqrt(nig$rate / (nig$shape - 1) - mean^2),
       cdf = function(q) stats::pgamma(1 / q^2, nig$shape, nig$rate, lower.tail = FALSE))
}

# --- importance sampling from the prior ------------------------------------------------

# The prior of Bernstein and Sheldon (2019), section 4.
paper_prior <- function() {
  priors(prior_nig(0, 0.5 / 19, 20, 0.5), prior_niw(0, 1, 1, 50))
}

# Parameters from the paper's prior and the sums of `n` simulated records of each: no
# formula of ours is used. `each` sees the sums of the first i records.
simulate_paper_prior <- function(size, n, seed, each = function(sums, i) NULL) {
  withr::with_seed(seed, {
    sigma <- 1 / sqrt(stats::rgamma(size, 20, 0.5))
    theta <- matrix(stats::rnorm(2 * size), size) * sigma / sqrt(0.5 / 19)
    spread <- 1 / sqrt(stats::rgamma(size, 25, 0.5))  # inverse Wishart(50, 1) in one dimension
    centre <- stats::rnorm(size) * spread
    sums <- matrix(0, size, 5, dimnames = list(NULL, paper_statistics))
    for (i in seq_len(n)) {
      x <- centre + spread * stats::rnorm(size)
      y <- theta[, 1] + theta[, 2] * x + sigma * stats::rnorm(size)
      sums <- sums + cbind(x, y, x^2, x * y, y^2)
      each(sums, i)
    }
  })
  list(parameters = cbind(`(Intercept)` = theta[, 1], x = theta[, 2], sigma = sigma), sums = sums)
}

paper_statistics <- c("sum(x)", "sum(y)", "sum(x*x)", "sum(x*y)", "sum(y*y)")

# Weighted draws as an oracle of one variable. `effective` is what they are worth.
weighted_oracle <- function(simulated, variable, log_weight) {
  weight <- exp(log_weight - max(log_weight))
  weight <- weight / sum(weight)
  draws <- simulated$parameters[, variable]
  mean <- sum(weight * draws)
  list(mean = mean, sd = sqrt(sum(weight * (draws - mean)^2)),
       cdf = function(q) sum(weight[draws <= q]), effective = 1 / sum(weight^2))
}
