# Gibbs sweeps of the exponential families against the plain R loops of
# expfam-plain.R, in one run on one core, for the same release and prior.
#   Rscript bench/expfam.R [sweeps of the package, at least 1e6 to be recorded]

library(noiseaware)
source("bench/expfam-plain.R")

sweeps <- commandArgs(trailingOnly = TRUE)
sweeps <- if (length(sweeps) > 0) as.numeric(sweeps[[1]]) else 4e6
plain_sweeps <- sweeps / 40

binary <- query_tables(domain(x = dom_binary()), ~ x)
factor3 <- query_tables(domain(x = c("a", "b", "c")), ~ x)
waiting <- query_moments(domain(x = c(0.00634, 1.1717)), degree = 1)

# One release of each, its prior, and the same thing for the plain loop.
cases <- list(
  binomial = list(
    release = as_release(binary, n = 100, c("count(x=1)" = 62.3), noise_laplace(5)),
    prior = prior_beta(10, 10), family = "binomial",
    plain = function(iter) plain_binomial(62.3, 100, 10, 10, 5, iter)
  ),
  multinomial = list(
    release = as_release(factor3, n = 100,
                         c("count(x=a)" = 40, "count(x=b)" = 35, "count(x=c)" = 20),
                         noise_laplace(10)),
    prior = prior_dirichlet(5), family = "multinomial",
    plain = function(iter) plain_multinomial(c(40, 35, 20), 100, c(5, 5, 5), 10, iter)
  ),
  exponential = list(
    release = as_release(waiting, n = 100, c("sum(x)" = 24.5), noise_laplace(1.1654)),
    prior = prior_gamma(8, 2), family = "exponential",
    plain = function(iter) plain_exponential(24.5, 100, 0.00634, 1.1717, 8, 2, 1.1654, iter)
  )
)

elapsed <- function(expr) system.time(expr)[["elapsed"]]

# Draws are thinned so that neither side spends its time storing them.
compare <- function(name) {
  case <- cases[[name]]
  set.seed(1)
  peer <- min(replicate(3, elapsed(slow <<- case$plain(plain_sweeps)))) / plain_sweeps
  ours <- min(replicate(3, elapsed(
    fast <<- infer(case$release, ~ x, family = case$family, prior = case$prior, method = "gibbs",
                   chains = 1, iter = sweeps, warmup = 1000, thin = 100, seed = 1, refresh = 0)
  ))) / sweeps
  data.frame(family = name, plain_us = 1e6 * peer, package_us = 1e6 * ours,
             sweeps_per_second = 1 / ours, ratio = peer / ours,
             plain_mean = mean(as.matrix(slow)[, 1]), package_mean = fast$moments$mean[[1]])
}

slow <- fast <- NULL
result <- do.call(rbind, lapply(names(cases), compare))
print(format(result, digits = 3), row.names = FALSE)
if (sweeps >= 1e6) {
  utils::write.csv(format(result, digits = 4), "bench/results/expfam.csv", row.names = FALSE,
                   quote = FALSE)
}
