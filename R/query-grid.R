# The public integer grid of a column: a cell becomes an
# integer multiple of 2^-grid_exp about a public centre, so that every sum is
# exact and every output lies on a lattice that does not depend on the data.

# Bits per half range. 2^20 steps keep sums of products of 2^86 records within
# 128 bits and the rounding of a cell below one part in a million.
grid_bits <- 20L

# Products of three or four cells need coarser ones: with at most 2^14 + 1 or
# 2^11 + 1 steps a product stays below 2^42.001 or 2^44.003. Weights are then exact
# in doubles, noise scales up to 2^17 sensitivities per unit of budget stay below the
# 2^62 that samplers take, and sums of 2^40 records below 2^85.
moment_bits <- function(degree) c(grid_bits, grid_bits, 14L, 11L)[[degree]]

query_bits <- function(query) if (is.null(query$degree)) grid_bits else moment_bits(query$degree)

# Steps of a product of `degree` cells are 2^-grid_exp to that power; files hold
# exponents up to 200.
max_grid_exp <- function(bits) {
  if (bits == grid_bits) 90 else if (bits == moment_bits(3)) 60 else 45
}

# A column with its grid: bounds, centre and missing value as whole numbers of
# grid steps. Doubles hold them exactly (at most 2^51).
snap_column <- function(column, name, bits = grid_bits) {
  if (is_derived(column)) return(snap_derived(column, name, bits))
  grid <- switch(column$type,
    real = , count = snap_range(column$lower, column$upper, name, bits),
    binary = snap_range(0, 1, name, bits),
    levels = list(lower_q = 0, upper_q = 2^grid_bits, centre_q = 0, grid_exp = grid_bits)
  )
  c(list(name = name, type = column$type), grid, missing_q = snap_missing(column, grid),
    list(levels = column$levels))
}

snap_range <- function(lower, upper, name, bits = grid_bits) {
  half <- upper / 2 - lower / 2
  exponent <- ceiling_log2(half)
  k <- bits - max(exponent, ceiling_log2(max(abs(lower), abs(upper))) - 51 + bits)
  lower_q <- floor(lower * 2^k + 0.5)
  upper_q <- floor(upper * 2^k + 0.5)
  if (abs(k) > max_grid_exp(bits) || lower_q >= upper_q) {
    abort_query(c(
      "The bounds of {.field {name}} are too wide, too close to 0 or too close to each other.",
      "x" = "You gave [{lower}, {upper}].",
      "i" = "Rescale the column, or subtract a public constant from it first."
    ))
  }
  list(lower_q = lower_q, upper_q = upper_q, centre_q = floor((lower_q + upper_q) / 2),
       grid_exp = as.integer(k))
}

# The smallest e with 2^e >= x; log2() alone may be off by one unit at powers of two.
ceiling_log2 <- function(x) {
  e <- ceiling(log2(x))
  if (2^e < x) return(e + 1)
  if (2^(e - 1) >= x) return(e - 1)
  e
}

# Levels and binary columns: the code of the level, from 0. Others: grid steps.
snap_missing <- function(column, grid) {
  if (column$type %in% c("levels", "binary")) return(column$missing)
  if (is.null(column$missing)) return(grid$centre_q)
  floor(column$missing * 2^grid$grid_exp + 0.5)
}

# The largest distance from the centre, in grid steps: M of the privacy vignette.
column_reach <- function(column) {
  max(column$upper_q - column$centre_q, column$centre_q - column$lower_q)
}

column_step <- function(column) 2^-column$grid_exp
column_centre <- function(column) column$centre_q * column_step(column)
column_lower <- function(column) column$lower_q * column_step(column)
column_upper <- function(column) column$upper_q * column_step(column)

is_numeric_column <- function(column) column$type != "levels"

# What a reader of the release may know of a column, in natural units.
describe_column <- function(column) {
  described <- list(name = column$name, type = column$type, lower = column_lower(column),
                    upper = column_upper(column), centre = column_centre(column))
  if (!is.null(column$levels)) described$levels <- column$levels
  if (is_derived(column)) {
    described$missing <- paste(column$expression, "with missing inputs at their constants")
    described$expression <- column$expression
  } else if (!is.null(column$levels)) {
    described$missing <- column$levels[[column$missing_q + 1]]
  } else {
    described$missing <- column$missing_q * column_step(column)
  }
  described
}
