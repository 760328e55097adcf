# Every file is untrusted: what read_release() must refuse, and how it says so.

release_error <- function(expr, pattern = NULL, ...) {
  expect_error(expr, pattern, class = "noiseaware_error_release", ...)
}

refuse <- function(release, edit, pattern = NULL, rehash = TRUE) {
  expect_error(read_tampered(release, edit, rehash), pattern, class = "noiseaware_error")
}

# ---- before parsing ------------------------------------------------------------

test_that("what is not text is refused", {
  text <- file_text(local_release_file(release_lists(plain_release())))
  release_error(read_release(local_file("")), "between 2 bytes")
  release_error(read_release(withr::local_tempdir()), "no file")
  release_error(read_release(file.path(tempdir(), "no such file")), "no file")
  release_error(read_release("https://example.org/release.json"), "no file")
  release_error(read_release(text), "no file")
  release_error(read_release(local_file(c(charToRaw(text), as.raw(0)))), "NUL")
  release_error(read_release(local_file(c(charToRaw(text), as.raw(0xff)))), "UTF-8")
  padded <- local_file(c(charToRaw(text), rep(charToRaw(" "), 8 * 2^20)))
  release_error(read_release(padded), "between 2 bytes and 8 MiB")
  release_error(read_release(local_file(strrep("[", 1e5))), "nested deeper")
  release_error(read_release(local_file(paste0(strrep("{\"payload\":", 1e5), "1"))),
                "nested deeper")
  release_error(read_release(local_file(substr(text, 1, 500))), "not valid JSON")
  release_error(read_release(local_file(paste0(text, text))), "not valid JSON")
  for (path in list(NULL, NA, 1, character(), "", c("a", "b"), list())) {
    expect_error(read_release(path), "`path`", class = "noiseaware_error_input")
  }
})

test_that("JSON that is not an object is refused", {
  for (text in c("12", "\"ab\"", "true", "null", "[]", "{}", "[{}]", "1e400", "[1,2,3]")) {
    release_error(read_release(local_file(text)), "not a release")
  }
})

test_that("a member that is named twice is refused", {
  text <- file_text(local_release_file(release_lists(plain_release())))
  release_error(read_release(local_file(sub("{", "{\"version\":\"1\",", text, fixed = TRUE))),
                "twice")
  release_error(read_release(local_file(sub("\"n\":\"4\"", "\"n\":\"4\",\"n\":\"4\"", text,
                                            fixed = TRUE))), "twice")
  release_error(read_release(local_file(sub("\"n\":\"4\"", "\"n\":\"4\",\"\\u006e\":\"9\"", text,
                                            fixed = TRUE))), "twice")
})

# ---- the format ----------------------------------------------------------------

test_that("other formats and versions are refused by name", {
  own <- plain_release()
  refuse(own, edit("version", to = "2"), "another version than 1", rehash = FALSE)
  refuse(own, edit("version", to = 1L), "another version than 1", rehash = FALSE)
  refuse(own, edit("version", to = removed), "another version", rehash = FALSE)
  refuse(own, edit("format", to = "dp-query"), "not a release", rehash = FALSE)
  refuse(own, edit("format", to = list("dp-release")), "not a release", rehash = FALSE)
})

test_that("members that are not part of the format are refused", {
  own <- plain_release()
  extra <- list(c("extra"), c("payload", "extra"), c("payload", "query", "extra"),
                c("payload", "privacy", "extra"), c("payload", "rng", "seed"),
                c("payload", "mechanism", "extra"),
                c("payload", "sensitivity", "extra"))
  for (at in extra) refuse(own, do.call(edit, c(as.list(at), to = "x")), "not part of the format")
  refuse(own, edit("payload", "statistics", 1, "extra", to = "x"), "not part of the format")
  refuse(own, edit("payload", "query", "columns", 1, "extra", to = "x"), "not part of the format")
  refuse(own, edit("payload", "about", to = list(author = "x")), "not part of the format")
})

