# The one door between what was published and inference: everything downstream
# of `observe()` is the same for our releases, other people's statistics and,
# without noise, a tally.

# What a model may condition on; see new_observation() for the members.
observe <- function(x, ...) UseMethod("observe")

#' @export
observe.default <- function(x, ...) {
  given <- paste(class(x), collapse = "/")
  abort_input(c("{.arg release} must be a release.", "x" = "You gave an object of class <{given}>.",
                "i" = "Read one with {.fn read_release}, or make one with {.fn as_release}."))
}

# statistics: data.frame(name, value, noise, scale, grid), values in natural
# units about `centre`; n: a number, or NULL where it is noisy or unknown.
new_observation <- function(query, statistics, n, origin, centre = NULL, ...) {
  columns <- lapply(query$columns, describe_column)
  natural <- vapply(columns, function(column) column$centre, 0)
  structure(
    c(list(kind = query$kind, statistics = statistics, n = n,
           centre = if (is.null(centre)) natural else centre, columns = columns,
           relation = query$relation, outside = query$outside, origin = origin), list(...)),
    class = "noiseaware_observation"
  )
}
