# Pictures of calibration. Every plot has a function that ends in _data, which is
# what the tests look at.

#' Plot a calibration study
#'
#' @param object,x A study from [check_calibration()].
#' @param type `"ecdf"` for the difference between the distribution function of the
#'   ranks and that of the uniform distribution, `"qq"` for their quantiles,
#'   `"coverage"` for the share of central intervals that contain the truth.
#' @param prob Probability that all of the curve of a calibrated posterior is inside
#'   the band (`"ecdf"`, `"qq"`); or of the Wilson interval of each share
#'   (`"coverage"`).
#' @param cell,variable Which cells, by number, and variables to show; by default
#'   all, but at most 24 panels.
#' @param ... Passed on by `plot()`; else unused.
#' @return A ggplot, one panel per cell and variable.
#' @details Bands are the simultaneous ones of Sailynoja, Buerkner and Vehtari: each
#'   point has a central binomial interval, all with the same level, which is computed
#'   such that the whole curve stays inside with probability `prob`.
#' @references Sailynoja, Buerkner and Vehtari (2022) Graphical test for discrete
#'   uniformity and its applications in goodness-of-fit evaluation and multiple sample
#'   comparison. *Statistics and Computing* 32.
#' @family evaluation
#' @examples
#' query <- query_tables(domain(smoker = dom_binary()), ~ smoker, "replace_one")
#' study <- check_calibration(query, ~ smoker, method = c("exact", "naive"), n = 100,
#'                            mechanism = mech_laplace(0.1), trials = 50, iter = 500, seed = 1)
#' plot(study)
#' plot(study, type = "coverage")
#' @name autoplot.noiseaware_calibration
NULL

#' @rdname autoplot.noiseaware_calibration
#' @export
autoplot.noiseaware_calibration <- function(object, type = c("ecdf", "qq", "coverage"),
                                            prob = 0.95, cell = NULL, variable = NULL, ...) {
  type <- check_choice(type, "type", c("ecdf", "qq", "coverage"))
  prob <- check_prob(prob)
  panels <- choose_panels(object, cell, variable)
  switch(type,
    ecdf = plot_ecdf(ecdf_data(object, prob, panels), prob),
    qq = plot_qq(ecdf_data(object, prob, panels), prob),
    coverage = plot_coverage(coverage_data(object, prob, panels), prob)
  )
}

#' @rdname autoplot.noiseaware_calibration
#' @export
plot.noiseaware_calibration <- function(x, ...) autoplot(x, ...)

most_panels <- 24

# The ranks of the panels to show.
choose_panels <- function(object, cell, variable) {
  panels <- calibration_panels(object)
  if (!is.null(cell) && !(is.numeric(cell) && all(cell %in% object$cells$cell))) {
    abort_argument("cell", cell, paste("numbers of cells from 1 to", nrow(object$cells)))
  }
  variable <- choose_variables(object$settings$variables$variable, variable)
  shown <- vapply(panels, function(panel) {
    panel$variable[[1]] %in% variable && (is.null(cell) || panel$cell[[1]] %in% cell)
  }, NA)
  panels <- panels[shown]
  if (length(panels) == 0) abort_input("There is no trial of these cells that worked.")
  if (length(panels) <= most_panels) return(panels)
  noiseaware_warn(c("Only the first {most_panels} of {length(panels)} panels are shown.",
                    "i" = "Choose some by {.arg cell} and {.arg variable}."), "panels")
  panels[seq_len(most_panels)]
}

# "n = 100, epsilon = 0.1" over "exact: theta", the variable only where there are
# several.
panel_label <- function(object, panel) {
  label <- object$cells$label[match(panel$cell[[1]], object$cells$cell)]
  label <- sub(", ([^,]*)$", "\n\\1", label)
  if (nrow(object$settings$variables) == 1) return(label)
  paste0(label, ": ", panel$variable[[1]])
}

bind_panels <- function(object, panels, one) {
  tables <- lapply(panels, function(panel) {
    data.frame(label = panel_label(object, panel), cell = panel$cell[[1]],
               variable = panel$variable[[1]], one(panel))
  })
  data <- do.call(rbind, unname(tables))
  data$label <- factor(data$label, unique(data$label))
  data
}

# One row of panels per method where there are several and they fit.
panel_layout <- function(data) {
  label <- levels(data$label)
  methods <- length(unique(sub("^.*\n([^:/ ]*).*$", "\\1", label)))
  columns <- length(label) / methods
  aligned <- methods > 1 && columns == round(columns) && columns <= 6
  ggplot2::facet_wrap(ggplot2::vars(.data$label), ncol = if (aligned) columns)
}

# --- ranks -----------------------------------------------------------------------

