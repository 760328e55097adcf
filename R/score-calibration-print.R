# A calibration study in words.

#' @export
print.noiseaware_calibration <- function(x, digits = 3, rows = 30, ...) {
  found <- summary(x)
  cat(study_header_lines(x, "calibration"), sep = "\n")
  cat("\n")
  cat(calibration_table(found, x$settings$prob, digits, rows), sep = "\n")
  cat("\n")
  cat(failure_lines(x), strwrap(verdict_words(found), 90), sep = "\n")
  invisible(x)
}

# What every study says about itself.
study_header_lines <- function(x, word) {
  settings <- x$settings
  size <- nrow(x$cells)
  c(
    paste0("<", word, "> ", settings$title, ", ", plural(size, "cell"), " of ",
           plural(format_number(settings$trials), "trial")),
    paste0("  query:  ", settings$query, ", ", settings$relation),
    paste0("  prior:  ", settings$prior),
    paste0("  data:   ", if (settings$generated) "from the function given, not from the model" else
      "from the model"),
    paste0("  seed:   ", format(settings$seed, scientific = FALSE))
  )
}

calibration_table <- function(found, prob, digits, rows) {
  table <- data.frame(
    n = format_number(found$n), budget = sub("^discrete [A-Za-z]+, ", "", found$mechanism),
    variable = found$variable, method = found$method, KS = format(found$ks, digits = digits),
    shift = sprintf("%.1f", found$shift), spread = sprintf("%.1f", found$spread),
    cover = format(found$coverage, digits = digits)
  )
  if (length(unique(table$variable)) == 1) table$variable <- NULL
  table$` ` <- ifelse(found$verdict == "ok", "", paste0(found$verdict, ": ", found$shape))
  more <- nrow(table) - rows
  c(
    table_lines(utils::head(table, rows)),
    if (more > 0) paste0("... and ", more, " more rows; see summary()"),
    paste0("KS: distance of the ranks from uniform; shift, spread: of the ranks, in standard"),
    paste0("errors. cover: share of ", format(100 * prob), "% intervals with the truth."),
    limit_words(found, digits)
  )
}

# A table without line breaks up to 110 columns.
table_lines <- function(table) {
  old <- options(width = max(110, getOption("width")))
  on.exit(options(old))
  utils::capture.output(print(table, row.names = FALSE))
}

# Limits depend on the number of trials that worked: those of the fewest are shown.
limit_words <- function(found, digits) {
  fewest <- found[which.min(found$trials), ]
  shown <- lapply(fewest[c("limit_5", "limit_1", "limit_all")], format, digits = digits)
  c(paste0("Limits of KS: ", shown$limit_5, " (5%) and ", shown$limit_1, " (1%) for one test. ",
           "Limits of the study, for all"),
    paste0(plural(nrow(found), "test"), " together (1%): KS ", shown$limit_all,
           ", shift and spread ", format(fewest$limit_z, digits = digits), "."))
}

failure_lines <- function(x) {
  rows <- x$trials[!is.na(x$trials$failure), ]
  if (nrow(rows) == 0) return("No trial failed.")
  kinds <- sort(table(rows$failure), decreasing = TRUE)
  total <- nrow(x$cells) * x$settings$trials
  c(paste0(nrow(rows), " of ", total, " trials FAILED (", signif(100 * nrow(rows) / total, 2),
           "%): ", paste0(names(kinds), " (", kinds, ")", collapse = ", ")),
    paste0("  first: ", substr(gsub("\\s+", " ", rows$message[[1]]), 1, 90)))
}

# The conclusion, in a sentence or two.
verdict_words <- function(found) {
  flagged <- found[found$verdict == "flagged", ]
  above <- sum(found$ks > found$limit_5)
  expected <- 0.05 * nrow(found)
  lines <- paste0(above, " of ", plural(nrow(found), "test"), " above the 5% line, ",
                  format(expected, digits = 2), " expected by chance")
  if (nrow(flagged) > 0) {
    worst <- flagged[which.max(flagged$ks / flagged$limit_all), ]
    return(paste0("NOT CALIBRATED: ", plural(nrow(flagged), "test"), " of ", nrow(found),
                  " above a limit of the study. The worst is ", worst$variable, " at ",
                  worst$label, ": the posterior is ", shape_words(worst$shape), " (KS ",
                  format(worst$ks, digits = 2), "). ", lines, "."))
  }
  chance <- stats::pbinom(above - 1, nrow(found), 0.05, lower.tail = FALSE)
  if (chance < 0.05) {
    return(paste0("SUSPICIOUS: no test is above a limit of the study, but ", lines,
                  " (probability ", format(chance, digits = 2), "). Run the cells in question ",
                  "with trials = 2000 before believing either."))
  }
  paste0("Calibrated as far as ", format_number(max(found$trials)), " trials can tell: no test is ",
         "above a limit of the study; ", lines, ".",
         if (above > 0) " Run the cells above it with trials = 2000 to be sure.")
}

shape_words <- function(shape) if (shape == "other") "not uniform in rank" else shape
