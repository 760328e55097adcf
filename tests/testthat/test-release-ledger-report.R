test_that("a report lists every record in natural units", {
  ledger <- local_ledger(epsilon = 1)
  for (i in 1:3) spend_units(ledger, "100000000000")
  ledger_note(ledger, strrep("c", 64))
  report <- ledger_report(ledger)
  expect_s3_class(report, c("noiseaware_ledger_report", "data.frame"), exact = TRUE)
  expect_identical(report$seq, c(1, 2, 3, 4, 5))
  expect_identical(report$type, c("open", "spend", "spend", "spend", "note"))
  expect_identical(report$mechanism, c(NA, rep("laplace", 3), NA))
  expect_identical(report$query, c(NA, rep("aaaaaaaa", 3), NA))
  expect_identical(report$release, c(rep(NA, 4), "cccccccc"))
  # The doubles nearest to 0.1, 0.2, 0.3: 0.1 + 0.2 would not be one of them.
  expect_identical(report$cost, c(NA, 0.1, 0.1, 0.1, NA))
  expect_identical(report$cumulative, c(0, 0.1, 0.2, 0.3, 0.3))
  expect_identical(report$left, c(1, 0.9, 0.8, 0.7, 0.7))
  summary <- attr(report, "summary")
  expect_identical(summary[c("spent", "left")], list(spent = "0.3", left = "0.7"))
  expect_equal(summary$releases, 3)
  expect_equal(summary$statistics, 9)
  expect_identical(summary$epsilon, 0.3)
})

test_that("a report survives storage", {
  report <- ledger_report(local_ledger(rho = 1), delta = 1e-6)
  stored <- withr::local_tempfile()
  saveRDS(report, stored)
  expect_identical(readRDS(stored), report)
})

test_that("the implied epsilon of rho is that of the accountant", {
  ledger <- local_ledger(rho = 1)
  spend_units(ledger, "500000000000")
  implied <- function(...) attr(ledger_report(ledger, ...), "summary")$epsilon
  expect_identical(implied(), NA_real_)
  # epsilon(rho = 0.5, delta = 1e-6) from mpmath with 40 digits.
  expect_equal(implied(delta = 1e-6), 5.2215344445302, tolerance = 1e-12)
})

test_that("the implied epsilon of mu includes the slack of the grid", {
  ledger <- local_ledger(mu = 1)
  implied <- function(...) attr(ledger_report(ledger, ...), "summary")$epsilon
  expect_identical(implied(delta = 1e-5), 0)
  charge <- charge_for(ledger, "1000000000000")
  charge$size <- 1000
  ledger_spend_cpp(charge)
  # epsilon(delta = 1e-5; mu = 1) from mpmath, and d (12^2 + 1.05) / (24 * 2^32).
  excess <- implied(delta = 1e-5) - 4.3771780956812
  expect_gt(excess, 1000 * 145.05 / (24 * 2^32))
  expect_lt(excess, 1000 * 145.05 / (24 * 2^32) + 1e-8)
})

test_that("the statistics of all releases count", {
  ledger <- local_ledger(mu = 1)
  for (i in 1:4) spend_units(ledger, "250000000000")
  summary <- attr(ledger_report(ledger, delta = 1e-5), "summary")
  expect_equal(summary$statistics, 12)
  expect_equal(summary$epsilon - 4.3771780956812, 12 * 145.05 / (24 * 2^32), tolerance = 0.1)
})

test_that("a spent (epsilon, delta) budget implies what was promised", {
  ledger <- local_ledger(epsilon = 1, delta = 1e-5)
  spend_units(ledger, ledger$budget_units)
  summary <- attr(ledger_report(ledger), "summary")
  expect_identical(summary$delta, 1e-5)
  expect_equal(summary$epsilon, 1, tolerance = 1e-7)
})

test_that("reports print for every kind of budget", {
  pure <- local_ledger(epsilon = 1)
  for (i in 1:2) spend_units(pure, "100000000000")
  ledger_note(pure, strrep("c", 64))
  zcdp <- local_ledger(rho = 0.5)
  spend_units(zcdp, "250000000000")
  gdp <- local_ledger(mu = 0.5)
  spend_units(gdp, "90000000000")
  expect_snapshot({
    ledger_report(pure)
    ledger_report(zcdp)
    ledger_report(zcdp, delta = 1e-6)
    ledger_report(gdp, delta = 1e-6)
    ledger_report(pure)[2:3, c("seq", "cost")]
  })
})

test_that("arguments are checked", {
  expect_snapshot(error = TRUE, {
    ledger_report(no_ledger())
    ledger_report(local_ledger(rho = 1), delta = 0)
    ledger_report(local_ledger(rho = 1), delta = "1e-6")
  })
})
