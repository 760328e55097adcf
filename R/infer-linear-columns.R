# The columns of a regression: covariates as in model.matrix(), then the outcome. A
# number is itself; a column of two levels is an indicator of the second; a factor is
# one indicator per level but the first, which is the reference.

# One row per column: term (name of the coefficient), column, level, kind ("number",
# "binary" or "level"), label (in names of statistics), order (in the query), centre
# (what the release subtracted), middle and half (of the bounds), lower, upper.
regression_columns <- function(formula, observation) {
  check_factor_use(formula, observation)
  columns <- lapply(formula$terms, covariate_columns, observation)
  found <- do.call(rbind, c(columns, list(covariate_columns(formula$response, observation))))
  found$term[nrow(found)] <- formula$response
  row.names(found) <- NULL
  if (anyDuplicated(found$term)) {
    twice <- found$term[duplicated(found$term)][[1]]
    abort_model(c("Two coefficients would have the name {.field {twice}}.",
                  "i" = "Rename the columns or levels."))
  }
  found
}

# Without an intercept every level would have a coefficient, and indicators that add
# up to 1 have no joint density.
check_factor_use <- function(formula, observation) {
  response <- observation$columns[[formula$response]]
  if (length(response$levels) > 2) {
    abort_model(c("The outcome must be a number or have two levels.",
                  "x" = "{.field {formula$response}} has {length(response$levels)} levels."))
  }
  if (formula$intercept) return()
  for (term in formula$terms) {
    column <- observation$columns[[term]]
    if (is.null(column$levels) || is_zero_one(column)) next
    abort_model(c("A factor needs the intercept: {.field {term}} has {length(column$levels)}
                   levels.",
                  "i" = "With it, {.field (Intercept)} is the mean at the first level,
                         {.val {column$levels[[1]]}}, and coefficients are differences from it."))
  }
}

is_zero_one <- function(column) identical(column$levels, c("0", "1"))

covariate_columns <- function(name, observation) {
  column <- observation$columns[[name]]
  base <- data.frame(column = name, order = match(name, names(observation$columns)))
  if (is.null(column$levels)) return(number_design(base, column, observation))
  if (length(column$levels) == 2) return(binary_design(base, column, observation))
  level_design(base, column)
}

number_design <- function(base, column, observation) {
  data.frame(term = column$name, base, level = NA_character_, kind = "number",
             label = column$name, centre = observation$centre[[column$name]],
             middle = column$lower / 2 + column$upper / 2,
             half = column$upper / 2 - column$lower / 2, lower = column$lower,
             upper = column$upper)
}

binary_design <- function(base, column, observation) {
  term <- if (is_zero_one(column)) column$name else paste0(column$name, column$levels[[2]])
  data.frame(term = term, base, level = column$levels[[2]], kind = "binary", label = column$name,
             centre = observation$centre[[column$name]], middle = 0.5, half = 0.5, lower = -Inf,
             upper = Inf)
}

level_design <- function(base, column) {
  levels <- column$levels[-1]
  data.frame(term = paste0(column$name, levels), base, level = levels, kind = "level",
             label = paste0(column$name, "=", levels), centre = 0, middle = 0, half = 1,
             lower = -Inf, upper = Inf)
}

# --- records of the analyst's own ---------------------------------------------------

# Values of some columns of the model (all by default) for given records: records x
# columns.
design_matrix <- function(model, records, arg, rows = model$columns) {
  if (!is.data.frame(records)) {
    abort_argument(arg, records, "a data frame")
  }
  absent <- setdiff(rows$column, names(records))
  if (length(absent) > 0) {
    abort_input(c("{.arg {arg}} must have the column{?s} {.field {absent}}.",
                  "x" = "It has {.field {names(records)}}."))
  }
  values <- lapply(seq_len(nrow(rows)), function(k) {
    design_column(rows[k, ], records, model$levels[[rows$column[[k]]]], arg)
  })
  matrix(as.double(unlist(values)), nrow(records), nrow(rows), dimnames = list(NULL, rows$term))
}

# `levels` are those declared, NULL for a number.
design_column <- function(row, records, levels, arg) {
  values <- records[[row$column]]
  if (anyNA(values)) {
    abort_input(c("{.arg {arg}} must not have missing values.",
                  "x" = "{sum(is.na(values))} of {.field {row$column}} are missing.",
                  "i" = "Leave these rows out."))
  }
  if (row$kind == "number") return(check_record_numbers(values, row$column, arg))
  record_codes(values, row$column, levels, arg) == match(row$level, levels)
}

# An unknown level is an error here, unlike in a query.
record_codes <- function(values, column, levels, arg) {
  if (is.logical(values)) values <- as.integer(values)
  codes <- match(level_text(values), levels)
  if (anyNA(codes)) {
    unknown <- level_text(values)[is.na(codes)][[1]]
    abort_input(c("{.arg {arg}} has a level of {.field {column}} that was not declared.",
                  "x" = "{.val {unknown}}", "i" = "Levels: {list_some(levels)}."))
  }
  codes
}

check_record_numbers <- function(values, column, arg) {
  if (is.logical(values)) values <- as.double(values)
  if (!is.numeric(values) || !all(is.finite(values))) {
    given <- if (is.numeric(values)) "an infinite one" else paste0("<", class(values)[[1]], ">")
    abort_input(c("{.arg {arg}} must have finite numbers in {.field {column}}.",
                  "x" = "You gave {given}."))
  }
  values
}
