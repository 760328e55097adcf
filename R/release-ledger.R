# The privacy budget of one population, kept in a file. The object only says
# where the file is and what it was opened for: what is spent is always read
# from the file, because other processes spend from it too.

#' Ledgers
#'
#' A ledger is a file that holds the privacy budget of one population and every
#' charge against it. [release()] charges it before any noise is drawn and
#' refuses a release that the budget does not allow.
#'
#' `ledger_create()` makes a new ledger, `ledger_open()` verifies an existing
#' one, and `no_ledger()` says in so many words that nobody is counting.
#' `ledger_repair()` drops an incomplete last record, which a crash or a full
#' disk can leave behind. Nothing was revealed for such a record, because noise
#' is drawn only once the record is on the disk. Anything else that is wrong
#' with a ledger is left as it is.
#'
#' @section Kinds of budget:
#' The kind follows from what you give:
#'
#' * `epsilon`: pure differential privacy, for [mech_laplace()]. The epsilons of
#'   all releases add up.
#' * `epsilon` and `delta`: for [mech_gaussian()]. Kept as Gaussian differential
#'   privacy, where the squares of mu add up, so that a budget of (1, 1e-6)
#'   admits exactly one `mech_gaussian(1, 1e-6)` or any number of smaller ones.
#' * `mu`: the same with mu given directly.
#' * `rho`: zero-concentrated differential privacy, for any mixture of
#'   mechanisms. The rhos add up; a pure epsilon counts epsilon^2 / 2.
#'
#' All three sums hold for queries chosen in view of earlier answers. Amounts
#' are read as the decimal you typed, in whole multiples of 1e-12: a budget of 1
#' admits exactly ten charges of 0.1.
#'
#' @section What a ledger can and cannot see:
#' Several processes may release at once; each waits up to a minute for the
#' others. Records are chained by hash, so an edited, removed or reordered record
#' is noticed. Going back to an older copy of the file, or cutting off its last
#' records, is *not* noticeable from the file alone; therefore every release
#' names its record number and hash, and two releases with one number are proof.
#' Keep the file on a local disk: network file systems (NFS, SMB) may grant one
#' lock twice or acknowledge writes that are not on any disk. There is no way to
#' reset a ledger, and one population must have only one.
#'
#' @param path The file. `ledger_create()` refuses to overwrite one.
#' @param population Public name of the people whom the budget protects, at most
#'   256 bytes. It is written into every release.
#' @param epsilon,delta,rho,mu The budget, in one of the ways listed below.
#' @return An object of class `noiseaware_ledger`, or for `no_ledger()` of class
#'   `noiseaware_no_ledger`.
#' @references Rogers, Roth, Ullman and Vadhan (2016) Privacy odometers and
#'   filters. <https://arxiv.org/abs/1605.08294>
#' @references Smith and Thakurta (2022) Fully adaptive composition for Gaussian
#'   differential privacy. <https://arxiv.org/abs/2210.17520>
#' @family custodian
#' @examples
#' path <- tempfile(fileext = ".ledger")
#' ledger <- ledger_create(path, population = "adults of Vaud, 2026", epsilon = 1)
#' ledger
#' ledger_open(path)
#' ledger_report(ledger)
#' @name ledger
NULL

#' @rdname ledger
#' @export
ledger_create <- function(path, population, epsilon = NULL, delta = NULL, rho = NULL, mu = NULL) {
  path <- ledger_path(path)
  budget <- ledger_budget(epsilon, delta, rho, mu)
  budget$population <- check_population(population)
  check_ledger_answer(ledger_create_cpp(path, budget), path)
  ledger_open(path)
}

#' @rdname ledger
#' @export
ledger_open <- function(path) {
  path <- ledger_path(path)
  state <- check_ledger_answer(ledger_read_cpp(path), path)
  new_ledger(normalizePath(path, winslash = "/"), state)
}

#' @rdname ledger
#' @export
ledger_repair <- function(path) {
  path <- ledger_path(path)
  dropped <- as.numeric(check_ledger_answer(ledger_repair_cpp(path), path)$dropped)
  found <- if (dropped == 0) {
    "The ledger {.path {path}} is sound; nothing was changed."
  } else {
    "Dropped an incomplete last record of {dropped} byte{?s} from {.path {path}}."
  }
  cli::cli_inform(found)
  invisible(ledger_open(path))
}

#' @rdname ledger
#' @export
no_ledger <- function() structure(list(), class = "noiseaware_no_ledger")

ledger_path <- function(path) enc2utf8(path.expand(check_string(path, "path")))

check_population <- function(population) {
  population <- check_string(population, "population")
  ok <- validUTF8(population) && nchar(population, "bytes") <= 256 &&
    is_printable(population)
  if (!ok) {
    abort_input(c("{.arg population} must be a name that can be printed on one line.",
                  "i" = "At most 256 bytes of UTF-8, without control characters."))
  }
  population
}

