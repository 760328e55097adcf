# Derived columns: row-wise functions of declared columns, with bounds that
# follow from the declared ones. They let a release hold logarithms, squares and
# interactions without anything being computed from the data beforehand.

#' Derive columns from declared ones
#'
#' Adds columns to a domain that are computed row by row from columns it has:
#' logarithms, polynomials, interactions, thresholds. Their bounds follow from the
#' declared bounds by interval arithmetic, so they are as public as those. In a
#' [query_moments()] a derived column is a column like any other, under its name.
#'
#' Allowed are `+`, `-`, `*`, `/`, `^` with a whole exponent from 1 to 20, `log`,
#' `log1p`, `log2`, `log10`, `exp`, `sqrt`, `abs`, `pmin`, `pmax`, numbers, and the
#' comparisons `<`, `<=`, `>`, `>=`, `==` and `!=`, which give a binary column if
#' they come last. A number from a variable is put in with `!!`. A column with two
#' levels counts as 0 and 1; a column with more levels cannot be used.
#'
#' Every cell is first mapped into the bounds of its own column, as [domain()]
#' describes: a number outside is clamped, a missing one becomes the declared
#' constant. The expression is then evaluated and the result rounded to the grid of
#' the derived column. An expression that could be undefined somewhere within the
#' bounds, such as `log(x)` where `x` may be 0, is refused here. So no value of any
#' record can cause an error. With `outside = "redact"` a row with a number outside
#' its bounds is replaced as a whole, and every derived column of it by the centre of
#' its own bounds (a binary one by 0).
#'
#' Logarithms and exponentials come from the C library, whose last digit may differ
#' between computers; a cell can then be rounded to the neighbouring step.
#'
#' The bounds hold for every record, but interval arithmetic looks at each operation
#' by itself: `x * x` can be negative for all it knows, `x^2` cannot. Narrower bounds
#' mean less noise.
#'
#' A query of derived columns need not ask for the columns they come from: leave
#' those out with `[`, and no budget is spent on them.
#'
#' @param domain A [domain()].
#' @param ... Named expressions, such as `log_income = log1p(income)`. They may use
#'   columns derived before them.
#' @return The domain with the derived columns at its end, of class
#'   `noiseaware_domain`.
#' @family query
#' @examples
#' people <- domain(income = c(0, 1e5), age = c(18, 90), smoker = dom_binary())
#' more <- derive(people,
#'   log_income = log1p(income),
#'   age2 = ((age - 54) / 36)^2,
#'   smoking_years = smoker * (age - 18),
#'   retired = age >= 67
#' )
#' more
#'
#' # Moments of the derived columns alone:
#' query_moments(more[c("log_income", "retired")], "replace_one")
#' @export
derive <- function(domain, ...) {
  refuse_partial(names(sys.call()))
  check_supplied(missing(domain), "domain")
  check_class(domain, "domain", "noiseaware_domain", "domain")
  expressions <- rlang::enexprs(...)
  if (length(expressions) == 0) {
    abort_query(c("{.fn derive} needs at least one named expression.",
                  "i" = "For example {.code derive(domain, age2 = age^2)}."))
  }
  names(expressions) <- check_names(names(expressions), "names(...)")
  for (name in names(expressions)) {
    domain[[name]] <- derive_column(expressions[[name]], name, domain)
  }
  domain
}

# R takes the beginning of an argument's name for the argument.
refuse_partial <- function(names) {
  taken <- intersect(names, c("d", "do", "dom", "doma", "domai"))
  if (length(taken) > 0) {
    abort_query(c("A derived column cannot be named {.field {taken[[1]]}}.",
                  "i" = "R takes it for the argument {.arg domain}: choose another name."))
  }
}

derive_column <- function(expression, name, domain) {
  if (name %in% names(domain)) {
    abort_query(c("The domain already has a column {.field {name}}.",
                  "i" = "Give the derived column another name."))
  }
  in_derived(name, {
    tree <- expression_tree(expression)
    inputs <- tree_inputs(tree, domain)
    tree <- check_tree(put_in(tree, domain))
    column <- new_derived(tree, inputs)
    snap_column(column, name)
    column
  })
}

# Of several expressions, the message must name the wrong one.
in_derived <- function(name, expr) {
  tryCatch(expr, noiseaware_error = function(e) {
    reason <- paste(c(e$message, e$body), collapse = " ")
    abort_query(c("Column {.field {name}} cannot be derived.", "x" = "{reason}"))
  })
}

# The declared columns it all comes from travel with a derived column, so that a
# domain can be cut down to it.
new_derived <- function(tree, inputs) {
  text <- expression_text(tree)
  bounds <- tree_bounds(tree, snap_inputs(inputs))
  if (tree$op %in% expression_comparisons) {
    return(new_column("binary", levels = c("0", "1"), missing = 0, expression = text,
                      inputs = inputs))
  }
  new_column("real", lower = bounds[[1]], upper = bounds[[2]], missing = NULL, expression = text,
             inputs = inputs)
}

is_derived <- function(column) !is.null(column$expression)

# ---- inputs -------------------------------------------------------------------

# The declared columns a tree comes from, by name; those of derived columns for
# the columns that are derived themselves.
tree_inputs <- function(tree, domain) {
  names <- tree_names(tree)
  if (length(names) == 0) refuse_expression("The expression uses no column.")
  unknown <- setdiff(names, names(domain))
  if (length(unknown) > 0) {
    refuse_expression(paste0("`", unknown[[1]], "` is not a column of the domain. A number from a ",
                             "variable is put in with `!!`."))
  }
  merge_inputs(lapply(names, function(name) own_inputs(domain[[name]], name)))
}

