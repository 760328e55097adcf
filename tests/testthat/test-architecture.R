# The layering is a test, not a wish.

source_dir <- function(...) {
  dir <- test_path("../..", ...)
  skip_if_not(dir.exists(dir), "sources not available")
  dir
}

r_files <- function() list.files(source_dir("R"), pattern = "[.]R$", full.names = TRUE)

layer_of <- function(path) {
  name <- basename(path)
  if (grepl("^release-(make|ledger|bounds)", name)) return("custodian")
  sub("[-.].*", "", name)
}

allowed <- list(
  util = "util",
  query = c("util", "query"),
  tally = c("util", "query", "tally"),
  release = c("util", "query", "release"),
  custodian = c("util", "query", "tally", "release", "custodian"),
  infer = c("util", "query", "release", "infer"),
  fit = c("util", "query", "release", "infer", "fit"),
  score = c("util", "query", "tally", "release", "custodian", "infer", "fit", "score")
)

# Function definitions of a file, by name, without running anything else in it.
definitions <- function(file) {
  found <- list()
  for (expr in parse(file, keep.source = FALSE)) {
    if (is.call(expr) && identical(expr[[1]], quote(`<-`)) && is.name(expr[[2]]) &&
        is.call(expr[[3]]) && identical(expr[[3]][[1]], quote(`function`))) {
      found[[as.character(expr[[2]])]] <- eval(expr[[3]], baseenv())
    }
  }
  found
}

layer_violations <- function(files) {
  defs <- lapply(files, definitions)
  layers <- vapply(files, layer_of, "")
  home <- rep(unname(layers), lengths(defs))
  names(home) <- unlist(lapply(defs, names))
  bad <- character()
  for (i in seq_along(files)) {
    for (fn in names(defs[[i]])) {
      used <- home[codetools::findGlobals(defs[[i]][[fn]], merge = FALSE)$functions]
      wrong <- used[!is.na(used) & !(used %in% allowed[[layers[[i]]]])]
      if (length(wrong) > 0) bad <- c(bad, paste(basename(files[[i]]), fn, "->", names(wrong)))
    }
  }
  bad
}

test_that("every R file belongs to a layer", {
  files <- r_files()
  files <- files[!basename(files) %in% c("noiseaware-package.R", "RcppExports.R")]
  expect_setequal(setdiff(vapply(files, layer_of, ""), names(allowed)), character())
})

test_that("layers use only what they may", {
  files <- r_files()
  files <- files[vapply(files, layer_of, "") %in% names(allowed)]
  expect_gt(length(files), 20)
  expect_identical(layer_violations(files), character())
})

test_that("no function is defined twice", {
  names <- unlist(lapply(r_files(), function(file) names(definitions(file))))
  expect_identical(names[duplicated(names)], character())
})

test_that("the layer test can fail", {
  dir <- withr::local_tempdir()
  writeLines("tally_records <- function(x) x", file.path(dir, "tally-records.R"))
  writeLines("infer <- function(x) tally_records(x)", file.path(dir, "infer.R"))
  files <- list.files(dir, full.names = TRUE)
  expect_identical(layer_violations(files), "infer.R infer -> tally_records")
})

core_lines <- function() {
  files <- list.files(source_dir("inst", "include"), pattern = "[.]hpp$", recursive = TRUE,
                      full.names = TRUE)
  lines <- unlist(lapply(files, readLines))
  sub("//.*", "", lines)
}

forbidden <- c(
  r_headers = "#include <(R|Rcpp|RcppEigen|Rinternals|Rmath)([.]h(pp)?)?>",
  printing = "\\b(std::(cout|cerr|clog)|printf|puts)\\b",
  endings = "\\b(abort|exit|assert)\\s*\\(",
  library_randomness = "std::([a-z_]+_distribution|random_device|mt19937)|\\brand\\(",
  unsafe_functions = "\\b(std::)?(lgamma|tgamma|signgam)\\b",
  globals = "^(static|extern|inline) [^(]*;$"
)

test_that("the core knows nothing of R and keeps no state", {
  lines <- core_lines()
  expect_gt(length(lines), 1000)
  for (rule in names(forbidden)) {
    found <- grep(forbidden[[rule]], lines, value = TRUE)
    found <- grep("constexpr|static_assert", found, value = TRUE, invert = TRUE)
    expect_identical(found, character(), info = rule)
  }
})

test_that("glue exports take at most four lists", {
  files <- list.files(source_dir("src"), pattern = "[.]cpp$", full.names = TRUE)
  text <- paste(unlist(lapply(files, readLines)), collapse = "\n")
  heads <- regmatches(text, gregexpr("Rcpp::export(\\(rng = false\\))?\\]\\]\n[^{]*\\{", text))[[1]]
  arguments <- sub("^[^\n]*\n[^(]*\\(", "", heads)
  lists <- lengths(regmatches(arguments, gregexpr("Rcpp::List [a-z]", arguments)))
  expect_gt(length(heads), 5)
  expect_true(all(lists <= 4))
})
