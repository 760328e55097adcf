# Prior, records, release: the whole way, through the pipeline that real records
# would take.

#' Simulate releases of a query
#'
#' With a formula, family or prior: draws parameters from the prior, records from
#' the model, and releases them. Without any of these: a **rehearsal release**,
#' whose records are uniform over the declared domain, so that analysts can write
#' and test their code before the real release exists.
#'
#' Releases are made by [release_insecure()], the pipeline of [release()] with
#' seeded noise, and are marked for ever. A rehearsal also says so in its title.
#' Columns of the query that the model does not use are missing in every simulated
#' record, and so become the public constant of the domain.
#'
#' @param object A query with a relation.
#' @param nsim Number of simulations.
#' @param seed A whole number; with the number of the simulation it determines
#'   everything. `NULL` takes one number from R's generator, which is not used
#'   otherwise.
#' @param formula,family,prior The model, as in [infer()].
#' @param n Number of records of each simulation.
#' @param mechanism [mech_laplace()] or [mech_gaussian()].
#' @param theta Parameters to use instead of draws from the prior, named by
#'   variable.
#' @param data A function of `theta` (named parameters) and `n` that returns a data
#'   frame of records: simulates from something else than the model.
#' @param ... Must be empty.
#' @return For a rehearsal, a release. Otherwise a list of class
#'   `noiseaware_simulation`: `truth` (a matrix, simulations x parameters), and the
#'   lists `data` and `release`, one member per simulation.
#' @family evaluation
#' @examples
#' query <- query_tables(domain(smoker = dom_binary()), ~ smoker, "replace_one")
#'
#' # Write the analysis before the data arrive:
#' rehearsal <- simulate(query, n = 500, mechanism = mech_laplace(0.5), seed = 1)
#' infer(rehearsal, ~ smoker, seed = 1)
#'
#' # Known truth:
#' sim <- simulate(query, nsim = 3, formula = ~ smoker, prior = prior_beta(2, 8), n = 500,
#'                 mechanism = mech_laplace(0.5), seed = 1)
#' sim
#' sim$release[[1]]
#' @importFrom stats simulate
#' @export
simulate.noiseaware_query <- function(object, nsim = 1, seed = NULL, formula = NULL, family = NULL,
                                      prior = NULL, n, mechanism, theta = NULL, data = NULL, ...) {
  check_no_more(...)
  check_supplied(missing(n), "n")
  check_request(object, mechanism)
  nsim <- check_whole(nsim, "nsim", 1, 1e6)
  n <- check_whole(n, "n", 1, most_simulated)
  seed <- take_seed(seed)
  modelled <- !(is.null(formula) && is.null(family) && is.null(prior) && is.null(theta) &&
                  is.null(data))
  if (!modelled) return(rehearse(object, nsim, n, mechanism, seed))
  task <- study_task(object, mechanism, n, read_question(formula, family, prior, NULL))
  scenario <- new_scenario(object, mechanism, n, check_generator(data))
  simulate_scenario(task, scenario, nsim, check_theta(theta, task$model), seed)
}

# The most records that fit in memory as one column of numbers (8 GiB).
most_simulated <- 2^30

check_generator <- function(data) {
  if (is.null(data)) return(NULL)
  if (!is.function(data) || length(formals(args(data))) < 2) {
    abort_argument("data", data, "a function of (theta, n) that returns records")
  }
  data
}

check_theta <- function(theta, model) {
  if (is.null(theta)) return(NULL)
  known <- model_variables(model)$variable
  valid <- is.numeric(theta) && !is.null(names(theta)) && setequal(names(theta), known) &&
    length(theta) == length(known)
  if (!valid) abort_argument("theta", theta, paste("one number for each of", list_some(known)))
  check_in_range(theta, model, "theta")[known]
}

check_in_range <- function(values, model, arg) {
  for (name in names(values)) {
    range <- variable_range(model, name)
    value <- values[[name]]
    if (!is.finite(value) || value < range[[1]] || value > range[[2]]) {
      abort_input(c("{.arg {arg}} must be possible parameters.",
                    "x" = "{.field {name}} cannot be {format_number(value)}.",
                    "i" = "It is between {range[[1]]} and {range[[2]]}."))
    }
  }
  values
}

# --- one trial ------------------------------------------------------------------

# Where releases come from, apart from parameters and seeds.
new_scenario <- function(query, mechanism, n, generator = NULL) {
  list(query = query, mechanism = mechanism, n = n, generator = generator)
}

