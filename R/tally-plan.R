# A query in the form the core adds up: grids and positions, nothing else.

core_plan <- function(query, by = NULL) {
  plan <- list(kind = query$kind, columns = unname(lapply(query$columns, core_column)),
               group = core_group(by), public_n = identical(query$relation, "replace_one"))
  c(plan, core_terms(query))
}

core_column <- function(column) {
  c(column[c("type", "lower_q", "upper_q", "centre_q", "grid_exp", "missing_q")],
    categories = category_count(column))
}

# The number of groups and the group of a row whose level is not declared.
core_group <- function(by) {
  if (is.null(by)) return(NULL)
  list(categories = category_count(by$column), missing_q = by$column$missing_q)
}

core_terms <- function(query) UseMethod("core_terms")

#' @export
core_terms.noiseaware_query_moments <- function(query) {
  terms <- if (query$degree > 2) power_terms(query) else pair_terms(query)
  c(terms, list(redact = query$outside == "redact"), core_derived(query))
}

# Four columns, from 1, after zeros.
power_terms <- function(query) {
  terms <- unname(as.matrix(statistic_plan(query)[paste0("factor", 1:4)]))
  list(terms = terms, degree = query$degree)
}

pair_terms <- function(query) {
  atoms <- query_atoms(query)
  plan <- statistic_plan(query)
  first <- atoms[plan$atom1 + 1, ]
  second <- atoms[plan$atom2 + 1, ]
  # Columns from 1 (0 is the constant), levels from 0.
  terms <- cbind(first$column, pmax(first$level - 1L, 0L),
                 second$column, pmax(second$level - 1L, 0L))
  storage.mode(terms) <- "integer"
  list(terms = terms, products = query$degree == 2)
}

# Derived columns: where each is in the query, its steps, and which of the stored
# columns are inputs of any. Queries without them have no such members.
core_derived <- function(query) {
  derived <- which(vapply(query$columns, is_derived, NA))
  if (length(derived) == 0) return(NULL)
  trees <- lapply(query$columns[derived], function(column) parse_expression(column$expression))
  used <- unique(unlist(lapply(trees, tree_names)))
  steps <- unname(Map(function(tree, at) c(list(column = at), expression_program(tree, used)),
                      trees, unname(derived)))
  list(inputs = unname(lapply(query$inputs, core_column)), derived = steps,
       used = match(used, names(stored_columns(query))))
}

#' @export
core_terms.noiseaware_query_tables <- function(query) {
  plan <- statistic_plan(query)
  list(cliques = lapply(query$cliques, function(clique) match(clique, names(query$columns)) - 1L),
       cells = cbind(plan$clique - 1L, plan$cell))
}
