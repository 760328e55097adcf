# Methods are named for the likelihood they use, never for the sampler.

#' Methods of inference
#'
#' `method_exact()` uses the likelihood of the release without any approximation:
#' what was not published (the exact counts, and n where it is not public) is
#' summed out. `method_naive()` ignores the noise and takes the release at face
#' value, after the smallest repair that makes it possible data. It is there to
#' be compared with: its intervals are too narrow.
#'
#' Counts are summed out directly, which gives independent draws, as long as that
#' takes at most `max_work` multiplications. Above that, the counts are sampled by
#' Markov chains with the same target, and the print-out says so.
#'
#' @param max_work Limit of the direct sum; the default takes a few seconds.
#' @return A method of class `noiseaware_method`, for the argument `method` of
#'   [infer()]. Its name as a string will do if no option is needed.
#' @family method
#' @examples
#' method_exact()
#' method_naive()
#' @name method
NULL

#' @rdname method
#' @export
method_exact <- function(max_work = 1e10) {
  new_method("exact", max_work = check_number(max_work, "max_work", 0))
}

#' @rdname method
#' @export
method_naive <- function() new_method("naive")

new_method <- function(name, ...) {
  structure(list(name = name, ...),
            class = c(paste0("noiseaware_method_", name), "noiseaware_method"))
}

# Constructors by name; a new method is one more entry.
method_registry <- function() list(exact = method_exact, naive = method_naive)

# The method asked for, or the model's preferred one.
choose_method <- function(model, method) {
  available <- methods_of(model)
  if (is.null(method)) method <- available[[1]]
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

#' @export
print.noiseaware_method <- function(x, ...) {
  options <- setdiff(names(x), "name")
  text <- paste0(options, " = ", vapply(x[options], format_number, ""), recycle0 = TRUE)
  cat("<method> ", paste(c(x$name, text), collapse = ", "), "\n", sep = "")
  invisible(x)
}
