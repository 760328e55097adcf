# Running the trials of a study: compiled where there is code for it, else in R,
# in parallel over the workers of a future plan if one is set. A trial has random
# numbers of its own, so that none of this changes a result.

# One trial: a data frame, rows as in blank_rows(study) without cell and trial.
run_trial <- function(study, cell, trial) UseMethod("run_trial")

# The columns of a study's results, as a data frame without rows.
blank_rows <- function(study) UseMethod("blank_rows")

# Results of all trials, in order. Those in `file` are not run again.
collect_trials <- function(study, file, refresh) {
  store <- open_study_file(study, file)
  todo <- trials_to_do(study, store$rows)
  report <- progress_reporter("Trials", refresh)
  total <- nrow(study$cells) * study$trials
  done <- total - nrow(todo)
  found <- list(store$rows)
  run_trials(study, todo, function(rows) {
    append_trials(store, rows)
    found[[length(found) + 1]] <<- rows
    done <<- done + nrow(unique(rows[c("cell", "trial")]))
    if (!is.null(report)) report(done, total)
  })
  sort_trials(do.call(rbind, found), study)
}

sort_trials <- function(rows, study) {
  variables <- model_variables(study$tasks[[1]]$model)$variable
  keys <- list(rows$cell, rows$trial, match(rows$method %||% "", study$all_methods),
               match(rows$variable, variables))
  keys <- keys[lengths(keys) == nrow(rows)]
  rows <- rows[do.call(order, keys), ]
  row.names(rows) <- NULL
  rows
}

# All trials of the grid that have no result yet, a chunk of every cell at a time:
# time left can be told early, and a study that was stopped has something of every
# cell.
trials_to_do <- function(study, rows) {
  todo <- expand.grid(trial = seq_len(study$trials), cell = study$cells$cell)
  todo$chunk <- (todo$trial - 1) %/% chunk_size()
  finished <- paste(todo$cell, todo$trial) %in% paste(rows$cell, rows$trial)
  todo <- todo[!finished, ]
  todo[order(todo$chunk, todo$cell, todo$trial), ]
}

chunk_size <- function() max(50, 8 * study_workers())

# Runs the trials of `todo` (cell, trial, chunk) and hands their rows to `keep()`,
# a chunk or a trial at a time.
run_trials <- function(study, todo, keep) {
  for (chunk in split(todo, list(todo$chunk, todo$cell), drop = TRUE, lex.order = TRUE)) {
    cell <- chunk$cell[[1]]
    rows <- if (is.null(study$generator)) run_compiled(study, cell, chunk$trial)
    if (!is.null(rows)) keep(rows) else run_in_r(study, cell, chunk$trial, keep)
  }
}

# Trials that are compiled end to end, or NULL where there is no such code; see
# compiled_trials(). Only calibration trials have compiled forms.
run_compiled <- function(study, cell, trials) {
  if (!inherits(study, "noiseaware_study_calibration")) return(NULL)
  scenario <- study_scenario(study, cell)
  task <- study$tasks[[cell]]
  compiled_trials(task$model, task, list(
    query = study$query, mechanism = scenario$mechanism, n = scenario$n, prob = study$prob,
    run = study$run, seed = study$seed, cell = as.double(cell), trials = as.double(trials)
  ))
}

# --- in R ------------------------------------------------------------------------

run_in_r <- function(study, cell, trials, keep) {
  one <- function(trial) guard_trial(study, cell, trial)
  if (study_workers() > 1) return(keep(do.call(rbind, map_trials(trials, one))))
  for (trial in trials) keep(one(trial))
}

# lapply() over the workers there are. Trials bring their own random numbers.
map_trials <- function(trials, one) {
  if (study_workers() == 1) return(lapply(trials, one))
  future.apply::future_lapply(trials, one, future.packages = "noiseaware", future.seed = FALSE)
}

# Workers of the plan the user has set, if package future is in use at all.
study_workers <- function() {
  if (!isNamespaceLoaded("future") || inherits(future::plan(), "sequential")) return(1)
  rlang::check_installed("future.apply", "to run trials in parallel by a future plan.")
  future::nbrOfWorkers()
}

# A trial that fails is a result, too: one row with the class of the error.
guard_trial <- function(study, cell, trial) {
  rows <- guard_rows(study, run_trial(study, cell, trial))
  rows$cell <- rep(as.double(cell), nrow(rows))
  rows$trial <- rep(as.double(trial), nrow(rows))
  row.names(rows) <- NULL
  rows[names(blank_rows(study))]
}

# The rows of `expr`, or one empty row that says what went wrong.
guard_rows <- function(study, expr) {
  tryCatch({
    rows <- expr
    rows$failure <- rows$failure %||% rep(NA_character_, nrow(rows))
    rows$message <- rows$message %||% rep(NA_character_, nrow(rows))
    rows
  }, error = function(e) {
    rows <- blank_rows(study)[NA_integer_, ]
    rows$failure <- class(e)[[1]]
    rows$message <- cli::ansi_strip(conditionMessage(e))
    rows
  })
}