own_inputs <- function(column, name) {
  if (is_derived(column)) return(column$inputs)
  if (column$type == "levels") {
    refuse_expression(paste0("`", name, "` has more than two levels, which are not numbers."))
  }
  stats::setNames(list(column), name)
}

# One of each name; two that differ cannot both be in the records.
merge_inputs <- function(lists) {
  all <- do.call(c, lists)
  for (name in unique(names(all))) {
    if (length(unique(unname(all[names(all) == name]))) > 1) {
      refuse_expression(paste0("`", name, "` is declared in two ways."))
    }
  }
  all[!duplicated(names(all))]
}

# Replaces derived columns by their own expressions.
put_in <- function(tree, domain) {
  if (tree$op == "input") {
    column <- domain[[tree$name]]
    return(if (is_derived(column)) parse_expression(column$expression) else tree)
  }
  if (!is.null(tree$args)) tree$args <- lapply(tree$args, put_in, domain = domain)
  tree
}

# Inputs that the domain itself does not have: the query carries them, and asks
# nothing of them.
hidden_inputs <- function(domain) {
  derived <- Filter(is_derived, unclass(domain))
  needed <- lapply(unname(derived), function(column) column$inputs)
  shown <- unclass(domain)[intersect(names(domain), unlist(lapply(needed, names)))]
  merged <- tryCatch(merge_inputs(c(list(shown), needed)), noiseaware_error = function(e) {
    abort_query(c("The domain does not fit its derived columns.", "x" = "{e$message}",
                  "i" = "Derive them again from this domain."))
  })
  merged[setdiff(names(merged), names(domain))]
}

# ---- bounds and grids ---------------------------------------------------------

snap_inputs <- function(inputs, bits = grid_bits) snap_columns(new_domain(inputs), bits)

# Bounds of a tree from those of its snapped inputs, which are what cells are
# clamped to. The core walks through them and refuses what could be undefined.
tree_bounds <- function(tree, inputs) {
  program <- expression_program(tree, names(inputs))
  bounds <- tryCatch(
    derive_bounds_cpp(program, vapply(inputs, column_lower, 0), vapply(inputs, column_upper, 0)),
    error = function(e) refuse_bounds(conditionMessage(e), inputs[tree_names(tree)])
  )
  if (bounds[[1]] >= bounds[[2]]) refuse_expression("The expression has the same value everywhere.")
  bounds
}

refuse_bounds <- function(reason, inputs) {
  ranges <- vapply(inputs, function(column) {
    paste0(column$name, " in ", format_range(column_lower(column), column_upper(column)))
  }, "")
  refuse_expression(paste0("With ", paste(ranges, collapse = ", "), ", ", reason, "."))
}

format_range <- function(lower, upper) paste0("[", format(lower), ", ", format(upper), "]")

# A derived column with its grid. What is missing was filled in before the
# expression is evaluated, so `missing_q` only has to be a point of the grid.
snap_derived <- function(column, name, bits) {
  inputs <- snap_inputs(column$inputs, bits)
  snapped <- in_derived(name, snap_tree(parse_expression(column$expression), name, inputs, bits))
  c(snapped, expression = column$expression)
}

snap_tree <- function(tree, name, inputs, bits) {
  bounds <- tree_bounds(tree, inputs)
  binary <- tree$op %in% expression_comparisons
  snap_column(if (binary) dom_binary() else dom_real(bounds[[1]], bounds[[2]]), name, bits)
}

# The columns of a query that are in the records: those it asks for and does not
# derive, then those it only derives from.
stored_columns <- function(query) {
  c(Filter(Negate(is_derived), query$columns), query$inputs)
}

# ---- queries from files -------------------------------------------------------

# A file must not be able to claim a column that its expression does not give.
# Another computer may round a logarithm in another way, which can move a bound by
# one step.
check_read_derived <- function(query) {
  stored <- stored_columns(query)
  derived <- Filter(is_derived, query$columns)
  misplaced <- query$kind == "tables" && length(derived) > 0
  if (misplaced || any(vapply(query$inputs, is_derived, NA))) {
    abort_release("The query has a derived column where there can be none.")
  }
  used <- unlist(lapply(derived, function(column) derived_names(column, stored, query)))
  if (!setequal(intersect(names(query$inputs), used), names(query$inputs))) {
    abort_release("The query has inputs that no derived column uses.")
  }
}

derived_names <- function(column, stored, query) {
  tree <- tryCatch(parse_expression(column$expression), noiseaware_error = function(e) NULL)
  names <- if (!is.null(tree)) tree_names(tree)
  usable <- vapply(stored[intersect(names, names(stored))], is_numeric_column, NA)
  sound <- length(names) > 0 && all(names %in% names(stored)) && all(usable) &&
    derived_fits(column, tree, stored[names], query_bits(query))
  if (!sound) {
    abort_release(c("The derived column {.field {column$name}} is not one this package makes.",
                    "i" = "The file was edited or damaged."))
  }
  names
}

derived_fits <- function(column, tree, inputs, bits) {
  expected <- tryCatch(snap_tree(tree, column$name, inputs, bits),
                       noiseaware_error = function(e) NULL)
  ends <- c("lower_q", "upper_q", "centre_q", "missing_q")
  !is.null(expected) && identical(expected[c("name", "type", "grid_exp", "levels")],
                                  column[c("name", "type", "grid_exp", "levels")]) &&
    all(abs(unlist(expected[ends]) - unlist(column[ends])) <= 1)
}
