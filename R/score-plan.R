# Before any data: how much would an analyst learn?

#' Plan a release
#'
#' What would a release tell, before there is one and before there are data? For a
#' query, a number of records and a grid of budgets: the expected width and coverage
#' of posterior intervals, next to what they would be without privacy noise, and the
#' epsilon that is needed for a target.
#'
#' Parameters are drawn from the prior, or set to a guess. Given them, the *released
#' statistics* are simulated, not the records, so that planning for a million records
#' takes no longer than for a hundred. Every line of the table uses the same random
#' numbers, so that lines differ by the budget and not by chance. The epsilon for a
#' target is found by bisection on its logarithm and rounded up to two digits.
#'
#' @inheritParams check_calibration
#' @param n Numbers of records to plan for.
#' @param epsilon,delta Budgets to look at: [mech_laplace()] of each `epsilon`, or
#'   [mech_gaussian()] if `delta` is given.
#' @param mechanism A list of mechanisms to look at, instead of `epsilon`.
#' @param method As in [infer()]; by default the model's preferred one.
#' @param width A target: the expected width of the interval is to be at most this.
#' @param power A target: the interval is to exclude `null` with at least this
#'   probability. Needs `guess` or `effect`.
#' @param guess Parameters to plan for, named by variable, instead of draws from the
#'   prior; those not named are drawn. With a guess, the coverage shown is that at
#'   the guess, which need not be `prob`.
#' @param effect Short for a guess of `variable`: its distance from `null`.
#' @param null The value that the interval should exclude. By default 0 if the
#'   parameter can have either sign, else the prior mean.
#' @param variable The parameter that the target is about; by default the first.
#' @param trials Number of simulated releases per line.
#' @return An object of class `noiseaware_plan`: a list with `table` (a data frame with
#'   one row per n, mechanism and variable), `floor` (the same without noise), `needed`
#'   (the epsilon for the target, per n), `sentence` and `settings`. `summary()` and
#'   `tidy()` give the table.
#' @family evaluation
#' @seealso [cost()] for the noise of each statistic, [check_calibration()] to see
#'   whether intervals can be trusted.
#' @examples
#' query <- query_tables(domain(smoker = dom_binary()), ~ smoker, "replace_one")
#' plan <- plan_release(query, n = 1000, ~ smoker, guess = c(theta = 0.2), width = 0.06,
#'                      epsilon = c(0.03, 0.1, 0.3, 1), trials = 20, seed = 1)
#' plan
#' plot(plan)
#' @export
plan_release <- function(query, n, formula = NULL, family = NULL, prior = NULL,
                         epsilon = c(0.01, 0.03, 0.1, 0.3, 1, 3), delta = NULL, mechanism = NULL,
                         width = NULL, power = NULL, guess = NULL, effect = NULL, null = NULL,
                         variable = NULL, prob = 0.9, method = NULL, trials = 100, chains = 2,
                         iter = 1000, warmup = floor(iter / 2), thin = 1,
                         cores = getOption("mc.cores", 1L), seed = NULL, refresh = NULL) {
  check_supplied(missing(query), "query")
  check_supplied(missing(n), "n")
  budget <- check_budget(epsilon, delta, mechanism, missing(epsilon) || is.null(epsilon))
  run <- check_run(chains, iter, warmup, thin, cores, 0)
  question <- read_question(formula, family, prior, method)
  plan <- new_plan(query, check_sizes(n, 2^53), question, budget, run, check_prob(prob), trials,
                   take_seed(seed))
  plan <- aim_plan(plan, variable, null, guess, effect, width, power)
  finish_plan(plan, check_refresh(refresh))
}

# Mechanisms to look at, and how to make one from an epsilon where that can be done.
check_budget <- function(epsilon, delta, mechanism, default) {
  if (!is.null(mechanism)) {
    if (!default || !is.null(delta)) {
      abort_input("Give either {.arg mechanism}, or {.arg epsilon} and {.arg delta}, not both.")
    }
    return(list(mechanisms = check_mechanisms(mechanism), searchable = FALSE))
  }
  valid <- is.numeric(epsilon) && length(epsilon) > 0 && all(is.finite(epsilon)) &&
    all(epsilon > 0) && !anyDuplicated(epsilon)
  if (!valid) abort_argument("epsilon", epsilon, "distinct positive numbers")
  if (!is.null(delta)) delta <- check_delta(delta)
  list(mechanisms = lapply(sort(epsilon), budget_mechanism, delta), delta = delta,
       searchable = TRUE)
}

