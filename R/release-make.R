# Making a release. The order matters and never changes: everything that can
# fail without data, then the exact sums, then the charge (on disk), then noise,
# then the file.

#' Release noisy statistics
#'
#' Answers a query from private records: adds them up exactly, charges the
#' ledger, adds exact integer noise from the operating system's random source,
#' and writes the result. What it returns and writes is public; nothing in it
#' depends on a record except through the noisy statistics.
#'
#' The file is written whole or not at all. Without `file` a copy is left beside
#' the ledger, so that nothing that was paid for is lost.
#'
#' @param query A query with a relation.
#' @param data Records (see [tally_records()]) or a tally.
#' @param mechanism [mech_laplace()] or [mech_gaussian()].
#' @param ledger A ledger from [ledger_open()] or [ledger_create()]; or
#'   [no_ledger()], which says aloud that nothing is accounted for.
#' @param file Where to write the release; an existing file is not overwritten.
#' @param by A column of the query to release by: one release per declared level,
#'   even where no record has it. Under `"replace_one"` it must be given as
#'   [by_groups()] with `public = TRUE`.
#' @param about A list of texts for readers: `title`, `population`, `period`,
#'   `contact`, `licence`.
#' @param ... Must be empty. R itself answers a misspelt argument by printing
#'   its value, which could be the records.
#' @return A release of class `noiseaware_release`; with `by`, a
#'   `noiseaware_release_set`.
#' @family custodian
#' @examples
#' query <- query_tables(domain(vs = dom_binary()), ~ vs, relation = "replace_one")
#' ledger <- ledger_create(tempfile(), population = "cars of 1974", epsilon = 1)
#' release(query, mtcars, mech_laplace(0.5), ledger, about = list(title = "Engine shape"))
#' ledger_report(ledger)
#' @export
release <- function(query, data, mechanism, ledger, file = NULL, by = NULL, about = NULL, ...) {
  check_no_more(...)
  check_request(query, mechanism)
  check_ledger_argument(ledger)
  by <- check_by(by, query)
  about <- check_about(about)
  check_new_file(file, ledger)
  signed <- query
  query <- without_column(query, by)
  check_file_size(query, by)
  noise <- calibrate_noise(mechanism, query)
  entropy <- paid_entropy(ledger, mechanism, query, query_id(signed))
  answer <- answer(query, data, mechanism, entropy, by, noise)
  made <- assemble_answer(answer, query, mechanism, by, about, noise,
                          rng = list(secure = TRUE, source = "os", exact_noise = TRUE),
                          ledger = ledger_mark(ledger, answer$ledger), signed = signed)
  deliver(made, file, ledger)
}

#' Release with seeded noise, for simulation only
#'
#' The same pipeline as [release()] with noise from a seeded stream, so that
#' studies can be repeated. **The result is not private**: whoever knows the seed
#' can subtract the noise. It is marked so for ever, charged to no ledger, and
#' every print-out says it.
#'
#' @inheritParams release
#' @param seed A whole number. The same seed gives the same noise for the same
#'   query, scaled if the mechanism differs, and unrelated noise for another
#'   query.
#' @return A release of class `noiseaware_release_insecure`.
#' @family evaluation
#' @examples
#' query <- query_tables(domain(vs = dom_binary()), ~ vs, relation = "replace_one")
#' release_insecure(query, mtcars, mech_laplace(1), seed = 1)
#' @export
release_insecure <- function(query, data, mechanism, seed, ...) {
  check_no_more(...)
  check_request(query, mechanism)
  seed <- check_whole(seed, "seed", 0)
  noise <- calibrate_noise(mechanism, query)
  entropy <- list(source = "simulation", seed = seed, query = query_id(query), charge = NULL)
  answer <- answer(query, data, mechanism, entropy, NULL, noise)
  assemble_answer(answer, query, mechanism, NULL, NULL, noise,
                  rng = list(secure = FALSE, source = "simulation", exact_noise = TRUE))
}

check_request <- function(query, mechanism) {
  check_supplied(missing(query), "query")
  check_supplied(missing(mechanism), "mechanism")
  check_class(query, "query", "noiseaware_query", "query_moments")
  require_relation(query)
  check_class(mechanism, "mechanism", "noiseaware_mech", "mech_laplace")
}

check_ledger_argument <- function(ledger) {
  if (missing(ledger) || !inherits(ledger, c("noiseaware_ledger", "noiseaware_no_ledger"))) {
    abort_input(c(
      "{.arg ledger} must be made by {.fn ledger_open} or {.fn ledger_create}.",
      "i" = "To release without accounting, say so: {.code ledger = no_ledger()}."
    ))
  }
}

# Checked before anything is spent: the file must not exist and its directory,
# or the ledger's for the copy beside it, must be writable.
check_new_file <- function(file, ledger) {
  if (is.null(file)) return(check_copy_directory(ledger))
  file <- path.expand(check_string(file, "file"))
  if (file.exists(file)) {
    abort_input(c("{.arg file} must not exist yet.", "x" = "{.path {file}} is already there.",
                  "i" = "A release is never overwritten."))
  }
  if (!dir.exists(dirname(file)) || file.access(dirname(file), 2) != 0) {
    abort_input(c("{.arg file} must be in a directory you can write to.",
                  "x" = "You gave {.path {file}}."))
  }
  file
}

check_copy_directory <- function(ledger) {
  if (inherits(ledger, "noiseaware_no_ledger")) return(NULL)
  directory <- dirname(ledger$path)
  if (file.access(directory, 2) != 0) {
    abort_input(c("The copy of the release cannot be written beside the ledger.",
                  "x" = "{.path {directory}} is not writable.", "i" = "Give {.arg file}."))
  }
}

