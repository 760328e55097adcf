# Moment queries: sums and sums of products of the declared columns.

#' Ask for moments
#'
#' A moment query asks for the sums (degree 1) and also the sums of products
#' (degree 2) of the declared columns. One second-moment release serves every
#' regression among its columns. Degrees 3 and 4 add the sums of all products of
#' three and four numbers, repetitions included.
#'
#' Numbers are taken about the centre of their bounds, which halves the range
#' and quarters the noise of squares. A binary column is coded about 0.5; its
#' square is known and not released. A factor is a block of indicators, one per
#' declared level, whose products within the block are known and not released.
#'
#' Degrees 3 and 4 are for numbers only; a binary column can be declared as
#' `dom_count(0, 1)`. Their cells are rounded to a coarser grid, at most 2^14 or 2^11
#' steps for half the range instead of 2^20, so that all sums stay exact. Many more
#' statistics share the budget: 34 of three columns at degree 4 instead of 9.
#'
#' @param domain A [domain()], possibly with [derive()]d columns.
#' @param relation What two neighbouring data sets differ by: `"replace_one"`
#'   (n is public and exact) or `"add_remove"` (n is a noisy statistic). There is
#'   no default, because the promise depends on it; a query without one can be
#'   written down, but neither priced nor answered.
#' @param degree 1 for sums, 2 for sums and sums of products, 3 or 4 for sums of
#'   products of up to that many numbers.
#' @param clip How a record is forced into the domain; `"box"` treats every
#'   column by itself.
#' @param radius Reserved for `clip = "ball"`; must be `NULL`.
#' @param outside `"clamp"` moves a number outside its bounds to the nearer
#'   bound. `"redact"` replaces the whole row: numbers by their centre, levels by
#'   the level that stands for unknown.
#' @param response,allocation Reserved; must be `NULL`.
#' @param unit Reserved for a column that identifies people; must be `NULL`.
#' @param unit_rows The most rows one person can have. More than one multiplies
#'   the sensitivity and needs `relation = "add_remove"`.
#' @return A query of class `noiseaware_query`.
#' @family query
#' @examples
#' bp <- domain(age = c(18, 90), pressure = c(80, 200), smoker = dom_binary())
#' query <- query_moments(bp, relation = "replace_one")
#' statistics(query)
#' sensitivity(query)
#' @export
query_moments <- function(domain, relation = NULL, degree = 2, clip = c("box", "ball"),
                          radius = NULL, outside = c("clamp", "redact"), response = NULL,
                          allocation = NULL, unit = NULL, unit_rows = 1) {
  check_class(domain, "domain", "noiseaware_domain", "domain")
  check_box(check_choice(clip, "clip", c("box", "ball")), radius)
  refuse_reserved(response = response, allocation = allocation, unit = unit)
  relation <- check_relation(relation)
  degree <- check_degree(degree)
  check_powers(domain, degree)
  bits <- moment_bits(degree)
  columns <- snap_columns(domain, bits)
  check_size(moment_count(columns, degree))
  check_distinct(new_query("moments",
    columns = columns, inputs = snap_hidden(domain, bits), relation = relation, degree = degree,
    clip = "box",
    outside = check_choice(outside, "outside", c("clamp", "redact")),
    unit_rows = check_unit_rows(unit_rows, relation)
  ))
}

# `relation = NULL` and `inputs = NULL` are kept as absent members.
new_query <- function(kind, ...) {
  members <- list(kind = kind, ...)
  structure(members[!vapply(members, is.null, NA)],
            class = c(paste0("noiseaware_query_", kind), "noiseaware_query"))
}

snap_columns <- function(domain, bits = grid_bits) {
  columns <- unname(Map(snap_column, unclass(domain), names(domain), bits))
  stats::setNames(columns, names(domain))
}

snap_hidden <- function(domain, bits) {
  hidden <- hidden_inputs(domain)
  if (length(hidden) > 0) snap_inputs(hidden, bits)
}

