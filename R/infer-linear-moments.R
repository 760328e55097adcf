# The released moments of a regression, and those that were not released because they
# are known: squares of indicators, and products of two indicators of one factor.

# All pairs of (1, x, y), row by row; index 0 is the constant.
moment_pairs <- function(columns) {
  size <- nrow(columns) + 1
  pairs <- expand.grid(col = seq_len(size) - 1L, row = seq_len(size) - 1L)
  pairs[pairs$row <= pairs$col, c("row", "col")]
}

# A binary square, or a product within a factor: nothing that a query would ask for.
is_known_pair <- function(columns, row, col) {
  same <- row > 0 & columns$column[pmax(row, 1)] == columns$column[pmax(col, 1)]
  same & columns$kind[pmax(row, 1)] != "number"
}

# Names as in the query: the column that was declared first comes first.
moment_labels <- function(columns, row, col) {
  swap <- row > 0 & columns$order[pmax(row, 1)] > columns$order[pmax(col, 1)]
  first <- columns$label[pmax(ifelse(swap, col, row), 1)]
  second <- columns$label[pmax(ifelse(swap, row, col), 1)]
  ifelse(col == 0, "n", paste0("sum(", ifelse(row > 0, paste0(first, "*"), ""), second, ")"))
}

# One row per released moment used, in natural units about the centres.
released_moments <- function(columns, observation) {
  pairs <- moment_pairs(columns)
  pairs <- pairs[pairs$col > 0 & !is_known_pair(columns, pairs$row, pairs$col), ]
  names <- moment_labels(columns, pairs$row, pairs$col)
  rows <- observation$statistics[match(names, observation$statistics$name), ]
  absent <- names[is.na(rows$name)]
  if (length(absent) > 0) abort_moment_absent(absent, names, observation)
  data.frame(statistic = names, row = pairs$row, col = pairs$col, value = rows$value,
             noise = rows$noise, scale = rows$scale, grid = rows$grid, terms = 1L,
             released = TRUE, censored = FALSE, row.names = NULL)
}

abort_moment_absent <- function(absent, needed, observation) {
  no_products <- all(grepl("*", absent, fixed = TRUE)) && !any(grepl(
    "*", observation$statistics$name, fixed = TRUE))
  abort_model(c("{.field {list_some(absent, 4)}} {?was/were} not released.",
                "i" = "Released were: {list_some(observation$statistics$name)}.",
                "i" = if (no_products) "A regression needs sums of products, too: a query with
                       {.code degree = 2}."))
}

# The density of sums is smooth, so their noise must be nearly so.
check_fine_grids <- function(moments) {
  coarse <- moments[moments$grid > fine_grid * moments$scale & moments$noise != "none", ]
  if (nrow(coarse) == 0) return()
  abort_model(c("Noise on sums must be nearly continuous for a regression.",
                "x" = "{.field {coarse$statistic[[1]]}} has a grid of
                       {format_number(coarse$grid[[1]])} and a scale of
                       {format_number(coarse$scale[[1]])}.",
                "i" = "The grid may be at most a hundredth of the scale."))
}

# --- known products ------------------------------------------------------------------

# Known products are held to their value with a tenth of the noise of the counts: tighter
# changes nothing but the time, and without them the noise of an indicator's variance
# would be counted as unknown.
tie_share <- 0.1

# data.frame(row, col, value, noise, scale, minus_row, minus_col, minus_weight): B(row, col) -
# minus_weight B(minus_row, minus_col) = value, in scaled coordinates.
known_products <- function(model) {
  columns <- model$columns
  pairs <- moment_pairs(columns)
  pairs <- pairs[is_known_pair(columns, pairs$row, pairs$col), ]
  ties <- lapply(seq_len(nrow(pairs)), function(k) {
    row <- pairs$row[[k]]
    col <- pairs$col[[k]]
    tie <- if (row == col) indicator_square(model, row) else new_tie()
    data.frame(row = row, col = col, tie, tie_noise(model, c(row, col)))
  })
  do.call(rbind, c(list(no_ties()), ties))
}

new_tie <- function(value = 0, minus_row = 0L, minus_col = 0L, minus_weight = 0) {
  data.frame(value = value, minus_row = minus_row, minus_col = minus_col,
             minus_weight = minus_weight)
}

no_ties <- function() {
  data.frame(row = integer(), col = integer(), value = numeric(), minus_row = integer(),
             minus_col = integer(), minus_weight = numeric(), noise = character(),
             scale = numeric())
}

# (x - c)^2 = (1 - 2 c) (x - c) + c (1 - c) for x = 0 and 1; the constant sums to n.
indicator_square <- function(model, row) {
  centre <- model$columns$centre[[row]]
  half <- model$columns$half[[row]]
  constant <- centre * (1 - centre) / half^2
  slope <- (1 - 2 * centre) / half
  if (slope == 0) return(new_tie(0, 0L, 0L, constant))
  if (constant == 0) return(new_tie(0, 0L, row, slope))
  if (model$size$status == "known") return(new_tie(constant * model$size$value, 0L, row, slope))
  abort_model(c("{.field {model$columns$column[[row]]}} must be about 0, 0.5 or 1 if n is noisy.",
                "x" = "Its centre is {format_number(centre)}."))
}

# Normal, with a tenth of the spread of the noise of the counts.
tie_noise <- function(model, columns) {
  counts <- model$moments[model$moments$row == 0 & model$moments$col %in% columns, ]
  spread <- noise_sd(counts$noise, counts$scale) / model$columns$half[counts$col]
  if (all(spread == 0)) return(data.frame(noise = "none", scale = 0))
  data.frame(noise = "gaussian", scale = tie_share * mean(spread[spread > 0]))
}

# --- scaled --------------------------------------------------------------------------

# Everything the core is told about moments, in scaled coordinates: dividing by half
# widths keeps noise independent, and nothing else is done to noisy numbers.
scaled_moments <- function(model) {
  half <- c(1, model$columns$half)
  unit <- half[model$moments$row + 1] * half[model$moments$col + 1]
  moments <- data.frame(row = model$moments$row, col = model$moments$col,
                        value = model$moments$value / unit, new_tie()[-1],
                        noise = model$moments$noise, scale = model$moments$scale / unit)
  size <- if (model$size$status != "known") {
    data.frame(row = 0L, col = 0L, new_tie(model$size$value), noise = model$size$noise,
               scale = model$size$scale)
  }
  rbind(size, moments, model$ties)
}
