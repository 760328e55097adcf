release_error <- function(expr, pattern) {
  expect_error(expr, pattern, class = "noiseaware_error_release")
}

# ---- canonical text --------------------------------------------------------

test_that("the canonical text sorts keys bytewise and has no white space", {
  value <- stats::setNames(list("x", list(1, TRUE, NULL, "y"), FALSE, list(k = -7L)),
                           c("b", "a", "\u00e9", "Z"))
  expect_identical(
    canonical_json(value),
    "{\"Z\":{\"k\":-7},\"a\":[1,true,null,\"y\"],\"b\":\"x\",\"\u00e9\":false}"
  )
  # Bytewise, whatever the language of the session sorts first.
  expect_identical(canonical_json(list(aB = 1, ab = 2, aa = 3, A = 4)),
                   "{\"A\":4,\"aB\":1,\"aa\":3,\"ab\":2}")
})

test_that("empty arrays and objects are told apart", {
  expect_identical(canonical_json(list()), "[]")
  expect_identical(canonical_json(stats::setNames(list(), character())), "{}")
})

test_that("strings are escaped so that a parser gives them back", {
  text <- "a \"quote\", a back\\slash, \u4e2d\u6587, \U0001F600, {brace} / [bracket]"
  expect_identical(jsonlite::parse_json(canonical_json(list(x = text)))$x, text)
  latin <- iconv("gr\u00f6\u00dfe", "UTF-8", "latin1")
  expect_identical(charToRaw(canonical_json(latin)), charToRaw("\"gr\u00f6\u00dfe\""))
})

test_that("nothing but strings, whole numbers and truth values can be written", {
  for (bad in list(1.5, NA, NA_character_, Inf, NaN, 2^31, c(1, 2), "a"[0], 1i, sum)) {
    expect_error(canonical_json(list(x = bad)), "canonical_json")
  }
})

