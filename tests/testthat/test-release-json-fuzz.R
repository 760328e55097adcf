# Files that were changed at random.

# A reader of a mutated file either refuses with one of our errors or returns a
# release that is sound: what it writes is what it read.
read_outcome <- function(path) {
  withCallingHandlers(
    tryCatch({
      release <- read_release(path)
      if (is_sound(release)) "release" else "unsound release"
    }, noiseaware_error = function(e) "refused",
    error = function(e) paste("error:", conditionMessage(e))),
    warning = function(w) if (inherits(w, "noiseaware_warning")) tryInvokeRestart("muffleWarning")
  )
}

is_sound <- function(release) {
  copy <- tempfile()
  on.exit(unlink(copy))
  write_release(release, copy)
  utils::capture.output(print(release))
  observed <- if (inherits(release, "noiseaware_release")) observe(release) else list()
  identical(suppressWarnings(read_release(copy)), release) && is.list(observed)
}

fuzz_bytes <- function(text) {
  bytes <- charToRaw(text)
  at <- sample(length(bytes), 1)
  switch(sample(4, 1),
    replace(bytes, at, as.raw(sample(0:255, 1))),
    bytes[-at],
    append(bytes, as.raw(sample(32:126, 1)), at),
    bytes[seq_len(at)]
  )
}

# One random place of a nested list, as a list of keys.
random_place <- function(x) {
  at <- list()
  while (is.list(x) && length(x) > 0 && (length(at) == 0 || stats::runif(1) < 0.85)) {
    key <- if (is.null(names(x))) sample(length(x), 1) else sample(names(x), 1)
    at <- c(at, key)
    x <- x[[key]]
  }
  at
}

fuzz_values <- list(
  NULL, TRUE, FALSE, 0L, -1L, 1L, 2147483647L, "", "0", "-1", "1", "2", "1e308", "NaN", "x",
  "sum(x)", "-99999999999999999999999999999999999999", list(),
  stats::setNames(list(), character()), list("a", "b"),
  list(name = "x"), strrep("9", 16), "0.000000000001", "9999999.999999999999", "\u4e2d", removed,
  "replace_one", "add_remove", "moments", "tables", "gaussian", "none", "discrete_gaussian", "pure",
  "gdp"
)

fuzz_structure <- function(file) {
  for (i in seq_len(sample(2, 1))) {
    file <- edit_at(file, random_place(file), fuzz_values[[sample(length(fuzz_values), 1)]])
    if (!is.list(file)) return(file)
  }
  if (stats::runif(1) < 0.8 && is.list(file$payload)) {
    file$payload_sha256 <- sha256(canonical_json(file$payload))
  }
  file
}

fuzz_bases <- function() {
  tables <- query_tables(domain(b = dom_binary(), k = dom_count(0, 2)), ~ b + k, "add_remove")
  seeded <- release_insecure(tables, data.frame(b = 1, k = 2), mech_gaussian(1, 1e-6), seed = 3)
  c(list(plain_release(), seeded), example_externals()[3:4])
}

test_that("files with a random byte changed are refused or sound", {
  withr::local_seed(101)
  texts <- lapply(fuzz_bases(), function(release) canonical_json(release_lists(release)))
  outcomes <- vapply(seq_len(150), function(i) {
    read_outcome(local_file(fuzz_bytes(texts[[1 + i %% length(texts)]])))
  }, "")
  expect_identical(setdiff(outcomes, c("refused", "release")), character())
  expect_true("refused" %in% outcomes)
})

test_that("files with members changed at random are refused or sound", {
  withr::local_seed(102)
  files <- lapply(fuzz_bases(), release_lists)
  outcomes <- vapply(seq_len(300), function(i) {
    read_outcome(local_file(canonical_json(fuzz_structure(files[[1 + i %% length(files)]]))))
  }, "")
  expect_identical(setdiff(outcomes, c("refused", "release")), character())
  expect_setequal(unique(outcomes), c("refused", "release"))
})
