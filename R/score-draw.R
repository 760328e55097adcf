# How parameters and records of the built-in families come about. All random
# numbers are drawn in the core from a stream of the seed; R's generator is left
# alone.

# --- counts --------------------------------------------------------------------

#' @export
draw_prior.noiseaware_model_counts <- function(model, prior, nsim, seed) {
  weights <- draw_dirichlets_cpp(concentration(model, prior), nsim, seed)
  if (prior$name == "beta") weights <- weights[, 2, drop = FALSE]
  named_columns(weights, model_variables(model)$variable)
}

#' @export
draw_records.noiseaware_model_counts <- function(model, theta, n, seed) {
  theta <- as.vector(theta)
  if (length(theta) == 1) theta <- c(1 - theta, theta)
  codes <- draw_codes_cpp(theta, n, seed)
  one_column(model, model$levels[codes + 1])
}

#' @export
place_guess.noiseaware_model_categorical <- function(model, theta, guess) {
  whole <- setequal(names(guess), colnames(theta)) && abs(sum(guess) - 1) < 1e-8
  if (!whole) {
    abort_input(c("{.arg guess} must be all probabilities of {.field {model$column}}.",
                  "x" = "You gave {.field {names(guess)}}, with sum {format_number(sum(guess))}.",
                  "i" = "They add up to 1: {.field {colnames(theta)}}."))
  }
  NextMethod()
}

# --- numbers -------------------------------------------------------------------

#' @export
draw_prior.noiseaware_model_exponential <- function(model, prior, nsim, seed) {
  draw_rates(model, prior, nsim, seed)
}

#' @export
draw_prior.noiseaware_model_poisson <- function(model, prior, nsim, seed) {
  draw_rates(model, prior, nsim, seed)
}

draw_rates <- function(model, prior, nsim, seed) {
  rates <- draw_gammas_cpp(prior$shape, prior$rate, nsim, seed)
  named_columns(matrix(rates, nsim), model_variables(model)$variable)
}

#' @export
draw_prior.noiseaware_model_normal <- function(model, prior, nsim, seed) {
  drawn <- draw_nigs_cpp(prior[c("mean", "precision", "shape", "rate")], nsim, seed)
  named_columns(drawn, c("mean", "sd"))
}

#' @export
draw_records.noiseaware_model_exponential <- function(model, theta, n, seed) {
  one_column(model, draw_exponentials_cpp(theta[[1]], n, seed))
}

#' @export
draw_records.noiseaware_model_poisson <- function(model, theta, n, seed) {
  one_column(model, draw_poissons_cpp(theta[[1]], n, seed))
}

#' @export
draw_records.noiseaware_model_normal <- function(model, theta, n, seed) {
  theta <- as.vector(theta)
  one_column(model, draw_normals_cpp(theta[[1]], theta[[2]], n, seed))
}

named_columns <- function(x, names) {
  colnames(x) <- names
  x
}

one_column <- function(model, values) {
  stats::setNames(data.frame(values, stringsAsFactors = FALSE), model$column)
}
