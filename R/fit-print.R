# What a statistician wants to read about a fit.

#' Print a fit
#'
#' Shows the model in words, what was released and under which promise, the prior,
#' the method, what was assumed, and a table of estimates with central intervals.
#'
#' @param x A fit from [infer()].
#' @param prob Probability of the central intervals.
#' @param digits Significant digits.
#' @param rows Largest number of rows of the table.
#' @param ... Unused.
#' @return `x`, invisibly.
#' @family analyst
#' @examples
#' rel <- read_release(system.file("extdata", "smoking.json", package = "noiseaware"))
#' print(infer(rel, ~ smoker, seed = 1), prob = 0.95)
#' @export
print.noiseaware_fit <- function(x, prob = 0.9, digits = 3, rows = 12, ...) {
  found <- summary(x, prob = check_prob(prob))
  cat(fit_header(x), sep = "\n")
  cat("\n")
  cat(estimate_lines(found, digits, rows), sep = "\n")
  invisible(x)
}

check_prob <- function(prob) check_number(prob, "prob", 0, 1, open = TRUE)

fit_header <- function(x) {
  labels <- model_variables(x$model)
  shown <- utils::head(paste(labels$variable, "=", labels$label), 4)
  more <- nrow(labels) - length(shown)
  lines <- c(
    release = release_words(x$model), absent = suppression_words(x$model, x$method),
    privacy = x$observation$privacy$text, n = size_words(x$model), public = public_words(x$public),
    prior = prior_words(x$model, x$prior), method = method_words(x)
  )
  c(
    paste0("<fit> ", model_title(x$model), group_words(x$observation)),
    fit_banners(x),
    paste0("  ", paste(shown, collapse = ", "), if (more > 0) paste0(", ... (", more, " more)")),
    paste0("  ", format(paste0(names(lines), ":"), width = 9), lines),
    assumption_lines(model_assumptions(x$model, x$observation, method = x$method))
  )
}

naive_notice <- "!! NAIVE: the privacy noise is ignored. Intervals are too narrow. !!"

# What must not be overlooked.
fit_banners <- function(x) {
  c(
    if (identical(x$observation$secure, FALSE)) insecure_notice,
    if (x$observation$origin == "tally") "!! NON-PRIVATE: exact statistics of the records. !!",
    if (x$method$name == "naive") naive_notice
  )
}

group_words <- function(observation) {
  group <- observation$group
  if (is.null(group)) "" else paste0(", ", group$by, " = ", group$level)
}

# n, as the release tells it; models without a `size` have a public one.
size_words <- function(model) {
  size <- model$size
  if (is.null(size)) return(paste(format_number(model_size(model)), "(public and exact)"))
  switch(size$status,
    known = paste0(format_number(size$value), " (", size$source, ")"),
    unknown = "not released; the counts add up to it",
    noisy = paste0(format_number(size$value), " (", size$source, "), ",
                   describe_noise(size$noise, size$scale, size$terms))
  )
}

method_words <- function(x) {
  total <- format_number(posterior::ndraws(x$draws))
  if (x$sampler$kind == "independent") {
    return(paste0(x$method$name, "; ", total, " independent draws"))
  }
  paste0(x$method$name, " by ", x$sampler$algorithm, "; ", total, " draws of ", x$run$chains,
         " chains after warmup")
}

assumption_lines <- function(assumptions) {
  heads <- c("assumed:", rep("", length(assumptions)))[seq_along(assumptions)]
  paste0("  ", format(heads, width = 9), assumptions)
}

# --- table ---------------------------------------------------------------------

estimate_lines <- function(found, digits, rows) {
  table <- estimate_table(found, digits)
  more <- nrow(table) - rows
  prob <- attr(found, "prob")
  ends <- paste(percent(interval_columns(prob)), collapse = " and ")
  c(
    utils::capture.output(print(utils::head(table, rows), row.names = FALSE)),
    if (more > 0) paste0("... and ", more, " more rows; see summary()"),
    paste0(ends, ": central interval of probability ", format(prob), "."),
    "sd/prior: posterior sd over prior sd. privacy: share of the variance due to privacy noise."
  )
}

# A summary with fewer columns, formatted; a set has its group in front.
estimate_table <- function(found, digits) {
  ends <- interval_columns(attr(found, "prob"))
  numbers <- lapply(found[c("mean", "sd", ends)], format, digits = digits)
  table <- data.frame(
    found[names(found) %in% c("group", "variable")], numbers, format(found$sd_ratio, digits = 2),
    format_share(found$privacy_share)
  )
  front <- ncol(table) - 6
  names(table) <- c(names(table)[seq_len(front)], "mean", "sd", percent(ends), "sd/prior",
                    "privacy")
  table
}

# "q5" is shown as "5%".
percent <- function(columns) paste0(sub("^q", "", columns), "%")

format_share <- function(share) ifelse(is.na(share), "-", paste0(format(round(100 * share)), "%"))

#' @export
print.noiseaware_fit_set <- function(x, prob = 0.9, digits = 3, rows = 20, ...) {
  found <- summary(x, prob = check_prob(prob))
  first <- x$fits[[1]]
  header <- fit_header(first)
  header[[1]] <- paste0("<fit set> ", length(x$fits), " fits by ", x$by, ": ",
                        model_title(first$model))
  cat(header[!grepl("^  (release|n): ", header)], sep = "\n")
  cat("\n")
  cat(estimate_lines(found, digits, rows), sep = "\n")
  invisible(x)
}

# One table per group, stacked, with the group in front.
group_tables <- function(x, table_of) {
  tables <- Map(function(fit, group) data.frame(group = group, table_of(fit), check.names = FALSE),
                x$fits, names(x$fits))
  table <- do.call(rbind, tables)
  row.names(table) <- NULL
  table
}
