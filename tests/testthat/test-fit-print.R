test_that("a fit tells model, release, prior, method, assumptions and estimates", {
  expect_snapshot(print(quick_fit(bernoulli_observation(312.4, 1000, scale = 10))))
  expect_snapshot(print(quick_fit(categorical_observation(c(50, 30, 20), 100)), prob = 0.5))
})

test_that("a noisy n, a latent n and a sum of a table are told apart", {
  noisy <- make_observation(c(n = 99.5, "sum(x)" = -12), scale = 4, kind = "moments",
                            origin = "noiseaware", relation = "add_remove")
  expect_snapshot(print(quick_fit(noisy)))
  expect_output(print(quick_fit(categorical_observation(c(50, 30, 20), NULL))),
                "not released; the counts add up to it")
  told <- make_observation(
    c("count(x=1)" = 30, "count(g=a)" = 40, "count(g=b)" = 30, "count(g=c)" = 31),
    columns = list(binary_column(), factor_column())
  )
  expect_output(print(quick_fit(told, ~ x)), "101 (sum of the table of g), Laplace noise, sd 4.899",
                fixed = TRUE)
})

test_that("what must not be overlooked is shouted", {
  naive <- quick_fit(bernoulli_observation(300, 1000), method = "naive")
  expect_output(print(naive), "!! NAIVE: the privacy noise is ignored", fixed = TRUE)
  insecure <- quick_fit(bernoulli_observation(300, 1000, secure = FALSE))
  expect_output(print(insecure), insecure_notice, fixed = TRUE)
  tally <- quick_fit(bernoulli_observation(300, 1000, noise = "none", origin = "tally"))
  expect_output(print(tally), "!! NON-PRIVATE", fixed = TRUE)
  expect_identical(fit_banners(quick_fit(bernoulli_observation(300, 1000, secure = TRUE))), NULL)
})

test_that("chains are named as such", {
  chains <- quick_fit(bernoulli_observation(300, 1000), method = method_exact(max_work = 0))
  expect_output(print(chains), "exact by Metropolis on the latent counts (same target); 500 draws",
                fixed = TRUE)
  expect_output(print(chains), "of 2 chains after warmup", fixed = TRUE)
})

test_that("long tables are cut", {
  many <- categorical_observation(rep(50, 20), 1000)
  expect_output(print(quick_fit(many)), "... and 8 more rows; see summary()", fixed = TRUE)
  expect_output(print(quick_fit(many)), "... (16 more)", fixed = TRUE)
  expect_output(print(quick_fit(many), rows = 20), "theta[20]", fixed = TRUE)
})

test_that("a set prints one table", {
  set <- new_fit_set(list(a = quick_fit(bernoulli_observation(300, 1000)),
                          b = quick_fit(bernoulli_observation(50, 100))), "tract")
  expect_snapshot(print(set))
})

test_that("printing returns its argument", {
  fit <- quick_fit(bernoulli_observation(300, 1000))
  expect_output(expect_identical(print(fit), fit))
  expect_error(print(fit, prob = 2), "`prob`", class = "noiseaware_error_input")
})

test_that("statistics that could have been used and were not are named", {
  columns <- list(binary_column(), factor_column())
  cells <- expand.grid(x = 0:1, g = letters[1:3])
  pair <- stats::setNames(1:6 * 10, paste0("count(x=", cells$x, ",g=", cells$g, ")"))
  own <- c("count(x=1)" = 120)
  both <- make_observation(c(own, pair), columns = columns, n = 210)
  expect_output(print(quick_fit(both, ~ x)), "used were only: count(x=1)\n", fixed = TRUE)
  expect_output(print(quick_fit(both, ~ x)), "not used, though about x: count(x=0,g=a)",
                fixed = TRUE)
  # Without a public n the same cells tell it, and are used.
  told <- quick_fit(make_observation(c(own, pair), columns = columns), ~ x)
  expect_null(usage_words(told$model, told$observation))
  g <- stats::setNames(c(70, 70, 70), paste0("count(g=", letters[1:3], ")"))
  alone <- quick_fit(make_observation(c(own, g), columns = columns, n = 210), ~ x)
  expect_null(usage_words(alone$model, alone$observation))
  noisy <- make_observation(c(n = 210, "sum(x)" = 15, "sum(g=a)" = 70, "sum(x*g=a)" = 3,
                              "sum(age)" = 1), kind = "moments",
                            columns = c(columns, list(real_column())))
  words <- quick_fit(noisy, ~ x)
  expect_identical(usage_words(words$model, words$observation),
                   c("used were only: sum(x), n",
                     "not used, though about x or n: sum(g=a), sum(x*g=a)"))
})
