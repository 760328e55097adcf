# JSON that can be hashed and JSON that can be trusted.

# Canonical form: object keys sorted bytewise, no white space, UTF-8. Only what
# our files hold can be written: strings, whole numbers, TRUE/FALSE, NULL,
# lists. A named list is an object, an unnamed one an array.
canonical_json <- function(x) {
  if (is.null(x)) return("null")
  if (is.list(x)) return(if (is.null(names(x))) json_array(x) else json_object(x))
  json_scalar(x)
}

json_scalar <- function(x) {
  scalar <- is.atomic(x) && length(x) == 1 && !is.na(x)
  if (!scalar) stop("canonical_json() takes scalars only", call. = FALSE)
  if (is.character(x)) return(json_string(x))
  if (is.logical(x)) return(if (x) "true" else "false")
  if (is.numeric(x) && x == round(x) && abs(x) < 2^31) return(sprintf("%.0f", x))
  stop("canonical_json() takes whole numbers only", call. = FALSE)
}

json_array <- function(x) {
  paste0("[", paste(vapply(x, canonical_json, ""), collapse = ","), "]")
}

json_object <- function(x) {
  if (length(x) == 0) return("{}")
  keys <- order(names(x), method = "radix")
  members <- vapply(x[keys], canonical_json, "")
  paste0("{", paste0(vapply(names(x)[keys], json_string, ""), ":", members, collapse = ","), "}")
}

# Only quote, backslash and control characters need escaping; the latter are
# refused before they get here.
json_string <- function(x) {
  x <- gsub("\\", "\\\\", enc2utf8(x), fixed = TRUE)
  x <- gsub("\"", "\\\"", x, fixed = TRUE)
  paste0("\"", x, "\"")
}

# The limits below hold before anything is parsed: a parser that recurses can
# be killed by depth alone, and one that reads numbers can lose digits.
json_max_bytes <- 8 * 2^20
json_max_depth <- 8L

# Text of an untrusted file, or a classed error that says why not.
read_untrusted_text <- function(path, max_bytes = json_max_bytes) {
  path <- check_string(path, "path")
  size <- file.size(path)
  if (is.na(size) || dir.exists(path)) {
    abort_release(c("There is no file to read at {.path {path}}."))
  }
  if (size < 2 || size > max_bytes) {
    abort_release(c("The file is not a release: it must have between 2 bytes and
                     {max_bytes / 2^20} MiB.",
                    "x" = "It has {size} bytes."))
  }
  # The full name: file() takes some relative ones for addresses or for stdin.
  check_text(readBin(normalizePath(path), "raw", n = size))
}

check_text <- function(bytes) {
  if (any(bytes == as.raw(0))) abort_release("The file is not text: it holds a NUL byte.")
  text <- rawToChar(bytes)
  Encoding(text) <- "UTF-8"
  if (!validUTF8(text)) abort_release("The file is not valid UTF-8.")
  text
}

# Parses text into nested lists; arrays stay lists, numbers stay numbers.
parse_untrusted_json <- function(text, max_depth = json_max_depth) {
  invalid <- function(e) abort_release("The file is not valid JSON.")
  if (json_depth(text) > max_depth) {
    abort_release("The file is nested deeper than {max_depth} levels.")
  }
  if (!json_is_plain(text)) invalid()
  value <- tryCatch(jsonlite::parse_json(text, simplifyVector = FALSE),
                    error = invalid, warning = invalid)
  check_distinct_keys(value)
  value
}

# Deepest nesting of brackets outside strings, from the bytes alone.
json_depth <- function(text) {
  bytes <- utf8ToInt(enc2utf8(text))
  outside <- outside_strings(bytes)
  opens <- (bytes == 91L | bytes == 123L) & outside
  closes <- (bytes == 93L | bytes == 125L) & outside
  if (length(bytes) == 0) 0L else max(0L, cumsum(opens - closes))
}

# The parser takes comments, in which a quote would hide nesting from the scan
# above, and escapes of what no R string can hold: NUL and half surrogate pairs.
json_is_plain <- function(text) {
  bytes <- utf8ToInt(enc2utf8(text))
  comment <- any(bytes == 47L & outside_strings(bytes))
  escapes <- gsub("\\\\", "", text, fixed = TRUE)
  escapes <- gsub("\\\\u[dD][89abAB]..\\\\u[dD][c-fC-F]..", "", escapes)
  !comment && !grepl("\\\\u(0000|[dD][89a-fA-F])", escapes)
}

# TRUE where a character is not inside a string: the number of unescaped quotes
# before it is even. A quote is escaped by an odd run of backslashes.
outside_strings <- function(bytes) {
  backslash <- bytes == 92L
  position <- seq_along(bytes)
  last_other <- cummax(ifelse(backslash, 0L, position))
  run_before <- c(0L, (position - last_other)[-length(bytes)])
  quotes <- bytes == 34L & run_before %% 2L == 0L
  (cumsum(quotes) - quotes) %% 2L == 0L & !quotes
}

# Two members of one name: parsers disagree about which counts.
check_distinct_keys <- function(x) {
  if (!is.list(x)) return(invisible())
  if (anyDuplicated(names(x))) abort_release("The file names a member twice.")
  for (member in x) check_distinct_keys(member)
}

sha256 <- function(text) sha256_hex_cpp(enc2utf8(text))
