test_that("each mechanism costs what its unit says", {
  pure <- local_ledger(epsilon = 10)
  zcdp <- local_ledger(rho = 10)
  gdp <- local_ledger(mu = 3)
  expect_identical(ledger_cost(mech_laplace(0.1), pure), "100000000000")
  # epsilon^2 / 2 and mu^2 / 2, rounded up to a whole number of 1e-12.
  expect_identical(ledger_cost(mech_laplace(0.1), zcdp), "5000000000")
  expect_identical(ledger_cost(mech_laplace(1e-7), zcdp), "1")
  expect_identical(ledger_cost(mech_gaussian(mu = 0.5), zcdp), "125000000000")
  expect_identical(ledger_cost(mech_gaussian(rho = 0.1), zcdp), "100000000000")
  expect_identical(ledger_cost(mech_gaussian(rho = 0.1), gdp), "200000000000")
  expect_identical(ledger_cost(mech_gaussian(mu = 0.5), gdp), "250000000000")
})

test_that("costs are never rounded down", {
  zcdp <- local_ledger(rho = 10)
  for (epsilon in c(0.123456789012, 0.3, 1 / 3, 2.718281828459)) {
    exact <- as.numeric(mech_laplace(epsilon)$epsilon_units)^2 / 2e12
    cost <- as.numeric(ledger_cost(mech_laplace(epsilon), zcdp))
    expect_gte(cost, exact * (1 - 1e-15))
    expect_lt(cost, exact + 1.001)
  }
})

test_that("mechanisms that a unit cannot count are refused with an explanation", {
  expect_snapshot(error = TRUE, {
    ledger_cost(mech_gaussian(1, 1e-6), local_ledger(epsilon = 1))
    ledger_cost(mech_laplace(1), local_ledger(mu = 1))
    ledger_cost("laplace", local_ledger(mu = 1))
  })
})

test_that("a charge is a plain list the core accepts", {
  ledger <- local_ledger(epsilon = 1)
  charge <- ledger_charge(ledger, mech_laplace(0.25), strrep("b", 64), 5)
  expect_identical(charge[1:6], list(path = ledger$path, unit = "pure", cost = "250000000000",
                                     query = strrep("b", 64), size = 5, mechanism = "laplace"))
  result <- ledger_spend_cpp(charge)
  expect_identical(result[c("status", "seq", "spent", "asked", "left")],
                   list(status = "charged", seq = "2", spent = "250000000000",
                        asked = "250000000000", left = "750000000000"))
  expect_identical(result$head, ledger_state(ledger)$head)
  expect_error(ledger_charge(no_ledger(), mech_laplace(1), strrep("b", 64), 5),
               class = "noiseaware_error_input")
})

test_that("what is left decides, not what is asked first", {
  ledger <- local_ledger(epsilon = 1)
  early <- ledger_charge(ledger, mech_laplace(0.6), "", 1)
  expect_identical(ledger_spend_cpp(early)$status, "charged")
  # The look in ledger_charge() is a convenience; the core has the last word.
  expect_identical(ledger_spend_cpp(early)$status, "refused")
  expect_error(ledger_charge(ledger, mech_laplace(0.6), "", 1), class = "noiseaware_error_ledger")
  expect_length(ledger_lines(ledger), 2)
})

test_that("the core refuses requests that make no sense and writes nothing", {
  ledger <- local_ledger(epsilon = 1)
  before <- ledger_lines(ledger)
  for (cost in c("0", "-1", "1.5", "NaN", "Inf", "", "0100", "1e3", "10000000000000000000")) {
    expect_identical(spend_units(ledger, cost)[c("status", "kind")],
                     list(status = "ledger", kind = "request"))
  }
  for (size in c(0, -1, NA, NaN, Inf, 1e9)) {
    charge <- charge_for(ledger, "1")
    charge$size <- size
    expect_identical(ledger_spend_cpp(charge)$kind, "request")
  }
  charge <- charge_for(ledger, "1")
  charge$unit <- "zcdp"
  expect_identical(ledger_spend_cpp(charge)$kind, "unit")
  expect_identical(ledger_spend_cpp(charge_for(ledger, "1", "gaussian"))$kind, "request")
  expect_identical(ledger_lines(ledger), before)
})

