# Reading an observation: everything a model may know about the release.

#' @export
observe.noiseaware_observation <- function(x, ...) x

# The row of one statistic, or NULL if it was not released.
observed_statistic <- function(observation, name) {
  row <- match(name, observation$statistics$name)
  if (is.na(row)) NULL else observation$statistics[row, ]
}

# The number of records: known, noisy, or unknown. A released n without noise is
# known; a public n wins over a noisy one.
observed_size <- function(observation) {
  if (!is.null(observation$n)) return(new_size("known", observation$n))
  row <- observed_statistic(observation, "n")
  if (is.null(row)) return(new_size("unknown", NA_real_))
  if (row$noise == "none") return(new_size("known", row$value))
  new_size("noisy", row$value, row$noise, row$scale, row$grid)
}

new_size <- function(status, value, noise = "none", scale = 0, grid = 0) {
  list(status = status, value = as.double(value), noise = noise, scale = scale, grid = grid)
}

# Noise of a statistic in words: "Laplace noise, sd 14.1".
describe_noise <- function(noise, scale) {
  words <- c(laplace = "Laplace noise", gaussian = "Gaussian noise", none = "no noise")
  sd <- ifelse(noise == "laplace", sqrt(2), 1) * scale
  paste0(words[noise], ifelse(noise == "none", "", paste0(", sd ", format_number(sd))))
}

# Four significant digits without scientific notation where that is readable.
format_number <- function(x) {
  vapply(x, function(value) {
    if (is.na(value)) return("NA")
    plain <- abs(value) < 1e15 && (value == 0 || abs(value) >= 1e-5)
    if (plain && value == round(value)) return(format(value, big.mark = ",", scientific = FALSE))
    format(signif(value, 4), big.mark = ",", scientific = !plain)
  }, "")
}

# "a, b, c, ... (12 in all)", for messages and print-outs.
list_some <- function(x, most = 10) {
  if (length(x) <= most) return(paste(x, collapse = ", "))
  paste0(paste(x[seq_len(most)], collapse = ", "), ", ... (", length(x), " in all)")
}
