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
  counted <- observation$origin == "tally"
  source <- if (counted) "counted in the records" else "public and exact"
  if (!is.null(observation$n)) return(new_size("known", observation$n, source))
  row <- observed_statistic(observation, "n")
  if (is.null(row)) return(new_size("unknown", NA_real_))
  size_from_statistics(row, "released as n")
}

# `terms` is the number of noisy statistics that were added up to get the value;
# `statistics` are their names.
new_size <- function(status, value, source = NULL, noise = "none", scale = 0, grid = 0,
                     terms = 1L, statistics = character()) {
  list(status = status, value = as.double(value), source = source, noise = noise, scale = scale,
       grid = grid, terms = terms, statistics = statistics)
}

# Statistics that add up to n, with the noise of all of them.
size_from_statistics <- function(rows, source) {
  value <- sum(rows$value)
  if (all(rows$noise == "none")) {
    return(new_size("known", value, paste(source, "and exact"), statistics = rows$name))
  }
  new_size("noisy", value, source, rows$noise[[1]], rows$scale[[1]], rows$grid[[1]], nrow(rows),
           rows$name)
}

# A whole table adds up to n. Of several, the one whose sum has the least noise.
size_from_tables <- function(observation) {
  cliques <- unique(statistic_columns(observation))
  tables <- Filter(Negate(is.null), lapply(cliques, whole_table, observation))
  if (length(tables) == 0) return(new_size("unknown", NA_real_))
  spread <- vapply(tables, function(table) sum(noise_sd(table$rows$noise, table$rows$scale)^2), 0)
  best <- tables[[which.min(spread)]]
  size_from_statistics(best$rows, paste("sum of the table of", best$title))
}

# The columns of every statistic, in the order of its name: c("a", "b") for
# count(a=1,b=2) or sum(a=1*b), none for n.
statistic_columns <- function(observation) {
  atoms <- name_atoms(observation)
  pattern <- "^(count|sum)[(](.*)[)]$"
  lapply(observation$statistics$name, function(name) {
    if (!grepl(pattern, name)) return(character())
    separator <- if (startsWith(name, "sum(")) "*" else ","
    found <- match_columns(sub(pattern, "\\2", name), atoms, separator)
    if (is.null(found)) character() else unique(found)
  })
}

# What names of statistics are made of: a column, or one of its levels.
name_atoms <- function(observation) {
  each <- lapply(observation$columns, function(column) {
    levels <- column_levels(column, observation$kind)
    label <- c(column$name, paste0(column$name, "=", levels, recycle0 = TRUE))
    data.frame(column = column$name, label = label)
  })
  do.call(rbind, unname(each))
}

# Matches declared labels instead of splitting at the separator, which a level may
# hold. NULL if the text is not made of labels.
match_columns <- function(text, atoms, separator) {
  whole <- match(text, atoms$label)
  if (!is.na(whole)) return(atoms$column[[whole]])
  for (first in which(startsWith(text, paste0(atoms$label, separator)))) {
    rest <- substring(text, nchar(atoms$label[[first]]) + 2)
    found <- match_columns(rest, atoms, separator)
    if (!is.null(found)) return(c(atoms$column[[first]], found))
  }
  NULL
}

# The cells of a table if all were released with the same noise, else NULL. Sums of
# discrete Gaussian noise are Gaussian only if it is not much coarser than its grid.
whole_table <- function(columns, observation) {
  if (observation$kind != "tables" || length(columns) == 0) return(NULL)
  levels <- lapply(observation$columns[columns], column_levels, kind = observation$kind)
  if (prod(lengths(levels)) > nrow(observation$statistics)) return(NULL)
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
  sd <- sqrt(terms) * noise_sd(noise, scale)
  paste0(words[noise], ifelse(noise == "none", "", paste0(", sd ", format_number(sd))))
}

# What a missing number becomes; that of a derived column is told in words.
missing_text <- function(column) {
  if (is.numeric(column$missing)) format_number(column$missing) else column$missing
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
