# Private bounds: exactly the exponential mechanism, paid before it is drawn.

records <- data.frame(x = c(2.5, 7, 7, 11, 30, NA, Inf, -4), f = letters[1:8])

simulate <- function(data = records, ..., seed = 1) {
  private_bounds_insecure(data, "x", c(0, 100), ..., epsilon = 1, relation = "replace_one",
                          seed = seed)
}

spent <- function(ledger) attr(ledger_report(ledger), "summary")$spent

# What the core is asked for one quantile of whole numbers.
asked <- function(lower, upper, prob, epsilon) {
  list(thousandths = as.integer(1000 * prob), lower_q = lower, upper_q = upper,
       epsilon_units = units_from_number(epsilon, "epsilon"))
}

exact_weights <- function(points, request) as.numeric(quantile_weights_cpp(points, request))

exact_log_probabilities <- function(points, request) {
  weights <- exact_weights(points, request)
  log(weights) - log(sum(weights))
}

# ---- the mechanism --------------------------------------------------------------

# The definition in doubles: rank by rank, point by point.
textbook <- function(points, request, epsilon) {
  grid <- request$lower_q:request$upper_q
  below <- vapply(grid, function(g) sum(points < g), 0)
  upto <- vapply(grid, function(g) sum(points <= g), 0)
  rank <- request$thousandths * length(points)
  distance <- floor(pmax(1000 * below - rank, rank - 1000 * upto, 0) / 1000)
  log_weight <- -epsilon / 2 * distance
  exp(log_weight - max(log_weight)) / sum(exp(log_weight - max(log_weight)))
}

test_that("probabilities are those of the exponential mechanism", {
  withr::local_seed(1)
  for (trial in 1:60) {
    lower <- sample(-20:0, 1)
    upper <- lower + sample(1:40, 1)
    points <- lower + floor(stats::runif(sample(0:25, 1)) * (upper - lower + 1))
    epsilon <- stats::runif(1, 0.05, 3)
    request <- asked(lower, upper, sample(c(0, 0.025, 0.1, 0.5, 0.9, 1), 1), epsilon)
    weights <- exact_weights(points, request)
    expect_equal(weights / sum(weights), textbook(points, request, epsilon), tolerance = 1e-9)
  }
})

# The largest loss between data sets that differ in one record, over every point.
worst_loss <- function(epsilon, claimed, trials = 150) {
  max(vapply(seq_len(trials), function(trial) {
    request <- asked(0, 24, sample(c(0.025, 0.25, 0.5, 0.975), 1), epsilon)
    n <- sample(c(1:12, 40), 1)
    points <- switch(sample(4, 1), sample(0:24, n, TRUE), sample(c(0, 24), n, TRUE), rep(0, n),
                     tight_points(n, request$thousandths))
    changed <- switch(sample(3, 1), replace(points, 1, sample(c(0, 24, 12), 1)),
                      c(points, sample(c(0, 24, 12), 1)), points[-1])
    max(abs(exact_log_probabilities(points, request) -
              exact_log_probabilities(changed, request)))
  }, 0)) / claimed
}

# The rank of the quantile many records at 0, one at 2, the rest at the upper end:
# moving one from end to end uses all of epsilon.
tight_points <- function(n, thousandths) {
  rank <- max(1, floor(thousandths * n / 1000))
  c(rep(0, min(rank, n - 1)), 2, rep(24, max(n - rank - 1, 0)))[seq_len(n)]
}

test_that("no neighbours lose more than epsilon; twice the exponent is caught", {
  withr::local_seed(2)
  for (epsilon in c(0.1, 1, 3)) {
    expect_lte(worst_loss(epsilon, epsilon), 1 + 1e-12)
    expect_gt(worst_loss(2 * epsilon, epsilon), 1.2)
  }
})

test_that("drawn quantiles follow the exact probabilities", {
  points <- c(0, 3, 3, 4, 9, 15, 15, 15, 18, 20)
  for (prob in c(0.1, 0.5, 0.95)) {
    request <- asked(-2, 24, prob, 0.8)
    drawn <- quantile_sample_cpp(points, request, 20000, 3)
    counts <- table(factor(drawn, levels = -2:24))
    expected <- 20000 * exp(exact_log_probabilities(points, request))
    expect_true(all(expected > 5))
    statistic <- sum((counts - expected)^2 / expected)
    expect_gt(stats::pchisq(statistic, length(expected) - 1, lower.tail = FALSE), 1e-4)
  }
})

