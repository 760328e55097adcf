# Argument checks, made once at the edge. Every message names the argument,
# what was given and what is expected. None of these may see private data: a
# check on a data argument must use check_class(), which prints types only.

`%||%` <- function(x, y) if (is.null(x)) y else x

# What a public argument looks like, in a few words.
describe_value <- function(x) {
  if (is.null(x)) return("NULL")
  if (is.function(x)) return("a function")
  if (is.atomic(x) && length(x) == 1 && is.null(attributes(x))) {
    return(encodeString(format(x), quote = if (is.character(x)) "\"" else ""))
  }
  paste0("an object of class <", paste(class(x), collapse = "/"), "> and length ", length(x))
}

abort_argument <- function(arg, x, expected) {
  given <- describe_value(x)
  abort_input(c("{.arg {arg}} must be {expected}.", "x" = "You gave {given}."))
}

is_number <- function(x) is.numeric(x) && length(x) == 1 && is.null(dim(x)) && !is.na(x)

# A finite number in an interval; `open` excludes the ends.
check_number <- function(x, arg, lower = -Inf, upper = Inf, open = FALSE,
                         expected = expected_number(lower, upper, open)) {
  inside <- is_number(x) && is.finite(x) &&
    (if (open) x > lower && x < upper else x >= lower && x <= upper)
  if (!inside) abort_argument(arg, x, expected)
  as.double(x)
}

expected_number <- function(lower, upper, open) {
  if (lower == 0 && upper == Inf) {
    return(if (open) "a positive number" else "a number of at least 0")
  }
  if (lower == -Inf && upper == Inf) return("one finite number")
  ends <- if (open) "strictly between" else "between"
  paste("a number", ends, format(lower), "and", format(upper))
}

# A whole number; doubles are fine as long as they are whole.
check_whole <- function(x, arg, lower = 1, upper = 2^53) {
  whole <- is_number(x) && is.finite(x) && x == floor(x) && x >= lower && x <= upper
  if (!whole) {
    range <- if (upper < 2^53) paste("from", lower, "to", upper) else paste("of at least", lower)
    abort_argument(arg, x, paste("a whole number", range))
  }
  as.double(x)
}

check_string <- function(x, arg, null_ok = FALSE) {
  if (null_ok && is.null(x)) return(NULL)
  if (!(is.character(x) && length(x) == 1 && !is.na(x) && nzchar(x))) {
    abort_argument(arg, x, "one non-empty string")
  }
  # enc2utf8() would turn bytes that are not text into something that looks like it.
  if (!validEnc(x)) abort_input("{.arg {arg}} must be valid text in its encoding.")
  enc2utf8(as.vector(x))
}

check_flag <- function(x, arg) {
  if (!(is.logical(x) && length(x) == 1 && !is.na(x))) abort_argument(arg, x, "TRUE or FALSE")
  x
}

# One of a few words; unlike match.arg() it says what was given.
check_choice <- function(x, arg, choices) {
  if (identical(x, choices)) return(choices[[1]])
  if (!(is.character(x) && length(x) == 1 && x %in% choices)) {
    abort_argument(arg, x, paste("one of", paste0("\"", choices, "\"", collapse = ", ")))
  }
  as.vector(x)
}

check_class <- function(x, arg, class, made_by) {
  if (!inherits(x, class)) {
    given <- paste(class(x), collapse = "/")
    abort_input(c("{.arg {arg}} must be made by {.fn {made_by}}.",
                  "x" = "You gave an object of class <{given}>."))
  }
  x
}

# Names that end up in a public file: short, printable, distinct.
check_names <- function(x, arg) {
  names <- if (is.character(x) && all(validEnc(x))) enc2utf8(x)
  ok <- length(names) > 0 && !anyNA(names) && all(nzchar(names)) && !anyDuplicated(names) &&
    all(nchar(names, "bytes") <= 256) && all(is_printable(names))
  if (!ok) {
    abort_input(c("{.arg {arg}} must be distinct, non-empty names.",
                  "i" = "At most 256 bytes each, without control characters."))
  }
  names
}

# No control characters, and none that reorder or break the line they are printed
# on: what is published is printed on other people's terminals. The schemas have
# the same class of characters.
is_printable <- function(x) {
  !grepl(paste0("[\u0001-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]"), x,
         perl = TRUE)
}

# Functions that take records also take `...`, to refuse it: R prints the value
# of an unused argument, and a misspelt `data` would be shown.
check_no_more <- function(...) {
  if (...length() > 0) {
    given <- if (is.null(...names())) "" else ...names()
    given <- ifelse(nzchar(given), given, "(no name)")
    abort_input(c("There are arguments that this function does not have.",
                  "x" = "You gave {.arg {given}}.", "i" = "Check the spelling."))
  }
}

# A required argument that was left out, in the words of every other bad
# argument: `check_supplied(missing(x), "x")` is the first line of a function.
check_supplied <- function(absent, arg) {
  if (absent) abort_input(c("{.arg {arg}} is missing.", "i" = "It has no default: give one."))
}
