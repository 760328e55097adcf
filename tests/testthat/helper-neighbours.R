# Neighbouring data sets, as the tally sees them.

# The change of the statistics between two neighbouring data sets, each in units
# of its weight: what sensitivity() bounds. Records are data frames with the rows
# in which the data sets differ; NULL stands for no rows.
neighbour_change <- function(query, record_a, record_b, norm) {
  change <- summed(query, record_a) - summed(query, record_b)
  change_norm(change / statistic_plan(query)$weight, norm)
}

# Sums of a few records are far below 2^53, so doubles hold them exactly.
summed <- function(query, records) {
  if (is.null(records)) return(numeric(nrow(statistic_plan(query))))
  as.numeric(tally_records(query, records)$sums)
}

change_norm <- function(change, norm) {
  if (norm == "L1") sum(abs(change)) else sqrt(sum(change^2))
}

# What each record adds to each statistic, one row per record: the tally of many
# one-record groups, which is one pass instead of one call per record.
contributions <- function(query, records) {
  rows <- seq_len(nrow(records))
  records[["..group"]] <- rows
  by <- list(column = snap_column(list(type = "levels", levels = as.character(rows), missing = 0),
                                  "..group"))
  groups <- tally_source(as_source(records), query, by)
  matrix(as.numeric(unlist(lapply(groups, `[[`, "sums"))), nrow = length(rows), byrow = TRUE)
}

# Records anyone could put into a data set: inside, on and beyond the bounds,
# missing, infinite, of unknown levels.
hostile_records <- function(query, count) {
  as.data.frame(lapply(stored_columns(query), function(column) {
    if (is.null(column$levels)) hostile_numbers(column, count) else hostile_levels(column, count)
  }), optional = TRUE)
}

hostile_numbers <- function(column, count) {
  lower <- column_lower(column)
  upper <- column_upper(column)
  width <- upper - lower
  special <- c(lower, upper, lower, upper, lower - width, upper + width, column_centre(column),
               lower + column_step(column) / 2, upper - column_step(column) / 2, NA, NaN, Inf, -Inf,
               1e308, -1e308, 5e-324, 0)
  ifelse(stats::runif(count) < 0.6, sample(special, count, replace = TRUE),
         stats::runif(count, lower, upper))
}

hostile_levels <- function(column, count) {
  sample(c(column$levels, column$levels, "no such level", "", NA), count, replace = TRUE)
}

# Records at the corners of the domain: numbers at a bound, levels at random.
corner_records <- function(query, count) {
  as.data.frame(lapply(stored_columns(query), function(column) {
    sample(if (is.null(column$levels)) column_ends(column) else column$levels, count,
           replace = TRUE)
  }), optional = TRUE)
}

column_ends <- function(column) c(column_lower(column), column_upper(column))

# Values of one column among which a search looks for the worst.
column_candidates <- function(column) {
  if (!is.null(column$levels)) return(column$levels)
  seq(column_lower(column), column_upper(column), length.out = 41)
}
