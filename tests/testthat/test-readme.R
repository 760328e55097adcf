# The README's code is run as a new user would: copied into a fresh directory.

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
})
