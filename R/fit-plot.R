# Pictures of a posterior. Every plot has a function that ends in _data, which is
# what the tests look at.

#' Plot a fit
#'
#' @param object,x A fit from [infer()].
#' @param type `"density"` for the marginal posteriors over the prior (light),
#'   `"interval"` for one line per parameter, `"trace"` for the paths of Markov
#'   chains, where the draws come from chains.
#' @param prob Probability of the central intervals.
#' @param variable Names of parameters; by default all, but at most twelve for
#'   densities and traces.
#' @param truth Known true values to mark, named by parameter, for simulations.
#' @param ... Passed on by `plot()`; else unused.
#' @return A ggplot.
#' @family analyst
#' @examples
#' rel <- read_release(system.file("extdata", "smoking.json", package = "noiseaware"))
#' fit <- infer(rel, ~ smoker, seed = 1)
#' autoplot(fit)
#' plot(fit, type = "interval", truth = c(theta = 0.3))
#' @name autoplot.noiseaware_fit
NULL

#' @rdname autoplot.noiseaware_fit
#' @export
autoplot.noiseaware_fit <- function(object, type = c("density", "interval", "trace"), prob = 0.9,
                                    variable = NULL, truth = NULL, ...) {
  type <- check_choice(type, "type", c("density", "interval", "trace"))
  prob <- check_prob(prob)
  most <- if (type == "interval") Inf else 12
  variable <- choose_variables(object$moments$variable, variable, most)
  truth <- check_truth(truth, object)
  switch(type,
    density = plot_density(object, prob, variable, truth),
    interval = plot_interval(object, prob, variable, truth),
    trace = plot_trace(object, variable)
  )
}

#' @rdname autoplot.noiseaware_fit
#' @export
plot.noiseaware_fit <- function(x, ...) autoplot(x, ...)

choose_variables <- function(known, variable, most = Inf) {
  if (is.null(variable)) return(utils::head(known, most))
  if (!is.character(variable) || !all(variable %in% known)) {
    abort_argument("variable", variable, paste("some of", list_some(known)))
  }
  variable
}

check_truth <- function(truth, object) {
  if (is.null(truth)) return(NULL)
  known <- object$moments$variable
  if (!is.numeric(truth) || is.null(names(truth)) || !all(names(truth) %in% known)) {
    abort_argument("truth", truth, paste("numbers named by parameters, such as", known[[1]]))
  }
  truth
}

colours <- list(posterior = "#1F5A7A", fill = "#8FB8CE", prior = "#B3B3B3", truth = "#C0392B")

fit_theme <- function() {
  ggplot2::theme_minimal(base_size = 11) +
    ggplot2::theme(panel.grid.minor = ggplot2::element_blank(),
                   plot.title.position = "plot", strip.text = ggplot2::element_text(hjust = 0),
                   plot.subtitle = ggplot2::element_text(colour = "grey30"))
}

# The name of a draw and what it is, as in the print-out.
variable_labels <- function(object, variable) {
  known <- model_variables(object$model)
  paste0(variable, ": ", known$label[match(variable, known$variable)], recycle0 = TRUE)
}

# --- density -------------------------------------------------------------------

plot_density <- function(object, prob, variable, truth) {
  data <- density_data(object, prob, variable)
  marks <- truth_data(object, truth, variable)
  ggplot2::ggplot(data, ggplot2::aes(.data$x)) +
    ggplot2::geom_area(ggplot2::aes(y = ifelse(.data$inside, .data$posterior, NA)),
                       fill = colours$fill, alpha = 0.6, na.rm = TRUE) +
    ggplot2::geom_line(ggplot2::aes(y = .data$prior), colour = colours$prior, linewidth = 0.8) +
    ggplot2::geom_line(ggplot2::aes(y = .data$posterior), colour = colours$posterior,
                       linewidth = 0.8) +
    ggplot2::geom_vline(data = marks, ggplot2::aes(xintercept = .data$x), colour = colours$truth,
                        linetype = "dashed") +
    ggplot2::geom_text(data = prior_label(data), ggplot2::aes(y = .data$prior, label = "prior"),
                       colour = "grey40", hjust = 1.1, vjust = -0.6, size = 3.2) +
    ggplot2::facet_wrap(ggplot2::vars(.data$label), scales = "free") +
    ggplot2::scale_y_continuous(NULL, breaks = NULL, expand = ggplot2::expansion(c(0, 0.05))) +
    ggplot2::labs(
      x = NULL, title = paste0("Posterior, ", object$method$name, " method"),
      subtitle = paste0("Shaded: central ", format(100 * prob), "% interval.",
                        if (nrow(marks) > 0) " Dashed: truth."),
      caption = plot_caption(object)
    ) +
    fit_theme()
}

# variable, label, x, posterior, prior, inside (the central interval).
density_data <- function(object, prob = 0.9, variable = object$moments$variable) {
  draws <- draws_matrix(object$draws)
  one <- function(name) {
    range <- variable_range(object$model, name)
    curve <- bounded_density(draws[, name], range)
    ends <- stats::quantile(draws[, name], central_ends(prob), names = FALSE)
    prior <- prior_density(object$model, object$prior, name, curve$x)
    data.frame(variable = name, label = variable_labels(object, name), x = curve$x,
               posterior = curve$y, prior = pmin(prior, 1.5 * max(curve$y)),
               inside = curve$x >= ends[[1]] & curve$x <= ends[[2]])
  }
  data <- do.call(rbind, lapply(variable, one))
  data$label <- factor(data$label, unique(data$label))
  data
}