budget_mechanism <- function(epsilon, delta) {
  if (is.null(delta)) mech_laplace(epsilon) else mech_gaussian(epsilon, delta)
}

new_plan <- function(query, n, question, budget, run, prob, trials, seed) {
  check_class(query, "query", "noiseaware_query", "query_moments")
  require_relation(query)
  task <- study_task(query, budget$mechanisms[[1]], n[[1]], question)
  trials <- check_whole(trials, "trials", 2, 1e6)
  list(query = query, n = n, question = question, budget = budget, run = run, prob = prob,
       seed = seed, task = task, theta = draw_prior(task$model, task$prior, trials, seed))
}

# --- target ----------------------------------------------------------------------

aim_plan <- function(plan, variable, null, guess, effect, width, power) {
  model <- plan$task$model
  known <- model_variables(model)$variable
  plan$variable <- choose_variables(known, variable %||% known[[1]])
  if (length(plan$variable) != 1) abort_argument("variable", variable, "the name of one parameter")
  if (is_number(null) && is.null(names(null))) names(null) <- plan$variable
  plan$null <- check_null(null, model, plan$task$prior)
  plan$guess <- check_guess(guess, effect, plan)
  if (!is.null(plan$guess)) plan$theta <- place_guess(model, plan$theta, plan$guess)
  plan$target <- check_target(width, power, plan)
  plan
}

check_guess <- function(guess, effect, plan) {
  if (!is.null(guess) && !is.null(effect)) {
    abort_input("Give either {.arg guess} or {.arg effect}, not both.")
  }
  if (!is.null(effect)) {
    guess <- plan$null[[plan$variable]] + check_number(effect, "effect")
    names(guess) <- plan$variable
  }
  if (is.null(guess)) return(NULL)
  model <- plan$task$model
  known <- model_variables(model)$variable
  if (is_number(guess) && is.null(names(guess)) && length(known) == 1) names(guess) <- known
  valid <- is.numeric(guess) && length(guess) > 0 && !is.null(names(guess)) &&
    all(names(guess) %in% known) && !anyDuplicated(names(guess))
  if (!valid) abort_argument("guess", guess, paste("numbers named by", list_some(known)))
  check_in_range(guess, model, if (is.null(effect)) "guess" else "effect")
}

# NULL, or what is to be reached: measure, value, and whether less is better.
check_target <- function(width, power, plan) {
  if (is.null(width) && is.null(power)) return(NULL)
  if (!is.null(width) && !is.null(power)) {
    abort_input("Give either {.arg width} or {.arg power} as a target, not both.")
  }
  if (!plan$budget$searchable) {
    abort_input(c("A target needs a search over epsilon.",
                  "i" = "Give {.arg epsilon} (and {.arg delta}) instead of {.arg mechanism}."))
  }
  if (!is.null(width)) {
    return(list(measure = "width", value = check_number(width, "width", 0, open = TRUE)))
  }
  power <- check_number(power, "power", 0, 1, open = TRUE)
  if (!plan$variable %in% names(plan$guess)) {
    abort_input(c("A target of {.arg power} needs an {.arg effect}, or a {.arg guess} of
                   {.field {plan$variable}}.",
                  "i" = "The null is {format_number(plan$null[[plan$variable]])}."))
  }
  list(measure = "power", value = power)
}

meets_target <- function(target, value) {
  if (is.na(value)) return(FALSE)
  if (target$measure == "width") value <= target$value else value >= target$value
}

# --- simulation --------------------------------------------------------------------

# The expected usefulness of one budget at one n, per variable. Without a mechanism:
# that of exact statistics.
plan_line <- function(plan, n, mechanism) {
  task <- study_task(plan$query, mechanism, n, plan$question)
  rows <- map_trials(seq_len(nrow(plan$theta)), function(trial) {
    tryCatch(plan_trial(plan, task, n, trial), error = function(e) class(e)[[1]])
  })
  failed <- vapply(rows, is.character, NA)
  if (all(failed)) {
    stop_planning(plan_trial(plan, task, n, 1))
  }
  rows <- do.call(rbind, rows[!failed])
  lines <- lapply(split(rows, factor(rows$variable, names(plan$null))), plan_summary, plan = plan)
  epsilon <- if (is.null(mechanism)) Inf else stated_epsilon(mechanism)
  data.frame(n = n, mechanism = if (is.null(mechanism)) "none" else format(mechanism),
             epsilon = epsilon, do.call(rbind, lines), failed = sum(failed), row.names = NULL)
}

