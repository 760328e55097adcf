# What people will get wrong. Each mistake gets one clear error with a class,
# nothing is spent and nothing is written.

custodian <- function(env = parent.frame()) {
  dir <- withr::local_tempdir(.local_envir = env)
  ledger <- ledger_create(file.path(dir, "budget.ledger"), "adults of Vaud", epsilon = 1)
  writeLines("mine", file.path(dir, "existing.json"))
  list(
    dir = dir, ledger = ledger,
    path = function(...) file.path(dir, ...),
    state = function() {
      files <- list.files(dir, all.files = TRUE, recursive = TRUE, no.. = TRUE)
      stats::setNames(lapply(file.path(dir, files), file_text), files)
    }
  )
}

conditions_of <- function(expr, env) {
  seen <- list()
  record <- function(condition) {
    seen[[length(seen) + 1]] <<- condition
    if (!inherits(condition, "error")) rlang::cnd_muffle(condition)
  }
  try(withCallingHandlers(eval(expr, env), error = record, warning = record, message = record),
      silent = TRUE)
  seen
}

# One condition each, of ours, without a call; and their text in a snapshot.
expect_bad_inputs <- function(cases, desk, env = parent.frame()) {
  before <- desk$state()
  for (case in as.list(cases)) {
    label <- paste(deparse(case), collapse = " ")
    seen <- conditions_of(case, env)
    expect_length(seen, 1)
    expect_s3_class(seen[[1]], "noiseaware_error")
    expect_null(conditionCall(seen[[1]]), info = label)
    expect_identical(desk$state(), before, info = label)
  }
  block <- as.call(c(quote(`{`), as.list(cases)))
  hide <- function(lines) gsub(desk$dir, "<dir>", lines, fixed = TRUE)
  eval(bquote(expect_snapshot(.(block), error = TRUE, cnd_class = TRUE, transform = .(hide))), env)
}

people <- domain(age = c(18, 90), smoker = dom_binary(), region = c("n", "e", "s"))
records <- data.frame(age = c(33, 44), smoker = c(0, 1), region = c("n", "s"))
query <- query_moments(people, "replace_one")
laplace <- mech_laplace(0.5)

test_that("domains", {
  local_reproducible_output(width = 100)
  desk <- custodian()
  expect_bad_inputs(expression(
    domain(),
    domain(c(18, 90)),
    domain(age = NULL),
    domain(age = c(18, NA)),
    domain(age = c(90, 18)),
    domain(age = c(18, 18)),
    domain(age = c(18, Inf)),
    domain(age = "old"),
    domain(age = c(0, 1), age = c(0, 1)),
    domain(sex = c("f", "f")),
    dom_levels(1:3, other = 4),
    dom_count(0, 1.5),
    dom_real(0, 1, missing = 7),
    query_moments(domain(x = c(0, 1e-300)))
  ), desk)
})

test_that("queries", {
  local_reproducible_output(width = 100)
  desk <- custodian()
  expect_bad_inputs(expression(
    query_moments(NULL),
    query_moments(records, "replace_one"),
    query_moments(people, "bounded"),
    query_moments(people, "replace_one", degree = 3),
    query_moments(people, "replace_one", unit_rows = 2),
    query_moments(people, "replace_one", clip = "ball"),
    query_tables(people, ~ age, "replace_one"),
    query_tables(people, ~ smoker * region, "replace_one"),
    query_tables(people, ~ income, "replace_one"),
    query_tables(people, ~ smoker:region + region:smoker, "replace_one"),
    sensitivity(query_moments(people)),
    sensitivity(query, "L3"),
    cost(query_moments(people), laplace),
    cost(query, "laplace"),
    write_query(query, desk$path("existing.json")),
    read_query(desk$path("absent.json"))
  ), desk)
})

test_that("mechanisms", {
  local_reproducible_output(width = 100)
  desk <- custodian()
  expect_bad_inputs(expression(
    mech_laplace(0),
    mech_laplace(-1),
    mech_laplace(Inf),
    mech_laplace("1"),
    mech_laplace(NULL),
    mech_laplace(NA),
    mech_laplace(1e-13),
    mech_gaussian(1),
    mech_gaussian(1, 0),
    mech_gaussian(1, 1),
    mech_gaussian(1, NA),
    mech_gaussian(),
    mech_gaussian(1, 1e-6, rho = 1),
    mech_gaussian(rho = 0),
    mech_gaussian(mu = -1)
  ), desk)
})

