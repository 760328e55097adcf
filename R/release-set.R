# A set of releases of one query, one per level of a public factor.

#' Release by groups
#'
#' Says that a release is to be made for every level of a factor, and whether
#' membership in the groups is public.
#'
#' Under `"add_remove"` groups split the records, so all of them together cost
#' what one costs. Under `"replace_one"` a person who moves to another group
#' changes two of them and both group sizes; that is allowed only if you state
#' that membership and group sizes are public anyway.
#'
#' @param column The name of a column of the query with declared levels.
#' @param public `TRUE` if who belongs to which group, and how many, is public.
#' @return An object of class `noiseaware_by`, for the `by` argument of
#'   [release()].
#' @family custodian
#' @examples
#' by_groups("region", public = TRUE)
#' @export
by_groups <- function(column, public = FALSE) {
  structure(list(name = check_string(column, "column"), public = check_flag(public, "public")),
            class = "noiseaware_by")
}

#' @export
print.noiseaware_by <- function(x, ...) {
  cat("<by> ", x$name, if (x$public) ", membership and sizes are public", "\n", sep = "")
  invisible(x)
}

check_by <- function(by, query) {
  if (is.null(by)) return(NULL)
  if (is.character(by)) by <- by_groups(check_string(by, "by"))
  check_class(by, "by", "noiseaware_by", "by_groups")
  column <- query$columns[[by$name]]
  if (is.null(column) || is.null(column$levels) || is_derived(column)) {
    abort_input(c("{.arg by} must name a column of the query with declared levels.",
                  "x" = "You gave {.val {by$name}}."))
  }
  if (query$relation == "replace_one" && !by$public) {
    abort_input(c(
      "Under {.val replace_one} a release {.arg by} groups shows people moving between them.",
      "i" = "If membership and group sizes are public, say
             {.code by = by_groups(\"{by$name}\", public = TRUE)}; else use {.val add_remove}."
    ))
  }
  list(column = column, public = by$public)
}

# The query each group answers: the grouping column is constant within one.
without_column <- function(query, by) {
  if (is.null(by)) return(query)
  query <- hide_column(query, by$column)
  if (!is.null(query$cliques)) {
    cliques <- lapply(query$cliques, setdiff, by$column$name)
    query$cliques <- unique(cliques[lengths(cliques) > 0])
  }
  if (length(query$columns) == 0) {
    abort_query(c("Besides the {.arg by} column the query has no other.",
                  "i" = "Release its table instead."))
  }
  query
}

# Derived columns of a group may still need the column.
hide_column <- function(query, column) {
  query$columns[[column$name]] <- NULL
  trees <- lapply(Filter(is_derived, query$columns), function(derived) {
    parse_expression(derived$expression)
  })
  if (!column$name %in% unlist(lapply(trees, tree_names))) return(query)
  inputs <- c(query$inputs, stats::setNames(list(column), column$name))
  members <- unclass(query)
  members$inputs <- inputs
  do.call(new_query, members[intersect(query_members(query$kind), names(members))])
}

# `query` is the query as it was signed, with the grouping column.
new_release_set <- function(releases, by, query) {
  structure(list(releases = releases, by = by, query = query), class = "noiseaware_release_set")
}

#' @export
print.noiseaware_release_set <- function(x, ...) {
  first <- x$releases[[1]]
  cat("<release set> ", plural(length(x$releases), "release"), " by ", x$by,
      ", one for each declared level\n", sep = "")
  if (is_insecure(first)) cat(insecure_notice, "\n")
  cat("  each:       ", query_title(first$query), "\n", sep = "")
  cat("  privacy:    ", privacy_line(first), ", for all groups together\n", sep = "")
  if (first$group$public) cat("  groups:     membership and sizes are public\n")
  cat("  accounted:  ", accounted_line(first), "\n", sep = "")
  invisible(x)
}

release_set_file <- function(set) {
  list(format = "dp-release-set", version = "1", by = set$by, query = query_to_json(set$query),
       releases = lapply(unname(set$releases), release_file))
}

write_release_set <- function(set, path) write_json_file(release_set_file(set), path)

release_set_hash <- function(set) {
  sha256(paste(vapply(set$releases, release_hash, ""), collapse = ""))
}

# Every member is checked as if it came alone, and must belong to the set.
release_set_from_file <- function(file) {
  check_version(file, "dp-release-set")
  check_schema(file, "release-set-v1.schema.json")
  query <- query_from_json(file$query)
  releases <- lapply(file$releases, release_from_file)
  if (!belong_together(releases, query, file$by)) {
    abort_release(c("The releases of the set do not belong together.",
                    "i" = "There must be one for each level of {.field {file$by}}, made at once."))
  }
  new_release_set(stats::setNames(releases, query$columns[[file$by]]$levels), file$by, query)
}

# One release per declared level, in order, all alike and of the signed query.
belong_together <- function(releases, query, by) {
  column <- query$columns[[by]]
  levels <- vapply(releases, function(release) release$group$level %||% "", "")
  if (is.null(column$levels) || !identical(levels, column$levels)) return(FALSE)
  shared <- lapply(releases, shared_by_set)
  first <- shared[[1]]
  all(vapply(shared, identical, NA, first)) && identical(first$by, by) &&
    identical(first$query_sha256, query_id(query)) &&
    identical(first$query, without_column(query, list(column = column)))
}

# What is printed once for all of them.
shared_by_set <- function(release) {
  c(release[c("query", "privacy", "rng", "ledger", "about")],
    release$group[c("by", "public", "query_sha256")])
}
