# One way to fail: a cli-formatted message, a class that names the kind, and
# neither call nor backtrace, because both can carry a data frame that was
# inlined into a call.

noiseaware_abort <- function(message, kind, envir) {
  text <- vapply(message, cli::format_inline, "", .envir = envir, keep_whitespace = FALSE)
  names(text) <- if (is.null(names(message))) rep("", length(message)) else names(message)
  condition <- rlang::error_cnd(
    class = c(paste0("noiseaware_error_", kind), "noiseaware_error"),
    message = text[[1]], body = text[-1], call = NULL, use_cli_format = TRUE
  )
  stop(condition)
}

# An argument is not what the function needs.
abort_input <- function(message, envir = parent.frame()) {
  noiseaware_abort(message, "input", envir)
}

# A domain or query that cannot be answered privately.
abort_query <- function(message, envir = parent.frame()) {
  noiseaware_abort(message, "query", envir)
}

# A release that cannot be made, read or trusted.
abort_release <- function(message, envir = parent.frame()) {
  noiseaware_abort(message, "release", envir)
}

# A budget that is spent, or a ledger file that does not verify.
abort_ledger <- function(message, envir = parent.frame()) {
  noiseaware_abort(message, "ledger", envir)
}

# A model, prior or method that does not fit the release.
abort_model <- function(message, envir = parent.frame()) {
  noiseaware_abort(message, "model", envir)
}

# The analyst asked for something only records could answer.
abort_no_records <- function(message, envir = parent.frame()) {
  noiseaware_abort(message, "no_records", envir)
}

# Warnings carry a class too, so that callers can act on them.
noiseaware_warn <- function(message, kind, envir = parent.frame()) {
  text <- vapply(message, cli::format_inline, "", .envir = envir, keep_whitespace = FALSE)
  names(text) <- if (is.null(names(message))) rep("", length(message)) else names(message)
  rlang::warn(text, class = c(paste0("noiseaware_warning_", kind), "noiseaware_warning"))
}