# Where to write "prior": the right end of the first panel.
prior_label <- function(data) {
  first <- data[data$variable == data$variable[[1]], ]
  first[nrow(first), ]
}

# What the print-out shouts, a picture must not hide.
plot_caption <- function(object) {
  banners <- fit_banners(object)
  if (length(banners) > 0) paste(banners, collapse = "\n")
}

# Kernel density with the mass that leaks over a bound reflected back.
bounded_density <- function(x, range, points = 256) {
  width <- stats::bw.nrd0(x)
  ends <- stats::quantile(x, c(0.001, 0.999), names = FALSE)
  from <- max(ends[[1]] - 3 * width, range[[1]])
  to <- min(ends[[2]] + 3 * width, range[[2]])
  mirrored <- c(x, unlist(lapply(range[is.finite(range)], function(end) 2 * end - x)))
  curve <- stats::density(mirrored, bw = width, from = from, to = to, n = points)
  list(x = curve$x, y = curve$y * length(mirrored) / length(x))
}

truth_data <- function(object, truth, variable) {
  shown <- intersect(variable, names(truth))
  data.frame(variable = shown, x = as.double(truth[shown]),
             label = factor(variable_labels(object, shown), variable_labels(object, variable)))
}

# --- intervals -----------------------------------------------------------------

plot_interval <- function(object, prob, variable, truth) {
  data <- interval_data(object, prob, variable)
  marks <- truth_data(object, truth, variable)
  marks$label <- factor(marks$label, levels(data$label))
  ggplot2::ggplot(data, ggplot2::aes(y = .data$label)) +
    ggplot2::geom_segment(ggplot2::aes(x = .data$prior_lower, xend = .data$prior_upper,
                                       yend = .data$label), colour = colours$prior, linewidth = 2.5,
                          alpha = 0.4) +
    interval_layer("label", "mean") +
    ggplot2::geom_point(data = marks, ggplot2::aes(x = .data$x), shape = 18, size = 3,
                        colour = colours$truth) +
    ggplot2::labs(
      x = NULL, y = NULL, title = paste0("Posterior, ", object$method$name, " method"),
      subtitle = paste0("Dot: mean. Bar: central ", format(100 * prob), "% interval; pale: prior.",
                        if (nrow(marks) > 0) " Diamond: truth."),
      caption = plot_caption(object)
    ) +
    fit_theme()
}

# A bar from lower to upper with a dot at middle; `y` is the column of the lines.
interval_layer <- function(y, middle) {
  list(
    ggplot2::geom_segment(ggplot2::aes(x = .data$lower, xend = .data$upper, yend = .data[[y]]),
                          colour = colours$posterior, linewidth = 1),
    ggplot2::geom_point(ggplot2::aes(x = .data[[middle]]), colour = colours$posterior, size = 2.2)
  )
}

# variable, label, mean, lower, upper, prior_lower, prior_upper; first on top.
interval_data <- function(object, prob = 0.9, variable = object$moments$variable) {
  ends <- central_ends(prob)
  draws <- draws_matrix(object$draws)[, variable, drop = FALSE]
  found <- apply(draws, 2, stats::quantile, ends, names = FALSE)
  prior <- vapply(variable, prior_quantile, ends, model = object$model, prior = object$prior,
                  p = ends)
  labels <- variable_labels(object, variable)
  data.frame(
    variable = variable, label = factor(labels, rev(labels)), mean = unname(colMeans(draws)),
    lower = found[1, ], upper = found[2, ], prior_lower = prior[1, ], prior_upper = prior[2, ],
    row.names = NULL
  )
}

# --- trace ---------------------------------------------------------------------

plot_trace <- function(object, variable) {
  data <- trace_data(object, variable)
  ggplot2::ggplot(data, ggplot2::aes(.data$iteration, .data$value, colour = .data$chain)) +
    ggplot2::geom_line(linewidth = 0.3, alpha = 0.8) +
    ggplot2::facet_wrap(ggplot2::vars(.data$label), scales = "free_y") +
    ggplot2::scale_colour_viridis_d(end = 0.85) +
    ggplot2::labs(x = "iteration kept", y = NULL, colour = "chain",
                  title = "Paths of the chains after warmup", caption = plot_caption(object)) +
    fit_theme()
}

# variable, label, chain, iteration, value.
trace_data <- function(object, variable = object$moments$variable) {
  if (object$sampler$kind != "chains") {
    abort_model(c("The draws are independent: there is no chain to trace.",
                  "i" = "Use {.code type = \"density\"} or {.code type = \"interval\"}."))
  }
  draws <- unclass(object$draws)[, , variable, drop = FALSE]
  size <- dim(draws)
  cells <- expand.grid(iteration = seq_len(size[[1]]), chain = factor(seq_len(size[[2]])),
                       variable = variable, stringsAsFactors = FALSE)
  labels <- variable_labels(object, variable)
  cells$label <- factor(labels[match(cells$variable, variable)], labels)
  cells$value <- as.vector(draws)
  cells
}