test_that("a statistical audit does not prove more than epsilon, and finds a mutant", {
  skip_on_cran()
  a <- c(rep(0, 20), 2, rep(24, 19))
  b <- replace(a, 1, 24)
  # The event that loses nothing: how much more likely a point is under a than b.
  proved <- function(epsilon, claimed) {
    request <- asked(0, 24, 0.5, epsilon)
    score <- exact_log_probabilities(a, request) - exact_log_probabilities(b, request)
    scores <- function(points, seed) score[quantile_sample_cpp(points, request, 40000, seed) + 1]
    audit_loss(scores(a, 1), scores(b, 2)) / claimed
  }
  expect_lt(proved(1, 1), 1)
  expect_gt(proved(1, 1), 0.5)
  expect_gt(proved(2, 1), 1)
})

test_that("the public range is not listed where it is wide", {
  expect_error(quantile_weights_cpp(1, asked(0, 1e9, 0.5, 1)), "too wide")
})

# ---- from records to bounds --------------------------------------------------------

test_that("bounds are near the quantiles when the rule of thumb holds", {
  withr::local_seed(3)
  x <- stats::rnorm(20000, 50, 10)
  for (relation in c("replace_one", "add_remove")) {
    bounds <- private_bounds_insecure(data.frame(x = x), "x", c(-1e6, 1e6), c(0.05, 0.95),
                                      epsilon = 0.2, relation = relation, seed = 1)
    ranks <- stats::ecdf(x)(c(bounds$lower, bounds$upper))
    expect_lt(max(abs(ranks - c(0.05, 0.95))), 0.02)
  }
})

test_that("the rule of thumb tells right from wrong", {
  # n e min(p, 1 - p) / 2 against log(range / spread) + 3.
  holds <- function(n, epsilon, p, range) n * epsilon * min(p, 1 - p) / 2 > log(range) + 3
  error <- function(n, epsilon, p, range) {
    x <- seq(0.5 / n, 1, length.out = n)
    stats::median(vapply(1:25, function(seed) {
      bounds <- private_bounds_insecure(data.frame(x = x), "x", c(-range, range), p, epsilon,
                                        "add_remove", seed)
      drawn <- if (p < 0.5) bounds$lower else bounds$upper
      abs(min(max(drawn, 0), 1) - p)
    }, 0))
  }
  expect_true(holds(1000, 1, 0.05, 2000))
  expect_lt(error(1000, 1, 0.05, 1000), 0.03)
  expect_false(holds(1000, 0.05, 0.95, 2000))
  expect_gt(error(1000, 0.05, 0.95, 1000), 0.04)
})

test_that("every record has a place: missing, infinite and out of range", {
  limits <- list(c(0, 100), dom_real(0, 100, missing = 1), dom_count(0, 100))
  hostile <- data.frame(x = c(NA, NaN, Inf, -Inf, 1e308, -1e308, 5e-324, 0, 100, 50))
  for (limit in limits) {
    for (data in list(hostile, as.matrix(hostile), local({
      parts <- split(hostile, rep(1:2, 5))
      function() {
        part <- if (length(parts) > 0) parts[[1]]
        parts <<- parts[-1]
        part
      }
    }), data.frame(x = c(1L, NA, 300L)), data.frame(x = c(TRUE, NA)))) {
      bounds <- suppressWarnings(private_bounds_insecure(
        data, "x", limit, epsilon = 1, relation = "add_remove", seed = 1))
      expect_s3_class(bounds, "noiseaware_bounds")
      expect_true(bounds$lower >= 0 && bounds$upper <= 100 && bounds$lower < bounds$upper)
    }
  }
  # Missing records count as declared: with enough budget the median finds them.
  missing <- data.frame(x = rep(NA_real_, 50))
  middle <- function(limits) {
    bounds <- private_bounds_insecure(missing, "x", limits, 0.5, 100, "add_remove", 1)
    bounds$upper
  }
  expect_equal(middle(c(0, 100)), 50, tolerance = 1e-6)
  expect_equal(middle(dom_real(0, 100, missing = 7)), 7, tolerance = 1e-6)
})