test_that("releases", {
  local_reproducible_output(width = 100)
  desk <- custodian()
  ledger <- desk$ledger
  expect_bad_inputs(expression(
    release(NULL, records, laplace, ledger),
    release(query_moments(people), records, laplace, ledger),
    release(query, NULL, laplace, ledger),
    release(query, "records.csv", laplace, ledger),
    release(query, records["age"], laplace, ledger),
    release(query, transform(records, age = as.character(age)), laplace, ledger),
    release(query, transform(records, age = factor(age)), laplace, ledger),
    release(query, transform(records, region = as.Date("2026-01-01")), laplace, ledger),
    release(query, records[0, ], laplace, ledger),
    release(query, records[0, ], laplace, no_ledger()),
    release(query, function() stop("secret 123"), laplace, ledger),
    release(query, records, 0.5, ledger),
    release(query, records, laplace),
    release(query, records, laplace, NULL),
    release(query, records, laplace, desk$path("budget.ledger")),
    release(query, records, mech_laplace(2), ledger),
    release(query, records, mech_gaussian(1, 1e-6), ledger),
    release(query, records, mech_laplace(1e-12), ledger),
    release(query, records, laplace, ledger, file = desk$path("existing.json")),
    release(query, records, laplace, ledger, file = desk$path("absent", "x.json")),
    release(query, records, laplace, ledger, file = 1),
    release(query, records, laplace, ledger, by = "region"),
    release(query, records, laplace, ledger, by = "age"),
    release(query, records, laplace, ledger, by = "income"),
    release(query, records, laplace, ledger, by = TRUE),
    release(query, records, laplace, ledger, about = "Smoking in Vaud"),
    release(query, records, laplace, ledger, about = list(author = "me")),
    release(query, records, laplace, ledger, about = list(title = "two\nlines")),
    release_insecure(query, records, laplace, seed = "one"),
    release_insecure(query, records, laplace, seed = -1),
    tally_records(query, 1:3),
    c(tally_records(query, records), records)
  ), desk)
})

test_that("ledgers", {
  local_reproducible_output(width = 100)
  desk <- custodian()
  expect_bad_inputs(expression(
    ledger_create(desk$path("absent", "x.ledger"), "adults", epsilon = 1),
    ledger_create(desk$path("existing.json", "x.ledger"), "adults", epsilon = 1),
    ledger_create(desk$path("budget.ledger"), "adults", epsilon = 1),
    ledger_create(desk$path("new.ledger"), "adults"),
    ledger_create(desk$path("new.ledger"), "adults", epsilon = 0),
    ledger_create(desk$path("new.ledger"), "adults", epsilon = 1, rho = 1),
    ledger_create(desk$path("new.ledger"), "", epsilon = 1),
    ledger_create(NULL, "adults", epsilon = 1),
    ledger_open(desk$path("absent.ledger")),
    ledger_open(desk$path("existing.json"))
  ), desk)
})

test_that("release files", {
  local_reproducible_output(width = 100)
  desk <- custodian()
  file <- release_lists(release_insecure(query, records, laplace, seed = 1))
  put <- function(name, file) writeLines(canonical_json(file), desk$path(name))
  put("version.json", edit("version", to = "9")(file))
  put("hash.json", edit("payload", "n", to = "5")(file))
  put("nan.json", edit("payload", "statistics", 1, "scale", to = "NaN")(file))
  put("extra.json", edit("payload", "rows", to = "7")(file))
  rehash <- function(file) edit("payload_sha256", to = sha256(canonical_json(file$payload)))(file)
  put("scale.json", rehash(edit("payload", "statistics", 1, "scale", to = "5")(file)))
  writeLines("{\"format\": ", desk$path("corrupt.json"))
  writeLines("[]", desk$path("list.json"))
  expect_bad_inputs(expression(
    read_release(NULL),
    read_release(desk$path("absent.json")),
    read_release(desk$dir),
    read_release("https://example.org/release.json"),
    read_release(desk$path("existing.json")),
    read_release(desk$path("corrupt.json")),
    read_release(desk$path("list.json")),
    read_release(desk$path("version.json")),
    read_release(desk$path("hash.json")),
    read_release(desk$path("nan.json")),
    read_release(desk$path("extra.json")),
    read_release(desk$path("scale.json")),
    write_release(query, desk$path("x.json"))
  ), desk)
})

test_that("statistics of others", {
  local_reproducible_output(width = 100)
  desk <- custodian()
  expect_bad_inputs(expression(
    as_release(query, values = 5, noise = noise_none()),
    as_release(query, values = c("sum(income)" = 5), noise = noise_none()),
    as_release(query, values = c("sum(age)" = NA), noise = noise_none()),
    as_release(query, values = c("sum(age)" = 5), noise = 1),
    as_release(query, n = -1, values = c("sum(age)" = 5), noise = noise_none()),
    as_release(query, values = c("sum(age)" = 5), noise = noise_none(), centre = c(income = 1)),
    as_release(query, values = c("sum(age)" = 5), noise = noise_none(), threshold = -1),
    noise_laplace(0),
    noise_laplace(NaN),
    noise_gaussian(-1),
    noise_laplace(1, grid = -1)
  ), desk)
})
