# Does an interval contain the truth, and how often?

#' Coverage of posterior intervals
#'
#' Whether central posterior intervals contain a known truth; for many simulated
#' posteriors, how often they do.
#'
#' @param x A fit, a draws object of package \pkg{posterior}, a matrix (draws x
#'   variables) or a vector of draws; a list of those, one per simulated data set;
#'   or a study from [check_calibration()] or [compare_methods()], which knows its
#'   truths.
#' @param truth The true values, named by variable, or in order if `x` has no
#'   names. For a list: a matrix or data frame with one row per member.
#' @param prob Probabilities of the intervals.
#' @param ... Unused.
#' @return A data frame. For one posterior: `variable`, `prob`, `truth`, `lower`,
#'   `upper`, `covered`. For many: `variable`, `prob`, `trials`, `coverage` and its
#'   95% Wilson interval `coverage_low`, `coverage_high`, after the columns that
#'   tell the cell of a study.
#' @family evaluation
#' @examples
#' query <- query_tables(domain(vs = dom_binary()), ~ vs, "replace_one")
#' fit <- infer(release_insecure(query, mtcars, mech_laplace(1), seed = 1), ~ vs, seed = 1)
#' coverage(fit, truth = c(theta = 0.44), prob = c(0.5, 0.9))
#' @export
coverage <- function(x, truth, prob = 0.9, ...) {
  check_supplied(missing(x), "x")
  UseMethod("coverage")
}

#' @export
coverage.default <- function(x, truth, prob = 0.9, ...) {
  check_supplied(missing(truth), "truth")
  draws <- sample_matrix(x, "x")
  if (is.null(colnames(draws))) colnames(draws) <- paste0("V", seq_len(ncol(draws)))
  truth <- match_truth(truth, colnames(draws))
  draws <- draws[, names(truth), drop = FALSE]
  prob <- check_probs(prob)
  rows <- lapply(prob, function(p) {
    ends <- interval_ends(draws, p)
    data.frame(variable = names(truth), prob = p, truth = unname(truth), lower = ends[, 1],
               upper = ends[, 2], covered = ends[, 1] <= truth & truth <= ends[, 2])
  })
  data.frame(do.call(rbind, rows), row.names = NULL)
}

#' @rdname coverage
#' @export
coverage.list <- function(x, truth, prob = 0.9, ...) {
  if (posterior::is_draws(x)) return(coverage.default(x, truth, prob))
  check_supplied(missing(truth), "truth")
  truth <- check_truth_rows(truth, length(x))
  each <- Map(function(draws, i) coverage(draws, truth[i, ], prob), x, seq_along(x))
  all <- do.call(rbind, each)
  cells <- unique(all[c("variable", "prob")])
  rows <- Map(function(variable, p) {
    covered_share(all$covered[all$variable == variable & all$prob == p])
  }, cells$variable, cells$prob)
  data.frame(cells, do.call(rbind, rows), row.names = NULL)
}

#' @export
coverage.noiseaware_fit <- function(x, truth, prob = 0.9, ...) {
  coverage.default(x, truth, prob)
}

check_truth_rows <- function(truth, size) {
  given <- truth
  truth <- if (is.data.frame(truth)) as.matrix(truth) else truth
  if (is.numeric(truth) && is.null(dim(truth))) truth <- matrix(truth, length(truth))
  valid <- is.matrix(truth) && is.numeric(truth) && nrow(truth) == size && size > 0
  if (!valid) {
    abort_argument("truth", given, paste("numbers with one row per member of `x`, which has", size))
  }
  truth
}

# True values named by variable; without names there must be one for each.
match_truth <- function(truth, variables) {
  if (is.numeric(truth) && is.null(names(truth)) && length(truth) == length(variables)) {
    names(truth) <- variables
  }
  valid <- is.numeric(truth) && length(truth) > 0 && all(is.finite(truth)) &&
    all(names(truth) %in% variables) && !is.null(names(truth))
  if (!valid) {
    abort_argument("truth", truth, paste("one number per variable:", list_some(variables)))
  }
  truth
}

check_probs <- function(prob) {
  valid <- is.numeric(prob) && length(prob) > 0 && !anyNA(prob) && all(prob > 0 & prob < 1)
  if (!valid) abort_argument("prob", prob, "numbers strictly between 0 and 1")
  as.double(prob)
}

# Lower and upper end of the central interval of each variable.
interval_ends <- function(draws, prob) {
  t(apply(draws, 2, stats::quantile, central_ends(prob), names = FALSE))
}

# Share of TRUE with its Wilson interval.
covered_share <- function(covered, level = 0.95) {
  covered <- covered[!is.na(covered)]
  ends <- wilson_interval(sum(covered), length(covered), level)
  data.frame(trials = length(covered), coverage = mean(covered), coverage_low = ends[, 1],
             coverage_high = ends[, 2])
}

# Wilson (1927): the shares that a normal test would not reject.
wilson_interval <- function(hits, trials, level = 0.95) {
  z <- stats::qnorm((1 + level) / 2)
  share <- hits / trials
  middle <- (share + z^2 / (2 * trials)) / (1 + z^2 / trials)
  half <- z / (1 + z^2 / trials) * sqrt(share * (1 - share) / trials + z^2 / (4 * trials^2))
  cbind(lower = pmax(middle - half, 0), upper = pmin(middle + half, 1))
}
