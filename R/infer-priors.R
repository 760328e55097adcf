# Priors are plain values: a name and its numbers.

#' Priors for probabilities
#'
#' `prior_beta()` is for the probability of the second level of a binary column,
#' `prior_dirichlet()` for the probabilities of the levels of a factor.
#'
#' @param shape1,shape2 Positive shapes. The prior mean of the probability is
#'   `shape1 / (shape1 + shape2)`, and it weighs as much as `shape1 + shape2`
#'   records.
#' @param concentration Positive weights of the levels: one number for all, or one
#'   per level, in order or named by level.
#' @return A prior of class `noiseaware_prior`, for the argument `prior` of
#'   [infer()].
#' @family prior
#' @examples
#' prior_beta(1, 1)
#' prior_dirichlet(0.5)
#' prior_dirichlet(c(north = 2, south = 1, elsewhere = 1))
#' @name prior_counts
NULL

#' @rdname prior_counts
#' @export
prior_beta <- function(shape1, shape2) {
  check_supplied(missing(shape1), "shape1")
  check_supplied(missing(shape2), "shape2")
  new_prior("beta", shape1 = check_weight(shape1, "shape1"),
            shape2 = check_weight(shape2, "shape2"))
}

#' @rdname prior_counts
#' @export
prior_dirichlet <- function(concentration) {
  check_supplied(missing(concentration), "concentration")
  valid <- is.numeric(concentration) && length(concentration) > 0 && is.null(dim(concentration)) &&
    all(is.finite(concentration)) && all(concentration >= least_weight)
  if (!valid) abort_argument("concentration", concentration, "one or more positive numbers")
  labels <- names(concentration)
  if (!is.null(labels)) labels <- check_names(labels, "concentration")
  new_prior("dirichlet", concentration = stats::setNames(as.double(concentration), labels))
}

#' Join several priors
#'
#' A model with more than one block of parameters takes one prior for each.
#'
#' @param ... Priors made by the `prior_` functions.
#' @return A list of priors of class `noiseaware_priors`.
#' @family prior
#' @examples
#' priors(prior_beta(2, 2))
#' @export
priors <- function(...) {
  members <- list(...)
  if (length(members) == 0) {
    abort_input(c("{.fn priors} needs at least one prior.", "i" = "For example {.fn prior_beta}."))
  }
  for (member in members) check_class(member, "...", "noiseaware_prior", "prior_beta")
  structure(members, class = "noiseaware_priors")
}

new_prior <- function(name, ...) {
  structure(list(name = name, ...),
            class = c(paste0("noiseaware_prior_", name), "noiseaware_prior"))
}

# Smaller weights put all mass on one level and underflow.
least_weight <- 1e-6

check_weight <- function(x, arg) {
  check_number(x, arg, least_weight, expected = "a positive number (at least 1e-6)")
}

# One prior of a given name out of what the user gave; NULL means none given.
take_prior <- function(prior, name, made_by) {
  if (inherits(prior, "noiseaware_priors")) {
    if (length(prior) != 1) {
      abort_model(c("This model takes one prior.", "x" = "You gave {length(prior)}.",
                    "i" = "Make it with {.fn {made_by}}."))
    }
    prior <- prior[[1]]
  }
  if (!inherits(prior, "noiseaware_prior")) {
    abort_argument("prior", prior, paste0("made by ", made_by, "()"))
  }
  if (prior$name != name) {
    abort_model(c("{.arg prior} does not fit the model.", "x" = "You gave a {prior$name} prior.",
                  "i" = "Make it with {.fn {made_by}}."))
  }
  prior
}

#' @export
format.noiseaware_prior_beta <- function(x, ...) {
  paste0("Beta(", format_number(x$shape1), ", ", format_number(x$shape2), ")")
}

#' @export
format.noiseaware_prior_dirichlet <- function(x, ...) {
  weights <- x$concentration
  if (length(weights) == 1) return(paste0("Dirichlet(", format_number(weights), ", ...)"))
  if (length(unique(weights)) == 1) {
    same <- format_number(weights[[1]])
    return(paste0("Dirichlet(", same, ", ...), ", length(weights), " levels"))
  }
  paste0("Dirichlet(", list_some(format_number(weights), 8), ")")
}

#' @export
print.noiseaware_prior <- function(x, ...) {
  cat("<prior> ", format(x), "\n", sep = "")
  invisible(x)
}

#' @export
print.noiseaware_priors <- function(x, ...) {
  cat("<priors>\n", paste0("  ", vapply(x, format, ""), "\n"), sep = "")
  invisible(x)
}