test_that("no records are uniform under add_remove and refused under replace_one", {
  empty <- data.frame(x = numeric())
  drawn <- vapply(1:200, function(seed) {
    private_bounds_insecure(empty, "x", c(0, 1), 0.5, 1, "add_remove", seed)$upper
  }, 0)
  expect_gt(stats::ks.test(drawn, "punif")$p.value, 1e-3)
  expect_error(simulate(empty), "no rows", class = "noiseaware_error_release")
})

test_that("whole numbers stay whole", {
  data <- data.frame(x = c(0:20, 1000))
  bounds <- private_bounds_insecure(data, "x", dom_count(0, 1e6), epsilon = 5,
                                    relation = "replace_one", seed = 1)
  expect_identical(c(bounds$lower, bounds$upper), floor(c(bounds$lower, bounds$upper)))
  expect_identical(domain(x = bounds)$x$type, "count")
})

test_that("quantiles come in order, the outer ones as bounds", {
  for (seed in 1:30) {
    bounds <- private_bounds_insecure(records, "x", c(0, 100), c(0.4, 0.5, 0.6), 0.1,
                                      "replace_one", seed)
    expect_false(is.unsorted(bounds$quantiles$value))
    expect_identical(range(bounds$quantiles$value), c(bounds$lower, bounds$upper))
  }
  expect_identical(simulate(probs = 0.1)$upper, 100)
  expect_identical(simulate(probs = 0.9)$lower, 0)
})

test_that("bounds on one point are moved apart by a public rule, and it is said", {
  widen <- function(at, limits) {
    private_bounds_insecure(data.frame(x = rep(at, 200)), "x", limits, c(0.25, 0.75), 50,
                            "replace_one", 1)
  }
  expect_warning(bounds <- widen(5, dom_count(0, 10)), class = "noiseaware_warning_bounds")
  expect_identical(c(bounds$lower, bounds$upper), c(4, 6))
  expect_true(bounds$widened)
  expect_identical(domain(x = bounds)$x$lower, 4)
  expect_warning(low <- widen(0, dom_count(0, 10)), class = "noiseaware_warning_bounds")
  expect_identical(c(low$lower, low$upper), c(0, 1))
  expect_warning(high <- widen(10, dom_count(0, 10)), class = "noiseaware_warning_bounds")
  expect_identical(c(high$lower, high$upper), c(9, 10))
  # The narrowest bounds of the finest and the widest grids make a legal query.
  for (limits in list(c(-1e-10, 2e-10), c(0, 1), c(1e9, 1e9 + 1), c(-1e20, 1e20))) {
    bounds <- suppressWarnings(widen(limits[[2]], limits))
    query <- query_moments(domain(x = bounds), "replace_one")
    expect_s3_class(query, "noiseaware_query")
  }
})

# ---- what it is for -----------------------------------------------------------------

test_that("bounds make a column of a domain, under their own name", {
  bounds <- simulate()
  expect_identical(domain(x = bounds), domain(x = c(bounds$lower, bounds$upper)))
  expect_error(domain(y = bounds), "those of x", class = "noiseaware_error_query")
  declared <- private_bounds_insecure(records, "x", dom_real(0, 100, missing = 99), 0.5, 1,
                                      "replace_one", 1)
  expect_equal(domain(x = declared)$x$missing, min(99, declared$upper), tolerance = 1e-6)
})

test_that("bounds are plain, stored and printed", {
  ledger <- local_ledger(epsilon = 1)
  bounds <- private_bounds(records, "x", c(0, 100), epsilon = 0.5, relation = "replace_one",
                           ledger = ledger)
  expect_stored(bounds)
  said <- utils::capture.output(print(bounds))
  expect_match(said[[1]], "<private bounds> x in \\[")
  expect_true(any(grepl("epsilon = 0.5 for one row \\(replace_one\\)", said)))
  expect_true(any(grepl("record 2 of the ledger of adults of Vaud", said)))
  insecure <- utils::capture.output(print(simulate()))
  expect_true(insecure_notice %in% insecure)
  expect_true(any(grepl("no: simulated", insecure)))
})

# ---- money ---------------------------------------------------------------------------

draw_paid <- function(ledger, data = records, epsilon = 0.5, ...) {
  private_bounds(data, "x", c(0, 100), epsilon = epsilon, relation = "replace_one",
                 ledger = ledger, ...)
}

