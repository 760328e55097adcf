# Observations built by hand, so that inference is tested without custodian code.

binary_column <- function(name = "x", levels = c("0", "1"), centre = 0.5) {
  list(name = name, type = "binary", lower = 0, upper = 1, centre = centre, levels = levels,
       missing = levels[[1]])
}

factor_column <- function(name = "g", levels = c("a", "b", "c")) {
  list(name = name, type = "levels", lower = 0, upper = 1, centre = 0, levels = levels,
       missing = levels[[1]])
}

real_column <- function(name = "age", lower = 0, upper = 100) {
  list(name = name, type = "real", lower = lower, upper = upper, centre = (lower + upper) / 2,
       missing = (lower + upper) / 2)
}

# `values` named by statistic; noise, scale and grid are recycled over them.
make_observation <- function(values, noise = "laplace", scale = 2, grid = 0, n = NULL,
                             columns = list(binary_column()), kind = "tables", centre = NULL,
                             relation = NULL, outside = NULL, threshold = NULL, origin = "external",
                             secure = NA, privacy = "epsilon = 1 for one row (replace_one)",
                             suppressed = NULL) {
  names(columns) <- vapply(columns, `[[`, "", "name")
  if (is.null(centre)) centre <- vapply(columns, `[[`, 0, "centre")
  noise <- rep_len(noise, length(values))
  scale <- ifelse(noise == "none", 0, rep_len(scale, length(values)))
  structure(
    list(kind = kind,
         statistics = data.frame(name = names(values), value = as.double(values), noise = noise,
                                 scale = scale, grid = grid),
         n = n, centre = centre, columns = columns, relation = relation, outside = outside,
         origin = origin, threshold = threshold, secure = secure, privacy = list(text = privacy),
         about = NULL, group = NULL, suppressed = suppressed),
    class = "noiseaware_observation"
  )
}

# One noisy count of a binary column.
bernoulli_observation <- function(value = 7.3, n = 10, ...) {
  make_observation(c("count(x=1)" = value), n = n, ...)
}

# Noisy counts of a factor.
categorical_observation <- function(values = c(4.2, -1.1, 6.5), n = 8, scale = 3, ...) {
  levels <- letters[seq_along(values)]
  make_observation(stats::setNames(values, paste0("count(g=", levels, ")")), n = n, scale = scale,
                   columns = list(factor_column(levels = levels)), ...)
}

quick_fit <- function(observation, ..., seed = 1, iter = 500, chains = 2) {
  suppressWarnings(infer(observation, ..., seed = seed, iter = iter, chains = chains, refresh = 0),
                   classes = "noiseaware_warning")
}
