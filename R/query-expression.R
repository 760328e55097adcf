# Row-wise expressions of columns: a small language of its own. R code becomes a
# tree of white-listed operations; a query keeps the tree as text, which is read
# back without R's parser. Nothing here is ever evaluated by R.

# A tree is a list with `op`: "input" (with `name`), "constant" (with `value`),
# "^" (with one argument and a whole `value`), "negate", a function or an infix
# operator with `args`.
expression_functions <- c("abs", "sqrt", "exp", "log", "log1p", "log2", "log10")
expression_pairs <- c("pmin", "pmax")
expression_comparisons <- c("<", "<=", ">", ">=", "==", "!=")
expression_infix <- c("+", "-", "*", "/", expression_comparisons)

# Limits for trees, whoever wrote them.
max_expression_depth <- 16L
max_expression_steps <- 100L
max_expression_bytes <- 1000L
max_exponent <- 20

refuse_expression <- function(reason) abort_query("{reason}")

# ---- from R code --------------------------------------------------------------

expression_tree <- function(expr, depth = 1L) {
  check_depth(depth)
  if (is.name(expr)) return(list(op = "input", name = enc2utf8(as.character(expr))))
  if (is.numeric(expr)) return(constant_tree(expr))
  if (!is.call(expr) || !is.name(expr[[1]])) {
    refuse_expression("An expression is made of columns, numbers and row-wise functions.")
  }
  arguments <- as.list(expr)[-1]
  check_arguments(arguments, names(arguments))
  call_tree(as.character(expr[[1]]), arguments, depth)
}

check_depth <- function(depth) {
  if (depth > max_expression_depth) {
    refuse_expression(paste("The expression is nested more than", max_expression_depth, "deep."))
  }
}

check_arguments <- function(arguments, names) {
  empty <- vapply(seq_along(arguments), function(i) rlang::is_missing(arguments[[i]]), NA)
  if (any(empty) || any(nzchar(names))) {
    refuse_expression("Arguments within an expression have no names and are not empty.")
  }
}

constant_tree <- function(value) {
  if (length(value) != 1 || !is.null(attributes(value)) || !is.finite(value)) {
    refuse_expression("A constant within an expression must be one finite number.")
  }
  # Adding 0 turns -0 into 0.
  list(op = "constant", value = as.double(value) + 0)
}

call_tree <- function(name, arguments, depth) {
  if (name == "(") return(expression_tree(arguments[[1]], depth + 1L))
  if (name == "^") return(power_call(arguments, depth))
  trees <- lapply(arguments, expression_tree, depth = depth + 1L)
  if (name == "+" && length(trees) == 1) return(trees[[1]])
  if (name == "-" && length(trees) == 1) return(negated_tree(trees[[1]]))
  operation_tree(name, trees)
}

# The exponent is part of the operation: it may be in brackets, but not computed.
power_call <- function(arguments, depth) {
  exponent <- expression_tree(arguments[[2]], depth + 1L)
  power_tree(expression_tree(arguments[[1]], depth + 1L),
             if (exponent$op == "constant") exponent$value else NA)
}

# ---- nodes --------------------------------------------------------------------

negated_tree <- function(tree) {
  if (tree$op == "constant") return(constant_tree(-tree$value))
  list(op = "negate", args = list(tree))
}

power_tree <- function(tree, exponent) {
  if (!isTRUE(exponent >= 1 && exponent <= max_exponent && exponent == floor(exponent))) {
    refuse_expression(paste0("An exponent must be a whole number from 1 to ", max_exponent, "."))
  }
  list(op = "^", args = list(tree), value = exponent)
}

operation_tree <- function(name, trees) {
  size <- length(trees)
  if (name %in% expression_functions && size == 1 || name %in% expression_infix && size == 2) {
    return(list(op = name, args = trees))
  }
  if (name %in% expression_pairs && size >= 2) {
    return(Reduce(function(x, y) list(op = name, args = list(x, y)), trees))
  }
  known <- c(expression_functions, expression_pairs)
  if (name %in% c(known, expression_infix)) {
    refuse_expression(paste0("`", name, "` has the wrong number of arguments."))
  }
  refuse_expression(paste0("`", name, "` is not one of the row-wise functions ",
                           paste(known, collapse = ", "), ", and operators."))
}

# Trees grow when columns that are derived themselves are put in, so the limits
# are those of the finished tree.
check_tree <- function(tree) {
  check_depth(tree_depth(tree))
  if (length(postfix(tree)) > max_expression_steps ||
      nchar(expression_text(tree), "bytes") > max_expression_bytes) {
    refuse_expression(paste("The expression has more than", max_expression_steps,
                            "steps or is longer than", max_expression_bytes, "bytes."))
  }
  tree
}

tree_depth <- function(tree) 1L + max(0L, vapply(tree$args, tree_depth, 1L))

# Names of the columns a tree uses, in order of appearance.
tree_names <- function(tree) {
  if (tree$op == "input") return(tree$name)
  unique(unlist(lapply(tree$args, tree_names)))
}

# ---- as text ------------------------------------------------------------------

# One text for one tree: what a person would write, with brackets around every
# operation within another.
expression_text <- function(tree) {
  parts <- vapply(tree$args, function(part) bracketed(part, tree$op), "")
  switch(tree$op,
    input = name_text(tree$name),
    constant = number_text(tree$value),
    negate = paste0("-", parts),
    "^" = paste0(parts, "^", tree$value),
    if (tree$op %in% expression_infix) {
      paste(parts[[1]], tree$op, parts[[2]])
    } else {
      paste0(tree$op, "(", paste(parts, collapse = ", "), ")")
    }
  )
}

