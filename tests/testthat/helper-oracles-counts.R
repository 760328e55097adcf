# Posteriors of counts by listing every possibility, written with base R only.

log_noise_density <- function(x, noise, scale, grid = 0) {
  if (noise == "none") return(ifelse(abs(x) < 1e-9, 0, -Inf))
  if (noise == "laplace" && grid == 0) return(-log(2 * scale) - abs(x) / scale)
  if (noise == "gaussian" && grid == 0) return(stats::dnorm(x, 0, scale, log = TRUE))
  if (noise == "laplace") {
    alpha <- exp(-grid / scale)
    return(ifelse(abs(x / grid - round(x / grid)) < 1e-9,
                  log((1 - alpha) / (1 + alpha)) - abs(x) / scale, -Inf))
  }
  steps <- grid * (-5000:5000)
  ifelse(abs(x / grid - round(x / grid)) < 1e-9,
         -x^2 / (2 * scale^2) - log(sum(exp(-steps^2 / (2 * scale^2)))), -Inf)
}

# log P(noise < limit), strictly, by adding up where there is a grid.
log_noise_below <- function(limit, noise, scale, grid = 0) {
  if (noise == "none") return(ifelse(limit > 1e-9, 0, -Inf))
  if (noise == "gaussian" && grid == 0) return(stats::pnorm(limit, 0, scale, log.p = TRUE))
  if (noise == "laplace" && grid == 0) {
    return(ifelse(limit < 0, log(0.5) + limit / scale,
                  log1p(-exp(-pmax(limit, 0) / scale) / 2)))
  }
  steps <- grid * (-5000:5000)
  mass <- exp(log_noise_density(steps, noise, scale, grid))
  vapply(limit, function(at) log(sum(mass[steps < at - 1e-9])), 0)
}

# Likelihood of a released count, or of one suppressed below `value`.
log_count_density <- function(apart, noise, scale, grid, censored) {
  (if (censored) log_noise_below else log_noise_density)(apart, noise, scale, grid)
}

# Every (n, s) with its posterior weight for one noisy count of a binary column.
# `size` is a known n, or list(value, noise, scale, grid).
enumerate_bernoulli <- function(value, noise, scale, grid, size, shape1, shape2, centre = 0,
                                most = 400, censored = FALSE) {
  sizes <- if (is.list(size)) 0:most else size
  cells <- do.call(rbind, lapply(sizes, function(n) data.frame(n = n, s = 0:n)))
  log_weight <- lchoose(cells$n, cells$s) +
    lbeta(shape1 + cells$s, shape2 + cells$n - cells$s) - lbeta(shape1, shape2) +
    log_count_density(value - cells$s + centre * cells$n, noise, scale, grid, censored)
  if (is.list(size)) {
    log_weight <- log_weight +
      log_noise_density(size$value - cells$n, size$noise, size$scale, size$grid)
  }
  high <- max(log_weight)
  weight <- exp(log_weight - high)
  mixture_oracle(weight / sum(weight), shape1 + cells$s, shape2 + cells$n - cells$s,
                 high + log(sum(weight)))
}

# Every count vector of a factor that adds up to n, or to 0..most where n is
# unknown. `values` may be NA where a count was not released.
enumerate_categorical <- function(values, noise, scale, n, alpha, category = 1, most = 40,
                                  censored = rep(FALSE, length(alpha)), grid = 0) {
  sizes <- if (is.null(n)) 0:most else n
  cells <- do.call(rbind, lapply(sizes, compositions, size = length(alpha)))
  totals <- rowSums(cells)
  log_weight <- lgamma(totals + 1) + lgamma(sum(alpha)) - lgamma(sum(alpha) + totals)
  for (k in seq_along(alpha)) {
    log_weight <- log_weight + lgamma(alpha[k] + cells[, k]) - lgamma(alpha[k]) -
      lgamma(cells[, k] + 1)
    if (!is.na(values[k])) {
      log_weight <- log_weight +
        log_count_density(values[k] - cells[, k], noise[k], scale[k], grid, censored[k])
    }
  }
  high <- max(log_weight)
  weight <- exp(log_weight - high)
  shape <- alpha[category] + cells[, category]
  mixture_oracle(weight / sum(weight), shape, sum(alpha) + totals - shape, high + log(sum(weight)))
}

# All vectors of `size` counts with the given sum, one per row.
compositions <- function(n, size) {
  if (size == 1) return(matrix(n))
  do.call(rbind, lapply(0:n, function(s) cbind(s, compositions(n - s, size - 1))))
}

mixture_oracle <- function(weight, shape1, shape2, log_evidence) {
  mean <- shape1 / (shape1 + shape2)
  within <- mean * (1 - mean) / (shape1 + shape2 + 1)
  total <- sum(weight * mean)
  between <- sum(weight * (mean - total)^2)
  keep <- weight > 1e-14
  list(
    log_evidence = log_evidence, mean = total, sd = sqrt(sum(weight * within) + between),
    privacy_share = between / (sum(weight * within) + between), weight = weight,
    cdf = function(x) {
      vapply(x, function(at) sum(weight[keep] * stats::pbeta(at, shape1[keep], shape2[keep])), 0)
    }
  )
}