# What the first record of the file will hold. `epsilon` and `delta` are kept as
# text where mu^2 alone would not tell what was promised.
ledger_budget <- function(epsilon, delta, rho, mu) {
  budget <- list(epsilon = epsilon, delta = delta, rho = rho, mu = mu)
  kind <- paste(names(Filter(Negate(is.null), budget)), collapse = "+")
  switch(kind,
    epsilon = new_budget("pure", units_from_number(epsilon, "epsilon")),
    "epsilon+delta" = approximate_budget(epsilon, delta),
    rho = new_budget("zcdp", units_from_number(rho, "rho")),
    mu = gaussian_budget(mu),
    abort_input(c(
      "A budget is {.arg epsilon}, {.arg epsilon} and {.arg delta}, {.arg rho}, or {.arg mu}.",
      "x" = "You gave {if (nzchar(kind)) gsub('[+]', ' and ', kind) else 'none of them'}."
    ))
  )
}

# Squares of the smallest and the largest mu cannot be counted in units.
gaussian_budget <- function(mu) {
  units <- square_units(units_from_number(mu, "mu"))
  if (units == "0" || nchar(units) > 19) abort_argument("mu", mu, "a number from 1e-6 to 3000")
  new_budget("gdp", units)
}

new_budget <- function(unit, units, epsilon = "", delta = "") {
  list(unit = unit, units = units, epsilon = epsilon, delta = delta)
}

approximate_budget <- function(epsilon, delta) {
  units <- units_from_number(epsilon, "epsilon")
  delta <- check_delta(delta)
  new_budget("gdp", gaussian_mu2_units(epsilon, delta),
             epsilon = decimal_from_units_cpp(units), delta = shortest_decimal(delta))
}

# The shortest decimal that reads back as the same double.
shortest_decimal <- function(x) {
  text <- sprintf(c("%.15g", "%.16g", "%.17g"), x)
  text[as.numeric(text) == x][[1]]
}

new_ledger <- function(path, state) {
  epsilon <- if (state$unit == "pure") decimal_from_units_cpp(state$budget) else state$epsilon
  number <- function(text) if (nzchar(text)) as.numeric(text) else NULL
  structure(
    list(path = path, population = state$population, unit = state$unit, budget_units = state$budget,
         epsilon = number(epsilon), delta = number(state$delta)),
    class = "noiseaware_ledger"
  )
}

# The verified content of the file, which must still be the ledger that was
# opened: a path can lead to another population's budget by now.
ledger_state <- function(ledger) {
  state <- check_ledger_answer(ledger_read_cpp(ledger$path), ledger$path)
  opened <- c(ledger$population, ledger$unit, ledger$budget_units)
  if (!identical(opened, c(state$population, state$unit, state$budget))) {
    abort_ledger(c("The file {.path {ledger$path}} is not the ledger that was opened.",
                   "x" = "It now holds the budget of {.val {state$population}}.",
                   "i" = "Call {.fn ledger_open} again if that is what you want."))
  }
  state
}

# Every question to the core is answered by a list; status "ledger" means no.
check_ledger_answer <- function(answer, path) {
  if (!identical(answer$status, "ledger")) return(answer)
  reason <- sub("^(.)", "\\U\\1", answer$message, perl = TRUE)
  hint <- ledger_hint(answer$kind)
  abort_ledger(c("The ledger {.path {path}} cannot be used.", "x" = "{reason}.",
                 if (!is.null(hint)) c("i" = "{hint}")))
}

ledger_hint <- function(kind) {
  switch(if (is.null(kind)) "" else kind,
    torn = "A process stopped while writing it. Nothing was revealed for that record.",
    exists = "Use ledger_open() for an existing ledger. One population has one ledger.",
    locked = "Try again when the other process has finished.",
    record = "It is not a ledger, or somebody changed it. Make no release before that is settled.",
    chain = ,
    overspent = paste("Somebody or something changed the file. Make no release before you have",
                      "compared it with the record numbers and hashes in earlier releases."),
    empty = "It is not a ledger, or its creation was interrupted."
  )
}

#' @export
print.noiseaware_ledger <- function(x, ...) {
  state <- ledger_state(x)
  cat("<noiseaware ledger> population ", encodeString(x$population, quote = "\""), "\n", sep = "")
  cat("  budget  ", format_ledger_budget(x), "\n", sep = "")
  cat("  spent   ", format_units(state$spent, x$unit), "\n", sep = "")
  cat("  left    ", format_units(state$left, x$unit), "\n", sep = "")
  cat("  file    ", x$path, "\n", sep = "")
  invisible(x)
}

#' @export
print.noiseaware_no_ledger <- function(x, ...) {
  cat("<no ledger> releases are not charged to any budget\n")
  invisible(x)
}

ledger_symbol <- function(unit) c(pure = "epsilon", zcdp = "rho", gdp = "mu^2")[[unit]]

format_units <- function(units, unit) paste(ledger_symbol(unit), "=", decimal_from_units_cpp(units))

format_ledger_budget <- function(ledger) {
  total <- format_units(ledger$budget_units, ledger$unit)
  kind <- c(pure = "pure", zcdp = "zero-concentrated", gdp = "Gaussian")[[ledger$unit]]
  if (is.null(ledger$delta)) return(paste0(total, " (", kind, ")"))
  paste0("epsilon = ", format(ledger$epsilon, digits = 15), ", delta = ", format(ledger$delta),
         " (", kind, ", ", total, ")")
}