# A part of an operation, in brackets unless nothing else could be meant.
bracketed <- function(part, within) {
  text <- expression_text(part)
  is_call <- within %in% c(expression_functions, expression_pairs)
  loose <- part$op %in% c(expression_infix, "negate") || grepl("^-", text) ||
    (part$op == "^" && within == "^")
  if (loose && !is_call) paste0("(", text, ")") else text
}

# In backticks unless R would take it for a name without them.
name_text <- function(name) {
  plain <- grepl("^([A-Za-z]|[.][A-Za-z._])[A-Za-z0-9._]*$", name)
  if (plain && !name %in% reserved_words) return(name)
  paste0("`", gsub("`", "\\`", gsub("\\", "\\\\", name, fixed = TRUE), fixed = TRUE), "`")
}

reserved_words <- c("if", "else", "repeat", "while", "function", "for", "next", "break", "in",
                    "TRUE", "FALSE", "NULL", "Inf", "NaN", "NA", "NA_integer_", "NA_real_",
                    "NA_character_")

# The shortest decimal that comes back as the same number.
number_text <- function(x) {
  short <- sprintf("%.15g", x)
  if (as.numeric(short) == x) short else sprintf("%.17g", x)
}

# ---- from text ----------------------------------------------------------------

# The tree of a text from a file. Only the text that expression_text() would give
# is accepted, so whatever the reader below overlooks is refused here.
parse_expression <- function(text) {
  if (nchar(text, "bytes") > max_expression_bytes) refuse_expression("The expression is too long.")
  read <- read_operation(expression_tokens(text), 1L)
  if (length(read$rest) > 0 || !identical(expression_text(read$tree), text)) refuse_text()
  check_tree(read$tree)
}

refuse_text <- function() {
  refuse_expression("The expression is not one this package writes.")
}

# Names, numbers, operators and brackets; everything else is left out, and missed
# when the texts are compared.
expression_tokens <- function(text) {
  pattern <- paste0("`(?:[^`\\\\]|\\\\.)+`|[A-Za-z.][A-Za-z0-9._]*|",
                    "[0-9]+(?:[.][0-9]+)?(?:e[+-]?[0-9]+)?|[<>=!]=|[-+*/^(),<>]")
  regmatches(text, gregexpr(pattern, text, perl = TRUE))[[1]]
}

# Readers take tokens and give a tree with the tokens that are left.
read_operation <- function(tokens, depth) {
  check_depth(depth)
  first <- read_operand(tokens, depth)
  operator <- next_token(first$rest)
  if (!operator %in% expression_infix) return(first)
  second <- read_operand(first$rest[-1], depth)
  list(tree = operation_tree(operator, list(first$tree, second$tree)), rest = second$rest)
}

next_token <- function(tokens) if (length(tokens) == 0) "" else tokens[[1]]

read_operand <- function(tokens, depth) {
  check_depth(depth)
  if (next_token(tokens) == "-") {
    read <- read_operand(tokens[-1], depth + 1L)
    return(list(tree = negated_tree(read$tree), rest = read$rest))
  }
  read <- read_atom(tokens, depth)
  if (next_token(read$rest) != "^") return(read)
  exponent <- suppressWarnings(as.numeric(next_token(read$rest[-1])))
  list(tree = power_tree(read$tree, exponent), rest = read$rest[-(1:2)])
}

read_atom <- function(tokens, depth) {
  token <- next_token(tokens)
  if (token == "(") {
    read <- read_operation(tokens[-1], depth + 1L)
    return(list(tree = read$tree, rest = expect_token(read$rest, ")")))
  }
  if (grepl("^[0-9]", token)) {
    return(list(tree = constant_tree(as.numeric(token)), rest = tokens[-1]))
  }
  if (!grepl("^[A-Za-z.`]", token)) refuse_text()
  if (next_token(tokens[-1]) == "(") return(read_call(token, tokens[-(1:2)], depth))
  list(tree = list(op = "input", name = text_name(token)), rest = tokens[-1])
}

read_call <- function(name, tokens, depth) {
  read <- read_operation(tokens, depth + 1L)
  trees <- list(read$tree)
  while (next_token(read$rest) == ",") {
    read <- read_operation(read$rest[-1], depth + 1L)
    trees <- c(trees, list(read$tree))
  }
  list(tree = operation_tree(name, trees), rest = expect_token(read$rest, ")"))
}

expect_token <- function(tokens, token) {
  if (next_token(tokens) != token) refuse_text()
  tokens[-1]
}

text_name <- function(token) {
  if (!startsWith(token, "`")) return(token)
  gsub("\\\\(.)", "\\1", substr(token, 2, nchar(token) - 1), perl = TRUE)
}

# ---- for the core -------------------------------------------------------------

# The tree in postfix order: `op` and `value`, where an input's value is its
# position in `inputs`.
expression_program <- function(tree, inputs) {
  steps <- postfix(tree)
  value <- vapply(steps, function(step) {
    if (step$op == "input") match(step$name, inputs) else step$value %||% 0
  }, 0)
  list(op = vapply(steps, function(step) step$op, ""), value = as.double(value))
}

postfix <- function(tree) {
  c(unlist(lapply(tree$args, postfix), recursive = FALSE),
    list(tree[intersect(c("op", "name", "value"), names(tree))]))
}
