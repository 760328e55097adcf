test_that("a plan in words", {
  local_reproducible_output(width = 100)
  plan <- function(...) {
    plan_release(score_query(), formula = ~ smoker, epsilon = c(0.05, 0.5), trials = 20,
                 chains = 1, iter = 400, seed = 5, ...)
  }
  expect_snapshot(plan(n = c(100, 1000)))
  expect_snapshot(plan(n = 1000, guess = c(theta = 0.2), width = 0.06))
  expect_snapshot(plan(n = 1000, guess = c(theta = 0.2), width = 0.01))
  expect_snapshot(plan(n = 1000, effect = 0.1, null = 0.3, power = 0.8))
  expect_snapshot(plan(n = 100, effect = 0.01, null = 0.3, power = 0.8))
})

test_that("the sentence is about the epsilon in the table", {
  plan <- plan_release(score_query(), 1000, ~ smoker, width = 0.06, epsilon = c(0.05, 0.5),
                       trials = 10, chains = 1, iter = 200, seed = 1)
  row <- plan$table[plan$table$epsilon == plan$needed$epsilon, ]
  expect_match(plan$sentence, paste0("epsilon = ", format_number(row$epsilon), " gives a 90% "))
  expect_match(plan$sentence, paste0("about ", short(row$width), " wide at n = 1,000"))
  expect_match(plan$sentence, paste0("\\(", short(plan$floor$width), " without noise\\)"))
})

test_that("budgets without epsilon have names", {
  plan <- plan_release(score_query(), 100, ~ smoker, mechanism = mech_gaussian(rho = 0.1),
                       trials = 3, chains = 1, iter = 200, seed = 1)
  expect_output(print(plan), "Gaussian, rho = 0.1")
  expect_match(plan$sentence, "rho = 0.1 gives")
})
