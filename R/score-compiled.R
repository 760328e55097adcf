# Calibration trials that are compiled end to end: one column, a public n, and a
# model whose samplers are in the core. The same streams are used in the same
# order as in R, so that a trial gives the same numbers either way.

# One row per trial and variable, with the columns of blank_rows(), or NULL if there
# is no such code. `work`: query, mechanism, n, prob, run, seed, cell, trials.
compiled_trials <- function(model, task, work) UseMethod("compiled_trials")

#' @export
compiled_trials.default <- function(model, task, work) NULL

#' @export
compiled_trials.noiseaware_model_counts <- function(model, task, work) {
  column <- work$query$columns[[model$column]]
  if (!is_compiled(model, work) || !has_levels(column)) return(NULL)
  study <- compiled_study(task, work, model$counts$statistic, task$method$name)
  study$problem <- count_problem(model, task$prior)
  study$binary <- length(model$levels) == 2
  study$unknown <- as.integer(column$missing_q)
  compiled_rows(model, work, count_trials_cpp(study, compiled_work(work)))
}

#' @export
compiled_trials.noiseaware_model_scalar <- function(model, task, work) {
  if (!is_compiled(model, work)) return(NULL)
  method <- if (uses_records(task)) "records" else task$method$name
  study <- compiled_study(task, work, model$sums$statistic, method)
  study$problem <- sum_problem(model, task$prior)
  compiled_rows(model, work, rate_trials_cpp(study, compiled_work(work)))
}

#' @export
compiled_trials.noiseaware_model_normal <- function(model, task, work) {
  if (!is_compiled(model, work)) return(NULL)
  method <- if (task$method$name == "exact") "records" else task$method$name
  study <- compiled_study(task, work, model$sums$statistic, method)
  study$problem <- sum_problem(model, task$prior)
  compiled_rows(model, work, normal_trials_cpp(study, compiled_work(work)))
}

# Third and fourth moments are added up in another way, which trials do not know.
is_compiled <- function(model, work) {
  plain <- length(work$query$columns) == 1 && (work$query$degree %||% 1) <= 2
  plain && model$size$status == "known"
}

# What does not change from trial to trial; see src/trials.cpp.
compiled_study <- function(task, work, statistics, method) {
  plan <- statistic_plan(work$query)
  noise <- calibrate_noise(work$mechanism, work$query)
  list(
    plan = core_plan(work$query),
    noise = list(name = work$mechanism$name, scales = noise$scales, steps = 2^-plan$grid_exp,
                 query = query_id(work$query)),
    place = match(statistics, plan$name, nomatch = 1) - 1,
    records = work$n, method = method, max_work = task$method$max_work %||% 0, run = work$run
  )
}

compiled_work <- function(work) {
  c(work[c("seed", "cell", "trials", "prob")], cores = work$run$cores)
}

compiled_rows <- function(model, work, found) {
  failed <- nzchar(found$message)
  data.frame(
    cell = as.double(work$cell), trial = found$trial,
    variable = model_variables(model)$variable[found$variable],
    found[c("truth", "u", "mean", "sd", "lower", "upper", "draws")],
    failure = ifelse(failed, "std::exception", NA_character_),
    message = ifelse(failed, found$message, NA_character_)
  )
}
