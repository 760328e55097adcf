# The epsilon that a target needs, by bisection on its logarithm. All lines use the
# same random numbers, so that the measure is a smooth function of epsilon.

# table: with the lines that were computed on the way to an answer; needed: one row
# per n, NULL without a target.
search_plan <- function(plan, table, floor, line) {
  if (is.null(plan$target)) return(list(table = table, needed = NULL))
  needed <- list()
  for (n in plan$n) {
    at_n <- function(lines) lines[lines$n == n & lines$variable == plan$variable, ]
    answer <- search_epsilon(plan, at_n(table), at_n(floor), function(epsilon) {
      line(n, budget_mechanism(epsilon, plan$budget$delta))
    })
    table <- rbind(table, answer$line)
    needed[[length(needed) + 1]] <- answer$needed
  }
  list(table = unique(table), needed = do.call(rbind, needed))
}

# Limits of the search. Nobody promises more than 1000; below 1e-4 a release of a
# million records is pure noise.
epsilon_limits <- c(1e-4, 1000)

search_epsilon <- function(plan, known, floor, line) {
  target <- plan$target
  outcome <- function(status, line = NULL) {
    value <- if (is.null(line)) NA_real_ else target_value(plan, line)
    epsilon <- if (is.null(line)) NA_real_ else line$epsilon[[1]]
    list(line = line,
         needed = data.frame(n = floor$n, epsilon = epsilon, status = status, value = value))
  }
  if (!meets_target(target, floor[[target$measure]])) return(outcome("out of reach"))
  meets <- function(epsilon) meets_target(target, target_value(plan, line(epsilon)))
  bracket <- bracket_epsilon(known, target, meets)
  if (is.na(bracket[[2]])) return(outcome("not found"))
  epsilon <- if (is.na(bracket[[1]])) bracket[[2]] else bisect_epsilon(bracket, meets)
  outcome(if (is.na(bracket[[1]])) "easily" else "found", line(round_up(epsilon)))
}

target_value <- function(plan, line) {
  line[[plan$target$measure]][line$variable == plan$variable]
}

# c(too little, enough), from the grid and then outwards; NA where there is none.
bracket_epsilon <- function(known, target, meets) {
  known <- known[order(known$epsilon), ]
  good <- vapply(known[[target$measure]], function(value) meets_target(target, value), NA)
  # Enough from here on: the grid may wobble where it is flat.
  enough <- rev(cumprod(rev(good))) == 1
  if (any(enough) && !all(enough)) {
    first <- which(enough)[[1]]
    return(known$epsilon[c(first - 1, first)])
  }
  if (all(enough)) return(step_out(known$epsilon[[1]], 1 / 4, meets))
  step_out(known$epsilon[[nrow(known)]], 4, meets)
}

# From an epsilon that is enough downwards, or from one that is not upwards.
step_out <- function(epsilon, factor, meets) {
  up <- factor > 1
  repeat {
    other <- epsilon * factor
    if (other < epsilon_limits[[1]] || other > epsilon_limits[[2]]) {
      return(if (up) c(epsilon, NA) else c(NA, epsilon))
    }
    enough <- tryCatch(meets(other), noiseaware_error_query = function(e) NA)
    # No mechanism can be calibrated beyond this.
    if (is.na(enough)) return(if (up) c(epsilon, NA) else c(NA, epsilon))
    if (enough == up) return(sort(c(epsilon, other)))
    epsilon <- other
  }
}

# To 2%: it is rounded up to two digits afterwards.
bisect_epsilon <- function(bracket, meets) {
  while (bracket[[2]] > 1.02 * bracket[[1]]) {
    middle <- sqrt(bracket[[1]] * bracket[[2]])
    bracket[[if (meets(middle)) 2 else 1]] <- middle
  }
  bracket[[2]]
}

# Up to two significant digits.
round_up <- function(x) {
  unit <- 10^(floor(log10(x)) - 1)
  signif(ceiling(x / unit - 1e-9) * unit, 2)
}
