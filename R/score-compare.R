# Methods side by side on the same simulated releases.

#' Compare methods
#'
#' Simulates parameters, records and releases, and on each release compares every
#' method with the non-private posterior, the one the custodian could have computed
#' from the exact statistics of the same records.
#'
#' All methods see the same releases, so that differences between them are not
#' chance; all mechanisms see the same truths and records, with noise that differs in
#' scale only. Measures, averaged over trials by `summary()`:
#'
#' * `coverage` of the central intervals and their mean `width`; `rmse` of the
#'   posterior mean and `log_score`, the log density of the posterior at the truth (a
#'   kernel estimate from the draws);
#' * distance to the non-private posterior: `mmd` (the root of [mmd()] in units of
#'   its standard deviation), `ks`, `wasserstein` (in the same units);
#' * `overlap` of the intervals (Karr et al. 2006) and `width_ratio`;
#' * `sign_match` and `significance_match`: how often the posterior mean is on the
#'   same side of `null`, and whether both intervals exclude it or neither does
#'   (Barrientos et al. 2021);
#' * `seconds` for a fit.
#'
#' @inheritParams check_calibration
#' @param methods Methods to compare: names, or a list of `method_*()` values.
#' @param null The value that an effect is told from, named by variable. By default 0
#'   where a parameter can have either sign, else the prior mean.
#' @return An object of class `noiseaware_comparison`: a list with `trials` (a data
#'   frame with one row per cell, trial, method and variable), `cells` and
#'   `settings`. `summary()` and `tidy()` average over trials, `glance()` is one row.
#' @references Karr, Kohnen, Oganian, Reiter and Sanil (2006) A framework for
#'   evaluating the utility of data altered to protect confidentiality. *The American
#'   Statistician* 60, 224-232.
#' @references Barrientos, Williams, Snoke and Bowen (2021) A feasibility study of
#'   differentially private summary statistics and regression analyses with
#'   evaluations on administrative and survey data.
#'   <https://arxiv.org/abs/2110.12055>
#' @family evaluation
#' @examples
#' query <- query_tables(domain(smoker = dom_binary()), ~ smoker, "replace_one")
#' comparison <- compare_methods(query, ~ smoker, n = 100, trials = 20, iter = 500, seed = 1,
#'                               mechanism = list(mech_laplace(0.05), mech_laplace(0.5)))
#' comparison
#' plot(comparison)
#' @export
compare_methods <- function(query, formula = NULL, family = NULL, prior = NULL,
                            methods = c("exact", "naive"), n, mechanism, trials = 100, prob = 0.9,
                            null = NULL, chains = 4, iter = 2000, warmup = floor(iter / 2),
                            thin = 1, cores = getOption("mc.cores", 1L), data = NULL, seed = NULL,
                            file = NULL, refresh = NULL) {
  check_supplied(missing(query), "query")
  check_supplied(missing(n), "n")
  check_supplied(missing(mechanism), "mechanism")
  file <- check_study_path(file)
  run <- check_run(chains, iter, warmup, thin, cores, 0)
  methods <- check_methods(methods %||% c("exact", "naive"), "methods")
  study <- new_study("comparison", query, read_question(formula, family, prior, NULL), list(NULL),
                     n, mechanism, trials, run, data, prob, seed = study_seed(seed, file))
  study <- compare_in(study, methods, null)
  new_comparison(collect_trials(study, file, check_refresh(refresh)), study)
}

yardstick_name <- "non-private"

# Adds what is compared: methods by label, and the value to tell effects from.
compare_in <- function(study, methods, null) {
  task <- study$tasks[[1]]
  methods <- lapply(methods, choose_method, model = task$model)
  names(methods) <- make.unique(vapply(methods, `[[`, "", "name"), " ")
  study$compared <- methods
  study$all_methods <- c(yardstick_name, names(methods))
  study$null <- check_null(null, task$model, task$prior)
  study$more <- list(methods = methods, null = study$null)
  study$cells$label <- sub(", [^,]*$", "", study$cells$label)
  study$cells$method <- NULL
  study
}

new_comparison <- function(rows, study) {
  settings <- c(study_settings(study), list(null = study$null, methods = names(study$compared)))
  structure(list(trials = rows, cells = study$cells, settings = settings),
            class = "noiseaware_comparison")
}

#' @export
blank_rows.noiseaware_study_comparison <- function(study) {
  number <- numeric()
  text <- character()
  data.frame(
    cell = number, trial = number, method = text, variable = text, truth = number, mean = number,
    sd = number, lower = number, upper = number, covered = logical(), width = number, mmd = number,
    ks = number, wasserstein = number, overlap = number, width_ratio = number,
    sign_match = logical(), significance_match = logical(), squared_error = number,
    log_score = number, seconds = number, failure = text, message = text
  )
}

