query_error <- function(expr, pattern) expect_error(expr, pattern, class = "noiseaware_error_query")

text_of <- function(expr) expression_text(expression_tree(expr))

# Evaluates a tree with R's own functions: an oracle for what the text means.
evaluate_tree <- function(tree, values) {
  if (tree$op == "input") return(values[[tree$name]])
  if (tree$op == "constant") return(tree$value)
  args <- lapply(tree$args, evaluate_tree, values = values)
  switch(tree$op, negate = -args[[1]], "^" = args[[1]]^tree$value, do.call(tree$op, args))
}

test_that("R code becomes text that a person would write", {
  expect_identical(text_of(quote(log1p(income))), "log1p(income)")
  expect_identical(text_of(quote(a * b)), "a * b")
  expect_identical(text_of(quote(((age - 54) / 36)^2)), "((age - 54) / 36)^2")
  expect_identical(text_of(quote(x^2 + 2 * x * y + 1)), "(x^2 + ((2 * x) * y)) + 1")
  expect_identical(text_of(quote(-x^2)), "-x^2")
  expect_identical(text_of(quote((-x)^2)), "(-x)^2")
  expect_identical(text_of(quote(x - -2)), "x - (-2)")
  expect_identical(text_of(quote(+x)), "x")
  expect_identical(text_of(quote(pmin(x, y, 3))), "pmin(pmin(x, y), 3)")
  expect_identical(text_of(quote((x^2)^3)), "(x^2)^3")
  expect_identical(text_of(quote(`a b` >= 1e5)), "`a b` >= 100000")
  expect_identical(text_of(quote(x / 3e-7)), "x / 3e-07")
  expect_identical(text_of(call("*", quote(x), 0.1 + 0.2)), "x * 0.30000000000000004")
  expect_identical(text_of(call("-", -0)), "0")
})

test_that("texts are read back as the same tree, without R's parser", {
  texts <- list(
    quote(log1p(income)), quote(-(x + 1)), quote(-x), quote(sqrt(abs(x - 5)) / exp(-y)),
    quote(pmax(x, 1, y^3)), quote((x < 3) * y), quote(log(log2(log10(z)))), quote(x != y),
    call("+", as.name("back`tick \\ slash"), 1),
    quote(`123` * `.5`), quote(1 / x), quote(x^20), quote(((((x))))), quote(a == 1e300),
    quote(`log` * log(`log`)), quote(`if` + `TRUE`), quote(.a - `_`)
  )
  for (expr in texts) {
    tree <- expression_tree(expr)
    expect_identical(parse_expression(expression_text(tree)), tree)
  }
  # Such names cannot be in code unless the session is in UTF-8.
  tree <- power_tree(list(op = "input", name = "gr\u00f6\u00dfe \u4e2d"), 2)
  expect_identical(parse_expression(expression_text(tree)), tree)
})

test_that("random trees mean what R means, and survive as text", {
  withr::local_seed(3)
  grow <- function(depth) {
    if (depth == 0) return(sample(list(quote(x), quote(y), 2, 0.3), 1)[[1]])
    op <- sample(c("+", "-", "*", "pmin", "pmax", "abs", "neg", "^", "<"), 1)
    part <- function() grow(depth - 1)
    switch(op, abs = call("abs", part()), neg = call("-", part()),
           "^" = call("^", part(), sample(1:3, 1)), call(op, part(), part()))
  }
  values <- list(x = c(-1.5, 0, 2.25), y = c(3, -0.5, 0.125))
  for (i in 1:60) {
    expr <- grow(sample(1:5, 1))
    tree <- expression_tree(expr)
    text <- expression_text(tree)
    expect_identical(parse_expression(text), tree)
    # What R makes of the text is what R made of the code, and what the tree says.
    expect_equal(eval(str2lang(text), values) * 1, eval(expr, values) * 1)
    expect_equal(evaluate_tree(tree, values) * 1, eval(expr, values) * 1)
  }
})

