# Table queries: contingency tables of declared levels.

#' Ask for contingency tables
#'
#' A table query asks for the counts of every combination of levels of each
#' clique of columns. Cells come from the declared levels, so empty cells are
#' released too. The table of one binary column is its single count.
#'
#' @inheritParams query_moments
#' @param cliques Which tables: a formula such as `~ a:b + b:c`, or a list of
#'   character vectors. Cliques may nest: `~ a + a:b` releases both tables.
#' @param ... `unit_rows`, see [query_moments()].
#' @return A query of class `noiseaware_query`.
#' @details Under `"add_remove"` the number of records is released as the
#'   statistic `n`, unless some table already adds up to it.
#' @family query
#' @examples
#' clinic <- domain(smoker = dom_binary(), region = c("north", "east", "south"))
#' query_tables(clinic, ~ smoker + smoker:region, relation = "replace_one")
#' @export
query_tables <- function(domain, cliques, relation = NULL, ...) {
  check_class(domain, "domain", "noiseaware_domain", "domain")
  unit_rows <- table_options(...)
  relation <- check_relation(relation)
  cliques <- check_cliques(as_cliques(cliques), domain)
  used <- names(domain)[names(domain) %in% unlist(cliques)]
  columns <- snap_table_columns(domain[used])
  check_table_size(columns, cliques)
  check_distinct(new_query("tables",
    columns = columns, relation = relation, cliques = cliques,
    unit_rows = check_unit_rows(unit_rows, relation)
  ))
}

table_options <- function(..., unit_rows = 1) {
  if (...length() > 0) {
    abort_query(c("{.fn query_tables} takes no further arguments than {.arg unit_rows}.",
                  "i" = "Name it: {.code unit_rows = 2}."))
  }
  unit_rows
}

# A formula gives its interaction terms; a list is taken as it is.
as_cliques <- function(cliques) {
  if (is.character(cliques)) return(as.list(cliques))
  if (is.list(cliques) && all(vapply(cliques, is.character, NA))) return(unname(cliques))
  if (!inherits(cliques, "formula") || length(cliques) != 2) {
    abort_argument("cliques", cliques, "a formula such as ~ a:b + b:c, or a list of column names")
  }
  lapply(formula_sum(cliques[[2]]), formula_clique)
}

# Terms joined by `+`, as expressions. Only names, `:` and `+` have a meaning
# here; anything else would be evaluated on data elsewhere in R.
formula_sum <- function(expr) {
  if (is.call(expr) && identical(expr[[1]], quote(`+`)) && length(expr) == 3) {
    return(c(formula_sum(expr[[2]]), formula_sum(expr[[3]])))
  }
  if (is.call(expr) && identical(expr[[1]], quote(`(`))) return(formula_sum(expr[[2]]))
  list(expr)
}

formula_clique <- function(expr) {
  if (is.name(expr)) return(as.character(expr))
  if (is.call(expr) && identical(expr[[1]], quote(`:`))) {
    return(c(formula_clique(expr[[2]]), formula_clique(expr[[3]])))
  }
  text <- paste(deparse(expr), collapse = " ")
  abort_query(c("A clique is column names joined by {.code :}.", "x" = "You gave {.code {text}}.",
                "i" = "For example {.code ~ a + a:b}."))
}

check_cliques <- function(cliques, domain) {
  unknown <- setdiff(unlist(cliques), names(domain))
  if (length(unknown) > 0) {
    abort_query(c("{.arg cliques} names {.field {unknown}}, not in the domain.",
                  "i" = "The domain has {.field {names(domain)}}."))
  }
  cliques <- lapply(cliques, function(clique) names(domain)[names(domain) %in% clique])
  if (any(lengths(cliques) == 0)) {
    abort_query("Each table of {.arg cliques} needs at least one column.")
  }
  if (length(cliques) == 0 || anyDuplicated(cliques)) {
    abort_query(c("{.arg cliques} must name each table once.",
                  "i" = "The same columns in another order are the same table."))
  }
  cliques
}

# A table needs levels: declared ones, or the whole numbers of a count column,
# whose grid is then the numbers themselves.
snap_table_columns <- function(domain) {
  for (name in names(domain)) {
    if (is_derived(domain[[name]])) {
      abort_query(c("A table needs declared columns.", "x" = "{.field {name}} is derived.",
                    "i" = "Derived columns can be asked for with {.fn query_moments}."))
    }
    if (domain[[name]]$type == "real") {
      abort_query(c("A table needs columns with levels.", "x" = "{.field {name}} is continuous.",
                    "i" = "Declare levels, or use {.fn query_moments}."))
    }
  }
  columns <- snap_columns(new_domain(unclass(domain)))
  lapply(columns, function(column) if (column$type == "count") whole_grid(column) else column)
}

whole_grid <- function(column) {
  lower <- column_lower(column)
  if (max(abs(c(lower, column_upper(column)))) > 2^51) {
    abort_query(c("The bounds of {.field {column$name}} are too far from 0 to count whole numbers.",
                  "i" = "Subtract a public constant from the column first."))
  }
  missing <- floor(column$missing_q * column_step(column) + 0.5)
  column[c("lower_q", "upper_q", "centre_q", "missing_q")] <-
    list(lower, column_upper(column), lower, missing)
  column$grid_exp <- 0L
  column
}

# Labels of the categories of a column in a table, in code order.
category_labels <- function(column) {
  if (!is.null(column$levels)) return(column$levels)
  sprintf("%.0f", seq(column$lower_q, column$upper_q))
}

category_count <- function(column) {
  if (is.null(column$levels)) column$upper_q - column$lower_q + 1 else length(column$levels)
}

check_table_size <- function(columns, cliques) {
  check_size(sum(vapply(cliques, function(clique) {
    prod(vapply(columns[clique], category_count, 0))
  }, 0)))
}

# One column of two levels: its table is a single count.
is_single_count <- function(clique, query) {
  length(clique) == 1 && category_count(query$columns[[clique]]) == 2
}

# Under add_remove some statistic must tell n; a whole table already does.
table_needs_n <- function(query) {
  identical(query$relation, "add_remove") &&
    all(vapply(query$cliques, is_single_count, NA, query = query))
}

#' @export
query_title.noiseaware_query_tables <- function(query) {
  tables <- vapply(query$cliques, paste, "", collapse = ":")
  paste0(plural(length(tables), "table"), ": ", paste(tables, collapse = ", "), " (",
         plural(nrow(statistic_plan(query)), "statistic"), ")")
}
