# What one posterior lost against the non-private one, variable by variable.

# All measures of one variable. `draws`, `yard`: draws of the two posteriors; `ends`,
# `yard_ends`: their intervals; `null`: the value that an effect is told from;
# `range`: what the variable can be.
compare_draws <- function(draws, yard, truth, prob, null, range) {
  ends <- stats::quantile(draws, central_ends(prob), names = FALSE)
  yard_ends <- stats::quantile(yard, central_ends(prob), names = FALSE)
  unit <- sample_units(list(y = matrix(yard)), TRUE)
  data.frame(
    truth = truth, mean = mean(draws), sd = stats::sd(draws), lower = ends[[1]], upper = ends[[2]],
    covered = ends[[1]] <= truth && truth <= ends[[2]], width = ends[[2]] - ends[[1]],
    mmd = sqrt(max(0, mmd2_cpp(matrix(draws / unit), matrix(yard / unit)))),
    ks = ks_two_sample_cpp(draws, yard), wasserstein = wasserstein1_cpp(draws, yard) / unit,
    overlap = interval_overlap(ends, yard_ends),
    width_ratio = (ends[[2]] - ends[[1]]) / (yard_ends[[2]] - yard_ends[[1]]),
    sign_match = sign(mean(draws) - null) == sign(mean(yard) - null),
    significance_match = excludes(ends, null) == excludes(yard_ends, null),
    squared_error = (mean(draws) - truth)^2, log_score = log_score(draws, truth, range)
  )
}

# Karr et al. (2006): the share of each interval that the other one covers, averaged;
# 0 if they do not meet.
interval_overlap <- function(a, b) {
  common <- max(0, min(a[[2]], b[[2]]) - max(a[[1]], b[[1]]))
  if (common == 0) return(0)
  (common / (a[[2]] - a[[1]]) + common / (b[[2]] - b[[1]])) / 2
}

excludes <- function(ends, value) value < ends[[1]] || value > ends[[2]]

# Log density of the draws at the truth, by a Gaussian kernel with the mass that
# leaks over a bound reflected back.
log_score <- function(draws, truth, range) {
  width <- stats::bw.nrd0(draws)
  mirrored <- lapply(range[is.finite(range)], function(end) 2 * end - draws)
  terms <- stats::dnorm(truth, unlist(c(list(draws), mirrored)), width, log = TRUE)
  top <- max(terms)
  top + log(sum(exp(terms - top)) / length(draws))
}

# The value that an effect is told from: 0 where the variable can be on either side
# of it, else the prior mean.
default_null <- function(model, prior) {
  means <- prior_moments(model, prior)
  null <- vapply(means$variable, function(name) {
    range <- variable_range(model, name)
    if (range[[1]] < 0 && range[[2]] > 0) 0 else means$mean[means$variable == name]
  }, 0)
  stats::setNames(null, means$variable)
}

check_null <- function(null, model, prior) {
  default <- default_null(model, prior)
  if (is.null(null)) return(default)
  known <- names(default)
  if (is.numeric(null) && length(null) == 1 && is.null(names(null)) && length(known) == 1) {
    names(null) <- known
  }
  valid <- is.numeric(null) && !is.null(names(null)) && all(names(null) %in% known) &&
    all(is.finite(null))
  if (!valid) abort_argument("null", null, paste("numbers named by", list_some(known)))
  default[names(null)] <- null
  default
}
