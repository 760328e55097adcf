# The README's code is run as a new user would: copied into a fresh directory.

mask_numbers <- function(x) gsub(" +", " ", gsub("[0-9][0-9.,]*%?", "#", x))

test_that("the README's code works", {
  skip_on_cran()
  readme <- test_path("../../README.md")
  skip_if_not(file.exists(readme), "sources not available")
  lines <- readLines(readme)
  starts <- grep("^```r$", lines)
  expect_gte(length(starts), 3)
  dir <- withr::local_tempdir()
  withr::local_dir(dir)
  env <- new.env(parent = globalenv())
  withr::local_pdf(NULL)
  for (start in starts) {
    end <- start + which(lines[-seq_len(start)] == "```")[[1]]
    code <- parse(text = lines[(start + 1):(end - 1)])
    run <- function() for (expr in code) print(eval(expr, env))
    expect_error(utils::capture.output(suppressMessages(run())), NA)
  }
  expect_setequal(list.files(), c("ledger.jsonl", "smoking.json"))
  expect_s3_class(env$fit, "noiseaware_fit")
  # The print-out shown is the real one, but for the numbers.
  shown <- lines[seq(which(grepl("^<fit>", lines)), length.out = 13)]
  expect_identical(mask_numbers(shown), mask_numbers(utils::capture.output(print(env$fit))[1:13]))
})

test_that("no number of the README waits to be filled in", {
  readme <- test_path("../../README.md")
  skip_if_not(file.exists(readme), "sources not available")
  expect_false(any(grepl("\\b(TODO|TALLY[A-Z]+|COV[A-Z]+|PRINTOUT)\\b", readLines(readme))))
})
