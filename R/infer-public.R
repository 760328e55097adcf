# Records that need no protection, next to a release about others. They are
# independent of the release given the parameters, so they update the prior, and the
# release updates the result.

# Records of the analyst's own, checked: codes of levels, or numbers. `arg` is what
# messages call them.
read_records <- function(model, records, arg) UseMethod("read_records")

# What the model needs to know of public records: a named vector, without n.
public_statistics <- function(model, records) UseMethod("public_statistics")

# The prior with those records in it.
update_prior <- function(model, prior, public) UseMethod("update_prior")

# NULL, a data frame, a vector of values, or what a fit stores of them.
read_public <- function(model, public) {
  if (is.null(public)) return(NULL)
  if (inherits(public, "noiseaware_public")) return(check_stored_public(model, public))
  if (is_value_vector(public)) {
    public <- stats::setNames(data.frame(public, stringsAsFactors = FALSE), model$column)
  }
  records <- read_records(model, public, "public")
  if (NROW(records) == 0) {
    abort_input(c("{.arg public} has no rows.", "i" = "Leave it out if there are no such records."))
  }
  structure(list(family = model$name, column = model$column, n = NROW(records),
                 statistics = public_statistics(model, records)), class = "noiseaware_public")
}

is_value_vector <- function(x) {
  (is.atomic(x) || is.factor(x)) && !is.null(x) && is.null(dim(x))
}

check_stored_public <- function(model, public) {
  if (public$family == model$name && public$column == model$column) return(public)
  abort_input(c("The public records of the fit are for another model.",
                "x" = "They are of {.field {public$column}}, family {.val {public$family}}.",
                "i" = "Give the records again with {.arg public}."))
}

#' @export
print.noiseaware_public <- function(x, ...) {
  cat("<public records> ", public_words(x), " of ", x$column, "\n", sep = "")
  invisible(x)
}

public_words <- function(public) {
  if (is.null(public)) return(NULL)
  paste0(format_number(public$n), " record", if (public$n != 1) "s", " without protection")
}

# The column of a data frame of records, or an error.
record_column <- function(model, records, arg) {
  if (!is.data.frame(records) || !model$column %in% names(records)) {
    given <- if (!is.data.frame(records)) paste("You gave", describe_value(records))
    abort_input(c("{.arg {arg}} must be a data frame with the column {.field {model$column}}.",
                  "x" = given %||% "It has {list_some(names(records))}."))
  }
  values <- records[[model$column]]
  if (anyNA(values)) {
    abort_input(c("{.arg {arg}} must not have missing values.",
                  "x" = "{sum(is.na(values))} of {.field {model$column}} are missing.",
                  "i" = "Leave these rows out."))
  }
  values
}

# --- levels ------------------------------------------------------------------------

# An unknown level is an error here, unlike in a query.
#' @export
read_records.noiseaware_model_counts <- function(model, records, arg) {
  values <- record_column(model, records, arg)
  if (is.logical(values)) values <- as.integer(values)
  text <- level_text(values)
  codes <- match(text, model$levels)
  if (anyNA(codes)) {
    unknown <- text[is.na(codes)][[1]]
    abort_input(c("{.arg {arg}} has a level of {.field {model$column}} that was not declared.",
                  "x" = "{.val {unknown}}", "i" = "Levels: {list_some(model$levels)}."))
  }
  codes
}

#' @export
public_statistics.noiseaware_model_counts <- function(model, records) {
  stats::setNames(as.double(tabulate(records, length(model$levels))), model$levels)
}

#' @export
update_prior.noiseaware_model_bernoulli <- function(model, prior, public) {
  counts <- unname(public$statistics)
  prior_beta(prior$shape1 + counts[[2]], prior$shape2 + counts[[1]])
}

#' @export
update_prior.noiseaware_model_categorical <- function(model, prior, public) {
  prior_dirichlet(prior$concentration + public$statistics)
}

# --- numbers -----------------------------------------------------------------------

#' @export
read_records.noiseaware_model_sums <- function(model, records, arg) {
  values <- record_column(model, records, arg)
  if (!is.numeric(values) || !all(is.finite(values))) {
    given <- if (is.numeric(values)) "an infinite one" else paste0("<", class(values)[[1]], ">")
    abort_input(c("{.arg {arg}} must have finite numbers in {.field {model$column}}.",
                  "x" = "You gave {given}."))
  }
  check_record_values(model, values, arg)
  as.double(values)
}

# Values a family cannot have.
check_record_values <- function(model, values, arg) UseMethod("check_record_values")

#' @export
check_record_values.noiseaware_model_normal <- function(model, values, arg) invisible()

#' @export
check_record_values.noiseaware_model_scalar <- function(model, values, arg) {
  if (all(values >= 0)) return(invisible())
  abort_input(c("{.arg {arg}} must not have negative values of {.field {model$column}}.",
                "x" = "The least is {format_number(min(values))}.",
                "i" = "Family {.val {model$name}} has values of at least 0."))
}

#' @export
check_record_values.noiseaware_model_poisson <- function(model, values, arg) {
  NextMethod()
  if (all(values == round(values))) return(invisible())
  abort_input(c("{.arg {arg}} must have whole numbers in {.field {model$column}}.",
                "x" = "There is {format_number(values[values != round(values)][[1]])}.",
                "i" = "Family {.val poisson} is for counts."))
}

#' @export
public_statistics.noiseaware_model_scalar <- function(model, records) c(sum = sum(records))

# About the average, where squares keep their digits.
#' @export
public_statistics.noiseaware_model_normal <- function(model, records) {
  c(average = mean(records), squares = sum((records - mean(records))^2))
}

#' @export
update_prior.noiseaware_model_exponential <- function(model, prior, public) {
  prior_gamma(prior$shape + public$n, prior$rate + public$statistics[["sum"]])
}

#' @export
update_prior.noiseaware_model_poisson <- function(model, prior, public) {
  prior_gamma(prior$shape + public$statistics[["sum"]], prior$rate + public$n)
}

#' @export
update_prior.noiseaware_model_normal <- function(model, prior, public) {
  do.call(prior_nig, nig_update(prior, public$n, public$statistics[["average"]],
                                public$statistics[["squares"]]))
}
