# Progress of long runs, through cli, on the main thread. Silent unless someone
# is watching.

# How often to report: `refresh = NULL` means yes if interactive.
check_refresh <- function(refresh) {
  if (is.null(refresh)) return(as.integer(interactive()))
  as.integer(check_whole(refresh, "refresh", 0, .Machine$integer.max))
}

# A function of (done, total) to be called now and then, or NULL for silence.
progress_reporter <- function(title, refresh, shown = interactive()) {
  if (refresh == 0 || !shown) return(NULL)
  bar <- NULL
  function(done, total) {
    if (is.null(bar)) {
      bar <<- cli::cli_progress_bar(title, total = total, .auto_close = FALSE, clear = TRUE)
    }
    if (done < total) return(cli::cli_progress_update(set = done, id = bar))
    cli::cli_progress_done(id = bar)
  }
}
