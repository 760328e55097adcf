mixed <- function() {
  domain(x = c(-1, 3), k = dom_count(0, 4), b = dom_binary(), r = c("p", "q", "s"))
}

test_that("a rehearsal is a marked release that inference accepts", {
  query <- score_query()
  release <- simulate(query, n = 200, mechanism = mech_laplace(0.5), seed = 1)
  expect_s3_class(release, "noiseaware_release_insecure")
  expect_match(release$about$title, "REHEARSAL")
  expect_match(format(release), "REHEARSAL", all = FALSE)
  expect_equal(release$n, 200)
  expect_s3_class(infer(release, ~ smoker, seed = 1), "noiseaware_fit")
  expect_stored(release)
})

test_that("a rehearsal can be written, and read as what it is", {
  path <- withr::local_tempfile(fileext = ".json")
  release <- simulate(query_moments(mixed(), "add_remove"), n = 50, mechanism = mech_laplace(1),
                      seed = 2)
  write_release(release, path)
  expect_warning(again <- read_release(path), class = "noiseaware_warning_insecure")
  expect_s3_class(again, "noiseaware_release_insecure")
  expect_match(again$about$title, "REHEARSAL")
})

test_that("rehearsal records are uniform over the domain", {
  data <- uniform_records(query_moments(mixed(), "replace_one"), 20000, 3)
  expect_lt(suppressWarnings(ks.test(data$x, "punif", -1, 3)$statistic), 1.95 / sqrt(20000))
  expect_gt(chisq.test(table(factor(data$k, 0:4)))$p.value, 1e-4)
  expect_gt(chisq.test(table(data$r))$p.value, 1e-4)
  expect_setequal(data$b, c("0", "1"))
  expect_lt(abs(cor(data$x, data$k)), 0.04)
})

test_that("simulations go through prior, records and the real release", {
  query <- query_tables(domain(smoker = dom_binary(), region = c("n", "e", "s")),
                        ~ smoker + region, "replace_one")
  sim <- simulate(query, nsim = 4, seed = 5, formula = ~ smoker, prior = prior_beta(3, 1), n = 30,
                  mechanism = mech_laplace(2))
  expect_s3_class(sim, "noiseaware_simulation")
  expect_identical(dim(sim$truth), c(4L, 1L))
  task <- study_task(query, mech_laplace(2), 30, read_question(~ smoker, NULL, prior_beta(3, 1),
                                                               NULL))
  for (trial in 1:4) {
    seeds <- trial_seeds(5, 0, trial)
    expect_equal(sim$truth[trial, "theta"],
                 draw_prior(task$model, task$prior, 1, seeds$prior)[1, "theta"])
    expect_identical(sim$release[[trial]],
                     release_insecure(query, sim$data[[trial]], mech_laplace(2), seeds$noise))
    expect_identical(nrow(sim$data[[trial]]), 30L)
    expect_true(all(is.na(sim$data[[trial]]$region)))
  }
  expect_false(identical(sim$data[[1]], sim$data[[2]]))
})

test_that("simulations depend on the seed and on nothing else", {
  run <- function(seed) {
    simulate(score_query(), nsim = 2, seed = seed, formula = ~ smoker, n = 20,
             mechanism = mech_laplace(1))
  }
  withr::local_seed(1)
  before <- .Random.seed
  expect_identical(run(9), run(9))
  expect_false(identical(run(9)$truth, run(10)$truth))
  expect_identical(.Random.seed, before)
  run(NULL)
  expect_false(identical(.Random.seed, before))
})

test_that("truths can be given", {
  sim <- simulate(score_query(), nsim = 2, seed = 1, theta = c(theta = 1), n = 20,
                  mechanism = mech_laplace(1))
  expect_equal(unname(sim$truth), matrix(1, 2))
  expect_identical(sim$data[[1]]$smoker, rep("1", 20))
})

test_that("records can come from somewhere else, by R's generator", {
  generator <- function(theta, n) data.frame(smoker = rbinom(n, 1, theta[["theta"]] / 2))
  run <- function() {
    simulate(score_query(), nsim = 2, seed = 1, theta = c(theta = 0.5), n = 500, data = generator,
             mechanism = mech_laplace(1))
  }
  withr::local_seed(7)
  before <- .Random.seed
  sim <- run()
  expect_identical(.Random.seed, before)
  expect_identical(run(), sim)
  expect_lt(abs(mean(sim$data[[1]]$smoker) - 0.25), 4.5 * sqrt(0.1875 / 500))
  expect_false(identical(sim$data[[1]], sim$data[[2]]))
})

test_that("the state of R's generator is put back, whatever its kind", {
  generator <- function(theta, n) data.frame(smoker = rep(1, n))
  withr::with_seed(1, .rng_kind = "Wichmann-Hill", {
    before <- .Random.seed
    call_generator(generator, 1, 3, 12345)
    expect_identical(.Random.seed, before)
  })
})

test_that("a simulation prints what it is", {
  sim <- simulate(score_query(), nsim = 2, seed = 1, formula = ~ smoker, n = 1000,
                  mechanism = mech_laplace(1))
  expect_snapshot(sim)
})
