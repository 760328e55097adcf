# A domain of p numbers (wide, narrow, far from zero), b binary columns and
# f factors of three, four, ... levels.
mixed_domain <- function(p = 0, b = 0, f = 0) {
  bounds <- list(c(0, 1), c(-250, 1e5), c(1e6, 1e6 + 3), c(-1e-4, 2e-4))
  columns <- c(
    stats::setNames(bounds[seq_len(p)], sprintf("x%d", seq_len(p))),
    stats::setNames(rep(list(dom_binary()), b), sprintf("b%d", seq_len(b))),
    stats::setNames(lapply(seq_len(f), function(i) dom_levels(letters[seq_len(i + 2)])),
                    sprintf("f%d", seq_len(f)))
  )
  do.call(domain, columns)
}

shapes <- list(
  list(p = 1), list(p = 2), list(p = 3), list(p = 4), list(b = 1), list(b = 2), list(f = 1),
  list(f = 2), list(f = 3), list(p = 1, b = 1), list(p = 2, b = 1, f = 1), list(p = 3, f = 1),
  list(p = 1, f = 2), list(p = 1, b = 1, f = 3)
)

test_that("no neighbour exceeds the sensitivity of moments, which is attained where exact", {
  for (shape in shapes) {
    for (relation in c("replace_one", "add_remove")) {
      expect_query(query_moments(do.call(mixed_domain, shape), relation))
    }
  }
})

test_that("the same holds for sums alone", {
  for (shape in shapes[c(1, 4, 6, 9, 14)]) {
    for (relation in c("replace_one", "add_remove")) {
      query <- query_moments(do.call(mixed_domain, shape), relation, degree = 1)
      expect_query(query)
      expect_identical(sensitivity(query)$status, "exact")
    }
  }
})

test_that("redaction does not raise the sensitivity", {
  for (relation in c("replace_one", "add_remove")) {
    for (shape in list(list(p = 1), list(p = 2, b = 1, f = 1), list(p = 3))) {
      expect_query(query_moments(do.call(mixed_domain, shape), relation, outside = "redact"))
    }
  }
})

test_that("a person with several rows changes the statistics by at most that many times as much", {
  for (rows in c(2, 5)) {
    for (shape in list(list(p = 2), list(p = 1, b = 1, f = 1))) {
      expect_query(query_moments(do.call(mixed_domain, shape), "add_remove", unit_rows = rows))
    }
    expect_query(query_tables(mixed_domain(b = 1, f = 2), ~ b1 + b1:f1 + f2, "add_remove",
                              unit_rows = rows))
  }
})

test_that("tables, also nested ones, keep to their sensitivity and attain it", {
  clinic <- domain(a = dom_binary(), b = c("x", "y", "z"), c = dom_count(2, 5), d = c("no", "yes"))
  cliques <- list(
    ~ a, ~ b, ~ c, ~ a + d, ~ a:b, ~ a + a:b, ~ a + b + a:b + a:b:c, ~ c:d + a:c + b, ~ a:b:c:d
  )
  for (clique in cliques) {
    for (relation in c("replace_one", "add_remove")) {
      query <- query_tables(clinic, clique, relation)
      expect_query(query)
      expect_identical(sensitivity(query)$status, "exact")
    }
  }
})

# Proved in the comments of the source file, found independently by the search
# above; here the closed forms themselves.
test_that("sensitivities have the published closed forms", {
  value <- function(shape, relation, norm, degree = 2) {
    squared <- sensitivity(query_moments(do.call(mixed_domain, shape), relation, degree = degree),
                           norm)
    squared$num / squared$den
  }
  for (p in 1:4) {
    expect_equal(value(list(p = p), "replace_one", "L1"), p * (p + 2)^2 / (2 * (p + 1)))
    expect_equal(value(list(p = p), "replace_one", "L2"), (p + 1)^2)
    # One more than the count of moments, for n.
    expect_equal(value(list(p = p), "add_remove", "L1"), 1 + p + p * (p + 1) / 2)
    expect_equal(value(list(p = p), "add_remove", "L2"), 1 + p + p * (p + 1) / 2)
    expect_equal(value(list(p = p), "replace_one", "L1", degree = 1), 2 * p)
    expect_equal(value(list(p = p), "replace_one", "L2", degree = 1), 4 * p)
    for (f in 1:3) {
      numbers <- list(p = p, f = f)
      pairs <- f * (f - 1) / 2
      expect_equal(value(numbers, "replace_one", "L1") - value(list(p = p), "replace_one", "L1"),
                   2 * (f * (1 + p) + pairs))
      expect_equal(value(numbers, "replace_one", "L2") - value(list(p = p), "replace_one", "L2"),
                   2 * f + 4 * p * f + 2 * pairs)
      expect_equal(value(numbers, "add_remove", "L1") - value(list(p = p), "add_remove", "L1"),
                   f * (1 + p) + pairs)
    }
  }
  expect_equal(value(list(p = 3, f = 1), "replace_one", "L1"), 17.375)
})

