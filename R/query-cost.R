# What a release would cost and how noisy it would be, before any data.

#' Price a query
#'
#' What answering a query with a mechanism would spend, and how much noise it
#' would add to each statistic. Uses no data.
#'
#' @param query A query with a relation, or a list of pairs
#'   `list(query, mechanism)` to be priced together.
#' @param mechanism [mech_laplace()] or [mech_gaussian()].
#' @param n If you expect about `n` records, the noise of each mean is shown too.
#' @return An object of class `noiseaware_cost`: the spend in each currency, and
#'   a data frame `noise` with the standard deviation `sd` of the noise of each
#'   statistic (and `sd_mean` at `n`). A list of pairs gives the total spend.
#' @family query
#' @examples
#' query <- query_moments(domain(x = c(0, 10), y = c(-1, 1)), "replace_one")
#' cost(query, mech_laplace(1), n = 1000)
#' cost(list(list(query, mech_gaussian(rho = 0.1)), list(query, mech_gaussian(rho = 0.2))))
#' @export
cost <- function(query, mechanism, n = NULL) {
  check_supplied(missing(query), "query")
  if (!is.null(n)) n <- check_whole(n, "n", 1)
  if (is.list(query) && !inherits(query, "noiseaware_query")) return(cost_of_pairs(query, n))
  check_supplied(missing(mechanism), "mechanism")
  check_class(query, "query", "noiseaware_query", "query_moments")
  check_class(mechanism, "mechanism", "noiseaware_mech", "mech_laplace")
  calibrated <- calibrate_noise(mechanism, query)
  new_cost(list(mechanism), list(noise_table(query, mechanism, calibrated, n)), n)
}

cost_of_pairs <- function(pairs, n) {
  is_pair <- vapply(pairs, function(pair) {
    is.list(pair) && length(pair) == 2 && inherits(pair[[1]], "noiseaware_query") &&
      inherits(pair[[2]], "noiseaware_mech")
  }, NA)
  if (length(pairs) == 0 || !all(is_pair)) {
    abort_input(c("A list given to {.fn cost} must hold pairs {.code list(query, mechanism)}."))
  }
  prices <- lapply(pairs, function(pair) cost(pair[[1]], pair[[2]], n))
  new_cost(lapply(pairs, function(pair) pair[[2]]),
           lapply(prices, function(price) price$noise), n)
}

new_cost <- function(mechanisms, noise, n = NULL) {
  structure(
    list(mechanisms = mechanisms, spend = total_spend(mechanisms),
         noise = if (length(noise) == 1) noise[[1]] else noise, n = n),
    class = "noiseaware_cost"
  )
}

# Sums that stay valid whatever was asked before: epsilon for Laplace only,
# mu^2 for Gaussian only, rho for any mixture.
total_spend <- function(mechanisms) {
  laplace <- vapply(mechanisms, function(m) m$name == "laplace", NA)
  spend <- list(rho = sum(vapply(mechanisms, mech_rho, 0)))
  if (all(laplace)) spend$epsilon <- sum(vapply(mechanisms, mech_epsilon, 0))
  if (!any(laplace)) spend$mu <- sqrt(sum(vapply(mechanisms, mech_mu, 0)^2))
  spend
}

mech_epsilon <- function(mechanism) as.numeric(mechanism$epsilon_units) / 1e12

# A pure epsilon costs epsilon^2 / 2; a Gaussian mu^2 / 2.
mech_rho <- function(mechanism) {
  if (mechanism$name == "laplace") mech_epsilon(mechanism)^2 / 2 else mech_mu(mechanism)^2 / 2
}

noise_table <- function(query, mechanism, calibrated, n) {
  plan <- statistic_plan(query)
  scale <- as.numeric(calibrated$scales) * 2^-plan$grid_exp
  table <- data.frame(statistic = plan$name, sd = noise_sd(mechanism$name, scale))
  if (!is.null(n)) table$sd_mean <- table$sd / n
  table
}

# Standard deviation of noise of a given scale (the grids are fine enough for
# the continuous formula to hold to all printed digits).
noise_sd <- function(name, scale) ifelse(name == "laplace", sqrt(2), 1) * scale

#' @export
print.noiseaware_cost <- function(x, ...) {
  cat("<cost>", format_spend(x$spend), "\n")
  for (mechanism in x$mechanisms) cat("  ", format(mechanism), "\n", sep = "")
  if (is.data.frame(x$noise)) {
    mean <- if (!is.null(x$n)) paste0(", and of its mean at n = ", x$n)
    cat("  noise of each statistic", mean, ":\n", sep = "")
    print(format(x$noise, digits = 3), row.names = FALSE)
  }
  invisible(x)
}

format_spend <- function(spend) {
  amounts <- vapply(spend, format, "", digits = 4)
  paste(rev(paste(names(spend), "=", amounts)), collapse = ", ")
}