# If nothing works, the first error is the answer.
stop_planning <- function(expr) expr

plan_trial <- function(plan, task, n, trial) {
  seeds <- trial_seeds(plan$seed, 1, trial)
  theta <- plan$theta[trial, , drop = FALSE]
  observation <- replicate_observation(task, theta, n, seeds$noise)
  fit <- study_fit(plan, task, observation, seeds$draws)
  ends <- interval_ends(draws_matrix(fit$draws), plan$prob)
  data.frame(variable = colnames(theta), truth = theta[1, ], lower = ends[, 1], upper = ends[, 2],
             sd = fit$moments$sd, row.names = NULL)
}

# The blank observation of the task with statistics of simulated records in it.
replicate_observation <- function(task, theta, n, seed) {
  observation <- task$observation
  latent <- matrix(n, 1, 1, dimnames = list(NULL, "n"))
  drawn <- replicate_release(task$model, theta, latent, seed)[1, ]
  at <- match(names(drawn), observation$statistics$name)
  observation$statistics$value[at[!is.na(at)]] <- drawn[!is.na(at)]
  if (anyNA(at)) {
    # n is told by the sum of a table: one cell carries it, the others are empty.
    parts <- match(task$model$size$statistics, observation$statistics$name)
    observation$statistics$value[parts] <- c(drawn[["n"]], rep(0, length(parts) - 1))
  }
  observation
}

plan_summary <- function(rows, plan) {
  width <- rows$upper - rows$lower
  ends <- stats::quantile(width, c(0.1, 0.9), names = FALSE)
  null <- plan$null[[rows$variable[[1]]]]
  covered <- covered_share(rows$lower <= rows$truth & rows$truth <= rows$upper)
  data.frame(variable = rows$variable[[1]], width = mean(width), width_low = ends[[1]],
             width_high = ends[[2]], sd = mean(rows$sd), covered["coverage"],
             covered["coverage_low"], covered["coverage_high"],
             power = mean(rows$lower > null | rows$upper < null), trials = nrow(rows))
}

# --- all lines -----------------------------------------------------------------------

finish_plan <- function(plan, refresh) {
  report <- progress_reporter("Planning", refresh)
  cells <- expand.grid(mechanism = seq_along(plan$budget$mechanisms), n = plan$n)
  searches <- if (is.null(plan$target)) 0 else 10 * length(plan$n)
  total <- nrow(cells) + length(plan$n) + searches
  done <- 0
  line <- function(n, mechanism) {
    found <- plan_line(plan, n, mechanism)
    done <<- done + 1
    if (!is.null(report)) report(min(done, total - 1), total)
    found
  }
  floor <- do.call(rbind, lapply(plan$n, line, mechanism = NULL))
  table <- Map(function(n, m) line(n, plan$budget$mechanisms[[m]]), cells$n, cells$mechanism)
  found <- search_plan(plan, do.call(rbind, table), floor, line)
  if (!is.null(report)) report(total, total)
  assemble_plan(plan, found$table, floor, found$needed)
}

assemble_plan <- function(plan, table, floor, needed) {
  table <- table[order(table$n, table$epsilon, match(table$variable, names(plan$null))), ]
  row.names(table) <- NULL
  table$width_ratio <- table$width / floor$width[match(paste(table$n, table$variable),
                                                       paste(floor$n, floor$variable))]
  model <- plan$task$model
  settings <- list(
    title = model_title(model), variables = model_variables(model), variable = plan$variable,
    query = query_title(plan$query), relation = plan$query$relation,
    prior = prior_words(model, plan$task$prior), prior_width = prior_widths(plan),
    guess = plan$guess, null = plan$null, target = plan$target, prob = plan$prob,
    delta = plan$budget$delta, trials = nrow(plan$theta), seed = plan$seed,
    method = plan$task$method$name, run = run_record(plan$run)
  )
  plan <- list(table = table, floor = floor, needed = needed, settings = settings)
  plan$sentence <- plan_sentences(plan)
  structure(plan, class = "noiseaware_plan")
}

# Widths of the intervals of the prior: what is known without any release.
prior_widths <- function(plan) {
  model <- plan$task$model
  vapply(names(plan$null), function(name) {
    diff(prior_quantile(model, plan$task$prior, name, central_ends(plan$prob)))
  }, 0)
}
