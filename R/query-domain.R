# The declared domain of each column: what a record may look like, written
# down before any record is seen.

#' Declare the domain of each column
#'
#' A domain says which values each column may take. It is written before any
#' record is seen, so nothing in it can leak: bounds, levels and the constant
#' that stands for a missing cell are all public.
#'
#' Every record is mapped to a point of the domain by one total function: a
#' number outside the bounds is clamped (or the row redacted, see
#' [query_moments()]), a missing number becomes `missing`, an unknown or missing
#' level becomes `other`, else the first level. No value is ever an error.
#'
#' @param ... Named columns. A pair of numbers is short for [dom_real()], a
#'   character vector for [dom_levels()]; other columns are made by the `dom_`
#'   functions, or have bounds from [private_bounds()].
#' @return A domain of class `noiseaware_domain`: a named list of columns.
#' @family query
#' @examples
#' domain(
#'   income = c(0, 1e5),
#'   sex = c("f", "m"),
#'   visits = dom_count(0, 20),
#'   region = dom_levels(1:12, other = 12),
#'   smoker = dom_binary()
#' )
#' @export
domain <- function(...) {
  columns <- rlang::list2(...)
  if (length(columns) == 0) {
    abort_query(c("{.fn domain} needs at least one named column.",
                  "i" = "For example {.code domain(age = c(0, 110))}."))
  }
  names(columns) <- check_names(names(columns), "names(...)")
  columns <- Map(as_column, columns, names(columns))
  new_domain(columns)
}

new_domain <- function(columns) structure(columns, class = "noiseaware_domain")

#' @export
`[.noiseaware_domain` <- function(x, i) new_domain(unclass(x)[i])

# Sugar: a numeric pair or a character vector; columns pass through.
as_column <- function(x, name) {
  if (inherits(x, "noiseaware_column")) return(x)
  if (inherits(x, "noiseaware_bounds")) return(bounds_column(x, name))
  if (is.character(x)) return(in_column(dom_levels(x), name))
  if (is.numeric(x) && length(x) == 2 && is.null(dim(x))) {
    return(in_column(dom_real(x[[1]], x[[2]]), name))
  }
  given <- describe_value(x)
  abort_query(c(
    "Column {.field {name}} of the domain must be a pair of numbers, a character vector or a
     {.code dom_*()} column.",
    "x" = "You gave {given}."
  ))
}

# Bounds that were drawn privately are public. They belong to one column.
bounds_column <- function(x, name) {
  if (!identical(x$column, name)) {
    abort_query(c("The bounds given for column {.field {name}} are those of {.field {x$column}}.",
                  "i" = "To use them all the same, give {.code c(bounds$lower, bounds$upper)}."))
  }
  missing <- if (!is.null(x$missing)) min(max(x$missing, x$lower), x$upper)
  if (x$type == "count") return(dom_count(x$lower, x$upper, missing))
  dom_real(x$lower, x$upper, missing)
}

# Of many columns declared at once, the message must name the wrong one.
in_column <- function(expr, name) {
  tryCatch(expr, noiseaware_error = function(e) {
    reason <- paste(c(e$message, e$body), collapse = " ")
    abort_query(c("Column {.field {name}} of the domain is not well declared.", "x" = "{reason}"))
  })
}

new_column <- function(type, ...) structure(list(type = type, ...), class = "noiseaware_column")

#' Kinds of columns
#'
#' @param lower,upper Public bounds, never computed from the data. Values
#'   outside are clamped to them.
#' @param missing The public constant that a missing cell becomes: by default
#'   the centre of the bounds, or the first level of a binary column.
#' @param levels All levels that may occur, in order; the first is the
#'   reference. Two levels make a binary column.
#' @param other The level that an unknown or missing value becomes; by default
#'   the first.
#' @return A column of class `noiseaware_column`, for use in [domain()].
#' @family query
#' @examples
#' dom_real(0, 120)
#' dom_count(0, 20)
#' dom_binary()
#' dom_levels(c("north", "south", "elsewhere"), other = "elsewhere")
#' @name dom
NULL

