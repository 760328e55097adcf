query_error <- function(expr, pattern) expect_error(expr, pattern, class = "noiseaware_error_query")

power_domain <- function(p) {
  bounds <- list(x = c(0, 1), y = c(-250, 1e5), z = dom_count(3, 40), w = c(-1e-4, 2e-4))
  do.call(domain, bounds[seq_len(p)])
}

power_query <- function(p, degree, relation = "replace_one", ...) {
  query_moments(power_domain(p), relation, degree = degree, ...)
}

# All non-empty products of up to `degree` factors, by brute force: exponents of
# each column.
all_exponents <- function(p, degree) {
  grid <- as.matrix(expand.grid(rep(list(0:degree), p)))
  grid[rowSums(grid) > 0 & rowSums(grid) <= degree, , drop = FALSE]
}

test_that("all monomials are there once, by degree and in domain order", {
  expect_identical(statistics(power_query(2, 3))$name, c(
    "sum(x)", "sum(y)", "sum(x*x)", "sum(x*y)", "sum(y*y)",
    "sum(x*x*x)", "sum(x*x*y)", "sum(x*y*y)", "sum(y*y*y)"
  ))
  expect_identical(statistics(power_query(1, 4, "add_remove"))$name,
                   c("n", "sum(x)", "sum(x*x)", "sum(x*x*x)", "sum(x*x*x*x)"))
  for (p in 1:4) {
    for (degree in 3:4) {
      query <- power_query(p, degree)
      exponents <- all_exponents(p, degree)
      names <- apply(exponents, 1, function(e) {
        paste0("sum(", paste(rep(names(query$columns), e), collapse = "*"), ")")
      })
      expect_setequal(statistics(query)$name, names)
      expect_identical(nrow(statistics(query)), nrow(exponents))
      expect_equal(moment_count(query$columns, degree), nrow(exponents))
    }
  }
})

test_that("sums equal those of the definition, in whole numbers", {
  withr::local_seed(4)
  data <- data.frame(x = stats::runif(300, -0.2, 1.2), y = stats::rnorm(300, 5e4, 4e4),
                     z = c(NA, stats::rpois(299, 15)))
  for (degree in 3:4) {
    query <- power_query(3, degree, "add_remove")
    q <- sapply(query$columns, function(column) {
      x <- data[[column$name]]
      g <- column_step(column)
      x[is.na(x)] <- column_centre(column)
      x <- pmin(pmax(x, column_lower(column)), column_upper(column))
      floor(x / g + 0.5) - column$centre_q
    })
    expected <- vapply(statistics(query)$name, function(name) {
      factors <- strsplit(gsub("sum\\(|\\)", "", name), "*", fixed = TRUE)[[1]]
      if (name == "n") return(300 * 2^20)
      sum(apply(q[, factors, drop = FALSE], 1, prod)) *
        2^max(0, 20 - length(factors) * moment_bits(degree))
    }, 0)
    tally <- tally_records(query, data)
    expect_identical(as.numeric(tally$sums), unname(expected))
    expect_identical(tally_records(query, data[300:1, ]), tally)
    expect_identical(c(tally_records(query, data[1:99, ]), tally_records(query, data[100:300, ])),
                     tally)
  }
})

test_that("natural units are those of the centred columns", {
  query <- query_moments(domain(x = c(0, 8), y = c(-2, 2)), "replace_one", degree = 4)
  data <- data.frame(x = c(1, 7.5, 99, NA), y = c(-1, 2, 0.5, 1.25))
  x <- c(-3, 3.5, 4, 0)
  y <- data$y
  seen <- observe(tally_records(query, data))$statistics
  value <- stats::setNames(seen$value, seen$name)
  expect_identical(value[["sum(x*x*x*y)"]], sum(x^3 * y))
  expect_identical(value[["sum(x*x*y*y)"]], sum(x^2 * y^2))
  expect_identical(value[["sum(y*y*y)"]], sum(y^3))
  expect_identical(value[["sum(x)"]], sum(x))
  expect_identical(value[["sum(y*y)"]], sum(y^2))
})

test_that("one record contributes what statistics() says, and attains the weights", {
  withr::local_seed(4)
  for (degree in 3:4) {
    query <- query_moments(domain(x = c(-3, 8.3), y = c(0, 1)), "add_remove", degree = degree)
    records <- rbind(hostile_records(query, 300), corner_records(query, 100))
    each <- t(contributions(query, records))
    plan <- statistic_plan(query)
    expect_true(all(each >= plan$lower & each <= plan$upper))
    expect_identical(apply(abs(each), 1, max), plan$weight)
    expect_identical(pmax(abs(plan$lower), abs(plan$upper)), plan$weight)
  }
})

