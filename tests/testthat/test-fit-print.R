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
