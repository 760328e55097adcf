# A comparison of methods in words and pictures.

#' @export
print.noiseaware_comparison <- function(x, digits = 2, rows = 40, ...) {
  found <- summary(x)
  cat(study_header_lines(x, "comparison"), sep = "\n")
  cat("\n")
  cat(comparison_table(found, digits, rows), sep = "\n")
  cat("\n")
  cat(failure_lines(x), sep = "\n")
  sentences <- vapply(x$settings$methods, method_sentence, "", found = found,
                      prob = x$settings$prob)
  cat(strwrap(sentences, 90, exdent = 2), sep = "\n")
  invisible(x)
}

comparison_table <- function(found, digits, rows) {
  shown <- function(x) ifelse(is.na(x), "-", vapply(x, format, "", digits = digits))
  table <- data.frame(
    n = format_number(found$n), budget = sub("^discrete [A-Za-z]+, ", "", found$mechanism),
    variable = found$variable, method = found$method, cover = shown(found$coverage),
    width = shown(found$width), ratio = shown(found$width_ratio), MMD = shown(found$mmd),
    KS = shown(found$ks), overlap = shown(found$overlap), signif = shown(found$significance_match),
    seconds = shown(found$seconds)
  )
  if (length(unique(table$variable)) == 1) table$variable <- NULL
  more <- nrow(table) - rows
  c(
    table_lines(utils::head(table, rows)),
    if (more > 0) paste0("... and ", more, " more rows; see summary()"),
    "ratio: width over that of the non-private interval. MMD, KS, overlap: with the non-private",
    "posterior. signif: how often both intervals exclude the null or neither. More in summary()."
  )
}

# How often its intervals contain the truth, and how wide they are.
method_sentence <- function(method, found, prob) {
  rows <- found[found$method == method, ]
  if (nrow(rows) == 0) return(paste0(method, ": every trial failed."))
  paste0(method, ": ", format(100 * prob), "% intervals contain the truth in ",
         range_words(100 * rows$coverage), "% of the trials and are ",
         range_words(rows$width_ratio), " times as wide as without noise.")
}

range_words <- function(x) {
  ends <- unique(vapply(range(x), function(end) format(signif(end, 2)), ""))
  paste(ends, collapse = " to ")
}

# --- plot ----------------------------------------------------------------------

#' Plot a comparison of methods
#'
#' @param object,x A comparison from [compare_methods()].
#' @param measure Columns of `summary()` to show.
#' @param variable Names of parameters; all by default.
#' @param ... Passed on by `plot()`; else unused.
#' @return A ggplot: measures against epsilon, or against the mechanism where it is
#'   not given by epsilon.
#' @family evaluation
#' @examples
#' query <- query_tables(domain(smoker = dom_binary()), ~ smoker, "replace_one")
#' comparison <- compare_methods(query, ~ smoker, n = 100, trials = 20, iter = 500, seed = 1,
#'                               mechanism = lapply(c(0.05, 0.2, 1), mech_laplace))
#' plot(comparison, measure = c("coverage", "width"))
#' @name autoplot.noiseaware_comparison
NULL

measure_labels <- c(
  coverage = "coverage", width = "width", rmse = "RMSE", log_score = "log score", mmd = "MMD",
  ks = "KS", wasserstein = "Wasserstein", overlap = "overlap", width_ratio = "width ratio",
  sign_match = "sign match", significance_match = "significance match", seconds = "seconds"
)

#' @rdname autoplot.noiseaware_comparison
#' @export
autoplot.noiseaware_comparison <- function(object, variable = NULL,
                                           measure = c("coverage", "width_ratio", "mmd", "overlap"),
                                           ...) {
  data <- utility_data(object, measure, variable)
  against <- if (anyNA(data$epsilon)) "mechanism" else "epsilon"
  ggplot2::ggplot(data, ggplot2::aes(.data[[against]], .data$value, colour = .data$method)) +
    ggplot2::geom_hline(data = nominal_data(object, data), ggplot2::aes(yintercept = .data$value),
                        colour = "grey40", linetype = "dashed", linewidth = 0.4) +
    ggplot2::geom_line(ggplot2::aes(group = .data$method), linewidth = 0.8, na.rm = TRUE) +
    ggplot2::geom_point(size = 2, na.rm = TRUE) +
    ggplot2::facet_grid(ggplot2::vars(.data$measure), ggplot2::vars(.data$panel),
                        scales = "free_y", switch = "y") +
    (if (against == "epsilon") ggplot2::scale_x_log10(labels = format_number)) +
    ggplot2::scale_colour_manual(values = method_colours(levels(data$method))) +
    ggplot2::labs(
      x = against, y = NULL, colour = NULL, title = "What each method makes of the same releases",
      subtitle = paste0("Averages over ", object$settings$trials,
                        " trials; distances, overlap and ratio to the non-private posterior.",
                        "\nDashed: nominal coverage.")
    ) +
    fit_theme() +
    ggplot2::theme(strip.placement = "outside", legend.position = "top",
                   panel.spacing.x = ggplot2::unit(1.5, "lines"),
                   strip.text.y.left = ggplot2::element_text(angle = 90, hjust = 0.5))
}

#' @rdname autoplot.noiseaware_comparison
#' @export
plot.noiseaware_comparison <- function(x, ...) autoplot(x, ...)

# The yardstick is grey, the first method blue, the second red.
method_colours <- function(methods) {
  others <- setdiff(methods, yardstick_name)
  palette <- c(colours$posterior, colours$truth, "#2E8B57", "#8E5EA2", "#D98E04", "#00838F")
  stats::setNames(c("grey55", rep_len(palette, length(others))), c(yardstick_name, others))
}

# measure, panel (n and variable), epsilon, mechanism, method, value: long form.
utility_data <- function(object, measure = c("coverage", "width_ratio", "mmd", "overlap"),
                         variable = NULL) {
  if (!is.character(measure) || !all(measure %in% names(measure_labels))) {
    abort_argument("measure", measure, paste("some of", list_some(names(measure_labels), 20)))
  }
  found <- summary(object)
  known <- object$settings$variables$variable
  found <- found[found$variable %in% choose_variables(known, variable), ]
  panel <- paste0("n = ", format_number(found$n),
                  if (length(known) > 1) paste0(", ", found$variable))
  tables <- lapply(measure, function(name) {
    data.frame(measure = measure_labels[[name]], panel = panel,
               found[c("n", "variable", "epsilon", "mechanism", "method")], value = found[[name]])
  })
  data <- do.call(rbind, tables)
  data$measure <- factor(data$measure, measure_labels[measure])
  data$panel <- factor(data$panel, unique(data$panel))
  data$method <- factor(data$method, c(yardstick_name, object$settings$methods))
  data[!is.nan(data$value) & !is.na(data$value), ]
}

# Where coverage should be.
nominal_data <- function(object, data) {
  panels <- unique(data[data$measure == measure_labels[["coverage"]], c("measure", "panel")])
  panels$value <- rep(object$settings$prob, nrow(panels))
  panels
}
