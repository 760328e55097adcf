# Which statistics a query asks for, in order, with what one record can
# contribute. Everything here is public.

#' The statistics a query asks for
#'
#' @param query A query.
#' @param ... Unused.
#' @return A data frame with one row per statistic: its `name`, the `lower` and
#'   `upper` bound of what one record contributes, and the `grid` its released
#'   value lives on, all in natural units about the public centre.
#' @family query
#' @examples
#' statistics(query_moments(domain(x = c(0, 10), y = c(-1, 1)), "add_remove"))
#' @export
statistics <- function(query, ...) UseMethod("statistics")

#' @export
statistics.default <- function(query, ...) {
  check_class(query, "query", "noiseaware_query", "query_moments")
}

#' @export
statistics.noiseaware_query <- function(query, ...) {
  plan <- statistic_plan(query)
  grid <- 2^-plan$grid_exp
  data.frame(name = plan$name, lower = plan$lower * grid, upper = plan$upper * grid, grid = grid)
}

# Internal form: name, weight (the largest |contribution| in grid steps),
# lower and upper contribution in grid steps, grid_exp, and where the core
# finds the sum. Two atoms per moment: `atom1`, `atom2` (0 = the constant 1);
# higher moments have four factors, see power_plan().
statistic_plan <- function(query) UseMethod("statistic_plan")

#' @export
statistic_plan.noiseaware_query_moments <- function(query) {
  if (query$degree > 2) return(power_plan(query))
  atoms <- query_atoms(query)
  pairs <- atom_pairs(atoms, query)
  first <- atoms[pairs$atom1 + 1, ]
  second <- atoms[pairs$atom2 + 1, ]
  range <- product_range(first, second, pairs$atom1 == pairs$atom2)
  # A count of records moves in steps of 2^-grid_bits, like every other count.
  unit <- ifelse(pairs$atom2 == 0, grid_bits, 0L)
  plan <- data.frame(name = moment_names(first, second),
                     weight = first$reach * second$reach * 2^unit,
                     lower = range$lower * 2^unit, upper = range$upper * 2^unit,
                     grid_exp = first$grid_exp + second$grid_exp + unit, pairs)
  row.names(plan) <- NULL
  plan
}

# The constant 1 and every column or level that can be a factor of a moment.
# The constant has grid_exp 0 and reach 1, so a linear term keeps its column's.
query_atoms <- function(query) {
  constant <- data.frame(column = 0L, level = 0L, label = "", grid_exp = 0L, lower = 1, upper = 1,
                         reach = 1, binary = FALSE)
  atoms <- Map(column_atoms, query$columns, seq_along(query$columns))
  do.call(rbind, c(list(constant), unname(atoms)))
}

column_atoms <- function(column, index) {
  if (is_numeric_column(column)) {
    return(data.frame(column = index, level = 0L, label = column$name, grid_exp = column$grid_exp,
                      lower = column$lower_q - column$centre_q,
                      upper = column$upper_q - column$centre_q, reach = column_reach(column),
                      binary = column$type == "binary"))
  }
  data.frame(column = index, level = seq_along(column$levels),
             label = paste0(column$name, "=", column$levels), grid_exp = column$grid_exp, lower = 0,
             upper = column$upper_q, reach = column$upper_q, binary = FALSE)
}

# Sums in domain order, then products of the upper triangle; n first where it
# is noisy. Squares of binary columns and products within a factor are known.
atom_pairs <- function(atoms, query) {
  last <- nrow(atoms) - 1
  linear <- data.frame(atom1 = 0L, atom2 = seq_len(last))
  pairs <- if (query$degree == 2) rbind(linear, quadratic_pairs(atoms)) else linear
  if (!identical(query$relation, "add_remove")) return(pairs)
  rbind(data.frame(atom1 = 0L, atom2 = 0L), pairs)
}

quadratic_pairs <- function(atoms) {
  last <- nrow(atoms) - 1
  grid <- expand.grid(atom2 = seq_len(last), atom1 = seq_len(last))[2:1]
  first <- atoms[grid$atom1 + 1, ]
  second <- atoms[grid$atom2 + 1, ]
  known <- (grid$atom1 == grid$atom2 & first$binary) |
    (first$column == second$column & first$level > 0)
  grid[grid$atom1 <= grid$atom2 & !known, ]
}

# What the product of two atoms can be; a square cannot be negative.
product_range <- function(first, second, square) {
  corners <- cbind(first$lower * second$lower, first$lower * second$upper,
                   first$upper * second$lower, first$upper * second$upper)
  lower <- do.call(pmin, as.data.frame(corners))
  upper <- do.call(pmax, as.data.frame(corners))
  list(lower = ifelse(square, pmax(lower, 0), lower), upper = upper)
}

moment_names <- function(first, second) {
  label <- ifelse(nzchar(first$label), paste0(first$label, "*", second$label), second$label)
  ifelse(nzchar(label), paste0("sum(", label, ")"), "n")
}

#' @export
statistic_plan.noiseaware_query_tables <- function(query) {
  cells <- Map(clique_plan, query$cliques, seq_along(query$cliques), MoreArgs = list(query = query))
  if (table_needs_n(query)) {
    cells <- c(list(data.frame(name = "n", clique = 0L, cell = 0L)), cells)
  }
  plan <- do.call(rbind, cells)
  unit <- 2^grid_bits
  data.frame(name = plan$name, weight = unit, lower = 0, upper = unit, grid_exp = grid_bits,
             plan[c("clique", "cell")])
}

# Cells of one table, first column fastest; the single count of a binary
# column is its second level.
clique_plan <- function(clique, index, query) {
  labels <- Map(function(column, name) paste0(name, "=", category_labels(column)),
                query$columns[clique], clique)
  cells <- do.call(paste, c(expand.grid(labels, stringsAsFactors = FALSE), sep = ","))
  keep <- if (is_single_count(clique, query)) 2L else seq_along(cells)
  data.frame(name = paste0("count(", cells[keep], ")"), clique = index, cell = keep - 1L)
}

# The number of statistics of a moment query, without listing them.
moment_count <- function(columns, degree) {
  numeric <- vapply(columns, is_numeric_column, NA)
  p <- sum(numeric)
  binary <- sum(vapply(columns[numeric], function(column) column$type == "binary", NA))
  blocks <- vapply(columns[!numeric], function(column) as.double(length(column$levels)), 0)
  linear <- p + sum(blocks)
  if (degree == 1) return(linear)
  if (degree > 2) return(choose(p + degree, degree) - 1)
  linear + p * (p + 1) / 2 - binary + p * sum(blocks) + (sum(blocks)^2 - sum(blocks^2)) / 2
}

# The largest number of statistics a release file may hold.
max_statistics <- 20000

check_size <- function(count) {
  if (count > max_statistics) {
    abort_query(c("The query asks for more than {max_statistics} statistics.",
                  "x" = "It asks for {format(count, big.mark = ',')}.",
                  "i" = "Use fewer columns, fewer levels or smaller tables."))
  }
}

# Levels such as "1,b=2" could make two statistics look the same.
check_distinct <- function(query) {
  names <- plan_names(query)
  twice <- unique(names[duplicated(names)])
  if (length(twice) > 0) {
    abort_query(c("Two statistics would have the same name, {.val {twice[[1]]}}.",
                  "i" = "Rename the columns or levels."))
  }
  query
}

plan_names <- function(query) statistic_plan(query)$name
