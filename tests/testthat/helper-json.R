# Edits of parsed files: edit("query", "degree", to = 3L) gives a function that
# makes the change; `removed` takes the member away.
removed <- structure(list(), class = "removed")

edit <- function(..., to) {
  at <- list(...)
  function(file) edit_at(file, at, to)
}

edit_at <- function(x, at, to) {
  key <- at[[1]]
  if (length(at) > 1) {
    x[[key]] <- edit_at(x[[key]], at[-1], to)
  } else if (inherits(to, "removed")) {
    x[[key]] <- NULL
  } else {
    x[key] <- list(to)
  }
  x
}
