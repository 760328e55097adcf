# A ledger in a directory that vanishes with the test, and ways to spend from
# it without data.
local_ledger <- function(..., population = "adults of Vaud", env = parent.frame()) {
  ledger_create(withr::local_tempfile(.local_envir = env), population, ...)
}

charge_for <- function(ledger, cost, mechanism = NULL) {
  if (is.null(mechanism)) mechanism <- if (ledger$unit == "gdp") "gaussian" else "laplace"
  list(path = ledger$path, unit = ledger$unit, cost = cost, query = strrep("a", 64), size = 3,
       mechanism = mechanism, population = ledger$population, budget_units = ledger$budget_units)
}

spend_units <- function(ledger, cost) ledger_spend_cpp(charge_for(ledger, cost))

ledger_lines <- function(ledger) readLines(ledger$path)

# Writes bytes as they are: no newline is added.
write_bytes <- function(text, path) writeBin(charToRaw(text), path)

write_ledger_lines <- function(lines, path) write_bytes(paste0(lines, "\n", collapse = ""), path)
