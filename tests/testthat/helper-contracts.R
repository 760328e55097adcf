# What every member of an extension point must satisfy. Each contract is one
# expectation that lists all that is wrong.

expect_no_problems <- function(problems) {
  expect(length(problems) == 0, paste(problems, collapse = "\n"))
}

# ---- queries ---------------------------------------------------------------

# No pair of neighbours, random or searched for, changes the statistics by more
# than the claimed sensitivity, and where it is claimed to be exact the search
# comes within one percent of it. `claim` and `contribute` are arguments so that
# planted mistakes can be shown to be caught.
expect_query <- function(query, claim = sensitivity, contribute = contributions, seed = 1) {
  withr::local_seed(seed)
  expect_no_problems(c(
    additivity_problems(query, contribute),
    unlist(lapply(c("L1", "L2"), sensitivity_problems, query = query, claim = claim,
                  contribute = contribute))
  ))
}

# Contributions must be what tally_records() adds up, whatever else is in the data.
additivity_problems <- function(query, contribute) {
  records <- hostile_records(query, 30)
  each <- contribute(query, records)
  if (!identical(colSums(each), summed(query, records))) {
    return("records do not contribute what the tally adds up")
  }
  NULL
}

sensitivity_problems <- function(query, norm, claim, contribute) {
  claimed <- claim(query, norm)
  random <- worst_random_change(query, norm, contribute)
  found <- max(random, worst_searched_change(query, norm, contribute))
  c(
    if (found > claimed$value * (1 + 1e-12)) {
      sprintf("%s sensitivity is claimed to be %.6g, but neighbours differ by %.6g", norm,
              claimed$value, found)
    },
    if (claimed$status == "exact" && found < 0.99 * claimed$value) {
      sprintf("%s sensitivity is said to be exactly %.6g, but the search found only %.6g", norm,
              claimed$value, found)
    }
  )
}

# Every pair among 80 hostile and corner records (3160 of them) under
# replace_one; under add_remove, people who bring unit_rows records.
worst_random_change <- function(query, norm, contribute) {
  records <- rbind(hostile_records(query, 60), corner_records(query, 20))
  each <- sweep(contribute(query, records), 2, statistic_plan(query)$weight, "/")
  changes <- if (query$relation == "replace_one") {
    pairs <- utils::combn(nrow(each), 2)
    each[pairs[1, ], , drop = FALSE] - each[pairs[2, ], , drop = FALSE]
  } else {
    person_sums(each, query$unit_rows, 1000)
  }
  max(apply(changes, 1, change_norm, norm))
}

person_sums <- function(each, unit_rows, people) {
  total <- 0
  for (row in seq_len(unit_rows)) {
    total <- total + each[sample(nrow(each), people, replace = TRUE), , drop = FALSE]
  }
  total
}

# Coordinate ascent from corners of the domain, all starts at once: row i of
# `people` and row i of `others` are one pair of neighbours.
worst_searched_change <- function(query, norm, contribute, starts = 6) {
  people <- list(corner_records(query, starts), corner_records(query, starts))
  best <- 0
  repeat {
    before <- best
    for (who in if (query$relation == "replace_one") 1:2 else 1) {
      for (name in names(stored_columns(query))) {
        step <- improve(query, people[[who]], people[[3 - who]], name, norm, contribute)
        people[[who]] <- step$people
        best <- max(step$sizes)
      }
    }
    if (best <= before * (1 + 1e-9)) return(best)
  }
}

# The best value of one cell of each of `people`, everything else held fixed.
improve <- function(query, people, others, name, norm, contribute) {
  candidates <- column_candidates(stored_columns(query)[[name]])
  starts <- nrow(people)
  tried <- people[rep(seq_len(starts), each = length(candidates)), , drop = FALSE]
  tried[[name]] <- rep(candidates, starts)
  sums <- sweep(contribute(query, rbind(tried, others)), 2, statistic_plan(query)$weight, "/")
  changes <- sums[seq_len(nrow(tried)), , drop = FALSE] * query$unit_rows
  if (query$relation == "replace_one") {
    changes <- changes - sums[nrow(tried) + rep(seq_len(starts), each = length(candidates)), ]
  }
  sizes <- matrix(apply(changes, 1, change_norm, norm), ncol = starts)
  people[[name]] <- candidates[apply(sizes, 2, which.max)]
  list(people = people, sizes = sizes)
}

# ---- sources ---------------------------------------------------------------

# A source gives the same tally as the data frame, bit for bit, also when the
# rows come in another order.
expect_source <- function(make_source, query, data) {
  expected <- tally_records(query, data)
  shuffled <- data[rev(seq_len(nrow(data))), , drop = FALSE]
  expect_no_problems(c(
    if (!identical(tally_records(query, make_source(data)), expected)) {
      "the tally differs from that of the data frame"
    },
    if (!identical(tally_records(query, make_source(shuffled)), expected)) {
      "the tally depends on the order of rows"
    }
  ))
}

# ---- mechanisms ------------------------------------------------------------

