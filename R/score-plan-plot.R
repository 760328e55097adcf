# A plan as a picture: what every budget buys.

#' Plot a plan
#'
#' @param object,x A plan from [plan_release()].
#' @param measure `"width"`, `"coverage"` or `"power"`; by default what the target is
#'   about.
#' @param variable Names of parameters; by default the one the target is about.
#' @param ... Passed on by `plot()`; else unused.
#' @return A ggplot: the measure against epsilon, with its value without noise as a
#'   dashed line, the target as a dotted one and the epsilon that reaches it as a
#'   red diamond. Shaded: the middle 80% of widths, or a 95% interval of the share.
#' @family evaluation
#' @examples
#' query <- query_tables(domain(smoker = dom_binary()), ~ smoker, "replace_one")
#' plan <- plan_release(query, n = c(200, 1000), ~ smoker, trials = 20, seed = 1,
#'                      epsilon = c(0.03, 0.1, 0.3, 1))
#' plot(plan)
#' @name autoplot.noiseaware_plan
NULL

#' @rdname autoplot.noiseaware_plan
#' @export
autoplot.noiseaware_plan <- function(object, measure = NULL, variable = NULL, ...) {
  measure <- check_choice(measure %||% object$settings$target$measure %||% "width", "measure",
                          c("width", "coverage", "power"))
  variable <- choose_variables(object$settings$variables$variable,
                               variable %||% object$settings$variable)
  data <- plan_data(object, measure, variable)
  if (anyNA(data$lines$epsilon)) {
    abort_input(c("Only budgets given by epsilon can be plotted.",
                  "i" = "See {.code summary(plan)} for the others."))
  }
  ggplot2::ggplot(data$lines, ggplot2::aes(.data$epsilon, .data$value)) +
    ggplot2::geom_ribbon(ggplot2::aes(ymin = .data$lower, ymax = .data$upper), fill = colours$fill,
                         alpha = 0.45) +
    plan_marks(data, measure) +
    ggplot2::geom_line(colour = colours$posterior, linewidth = 0.9) +
    ggplot2::geom_point(colour = colours$posterior, size = 1.8) +
    ggplot2::geom_point(data = data$chosen, colour = colours$truth, shape = 18, size = 4) +
    ggplot2::geom_text(data = data$chosen, ggplot2::aes(label = .data$text), colour = colours$truth,
                       hjust = -0.12, vjust = if (measure == "width") -0.8 else 1.8, size = 3.4) +
    ggplot2::facet_wrap(ggplot2::vars(.data$panel), scales = "free_x") +
    ggplot2::scale_x_log10(labels = format_number) +
    plan_scale(measure) +
    ggplot2::labs(x = "epsilon", title = plan_titles[[measure]],
                  subtitle = paste(strwrap(object$sentence, 80), collapse = "\n")) +
    fit_theme()
}

#' @rdname autoplot.noiseaware_plan
#' @export
plot.noiseaware_plan <- function(x, ...) autoplot(x, ...)

plan_titles <- c(width = "How wide would the interval be?",
                 coverage = "How often would the interval contain the truth?",
                 power = "How often would the interval exclude the null?")

# On log scales a width that is due to noise falls along a straight line.
plan_scale <- function(measure) {
  if (measure == "width") return(ggplot2::scale_y_log10("expected width", labels = format_number))
  ggplot2::scale_y_continuous(measure, limits = c(0, 1), labels = share_words)
}

# Dashed: without noise, and the prior alone. Dotted: the target.
plan_marks <- function(data, measure) {
  list(
    ggplot2::geom_hline(data = data$marks, ggplot2::aes(yintercept = .data$value,
                                                        linetype = .data$kind),
                        colour = "grey35", linewidth = 0.5),
    ggplot2::geom_text(data = data$marks, ggplot2::aes(x = .data$x, label = .data$kind),
                       hjust = ifelse(data$marks$kind == "prior alone", 1, 0),
                       vjust = ifelse(data$marks$kind == "target", -0.5, 1.4),
                       colour = "grey35", size = 3.2),
    ggplot2::scale_linetype_manual(
      values = c("without noise" = "dashed", "prior alone" = "longdash", target = "dotted"),
      guide = "none"
    )
  )
}

# lines (panel, epsilon, value, lower, upper), marks (panel, kind, value, x), chosen.
plan_data <- function(object, measure = "width", variable = object$settings$variable) {
  panel <- function(rows) {
    several <- length(variable) > 1
    paste0("n = ", format_number(rows$n), if (several) paste0(", ", rows$variable))
  }
  rows <- object$table[object$table$variable %in% variable, ]
  lines <- data.frame(panel = panel(rows), n = rows$n, variable = rows$variable,
                      epsilon = rows$epsilon, value = rows[[measure]], plan_band(rows, measure))
  lines$panel <- factor(lines$panel, unique(lines$panel))
  marks <- plan_mark_data(object, measure, variable, panel)
  marks$panel <- factor(marks$panel, levels(lines$panel))
  # Labels stand where the curve is not: it is high on the left and low on the right.
  marks$x <- ifelse(marks$kind == "prior alone", max(lines$epsilon), min(lines$epsilon))
  picked <- paste(lines$n, lines$epsilon) %in% paste(object$needed$n, object$needed$epsilon) &
    lines$variable == object$settings$variable
  chosen <- lines[picked, ]
  chosen$text <- paste0("epsilon = ", format_number(chosen$epsilon), recycle0 = TRUE)
  list(lines = lines, marks = marks, chosen = chosen)
}

plan_band <- function(rows, measure) {
  if (measure == "width") return(data.frame(lower = rows$width_low, upper = rows$width_high))
  if (measure == "coverage") {
    return(data.frame(lower = rows$coverage_low, upper = rows$coverage_high))
  }
  ends <- wilson_interval(rows$power * rows$trials, rows$trials)
  data.frame(lower = ends[, 1], upper = ends[, 2])
}

plan_mark_data <- function(object, measure, variable, panel) {
  floor <- object$floor[object$floor$variable %in% variable, ]
  mark <- function(kind, value) data.frame(panel = panel(floor), kind = kind, value = value)
  target <- object$settings$target
  own <- identical(target$measure, measure)
  marks <- rbind(
    mark("without noise", floor[[measure]]),
    if (measure == "width") mark("prior alone", object$settings$prior_width[floor$variable])
  )
  if (!own) return(marks)
  aimed <- mark("target", target$value)
  rbind(marks, aimed[floor$variable == object$settings$variable, ])
}
