# Formulas are read once and kept as text: a formula object carries the
# environment it was written in, and with it whatever data lives there.

# A plain description: text, number of sides, response, terms, intercept.
read_formula <- function(formula, observation) {
  if (is.null(formula)) formula <- only_column(observation)
  if (!inherits(formula, "formula")) {
    abort_argument("formula", formula, "a formula such as ~ x or y ~ x1 + x2")
  }
  parts <- tryCatch(stats::terms(formula), error = function(e) NULL)
  if (is.null(parts)) {
    abort_input(c("{.arg formula} must name columns of the release.",
                  "x" = "You gave {.code {formula_text(formula)}}.",
                  "i" = "It has {.field {names(observation$columns)}}; write them out instead of
                         a dot."))
  }
  list(
    text = formula_text(formula), sides = length(formula) - 1L,
    response = if (length(formula) == 3) column_text(formula[[2]]),
    terms = plain_name(attr(parts, "term.labels")), intercept = attr(parts, "intercept") == 1
  )
}

formula_text <- function(formula) {
  paste(trimws(deparse(formula, width.cutoff = 500L)), collapse = " ")
}

column_text <- function(expr) plain_name(paste(deparse(expr), collapse = " "))

# Column names that are not syntactic come in backticks.
plain_name <- function(x) gsub("^`(.*)`$", "\\1", x)

# The formula again, without any environment of the user.
formula_from_text <- function(text) stats::as.formula(text, env = baseenv())

# A release of one column needs no formula.
only_column <- function(observation) {
  columns <- names(observation$columns)
  if (length(columns) == 1) {
    return(stats::as.formula(paste0("~ `", columns, "`"), env = baseenv()))
  }
  abort_input(c("{.arg formula} is missing.",
                "i" = "The release has the columns {.field {columns}}; for example
                       {.code ~ {columns[[1]]}}."))
}

# The one column of a formula such as `~ x`.
single_column <- function(formula, observation) {
  if (length(formula$terms) != 1 || !formula$intercept) {
    abort_input(c("A one-sided formula names one column.", "x" = "You gave {.code {formula$text}}.",
                  "i" = "The release has {.field {names(observation$columns)}}."))
  }
  column <- observation$columns[[formula$terms]]
  if (is.null(column)) abort_not_released(formula$terms, observation)
  column
}

# A term that was not released: say what was.
abort_not_released <- function(term, observation) {
  released <- list_some(observation$statistics$name)
  abort_model(c("{.field {term}} was not released.",
                "i" = "Released were: {released}.",
                "i" = "Columns: {.field {names(observation$columns)}}."))
}