test_that("a factor costs the same whatever its number of levels", {
  few <- query_moments(domain(x = c(0, 1), f = dom_levels(1:3)), "replace_one")
  many <- query_moments(domain(x = c(0, 1), f = dom_levels(1:50)), "replace_one")
  expect_identical(sensitivity(few), sensitivity(many))
})

test_that("tightness is claimed only where it is proved", {
  status <- function(shape, norm) {
    sensitivity(query_moments(do.call(mixed_domain, shape), "replace_one"), norm)$status
  }
  for (p in 1:4) expect_identical(status(list(p = p), "L1"), "exact")
  expect_identical(vapply(1:4, function(p) status(list(p = p), "L2"), ""),
                   c("exact", "bound", "exact", "bound"))
  expect_identical(status(list(p = 1, f = 1), "L1"), "bound")
})

# ---- planted mistakes ------------------------------------------------------

# diffprivlib issue 104: the lower bound where the upper one belongs, so that the
# range of every sum comes out as 0. Squares happen to come out right.
lower_bound_twice <- function(query, norm) {
  plan <- statistic_plan(query)
  linear <- plan$atom1 == 0
  range <- ifelse(linear, plan$lower - plan$lower, plan$upper - plan$lower) / plan$weight
  new_sensitivity(norm, if (norm == "L1") sum(range) else sum(range^2), 1, "bound")
}

# differential-privacy issue 378: what one record adds, for a record replaced.
added_for_replaced <- function(query, norm) {
  count <- nrow(statistic_plan(query))
  new_sensitivity(norm, count, 1, "bound")
}

# smartnoise issue 622: a copy is clipped, the raw numbers are summed.
raw_contributions <- function(query, records) {
  steps <- mapply(function(column) {
    x <- records[[column$name]]
    x[is.na(x)] <- column_centre(column)
    pmin(pmax(x, -1e100), 1e100) / column_step(column) - column$centre_q
  }, query$columns)
  steps <- cbind(1, matrix(steps, nrow = nrow(records)))
  plan <- statistic_plan(query)
  steps[, plan$atom1 + 1, drop = FALSE] * steps[, plan$atom2 + 1, drop = FALSE]
}

test_that("known mistakes of other libraries would be caught", {
  one <- query_moments(mixed_domain(p = 1), "replace_one")
  two <- query_moments(mixed_domain(p = 2), "replace_one")
  expect_failure(expect_query(one, claim = lower_bound_twice), "neighbours differ by")
  expect_failure(expect_query(two, claim = lower_bound_twice), "neighbours differ by")
  # Two numbers: 5 claimed, 16/3 found; sqrt(5) claimed, sqrt(8) found.
  expect_failure(expect_query(two, claim = added_for_replaced),
                 "be 5, but neighbours differ by 5.3")
  expect_failure(expect_query(two, claim = added_for_replaced),
                 "be 2.23607, but neighbours differ by 2.828")
  expect_failure(expect_query(two, contribute = raw_contributions), "neighbours differ by")
})

test_that("a claim of exactness that is not attained would be caught", {
  generous <- function(query, norm) {
    true <- sensitivity(query, norm)
    new_sensitivity(norm, true$num * 1.05, true$den, "exact")
  }
  expect_failure(expect_query(query_moments(mixed_domain(p = 1), "replace_one"), claim = generous),
                 "said to be exactly")
})

# ---- the pieces ------------------------------------------------------------

test_that("the change between two data sets is that of the records they differ in", {
  query <- query_moments(domain(x = c(-1, 1)), "replace_one")
  record <- function(x) data.frame(x = x)
  # Statistics x and x^2 in units of 1: |1 + 0.5| and |1 - 0.25|.
  expect_equal(neighbour_change(query, record(1), record(-0.5), "L1"), 1.5 + 0.75)
  expect_equal(neighbour_change(query, record(1), record(-0.5), "L2"), sqrt(1.5^2 + 0.75^2))
  expect_identical(neighbour_change(query, record(1), record(Inf), "L1"), 0)
  others <- data.frame(x = c(0.1, NA, -7))
  expect_identical(
    neighbour_change(query, rbind(others, record(1)), rbind(others, record(-0.5)), "L1"),
    neighbour_change(query, record(1), record(-0.5), "L1")
  )
})

test_that("sensitivity() needs a query with a relation and a known norm", {
  query <- query_moments(domain(x = c(-1, 1)))
  expect_error(sensitivity(query), "relation", class = "noiseaware_error_query")
  expect_error(sensitivity(42), "query_moments", class = "noiseaware_error_input")
  expect_error(sensitivity(query_moments(domain(x = 0:1), "add_remove"), "L3"), "norm",
               class = "noiseaware_error_input")
})

test_that("a sensitivity prints its value and whether it is exact", {
  query <- query_moments(domain(x = c(-1, 1), y = c(0, 1)), "replace_one")
  expect_snapshot({
    sensitivity(query)
    sensitivity(query, "L2")
  })
  expect_identical(as.numeric(sensitivity(query, "L2")), 3)
})