test_that("members that are missing are refused", {
  own <- plain_release()
  for (member in names(release_lists(own)$payload)) {
    refuse(own, edit("payload", member, to = removed), "lacks the member")
  }
  refuse(own, edit("payload_sha256", to = removed), "payload_sha256", rehash = FALSE)
})

test_that("numbers where strings are due, and the reverse, are refused", {
  own <- plain_release()
  refuse(own, edit("payload", "n", to = 4L), "of type string")
  refuse(own, edit("payload", "statistics", 1, "value", to = 5L), "of type string")
  refuse(own, edit("payload", "statistics", 1, "scale", to = 5L), "of type string")
  refuse(own, edit("payload", "statistics", 1, "grid_exp", to = "17"), "of type integer")
  refuse(own, edit("payload", "privacy", "epsilon", to = 1L), "of type string")
  refuse(own, edit("payload", "rng", "secure", to = "true"), "of type boolean")
  refuse(own, edit("payload", "about", to = "text"), "of type object")
  refuse(own, edit("payload", "group", to = list()), "of type object")
  text <- file_text(local_release_file(release_lists(own)))
  for (number in c("1e400", "-1e400", "1.5", "123456789012345678901234567890", "NaN", "Infinity",
                   "0x10")) {
    release_error(read_release(local_file(sub("\"grid_exp\":17", paste0("\"grid_exp\":", number),
                                              text))))
    release_error(read_release(local_file(sub("\"n\":\"4\"", paste0("\"n\":", number), text))))
  }
})

# "^...$" lets a newline follow in most regular expression engines.
test_that("strings must match to their very end", {
  own <- plain_release()
  with_newline <- list(
    list("payload", "n"), list("payload", "created"), list("payload", "query_sha256"),
    list("payload", "privacy", "epsilon"), list("payload", "statistics", 1, "value"),
    list("payload", "statistics", 1, "scale"), list("payload", "statistics", 1, "name"),
    list("payload", "query", "columns", 1, "name"),
    list("payload", "query", "columns", 1, "lower_q"), list("payload", "software")
  )
  file <- release_lists(own)
  for (at in with_newline) {
    value <- Reduce(function(x, key) x[[key]], at, file)
    # The writer refuses to escape control characters, so escape by hand.
    changed <- do.call(edit, c(at, to = paste0(value, "@NEWLINE@")))(file)
    text <- gsub("@NEWLINE@", "\\n", canonical_json(changed), fixed = TRUE)
    release_error(read_release(local_file(text)), "required form", info = paste(at, collapse = "."))
  }
})

test_that("numbers as strings must be plain", {
  own <- plain_release()
  for (bad in c("", "01", "+1", "-0", "1.0", "1e3", "0x1F", " 1", "1 ", "NaN", "NA", "Inf", "-Inf",
                "--1", strrep("9", 39))) {
    refuse(own, edit("payload", "statistics", 1, "value", to = bad), "required form")
  }
  for (bad in c("0", "-5", "NaN", "1e300", "1.5", "", "Inf", strrep("9", 20))) {
    refuse(own, edit("payload", "statistics", 1, "scale", to = bad), "required form")
  }
  for (bad in c("-4", "4.5", "NaN", "1e3", "04")) {
    refuse(own, edit("payload", "n", to = bad), "required form")
  }
  for (bad in c("-1", "1e-3", "NaN", "Inf", ".5", "1.", strrep("9", 8), "0.1234567890123")) {
    refuse(own, edit("payload", "privacy", "epsilon", to = bad), "required form")
  }
})

test_that("text is bounded and printable", {
  own <- plain_release()
  refuse(own, edit("payload", "software", to = strrep("a", 501)), "too long")
  refuse(own, edit("payload", "software", to = ""), "too short")
  refuse(own, edit("payload", "about", to = list(title = strrep("a", 501))), "too long")
  refuse(own, edit("payload", "about", to = stats::setNames(list(), character())),
         "too few members")
  refuse(own, edit("payload", "created", to = "yesterday"), "required form")
  refuse(own, edit("payload", "query_sha256", to = strrep("A", 64)), "required form")
})

