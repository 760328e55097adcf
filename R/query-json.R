# The query as a file: what a review board signs. Its id is the hash of its
# canonical text, so two people can tell that they mean the same query.

#' Store and identify a query
#'
#' `write_query()` writes a query as JSON, `read_query()` reads it back, and
#' `query_id()` gives the SHA-256 of its canonical text, which every release
#' carries.
#'
#' @param query A query.
#' @param path A file name. An existing file is not overwritten.
#' @return `write_query()` returns the path invisibly, `read_query()` a query of
#'   class `noiseaware_query`, `query_id()` a string of 64 hexadecimal digits.
#' @family query
#' @examples
#' query <- query_moments(domain(x = c(0, 10)), "replace_one")
#' path <- tempfile(fileext = ".json")
#' write_query(query, path)
#' identical(read_query(path), query)
#' query_id(query)
#' @export
write_query <- function(query, path) {
  check_class(query, "query", "noiseaware_query", "query_moments")
  file <- list(format = "dp-query", version = "1", query = query_to_json(query))
  check_schema(file, "query-v1.schema.json")
  write_json_file(file, path)
}

#' @rdname write_query
#' @export
read_query <- function(path) {
  file <- parse_untrusted_json(read_untrusted_text(path))
  check_schema(file, "query-v1.schema.json")
  query_from_json(file$query)
}

#' @rdname write_query
#' @export
query_id <- function(query) {
  check_class(query, "query", "noiseaware_query", "query_moments")
  sha256(canonical_json(query_to_json(query)))
}

query_to_json <- function(query) {
  json <- unclass(query)
  json$columns <- unname(lapply(query$columns, column_to_json))
  if (!is.null(query$inputs)) json$inputs <- unname(lapply(query$inputs, column_to_json))
  if (!is.null(query$cliques)) json$cliques <- lapply(query$cliques, as.list)
  json
}

column_to_json <- function(column) {
  steps <- c("lower_q", "upper_q", "centre_q", "missing_q")
  column[steps] <- lapply(column[steps], whole_text)
  if (is.null(column$levels)) column$levels <- NULL else column$levels <- as.list(column$levels)
  column
}

# A query from a parsed and schema-checked value. Everything that decides noise
# is checked again: a file must not be able to claim a smaller grid.
query_from_json <- function(json) {
  json$columns <- columns_from_json(json$columns)
  if (!is.null(json$inputs)) json$inputs <- columns_from_json(json$inputs)
  if (anyDuplicated(c(names(json$columns), names(json$inputs)))) {
    abort_release("The query names a column twice.")
  }
  if (!is.null(json$cliques)) json$cliques <- lapply(json$cliques, unlist)
  whole <- intersect(c("degree", "unit_rows"), names(json))
  json[whole] <- lapply(json[whole], as.integer)
  members <- intersect(query_members(json$kind), names(json))
  check_read_query(do.call(new_query, json[members]))
}

query_members <- function(kind) {
  own <- list(moments = c("degree", "clip", "outside"), tables = "cliques")
  c("kind", "columns", "inputs", "relation", own[[kind]], "unit_rows")
}

columns_from_json <- function(json) {
  columns <- lapply(json, column_from_json)
  stats::setNames(columns, vapply(columns, function(column) column$name, ""))
}

column_from_json <- function(json) {
  steps <- c("lower_q", "upper_q", "centre_q", "missing_q")
  json[steps] <- lapply(json[steps], as.numeric)
  json$grid_exp <- as.integer(json$grid_exp)
  json["levels"] <- list(unlist(json$levels))
  json[c("name", "type", "lower_q", "upper_q", "centre_q", "grid_exp", "missing_q", "levels",
         intersect("expression", names(json)))]
}

check_read_query <- function(query) {
  for (column in c(query$columns, query$inputs)) {
    if (!column_is_sound(column, query)) {
      abort_release(c("The grid of column {.field {column$name}} is not one this package makes.",
                      "i" = "The file was edited or damaged."))
    }
  }
  check_unit_rows(query$unit_rows, query$relation)
  check_read_cliques(query)
  check_read_derived(query)
  check_distinct(query)
}

column_is_sound <- function(column, query) {
  kind <- query$kind
  bits <- query_bits(query)
  coded <- column$type %in% c("binary", "levels")
  if (coded) return(coded_is_sound(column, bits))
  middle <- if (kind == "tables") column$lower_q else floor((column$lower_q + column$upper_q) / 2)
  is.null(column$levels) && column$lower_q < column$upper_q && column$centre_q == middle &&
    max(abs(c(column$lower_q, column$upper_q))) <= 2^51 &&
    column_reach(column) <= 2^bits + 1 &&
    (bits == grid_bits || abs(column$grid_exp) <= max_grid_exp(bits)) &&
    column$missing_q >= column$lower_q && column$missing_q <= column$upper_q &&
    (column$type != "count" || all(c(column_lower(column), column_upper(column)) %% 1 == 0)) &&
    (kind != "tables" || (column$type == "count" && column$grid_exp == 0))
}

coded_is_sound <- function(column, bits) {
  levels <- column$levels
  kind <- if (length(levels) == 2) "binary" else "levels"
  if (length(levels) < 2 || anyDuplicated(levels) || column$type != kind) return(FALSE)
  declared <- list(type = column$type, levels = levels, missing = column$missing_q)
  expected <- snap_column(declared, column$name, bits)
  column$expression <- NULL
  identical(expected, column) && column$missing_q %in% (seq_along(levels) - 1)
}

check_read_moments <- function(query) {
  check_size(moment_count(query$columns, query$degree))
  check_powers(query$columns, query$degree)
}

check_read_cliques <- function(query) {
  if (query$kind != "tables") return(check_read_moments(query))
  known <- all(unlist(query$cliques) %in% names(query$columns))
  ordered <- known && all(vapply(query$cliques, function(clique) {
    !is.unsorted(match(clique, names(query$columns)), strictly = TRUE)
  }, NA))
  if (!ordered || anyDuplicated(query$cliques)) {
    abort_release("The tables of the query are not well formed.")
  }
  check_table_size(query$columns, query$cliques)
}
