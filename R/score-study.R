# A study is a grid of cells (n, mechanism, method) times trials. Everything is
# checked, and every model built, before the first trial is run.

# `kind` is the class that run_trial() is dispatched on; `...` is its own business.
new_study <- function(kind, query, question, methods, n, mechanism, trials, run, generator, prob,
                      seed, ...) {
  check_class(query, "query", "noiseaware_query", "query_moments")
  require_relation(query)
  mechanisms <- check_mechanisms(mechanism)
  grid <- expand.grid(n = check_sizes(n), mechanism = seq_along(mechanisms),
                      method = seq_along(methods))
  tasks <- Map(function(n, mechanism, method) {
    question$method <- methods[[method]]
    study_task(query, mechanisms[[mechanism]], n, question)
  }, grid$n, grid$mechanism, grid$method)
  study <- list(query = query, question = question, tasks = tasks, mechanisms = mechanisms,
                grid = grid, cells = describe_cells(grid, mechanisms, tasks),
                trials = check_whole(trials, "trials", 1, 1e7), run = run,
                generator = check_generator(generator), prob = check_prob(prob), seed = seed, ...)
  study <- structure(study, class = c(paste0("noiseaware_study_", kind), "noiseaware_study"))
  rehearse_generator(study)
  study
}

# Only studies that simulate records need to hold them.
check_sizes <- function(n, most = most_simulated) {
  valid <- is.numeric(n) && length(n) > 0 && is.null(dim(n)) && !anyNA(n)
  if (!valid) abort_argument("n", n, "one or more numbers of records")
  for (one in n) check_whole(one, "n", 1, most)
  if (anyDuplicated(n)) abort_input("{.arg n} must not name a number of records twice.")
  as.double(n)
}

check_mechanisms <- function(mechanism) {
  if (inherits(mechanism, "noiseaware_mech")) mechanism <- list(mechanism)
  valid <- is.list(mechanism) && length(mechanism) > 0 &&
    all(vapply(mechanism, inherits, NA, "noiseaware_mech"))
  if (!valid) {
    abort_argument("mechanism", mechanism, "made by mech_laplace() or mech_gaussian(), or a list
                   of those")
  }
  unname(mechanism)
}

# One method, several by name, or a list; NULL is the model's own choice.
check_methods <- function(method, arg = "method") {
  if (is.null(method)) return(list(NULL))
  if (inherits(method, "noiseaware_method")) return(list(method))
  given <- method
  if (is.character(method)) method <- as.list(method)
  fits <- function(one) {
    inherits(one, "noiseaware_method") ||
      (is.character(one) && length(one) == 1 && one %in% names(method_registry()))
  }
  if (!is.list(method) || length(method) == 0 || !all(vapply(method, fits, NA))) {
    known <- paste0("\"", names(method_registry()), "\"", collapse = ", ")
    abort_argument(arg, given, paste("some of", known, "or made by method_*() functions"))
  }
  unname(method)
}

# One row per cell, for tables and labels.
describe_cells <- function(grid, mechanisms, tasks) {
  method <- vapply(tasks, function(task) task$method$name, "")
  loss <- vapply(mechanisms, loss_words, "")[grid$mechanism]
  label <- paste0("n = ", format_number(grid$n), ", ", loss, ", ", method)
  data.frame(cell = seq_along(tasks), n = grid$n,
             mechanism = vapply(mechanisms, format, "")[grid$mechanism],
             epsilon = vapply(mechanisms, stated_epsilon, 0)[grid$mechanism],
             method = method, label = make.unique(label, " / "))
}

loss_words <- function(mechanism) sub("^discrete [A-Za-z]+, ", "", format(mechanism))

# NA where the budget is not given in epsilon.
stated_epsilon <- function(mechanism) {
  if (is.null(mechanism$epsilon_units)) NA_real_ else mech_epsilon(mechanism)
}

study_scenario <- function(study, cell) {
  new_scenario(study$query, study$mechanisms[[study$grid$mechanism[[cell]]]],
               study$grid$n[[cell]], study$generator)
}

# A fit inside a trial: no warnings, which would be about one trial of many.
study_fit <- function(study, task, observation, seed) {
  request <- study$question
  request$method <- task$method
  request$run <- study$run
  request$seed <- seed
  infer_one(observation, request)
}

# A generator that does not work at all should not fail in every trial.
rehearse_generator <- function(study) {
  if (is.null(study$generator)) return()
  simulate_trial(study$tasks[[1]], study_scenario(study, 1), trial_seeds(study$seed, 0, 0))
}

# What the result remembers of the study, in words and numbers.
study_settings <- function(study) {
  task <- study$tasks[[1]]
  list(
    title = model_title(task$model), formula = task$formula,
    prior = prior_words(task$model, task$prior), variables = model_variables(task$model),
    query = query_title(study$query), query_id = query_id(study$query),
    relation = study$query$relation, trials = study$trials, prob = study$prob, seed = study$seed,
    run = run_record(study$run), generated = !is.null(study$generator)
  )
}