#' @rdname dom
#' @export
dom_real <- function(lower, upper, missing = NULL) {
  bounds <- check_bounds(lower, upper)
  new_column("real", lower = bounds[[1]], upper = bounds[[2]],
             missing = check_missing(missing, bounds))
}

#' @rdname dom
#' @export
dom_count <- function(lower, upper, missing = NULL) {
  bounds <- check_bounds(lower, upper)
  if (any(bounds != floor(bounds))) {
    abort_query(c("{.arg lower} and {.arg upper} of {.fn dom_count} must be whole numbers.",
                  "i" = "Use {.fn dom_real} for a continuous column."))
  }
  new_column("count", lower = bounds[[1]], upper = bounds[[2]],
             missing = check_missing(missing, bounds))
}

#' @rdname dom
#' @export
dom_binary <- function(missing = 0) {
  missing <- check_whole(missing, "missing", 0, 1)
  new_column("binary", levels = c("0", "1"), missing = missing)
}

#' @rdname dom
#' @export
dom_levels <- function(levels, other = NULL) {
  if (!is.atomic(levels) || length(levels) < 2) {
    abort_argument("levels", levels, "a vector of at least two levels")
  }
  labels <- check_names(level_text(levels), "levels")
  other <- if (is.null(other)) 1L else match(level_text(other), labels)
  if (length(other) != 1 || is.na(other)) {
    abort_query(c("{.arg other} must be one of the declared levels.",
                  "i" = "Add it to {.arg levels}, or leave it out."))
  }
  if (length(labels) == 2) {
    return(new_column("binary", levels = labels, missing = other - 1))
  }
  new_column("levels", levels = labels, missing = as.double(other - 1))
}

# Levels as text, for declarations and data alike: whole numbers without
# exponent, so that 100000 and "100000" are the same level.
level_text <- function(x) {
  if (!is.double(x) || is.object(x)) return(as.character(x))
  whole <- !is.na(x) & x == round(x) & abs(x) < 1e15
  text <- as.character(x)
  # Adding 0 turns -0 into 0.
  text[whole] <- sprintf("%.0f", x[whole] + 0)
  text
}

check_bounds <- function(lower, upper) {
  lower <- check_number(lower, "lower")
  upper <- check_number(upper, "upper")
  if (lower >= upper) {
    abort_query(c("{.arg lower} must be less than {.arg upper}.",
                  "x" = "You gave {lower} and {upper}.",
                  "i" = "A column that cannot vary needs no release."))
  }
  c(lower, upper)
}

check_missing <- function(missing, bounds) {
  if (is.null(missing)) return(NULL)
  check_number(missing, "missing", bounds[[1]], bounds[[2]])
}

#' @export
print.noiseaware_domain <- function(x, ...) {
  cat("<domain> of ", plural(length(x), "column"), "\n", sep = "")
  cat(paste0("  ", format(names(x)), "  ", vapply(x, format, ""), "\n"), sep = "")
  invisible(x)
}

#' @export
format.noiseaware_column <- function(x, ...) {
  is_number <- x$type %in% c("real", "count")
  range <- if (is_number) {
    paste0(x$type, " in ", format_range(x$lower, x$upper))
  } else {
    paste0(x$type, ": ", format_levels(x$levels))
  }
  if (is_derived(x)) return(paste0(range, ", = ", x$expression))
  if (!is_number) return(paste0(range, ", unknown -> ", x$levels[[x$missing + 1]]))
  paste0(range, ", missing -> ", if (is.null(x$missing)) "centre" else format(x$missing))
}

#' @export
print.noiseaware_column <- function(x, ...) {
  cat("<column> ", format(x), "\n", sep = "")
  invisible(x)
}

# At most eight levels in a line.
format_levels <- function(levels) {
  if (length(levels) <= 8) return(paste(levels, collapse = ", "))
  paste0(paste(levels[1:7], collapse = ", "), ", ... (", length(levels), " levels)")
}