#' @export
run_trial.noiseaware_study_comparison <- function(study, cell, trial) {
  # All cells have the same truths and scaled noise: curves over epsilon are smooth.
  seeds <- trial_seeds(study$seed, 0, trial)
  task <- study$tasks[[cell]]
  case <- simulate_trial(task, study_scenario(study, cell), seeds)
  tally <- observe(tally_records(study$query, case$data))
  yardstick <- timed_fit(study, yardstick_task(task), tally, seeds$yardstick)
  rows <- lapply(names(study$compared), function(name) {
    task$method <- study$compared[[name]]
    rows <- guard_rows(study, {
      timed <- timed_fit(study, task, observe(case$release), seeds$draws)
      compare_fits(study, timed, yardstick$fit, case$truth)
    })
    rows$method <- rep(name, nrow(rows))
    rows
  })
  own <- compare_fits(study, yardstick, yardstick$fit, case$truth)
  do.call(rbind, lapply(c(list(yardstick_rows(own)), rows), match_rows, blank_rows(study)))
}

# Without noise the model's own choice of method is exact.
yardstick_task <- function(task) {
  task$method <- NULL
  task
}

timed_fit <- function(study, task, observation, seed) {
  start <- proc.time()[["elapsed"]]
  fit <- study_fit(study, task, observation, seed)
  list(fit = fit, seconds = proc.time()[["elapsed"]] - start)
}

compare_fits <- function(study, timed, yardstick, truth) {
  draws <- draws_matrix(timed$fit$draws)
  yard <- draws_matrix(yardstick$draws)
  rows <- lapply(colnames(draws), function(name) {
    data.frame(variable = name,
               compare_draws(draws[, name], yard[, name], truth[[name]], study$prob,
                             study$null[[name]], variable_range(timed$fit$model, name)),
               seconds = timed$seconds)
  })
  do.call(rbind, rows)
}

# The yardstick has no distance to itself.
yardstick_rows <- function(rows) {
  distances <- c("mmd", "ks", "wasserstein", "overlap", "width_ratio", "sign_match",
                 "significance_match")
  rows[distances] <- NA
  rows$method <- rep(yardstick_name, nrow(rows))
  rows
}

# The columns of `blank`, with NA for those that are not there.
match_rows <- function(rows, blank) {
  for (name in setdiff(names(blank), names(rows))) {
    rows[[name]] <- rep(blank[[name]][NA_integer_], nrow(rows))
  }
  rows[names(blank)]
}

# --- summaries ---------------------------------------------------------------------

#' @rdname compare_methods
#' @param object,x A comparison.
#' @param ... Unused.
#' @export
summary.noiseaware_comparison <- function(object, ...) {
  rows <- object$trials
  worked <- rows[is.na(rows$failure), ]
  if (nrow(worked) == 0) calibration_panels(list(trials = cbind(rows, u = NA_real_)))
  keys <- list(factor(worked$variable, object$settings$variables$variable),
               factor(worked$method, c(yardstick_name, object$settings$methods)), worked$cell)
  panels <- split(worked, keys, drop = TRUE)
  found <- do.call(rbind, lapply(panels, average_panel))
  found$failed <- mapply(function(cell, method) {
    sum(rows$cell == cell & rows$method %in% c(method, NA) & !is.na(rows$failure))
  }, found$cell, found$method)
  cells <- object$cells[match(found$cell, object$cells$cell), setdiff(names(object$cells), "cell")]
  data.frame(found["cell"], cells, found[names(found) != "cell"], row.names = NULL)
}

average_panel <- function(panel) {
  measures <- c("width", "mmd", "ks", "wasserstein", "overlap", "width_ratio", "sign_match",
                "significance_match", "log_score", "seconds")
  data.frame(panel[1, c("cell", "variable", "method")], covered_share(panel$covered),
             as.list(colMeans(panel[measures])), rmse = sqrt(mean(panel$squared_error)))
}

#' @rdname compare_methods
#' @export
tidy.noiseaware_comparison <- function(x, ...) summary(x)

#' @rdname compare_methods
#' @export
glance.noiseaware_comparison <- function(x, ...) {
  data.frame(cells = nrow(x$cells), methods = length(x$settings$methods),
             trials = x$settings$trials, prob = x$settings$prob,
             failed = sum(!is.na(x$trials$failure)), seed = x$settings$seed)
}

#' @rdname coverage
#' @export
coverage.noiseaware_comparison <- function(x, truth, prob = x$settings$prob, ...) {
  if (!missing(truth)) abort_input("A study knows its truths: leave {.arg truth} out.")
  if (!identical(as.double(prob), x$settings$prob)) {
    abort_input(c("The comparison recorded intervals of probability {x$settings$prob} only.",
                  "i" = "Leave {.arg prob} out, or run it again with another one."))
  }
  found <- summary(x)
  data.frame(found[c("cell", "method", "variable")], prob = x$settings$prob,
             found[c("trials", "coverage", "coverage_low", "coverage_high")])
}
