# Normal-inverse-gamma and normal-inverse-Wishart priors of a regression, in natural
# units: a list of class noiseaware_priors with the members coefficients and
# covariates (NULL without covariates), whole and named.

#' @export
default_prior.noiseaware_model_linear <- function(model) {
  new_regression_prior(default_coefficients(model), default_covariates(model))
}

new_regression_prior <- function(coefficients, covariates) {
  structure(list(coefficients = coefficients, covariates = covariates), class = "noiseaware_priors")
}

# NIG(0, 0.1 I, 2, 0.1) of the scaled coefficients, which are A theta + a with the middles
# and half widths m, h of the bounds: precision h_y^2 A' 0.1 A in natural units. Without
# an intercept it is that prior given theta_0 = 0, which is what least squares gives.
default_coefficients <- function(model) {
  x <- covariate_rows(model)
  y <- response_row(model)
  map <- rbind(c(1, x$middle), cbind(rep(0, nrow(x)), diag(x$half, nrow(x)))) / y$half
  if (!model$intercept) map <- map[, -1, drop = FALSE]
  shift <- c(-y$middle / y$half, rep(0, nrow(x)))
  mean <- -as.vector(qr.solve(map, shift))
  nig_block(coefficient_names(model), mean, 0.1 * y$half^2 * crossprod(map), 2, 0.1 * y$half^2)
}

default_covariates <- function(model) {
  x <- covariate_rows(model)
  d <- nrow(x)
  if (d == 0) return(NULL)
  niw_block(x$term, x$middle, 0.2, diag(0.3 * x$half^2, d), d + 3)
}

nig_block <- function(names, mean, precision, shape, rate) {
  new_prior("nig", mean = stats::setNames(mean, names), precision = named_square(precision, names),
            shape = shape, rate = rate)
}

niw_block <- function(names, mean, kappa, scale, df) {
  new_prior("niw", mean = stats::setNames(mean, names), kappa = kappa,
            scale = named_square(scale, names), df = df)
}

named_square <- function(x, names) {
  x <- (x + t(x)) / 2
  dimnames(x) <- list(names, names)
  x
}

# --- what the user gave --------------------------------------------------------------

#' @export
check_prior.noiseaware_model_linear <- function(model, prior) {
  given <- prior_members(prior)
  coefficients <- given$nig %||% default_coefficients(model)
  covariates <- given$niw %||% default_covariates(model)
  terms <- covariate_rows(model)$term
  if (length(terms) == 0 && !is.null(given$niw)) {
    abort_model(c("{.fn prior_niw} is for covariates.", "x" = "The model has none."))
  }
  new_regression_prior(
    complete_nig(coefficients, coefficient_names(model)),
    if (length(terms) > 0) complete_niw(covariates, terms)
  )
}

# The members of what was given, by name; each at most once.
prior_members <- function(prior) {
  members <- if (inherits(prior, "noiseaware_priors")) unclass(prior) else list(prior)
  members <- unname(members[!vapply(members, is.null, NA)])
  for (member in members) {
    if (!inherits(member, "noiseaware_prior")) {
      abort_argument("prior", member, "made by prior_nig(), prior_niw(), or priors() of both")
    }
  }
  names <- vapply(members, `[[`, "", "name")
  wrong <- c(setdiff(names, c("nig", "niw")), names[duplicated(names)])
  if (length(wrong) > 0) {
    abort_model(c("{.arg prior} does not fit the model.",
                  "x" = "You gave {.val {names}}.",
                  "i" = "A regression has one {.fn prior_nig} and one {.fn prior_niw}."))
  }
  stats::setNames(members, names)
}

complete_nig <- function(prior, names) {
  nig_block(names, fill_vector(prior$mean, names, "prior_nig", "mean"),
            fill_matrix(prior$precision, names, "prior_nig", "precision"), prior$shape, prior$rate)
}

complete_niw <- function(prior, names) {
  if (prior$df <= length(names) - 1) {
    abort_model(c("{.arg df} of {.fn prior_niw} must be above the number of covariates minus 1.",
                  "x" = "You gave {format_number(prior$df)} with {length(names)} covariate{?s}."))
  }
  niw_block(names, fill_vector(prior$mean, names, "prior_niw", "mean"), prior$kappa,
            fill_matrix(prior$scale, names, "prior_niw", "scale"), prior$df)
}

# One number for all, or one per term, in order or by name.
fill_vector <- function(x, names, made_by, arg) {
  if (length(x) == 1 && is.null(names(x))) return(rep(x, length(names)))
  check_block(length(x), names(x), names, made_by, arg)
  unname(if (is.null(names(x))) x else x[names])
}

# The same for a diagonal; a matrix may have names on its rows.
fill_matrix <- function(x, names, made_by, arg) {
  if (!is.matrix(x)) return(diag(fill_vector(x, names, made_by, arg), length(names)))
  given <- rownames(x) %||% colnames(x)
  check_block(nrow(x), given, names, made_by, arg)
  at <- if (is.null(given)) seq_along(names) else match(names, given)
  unname(x[at, at, drop = FALSE])
}

check_block <- function(length, given, names, made_by, arg) {
  if (length == length(names) && (is.null(given) || setequal(given, names))) return()
  seen <- if (length != length(names)) paste("a dimension of", length) else list_some(given)
  abort_model(c("{.arg {arg}} of {.fn {made_by}} must fit the terms {.field {names}}.",
                "x" = "You gave {seen}."))
}

# --- marginal priors -----------------------------------------------------------------

# Each coefficient has a normal-inverse-gamma law of its own with sigma.
marginal_nig <- function(prior, variable) {
  nig <- prior$coefficients
  if (variable == "sigma") return(c(list(mean = 0, precision = 1), nig[c("shape", "rate")]))
  variance <- chol2inv(chol(nig$precision))
  at <- match(variable, names(nig$mean))
  c(list(mean = nig$mean[[at]], precision = 1 / variance[at, at]), nig[c("shape", "rate")])
}

#' @export
prior_moments.noiseaware_model_linear <- function(model, prior) {
  variables <- model_variables(model)$variable
  rows <- lapply(variables, function(name) {
    found <- nig_moments(marginal_nig(prior, name))
    column <- if (name == "sigma") "sd" else "mean"
    data.frame(variable = name, mean = found$mean[[1, column]],
               sd = sqrt(found$variance[[1, column]]))
  })
  do.call(rbind, rows)
}

#' @export
prior_density.noiseaware_model_linear <- function(model, prior, variable, x) {
  nig_density(marginal_nig(prior, variable), variable == "sigma", x)
}

#' @export
prior_quantile.noiseaware_model_linear <- function(model, prior, variable, p) {
  nig_quantile(marginal_nig(prior, variable), variable == "sigma", p)
}

#' @export
variable_range.noiseaware_model_linear <- function(model, variable) {
  if (variable == "sigma") c(0, Inf) else c(-Inf, Inf)
}

#' @export
prior_words.noiseaware_model_linear <- function(model, prior) {
  moments <- prior_moments(model, prior)
  each <- paste0(moments$variable, " ", format_number(moments$mean), " +- ",
                 format_number(moments$sd))
  nig <- prior$coefficients
  niw <- prior$covariates
  paste0("mean +- sd: ", list_some(each, 6), "; normal-inverse-gamma (shape ",
         format_number(nig$shape), ")",
         if (!is.null(niw)) paste0(", covariates normal-inverse-Wishart (kappa ",
                                   format_number(niw$kappa), ", df ", format_number(niw$df), ")"))
}