test_that("all quantiles together are charged once, under the hash of what was asked", {
  ledger <- local_ledger(epsilon = 1)
  bounds <- draw_paid(ledger, probs = c(0.1, 0.5, 0.9))
  report <- ledger_report(ledger)
  row <- report[report$type == "spend", ]
  expect_identical(nrow(row), 1L)
  expect_identical(row$mechanism, "exponential")
  expect_identical(row$cost, 0.5)
  expect_identical(row$size, 3)
  expect_identical(row$query, substr(bounds$id, 1, 8))
  expect_identical(bounds$ledger$seq, "2")
  expect_match(bounds$id, "^[0-9a-f]{64}$")
  # The hash tells public arguments apart, and is the same for the same ones.
  id <- function(...) {
    arguments <- utils::modifyList(list(column = "x", limits = c(0, 100), probs = c(0.1, 0.9),
                                        epsilon = 1, relation = "replace_one"), list(...))
    do.call(bounds_request, arguments)$id
  }
  expect_identical(id(), id(epsilon = 2))
  others <- c(id(), id(column = "y"), id(limits = c(0, 101)), id(probs = c(0.1, 0.8)),
              id(relation = "add_remove"), id(limits = dom_count(0, 100)),
              id(limits = dom_real(0, 100, missing = 3)))
  expect_false(anyDuplicated(others) > 0)
})

test_that("each unit of a ledger charges what the quantiles cost", {
  zcdp <- local_ledger(rho = 1)
  draw_paid(zcdp)
  expect_identical(spent(zcdp), "0.125")
  gdp <- local_ledger(mu = 1)
  expect_error(draw_paid(gdp), "cannot be charged for the exponential mechanism",
               class = "noiseaware_error_ledger")
  expect_identical(spent(gdp), "0")
})

# Hands over the records once, after doing something else.
records_after <- function(interfere) {
  left <- 1
  function() {
    if (left == 0) return(NULL)
    left <<- 0
    interfere()
    records
  }
}

test_that("what the budget does not allow is refused, also under the lock", {
  ledger <- local_ledger(epsilon = 1)
  before <- ledger_lines(ledger)
  expect_error(draw_paid(ledger, epsilon = 1.000000000001), "does not allow",
               class = "noiseaware_error_ledger")
  expect_identical(ledger_lines(ledger), before)
  rival <- function() ledger_spend_cpp(ledger_charge(ledger, mech_laplace(1), strrep("a", 64), 1))
  expect_error(draw_paid(ledger, records_after(rival)), class = "noiseaware_error_ledger")
  expect_identical(spent(ledger), "1")
})

test_that("records are read before anything is charged", {
  ledger <- local_ledger(epsilon = 1)
  failed <- tryCatch(draw_paid(ledger, records_after(function() stop("secret 123"))),
                     error = identity)
  expect_s3_class(failed, "noiseaware_error_release")
  expect_error(draw_paid(ledger, records[0, ]), class = "noiseaware_error_release")
  expect_identical(spent(ledger), "0")
})

test_that("the charge comes before the draw", {
  ledger <- local_ledger(epsilon = 1)
  request <- bounds_request("x", c(0, 100), c(0.1, 0.9), 1, "replace_one")
  # No quantile can be drawn of an empty range, so this shows what came before.
  request$upper_q <- request$lower_q
  charge <- ledger_charge(ledger, request$mechanism, request$id, 2)
  expect_error(draw_bounds(request, records, list(source = "os", charge = charge)),
               "stays charged", class = "noiseaware_error_release")
  expect_identical(spent(ledger), "1")
})

test_that("without a ledger somebody is told", {
  expect_warning(draw_paid(no_ledger()), class = "noiseaware_warning_no_ledger")
})

# ---- randomness and secrets -------------------------------------------------------------

test_that("quantiles come from the operating system and leave R's generator alone", {
  wide <- function() {
    suppressWarnings(private_bounds(records, "x", c(0, 1e6), c(0.2, 0.8), 1e-6, "replace_one",
                                    no_ledger()))$quantiles$value
  }
  withr::local_seed(5)
  before <- .Random.seed
  drawn <- lapply(1:10, function(i) wide())
  expect_identical(.Random.seed, before)
  expect_false(anyDuplicated(drawn) > 0)
  expect_false(identical(withr::with_seed(7, wide()), withr::with_seed(7, wide())))
})

