# Models of counts: the levels of one column, with unknown probabilities. A
# binary column is Bernoulli (theta is the probability of its second level), a
# factor is categorical (theta[k] is that of level k).

#' @export
build_model.noiseaware_model_bernoulli <- function(prototype, formula, observation) {
  column <- single_column(formula, observation)
  levels <- check_level_number(column, observation, two = TRUE)
  counts <- rbind(unreleased_count(levels[[1]]), level_count(column, levels, 2, observation))
  new_count_model(prototype, column, levels, counts, observation)
}

#' @export
build_model.noiseaware_model_categorical <- function(prototype, formula, observation) {
  column <- single_column(formula, observation)
  levels <- check_level_number(column, observation, two = FALSE)
  counts <- lapply(seq_along(levels), function(k) level_count(column, levels, k, observation))
  new_count_model(prototype, column, levels, do.call(rbind, counts), observation)
}

new_count_model <- function(prototype, column, levels, counts, observation) {
  counts <- censor_absent(counts, observation)
  size <- observed_size(observation)
  if (size$status == "unknown" && !all(counts$released)) size <- size_from_tables(observation)
  model <- new_model(prototype, column = column$name, levels = levels, counts = counts, size = size,
                     threshold = observation$threshold,
                     methods = if (any(counts$censored)) c("exact", "naive"))
  check_some_released(model, observation)
  check_size_known(model, observation)
  check_exact_counts(model)
  check_grids(model)
  model
}

check_level_number <- function(column, observation, two) {
  levels <- column_levels(column, observation$kind)
  if (is.null(levels)) {
    abort_model(c("{.field {column$name}} has no levels to count.",
                  "i" = "A model of counts needs a binary column, a factor, or a table."))
  }
  if (two != (length(levels) == 2)) {
    family <- if (two) "categorical" else "bernoulli"
    abort_model(c("{.field {column$name}} has {length(levels)} levels.",
                  "i" = "Use {.code family = \"{family}\"}."))
  }
  levels
}

# --- the released counts -----------------------------------------------------

# Value, noise and centre of the count of level k. In a release of moments a
# binary column has one sum, about its centre; all else is a count.
level_count <- function(column, levels, k, observation) {
  single <- observation$kind == "moments" && length(levels) == 2
  prefix <- if (observation$kind == "moments") "sum(" else "count("
  name <- paste0(prefix, column$name, if (!single) paste0("=", levels[[k]]), ")")
  row <- observed_statistic(observation, name)
  centre <- if (single) observation$centre[[column$name]] else 0
  if (is.null(row)) return(unreleased_count(levels[[k]], name, centre))
  data.frame(level = levels[[k]], statistic = name, value = row$value, noise = row$noise,
             scale = row$scale, grid = row$grid, terms = 1L, centre = centre, released = TRUE,
             censored = FALSE)
}

unreleased_count <- function(level, name = NA_character_, centre = 0) {
  data.frame(level = level, statistic = name, value = 0, noise = "none", scale = 0, grid = 0,
             terms = 1L, centre = centre, released = FALSE, censored = FALSE)
}

check_some_released <- function(model, observation) {
  if (any(model$counts$released)) return()
  abort_not_released(paste0("count(", model$column, "=...)"), observation)
}

