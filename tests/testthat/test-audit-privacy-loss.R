# Releases about neighbours are told apart as well as statistics allow. A loss
# above the promise, proved with confidence 0.999, is a broken promise. All draws
# are seeded.

cell_query <- query_tables(domain(f = c("a", "b", "c")), ~ f, relation = "add_remove")
cell_pair <- list(a = data.frame(f = c("a", "b", "a")), b = data.frame(f = c("a", "b")))

square_query <- query_moments(domain(x = c(-1, 1)), relation = "replace_one")
square_pair <- list(a = data.frame(x = 1), b = data.frame(x = -0.5))

block_query <- query_moments(domain(x = c(-1, 1), f = c("a", "b", "c")), relation = "replace_one")
block_pair <- list(a = data.frame(x = 1, f = "a"), b = data.frame(x = -0.5, f = "b"))

test_that("Laplace counts keep epsilon; half and four fifths of the noise are caught", {
  skip_on_cran()
  loss <- function(draws, fraction) {
    audit_pair(cell_query, cell_pair, mech_laplace(1), draws, fraction)
  }
  right <- loss(4000, 1)
  expect_lte(right, 1)
  expect_gt(right, 0.6)
  expect_gt(loss(4000, 0.5), 1)
  expect_lte(loss(40000, 1), 1)
  expect_gt(loss(40000, 0.8), 1)
})

test_that("a person of several rows is covered, and one who was counted once is caught", {
  skip_on_cran()
  several <- function(unit_rows) {
    query_tables(domain(f = c("a", "b", "c")), ~ f, relation = "add_remove", unit_rows = unit_rows)
  }
  pair <- list(a = data.frame(f = rep("a", 3)), b = data.frame(f = character()))
  expect_lte(audit_pair(several(3), pair, mech_laplace(1), 4000), 1)
  expect_gt(audit_pair(several(1), pair, mech_laplace(1), 4000), 1)
})

test_that("Gaussian counts keep mu, and half the noise is caught", {
  skip_on_cran()
  right <- audit_pair(cell_query, cell_pair, mech_gaussian(mu = 1), 4000)
  expect_lte(right, 1)
  expect_gt(right, 0.6)
  expect_gt(audit_pair(cell_query, cell_pair, mech_gaussian(mu = 1), 4000, fraction = 0.5), 1)
})

test_that("a sum and a sum of squares keep epsilon together; 3/4 of the noise are caught", {
  skip_on_cran()
  loss <- function(fraction) {
    audit_pair(square_query, square_pair, mech_laplace(1), 40000, fraction)
  }
  right <- loss(1)
  expect_lte(right, 1)
  expect_gt(right, 0.8)
  expect_gt(loss(0.75), 1)
  expect_gt(loss(0.5), 1)
})

test_that("a sum and a sum of squares keep mu together; 3/4 of the noise are caught", {
  skip_on_cran()
  # The pair that attains the L2 sensitivity: u = 1, v = -1 moves the sum by 2.
  pair <- list(a = data.frame(x = 1), b = data.frame(x = -1))
  loss <- function(fraction) audit_pair(square_query, pair, mech_gaussian(mu = 1), 40000, fraction)
  right <- loss(1)
  expect_lte(right, 1)
  expect_gt(right, 0.8)
  expect_gt(loss(0.75), 1)
})

test_that("a factor block with products keeps epsilon and mu, and half the noise is caught", {
  skip_on_cran()
  for (mechanism in list(mech_laplace(1), mech_gaussian(mu = 1))) {
    loss <- function(fraction) audit_pair(block_query, block_pair, mechanism, 40000, fraction)
    right <- loss(1)
    expect_lte(right, 1)
    expect_gt(right, 0.4)
    expect_gt(loss(0.5), 1)
  }
})

# Wholly through exported functions. The mistake is a release that promises
# epsilon = 1 and was made with 2. Beyond the two true counts, 1 and 2, the
# likelihood ratio is constant.
public_scores <- function(records, mechanism, seeds) {
  counts <- vapply(seeds, function(seed) {
    release_insecure(cell_query, records, mechanism, seed)$statistics$value[[1]]
  }, 0)
  pmin(pmax(counts, 1), 2)
}

test_that("release_insecure() keeps its promise as users call it", {
  skip_on_cran()
  loss <- function(mechanism) {
    audit_loss(public_scores(cell_pair$a, mechanism, 1:1000),
               public_scores(cell_pair$b, mechanism, 1001:2000))
  }
  right <- loss(mech_laplace(1))
  expect_lte(right, 1)
  expect_gt(right, 0.25)
  expect_gt(loss(mech_laplace(2)), 1)
})

# Clipping a copy and adding up the raw data: the noise fits the declared bounds,
# one record outside them does not.
raw_tally <- function(query, data) {
  column <- query$columns$x
  steps <- floor(data$x * 2^column$grid_exp + 0.5) - column$centre_q
  new_tally(query, as.character(nrow(data)), sprintf("%.0f", c(sum(steps), sum(steps^2))))
}

tally_losses <- function(tally, pair, draws) {
  mechanism <- mech_laplace(1)
  noise <- calibrate_noise(mechanism, square_query)
  score <- function(records, seeds) {
    sums <- tally(square_query, records)
    answers <- t(vapply(seeds, function(seed) {
      entropy <- audit_entropy(square_query, seed)
      as.numeric(answer(square_query, sums, mechanism, entropy, NULL, noise)$values[[1]])
    }, numeric(2)))
    # Which of the two it is shows in the sum alone.
    answers[, 1]
  }
  audit_loss(score(pair$a, seq_len(draws)), score(pair$b, draws + seq_len(draws)))
}

test_that("a record outside the bounds counts as the bound; summing raw data is caught", {
  skip_on_cran()
  pair <- list(a = data.frame(x = c(0.2, 40)), b = data.frame(x = c(0.2, -40)))
  inside <- data.frame(x = c(0.2, 1))
  expect_identical(raw_tally(square_query, inside), tally_records(square_query, inside))
  expect_lte(tally_losses(tally_records, pair, 400), 1)
  expect_gt(tally_losses(raw_tally, pair, 400), 1)
})

test_that("the bounds are those of Clopper and Pearson", {
  # 0 of 10 and 10 of 10 have closed forms; the others solve their definition.
  expect_equal(cp_upper(0, 10, 0.05), 1 - 0.05^0.1, tolerance = 1e-12)
  expect_equal(cp_lower(10, 10, 0.05), 0.05^0.1, tolerance = 1e-12)
  expect_equal(stats::pbinom(3, 10, cp_upper(3, 10, 0.05)), 0.05, tolerance = 1e-10)
  expect_equal(stats::pbinom(2, 10, cp_lower(3, 10, 0.05), lower.tail = FALSE), 0.05,
               tolerance = 1e-10)
})
