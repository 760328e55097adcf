# Methods are named for the likelihood they use, never for the sampler.

#' Methods of inference
#'
#' `method_exact()` uses the likelihood of the release without any approximation:
#' what was not published (the exact statistics, and n where it is not public) is
#' summed out. `method_clt()` replaces the distribution of the exact statistics given
#' the parameters by the normal distribution with the same moments, that of the
#' records as they were clamped or redacted; the statistics are integrated out, and
#' the noise keeps its law. `method_gibbs()` is the sampler of Bernstein and Sheldon
#' with the same approximation, in the form that treats exact and clamped sums as
#' jointly normal; it is there for comparison and needs a public n. `method_naive()`
#' ignores the noise and the clamping and takes the release at face value, after the
#' smallest repair that makes it possible data. It is there to be compared with: its
#' intervals are too narrow.
#'
#' | family | methods | default |
#' |---|---|---|
#' | bernoulli | exact, clt, gibbs, naive | exact |
#' | categorical | exact, gibbs, naive | exact |
#' | exponential | exact, clt, gibbs, naive | exact |
#' | poisson | exact, clt, gibbs, naive | exact |
#' | normal | clt, exact, gibbs, naive | clt; exact if n is below 30 |
#' | linear regression | exact, gibbs, naive | exact |
#'
#' `"exact"` gives independent draws where the latent statistics can be summed out
#' with at most `max_work` multiplications. Above that, and always for the normal
#' family, the latent counts or records are sampled by Markov chains with the same
#' target, and the print-out says so.
#'
#' The central limit needs records: below 30, `"clt"` and `"gibbs"` come with a
#' warning of class `noiseaware_warning_small_n`.
#'
#' Statistics without any noise, as in [infer_nonprivate()], have a closed-form
#' posterior, which `"exact"` and `"clt"` both return.
#'
#' For a linear regression `"exact"` samples the latent sums and sums of products by
#' the no-U-turn sampler, parameters being integrated out in closed form: no central
#' limit, and a cost that does not grow with n. It assumes that no record was outside
#' the bounds; `clamped = TRUE` says instead that records are normal and those outside
#' were clamped. That is wrong for columns that cannot leave their bounds, such as
#' percentages. `"gibbs"` is the sampler of Bernstein and Sheldon (2019), with the
#' moments of the covariates that the central limit needs taken from their current
#' draws (`moments = "update"`) or from the prior (`"prior"`).
#'
#' @param max_work Limit of the direct sum; the default takes a few seconds. With 0
#'   it is never made.
#' @param clamped Whether a linear regression models normal records that were clamped
#'   to the bounds. Other models of numbers do so anyway.
#' @param target_acceptance,max_depth Of the no-U-turn sampler of a linear regression: a
#'   higher target means smaller steps, and a trajectory has at most `2^max_depth - 1`
#'   of them.
#' @param moments Where a linear regression by `"gibbs"` takes the moments of the
#'   covariates from; `"release"`, from moments of degree 4, is not available yet.
#' @return A method of class `noiseaware_method`, for the argument `method` of
#'   [infer()]. Its name as a string will do if no option is needed.
#' @references Bernstein and Sheldon (2018) Differentially private Bayesian
#'   inference for exponential families. <https://arxiv.org/abs/1809.02188>
#' @references Bernstein and Sheldon (2019) Differentially private Bayesian linear
#'   regression. <https://arxiv.org/abs/1910.13153>
#' @family method
#' @examples
#' method_exact()
#' method_naive()
#'
#' query <- query_moments(domain(waiting = c(0, 60)))
#' rel <- as_release(query, n = 200, values = c("sum(waiting)" = 2460), noise = noise_laplace(60))
#' for (method in list(method_exact(), "clt", "gibbs", "naive")) {
#'   fit <- infer(rel, ~ waiting, family = "exponential", method = method, seed = 1)
#'   print(posterior_interval(fit))
#' }
#' @name method
NULL

#' @rdname method
#' @export
method_exact <- function(max_work = 1e10, clamped = FALSE, target_acceptance = 0.9,
                         max_depth = 10) {
  new_method("exact", max_work = check_number(max_work, "max_work", 0),
             clamped = check_flag(clamped, "clamped"),
             target_acceptance = check_number(target_acceptance, "target_acceptance", 0, 1,
                                              open = TRUE),
             max_depth = check_whole(max_depth, "max_depth", 1, 20))
}

#' @rdname method
#' @export
method_clt <- function() new_method("clt")

#' @rdname method
#' @export
method_gibbs <- function(moments = c("update", "prior", "release")) {
  moments <- check_choice(moments, "moments", c("update", "prior", "release"))
  new_method("gibbs", moments = moments)
}

#' @rdname method
#' @export
method_naive <- function() new_method("naive")

new_method <- function(name, ...) {
  structure(list(name = name, ...),
            class = c(paste0("noiseaware_method_", name), "noiseaware_method"))
}

# Constructors by name; a new method is one more entry.
method_registry <- function() {
  list(exact = method_exact, clt = method_clt, gibbs = method_gibbs, naive = method_naive)
}

# The method asked for, or the model's preferred one.
choose_method <- function(model, method) {
  available <- methods_of(model)
  if (is.null(method)) method <- default_method(model)
  if (is.character(method) && length(method) == 1 && method %in% names(method_registry())) {
    method <- method_registry()[[method]]()
  }
  if (!inherits(method, "noiseaware_method")) {
    abort_argument("method", method,
                   paste("one of", paste0("\"", available, "\"", collapse = ", "),
                         "or made by a method_*() function"))
  }
  if (!method$name %in% available) {
    abort_model(c("Method {.val {method$name}} is not available for {model_title(model)}.",
                  "i" = "There is {.val {available}}."))
  }
  method
}

option_text <- function(x) if (is.numeric(x)) format_number(x) else format(x)

#' @export
print.noiseaware_method <- function(x, ...) {
  options <- setdiff(names(x), "name")
  text <- paste0(options, " = ", vapply(x[options], option_text, ""), recycle0 = TRUE)
  cat("<method> ", paste(c(x$name, text), collapse = ", "), "\n", sep = "")
  invisible(x)
}