test_that("the largest amounts neither wrap nor pass", {
  largest <- strrep("9", 19)
  path <- withr::local_tempfile()
  budget <- list(unit = "pure", units = largest, population = "all", epsilon = "", delta = "")
  expect_identical(ledger_create_cpp(path, budget)$status, "done")
  ledger <- ledger_open(path)
  expect_identical(spend_units(ledger, "9999999999999999998")$left, "1")
  expect_identical(spend_units(ledger, largest)$status, "refused")
  expect_identical(spend_units(ledger, "2")$status, "refused")
  expect_identical(spend_units(ledger, "1")$left, "0")
})

test_that("whole numbers are compared digit by digit", {
  larger <- c("10", "9999999999999999999", "9007199254740993", "2", "0")
  smaller <- c("9", "9999999999999999998", "9007199254740992", "1", "0")
  expect_identical(mapply(units_above, larger, smaller, USE.NAMES = FALSE), c(rep(TRUE, 4), FALSE))
  expect_false(any(mapply(units_above, smaller, larger)))
})

test_that("an overspend says spent, asked, left, and what would still fit", {
  refuse <- function(ledger, spent, mechanism) {
    spend_units(ledger, spent)
    ledger_charge(ledger, mechanism, "", 1)
  }
  expect_snapshot(error = TRUE, {
    refuse(local_ledger(epsilon = 1), "750000000000", mech_laplace(0.5))
    refuse(local_ledger(epsilon = 1), "1000000000000", mech_laplace(0.5))
    refuse(local_ledger(rho = 0.5), "450000000000", mech_gaussian(rho = 0.1))
    refuse(local_ledger(mu = 1), "960000000000", mech_gaussian(mu = 0.5))
  })
})

test_that("the mechanism an overspend recommends is affordable", {
  for (spent in c("1", "123456789012", "999999999000")) {
    ledger <- local_ledger(mu = 1)
    left <- spend_units(ledger, spent)$left
    mechanism <- eval(str2lang(affordable_mechanism(left, "gdp")))
    expect_identical(ledger_spend_cpp(ledger_charge(ledger, mechanism, "", 1))$status, "charged")
  }
})

test_that("the recommended mu is never rounded up", {
  square <- function(mu) square_units(units_from_number(mu, "mu"))
  for (left in c("1", "40000000000", "152415765279684", "8999999999999999999")) {
    mu <- as.numeric(root_below(left))
    expect_false(units_above(square(mu), left))
    expect_true(units_above(square(mu + 1e-6), left))
  }
  expect_identical(affordable_mechanism("40000000000", "gdp"), "mech_gaussian(mu = 0.2)")
  expect_null(affordable_mechanism("0", "gdp"))
  expect_null(affordable_mechanism("0", "pure"))
})

test_that("a note ties a release to the ledger and costs nothing", {
  ledger <- local_ledger(epsilon = 1)
  spend_units(ledger, "1")
  left <- ledger_state(ledger)$left
  expect_identical(ledger_note(ledger, strrep("c", 64))$head, ledger_state(ledger)$head)
  state <- ledger_state(ledger)
  expect_identical(state$left, left)
  expect_identical(state$records$release, c("", "", strrep("c", 64)))
  expect_error(ledger_note(ledger, "c"), "64", class = "noiseaware_error_ledger")
})

test_that("atomic_write_cpp() overwrites only when told", {
  path <- withr::local_tempfile()
  atomic_write_cpp(path, "one", FALSE)
  expect_error(atomic_write_cpp(path, "two", FALSE), "exists already")
  expect_identical(readChar(path, 10), "one")
  atomic_write_cpp(path, "three", TRUE)
  expect_identical(readChar(path, 10), "three")
})
