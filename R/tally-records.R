# The tally: exact integer sums of records. The only object that has touched
# them; it prints no value and never enters a release.

#' Add up records exactly
#'
#' A tally holds the exact integer sums a query asks for. Tallies of the parts
#' of a data set (shards, chunks, hospitals) merge with [c()] into the tally of
#' the whole, bit for bit, whatever the order.
#'
#' **A tally is as sensitive as the records.** It prints none of its values. Keep
#' it with the custodian, and give it to [release()].
#'
#' @param query A query from [query_moments()] or [query_tables()].
#' @param data Records: a data frame, a matrix with column names, or a function
#'   that returns the next data frame each time it is called and `NULL` at the
#'   end. The number of threads is `getOption("mc.cores", 1)`.
#' @param ... Must be empty.
#' @return A tally of class `noiseaware_tally`.
#' @family custodian
#' @examples
#' query <- query_moments(domain(mpg = c(0, 40), wt = c(1, 6)), "replace_one")
#' all <- tally_records(query, mtcars)
#' parts <- c(tally_records(query, mtcars[1:10, ]), tally_records(query, mtcars[11:32, ]))
#' identical(all, parts)
#' @export
tally_records <- function(query, data, ...) {
  check_no_more(...)
  check_supplied(missing(data), "data")
  check_class(query, "query", "noiseaware_query", "query_moments")
  sums <- tally_source(as_source(data), query)
  new_tally(query, sums[[1]]$n, sums[[1]]$sums)
}

new_tally <- function(query, n, sums) {
  structure(list(query = query, n = n, sums = sums), class = "noiseaware_tally")
}

#' @export
print.noiseaware_tally <- function(x, ...) {
  cat("<tally> SENSITIVE: exact sums of records, not shown\n")
  cat("  query: ", query_title(x$query), "\n", sep = "")
  invisible(x)
}

#' @importFrom utils str
#' @export
str.noiseaware_tally <- function(object, ...) cat(format(object), "\n")

#' @export
format.noiseaware_tally <- function(x, ...) "<tally> SENSITIVE"

#' @export
summary.noiseaware_tally <- function(object, ...) print(object)

#' @export
c.noiseaware_tally <- function(...) {
  tallies <- list(...)
  for (tally in tallies) check_class(tally, "...", "noiseaware_tally", "tally_records")
  query <- tallies[[1]]$query
  same <- vapply(tallies, function(tally) identical(tally$query, query), NA)
  if (!all(same)) {
    abort_input(c("Tallies can be merged only if they answer the same query.",
                  "i" = "Compare them with {.fn query_id}."))
  }
  parts <- lapply(tallies, function(tally) c(tally$n, tally$sums))
  total <- Reduce(add_integers_cpp, parts)
  new_tally(query, total[[1]], total[-1])
}
