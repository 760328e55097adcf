# What privacy budgets are worth and how they add up. Ledger amounts are whole
# numbers of 1e-12, as text: epsilon, rho or mu^2, the units in which costs add.
# Conversions to (epsilon, delta) are in doubles, for reports.

# The decimal the user typed, in whole units of 1e-12, rounded down. 15 digits
# give back every decimal that was typed with 15 digits or fewer.
units_from_number <- function(x, arg) {
  check_number(x, arg, 0, open = TRUE)
  units <- if (x < 1e7) units_from_decimal_cpp(sprintf("%.15g", x)) else "0"
  if (units == "0" || nchar(units) > 19) {
    abort_argument(arg, x, "a number of at least 1e-12 and below 1e7")
  }
  units
}

units_sum <- function(units) units_add_cpp(units)

# x^2 in units, rounded down: mu^2 of a typed mu.
square_units <- function(units) units_square_cpp(units)

# Releases from the same records: costs add.
compose_sequential <- function(costs) units_sum(check_costs(costs, "costs"))

# Releases from disjoint groups. Adding or removing a record touches one group.
# Replacing one may move it, which costs two groups an addition and a removal:
# `add_remove` has the cost of each group under that relation, `replace_one`
# the cost of a replacement within it.
compose_parallel <- function(relation, add_remove, replace_one = NULL) {
  relation <- check_choice(relation, "relation", c("add_remove", "replace_one"))
  add_remove <- check_costs(add_remove, "add_remove")
  if (relation == "add_remove") return(units_parallel_cpp(add_remove, NULL))
  replace_one <- check_costs(replace_one, "replace_one")
  if (length(replace_one) != length(add_remove)) {
    abort_input("{.arg add_remove} and {.arg replace_one} must have one cost for each group.")
  }
  units_parallel_cpp(add_remove, replace_one)
}

check_costs <- function(x, arg) {
  if (!(is.character(x) && length(x) > 0 && all(grepl("^(0|[1-9][0-9]{0,36})$", x)))) {
    abort_argument(arg, x, "whole numbers of 1e-12 as decimal strings")
  }
  x
}

# delta at epsilon of a Gaussian mechanism, and its inverses.
gdp_delta <- function(epsilon, mu) {
  gdp_delta_cpp(check_number(epsilon, "epsilon", 0), check_number(mu, "mu", 0))
}

gdp_epsilon <- function(delta, mu) {
  gdp_epsilon_cpp(check_number(delta, "delta", 0, 1, open = TRUE), check_number(mu, "mu", 0))
}

gdp_mu <- function(epsilon, delta) {
  gdp_mu_cpp(check_number(epsilon, "epsilon", 0),
             check_number(delta, "delta", 0, 1, open = TRUE))
}

# The same from zero-concentrated privacy: upper bounds.
zcdp_delta <- function(rho, epsilon) {
  zcdp_delta_cpp(check_number(rho, "rho", 0), check_number(epsilon, "epsilon", 0))
}

zcdp_epsilon <- function(rho, delta) {
  zcdp_epsilon_cpp(check_number(rho, "rho", 0),
                   check_number(delta, "delta", 0, 1, open = TRUE))
}

# epsilon at delta of steps planned in advance, under add_remove, by numerical
# composition of privacy loss distributions. Each step is a list with `kind` and
# `count`, and either `sigma` and `rate` (subsampled_gaussian) or `epsilon`
# (laplace for one number, pure for anything else).
pld_epsilon <- function(steps, delta) {
  delta <- check_number(delta, "delta", 1e-10, 1 - 1e-10)
  if (!(is.list(steps) && length(steps) > 0)) {
    abort_argument("steps", steps, "a list with at least one step")
  }
  steps <- lapply(steps, check_pld_step)
  tryCatch(pld_epsilon_cpp(steps, delta), error = function(e) {
    abort_input(c("The steps cannot be composed.", "x" = "{conditionMessage(e)}"))
  })
}

check_pld_step <- function(step) {
  if (!(is.list(step) && !is.null(step$kind) && !is.null(step$count))) {
    abort_argument("steps", step, "a list of lists with `kind` and `count`")
  }
  kind <- check_choice(step$kind, "kind", c("subsampled_gaussian", "laplace", "pure"))
  count <- check_whole(step$count, "count", 1, 1e8)
  if (kind != "subsampled_gaussian") {
    return(list(kind = kind, count = count,
                epsilon = check_number(step$epsilon, "epsilon", 0, open = TRUE)))
  }
  list(kind = kind, count = count, sigma = check_number(step$sigma, "sigma", 0, open = TRUE),
       rate = check_pld_rate(step$rate))
}

check_pld_rate <- function(rate) {
  rate <- check_number(rate, "rate", 0, 1)
  if (rate == 0) abort_argument("rate", rate, "a number above 0 and at most 1")
  rate
}
