# Models of one numeric column from its sums: exponential and Poisson (one sum),
# normal (the sum and the sum of squares). What was summed are records mapped into
# the declared bounds, and the model says so: a record below `lower` became `below`,
# one above `upper` became `above`.

#' @export
build_model.noiseaware_model_sums <- function(prototype, formula, observation) {
  column <- single_column(formula, observation)
  check_numeric_column(column, prototype)
  check_support(prototype, column)
  centre <- observation$centre[[column$name]]
  model <- new_model(
    prototype, column = column$name, lower = column$lower, upper = column$upper, centre = centre,
    outside = observation$outside %||% "clamp", size = observed_size(observation),
    sums = released_sums(prototype, column, observation)
  )
  model$map <- record_map(model)
  check_sums_sized(model, observation)
  model$sums <- smooth_grids(model, model$sums)
  check_exact_sums(model)
  model
}

check_numeric_column <- function(column, prototype) {
  if (is.null(column$levels)) return()
  family <- if (length(column$levels) == 2) "bernoulli" else "categorical"
  abort_model(c("{.field {column$name}} is not a number: it has {length(column$levels)} levels.",
                "x" = "Family {.val {prototype$name}} is for numbers.",
                "i" = "Use {.code family = \"{family}\"}."))
}

# Which bounds a family can have.
check_support <- function(prototype, column) UseMethod("check_support")

#' @export
check_support.noiseaware_model_normal <- function(prototype, column) invisible()

#' @export
check_support.noiseaware_model_scalar <- function(prototype, column) {
  if (column$upper > max(column$lower, 0)) return(invisible())
  abort_model(c("{.field {column$name}} must be able to exceed 0 for family
                 {.val {prototype$name}}.",
                "x" = "Its upper bound is {format_number(column$upper)}."))
}

