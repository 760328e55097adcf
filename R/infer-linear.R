# Linear regression from sums and sums of products: Bernstein and Sheldon (2019). Rows
# of covariates and outcome are jointly normal; one release serves any outcome and
# any covariates among its columns.

#' @export
build_model.noiseaware_model_linear <- function(prototype, formula, observation) {
  check_plain_terms(formula, observation)
  columns <- regression_columns(formula, observation)
  model <- new_model(
    prototype, column = formula$response, intercept = formula$intercept, columns = columns,
    levels = lapply(observation$columns[unique(columns$column)], `[[`, "levels"),
    outside = observation$outside %||% "clamp", size = observed_size(observation)
  )
  check_sums_sized(model, observation)
  check_two_records(model)
  model$moments <- released_moments(columns, observation)
  check_fine_grids(model$moments)
  model$ties <- known_products(model)
  model
}

check_two_records <- function(model) {
  n <- model$size$value
  if (model$size$status != "known" || n >= 2) return()
  abort_model(c("A regression needs two or more records.", "x" = "n is {format_number(n)}."))
}

# What a formula can hold besides names of columns, none of which moments tell.
check_plain_terms <- function(formula, observation) {
  parts <- stats::terms(formula_from_text(formula$text))
  if (!is.null(attr(parts, "offset"))) {
    abort_model(c("An offset is not available: {.code {formula$text}}.",
                  "i" = "Release the difference as a column of its own."))
  }
  if (formula$response %in% formula$terms) {
    abort_model(c("{.field {formula$response}} cannot explain itself.",
                  "x" = "You gave {.code {formula$text}}."))
  }
  if (length(formula$terms) == 0 && !formula$intercept) {
    abort_model(c("The formula has no terms.", "x" = "You gave {.code {formula$text}}."))
  }
  for (term in c(formula$response, formula$terms)) check_term(term, observation)
}

# Moments of columns tell nothing about their products or functions.
check_term <- function(term, observation) {
  columns <- names(observation$columns)
  if (term %in% columns) return()
  inside <- tryCatch(all.vars(str2lang(term)), error = function(e) character())
  if (!any(inside %in% columns)) abort_not_released(term, observation)
  abort_model(c("{.code {term}} was not released.",
                "i" = "The columns are {.field {columns}}; moments do not tell functions or
                       products of them.",
                "i" = "Such a term must be a column of its own in the query; see {.fn derive}."))
}

# --- in words --------------------------------------------------------------------

covariate_rows <- function(model) model$columns[-nrow(model$columns), ]

response_row <- function(model) model$columns[nrow(model$columns), ]

coefficient_names <- function(model) {
  c(if (model$intercept) "(Intercept)", covariate_rows(model)$term)
}

#' @export
model_variables.noiseaware_model_linear <- function(model) {
  x <- covariate_rows(model)
  effect <- ifelse(x$kind == "number", paste0("slope of ", x$column),
                   paste0("effect of ", x$column, " = ", x$level, recycle0 = TRUE))
  intercept <- if (model$intercept) paste0(model$column, " where all else is 0")
  data.frame(variable = c(coefficient_names(model), "sigma"),
             label = c(intercept, effect, paste0("residual sd of ", model$column)))
}

#' @export
model_title.noiseaware_model_linear <- function(model) {
  on <- unique(covariate_rows(model)$column)
  on <- if (length(on) > 0) paste(" on", list_some(on, 6)) else ""
  paste0("linear regression of ", model$column, on, if (!model$intercept) ", no intercept")
}

#' @export
model_size.noiseaware_model_linear <- function(model) {
  if (model$size$status == "known") model$size$value else NA_real_
}

#' @export
model_statistics.noiseaware_model_linear <- function(model) model$moments

#' @export
release_words.noiseaware_model_linear <- function(model) {
  moments <- model$moments
  noise <- unique(moments$noise)
  words <- c(laplace = "Laplace noise", gaussian = "Gaussian noise", none = "no noise")
  sd <- range(noise_sd(moments$noise, moments$scale))
  spread <- if (!all(noise == "none")) paste0(", sd ", paste(unique(format_number(sd)),
                                                            collapse = " to "))
  paste0(nrow(moments), " sums and sums of products, ", paste(words[noise], collapse = " and "),
         spread)
}

#' @export
model_assumptions.noiseaware_model_linear <- function(model, observation, method = NULL, ...) {
  indicators <- unique(model$columns$column[model$columns$kind != "number"])
  numbers <- model$columns$column[model$columns$kind == "number"]
  missing <- vapply(observation$columns[numbers], missing_text, "")
  c(
    "records are independent, covariates and outcome jointly normal",
    if (length(indicators) > 0) {
      paste0(list_some(indicators, 4), ": a column of 0 and 1 is taken as normal with the right ",
             "squares")
    },
    bounds_words(model, method),
    if (observation$origin != "external" && length(numbers) > 0) {
      paste0("no value was missing (it would count as ",
             list_some(paste(numbers, "=", missing), 4), ")")
    },
    if (any(model$columns$kind == "level")) "sums of the first level of a factor are not used",
    if (model$size$status != "known" && !identical(method$name, "naive")) {
      "n: flat prior, treated as a real number"
    }
  )
}

bounds_words <- function(model, method) {
  if (isTRUE(method$clamped)) return("normal records outside the bounds were clamped; modelled")
  became <- if (model$outside == "redact") "redacted" else "clamped"
  paste0("no record was outside the bounds (it would have been ", became, ")")
}