check_relation <- function(relation) {
  if (is.null(relation)) return(NULL)
  check_one_relation(relation)
}

# Without a default: check_choice() takes all choices together for one.
check_one_relation <- function(relation) {
  if (length(relation) != 1) {
    abort_argument("relation", relation, "one of \"replace_one\", \"add_remove\"")
  }
  check_choice(relation, "relation", c("replace_one", "add_remove"))
}

check_degree <- function(degree) as.integer(check_whole(degree, "degree", 1, 4))

check_box <- function(clip, radius) {
  if (clip == "ball" || !is.null(radius)) {
    abort_query(c("{.code clip = \"ball\"} and {.arg radius} are not available in this version.",
                  "i" = "Use {.code clip = \"box\"}."))
  }
}

refuse_reserved <- function(...) {
  reserved <- list(...)
  used <- names(reserved)[!vapply(reserved, is.null, NA)]
  if (length(used) > 0) {
    abort_query(c("{.arg {used[[1]]}} is reserved and not available in this version.",
                  "i" = "Leave it out."))
  }
}

# Swapping a person of three rows for one of a single row changes n, so a
# public n cannot go with several rows per person.
check_unit_rows <- function(unit_rows, relation) {
  unit_rows <- check_whole(unit_rows, "unit_rows", 1, 1e6)
  if (unit_rows > 1 && !identical(relation, "add_remove")) {
    abort_query(c("{.arg unit_rows} above 1 needs {.code relation = \"add_remove\"}.",
                  "i" = "Under {.val replace_one} the number of rows is public and must not
                         depend on who is in the data."))
  }
  as.integer(unit_rows)
}

# The relation, or an error: prices and answers need it.
require_relation <- function(query) {
  if (is.null(query$relation)) {
    abort_query(c("The query has no {.arg relation}, so its privacy cost is not defined.",
                  "i" = "Say {.code relation = \"replace_one\"} (n is public) or
                         {.code relation = \"add_remove\"} (n is noisy)."))
  }
  query$relation
}

#' @export
print.noiseaware_query <- function(x, ...) {
  relation <- if (is.null(x$relation)) "not chosen yet" else x$relation
  cat("<query> ", query_title(x), "\n", sep = "")
  cat("  relation: ", relation, unit_note(x), "\n", sep = "")
  cat(paste0("  ", column_lines(x), "\n"), sep = "")
  cat("  id:       ", substr(query_id(x), 1, 16), "...\n", sep = "")
  invisible(x)
}

unit_note <- function(query) {
  if (query$unit_rows == 1) return(", one row")
  paste0(", one person with at most ", query$unit_rows, " rows")
}

query_title <- function(query) UseMethod("query_title")

#' @export
query_title.noiseaware_query_moments <- function(query) {
  products <- c("", " and sums of products", " and sums of products of up to three",
                " and sums of products of up to four")[[query$degree]]
  paste0("sums", products, " of ",
         plural(length(query$columns), "column"), ", ",
         plural(nrow(statistic_plan(query)), "statistic"), ", ", query$outside)
}

plural <- function(n, noun) paste0(n, " ", noun, if (n != 1) "s")

# What is asked for, then what is only derived from.
column_lines <- function(query) {
  hidden <- vapply(query$inputs, format_query_column, "")
  c(vapply(query$columns, format_query_column, ""),
    if (length(hidden) > 0) paste0("(", hidden, "; not asked for)"))
}

format_query_column <- function(column) {
  about <- describe_column(column)
  range <- if (is.null(about$levels)) {
    format_range(about$lower, about$upper)
  } else {
    format_levels(about$levels)
  }
  from <- if (is_derived(column)) ", = " else ", missing -> "
  value <- if (is_derived(column)) column$expression else format(about$missing)
  paste0(column$name, ": ", column$type, " ", range, from, value)
}
