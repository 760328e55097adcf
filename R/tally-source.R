# Where records come from. A source hands over batches of rows; nothing in it is
# printed, kept or put into a condition.

# Turns what the user has into a source.
as_source <- function(data) UseMethod("as_source")

#' @export
as_source.default <- function(data) {
  given <- paste(class(data), collapse = "/")
  abort_input(c("{.arg data} must be a data frame, a matrix with column names, or a function.",
                "x" = "You gave an object of class <{given}>.",
                "i" = "A function gives a data frame each time it is called, and NULL at the end."))
}

#' @export
as_source.data.frame <- function(data) new_source(once(data), "frame")

#' @export
as_source.matrix <- function(data) {
  if (is.null(colnames(data))) {
    abort_input(c("A matrix given as {.arg data} must have column names.",
                  "i" = "They must match the names of the domain."))
  }
  if (!(is.numeric(data) || is.logical(data))) {
    abort_input(c("A matrix given as {.arg data} must be numeric or logical.",
                  "i" = "Use a data frame for columns of different types."))
  }
  new_source(once(data), "matrix")
}

#' @export
as_source.function <- function(data) new_source(data, "chunks")

# `pull` gives the next batch of rows, or NULL at the end.
new_source <- function(pull, type) {
  structure(list(pull = pull, type = type),
            class = c(paste0("noiseaware_source_", type), "noiseaware_source"))
}

once <- function(data) {
  left <- TRUE
  function() {
    if (!left) return(NULL)
    left <<- FALSE
    data
  }
}

# The exact sums of a source for a query.
tally_source <- function(source, query, by = NULL) UseMethod("tally_source")

#' @export
tally_source.noiseaware_source <- function(source, query, by = NULL) {
  guard_records(tally_cpp(core_plan(query, by), batches(source, query, by), tally_cores()))
}

# A function the core calls for its next batch: columns by position, no names.
batches <- function(source, query, by) {
  columns <- c(stored_columns(query), if (!is.null(by)) list(by$column))
  function() {
    rows <- source$pull()
    if (is.null(rows)) return(NULL)
    encode_batch(rows, unname(columns))
  }
}

tally_cores <- function() {
  as.integer(check_whole(getOption("mc.cores", 1L), "options(mc.cores)", 1, 1024))
}

# Runs code that has records in scope. Our own errors are about names and types
# and pass; anything else is replaced, because its text, call or trace could
# carry a record.
guard_records <- function(expr) {
  tryCatch(expr, error = function(e) {
    if (inherits(e, "noiseaware_error")) stop(e)
    abort_release(c(
      "The records could not be added up.",
      "i" = "What went wrong is not shown, because it could reveal a record.
             Nothing was released."
    ))
  })
}

encode_batch <- function(rows, columns) {
  if (!(is.data.frame(rows) || (is.matrix(rows) && !is.null(colnames(rows))))) {
    abort_input(c("Each chunk of {.arg data} must be a data frame or a matrix with column names."))
  }
  check_columns(columns, colnames(rows))
  list(rows = as.double(nrow(rows)),
       columns = lapply(columns, function(column) encode_column(rows, column)))
}

check_columns <- function(columns, have) {
  names <- vapply(columns, function(column) column$name, "")
  absent <- setdiff(names, have)
  if (length(absent) > 0) {
    abort_input(c("{.arg data} has no column {.field {absent}}.",
                  "i" = "The query names {.field {names}}."))
  }
}

# A matrix is passed whole with an offset, so that no column is copied.
encode_column <- function(rows, column) {
  if (is.data.frame(rows)) {
    values <- rows[[column$name]]
    if (!is.null(dim(values))) abort_type(column, values, "a plain vector")
    offset <- 0
  } else {
    values <- rows
    offset <- (match(column$name, colnames(rows)) - 1) * nrow(rows)
  }
  check_length(column, values, rows)
  if (column$type %in% c("real", "count")) return(encode_numbers(values, offset, column))
  if (is.matrix(rows)) values <- rows[, column$name]
  encode_codes(values, column)
}

# The core reads one value per row: a damaged data frame must not get there.
check_length <- function(column, values, rows) {
  if (is.data.frame(rows) && length(values) != nrow(rows)) {
    abort_input(c("Column {.field {column$name}} of {.arg data} must have one value per row.",
                  "i" = "The data frame is damaged."))
  }
}

encode_numbers <- function(values, offset, column) {
  plain <- (is.numeric(values) || is.logical(values)) && !inherits(values, "integer64")
  if (!plain) abort_type(column, values, "numeric")
  list(values = values, offset = offset)
}

# Level codes with a table from stored value to declared code. Storage types are
# part of the schema and public; values never decide between paths. Classed
# values other than factors are refused, because their text may depend on the
# whole column: date-times show their time if one of them is not at midnight, so
# one record could decide the level of all others.
encode_codes <- function(values, column) {
  if (is.factor(values)) {
    return(code_table(values, 1L, match_levels(levels(values), column$levels) - 1L))
  }
  if (!is.atomic(values) || is.object(values)) {
    abort_type(column, values, "a factor, character, logical or plain numeric")
  }
  if (is.logical(values) && identical(column$levels, c("0", "1"))) values <- as.integer(values)
  code_table(match_levels(level_text(values), column$levels), 1L, seq_along(column$levels) - 1L)
}

# Bytes without an encoding match no level. Left in, a single such cell makes
# match() fail, or compare every other cell in another way.
match_levels <- function(text, levels) {
  text[Encoding(text) == "bytes"] <- NA_character_
  match(text, levels)
}

code_table <- function(values, first, codes) {
  codes[is.na(codes)] <- -1L
  list(values = values, first = first, codes = as.integer(codes))
}

abort_type <- function(column, values, expected) {
  given <- paste(class(values), collapse = "/")
  abort_input(c("Column {.field {column$name}} of {.arg data} must be {expected}.",
                "x" = "It is of class <{given}>.",
                "i" = "Convert it when you import the data, by a rule that does not depend on the
                       values."))
}
