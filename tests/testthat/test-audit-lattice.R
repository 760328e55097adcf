# Floating-point noise betrays the true value through the digits it cannot
# produce (Mironov 2012; Haney et al. 2022). Ours must live on a public lattice,
# evenly, whatever the data are.

count_query <- query_tables(domain(f = c("a", "b", "c")), ~ f, relation = "add_remove")
neighbours <- list(a = data.frame(f = rep("a", 4)), b = data.frame(f = rep("a", 3)))

mixed_query <- query_moments(domain(x = c(-1e-3, 7), y = c(100, 130), f = c("a", "b", "c")),
                             relation = "replace_one")
mixed <- list(a = data.frame(x = c(0.1, 6.7), y = c(101.3, 129.9), f = c("a", "b")),
              b = data.frame(x = c(0.1, -4), y = c(101.3, 100.7), f = c("a", "c")))

# Laplace noise as textbooks write it, by inversion of R's uniform numbers, of
# which there are 2^32.
naive_laplace <- function(value, scale, draws) {
  value + sample(c(-1, 1), draws, replace = TRUE) * scale * -log(stats::runif(draws))
}

# ---- (i) every output is a whole number of public steps --------------------

off_lattice <- function(values, grid) sum(values / grid != round(values / grid))

test_that("every released value is a whole number of steps, for both neighbours", {
  skip_on_cran()
  for (mechanism in list(mech_laplace(0.3), mech_gaussian(mu = 0.3))) {
    released <- lapply(mixed, function(data) {
      release_insecure(mixed_query, data, mechanism, seed = 3)$statistics
    })
    expect_identical(released$a$grid, released$b$grid)
    expect_identical(log2(released$a$grid), round(log2(released$a$grid)))
    for (one in released) expect_identical(off_lattice(one$value, one$grid), 0L)
  }
  secure <- suppressWarnings(release(mixed_query, mixed$a, mech_laplace(1), no_ledger()))
  expect_identical(off_lattice(secure$statistics$value, secure$statistics$grid), 0L)
})

test_that("floating-point noise leaves the lattice", {
  skip_on_cran()
  withr::local_seed(1)
  expect_gt(off_lattice(naive_laplace(3, 1, 1000), 2^-20), 990)
})

# ---- (ii) the low digits do not depend on the data -------------------------

low_bits <- function(steps) tabulate(steps %% 1024 + 1, 1024)

homogeneity <- function(a, b) {
  counts <- rbind(low_bits(a), low_bits(b))
  stats::chisq.test(counts[, colSums(counts) > 0])$p.value
}

draw_count <- function(which, seed, mechanism) {
  audit_draws(count_query, neighbours[[which]], mechanism, 40000, seed)[, 1]
}

# One record; without noise the low bits would tell its value.
draw_sum <- function(x, seed) {
  query <- query_moments(domain(x = c(0, 1)), "replace_one", degree = 1)
  audit_draws(query, data.frame(x = x), mech_laplace(1), 40000, seed)[, 1]
}

test_that("the last ten bits of neighbours have the same distribution", {
  skip_on_cran()
  for (mechanism in list(mech_laplace(1), mech_gaussian(mu = 1))) {
    expect_gt(homogeneity(draw_count("a", 1, mechanism), draw_count("b", 2, mechanism)), 1e-4)
  }
  expect_gt(homogeneity(draw_sum(0.123456, 5), draw_sum(0.654321, 6)), 1e-4)
})

test_that("noise on a coarser lattice than the data is caught", {
  skip_on_cran()
  # Noise of multiples of 1024 steps leaves the low bits of the sum as they are.
  query <- query_moments(domain(x = c(0, 1)), "replace_one", degree = 1)
  coarse <- function(x, seed) {
    exact <- summed(query, data.frame(x = x))
    exact + 1024 * round((draw_sum(x, seed) - exact) / 1024)
  }
  expect_lt(homogeneity(coarse(0.123456, 5), coarse(0.654321, 6)), 1e-10)
})

# ---- (iii) which true values could have given this output ------------------

# TRUE where the sampler above can give `output` about `value`: the uniform
# number it would need, and its neighbours on the grid, are put through it again.
feasible <- function(output, value, scale) {
  sign <- ifelse(output < value, -1, 1)
  # k + shift is at least 1: the sampler never takes the logarithm of 0.
  k <- pmax(round(exp(-abs(output - value) / scale) * 2^32), 3)
  Reduce(`|`, lapply(-2:2, function(shift) {
    value + sign * scale * -log((k + shift) / 2^32) == output
  }))
}

feasible_loss <- function(output_a, output_b) {
  hits_a <- sum(feasible(output_a, 4, 1))
  hits_b <- sum(feasible(output_b, 4, 1))
  list(hits = c(hits_a, hits_b),
       loss = epsilon_bound(hits_a, length(output_a), hits_b, length(output_b)))
}

test_that("no output tells which inputs are possible; naive noise is caught", {
  skip_on_cran()
  ours <- feasible_loss(draw_count("a", 1, mech_laplace(1)) * 2^-20,
                        draw_count("b", 2, mech_laplace(1)) * 2^-20)
  # A lattice point can be an output of the naive sampler by accident, about five
  # in 10^6 of them for either neighbour: 0.2 of these 40000. Four or more have
  # probability 6e-5.
  expect_lte(max(ours$hits), 3)
  expect_lt(ours$loss, 0)
  withr::local_seed(1)
  naive <- feasible_loss(naive_laplace(4, 1, 20000), naive_laplace(3, 1, 20000))
  expect_gt(naive$hits[[1]], 19900)
  expect_gt(naive$loss, 5)
})
