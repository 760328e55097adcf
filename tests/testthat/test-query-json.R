release_error <- function(expr, pattern) {
  expect_error(expr, pattern, class = "noiseaware_error_release")
}

test_that("every kind of query comes back from its file as it was", {
  for (name in names(example_queries())) {
    query <- example_queries()[[name]]
    path <- withr::local_tempfile()
    expect_identical(write_query(query, path), path)
    expect_identical(read_query(path), query, info = name)
    expect_identical(query_id(read_query(path)), query_id(query), info = name)
  }
})

test_that("an existing file is not overwritten", {
  query <- example_queries()[[1]]
  path <- local_file("mine")
  release_error(write_query(query, path), "could not be written")
  expect_identical(file_text(path), "mine")
})

test_that("the id is the SHA-256 of the canonical text and tells queries apart", {
  query <- query_moments(domain(x = c(0, 1)), "replace_one")
  canonical <- paste0(
    "{\"clip\":\"box\",\"columns\":[{\"centre_q\":\"1048576\",\"grid_exp\":21,\"lower_q\":\"0\",",
    "\"missing_q\":\"1048576\",\"name\":\"x\",\"type\":\"real\",\"upper_q\":\"2097152\"}],",
    "\"degree\":2,\"kind\":\"moments\",\"outside\":\"clamp\",\"relation\":\"replace_one\",",
    "\"unit_rows\":1}"
  )
  expect_identical(canonical_json(query_to_json(query)), canonical)
  # printf '%s' '<canonical>' | sha256sum
  expect_identical(query_id(query),
                   "0b5ea393cfaf39eb87d9462c1cdc4ee30dd16b38551ee42f44499ba0e7e21999")
  expect_false(anyDuplicated(vapply(example_queries(), query_id, "")) > 0)
  expect_identical(query_id(query), query_id(query_moments(domain(x = 0:1), "replace_one")))
})

test_that("only queries have an id or a file", {
  expect_error(query_id(domain(x = 0:1)), "query", class = "noiseaware_error_input")
  expect_error(write_query(1, tempfile()), "query", class = "noiseaware_error_input")
})

# ---- files that were edited ------------------------------------------------

query_text <- function(query) {
  path <- tempfile()
  on.exit(unlink(path))
  write_query(query, path)
  parse_untrusted_json(read_untrusted_text(path))
}

read_edited <- function(query, edit) {
  path <- local_file(canonical_json(edit(query_text(query))))
  read_query(path)
}

test_that("an edited grid is refused", {
  query <- query_moments(domain(x = c(0, 1), b = dom_binary(), f = c("p", "q", "r")), "replace_one")
  edits <- list(
    "too fine" = edit("query", "columns", 1, "upper_q", to = "9007199254740991"),
    "reversed" = edit("query", "columns", 1, "upper_q", to = "-5"),
    "empty" = edit("query", "columns", 1, "upper_q", to = "0"),
    "centre at an end" = edit("query", "columns", 1, "centre_q", to = "0"),
    "centre off by one" = edit("query", "columns", 1, "centre_q", to = "1048577"),
    "missing outside" = edit("query", "columns", 1, "missing_q", to = "-1"),
    "levels of a number" = edit("query", "columns", 1, "levels", to = list("a", "b")),
    "binary range" = edit("query", "columns", 2, "upper_q", to = "2097153"),
    "binary levels" = edit("query", "columns", 2, "levels", to = list("a", "b", "c")),
    "binary without levels" = edit("query", "columns", 2, "levels", to = removed),
    "level unknown" = edit("query", "columns", 3, "missing_q", to = "3"),
    "level negative" = edit("query", "columns", 3, "missing_q", to = "-1"),
    "level twice" = edit("query", "columns", 3, "levels", 2, to = "p"),
    "level grid" = edit("query", "columns", 3, "grid_exp", to = 19L),
    "level range" = edit("query", "columns", 3, "upper_q", to = "1"),
    "two levels of a factor" = edit("query", "columns", 3, "levels", 3, to = removed)
  )
  for (name in names(edits)) {
    expect_error(read_edited(query, edits[[name]]), "grid of column",
                 class = "noiseaware_error_release", info = name)
  }
  # Half a count, or three quarters of one.
  halves <- query_moments(domain(x = c(0, 1.5)), "replace_one")
  release_error(read_edited(halves, edit("query", "columns", 1, "type", to = "count")),
                "grid of column")
})

test_that("a query that contradicts itself is refused", {
  moments <- query_moments(domain(x = c(0, 1), y = c(0, 1)), "replace_one")
  tables <- query_tables(domain(a = dom_binary(), f = c("p", "q", "r"), k = dom_count(0, 3)),
                         ~ a:f + k, "add_remove")
  release_error(read_edited(moments, edit("query", "columns", 2, "name", to = "x")), "column twice")
  expect_error(read_edited(moments, edit("query", "unit_rows", to = 2L)), "add_remove",
               class = "noiseaware_error")
  release_error(read_edited(tables, edit("query", "cliques", 1, to = list("f", "a"))), "tables")
  release_error(read_edited(tables, edit("query", "cliques", 1, to = list("a", "z"))), "tables")
  release_error(read_edited(tables, edit("query", "cliques", 2, to = list("a", "f"))), "tables")
  release_error(read_edited(tables, edit("query", "columns", 3, "grid_exp", to = 3L)),
                "grid of column k")
  release_error(read_edited(tables, edit("query", "columns", 3, "type", to = "real")),
                "grid of column k")
})

test_that("what is not in the format is refused", {
  query <- query_moments(domain(x = c(0, 1)), "replace_one")
  format_error <- function(edit) release_error(read_edited(query, edit), "format")
  format_error(edit("version", to = "2"))
  format_error(edit("version", to = 1L))
  format_error(edit("format", to = "dp-release"))
  format_error(edit("extra", to = "x"))
  format_error(edit("query", "extra", to = "x"))
  format_error(edit("query", "kind", to = "images"))
  format_error(edit("query", "degree", to = 5L))
  format_error(edit("query", "degree", to = 0L))
  format_error(edit("query", "clip", to = "ball"))
  format_error(edit("query", "relation", to = "none"))
  format_error(edit("query", "relation", to = NULL))
  format_error(edit("query", "unit_rows", to = 0L))
  format_error(edit("query", "columns", to = list()))
  format_error(edit("query", "columns", 1, "lower_q", to = 0L))
  format_error(edit("query", "columns", 1, "lower_q", to = "00"))
  format_error(edit("query", "columns", 1, "lower_q", to = "-0"))
  format_error(edit("query", "columns", 1, "lower_q", to = "1e3"))
  format_error(edit("query", "columns", 1, "grid_exp", to = 101L))
  format_error(edit("query", "columns", 1, "grid_exp", to = "21"))
  format_error(edit("query", "columns", 1, "name", to = strrep("a", 257)))
})