# A flat prior on n is proper only if something bounds n from above.
check_size_known <- function(model, observation) {
  if (model$size$status != "unknown" || all(model$counts$released)) return()
  abort_model(c("The number of records is neither public nor released.",
                "x" = "The counts of {.field {model$column}} that were released do not tell it.",
                "i" = "Released were: {list_some(observation$statistics$name)}.",
                "i" = "Ask for a release with the statistic {.val n}, or give {.arg n} to
                       {.fn as_release}."))
}

is_whole <- function(x) abs(x - round(x)) < 1e-6

check_exact_counts <- function(model) {
  exact <- model$counts$released & !model$counts$censored & model$counts$noise == "none"
  if (model$size$status == "known") {
    counts <- (model$counts$value + model$counts$centre * model$size$value)[exact]
    possible <- all(is_whole(counts)) && all(counts > -0.5) && all(counts < model$size$value + 0.5)
  } else {
    possible <- all(is_whole(model$counts$value[exact & model$counts$centre == 0]))
  }
  if (!possible) {
    abort_model(c("A count of {.field {model$column}} without noise is not a count of records.",
                  "i" = "It must be a whole number from 0 to n."))
  }
}

# Counts move in steps of 1, so the noise must be able to: its grid divides 1.
check_grids <- function(model) {
  grids <- c(model$counts$grid[model$counts$released], model$size$grid)
  coarse <- grids[grids > 0 & !is_whole(1 / ifelse(grids > 0, grids, 1))]
  if (length(coarse) > 0) {
    abort_model(c("Noise on counts must have a grid that divides 1.",
                  "x" = "The release has a grid of {coarse[[1]]}."))
  }
}

# --- in words ----------------------------------------------------------------

#' @export
model_variables.noiseaware_model_bernoulli <- function(model) {
  data.frame(variable = "theta", label = paste0("P(", model$column, " = ", model$levels[[2]], ")"))
}

#' @export
model_variables.noiseaware_model_categorical <- function(model) {
  data.frame(variable = paste0("theta[", seq_along(model$levels), "]"),
             label = paste0("P(", model$column, " = ", model$levels, ")"))
}

#' @export
model_title.noiseaware_model_bernoulli <- function(model) {
  paste0("Bernoulli model of ", model$column, " (", paste(model$levels, collapse = " or "), ")")
}

#' @export
model_title.noiseaware_model_categorical <- function(model) {
  paste0("categorical model of ", model$column, " (", length(model$levels), " levels)")
}

#' @export
model_size.noiseaware_model_counts <- function(model) {
  if (model$size$status == "known") model$size$value else NA_real_
}

#' @export
release_words.noiseaware_model_counts <- function(model) {
  released <- model$counts[model$counts$released & !model$counts$censored, ]
  if (nrow(released) == 0) return("no count: all were suppressed")
  noise <- unique(describe_noise(released$noise, released$scale))
  if (length(noise) > 2) noise <- "noise differs between statistics"
  about <- if (any(released$centre != 0)) paste0(" (about ", released$centre[[1]], ")") else ""
  what <- if (nrow(released) == 1) {
    paste0(released$statistic, " = ", format_number(released$value), about)
  } else {
    paste(nrow(released), "of", nrow(model$counts), "counts")
  }
  paste0(what, ", ", paste(noise, collapse = "; "))
}

#' @export
model_statistics.noiseaware_model_counts <- function(model) model$counts

#' @export
model_assumptions.noiseaware_model_counts <- function(model, observation, ...) {
  column <- observation$columns[[model$column]]
  c(
    "records are independent given theta",
    if (observation$origin != "external") {
      paste0("a missing or unknown ", model$column, " was counted as ", column$missing)
    },
    if (identical(observation$outside, "redact")) "no record was redacted",
    hidden_words(model),
    usage_words(model, observation),
    if (model$size$status != "known") "n: flat prior on the non-negative integers"
  )
}

# What is known of levels without a count: their sum, if n is.
hidden_words <- function(model) {
  hidden <- model$counts$level[!model$counts$released & !is.na(model$counts$statistic)]
  if (length(hidden) == 0) return(NULL)
  if (length(hidden) == 1) return(paste0("no count of ", hidden, " was released: it is the rest"))
  paste0(length(hidden), " levels have no released count: the prior splits the rest among them")
}

# Which statistics were used, if the release has others that could have been.
usage_words <- function(model, observation) {
  statistics <- model_statistics(model)
  counted <- statistics$released & !statistics$censored
  used <- c(statistics$statistic[counted], model$size$statistics)
  others <- setdiff(bearing_statistics(model, observation), used)
  if (length(others) == 0) return(NULL)
  about <- if (model$size$status == "known") model$column else paste(model$column, "or n")
  c(
    paste("used were only:", list_some(used, 4)),
    paste0("not used, though about ", about, ": ", list_some(others, 4))
  )
}

# Statistics that involve the column; every count, too, where n is not known.
bearing_statistics <- function(model, observation) {
  columns <- statistic_columns(observation)
  bears <- vapply(columns, function(found) model$column %in% found, NA)
  if (model$size$status != "known") {
    counts <- startsWith(observation$statistics$name, "count(") |
      observation$statistics$name %in% level_sums(observation)
    bears <- bears | counts
  }
  observation$statistics$name[bears]
}

# The sums of moments that are counts: those of the levels of a factor.
level_sums <- function(observation) {
  factors <- Filter(function(column) length(column$levels) > 2, observation$columns)
  unlist(lapply(factors, function(column) paste0("sum(", column$name, "=", column$levels, ")")))
}
