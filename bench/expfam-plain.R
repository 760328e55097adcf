# The Gibbs samplers of the exponential families as a statistician would write them
# in R: one loop, scalar arithmetic, nothing allocated that need not be. The peer of
# bench/expfam.R. Each returns the draws of its parameters.

# A standard normal between a and b, shifted and scaled, by inverting its
# distribution function in the tail where that is accurate.
plain_truncated <- function(mean, sd, lower, upper) {
  a <- (lower - mean) / sd
  b <- (upper - mean) / sd
  if (a > 0) {
    lo <- pnorm(a, lower.tail = FALSE)
    hi <- pnorm(b, lower.tail = FALSE)
    x <- qnorm(hi + runif(1) * (lo - hi), lower.tail = FALSE)
  } else {
    lo <- pnorm(a)
    x <- qnorm(lo + runif(1) * (pnorm(b) - lo))
  }
  min(max(mean + sd * x, lower), upper)
}

# The variance of the normal whose scale mixture is Laplace noise, given the noise:
# 1 / tau is inverse Gaussian (Michael, Schucany and Haas 1976).
plain_tau <- function(noise, scale) {
  r <- abs(noise) / scale
  h <- rnorm(1)^2 / 2
  x <- 1 / (r + h + sqrt(h * (2 * r + h)))
  if (runif(1) * (1 + r * x) > 1) x <- 1 / (r^2 * x)
  scale^2 / x
}

plain_binomial <- function(z, n, shape1, shape2, scale, iter) {
  theta <- numeric(iter)
  now <- shape1 / (shape1 + shape2)
  tau <- 2 * scale^2
  for (i in seq_len(iter)) {
    v <- n * now * (1 - now)
    s <- plain_truncated((n * now * tau + z * v) / (v + tau), sqrt(v * tau / (v + tau)), 0, n)
    tau <- plain_tau(z - s, scale)
    theta[i] <- now <- rbeta(1, shape1 + s, shape2 + n - s)
  }
  theta
}

# Counts of K levels: independent normals conditioned on their sum.
plain_multinomial <- function(z, n, concentration, scale, iter) {
  k <- length(z)
  theta <- matrix(0, iter, k)
  now <- concentration / sum(concentration)
  tau <- rep(2 * scale^2, k)
  for (i in seq_len(iter)) {
    v <- 1 / (1 / (n * now) + 1 / tau)
    m <- v * (1 + z / tau)
    repeat {
      x <- rnorm(k, m, sqrt(v))
      s <- x + v / sum(v) * (n - sum(x))
      if (all(s >= 0)) break
    }
    for (j in seq_len(k)) tau[j] <- plain_tau(z[j] - s[j], scale)
    g <- rgamma(k, concentration + s)
    theta[i, ] <- now <- g / sum(g)
  }
  theta
}

# Probability, mean and variance of an exponential variable between v and w.
plain_region <- function(rate, v, w) {
  if (w == Inf) return(c(exp(-rate * v), v + 1 / rate, 1 / rate^2))
  u <- rate * (w - v)
  e <- expm1(-u)
  length <- w - v
  c(-exp(-rate * v) * e, v + length * (1 / u + exp(-u) / e),
    length^2 * (1 / u^2 - exp(-u) / e^2))
}

# Sums of exponential records clamped to [lower, upper].
plain_exponential <- function(z, n, lower, upper, shape, rate, scale, iter) {
  theta <- numeric(iter)
  now <- shape / rate
  tau <- 2 * scale^2
  for (i in seq_len(iter)) {
    below <- plain_region(now, 0, lower)
    inside <- plain_region(now, lower, upper)
    above <- plain_region(now, upper, Inf)
    q <- c(below[1], inside[1], above[1])
    full <- c(below[2], inside[2], above[2])
    seen <- c(lower, inside[2], upper)
    mean <- sum(q * seen)
    between <- q * (seen - mean)
    var <- inside[1] * inside[3] + sum(between * (seen - mean))
    cov <- inside[1] * inside[3] + sum(between * (full - 1 / now))
    m <- n * mean
    v <- n * var
    clamped <- plain_truncated((m * tau + z * v) / (v + tau), sqrt(v * tau / (v + tau)),
                               n * lower, n * upper)
    tau <- plain_tau(z - clamped, scale)
    slope <- cov / var
    centre <- n / now + slope * (clamped - m)
    s <- plain_truncated(centre, sqrt(n * max(1 / now^2 - slope * cov, 0)), 0, Inf)
    theta[i] <- now <- rgamma(1, shape + n, rate + s)
  }
  theta
}