# Scales are never below what the promise needs, in exact arithmetic, and the
# noise that is added has the distribution that is written into the release.
expect_mechanism <- function(mechanism, calibrate = calibrate_noise, noise = released_noise) {
  queries <- mechanism_queries()
  problems <- unlist(lapply(names(queries), function(name) {
    if (!scales_suffice(mechanism, queries[[name]], calibrate)) paste("too little noise for", name)
  }))
  expect_no_problems(c(problems, distribution_problems(mechanism, noise(mechanism))))
}

mechanism_queries <- function() {
  mixed <- domain(x = c(-1e-3, 7), y = c(100, 130), z = c("a", "b", "c"), w = dom_binary())
  list(
    "replaced moments" = query_moments(mixed, "replace_one"),
    "added moments" = query_moments(mixed, "add_remove", unit_rows = 3),
    "replaced tables" = query_tables(mixed, ~ z:w + w, "replace_one"),
    "added tables" = query_tables(mixed, ~ z:w, "add_remove")
  )
}

scales_suffice <- function(mechanism, query, calibrate) {
  noise <- calibrate(mechanism, query)
  weights <- whole_text(statistic_plan(query)$weight)
  enough <- if (mechanism$name == "laplace") laplace_suffices else gaussian_suffices
  all(mapply(enough, noise$scales, weights, MoreArgs = list(
    mechanism = mechanism, num = whole_text(noise$sensitivity$num),
    den = whole_text(noise$sensitivity$den)
  )))
}

# b >= (num / den) w / epsilon, without division.
laplace_suffices <- function(scale, weight, mechanism, num, den) {
  big_at_least(big_product(scale, den, mechanism$epsilon_units),
               big_product(num, weight, "1000000000000"))
}

# s^2 >= (num / den) w^2 / mu^2, without division or root.
gaussian_suffices <- function(scale, weight, mechanism, num, den) {
  big_at_least(big_product(scale, scale, den, mechanism$mu2_units),
               big_product(num, weight, weight, "1000000000000"))
}

# Exact products of whole numbers as text: limbs of four decimal digits, least
# first, so that sums of products stay below 2^53.
big_product <- function(...) Reduce(big_multiply, lapply(list(...), big_limbs))

big_limbs <- function(text) {
  text <- paste0(strrep("0", -nchar(text) %% 4), text)
  starts <- seq(nchar(text) - 3, 1, by = -4)
  as.numeric(substring(text, starts, starts + 3))
}

big_multiply <- function(a, b) {
  out <- numeric(length(a) + length(b))
  for (i in seq_along(a)) {
    at <- i - 1 + seq_along(b)
    out[at] <- out[at] + a[[i]] * b
  }
  for (i in seq_len(length(out) - 1)) {
    out[[i + 1]] <- out[[i + 1]] + out[[i]] %/% 1e4
    out[[i]] <- out[[i]] %% 1e4
  }
  out
}

big_at_least <- function(a, b) {
  size <- max(length(a), length(b))
  difference <- c(a, numeric(size - length(a))) - c(b, numeric(size - length(b)))
  differing <- difference[difference != 0]
  length(differing) == 0 || differing[[length(differing)]] > 0
}

# The noise of 6000 empty cells of a seeded release, with its written scale.
released_noise <- function(mechanism) {
  query <- query_tables(domain(cell = dom_levels(1:6000)), ~ cell, "replace_one")
  released <- release_insecure(query, data.frame(cell = rep(1, 10)), mechanism, seed = 20)
  list(values = released$statistics$value[-1], scale = released$statistics$scale[[1]],
       grid = released$statistics$grid[[1]], name = released$noise[[1]])
}

# Kolmogorov distance and standard deviation against the continuous law, from
# which a grid this fine cannot be told apart; whole grid steps; even low bits.
# Limits: one false alarm in 10^4 each, and the seed is fixed.
distribution_problems <- function(mechanism, noise) {
  values <- sort(noise$values)
  size <- length(values)
  law <- if (noise$name == "laplace") laplace_cdf else stats::pnorm
  theory <- law(values / noise$scale)
  distance <- max(abs(theory - (seq_len(size) - 0.5) / size)) + 0.5 / size
  expected_sd <- noise_sd(noise$name, noise$scale)
  sd_error <- if (noise$name == "laplace") sqrt(5 / (4 * size)) else sqrt(1 / (2 * size))
  steps <- values / noise$grid
  c(
    if (noise$name != mechanism$name) "the noise is of another kind than the mechanism",
    if (distance > sqrt(log(2e4) / (2 * size))) "the noise does not have the promised distribution",
    if (abs(stats::sd(values) / expected_sd - 1) > 5 * sd_error) "the noise has another size",
    if (!identical(steps, round(steps))) "the noise leaves the grid",
    if (stats::chisq.test(tabulate(steps %% 32 + 1, 32))$p.value < 1e-4) "low bits are not even"
  )
}

laplace_cdf <- function(x) ifelse(x < 0, exp(-abs(x)) / 2, 1 - exp(-abs(x)) / 2)
