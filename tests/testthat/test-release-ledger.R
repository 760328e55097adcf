test_that("a new ledger holds its budget and survives reopening and storage", {
  ledger <- local_ledger(epsilon = 1)
  expect_s3_class(ledger, "noiseaware_ledger")
  expect_identical(ledger[-1], list(population = "adults of Vaud", unit = "pure",
                                    budget_units = "1000000000000", epsilon = 1, delta = NULL))
  expect_identical(ledger_open(ledger$path), ledger)
  stored <- withr::local_tempfile()
  saveRDS(ledger, stored)
  expect_identical(readRDS(stored), ledger)
})

test_that("the kind of budget follows from the arguments", {
  kind <- function(...) unclass(local_ledger(...))[c("unit", "budget_units", "epsilon", "delta")]
  expect_identical(kind(rho = 0.1), list(unit = "zcdp", budget_units = "100000000000",
                                         epsilon = NULL, delta = NULL))
  expect_identical(kind(mu = 0.5), list(unit = "gdp", budget_units = "250000000000",
                                        epsilon = NULL, delta = NULL))
  expect_identical(kind(epsilon = 0.3, delta = 1e-6)[c("unit", "epsilon", "delta")],
                   list(unit = "gdp", epsilon = 0.3, delta = 1e-6))
})

test_that("a budget of (epsilon, delta) is exactly one Gaussian release of the same", {
  for (epsilon in c(0.1, 1, 3)) {
    ledger <- local_ledger(epsilon = epsilon, delta = 1e-5)
    mechanism <- mech_gaussian(epsilon, 1e-5)
    expect_identical(ledger_cost(mechanism, ledger), ledger$budget_units)
    expect_true(spend_units(ledger, ledger_cost(mechanism, ledger))$accepted)
    expect_false(spend_units(ledger, "1")$accepted)
  }
})

test_that("delta is kept to the last bit", {
  delta <- 1e-6 / 3
  expect_identical(local_ledger(epsilon = 1, delta = delta)$delta, delta)
  for (x in c(0.1, 1e-5, 1 / 3, 2^-40, 5e-324)) expect_identical(as.numeric(shortest_decimal(x)), x)
})

test_that("ten charges of 0.1 fit in 1, the eleventh does not", {
  ledger <- local_ledger(epsilon = 1)
  cost <- ledger_cost(mech_laplace(0.1), ledger)
  accepted <- vapply(1:11, function(i) spend_units(ledger, cost)$accepted, NA)
  expect_identical(accepted, rep(c(TRUE, FALSE), c(10, 1)))
})

test_that("names of the population are kept, quotes and all", {
  population <- "Z\u00fcrich \"2026\" \\ {x}"
  ledger <- local_ledger(epsilon = 1, population = population)
  expect_identical(ledger_open(ledger$path)$population, population)
  expect_output(print(ledger), "2026")
})

test_that("bad budgets are refused and create nothing", {
  dir <- withr::local_tempdir()
  path <- file.path(dir, "x.ledger")
  create <- function(...) ledger_create(path, "adults", ...)
  expect_snapshot(error = TRUE, {
    create()
    create(epsilon = 0)
    create(epsilon = -1)
    create(epsilon = Inf)
    create(epsilon = NA)
    create(epsilon = "1")
    create(epsilon = 1e-13)
    create(epsilon = 1e9)
    create(epsilon = 1, delta = 0)
    create(epsilon = 1, delta = 1)
    create(delta = 1e-6)
    create(epsilon = 1, rho = 1)
    create(rho = 1, mu = 1)
    create(rho = -1)
    create(mu = 1e-7)
  })
  expect_snapshot(error = TRUE, {
    ledger_create(path, "", epsilon = 1)
    ledger_create(path, strrep("x", 257), epsilon = 1)
    ledger_create(path, "two\nlines", epsilon = 1)
    ledger_create(1, "adults", epsilon = 1)
  })
  expect_identical(list.files(dir, all.files = TRUE, no.. = TRUE), character())
})

test_that("files are neither overwritten nor created where they cannot be", {
  skip_on_os("windows") # the reasons in the messages are the operating system's
  withr::local_dir(withr::local_tempdir())
  writeLines("precious", "mine")
  expect_snapshot(error = TRUE, {
    ledger_create("mine", "adults", epsilon = 1)
    ledger_create("no/such/place", "adults", epsilon = 1)
    ledger_open("missing")
    ledger_open(".")
    ledger_open("mine")
  })
  expect_identical(readLines("mine"), "precious")
  expect_identical(list.files(all.files = TRUE, no.. = TRUE), "mine")
})

test_that("a relative path is made absolute", {
  withr::local_dir(withr::local_tempdir())
  ledger <- ledger_create("here.ledger", "adults", epsilon = 1)
  withr::local_dir(withr::local_tempdir())
  expect_true(spend_units(ledger, "1")$accepted)
})

test_that("only the owner can read a ledger", {
  skip_on_os("windows")
  expect_identical(as.integer(file.mode(local_ledger(epsilon = 1)$path)), strtoi("600", 8L))
})

test_that("edited, removed and reordered records break the chain", {
  ledger <- local_ledger(epsilon = 1)
  for (cost in c("1", "2", "3")) spend_units(ledger, cost)
  lines <- ledger_lines(ledger)
  tampered <- list(
    sub("\"cost\":\"2\"", "\"cost\":\"1\"", lines, fixed = TRUE), lines[-2], lines[-1],
    lines[c(1, 3, 2, 4)], lines[c(1, 2, 2, 3, 4)]
  )
  for (text in tampered) {
    write_ledger_lines(text, ledger$path)
    expect_error(ledger_open(ledger$path), "Hash chain broken", class = "noiseaware_error_ledger")
    expect_identical(spend_units(ledger, "1")$kind, "chain")
    expect_error(ledger_repair(ledger$path), class = "noiseaware_error_ledger")
    expect_identical(ledger_lines(ledger), text)
  }
  write_ledger_lines(lines, ledger$path)
  expect_identical(ledger_open(ledger$path), ledger)
})

