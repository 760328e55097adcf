# Results of a study on disk: a line that says which study it is, then one JSON
# line per finished trial. A study restarted with the same file continues; a torn
# last line, from a crash in the middle of writing, is dropped and run again.

# list(path, rows): results that are there already. Without a file, none.
open_study_file <- function(study, file) {
  none <- list(path = NULL, rows = blank_rows(study))
  if (is.null(file)) return(none)
  header <- study_header(study)
  if (!file.exists(file) || file.size(file) == 0) {
    write_text_file(paste0(header, "\n"), file, overwrite = TRUE)
    return(list(path = file, rows = blank_rows(study)))
  }
  lines <- whole_lines(file)
  check_same_study(lines, header, file)
  rows <- lapply(lines[-1], read_trial, blank = blank_rows(study), file = file)
  list(path = file, rows = drop_repeated(do.call(rbind, c(list(blank_rows(study)), rows)), study))
}

check_study_path <- function(file) {
  if (is.null(file)) return(NULL)
  file <- path.expand(check_string(file, "file"))
  if (dir.exists(file) || !dir.exists(dirname(file)) || file.access(dirname(file), 2) != 0) {
    abort_input(c("{.arg file} must be a file in a directory you can write to.",
                  "x" = "You gave {.path {file}}."))
  }
  file
}

# Complete lines. What follows the last line end is dropped, in the file as well:
# the next line must not be glued to it.
whole_lines <- function(file) {
  text <- readChar(file, file.size(file), useBytes = TRUE)
  whole <- sub("[^\n]*$", "", text, useBytes = TRUE)
  lines <- strsplit(whole, "\n", fixed = TRUE)[[1]]
  Encoding(lines) <- "UTF-8"
  if (nchar(whole, "bytes") < nchar(text, "bytes") && is_study_header(lines[1])) {
    write_text_file(paste0(lines, "\n", collapse = ""), file, overwrite = TRUE)
  }
  lines
}

is_study_header <- function(line) !is.na(line) && grepl("\"noiseaware_study\":\"1\"", line)

check_same_study <- function(lines, header, file) {
  if (identical(lines[1], header)) return()
  if (!is_study_header(lines[1])) {
    abort_input(c("{.arg file} exists and does not hold a study.", "x" = "{.path {file}}",
                  "i" = "It is left as it is. Choose another name."))
  }
  abort_input(c("{.arg file} holds the results of another study.", "x" = "{.path {file}}",
                "i" = "Its query, model, prior, method, grid, run or seed differs. Choose another
                       name, or ask for the same study; only {.arg trials} may grow."))
}

# A study that continues without a seed takes that of the file.
study_seed <- function(seed, file) {
  if (!is.null(seed) || is.null(file) || !file.exists(file)) return(take_seed(seed))
  line <- readLines(file, 1, warn = FALSE)
  if (length(line) == 0 || !is_study_header(line)) return(take_seed(NULL))
  as.numeric(jsonlite::parse_json(line)$seed)
}

# --- identity --------------------------------------------------------------------

study_header <- function(study) {
  canonical_json(list(noiseaware_study = "1", kind = class(study)[[1]],
                      seed = sprintf("%.0f", study$seed), id = sha256(study_identity(study))))
}

# Everything that decides the results, as text. `trials` may grow.
study_identity <- function(study) {
  task <- study$tasks[[1]]
  canonical_json(plain_members(list(
    query = query_id(study$query), model = model_title(task$model), prior = task$prior,
    methods = lapply(study$tasks, function(task) task$method), n = study$grid$n,
    mechanisms = study$mechanisms, grid = as.list(study$grid), run = run_record(study$run),
    prob = study$prob, generator = if (!is.null(study$generator)) deparse(study$generator),
    more = study$more
  )))
}

# Nested lists of strings: numbers to the last bit.
plain_members <- function(x) {
  if (is.list(x)) return(lapply(unclass(x), plain_members))
  if (is.null(x)) return(NULL)
  text <- if (is.double(x)) sprintf("%.17g", x) else as.character(x)
  names(text) <- names(x)
  if (length(text) == 1 && is.null(names(text))) return(text)
  as.list(text)
}

# --- lines -----------------------------------------------------------------------

append_trials <- function(store, rows) {
  if (is.null(store$path)) return(invisible())
  trials <- split(rows, list(rows$cell, rows$trial), drop = TRUE, lex.order = TRUE)
  cat(paste0(vapply(trials, trial_line, ""), "\n"), file = store$path, sep = "", append = TRUE)
}

# Columns of one trial as arrays of strings.
trial_line <- function(rows) {
  text <- lapply(rows, function(column) {
    shown <- if (is.double(column)) sprintf("%.17g", column) else as.character(column)
    lapply(shown, function(value) if (is.na(value) || value == "NA") NULL else value)
  })
  canonical_json(text)
}

read_trial <- function(line, blank, file) {
  parsed <- tryCatch(jsonlite::parse_json(line), error = function(e) NULL)
  if (!is.list(parsed) || !setequal(names(parsed), names(blank))) {
    abort_input(c("{.arg file} is damaged: a line is not the result of a trial.",
                  "x" = "{.path {file}}", "i" = "Remove that line; its trial is run again."))
  }
  columns <- Map(function(values, like) {
    text <- vapply(values, function(value) value %||% NA_character_, "")
    storage.mode(text) <- storage.mode(like)
    text
  }, parsed[names(blank)], blank)
  as.data.frame(columns, stringsAsFactors = FALSE)
}

# Two runs that wrote to one file wrote the same; trials beyond what is asked for
# are left alone.
drop_repeated <- function(rows, study) {
  rows <- rows[rows$trial <= study$trials, ]
  keys <- rows[intersect(names(rows), c("cell", "trial", "method", "variable"))]
  rows[!duplicated(keys), ]
}
