# Simulation-based calibration: does a posterior mean what it says?

#' Check the calibration of a method
#'
#' Draws parameters from the prior, records from the model and a release from the
#' mechanism, computes the posterior, and asks where the truth lies in it. If the
#' posterior is right, the ranks of the truth are uniform and a 90% interval contains
#' the truth in 90% of the trials (Cook, Gelman and Rubin 2006; Talts et al. 2018).
#'
#' `n`, `mechanism` and `method` may have several values; all combinations are
#' studied, each a cell. Every trial has random numbers of its own, decided by
#' `seed`, cell and trial: the result is the same for any number of workers, in any
#' order, and after a restart.
#'
#' Trials run one after the other, or in parallel over the workers of a plan of
#' package \pkg{future} if one is set and \pkg{future.apply} is installed. Built-in
#' families whose trials are compiled use `cores` threads. A trial that fails is
#' recorded with the class of its error and reported, never left out.
#'
#' The bounds of a domain are public, hence fixed: bounds that depend on the true
#' parameter would miscalibrate even a correct posterior. Under `"add_remove"` the
#' number of records is `n` in every trial, while inference gives it a flat prior.
#'
#' @param query A query with a relation.
#' @param formula,family,prior As in [infer()].
#' @param method One method, or several: names, or a list of `method_*()` values.
#' @param n Numbers of records.
#' @param mechanism A mechanism such as [mech_laplace()], or a list of them.
#' @param trials Number of trials per cell.
#' @param prob Probability of the central intervals whose ends are recorded.
#' @param chains,iter,warmup,thin,cores As in [infer()]. Draws of Markov chains are
#'   thinned to as many as they are worth before ranks are taken.
#' @param data A function of `theta` (named parameters) and `n` that returns a data
#'   frame of records, to study what happens if the model is wrong. It may use R's
#'   generator, which is seeded for it and put back afterwards.
#' @param seed As in [infer()]. `NULL` with an existing `file` continues its study.
#' @param file Where to keep the results of finished trials, one line each. A study
#'   that is started again with the same file continues where it was, also with more
#'   `trials`.
#' @param refresh 0 for silence; otherwise progress and time left are shown if R is
#'   interactive.
#' @return An object of class `noiseaware_calibration`: a list with `trials` (a data
#'   frame with one row per cell, trial and variable: the rank `u`, the truth, the
#'   posterior mean and sd, the ends of the interval, the number of draws behind the
#'   rank, and for a trial that failed the class and text of its error), `cells` and
#'   `settings`. See [summary.noiseaware_calibration()] and
#'   [autoplot.noiseaware_calibration()].
#' @references Cook, Gelman and Rubin (2006) Validation of software for Bayesian
#'   models using posterior quantiles. *Journal of Computational and Graphical
#'   Statistics* 15, 675-692.
#' @references Talts, Betancourt, Simpson, Vehtari and Gelman (2018) Validating
#'   Bayesian inference algorithms with simulation-based calibration.
#'   <https://arxiv.org/abs/1804.06788>
#' @family evaluation
#' @examples
#' query <- query_tables(domain(smoker = dom_binary()), ~ smoker, "replace_one")
#' study <- check_calibration(query, ~ smoker, method = c("exact", "naive"), n = 100,
#'                            mechanism = mech_laplace(0.1), trials = 50, iter = 500, seed = 1)
#' study
#' plot(study)
#' @export
check_calibration <- function(query, formula = NULL, family = NULL, prior = NULL, method = NULL, n,
                              mechanism, trials = 300, prob = 0.9, chains = 4, iter = 2000,
                              warmup = floor(iter / 2), thin = 1,
                              cores = getOption("mc.cores", 1L), data = NULL, seed = NULL,
                              file = NULL, refresh = NULL) {
  check_supplied(missing(query), "query")
  check_supplied(missing(n), "n")
  check_supplied(missing(mechanism), "mechanism")
  file <- check_study_path(file)
  run <- check_run(chains, iter, warmup, thin, cores, 0)
  study <- new_study("calibration", query, read_question(formula, family, prior, NULL),
                     check_methods(method), n, mechanism, trials, run, data, prob,
                     seed = study_seed(seed, file))
  rows <- collect_trials(study, file, check_refresh(refresh))
  new_calibration(rows, study)
}

