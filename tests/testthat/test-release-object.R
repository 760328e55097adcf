query <- query_moments(domain(x = c(0, 10), f = c("p", "q", "r")), "replace_one")
data <- data.frame(x = c(1, 5, 9.5), f = c("p", "q", "q"))

seeded <- function(query, mechanism = mech_laplace(1), seed = 1) {
  release_insecure(query, data, mechanism, seed = seed)
}

# Only vectors, lists and data frames: nothing that could hold records by accident.
holds_only_plain_parts <- function(x) {
  if (is.list(x)) return(all(vapply(x, holds_only_plain_parts, NA)))
  is.null(x) || (is.atomic(x) && all(names(attributes(x)) %in% c("names", "class")))
}

test_that("a release has the published members and is plain", {
  made <- seeded(query)
  expect_named(made, c("kind", "origin", "query", "relation", "n", "centre", "statistics", "noise",
                       "privacy", "rng", "ledger", "about", "group", "threshold", "created",
                       "software",
                       "payload"))
  expect_true(holds_only_plain_parts(unclass(made)))
  expect_identical(unserialize(serialize(made, NULL)), made)
  expect_identical(class(made), c("noiseaware_release_insecure", "noiseaware_release"))
  for (external in example_externals()) expect_true(holds_only_plain_parts(unclass(external)))
})

test_that("statistics are in natural units about the public centre", {
  made <- seeded(query)
  expect_named(made$statistics, c("name", "value", "scale", "grid"))
  expect_identical(made$centre, c(x = 5, f = 0))
  expect_identical(made$statistics$grid, statistics(query)$grid)
  steps <- made$statistics$value / made$statistics$grid
  expect_identical(steps, as.numeric(made$payload$values))
  expect_identical(made$statistics$scale / made$statistics$grid, as.numeric(made$payload$scales))
  expect_identical(made$payload$scales, calibrate_noise(mech_laplace(1), query)$scales)
  expect_identical(made$n, 3)
})

test_that("value minus truth is of the size of the noise", {
  truth <- observe(tally_records(query, data))$statistics$value
  distance <- vapply(1:200, function(seed) {
    made <- seeded(query, seed = seed)
    (made$statistics$value - truth) / made$statistics$scale
  }, truth)
  # 200 x 8 Laplace draws of scale 1: mean 0, mean absolute value 1.
  size <- length(distance)
  expect_lt(abs(mean(distance)), 5 * sqrt(2 / size))
  expect_lt(abs(mean(abs(distance)) - 1), 5 / sqrt(size))
})

test_that("the promise is kept in the release, with what the integers achieve", {
  pure <- seeded(query)$privacy
  expect_identical(pure[c("unit", "epsilon")], list(unit = "pure", epsilon = 1))
  approximate <- seeded(query, mech_gaussian(1, 1e-6))$privacy
  expect_identical(approximate[c("unit", "epsilon", "delta")],
                   list(unit = "approximate", epsilon = 1, delta = 1e-6))
  expect_lte(approximate$actual, approximate$mu)
  expect_identical(seeded(query, mech_gaussian(rho = 0.02))$privacy$rho, 0.02)
  expect_identical(seeded(query, mech_gaussian(mu = 0.2))$privacy$unit, "gdp")
})

test_that("n is a number under replace_one and a statistic under add_remove", {
  added <- seeded(query_moments(domain(x = c(0, 10)), "add_remove"))
  expect_null(added$n)
  expect_identical(added$statistics$name[[1]], "n")
  tables <- seeded(query_tables(domain(f = c("p", "q", "r")), ~ f, "add_remove"))
  expect_null(tables$n)
  expect_false("n" %in% tables$statistics$name)
})

test_that("what inference sees is what was published", {
  made <- seeded(query)
  seen <- observe(made)
  expect_s3_class(seen, "noiseaware_observation")
  expect_named(seen$statistics, c("name", "value", "noise", "scale", "grid"))
  expect_identical(seen$statistics[c("name", "value", "scale", "grid")], made$statistics)
  expect_identical(unique(seen$statistics$noise), "laplace")
  expect_identical(seen[c("kind", "n", "centre", "relation", "outside", "origin", "secure")],
                   list(kind = "moments", n = 3, centre = c(x = 5, f = 0), relation = "replace_one",
                        outside = "clamp", origin = "noiseaware", secure = FALSE))
  expect_match(seen$privacy$text, "epsilon = 1 for one row (replace_one)", fixed = TRUE)
  external <- observe(example_externals()[["external, suppressed"]])
  expect_identical(external[c("origin", "secure", "threshold")],
                   list(origin = "external", secure = NA, threshold = 0.1))
})

test_that("releases print what an analyst may rely on", {
  local_reproducible_output(width = 100)
  made <- seeded(query)
  secure <- plain_release("add_remove", mech_gaussian(1, 1e-6))
  # Values differ from run to run where noise is secure, and so does their width.
  hide_values <- function(lines) {
    lines <- gsub("^( +(n|sum\\(.*\\))) +-?[0-9.,e+-]+ ", "\\1 <value> ", lines)
    gsub("statistic +value", "statistic value", lines)
  }
  expect_snapshot(made)
  expect_snapshot(secure, transform = hide_values)
  expect_snapshot({
    example_externals()[["external, suppressed"]]
    example_externals()[["external, mixed noise"]]
    example_externals()[["external, unknown n"]]
  })
})

test_that("every way of showing a seeded release says that it is not private", {
  made <- seeded(query)
  for (shown in list(utils::capture.output(print(made)), utils::capture.output(summary(made)),
                     format(made))) {
    expect_true(any(grepl("INSECURE SEEDED NOISE", shown)))
  }
})

test_that("a release as a data frame has the statistics and their noise", {
  query <- query_tables(domain(x = dom_binary()), ~ x)
  rel <- as_release(query, n = 10, values = c("count(x=1)" = 3), noise = noise_gaussian(2, 1))
  expect_identical(
    as.data.frame(rel),
    data.frame(name = "count(x=1)", value = 3, noise = "gaussian", scale = 2, grid = 1)
  )
})