test_that("weights leave room for noise and are whole numbers in doubles", {
  for (degree in 3:4) {
    plan <- statistic_plan(power_query(4, degree, "add_remove"))
    expect_true(all(plan$weight >= 2^19 & plan$weight < 2^45))
    expect_true(all(plan$weight %% 1 == 0))
    # The finest grids that files can hold.
    expect_true(all(abs(plan$grid_exp) <= 200))
  }
  tiny <- domain(x = c(0, 2^-33))
  expect_silent(query_moments(tiny, "replace_one", degree = 4))
  query_error(query_moments(domain(x = c(0, 2^-40)), "replace_one", degree = 4), "bounds of x")
  query_error(query_moments(domain(x = c(0, 2^60)), "replace_one", degree = 4), "bounds of x")
})

# ---- sensitivity ----------------------------------------------------------------

test_that("no neighbour exceeds the sensitivity, which is attained where exact", {
  for (p in 1:3) {
    for (degree in 3:4) {
      expect_query(power_query(p, degree))
      expect_query(power_query(p, degree, "add_remove"))
    }
  }
  expect_query(power_query(2, 4, outside = "redact"))
  expect_query(power_query(2, 3, "add_remove", unit_rows = 3))
  expect_query(query_moments(derive(domain(x = c(-1, 2)), s = x^2, e = exp(x)), "replace_one",
                             degree = 4))
})

# Independent of the closed forms: the largest change over pairs of records, by
# numerical search on monomials of real numbers.
searched_change <- function(p, degree, norm, starts = 8) {
  exponents <- all_exponents(p, degree)
  monomials <- function(x) apply(exponents, 1, function(e) prod(x^e))
  size <- function(uv) {
    change <- monomials(uv[seq_len(p)]) - monomials(uv[-seq_len(p)])
    change_norm(change, norm)
  }
  best <- 0
  for (i in seq_len(starts)) {
    found <- stats::optim(stats::runif(2 * p, -1, 1), size, method = "L-BFGS-B", lower = -1,
                          upper = 1, control = list(fnscale = -1))
    best <- max(best, found$value)
  }
  best
}

test_that("closed forms are what a numerical search finds", {
  withr::local_seed(7)
  for (p in 1:3) {
    for (degree in 3:4) {
      claimed <- sensitivity(power_query(p, degree), "L1")
      found <- searched_change(p, degree, "L1")
      expect_lte(found, claimed$value + 1e-9)
      expect_gt(found, claimed$value * 0.999)
      squares <- searched_change(p, degree, "L2", 4)
      expect_lte(squares, sensitivity(power_query(p, degree), "L2")$value + 1e-9)
    }
  }
})

test_that("known values", {
  ratio <- function(p, degree, norm) {
    found <- sensitivity(power_query(p, degree), norm)
    found$num / found$den
  }
  # Twice the monomials of odd degree: 1 + 1, 2 + 4, 3 + 10, 4 + 20.
  expect_identical(vapply(1:4, ratio, 0, 3, "L1"), 2 * c(2, 6, 13, 24))
  expect_identical(vapply(1:4, ratio, 0, 3, "L2"), 4 * c(2, 6, 13, 24))
  # p = 1, degree 4: 4 + t - t^2 + t^3 - t^4 at the root of 1 - 2 t + 3 t^2 - 4 t^3.
  t <- Re(polyroot(c(1, -2, 3, -4)))
  t <- t[abs(Im(polyroot(c(1, -2, 3, -4)))) < 1e-9]
  exact <- 4 + t - t^2 + t^3 - t^4
  expect_gte(ratio(1, 4, "L1"), exact)
  expect_lt(ratio(1, 4, "L1"), exact + 2e-6)
  expect_equal(ratio(2, 4, "L2"), 2 * ratio(2, 4, "L1"))
  # As p grows, the least value of g comes down to that of the Taylor polynomial of
  # exp of degree 4, which is 0.2704.
  least <- stats::optimize(function(x) 1 + x + x^2 / 2 + x^3 / 6 + x^4 / 24, c(-3, 0),
                           tol = 1e-10)$objective
  expect_gt(quartic_floor(23), least)
  expect_lt(quartic_floor(23), least + 0.05)
})