new_calibration <- function(rows, study) {
  structure(list(trials = rows, cells = study$cells, settings = study_settings(study)),
            class = "noiseaware_calibration")
}

#' @export
blank_rows.noiseaware_study_calibration <- function(study) {
  number <- numeric()
  text <- character()
  data.frame(cell = number, trial = number, variable = text, truth = number, u = number,
             mean = number, sd = number, lower = number, upper = number, draws = number,
             failure = text, message = text)
}

#' @export
run_trial.noiseaware_study_calibration <- function(study, cell, trial) {
  seeds <- trial_seeds(study$seed, cell, trial)
  task <- study$tasks[[cell]]
  case <- simulate_trial(task, study_scenario(study, cell), seeds)
  fit <- study_fit(study, task, observe(case$release), seeds$draws)
  score_fit(fit, case$truth, study$prob, seeds$ties)
}

# --- limits ----------------------------------------------------------------------

# Kolmogorov's limits for one test of so many trials (5% and 1%, asymptotic), and
# the one that `tests` such tests together exceed with probability 1% at most
# (Dvoretzky-Kiefer-Wolfowitz inequality with Massart's constant, Bonferroni); the
# same for shift and spread together, which are normal.
ks_limits <- function(trials, tests) {
  data.frame(limit_5 = 1.358 / sqrt(trials), limit_1 = 1.628 / sqrt(trials),
             limit_all = sqrt(log(2 * tests / 0.01) / (2 * trials)),
             limit_z = stats::qnorm(0.01 / (4 * tests), lower.tail = FALSE))
}

#' Summarise a calibration study
#'
#' @param object,x A study from [check_calibration()].
#' @param prob Probability of the central intervals whose coverage is shown.
#' @param ... Unused.
#' @return `summary()` and `tidy()`: a data frame with one row per cell and variable:
#'   `ks`, the largest distance of the ranks from uniform, with the limits `limit_5`
#'   and `limit_1` of a single test and `limit_all` of the whole study; `shift` of the
#'   mean rank and change of its `spread` in standard errors, with their limit `limit_z`
#'   for the whole study; `verdict` (`"flagged"` above a limit of the study, `"above
#'   5%"`, else `"ok"`); `shape`, what is wrong with a posterior that is not ok;
#'   `coverage` of the intervals with its 95% Wilson interval;
#'   `width`, the mean width of the recorded intervals; `rmse` of the posterior mean;
#'   numbers of `trials` that worked and that `failed`. `glance()`: one row about the
#'   whole study.
#' @family evaluation
#' @examples
#' query <- query_tables(domain(smoker = dom_binary()), ~ smoker, "replace_one")
#' study <- check_calibration(query, ~ smoker, n = 100, mechanism = mech_laplace(0.5),
#'                            trials = 50, iter = 500, seed = 1)
#' summary(study, prob = 0.5)
#' glance(study)
#' @export
summary.noiseaware_calibration <- function(object, prob = object$settings$prob, ...) {
  prob <- check_prob(prob)
  panels <- calibration_panels(object)
  rows <- lapply(panels, function(panel) summarise_panel(panel, prob, length(panels)))
  found <- do.call(rbind, rows)
  cells <- object$cells[match(found$cell, object$cells$cell), setdiff(names(object$cells), "cell")]
  failed <- failed_trials(object)
  found$failed <- failed$failed[match(found$cell, failed$cell)]
  found <- cbind(found["cell"], cells, found[names(found) != "cell"])
  row.names(found) <- NULL
  found
}

#' @rdname summary.noiseaware_calibration
#' @export
tidy.noiseaware_calibration <- function(x, prob = x$settings$prob, ...) summary(x, prob = prob)