test_that("a seed repeats simulated bounds, and only those", {
  expect_identical(simulate(seed = 4), simulate(seed = 4))
  expect_false(identical(simulate(seed = 4)$quantiles, simulate(seed = 5)$quantiles))
  request <- function(column) {
    data <- stats::setNames(data.frame(records$x), column)
    private_bounds_insecure(data, column, c(0, 1e6), 0.5, 1e-6, "replace_one", seed = 1)$upper
  }
  expect_false(request("x") == request("y"))
})

canary_bounds <- function(data = canary_records(), column = "x", ...) {
  do.call(private_bounds, list(data = data, column = column, limits = c(-1e6, 1e6),
                               probs = c(0.1, 0.9), epsilon = 1e-6, relation = "replace_one", ...))
}

test_that("neither bounds nor conditions nor the ledger carry a record", {
  skip_on_cran()
  ledger <- local_ledger(epsilon = 100)
  run <- audit_conditions(canary_bounds(ledger = ledger))
  expect_length(run$raised, 0)
  expect_false(carries_canary(run$value))
  expect_false(has_canary(readBin(ledger$path, "raw", file.size(ledger$path))))
  data <- canary_records()
  failing <- list(
    list(column = "f"), list(column = "z"), list(data = as.list(data)), list(data = data$x),
    list(data = transform(data, x = as.character(x))), list(data = data[0, ]),
    list(data = function() stop("bad cell: ", data$f[[1]])), list(column = data),
    list(records = data),
    list(data = function() rlang::abort(data$f[[1]], data = data)), list(ledger = data)
  )
  for (i in seq_along(failing)) {
    arguments <- c(failing[[i]], if (!"ledger" %in% names(failing[[i]])) list(ledger = ledger))
    run <- audit_conditions(do.call(canary_bounds, arguments))
    expect_true(any(vapply(run$raised, inherits, NA, "error")), info = i)
    expect_false(any(vapply(run$raised, carries_canary, NA)), info = i)
  }
  expect_identical(spent(ledger), "0.000001")
})

# ---- bad input ------------------------------------------------------------------------------

test_that("every argument is checked", {
  ledger <- local_ledger(epsilon = 1)
  good <- list(data = records, column = "x", limits = c(0, 100), probs = c(0.1, 0.9), epsilon = 0.1,
               relation = "replace_one", ledger = ledger)
  bad <- list(
    data = list(NULL, 1, "records.csv", list(x = 1), records["f"], data.frame(x = I(list(1))),
                data.frame(x = "a"), data.frame(x = Sys.Date())),
    column = list(NULL, 1, NA_character_, "", c("x", "f"), "y", "f", "a\nb"),
    limits = list(NULL, 1, c(1, 1), c(2, 1), c(NA, 1), c(0, Inf), c("0", "1"), dom_binary(),
                  c("a", "b"), dom_levels(1:3), 1:3, c(0, 1e300), c(1e-300, 2e-300),
                  c(1e20, 1e20 + 1e4)),
    probs = list(NULL, "a", NA, numeric(), -0.1, 1.1, c(0.9, 0.1), c(0.1, 0.1), 0.12345, Inf,
                 (0:200) / 1000),
    epsilon = list(NULL, 0, -1, NA, Inf, "1", c(1, 2), 1e-13, 1e-12, 1e8),
    relation = list(NULL, "bounded", NA, 1, c("replace_one", "add_remove")),
    ledger = list(NULL, "a.ledger", 1, list())
  )
  for (arg in names(bad)) {
    for (value in bad[[arg]]) {
      arguments <- good
      arguments[arg] <- list(value)
      expect_error(do.call(private_bounds, arguments), class = "noiseaware_error")
    }
    if (arg == "probs") next
    expect_error(do.call(private_bounds, good[setdiff(names(good), arg)]),
                 class = "noiseaware_error_input")
  }
  expect_error(do.call(private_bounds, c(good, list(prob = 1))), "does not have",
               class = "noiseaware_error_input")
  simulated <- good[setdiff(names(good), "ledger")]
  for (seed in list(NULL, "a", -1, 1.5, NA)) {
    expect_error(do.call(private_bounds_insecure, c(simulated, list(seed = seed))), "seed",
                 class = "noiseaware_error_input")
  }
  expect_error(do.call(private_bounds_insecure, simulated), "`seed` is missing")
  expect_identical(spent(ledger), "0")
})
