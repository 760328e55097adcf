aborters <- list(input = abort_input, query = abort_query, release = abort_release,
                 ledger = abort_ledger, model = abort_model, no_records = abort_no_records)

catch <- function(expr) tryCatch(expr, error = identity)

test_that("every error has a class of its kind and the common one", {
  for (kind in names(aborters)) {
    error <- catch(aborters[[kind]]("It is wrong."))
    expect_s3_class(error, c(paste0("noiseaware_error_", kind), "noiseaware_error", "rlang_error"),
                    exact = FALSE)
    expect_identical(conditionMessage(error), "It is wrong.")
  }
})

test_that("a message has a header, what was seen and what to do", {
  seen <- -1
  error <- catch(abort_input(c("{.arg x} must be positive.", "x" = "You gave {seen}.",
                               "i" = "Try a larger\n            number.")))
  expect_identical(conditionMessage(error),
                   "`x` must be positive.\nx You gave -1.\ni Try a larger number.")
})

test_that("interpolation happens where the error is raised, and only once", {
  fail <- function(value) abort_input(c("Header.", "x" = "You gave {value}."))
  hostile <- "{stop('evaluated')} {.val 1} %s <b>"
  expect_match(conditionMessage(catch(fail(hostile))), hostile, fixed = TRUE)
})

# A call or a trace can hold a data frame that was inlined into it.
test_that("an error carries neither call nor trace nor data", {
  fail <- function(data) abort_release("It failed.")
  canary <- data.frame(x = c(123456.789, 2))
  error <- catch(do.call(fail, list(data = canary)))
  expect_null(conditionCall(error))
  expect_null(error$trace)
  expect_null(error$parent)
  expect_false(bytes_occur(writeBin(123456.789, raw(), endian = "big"), serialize(error, NULL)))
  with_call <- catch(do.call(function(data) stop("no"), list(data = canary)))
  expect_true(bytes_occur(writeBin(123456.789, raw(), endian = "big"), serialize(with_call, NULL)))
})

test_that("warnings have classes and are formatted like errors", {
  number <- 3
  warning <- tryCatch(noiseaware_warn(c("Only {number} left.", "i" = "Buy more."), "supply"),
                      warning = identity)
  expect_s3_class(warning, "noiseaware_warning_supply")
  expect_s3_class(warning, "noiseaware_warning")
  expect_identical(conditionMessage(warning), "Only 3 left.\ni Buy more.")
})