# ---- the content ---------------------------------------------------------------

test_that("a payload that was changed does not fit its hash", {
  own <- plain_release()
  for (change in list(edit("payload", "statistics", 1, "value", to = "7"),
                      edit("payload", "software", to = "other"),
                      edit("payload", "about", to = list(title = "Forged")),
                      edit("payload_sha256", to = strrep("0", 64)))) {
    refuse(own, change, "does not match its own hash", rehash = FALSE)
  }
})

# A hash that anyone can compute again proves that a file is undamaged, not who
# wrote it. What follows from the query is checked nevertheless.
test_that("scales, sensitivity and budget must follow from the query, even with a new hash", {
  for (own in list(plain_release(), plain_release("add_remove"))) {
    scale <- own$payload$scales[[1]]
    refuse(own, edit("payload", "statistics", 1, "scale", to = whole_text(as.numeric(scale) - 1)),
           "contradicts itself in statistics")
    refuse(own, edit("payload", "statistics", 1, "scale", to = "1"),
           "contradicts itself in statistics")
    refuse(own, edit("payload", "statistics", 1, "grid_exp", to = 16L),
           "contradicts itself in statistics")
    refuse(own, edit("payload", "sensitivity", "num", to = "1"),
           "contradicts itself in sensitivity")
    refuse(own, edit("payload", "sensitivity", "den", to = "100"),
           "contradicts itself in sensitivity")
    refuse(own, edit("payload", "sensitivity", "norm", to = "L2 squared"),
           "contradicts itself in sensitivity")
    refuse(own, edit("payload", "privacy", "epsilon", to = "0.5"), "contradicts itself")
    refuse(own, edit("payload", "privacy", "actual", to = "0.5"), "contradicts itself in privacy")
    refuse(own, edit("payload", "privacy", "epsilon", to = "1.0"), "contradicts itself in privacy")
    refuse(own, edit("payload", "privacy", "epsilon", to = "0"), "do not fit its mechanism")
    refuse(own, edit("payload", "privacy", "delta", to = "0.1"), "do not fit its mechanism")
    refuse(own, edit("payload", "privacy", "unit", to = "gdp"), "do not fit its mechanism")
    refuse(own, edit("payload", "mechanism", "name", to = "discrete_gaussian"),
           "do not fit its mechanism")
    refuse(own, edit("payload", "query_sha256", to = strrep("a", 64)),
           "contradicts itself in query_sha256")
    refuse(own, edit("payload", "kind", to = "tables"), "contradicts itself in kind")
  }
})

test_that("budgets of Gaussian noise must fit too", {
  approximate <- plain_release(mechanism = mech_gaussian(1, 1e-6))
  refuse(approximate, edit("payload", "privacy", "epsilon", to = "0.5"), "do not fit its mechanism")
  refuse(approximate, edit("payload", "privacy", "delta", to = "1e-09"), "do not fit its mechanism")
  refuse(approximate, edit("payload", "privacy", "mu2", to = "0.1"), "do not fit its mechanism")
  refuse(approximate, edit("payload", "privacy", "mu2_noise", to = "0.1"),
         "does not fit its privacy parameters")
  refuse(approximate, edit("payload", "privacy", "mu2_noise", to = removed), "does not fit")
  for (delta in c("0", "1", "2", "-1", "1e-400", "1e400")) {
    refuse(approximate, edit("payload", "privacy", "delta", to = delta), "do not fit its mechanism")
  }
  for (epsilon in c("9999999", "0.000000000001")) {
    refuse(approximate, edit("payload", "privacy", "epsilon", to = epsilon))
  }
  refuse(approximate, edit("payload", "privacy", "actual", to = "0.1"),
         "contradicts itself in privacy")
  zcdp <- plain_release(mechanism = mech_gaussian(rho = 0.1))
  refuse(zcdp, edit("payload", "privacy", "rho", to = "0.2"), "do not fit its mechanism")
  refuse(zcdp, edit("payload", "privacy", "mu2", to = "0.3"), "do not fit its mechanism")
  refuse(zcdp, edit("payload", "privacy", "rho", to = "0"), "do not fit its mechanism")
  gdp <- plain_release(mechanism = mech_gaussian(mu = 0.5))
  refuse(gdp, edit("payload", "privacy", "mu2", to = "0.2"))
  refuse(gdp, edit("payload", "privacy", "mu2", to = "0"))
  refuse(gdp, edit("payload", "privacy", "mu2", to = removed))
})