test_that("a rollback cannot be seen in the file: this is a documented limit", {
  ledger <- local_ledger(epsilon = 1)
  first <- spend_units(ledger, "1")
  write_ledger_lines(ledger_lines(ledger)[1], ledger$path)
  second <- spend_units(ledger, "2")
  expect_true(second$accepted)
  # What others see: two releases with one number and different hashes.
  expect_identical(second$seq, first$seq)
  expect_false(second$head == first$head)
})

test_that("a torn last line is refused until it is repaired", {
  ledger <- local_ledger(epsilon = 1)
  spend_units(ledger, "1")
  whole <- paste0(ledger_lines(ledger), "\n", collapse = "")
  for (torn in c("{", "{\"v\":\"1\",\"seq\":\"3\"", substr(whole, 1, 200))) {
    write_bytes(paste0(whole, torn), ledger$path)
    expect_error(ledger_open(ledger$path), "ledger_repair", class = "noiseaware_error_ledger")
    expect_identical(spend_units(ledger, "1")$kind, "torn")
    expect_message(repaired <- ledger_repair(ledger$path), paste("of", nchar(torn), "byte"))
    expect_identical(repaired, ledger)
    expect_identical(readChar(ledger$path, 1e5), whole)
  }
  expect_message(ledger_repair(ledger$path), "nothing was changed")
})

test_that("messages about damaged ledgers say what to do", {
  withr::local_dir(withr::local_tempdir())
  ledger <- ledger_create("x.ledger", "adults", epsilon = 1)
  for (i in 1:2) spend_units(ledger, "1")
  lines <- ledger_lines(ledger)
  damaged <- function(text) {
    write_bytes(text, "x.ledger")
    ledger_open("x.ledger")
  }
  expect_snapshot(error = TRUE, {
    damaged("")
    damaged("epsilon\n")
    damaged(paste0(lines[[1]], "\n", "{\"v\""))
    damaged(paste0(lines[[1]], "\n", lines[[3]], "\n"))
    damaged(paste0(sub("\"v\":\"1\"", "\"v\":\"2\"", lines[[1]]), "\n"))
  })
})

test_that("a file that became another ledger is noticed", {
  ledger <- local_ledger(epsilon = 1)
  file.remove(ledger$path)
  ledger_create(ledger$path, "adults of Geneva", epsilon = 1)
  expect_error(print(ledger), "not the ledger that was opened", class = "noiseaware_error_ledger")
  expect_error(ledger_charge(ledger, mech_laplace(0.1), strrep("a", 64), 1),
               class = "noiseaware_error_ledger")
})

# Eight processes try forty times each; the number of times they were told yes.
race <- function(try_once) {
  jobs <- lapply(1:8, function(i) {
    parallel::mcparallel(sum(vapply(1:40, function(k) isTRUE(try_once()), NA)))
  })
  sum(unlist(parallel::mccollect(jobs)))
}

test_that("eight processes that race for 64 units get exactly 64", {
  skip_on_cran()
  skip_on_os("windows")
  ledger <- local_ledger(epsilon = 64e-12)
  expect_equal(race(function() spend_units(ledger, "1")$accepted), 64)
  state <- ledger_state(ledger)
  expect_identical(state$left, "0")
  expect_length(state$records$seq, 65)
})

test_that("the race exposes a budget without a lock", {
  skip_on_cran()
  skip_on_os("windows")
  path <- withr::local_tempfile()
  file.create(path)
  unlocked <- function() {
    if (length(readLines(path)) >= 64) return(FALSE)
    Sys.sleep(0.002)
    cat("spent\n", file = path, append = TRUE)
    TRUE
  }
  expect_gt(race(unlocked), 64)
})

test_that("a process killed right after spending has spent", {
  skip_on_os("windows")
  ledger <- local_ledger(epsilon = 1)
  job <- parallel::mcparallel({
    spend_units(ledger, "750000000000")
    tools::pskill(Sys.getpid(), tools::SIGKILL)
  })
  suppressWarnings(parallel::mccollect(job))
  refused <- spend_units(ledger, "500000000000")
  expect_identical(refused$status, "refused")
  expect_identical(refused$left, "250000000000")
})

test_that("nothing random is used and nothing is left in R's generator", {
  set.seed(1)
  before <- .Random.seed
  spend_units(local_ledger(epsilon = 1), "1")
  expect_identical(.Random.seed, before)
})

test_that("ledgers print what is spent and left", {
  withr::local_dir(withr::local_tempdir())
  shorten <- function(lines) sub("file    .*/", "file    <dir>/", lines)
  pure <- ledger_create("pure.ledger", "adults of Vaud", epsilon = 1)
  spend_units(pure, "300000000000")
  gdp <- ledger_create("gdp.ledger", "adults of Vaud", mu = 0.5)
  both <- ledger_create("both.ledger", "adults of Vaud", epsilon = 1, delta = 1e-5)
  expect_snapshot(transform = shorten, {
    pure
    gdp
    ledger_create("zcdp.ledger", "adults of Vaud", rho = 0.25)
    no_ledger()
  })
  # mu of (1, 1e-5) is 1 / 3.7306316348159 (mpmath).
  expect_output(print(both), "epsilon = 1, delta = 1e-05 (Gaussian, mu^2 = 0.0718", fixed = TRUE)
  expect_equal(as.numeric(both$budget_units) * 1e-12, 3.7306316348159^-2, tolerance = 1e-10)
})
