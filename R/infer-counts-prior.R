# Beta and Dirichlet priors of the models of counts.

#' @export
default_prior.noiseaware_model_bernoulli <- function(model) prior_beta(1, 1)

#' @export
default_prior.noiseaware_model_categorical <- function(model) prior_dirichlet(1)

#' @export
check_prior.noiseaware_model_bernoulli <- function(model, prior) {
  take_prior(prior, "beta", "prior_beta")
}

# One weight per level, in the order of the levels.
#' @export
check_prior.noiseaware_model_categorical <- function(model, prior) {
  weights <- take_prior(prior, "dirichlet", "prior_dirichlet")$concentration
  levels <- model$levels
  if (length(weights) == 1 && is.null(names(weights))) weights <- rep(weights, length(levels))
  if (length(weights) != length(levels)) {
    abort_model(c("{.arg concentration} must be one number, or one per level.",
                  "x" = "You gave {length(weights)} for {length(levels)} levels."))
  }
  if (is.null(names(weights))) names(weights) <- levels
  if (!setequal(names(weights), levels)) {
    unknown <- setdiff(names(weights), levels)
    abort_model(c("{.arg concentration} must be named by the levels of {.field {model$column}}.",
                  "x" = "There is no level {.val {unknown[[1]]}}.",
                  "i" = "Levels: {list_some(levels)}."))
  }
  prior_dirichlet(weights[levels])
}

# Weights of the levels in order, for either family.
concentration <- function(model, prior) {
  if (prior$name == "beta") return(c(prior$shape2, prior$shape1))
  unname(prior$concentration)
}

# Marginal Beta shapes of every variable.
marginal_shapes <- function(model, prior) {
  weights <- concentration(model, prior)
  if (prior$name == "beta") weights <- weights[2]
  data.frame(shape1 = weights, shape2 = sum(concentration(model, prior)) - weights)
}

#' @export
prior_moments.noiseaware_model_counts <- function(model, prior) {
  shapes <- marginal_shapes(model, prior)
  total <- shapes$shape1 + shapes$shape2
  mean <- shapes$shape1 / total
  data.frame(variable = model_variables(model)$variable, mean = mean,
             sd = sqrt(mean * (shapes$shape2 / total) / (total + 1)))
}

shapes_of <- function(model, prior, variable) {
  marginal_shapes(model, prior)[match(variable, model_variables(model)$variable), ]
}

#' @export
prior_density.noiseaware_model_counts <- function(model, prior, variable, x) {
  shapes <- shapes_of(model, prior, variable)
  stats::dbeta(x, shapes$shape1, shapes$shape2)
}

#' @export
prior_quantile.noiseaware_model_counts <- function(model, prior, variable, p) {
  shapes <- shapes_of(model, prior, variable)
  stats::qbeta(p, shapes$shape1, shapes$shape2)
}

#' @export
variable_range.noiseaware_model_counts <- function(model, variable) c(0, 1)

#' @export
prior_words.noiseaware_model_counts <- function(model, prior) paste("theta ~", format(prior))