test_that("statistics must be those of the query, in its order", {
  own <- plain_release()
  file <- release_lists(own)
  statistics <- file$payload$statistics
  refuse(own, edit("payload", "statistics", to = statistics[-1]), "statistics")
  refuse(own, edit("payload", "statistics", to = statistics[1:2]), "statistics")
  refuse(own, edit("payload", "statistics", to = c(statistics, statistics[1])), "statistics")
  refuse(own, edit("payload", "statistics", to = c(statistics, statistics)), "statistics")
  refuse(own, edit("payload", "statistics", to = rev(statistics)),
         "contradicts itself in statistics")
  refuse(own, edit("payload", "statistics", to = list()), "too few items")
  refuse(own, edit("payload", "statistics", 1, "name", to = "sum(z)"),
         "contradicts itself in statistics")
  refuse(own, edit("payload", "query", "columns", 1, "name", to = "z"), "contradicts itself")
  refuse(own, edit("payload", "query", "columns", 1, "name", to = "f"), "names a column twice")
  refuse(own, edit("payload", "query", "columns", 1, "upper_q", to = "2000000"))
  refuse(own, edit("payload", "query", "degree", to = 1L))
  refuse(own, edit("payload", "query", "relation", to = removed), "does not say its relation")
})

test_that("n is public under replace_one and noisy under add_remove", {
  refuse(plain_release("add_remove"), edit("payload", "n", to = "4"), "contradicts itself about n")
  refuse(plain_release("replace_one"), edit("payload", "n", to = NULL),
         "contradicts itself about n")
  refuse(plain_release("replace_one"), edit("payload", "n", to = "0"), "contradicts itself about n")
  refuse(plain_release("add_remove"), edit("payload", "query", "relation", to = "replace_one"),
         "contradicts itself about n")
})

test_that("noise is secure if and only if it came from the operating system", {
  own <- plain_release()
  refuse(own, edit("payload", "rng", "source", to = "simulation"), "random source")
  refuse(own, edit("payload", "rng", "secure", to = FALSE), "random source")
  refuse(own, edit("payload", "rng", "exact_noise", to = FALSE), "random source")
  seeded <- release_insecure(own$query, data.frame(x = 1, f = "p"), mech_laplace(1), seed = 1)
  refuse(seeded, edit("payload", "rng", "secure", to = TRUE), "random source")
  mark <- list(population = "all", seq = "2", head = strrep("a", 64))
  refuse(seeded, edit("payload", "ledger", to = mark), "random source")
})

test_that("groups under replace_one must be public", {
  own <- plain_release()
  hash <- strrep("a", 64)
  private <- list(by = "r", level = "p", public = FALSE, query_sha256 = hash)
  refuse(own, edit("payload", "group", to = private), "public")
  public <- list(by = "r", level = "p", public = TRUE, query_sha256 = hash)
  expect_identical(read_tampered(own, edit("payload", "group", to = public))$group, public)
})

# The limit of what any reader can do without a signature.
test_that("a value alone can be changed undetectably once the hash is computed again", {
  own <- plain_release()
  forged <- read_tampered(own, edit("payload", "statistics", 1, "value", to = "12345"))
  expect_identical(forged$payload$values[[1]], "12345")
  expect_identical(forged$payload$values[-1], own$payload$values[-1])
})