# FIPS 180-4 examples; the third by `printf '\303\251' | sha256sum`.
test_that("sha256() is SHA-256 of the UTF-8 bytes", {
  expect_identical(sha256("abc"),
                   "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
  expect_identical(sha256(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
  accent <- "4a99557e4033c3539de2eb65472017cad5f9557f7a0625a09f1c3f6e2ba69c4c"
  expect_identical(sha256("\u00e9"), accent)
  expect_identical(sha256(iconv("\u00e9", "UTF-8", "latin1")), accent)
})

# ---- reading ---------------------------------------------------------------

test_that("only a file of reasonable size is read", {
  expect_identical(read_untrusted_text(local_file("{}")), "{}")
  release_error(read_untrusted_text(local_file("")), "between 2 bytes and 8 MiB")
  release_error(read_untrusted_text(local_file("1")), "between 2 bytes and 8 MiB")
  big <- local_file(rep(charToRaw(" "), 8 * 2^20 + 1))
  release_error(read_untrusted_text(big), "It has 8388609 bytes")
  release_error(read_untrusted_text(withr::local_tempdir()), "no file to read")
  release_error(read_untrusted_text(tempfile()), "no file to read")
  expect_error(read_untrusted_text(NULL), "path", class = "noiseaware_error_input")
  expect_error(read_untrusted_text(c("a", "b")), "path", class = "noiseaware_error_input")
})

test_that("a name that looks like an address or a command is only ever a file name", {
  for (path in c("https://example.org/x.json", "http://127.0.0.1:9/x", "file:///etc/passwd",
                 "ftp://example.org/x", "clipboard", "stdin", "|ls", "{\"a\":1}", "")) {
    expect_error(read_untrusted_text(path), class = "noiseaware_error")
  }
  # Even where a file of that name exists, the file is what is read.
  dir <- withr::local_tempdir()
  withr::local_dir(dir)
  dir.create(file.path("http:", "127.0.0.1:9"), recursive = TRUE)
  writeLines("{\"local\": true}", "http:/127.0.0.1:9/x")
  expect_match(read_untrusted_text("http://127.0.0.1:9/x"), "local")
  writeLines("{\"local\": true}", file.path(dir, "stdin"))
  expect_match(read_untrusted_text("stdin"), "local")
})

test_that("bytes that are not text are refused", {
  release_error(read_untrusted_text(local_file(as.raw(c(0x7b, 0x00, 0x7d)))), "NUL")
  for (bytes in list(c(0x22, 0xff, 0x22), c(0x22, 0xc3, 0x22), c(0x22, 0xed, 0xa0, 0x80, 0x22),
                     c(0x22, 0xc0, 0xaf, 0x22), c(0x22, 0xf4, 0x90, 0x80, 0x80, 0x22))) {
    release_error(read_untrusted_text(local_file(as.raw(bytes))), "UTF-8")
  }
})

test_that("a compressed file is not unpacked", {
  path <- withr::local_tempfile()
  con <- gzfile(path)
  writeLines("{\"a\": 1}", con)
  close(con)
  expect_error(parse_untrusted_json(read_untrusted_text(path)), class = "noiseaware_error_release")
})

# ---- parsing ---------------------------------------------------------------

test_that("depth is counted outside strings only", {
  expect_identical(json_depth("1"), 0L)
  expect_identical(json_depth(""), 0L)
  expect_identical(json_depth("[]"), 1L)
  expect_identical(json_depth("{\"a\":[[1],{\"b\":[2]}]}"), 4L)
  expect_identical(json_depth("[\"[[[[\"]"), 1L)
  expect_identical(json_depth("[\"\\\"[[[[\"]"), 1L)
  expect_identical(json_depth("[\"\\\\\",[[1]]]"), 3L)
  expect_identical(json_depth("[\"\u4e2d[\", [1]]"), 2L)
  expect_identical(json_depth("]]]][[[["), 0L)
})

test_that("nesting that would kill a parser never reaches it", {
  for (depth in c(9, 1e5)) {
    release_error(parse_untrusted_json(strrep("[", depth)), "nested deeper than 8")
    release_error(parse_untrusted_json(paste0(strrep("[", depth), strrep("]", depth))), "nested")
    release_error(parse_untrusted_json(strrep("{\"a\":", depth)), "nested deeper than 8")
  }
  expect_identical(parse_untrusted_json(paste0(strrep("[", 8), strrep("]", 8)))[[1]][[1]],
                   list(list(list(list(list(list()))))))
})

# A quote inside a comment would make the rest of the file look like a string.
test_that("comments are refused, so that they cannot hide nesting", {
  hidden <- paste0("/* \" */", strrep("[", 1e5), strrep("]", 1e5))
  release_error(parse_untrusted_json(hidden), "not valid JSON")
  release_error(parse_untrusted_json("{} // end"), "not valid JSON")
  release_error(parse_untrusted_json("/* a */ {}"), "not valid JSON")
  expect_identical(parse_untrusted_json("[\"a//b /* c */\"]"), list("a//b /* c */"))
})

test_that("what is not exactly one JSON value is refused", {
  for (text in c("", "  ", "{", "[1,]", "{\"a\":}", "{'a':1}", "{a:1}", "{} {}", "nul", "NaN",
                 "Infinity", "01", "+1", "\"\\x\"", "[1 2]", "\"a", "{\"a\" 1}", "\u00a0{}")) {
    release_error(parse_untrusted_json(text), "not valid JSON")
  }
})

test_that("a byte-order mark is refused without a stray warning", {
  expect_silent(release_error(parse_untrusted_json("\ufeff{}"), "not valid JSON"))
})

test_that("a member that is named twice is refused at any depth", {
  release_error(parse_untrusted_json("{\"a\":1,\"a\":1}"), "names a member twice")
  release_error(parse_untrusted_json("[{\"x\":{\"a\":1,\"b\":2,\"a\":3}}]"), "names a member twice")
  release_error(parse_untrusted_json("{\"a\":1,\"\\u0061\":2}"), "names a member twice")
  expect_identical(parse_untrusted_json("[{\"a\":1},{\"a\":2}]"), list(list(a = 1L), list(a = 2L)))
})

test_that("escapes that R cannot hold do not get through as something else", {
  for (text in c("{\"a\":\"x\\u0000y\"}", "{\"x\\u0000y\":1}", "[\"\\ud800\"]", "[\"\\udc00x\"]")) {
    release_error(parse_untrusted_json(text), "not valid JSON")
  }
  expect_identical(parse_untrusted_json("[\"\\ud83d\\ude00 \\u00e9\"]"), list("\U0001F600 \u00e9"))
})

test_that("arrays stay lists and nulls stay members", {
  value <- parse_untrusted_json("{\"a\":null,\"b\":[1,2],\"c\":[],\"d\":{}}")
  expect_identical(names(value), c("a", "b", "c", "d"))
  expect_null(value$a)
  expect_identical(value$b, list(1L, 2L))
  expect_identical(value$c, list())
})