# Records are whole numbers, and so must be what they are clamped to.
#' @export
check_support.noiseaware_model_poisson <- function(prototype, column) {
  NextMethod()
  if (is_whole(column$lower) && is_whole(column$upper)) return(invisible())
  abort_model(c("The bounds of {.field {column$name}} must be whole numbers for family
                 {.val poisson}.",
                "x" = "They are {bounds_text(column)}.",
                "i" = "Declare the column with {.fn dom_count}, or use
                       {.code family = \"normal\"}."))
}

# Rates have records of at least 0, so that a lower bound below it cuts nothing.
record_map <- function(model) {
  lower <- if (inherits(model, "noiseaware_model_scalar")) max(model$lower, 0) else model$lower
  ends <- if (model$outside == "redact") rep(model$centre, 2) else c(lower, model$upper)
  list(lower = lower, upper = model$upper, below = ends[[1]], above = ends[[2]])
}

# --- the released sums ---------------------------------------------------------

# One row per statistic of the model: value, noise and its grid.
released_sums <- function(prototype, column, observation) {
  names <- paste0("sum(", column$name, ")")
  if (prototype$name == "normal") names[[2]] <- paste0("sum(", column$name, "*", column$name, ")")
  rows <- observation$statistics[match(names, observation$statistics$name), ]
  absent <- names[is.na(rows$name)]
  if (length(absent) > 0) abort_sum_absent(absent[[1]], names, observation)
  data.frame(statistic = names, value = rows$value, noise = rows$noise, scale = rows$scale,
             grid = rows$grid, terms = 1L, released = TRUE, censored = FALSE, row.names = NULL)
}

abort_sum_absent <- function(absent, needed, observation) {
  released <- list_some(observation$statistics$name)
  square <- length(needed) == 2 && absent == needed[[2]]
  abort_model(c("{.field {absent}} was not released.",
                "i" = "Released were: {released}.",
                "i" = if (square) "A normal model needs the sum of squares, too: a query with
                       {.code degree = 2}."))
}

check_sums_sized <- function(model, observation) {
  if (model$size$status == "unknown") {
    abort_model(c("The number of records is neither public nor released.",
                  "x" = "A sum of {.field {model$column}} does not tell it.",
                  "i" = "Released were: {list_some(observation$statistics$name)}.",
                  "i" = "Ask for a release with the statistic {.val n}, or give {.arg n} to
                         {.fn as_release}."))
  }
  if (model$size$status == "known" && model$size$value < 1) {
    abort_model(c("There are no records in the release.", "x" = "n is 0."))
  }
}

# Noise on a grid finer than a hundredth of its scale cannot be told from
# continuous noise. A coarser grid needs sums that are whole numbers.
fine_grid <- 0.01

smooth_grids <- function(model, sums) {
  fine <- sums$grid <= fine_grid * sums$scale
  sums$grid[fine] <- 0
  if (all(fine)) return(sums)
  coarse <- sums[!fine, ][1, ]
  if (model$name == "poisson") {
    if (is_whole(1 / coarse$grid)) return(sums)
    abort_model(c("Noise on sums of whole numbers must have a grid that divides 1.",
                  "x" = "The grid of {.field {coarse$statistic}} is {format_number(coarse$grid)}."))
  }
  abort_model(c("Noise on sums of {.field {model$column}} must be nearly continuous for family
                 {.val {model$name}}.",
                "x" = "{.field {coarse$statistic}} has a grid of {format_number(coarse$grid)} and a
                       scale of {format_number(coarse$scale)}.",
                "i" = "The grid may be at most a hundredth of the scale."))
}

has_no_noise <- function(model) {
  model$size$status == "known" && all(model$sums$noise == "none")
}

# Some statistics exact and others noisy: only the central limit handles that.
is_half_exact <- function(model) any(model$sums$noise == "none") && !has_no_noise(model)

check_exact_sums <- function(model) {
  if (!has_no_noise(model)) return()
  n <- model$size$value
  ends <- n * (c(model$lower, model$upper) - model$centre)
  slack <- 1e-9 * n * (model$upper - model$lower)
  value <- model$sums$value
  possible <- value[[1]] >= ends[[1]] - slack && value[[1]] <= ends[[2]] + slack
  if (length(value) == 2) {
    reach <- max(abs(ends)) / n
    slack <- 1e-9 * n * reach^2
    possible <- possible && value[[2]] >= value[[1]]^2 / n - slack &&
      value[[2]] <= n * reach^2 + slack
  }
  if (!possible) {
    abort_model(c("A sum of {.field {model$column}} without noise is not a sum of records.",
                  "i" = "Records lie in {bounds_text(model)}; check the values, {.arg n} and
                         {.arg centre}."))
  }
}

# --- in words --------------------------------------------------------------------

bounds_text <- function(x) {
  paste0("[", format_number(x$lower), ", ", format_number(x$upper), "]")
}

#' @export
model_variables.noiseaware_model_exponential <- function(model) {
  data.frame(variable = "rate", label = paste0("1 / mean of ", model$column))
}

#' @export
model_variables.noiseaware_model_poisson <- function(model) {
  data.frame(variable = "rate", label = paste0("mean of ", model$column))
}

#' @export
model_variables.noiseaware_model_normal <- function(model) {
  data.frame(variable = c("mean", "sd"), label = paste0(c("mean of ", "sd of "), model$column))
}

#' @export
model_title.noiseaware_model_sums <- function(model) {
  name <- if (model$name == "poisson") "Poisson" else model$name
  paste0(name, " model of ", model$column, " in ", bounds_text(model))
}

#' @export
model_size.noiseaware_model_sums <- function(model) {
  if (model$size$status == "known") model$size$value else NA_real_
}

#' @export
release_words.noiseaware_model_sums <- function(model) {
  about <- if (model$centre != 0) paste0(" (about ", format_number(model$centre), ")") else ""
  values <- paste0(model$sums$statistic, " = ", format_number(model$sums$value))
  paste0(paste(values, collapse = ", "), about, ", ", sums_noise_words(model$sums))
}

# "Laplace noise, sd 3 and 5", or one by one where the kinds differ.
sums_noise_words <- function(sums) {
  each <- describe_noise(sums$noise, sums$scale)
  if (length(unique(sums$noise)) > 1) return(paste(each, collapse = " and "))
  numbers <- unique(sub("^.* sd ", "", each))
  if (length(numbers) == 1) each[[1]] else paste(each[[1]], "and", numbers[[2]])
}

#' @export
model_statistics.noiseaware_model_sums <- function(model) model$sums

#' @export
model_assumptions.noiseaware_model_sums <- function(model, observation, method = NULL, ...) {
  column <- observation$columns[[model$column]]
  shape <- if (model$name == "poisson") "Poisson" else model$name
  c(
    paste0("records are independent, ", model$column, " is ", shape),
    outside_words(model, method),
    other_redaction_words(model, observation),
    if (observation$origin != "external") {
      paste0("no ", model$column, " was missing (it would count as ",
             missing_text(column), ")")
    },
    usage_words(model, observation),
    if (model$size$status != "known") "n: flat prior on the non-negative integers"
  )
}

# What became of records outside the bounds, and whether the answer knows it.
outside_words <- function(model, method) {
  modelled <- !has_no_noise(model) && !identical(method$name, "naive")
  if (!modelled) return(paste0("no record was outside ", bounds_text(model)))
  became <- if (model$outside == "clamp") {
    "clamped"
  } else {
    paste0("redacted (set to ", format_number(model$centre), ")")
  }
  paste0("records outside ", bounds_text(model), " were ", became, "; this is modelled")
}

# Redaction is of whole rows: another column can be the reason.
other_redaction_words <- function(model, observation) {
  numeric <- Filter(function(column) is.null(column$levels), observation$columns)
  if (model$outside == "redact" && length(numeric) > 1) {
    "no record was redacted because of another column"
  }
}
