# Reading an observation: everything a model may know about the release.

#' @export
observe.noiseaware_observation <- function(x, ...) x

# The row of one statistic, or NULL if it was not released.
observed_statistic <- function(observation, name) {
  row <- match(name, observation$statistics$name)
  if (is.na(row)) NULL else observation$statistics[row, ]
}

# The number of records: known, noisy, or unknown. A released n without noise is
# known; a public n wins over a noisy one.
observed_size <- function(observation) {
  if (!is.null(observation$n)) return(new_size("known", observation$n, "public"))
  row <- observed_statistic(observation, "n")
  if (is.null(row)) return(new_size("unknown", NA_real_))
  size_from_statistics(row, "released as n")
}

# `terms` is the number of noisy statistics that were added up to get the value.
new_size <- function(status, value, source = NULL, noise = "none", scale = 0, grid = 0,
                     terms = 1L) {
  list(status = status, value = as.double(value), source = source, noise = noise, scale = scale,
       grid = grid, terms = terms)
}

# Statistics that add up to n, with the noise of all of them.
size_from_statistics <- function(rows, source) {
  value <- sum(rows$value)
  if (all(rows$noise == "none")) return(new_size("known", value, source))
  new_size("noisy", value, source, rows$noise[[1]], rows$scale[[1]], rows$grid[[1]], nrow(rows))
}

# A whole table of one or two columns adds up to n. Of several, the one whose sum
# has the least noise.
size_from_tables <- function(observation) {
  columns <- names(observation$columns)
  pairs <- if (length(columns) > 1) utils::combn(columns, 2, simplify = FALSE)
  tables <- Filter(Negate(is.null), lapply(c(as.list(columns), pairs), whole_table, observation))
  if (length(tables) == 0) return(new_size("unknown", NA_real_))
  spread <- vapply(tables, function(table) nrow(table$rows) * table$rows$scale[[1]]^2, 0)
  best <- tables[[which.min(spread)]]
  size_from_statistics(best$rows, paste("sum of the table of", best$title))
}

# The cells of a table if all were released with the same noise, else NULL. Sums of
# discrete Gaussian noise are Gaussian only if it is not much coarser than its grid.
whole_table <- function(columns, observation) {
  levels <- lapply(observation$columns[columns], column_levels, kind = observation$kind)
  if (observation$kind != "tables" || any(vapply(levels, is.null, NA))) return(NULL)
  labels <- Map(function(name, level) paste0(name, "=", level), columns, levels)
  cells <- do.call(paste, c(unname(expand.grid(labels, stringsAsFactors = FALSE)), sep = ","))
  rows <- observation$statistics[match(paste0("count(", cells, ")"), observation$statistics$name), ]
  alike <- !anyNA(rows$name) && nrow(unique(rows[c("noise", "scale", "grid")])) == 1
  if (!alike) return(NULL)
  if (rows$noise[[1]] == "gaussian" && rows$scale[[1]] < 2 * rows$grid[[1]]) return(NULL)
  list(rows = rows, title = paste(columns, collapse = ":"))
}

# Noise of a statistic in words: "Laplace noise, sd 14.1".
describe_noise <- function(noise, scale, terms = 1) {
  words <- c(laplace = "Laplace noise", gaussian = "Gaussian noise", none = "no noise")
  sd <- sqrt(ifelse(noise == "laplace", 2, 1) * terms) * scale
  paste0(words[noise], ifelse(noise == "none", "", paste0(", sd ", format_number(sd))))
}

# Four significant digits without scientific notation where that is readable.
format_number <- function(x) {
  vapply(x, function(value) {
    if (is.na(value)) return("NA")
    plain <- abs(value) < 1e15 && (value == 0 || abs(value) >= 1e-5)
    if (plain && value == round(value)) return(format(value, big.mark = ",", scientific = FALSE))
    format(signif(value, 4), big.mark = ",", scientific = !plain)
  }, "")
}

# "a, b, c, ... (12 in all)", for messages and print-outs.
list_some <- function(x, most = 10) {
  if (length(x) <= most) return(paste(x, collapse = ", "))
  paste0(paste(x[seq_len(most)], collapse = ", "), ", ... (", length(x), " in all)")
}
