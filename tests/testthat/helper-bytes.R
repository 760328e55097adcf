# Whether the bytes of `needle` occur in a row anywhere in `haystack`.
bytes_occur <- function(needle, haystack) {
  size <- length(needle)
  starts <- which(haystack == needle[[1]])
  starts <- starts[starts <= length(haystack) - size + 1]
  for (i in seq_len(size - 1)) starts <- starts[haystack[starts + i] == needle[[i + 1]]]
  length(starts) > 0
}

# A file with exactly this content, gone when the test ends.
local_file <- function(content, env = parent.frame(), fileext = ".json") {
  path <- withr::local_tempfile(fileext = fileext, .local_envir = env)
  writeBin(if (is.raw(content)) content else charToRaw(enc2utf8(content)), path)
  path
}

file_text <- function(path) {
  text <- rawToChar(readBin(path, "raw", file.size(path)))
  Encoding(text) <- "UTF-8"
  text
}