# A file nobody can read back would be budget lost. Numbers and punctuation of a
# statistic take less than 250 bytes; its name and the query are counted.
check_file_size <- function(query, by) {
  groups <- if (is.null(by)) 1 else category_count(by$column)
  names <- plan_names(query)
  check_size(groups * length(names))
  bytes <- groups * (sum(nchar(names, "bytes") + 250) +
                       4 * nchar(canonical_json(query_to_json(query)), "bytes"))
  if (bytes > json_max_bytes) {
    abort_query(c("The release file would be larger than {json_max_bytes / 2^20} MiB.",
                  "i" = "Use shorter names, fewer levels, or several queries."))
  }
}

# Noise can be drawn only through entropy that carries its payment, made out for
# the query as it was signed.
paid_entropy <- function(ledger, mechanism, query, signed_id = query_id(query)) {
  size <- nrow(statistic_plan(query)) * query$unit_rows
  unpaid <- inherits(ledger, "noiseaware_no_ledger")
  charge <- if (unpaid) NULL else ledger_charge(ledger, mechanism, signed_id, size)
  list(source = "os", charge = charge)
}

# Noisy integers for a query. Kinds that are not sums of records have methods
# of their own.
answer <- function(query, data, mechanism, entropy, by = NULL,
                   noise = calibrate_noise(mechanism, query)) {
  UseMethod("answer")
}

#' @export
answer.noiseaware_query <- function(query, data, mechanism, entropy, by = NULL,
                                    noise = calibrate_noise(mechanism, query)) {
  source <- exact_source(data, query, by)
  result <- guard_records(answer_cpp(core_plan(query, by), source,
                                     list(name = mechanism$name, scales = noise$scales), entropy))
  check_answer(result, entropy)
}

exact_source <- function(data, query, by) {
  if (!inherits(data, "noiseaware_tally")) {
    return(list(batches = batches(as_source(data), query, by), cores = tally_cores()))
  }
  if (!is.null(by) || !identical(data$query, query)) {
    abort_input(c("A tally can only be released for the query it was made for, and not {.arg by}
                   groups.",
                  "i" = "Give the records instead, or tally them for this query."))
  }
  list(n = data$n, sums = data$sums)
}

check_answer <- function(result, entropy) {
  switch(result$status,
    charged = result,
    refused = abort_overspend(result, entropy$charge),
    ledger = check_ledger_answer(result, entropy$charge$path),
    "no rows" = abort_release(c("There is nothing to release: the data have no rows.",
                                "i" = "Under {.val replace_one} n is public and at least 1.")),
    "no noise" = abort_release(c("The noise could not be drawn, so nothing was released.",
                                 "i" = "What was charged to the ledger stays charged."))
  )
}

assemble_answer <- function(answer, query, mechanism, by, about, noise, rng, ledger = NULL,
                            signed = query) {
  one <- function(g, level = NULL) {
    group <- list(by = by$column$name, level = level, public = by$public,
                  query_sha256 = query_id(signed))
    if (is.null(level)) group <- NULL
    assemble_release(query, mechanism, answer$values[[g]], answer$n[[g]], rng, ledger, group, about,
                     noise = noise)
  }
  if (is.null(by)) return(one(1))
  levels <- category_labels(by$column)
  releases <- stats::setNames(Map(one, seq_along(levels), levels), levels)
  new_release_set(releases, by$column$name, signed)
}

# What a reader needs to spot two releases with one ledger record.
ledger_mark <- function(ledger, charged) {
  if (inherits(ledger, "noiseaware_no_ledger")) return(NULL)
  list(population = ledger$population, seq = charged$seq, head = charged$head)
}

# Writes the file, or a copy beside the ledger. A failure after the noise was
# drawn hands the release over inside the condition: it is public and paid for.
deliver <- function(made, file, ledger) {
  if (inherits(ledger, "noiseaware_no_ledger")) {
    noiseaware_warn(c("This release is charged to no ledger.",
                      "i" = "Nobody keeps track of what was spent on these people."), "no_ledger")
  }
  target <- if (is.null(file)) copy_path(ledger, made) else path.expand(file)
  if (!is.null(target)) {
    tryCatch(write_release(made, target), error = function(e) hand_over(e, made))
    note_release(ledger, made)
  }
  if (is.null(file) && !is.null(target)) {
    cli::cli_inform(c("i" = "A copy of the release is in {.path {target}}."))
  }
  made
}

hand_over <- function(e, made) {
  if (!inherits(e, "noiseaware_error")) {
    e <- tryCatch(abort_release("The release could not be written."), error = identity)
  }
  e$release <- made
  e$body <- c(e$body, i = "The release was made and paid for: it is in the condition's `release`.")
  stop(e)
}

copy_path <- function(ledger, made) {
  if (inherits(ledger, "noiseaware_no_ledger")) return(NULL)
  first <- if (inherits(made, "noiseaware_release_set")) made$releases[[1]] else made
  paths <- paste0(ledger$path, "-release-", first$ledger$seq, c("", paste0("-", 1:999)), ".json")
  Find(Negate(file.exists), paths)
}

# The note ties the file to its spend; a failure costs nothing and is said.
note_release <- function(ledger, made) {
  if (inherits(ledger, "noiseaware_no_ledger")) return(invisible())
  tryCatch(ledger_note(ledger, made_hash(made)), error = function(e) {
    noiseaware_warn("The release was written, but its hash could not be noted in the ledger.",
                    "ledger")
  })
}

made_hash <- function(made) {
  if (inherits(made, "noiseaware_release_set")) return(release_set_hash(made))
  release_hash(made)
}
