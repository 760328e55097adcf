# Files are written whole or not at all.

# Pretty-printed for people; hashes are taken of the canonical text instead.
write_json_file <- function(x, path, overwrite = FALSE) {
  path <- check_string(path, "path")
  text <- paste0(jsonlite::prettify(canonical_json(x), indent = 1))
  write_text_file(text, path, overwrite)
}

write_text_file <- function(text, path, overwrite = FALSE) {
  failed <- tryCatch({
    atomic_write_cpp(path.expand(path), enc2utf8(text), overwrite)
    NULL
  }, error = function(e) conditionMessage(e))
  if (!is.null(failed)) {
    abort_release(c("The file {.path {path}} could not be written.", "x" = "{failed}",
                    "i" = "Choose a new file name in a directory you can write to."))
  }
  invisible(path)
}