# Seeds of what happens in a trial; the same for any worker and any order.
trial_seeds <- function(seed, cell, trial) {
  names <- c("prior", "records", "noise", "draws", "ties", "yardstick")
  stats::setNames(as.list(trial_seeds_cpp(seed, cell, trial, length(names))), names)
}

# Truth, records and release of one trial.
simulate_trial <- function(task, scenario, seeds, theta = NULL) {
  if (is.null(theta)) theta <- draw_prior(task$model, task$prior, 1, seeds$prior)[1, ]
  data <- scenario_records(task$model, scenario, theta, seeds$records)
  release <- release_insecure(scenario$query, data, scenario$mechanism, seeds$noise)
  list(truth = theta, data = data, release = release)
}

scenario_records <- function(model, scenario, theta, seed) {
  if (is.null(scenario$generator)) {
    return(complete_records(scenario$query, draw_records(model, t(theta), scenario$n, seed)))
  }
  made <- call_generator(scenario$generator, theta, scenario$n, seed)
  if (!is.data.frame(made) || nrow(made) != scenario$n || !model$column %in% names(made)) {
    abort_input(c("{.arg data} must return a data frame of {scenario$n} row{?s} with the column
                   {.field {model$column}}.",
                  "x" = "It returned {describe_value(made)}."))
  }
  complete_records(scenario$query, made)
}

# The user's function may use R's generator: it gets a state of its own, and the
# old one is put back.
call_generator <- function(generator, theta, n, seed) {
  home <- globalenv()
  old <- home$.Random.seed
  on.exit(if (is.null(old)) rm(".Random.seed", envir = home) else home$.Random.seed <- old)
  home$.Random.seed <- generator_state(seed)
  generator(theta, n)
}

# A state of R's default generators (Mersenne Twister, inversion, rejection), filled
# from a stream of the core.
generator_state <- function(seed) {
  words <- round((draw_uniforms_cpp(624, seed) - 0.5) * (2^32 - 2))
  c(10403L, 624L, as.integer(words))
}

simulate_scenario <- function(task, scenario, nsim, theta, seed) {
  trials <- lapply(seq_len(nsim), function(trial) {
    simulate_trial(task, scenario, trial_seeds(seed, 0, trial), theta)
  })
  structure(
    list(truth = do.call(rbind, lapply(trials, `[[`, "truth")),
         data = lapply(trials, `[[`, "data"), release = lapply(trials, `[[`, "release"),
         title = model_title(task$model),
         prior = if (is.null(theta)) prior_words(task$model, task$prior),
         n = scenario$n, mechanism = format(scenario$mechanism), seed = seed),
    class = "noiseaware_simulation"
  )
}

#' @export
print.noiseaware_simulation <- function(x, digits = 3, rows = 6, ...) {
  cat("<simulation> ", plural(length(x$release), "release"), " of ",
      plural(format_number(x$n), "record"), "\n", sep = "")
  cat(insecure_notice, "\n", sep = "")
  cat("  model:     ", x$title, "\n", sep = "")
  cat("  truth:     ", x$prior %||% "fixed", "\n", sep = "")
  cat("  mechanism: ", x$mechanism, "\n", sep = "")
  cat("  truth of the first simulations:\n")
  print(utils::head(as.data.frame(x$truth, row.names = NULL), rows), digits = digits)
  cat("$truth, $data and $release hold all of them.\n")
  invisible(x)
}

# --- rehearsal ------------------------------------------------------------------

rehearsal_title <- "REHEARSAL: made-up records, uniform over the domain. Nothing here is data."

rehearse <- function(query, nsim, n, mechanism, seed) {
  if (nsim != 1) {
    abort_input(c("A rehearsal is one release.", "x" = "You gave nsim = {nsim}.",
                  "i" = "Give a {.arg formula} to simulate from a model."))
  }
  seeds <- trial_seeds(seed, 0, 1)
  release <- release_insecure(query, uniform_records(query, n, seeds$records), mechanism,
                              seeds$noise)
  release$about <- check_about(list(title = rehearsal_title))
  release
}

# Every column uniform over its bounds or levels, independent of the others.
uniform_records <- function(query, n, seed) {
  stored <- stored_columns(query)
  uniforms <- matrix(draw_uniforms_cpp(n * length(stored), seed), n)
  columns <- Map(function(column, k) uniform_column(column, uniforms[, k]), stored,
                 seq_along(stored))
  complete_records(query, columns, n)
}

uniform_column <- function(column, u) {
  if (has_levels(column)) return(column$levels[ceiling(u * length(column$levels))])
  lower <- column_lower(column)
  upper <- column_upper(column)
  if (column$type == "real") return(lower + u * (upper - lower))
  lower + floor(u * (upper - lower + 1))
}
