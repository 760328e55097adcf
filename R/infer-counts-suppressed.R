# Counts that were suppressed. An absent count below a threshold is censored data,
# not missing data: leaving it out of the likelihood would bias the answer upwards.
# Such a count is `released` in the table of a model, because the release says
# something of it, and `censored`: its value is the threshold.

censor_absent <- function(counts, observation) {
  absent <- which(!counts$released & !is.na(counts$statistic))
  if (is.null(observation$threshold) || length(absent) == 0) return(counts)
  check_above_threshold(counts, observation$threshold)
  noise <- suppressed_noise(counts, absent, observation)
  counts[absent, c("noise", "scale", "grid")] <- noise
  counts$value[absent] <- observation$threshold
  counts$released[absent] <- TRUE
  counts$censored[absent] <- TRUE
  counts
}

# Noise of absent counts: what the release says of them, else that of the counts
# that are there, if it is the same for all.
suppressed_noise <- function(counts, absent, observation) {
  columns <- c("noise", "scale", "grid")
  rows <- match(counts$statistic[absent], observation$suppressed$name, nomatch = 0)
  if (all(rows > 0)) return(observation$suppressed[rows, columns])
  common <- unique(counts[counts$released, columns])
  if (nrow(common) == 1) return(common[rep(1, length(absent)), ])
  untold <- counts$statistic[absent][rows == 0]
  reason <- if (nrow(common) == 0) "no other was published" else "the others have different noise"
  abort_model(c("The noise of suppressed counts is not known.",
                "x" = "No noise was given for {list_some(untold)}, and {reason}.",
                "i" = "Give {.fn as_release} a list as {.arg noise} that names suppressed statistics
                       too."))
}

# Values below the threshold that were published all the same: the rule was
# another one, and what it says of absent values is unknown.
check_above_threshold <- function(counts, threshold) {
  low <- counts$released & counts$value < threshold - 1e-9
  if (!any(low)) return()
  abort_model(c("A published count is below the threshold of suppression.",
                "x" = "{list_some(counts$statistic[low])} should have been suppressed below
                       {format_number(threshold)}.",
                "i" = "Absent counts can be modelled only if all values below {.arg threshold} were
                       suppressed, and no others."))
}

# "2 cells suppressed below 10: modelled as censored", or NULL.
suppression_words <- function(model, method) {
  cells <- sum(model$counts$censored)
  if (cells == 0) return(NULL)
  treated <- if (method$name == "naive") "taken as 0" else "modelled as censored"
  paste0(cells, if (cells == 1) " cell" else " cells", " suppressed below ",
         format_number(model$threshold), ": ", treated)
}
