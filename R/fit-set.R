# A set of fits, one per group: what can be told of all groups at once. The rest
# is for one fit and says which to take.

#' Fits by group
#'
#' A release set is fitted group by group. Tables have one row per group and
#' parameter; draws have the group as first index, see [as_draws_df()]. What makes
#' sense for one fit only is an error that says how to take one: `fits$fits[["north"]]`.
#'
#' @param object,x A set of fits from [infer()].
#' @param prob Probability of the central intervals.
#' @param variable Names of parameters; all by default.
#' @param type Only `"interval"`.
#' @param sorted `TRUE` to order the groups by their mean of the first parameter,
#'   `FALSE` for the order of the levels.
#' @param ... For `update()`: arguments of [infer()] to change in every group. For
#'   `plot()`: passed on. Else unused.
#' @return `coef()`: a matrix, groups x parameters; `nobs()`: a number per group;
#'   `formula()`: that of all groups; `posterior_interval()`: a matrix with one row
#'   per group and parameter; `prior_summary()`: the prior, which the groups share;
#'   `plot()` and `autoplot()`: a ggplot; `update()`: a new set of fits.
#' @family analyst
#' @examples
#' query <- query_tables(domain(smoker = dom_binary(), region = c("north", "south", "west")),
#'                       ~ smoker:region, "add_remove")
#' people <- data.frame(smoker = rep(0:1, 150), region = rep(c("north", "south", "west"), 100))
#' ledger <- ledger_create(tempfile(), "people of the example", epsilon = 1)
#' rel <- release(query, people, mech_laplace(1), ledger, by = "region")
#' fits <- infer(rel, ~ smoker, seed = 1)
#' coef(fits)
#' plot(fits)
#' predict(fits$fits[["north"]], newdata = 10, seed = 2)
#' @name fit-set
NULL

#' @rdname fit-set
#' @export
coef.noiseaware_fit_set <- function(object, ...) do.call(rbind, lapply(object$fits, coef))

#' @rdname fit-set
#' @export
nobs.noiseaware_fit_set <- function(object, ...) vapply(object$fits, nobs, 0)

#' @rdname fit-set
#' @export
formula.noiseaware_fit_set <- function(x, ...) formula(x$fits[[1]])

#' @rdname fit-set
#' @export
posterior_interval.noiseaware_fit_set <- function(object, prob = 0.9, variable = NULL, ...) {
  rows <- Map(function(fit, group) {
    found <- posterior_interval(fit, prob = prob, variable = variable)
    rownames(found) <- grouped_variable(rownames(found), group)
    found
  }, object$fits, names(object$fits))
  do.call(rbind, unname(rows))
}

#' @rdname fit-set
#' @export
prior_summary.noiseaware_fit_set <- function(object, ...) prior_summary(object$fits[[1]])

#' @rdname tidy.noiseaware_fit
#' @export
glance.noiseaware_fit_set <- function(x, ...) group_tables(x, glance)

#' @rdname diagnostics
#' @export
diagnostics.noiseaware_fit_set <- function(object, ...) {
  group_tables(object, function(fit) {
    data.frame(kind = fit$sampler$kind, chain_diagnostics(fit$draws))
  })
}

# Group g has the seed of the set plus g - 1, as in infer(). Another release is
# another set of groups.
#' @rdname fit-set
#' @export
update.noiseaware_fit_set <- function(object, ...) {
  changes <- list(...)
  check_changes(changes)
  if ("release" %in% names(changes)) return(update(object$fits[[1]], ...))
  seed <- if ("seed" %in% names(changes)) take_seed(changes$seed) else object$fits[[1]]$seed
  fits <- lapply(seq_along(object$fits), function(g) {
    changes$seed <- seed + g - 1
    fit <- unname(object$fits[g])
    suppressWarnings(do.call(update, c(fit, changes)), classes = "noiseaware_warning")
  })
  names(fits) <- names(object$fits)
  warn_about_set(fits)
  new_fit_set(fits, object$by)
}

# --- picture -------------------------------------------------------------------

#' @rdname fit-set
#' @export
autoplot.noiseaware_fit_set <- function(object, type = "interval", prob = 0.9, variable = NULL,
                                        sorted = TRUE, ...) {
  check_no_more(...)
  check_choice(type, "type", "interval")
  first <- object$fits[[1]]
  data <- set_interval_data(object, check_prob(prob), variable, check_flag(sorted, "sorted"))
  ggplot2::ggplot(data, ggplot2::aes(y = .data$group)) +
    interval_layer("group", "mean") +
    ggplot2::facet_wrap(ggplot2::vars(.data$label)) +
    ggplot2::labs(
      x = NULL, y = object$by, title = paste0("Posterior by group, ", first$method$name, " method"),
      subtitle = paste0("Dot: mean. Bar: central ", format(100 * prob), "% interval."),
      caption = plot_caption(first)
    ) +
    fit_theme()
}

#' @rdname fit-set
#' @export
plot.noiseaware_fit_set <- function(x, ...) autoplot(x, ...)

# The columns of interval_data() with the group in front; first group on top.
set_interval_data <- function(object, prob = 0.9, variable = NULL, sorted = TRUE) {
  variable <- choose_variables(object$fits[[1]]$moments$variable, variable)
  data <- group_tables(object, function(fit) interval_data(fit, prob, variable))
  data$label <- factor(data$label, rev(levels(data$label)))
  groups <- names(object$fits)
  first <- data[data$variable == variable[[1]], ]
  if (sorted) groups <- first$group[order(first$mean, decreasing = TRUE)]
  data$group <- factor(data$group, rev(groups))
  data
}

# --- for one fit only ------------------------------------------------------------

abort_use_member <- function(object, verb) {
  member <- paste0("fits$fits[[\"", names(object$fits)[[1]], "\"]]")
  abort_input(c("{.fn {verb}} is for one fit.",
                "x" = "You gave a set of {length(object$fits)}, by {.field {object$by}}.",
                "i" = "Take one of them, such as {.code {member}}."))
}

#' @export
vcov.noiseaware_fit_set <- function(object, ...) abort_use_member(object, "vcov")

#' @export
predict.noiseaware_fit_set <- function(object, ...) abort_use_member(object, "predict")

#' @export
posterior_predict.noiseaware_fit_set <- function(object, ...) {
  abort_use_member(object, "posterior_predict")
}

#' @export
posterior_epred.noiseaware_fit_set <- function(object, ...) {
  abort_use_member(object, "posterior_epred")
}

#' @export
posterior_linpred.noiseaware_fit_set <- function(object, transform = FALSE, ...) {
  abort_use_member(object, "posterior_linpred")
}

#' @export
predictive_interval.noiseaware_fit_set <- function(object, ...) {
  abort_use_member(object, "predictive_interval")
}

#' @export
augment.noiseaware_fit_set <- function(x, ...) abort_use_member(x, "augment")

#' @export
fitted.noiseaware_fit_set <- function(object, ...) abort_use_member(object, "fitted")

#' @export
residuals.noiseaware_fit_set <- function(object, ...) abort_use_member(object, "residuals")

#' @exportS3Method bayesplot::pp_check
pp_check.noiseaware_fit_set <- function(object, ...) abort_use_member(object, "pp_check")