# Points at which the curve is looked at.
band_points <- 100

# label, cell, variable, at, share (of ranks at most `at`), lower, upper.
ecdf_data <- function(object, prob = 0.95, panels = calibration_panels(object)) {
  at <- seq(0, band_points) / band_points
  bind_panels(object, panels, function(panel) {
    band <- ecdf_band_cpp(nrow(panel), band_points, prob)
    data.frame(at = at, share = stats::ecdf(panel$u)(at),
               lower = c(0, band$lower) / nrow(panel), upper = c(0, band$upper) / nrow(panel))
  })
}

# Panels whose curve leaves the band at some point.
leaves_band <- function(data) {
  outside <- data$share < data$lower | data$share > data$upper
  stats::ave(as.double(outside), data$label, FUN = max) > 0
}

verdict_colours <- function() {
  ggplot2::scale_colour_manual(values = c(`FALSE` = colours$posterior, `TRUE` = colours$truth),
                               guide = "none")
}

plot_ecdf <- function(data, prob) {
  data$outside <- leaves_band(data)
  ggplot2::ggplot(data, ggplot2::aes(.data$at)) +
    ggplot2::geom_ribbon(ggplot2::aes(ymin = .data$lower - .data$at, ymax = .data$upper - .data$at),
                         fill = colours$fill, alpha = 0.5) +
    ggplot2::geom_hline(yintercept = 0, colour = "grey50", linewidth = 0.3) +
    ggplot2::geom_step(ggplot2::aes(y = .data$share - .data$at, colour = .data$outside),
                       linewidth = 0.7) +
    panel_layout(data) +
    verdict_colours() +
    unit_axis("rank of the truth in the posterior") +
    ggplot2::labs(y = "ECDF difference", title = "Are the ranks of the truth uniform?",
                  subtitle = band_words(prob)) +
    fit_theme()
}

band_words <- function(prob) {
  paste0("Shaded: where the whole curve of a calibrated posterior lies with probability ",
         format(prob), ".\nRed: curves that leave it.")
}

unit_axis <- function(name) {
  ggplot2::scale_x_continuous(name, breaks = c(0, 0.5, 1), labels = c("0", "0.5", "1"))
}

# The band of the distribution function with its axes exchanged.
plot_qq <- function(data, prob) {
  data$outside <- leaves_band(data)
  ggplot2::ggplot(data, ggplot2::aes(y = .data$at)) +
    ggplot2::geom_ribbon(ggplot2::aes(xmin = .data$lower, xmax = .data$upper), fill = colours$fill,
                         alpha = 0.5, orientation = "y") +
    ggplot2::geom_abline(colour = "grey50", linewidth = 0.3) +
    ggplot2::geom_path(ggplot2::aes(x = .data$share, colour = .data$outside), linewidth = 0.7) +
    panel_layout(data) +
    verdict_colours() +
    unit_axis("uniform quantiles") +
    ggplot2::labs(y = "quantiles of the ranks", title = "Ranks of the truth against uniform",
                  subtitle = band_words(prob)) +
    fit_theme()
}

# --- coverage --------------------------------------------------------------------

coverage_probs <- c(seq(0.05, 0.95, by = 0.05), 0.99)

# label, cell, variable, prob, coverage, lower, upper.
coverage_data <- function(object, level = 0.95, panels = calibration_panels(object)) {
  bind_panels(object, panels, function(panel) {
    hits <- vapply(coverage_probs, function(p) sum(abs(panel$u - 0.5) <= p / 2), 0L)
    ends <- wilson_interval(hits, nrow(panel), level)
    data.frame(prob = coverage_probs, coverage = hits / nrow(panel), lower = ends[, 1],
               upper = ends[, 2])
  })
}

plot_coverage <- function(data, level) {
  percent_labels <- function(x) paste0(100 * x, "%")
  ggplot2::ggplot(data, ggplot2::aes(.data$prob, .data$coverage)) +
    ggplot2::geom_abline(colour = "grey50", linewidth = 0.3) +
    ggplot2::geom_ribbon(ggplot2::aes(ymin = .data$lower, ymax = .data$upper), fill = colours$fill,
                         alpha = 0.5) +
    ggplot2::geom_line(colour = colours$posterior, linewidth = 0.7) +
    panel_layout(data) +
    ggplot2::scale_x_continuous("probability of the interval", labels = percent_labels) +
    ggplot2::scale_y_continuous("intervals that contain the truth", labels = percent_labels,
                                limits = c(0, 1)) +
    ggplot2::labs(title = "Do intervals contain the truth as often as they say?",
                  subtitle = paste0("Shaded: ", format(100 * level),
                                    "% Wilson interval of each share. Below: too narrow.")) +
    fit_theme()
}