test_that("only row-wise functions of columns and numbers are taken", {
  tree <- function(expr) expression_tree(expr)
  query_error(tree(quote(system("ls"))), "columns, numbers and row-wise functions")
  for (expr in list("x", TRUE, NULL, 1i, quote("a" + x), quote(x[1]()), quote((\(x) x)(1)))) {
    query_error(tree(expr), "columns, numbers and row-wise|not one of the row-wise")
  }
  for (expr in list(quote(mean(x)), quote(x$y), quote(x[[1]]), quote(if (x) 1),
                    call("{", quote(x)),
                    quote(x %in% 1), quote(cumsum(x)), quote(x && y), quote(!x), quote(x <- 1),
                    quote(log(x)(1)), quote(base::log(x)), quote(rank(x)), quote(~x))) {
    query_error(tree(expr), "row-wise")
  }
  query_error(tree(quote(log(x, 2))), "wrong number of arguments")
  query_error(tree(quote(pmin(x))), "wrong number of arguments")
  query_error(tree(quote(sqrt())), "wrong number of arguments")
  query_error(tree(quote(sqrt(x = y))), "no names")
  query_error(tree(quote(pmin(x, ))), "not empty")
  for (bad in list(NA_real_, Inf, NaN, c(1, 2), numeric())) {
    query_error(tree(call("+", quote(x), bad)), "one finite number")
  }
  for (bad in list(0.5, 0, -1, 21, quote(y), quote(1 + 1))) {
    query_error(tree(call("^", quote(x), bad)), "whole number from 1 to 20")
  }
  query_error(tree(call("+", quote(x), structure(1, class = "money"))), "one finite number")
})

test_that("depth and length are limited", {
  deep <- Reduce(function(x, i) call("abs", x), 1:16, quote(x))
  query_error(expression_tree(deep), "nested more than 16 deep")
  expect_silent(check_tree(expression_tree(deep[[2]])))
  wide <- Reduce(function(x, y) call("+", x, y), rep(list(quote(x)), 12))
  many <- expression_tree(call("pmin", wide, wide))
  big <- list(op = "+", args = list(many, many))
  big <- list(op = "+", args = list(big, big))
  query_error(check_tree(big), "more than 100 steps")
  flat <- expression_tree(as.call(c(list(quote(pmin)), rep(list(quote(x)), 40))))
  query_error(check_tree(flat), "nested")
  long <- list(op = "input", name = strrep("x", 1001))
  query_error(check_tree(long), "longer than 1000 bytes")
})

test_that("texts that were tampered with are refused", {
  bad <- c(
    "", " ", "x +", "+ x", "x + y + z", "x  + y", "x+y", "(x)", "((x + y))", "x + (y)", "log x",
    "log(x", "log(x))", "log(x) y", "log()", "pmin(x)", "pmin(x, y, z)", "foo(x)", "x; y", "x\ny",
    "x^", "x^y", "x^2.5", "x^21", "x^1e400", "1e999 * x", "0x10 * x", "1L + x", "TRUE", "x == NA +",
    "`x", "``", "`x` + y", "--x", "x ** 2", "{x}", "x[1]", "\"a\"", "x %in% y", "x -> y",
    "function(x) x", "system(`rm -rf`)", "x # comment", "x + 1.50", "01 * x", ".5 * x", "x + +1",
    "-2 * x", "abs(-(x))", strrep("(", 900), strrep("-", 900), paste0(strrep("abs(", 100), "x",
    strrep(")", 100)), strrep("x", 2000), "\u03b1", "x \u2212 1", "x + 1e-400"
  )
  for (text in bad) query_error(parse_expression(text), "expression|exponent|row-wise|number|argum")
  expect_identical(parse_expression("`TRUE`"), list(op = "input", name = "TRUE"))
})

test_that("programs are in postfix order with inputs by position", {
  tree <- expression_tree(quote((a - 2) * log(b)^3))
  expect_identical(
    expression_program(tree, c("b", "a")),
    list(op = c("input", "constant", "-", "input", "log", "^", "*"), value = c(2, 2, 0, 1, 0, 3, 0))
  )
  expect_identical(tree_names(tree), c("a", "b"))
})
