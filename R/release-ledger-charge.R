# What a mechanism costs in the unit of a ledger, and what to say when the
# budget does not allow it. All amounts are whole numbers of 1e-12 as text.

# What the core needs to charge one release of `size` statistics, and what
# abort_overspend() needs if it refuses. The core decides under its lock; looking
# first saves the work of a release that cannot be paid for.
ledger_charge <- function(ledger, mechanism, query_id, size) {
  check_class(ledger, "ledger", "noiseaware_ledger", "ledger_open")
  cost <- ledger_cost(mechanism, ledger)
  state <- ledger_state(ledger)
  if (units_above(cost, state$left)) {
    abort_overspend(list(spent = state$spent, asked = cost, left = state$left), ledger)
  }
  list(path = ledger$path, unit = ledger$unit, cost = cost, query = query_id,
       size = check_whole(size, "size", 1, 999999999), mechanism = mechanism$name,
       population = ledger$population, budget_units = ledger$budget_units)
}

# Ties a published release to its charge by the hash of its payload.
ledger_note <- function(ledger, release_hash) {
  invisible(check_ledger_answer(ledger_note_cpp(ledger$path, release_hash), ledger$path))
}

ledger_cost <- function(mechanism, ledger) {
  check_class(mechanism, "mechanism", "noiseaware_mech", "mech_laplace")
  price <- list(pure = cost_in_epsilon, zcdp = cost_in_rho, gdp = cost_in_mu2)[[ledger$unit]]
  price(mechanism)
}

# Mechanisms whose loss is bounded by epsilon, whatever comes out.
is_pure <- function(mechanism) mechanism$name %in% c("laplace", "exponential")

cost_in_epsilon <- function(mechanism) {
  if (is_pure(mechanism)) return(mechanism$epsilon_units)
  abort_ledger(c(
    "A ledger opened with {.arg epsilon} alone cannot be charged for Gaussian noise.",
    "x" = "Gaussian noise has no finite epsilon: its delta is never 0.",
    "i" = "Use {.fn mech_laplace}, or open the ledger with {.arg delta} too, or with {.arg rho}."
  ))
}

# Pure epsilon is epsilon^2 / 2, Gaussian mu^2 / 2, both rounded up.
cost_in_rho <- function(mechanism) {
  if (is_pure(mechanism)) return(rho_units_cpp(mechanism$epsilon_units, TRUE))
  rho_units_cpp(mechanism$mu2_units, FALSE)
}

cost_in_mu2 <- function(mechanism) {
  if (mechanism$name == "gaussian") return(mechanism$mu2_units)
  what <- if (mechanism$name == "laplace") "Laplace noise" else "the exponential mechanism"
  abort_ledger(c(
    "A ledger that adds up mu^2 cannot be charged for {what}.",
    "x" = "Its sum is exact for Gaussian noise only, and would be wrong for a mixture.",
    "i" = "Use {.fn mech_gaussian}, or a ledger opened with {.arg rho}, which takes both."
  ))
}

# a > b for whole numbers as text without leading zeros: R has no type that
# holds 19 digits.
units_above <- function(a, b) {
  if (nchar(a) != nchar(b)) nchar(a) > nchar(b) else utf8_greater(a, b)
}

utf8_greater <- function(a, b) {
  difference <- utf8ToInt(a) - utf8ToInt(b)
  first <- difference[difference != 0]
  length(first) > 0 && first[[1]] > 0
}

# `result` has spent, asked and left as the core gives them; `ledger` may be the
# ledger or the charge made for it.
abort_overspend <- function(result, ledger) {
  amount <- lapply(result[c("spent", "asked", "left")], decimal_from_units_cpp)
  budget <- decimal_from_units_cpp(ledger$budget_units)
  symbol <- ledger_symbol(ledger$unit)
  advice <- overspend_advice(result$left, ledger$unit)
  abort_ledger(c(
    "The budget of {.val {ledger$population}} does not allow this release.",
    "x" = "Spent {symbol} = {amount$spent} of {budget}, asked {amount$asked}, left {amount$left}.",
    "i" = "{advice}"
  ))
}

overspend_advice <- function(left, unit) {
  mechanism <- affordable_mechanism(left, unit)
  if (is.null(mechanism)) {
    return("Nothing is left: make no further release about this population. A ledger has no reset.")
  }
  paste("At most", mechanism, "is left. Keep some for later: a ledger has no reset.")
}

# What is left as a mechanism; NULL if that is nothing.
affordable_mechanism <- function(left, unit) {
  amount <- if (unit == "gdp") root_below(left) else decimal_from_units_cpp(left)
  if (amount == "0") return(NULL)
  made_by <- c(pure = "mech_laplace(%s)", zcdp = "mech_gaussian(rho = %s)",
               gdp = "mech_gaussian(mu = %s)")
  sprintf(made_by[[unit]], amount)
}

# The largest mu of six decimals whose square is not above what is left. The
# double may be a step too high, because `left` can have more digits than it.
root_below <- function(left) {
  units <- function(steps) sprintf("%.0f", steps * 1e6)
  steps <- floor(sqrt(as.numeric(left)))
  if (units_above(square_units(units(steps)), left)) steps <- steps - 1
  decimal_from_units_cpp(units(steps))
}
