# What a model must be able to do to take part in a study, beyond inference: say
# how parameters and records come about. A model whose records depend on more than
# its own column returns these columns too; the rest of the query is public
# filling, see complete_records().

# Parameters from the prior: a matrix, draws x variables.
draw_prior <- function(model, prior, nsim, seed) UseMethod("draw_prior")

# `n` records given one row of parameters: a data frame.
draw_records <- function(model, theta, n, seed) UseMethod("draw_records")

# A guess of some parameters, put into rows of parameters from the prior; an error
# if the result could not be parameters of the model.
place_guess <- function(model, theta, guess) UseMethod("place_guess")

# A model that cannot be simulated is said to be so.
#' @export
draw_prior.default <- function(model, prior, nsim, seed) {
  abort_model(c("{model_title(model)} cannot be simulated yet.",
                "i" = "Its prior has no {.fn draw_prior}."))
}

#' @export
draw_records.default <- function(model, theta, n, seed) {
  abort_model(c("{model_title(model)} cannot be simulated yet.",
                "i" = "It has no {.fn draw_records}."))
}

# Variables are free of each other.
#' @export
place_guess.default <- function(model, theta, guess) {
  for (name in names(guess)) theta[, name] <- guess[[name]]
  theta
}
