# Public records next to a release: they update both priors of a regression, which are
# conjugate, before the release does.

#' @export
read_records.noiseaware_model_linear <- function(model, records, arg) {
  design_matrix(model, records, arg)
}

# Means, and sums of products about them, where products keep their digits.
#' @export
public_statistics.noiseaware_model_linear <- function(model, records) {
  means <- colMeans(records)
  scatter <- crossprod(sweep(records, 2, means))
  terms <- model$columns$term
  at <- upper.tri(scatter, diag = TRUE)
  names <- paste0("scatter[", terms[row(scatter)[at]], ",", terms[col(scatter)[at]], "]")
  c(stats::setNames(means, paste0("mean[", terms, "]")), stats::setNames(scatter[at], names))
}

#' @export
update_prior.noiseaware_model_linear <- function(model, prior, public) {
  seen <- public_moments(model, public)
  niw <- if (!is.null(prior$covariates)) update_niw(prior$covariates, seen)
  new_regression_prior(update_nig(prior$coefficients, seen, model$intercept), niw)
}

# list(n, mean, scatter), or an error if they are of other columns.
public_moments <- function(model, public) {
  size <- nrow(model$columns)
  names <- names(public_statistics(model, matrix(0, 1, size)))
  if (!identical(names, names(public$statistics))) {
    abort_input(c("The public records of the fit are for another model.",
                  "i" = "Give the records again with {.arg public}."))
  }
  scatter <- matrix(0, size, size)
  scatter[upper.tri(scatter, diag = TRUE)] <- public$statistics[-seq_len(size)]
  scatter <- scatter + t(scatter) - diag(diag(scatter), size)
  list(n = public$n, mean = unname(public$statistics[seq_len(size)]), scatter = scatter)
}

# In terms of residuals r = y - X mean at the prior mean, whose squares are of the size
# of what is left to explain: the last pivot of [precision, X'r; ., r'r + 2 rate] is
# sqrt(2 rate) of the posterior.
update_nig <- function(prior, seen, intercept) {
  k <- length(prior$mean)
  q <- length(seen$mean)
  effects <- if (intercept) prior$mean else c(0, prior$mean)
  v <- c(-effects[-1], 1)
  average <- sum(v * seen$mean) - effects[[1]]
  moments <- rbind(c(seen$n, seen$n * seen$mean), cbind(seen$n * seen$mean, raw_products(seen)))
  # Columns (1, x): products with the residual, and among themselves.
  with_residual <- c(seen$n * average,
                     (seen$scatter %*% v + seen$n * seen$mean * average)[seq_len(q - 1)])
  own <- if (intercept) seq_len(q) else seq_len(q)[-1]
  precision <- prior$precision + moments[own, own, drop = FALSE]
  squares <- sum(v * (seen$scatter %*% v)) + seen$n * average^2
  factor <- chol(rbind(cbind(precision, with_residual[own]),
                       c(with_residual[own], squares + 2 * prior$rate)))
  shift <- backsolve(factor[seq_len(k), seq_len(k), drop = FALSE], factor[seq_len(k), k + 1])
  nig_block(names(prior$mean), unname(prior$mean + shift), unname(precision),
            prior$shape + seen$n / 2, factor[[k + 1, k + 1]]^2 / 2)
}

raw_products <- function(seen) seen$scatter + seen$n * outer(seen$mean, seen$mean)

update_niw <- function(prior, seen) {
  at <- seq_along(prior$mean)
  kappa <- prior$kappa + seen$n
  gap <- seen$mean[at] - unname(prior$mean)
  scale <- unname(prior$scale) + seen$scatter[at, at, drop = FALSE] +
    prior$kappa * seen$n / kappa * outer(gap, gap)
  niw_block(names(prior$mean), unname(prior$mean) + seen$n / kappa * gap, kappa, scale,
            prior$df + seen$n)
}
