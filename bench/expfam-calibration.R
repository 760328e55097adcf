# The calibration grid of Bernstein and Sheldon (2018): three families, three numbers
# of people, two epsilons; exact, Gibbs and naive methods; 300 trials in every cell,
# and the distance to the non-private posterior. Cells above the 5% line are run
# again with 2000 trials.
#   Rscript bench/expfam-calibration.R [trials]
# Writes bench/results/expfam-*.csv, and the copies in inst/extdata that the vignette
# shows.

library(noiseaware)

trials <- commandArgs(trailingOnly = TRUE)
trials <- if (length(trials) > 0) as.numeric(trials[[1]]) else 300
options(mc.cores = 2)
seed <- 20261118

# Bounds of the exponential: the central 95% of the prior predictive distribution.
families <- list(
  binomial = list(query = query_tables(domain(x = dom_binary()), ~ x, "replace_one"),
                  prior = prior_beta(10, 10)),
  multinomial = list(query = query_tables(domain(x = c("a", "b", "c")), ~ x, "replace_one"),
                     prior = prior_dirichlet(5)),
  exponential = list(query = query_moments(domain(x = c(0.00634, 1.1717)), "replace_one",
                                           degree = 1),
                     prior = prior_gamma(8, 2))
)
methods <- c("exact", "gibbs", "naive")
mechanisms <- list(mech_laplace(0.01), mech_laplace(0.1))
sizes <- c(10, 100, 1000)

calibrate <- function(name, method, n = sizes, mechanism = mechanisms, count = trials,
                      from = seed) {
  case <- families[[name]]
  check_calibration(case$query, ~ x, family = name, prior = case$prior, method = method, n = n,
                    mechanism = mechanism, trials = count, chains = 1, iter = 11000,
                    warmup = 1000, thin = 5, seed = from, refresh = 0)
}

started <- proc.time()[["elapsed"]]
found <- lapply(names(families), calibrate, method = methods)
seconds <- proc.time()[["elapsed"]] - started

label <- function(table, name) cbind(family = name, table)
cells <- do.call(rbind, Map(function(study, name) label(tidy(study), name), found,
                            names(families)))
tests <- sum(cells$method != "naive")
limit <- sqrt(log(2 * tests / 0.01) / (2 * trials))
honest <- cells[cells$method != "naive", ]
cat(sprintf("%d cells x %d trials in %.1f s on two cores; family-wise limit %.3f\n",
            nrow(cells), trials, seconds, limit))
print(honest[c("family", "n", "epsilon", "method", "variable", "ks")], row.names = FALSE,
      digits = 3)
cat(sprintf("above the 5%% line: %d of %d (expected %.1f); above the family-wise limit: %d\n",
            sum(honest$ks > 1.358 / sqrt(trials)), tests, 0.05 * tests, sum(honest$ks > limit)))

# Cells over the 5% line, again with 2000 trials and another seed.
suspects <- unique(honest[honest$ks > 1.358 / sqrt(trials), c("family", "n", "epsilon", "method")])
again <- do.call(rbind, lapply(seq_len(nrow(suspects)), function(i) {
  one <- suspects[i, ]
  study <- calibrate(one$family, one$method, one$n, mech_laplace(one$epsilon), 2000, seed + 1)
  label(tidy(study), one$family)
}))
if (!is.null(again)) {
  cat("again with 2000 trials (limit 0.0364):\n")
  print(again[c("family", "n", "epsilon", "method", "variable", "ks")], row.names = FALSE,
        digits = 3)
}

# How far from the posterior of the records themselves.
utility <- do.call(rbind, lapply(names(families), function(name) {
  case <- families[[name]]
  compared <- compare_methods(case$query, ~ x, family = name, prior = case$prior,
                              methods = methods, n = sizes, mechanism = mechanisms, trials = 100,
                              chains = 1, iter = 6000, warmup = 1000, thin = 5, seed = seed,
                              refresh = 0)
  label(tidy(compared), name)
}))

ranks <- do.call(rbind, Map(function(study, name) {
  shown <- study$cells$cell[study$cells$n == 100 & study$cells$epsilon == 0.1]
  rows <- study$trials[study$trials$cell %in% shown, ]
  rows <- rows[rows$variable == rows$variable[[1]], ]
  data.frame(family = name, method = study$cells$method[rows$cell], u = round(rows$u, 4))
}, found, names(families)))

keep <- function(table, name) {
  numbers <- vapply(table, is.numeric, NA)
  table[numbers] <- lapply(table[numbers], signif, 5)
  for (folder in c("bench/results", "inst/extdata")) {
    utils::write.csv(table, file.path(folder, paste0("expfam-", name, ".csv")), row.names = FALSE,
                     quote = FALSE)
  }
}
if (trials >= 300) {
  keep(cells[c("family", "n", "epsilon", "method", "variable", "ks", "coverage")], "calibration")
  keep(ranks, "ranks")
  keep(utility[c("family", "n", "epsilon", "method", "variable", "mmd", "coverage")], "utility")
  keep(data.frame(seconds = seconds, trials = trials, cells = nrow(unique(
    cells[c("family", "n", "epsilon", "method")]))), "time")
}
