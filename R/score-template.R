# A study needs the model before there is a release. Everything about a release
# except its values is public in advance: the query, the mechanism and n.

# What a model would see of a release of `n` records, with placeholder values:
# those of records that are missing in every cell. Without a mechanism there is
# no noise, as in the non-private yardstick.
blank_observation <- function(query, mechanism, n) {
  seen <- observe(tally_records(query, complete_records(query, NULL, 1)))
  seen$statistics$value <- n * seen$statistics$value
  seen$n <- n
  if (is.null(mechanism)) return(seen)
  plan <- statistic_plan(query)
  step <- 2^-plan$grid_exp
  at <- match(plan$name, seen$statistics$name)
  value <- ifelse(plan$name == "n", n, seen$statistics$value[at])
  seen$statistics <- data.frame(name = plan$name, value = value, noise = mechanism$name,
                                scale = as.numeric(calibrate_noise(mechanism, query)$scales) * step,
                                grid = step)
  if (query$relation == "add_remove") seen["n"] <- list(NULL)
  seen$origin <- "noiseaware"
  seen$secure <- FALSE
  seen$privacy <- list(text = "simulated")
  seen
}

# Records of the query's columns, from which derived ones follow. Columns that are
# not in `data` are missing in every row, which a query maps to a public constant: no
# record is left out.
complete_records <- function(query, data, n = nrow(data)) {
  columns <- lapply(stored_columns(query), function(column) {
    values <- data[[column$name]]
    if (is.null(values)) return(if (has_levels(column)) rep(NA_character_, n) else rep(NA_real_, n))
    if (has_levels(column) || is.numeric(values)) values else as.numeric(values)
  })
  structure(columns, class = "data.frame", row.names = .set_row_names(n))
}

has_levels <- function(column) column$type %in% c("binary", "levels")

# The model, prior and method of a study, with everything the user gave checked.
study_task <- function(query, mechanism, n, question) {
  observation <- blank_observation(query, mechanism, n)
  formula <- read_formula(question$formula, observation)
  model <- find_model(formula, question$family, observation)
  check_simulated(model, query)
  prior <- check_prior(model, question$prior %||% default_prior(model))
  task <- new_task(model, prior, choose_method(model, question$method))
  task$formula <- formula$text
  task$observation <- observation
  task
}

# A model gives the distribution of its column, not of what that is computed from.
check_simulated <- function(model, query) {
  derived <- Filter(is_derived, query$columns[model$column])
  if (length(derived) == 0) return()
  abort_model(c("A model of a derived column cannot be simulated.",
                "x" = "{.field {names(derived)}} is computed from other columns.",
                "i" = "Declare it as a column of its own for a study."))
}

# What infer() is asked, read once. The formula may be absent, as in infer().
read_question <- function(formula, family, prior, method) {
  if (!is.null(formula) && !inherits(formula, "formula")) {
    abort_argument("formula", formula, "a formula such as ~ x or y ~ x1 + x2")
  }
  list(formula = formula, family = read_family(family), prior = prior, method = method)
}