#' @rdname summary.noiseaware_calibration
#' @export
glance.noiseaware_calibration <- function(x, ...) {
  found <- summary(x)
  data.frame(
    calibrated = !any(found$verdict == "flagged"), tests = nrow(found),
    flagged = sum(found$verdict == "flagged"), above_5 = sum(found$ks > found$limit_5),
    expected_5 = 0.05 * nrow(found), worst_ks = max(found$ks), limit_all = max(found$limit_all),
    trials = x$settings$trials, failed = sum(failed_trials(x)$failed), seed = x$settings$seed
  )
}

# Trials that worked, split by cell and variable, in the order of the grid. A cell
# without any is not there.
calibration_panels <- function(object) {
  rows <- object$trials[!is.na(object$trials$u), ]
  if (nrow(rows) == 0) {
    abort_model(c("Every trial failed: there is nothing to summarise.",
                  "x" = "{object$trials$message[[1]]}",
                  "i" = "See the column {.field failure} of {.field trials}."))
  }
  variables <- factor(rows$variable, object$settings$variables$variable)
  split(rows, list(variables, rows$cell), drop = TRUE)
}

summarise_panel <- function(panel, prob, tests) {
  found <- rank_tests(panel$u, tests)
  covered <- covered_share(abs(panel$u - 0.5) <= prob / 2)
  data.frame(
    cell = panel$cell[[1]], variable = panel$variable[[1]], found,
    covered["coverage"], covered["coverage_low"], covered["coverage_high"],
    width = mean(panel$upper - panel$lower), rmse = sqrt(mean((panel$mean - panel$truth)^2)),
    trials = nrow(panel)
  )
}

# The distance from uniform, and two tests that see what it is nearly blind to: a
# shift of the mean rank and a change of its spread, in standard errors. A posterior
# whose sd is 20% too small moves KS by 0.05, but the spread by 5 standard errors
# in 300 trials.
rank_tests <- function(u, tests) {
  ks <- ks_uniform_cpp(u)
  limits <- ks_limits(length(u), tests)
  shift <- (mean(u) - 0.5) * sqrt(12 * length(u))
  spread <- (mean((u - 0.5)^2) - 1 / 12) * sqrt(180 * length(u))
  far <- max(abs(c(shift, spread)))
  verdict <- "ok"
  if (ks > limits$limit_5) verdict <- "above 5%"
  if (ks > limits$limit_all || far > limits$limit_z) verdict <- "flagged"
  data.frame(ks = ks, limits, shift = shift, spread = spread, verdict = verdict,
             shape = if (verdict == "ok") "" else rank_shape(shift, spread))
}

# What ranks that are not uniform say about the posterior. A large shift piles ranks
# up at one end, which moves the spread by up to 1.3 times as much.
rank_shape <- function(shift, spread) {
  if (max(abs(shift), abs(spread)) < 2) return("other")
  if (abs(spread) > 1.5 * abs(shift)) return(if (spread > 0) "too narrow" else "too wide")
  if (shift > 0) "too low" else "too high"
}

# Failures per cell.
failed_trials <- function(object) {
  rows <- object$trials[!is.na(object$trials$failure), ]
  data.frame(cell = object$cells$cell,
             failed = tabulate(match(rows$cell, object$cells$cell), nrow(object$cells)))
}

#' @rdname coverage
#' @export
coverage.noiseaware_calibration <- function(x, truth, prob = 0.9, ...) {
  if (!missing(truth)) abort_input("A study knows its truths: leave {.arg truth} out.")
  panels <- calibration_panels(x)
  rows <- lapply(check_probs(prob), function(p) {
    shares <- lapply(panels, function(panel) {
      data.frame(cell = panel$cell[[1]], variable = panel$variable[[1]], prob = p,
                 covered_share(abs(panel$u - 0.5) <= p / 2))
    })
    do.call(rbind, shares)
  })
  data.frame(do.call(rbind, rows), row.names = NULL)
}
