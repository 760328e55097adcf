# What base R asks of a fit.

#' Coefficients, covariance, size and formula of a fit
#'
#' @param object,x A fit from [infer()].
#' @param ... For `update()`: arguments of [infer()] to change, such as `prior` or
#'   `method`; `release` for another release.
#' @return `coef()`: posterior means; `vcov()`: posterior covariance; `nobs()`: the
#'   number of records, `NA` if it is not public; `formula()`: the formula, without
#'   the environment it was written in; `update()`: a new fit, with the seed of the
#'   old one unless told otherwise.
#' @family analyst
#' @examples
#' rel <- read_release(system.file("extdata", "smoking.json", package = "noiseaware"))
#' fit <- infer(rel, ~ smoker, seed = 1)
#' coef(fit)
#' nobs(fit)
#' coef(update(fit, prior = prior_beta(50, 50)))
#' @name fit-accessors
NULL

#' @rdname fit-accessors
#' @importFrom stats coef
#' @export
coef.noiseaware_fit <- function(object, ...) colMeans(draws_matrix(object$draws))

#' @rdname fit-accessors
#' @importFrom stats vcov
#' @export
vcov.noiseaware_fit <- function(object, ...) stats::cov(draws_matrix(object$draws))

#' @rdname fit-accessors
#' @importFrom stats nobs
#' @export
nobs.noiseaware_fit <- function(object, ...) model_size(object$model)

#' @rdname fit-accessors
#' @importFrom stats formula
#' @export
formula.noiseaware_fit <- function(x, ...) formula_from_text(x$formula)

#' @rdname fit-accessors
#' @importFrom stats update
#' @export
update.noiseaware_fit <- function(object, ...) {
  changes <- list(...)
  check_changes(changes)
  # Whole arguments are replaced: a merge would mix the old release into the new.
  request <- stored_request(object, changes)
  request[names(changes)] <- changes
  do.call(infer, request)
}

check_changes <- function(changes) {
  known <- names(formals(infer))
  if (length(changes) > 0 && (is.null(names(changes)) || !all(names(changes) %in% known))) {
    unknown <- setdiff(names(changes), c(known, ""))
    abort_input(c("{.fn update} takes named arguments of {.fn infer}.",
                  "x" = if (length(unknown) > 0) "There is no argument {.arg {unknown[[1]]}}.",
                  "i" = "They are {.arg {known}}."))
  }
}

# The arguments the fit was made with. A prior and public records go with their
# model, so they are kept only if the model is.
stored_request <- function(object, changes) {
  same_model <- !any(c("formula", "family", "release") %in% names(changes))
  run <- object$run
  if ("iter" %in% names(changes)) run$warmup <- NULL  # half of the new iter
  request <- c(list(release = object$observation, formula = formula_from_text(object$formula),
                    method = object$method, seed = object$seed), run)
  if (same_model) {
    c(request, list(family = object$family, prior = object$prior, public = object$public))
  } else {
    request
  }
}