test_that("status says what is proved", {
  expect_identical(sensitivity(power_query(2, 3), "L2")$status, "exact")
  expect_identical(sensitivity(power_query(2, 4), "L1")$status, "exact")
  expect_identical(sensitivity(power_query(2, 4), "L2")$status, "bound")
  derived <- query_moments(derive(domain(x = c(0, 1)), s = x^2), "replace_one", degree = 3)
  expect_identical(sensitivity(derived)$status, "bound")
})

test_that("planted mistakes are caught", {
  wrong_count <- function(query, norm) {
    new_sensitivity(norm, nrow(statistic_plan(query)), 1, "bound")
  }
  expect_failure(expect_query(power_query(1, 4), claim = wrong_count), "neighbours differ by 4.3")
  expect_failure(expect_query(power_query(2, 3), claim = wrong_count), "neighbours differ by 12")
  # The formula of degree 2 for degree 4.
  quadratic <- function(query, norm) {
    p <- length(query$columns)
    new_sensitivity(norm, if (norm == "L1") p * (p + 2)^2 else (p + 1)^2,
                    if (norm == "L1") 2 * (p + 1) else 1, "bound")
  }
  expect_failure(expect_query(power_query(2, 4), claim = quadratic), "neighbours differ by")
  raw <- function(query, records) {
    q <- records$x / column_step(query$columns$x) - query$columns$x$centre_q
    q[is.na(q)] <- 0
    q <- pmin(pmax(q, -1e30), 1e30)
    sweep(cbind(q, q^2, q^3, q^4), 2, 2^c(9, 0, 0, 0), "*")
  }
  expect_failure(expect_query(power_query(1, 4), contribute = raw), "neighbours differ by")
})

# ---- around -----------------------------------------------------------------------

test_that("columns with levels are refused", {
  mixed <- domain(x = c(0, 1), b = dom_binary(), f = c("p", "q", "r"))
  query_error(query_moments(mixed, "replace_one", degree = 3), "numeric columns only.*b has levels")
  query_error(query_moments(mixed[c("x", "f")], degree = 4), "f has levels.*dom_count\\(0, 1\\)")
  derived <- derive(mixed, up = x > 0.5)
  query_error(query_moments(derived[c("x", "up")], degree = 4), "up has levels")
  binary <- query_moments(domain(b = dom_count(0, 1)), "replace_one", degree = 4)
  expect_equal(statistics(binary)$upper, c(0.5, 0.25, 0.125, 0.0625))
})

test_that("too many monomials are refused before they are listed", {
  wide <- do.call(domain, stats::setNames(rep(list(c(0, 1)), 24), paste0("x", 1:24)))
  query_error(query_moments(wide, "replace_one", degree = 4), "more than 20000 statistics")
  query_error(query_moments(do.call(domain, stats::setNames(rep(list(c(0, 1)), 3000),
                                                            paste0("x", 1:3000))), degree = 3),
              "more than 20000")
})

test_that("higher moments are priced, released, read back and observed", {
  data <- data.frame(x = stats::runif(50), y = 1e4)
  for (mechanism in list(mech_laplace(0.1), mech_gaussian(1, 1e-6), mech_gaussian(mu = 3))) {
    for (degree in 3:4) {
      query <- power_query(2, degree)
      made <- release_insecure(query, data, mechanism, seed = 1)
      expect_identical(cost(query, mechanism)$noise$sd,
                       noise_sd(made$noise, made$statistics$scale))
      path <- withr::local_tempfile(fileext = ".json")
      write_release(made, path)
      expect_identical(suppressWarnings(read_release(path)), made)
      expect_identical(observe(made)$statistics$name, statistics(query)$name)
    }
  }
})

test_that("files with grids that are too fine for the degree are refused", {
  query <- power_query(1, 4)
  path <- withr::local_tempfile()
  write_query(query, path)
  file <- parse_untrusted_json(read_untrusted_text(path))
  refused <- function(edit) {
    expect_error(query_from_json(edit(file)$query), class = "noiseaware_error")
  }
  expect_identical(query_from_json(file$query), query)
  finer <- utils::modifyList(file$query$columns[[1]], list(upper_q = "8192", centre_q = "4096",
                                                           missing_q = "4096"))
  refused(edit("query", "columns", 1, to = finer))
  refused(edit("query", "columns", 1, "grid_exp", to = 46L))
  refused(edit("query", "columns", 1, "grid_exp", to = -46L))
  degree2 <- query_moments(domain(x = c(0, 1), b = dom_binary()), "replace_one")
  json <- query_to_json(degree2)
  json$degree <- 4L
  expect_error(query_from_json(json), class = "noiseaware_error")
  json$columns <- json$columns[2]
  expect_error(query_from_json(json), class = "noiseaware_error")
})
