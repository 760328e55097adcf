# A small query and its studies, for the tests of scoring.

score_query <- function(relation = "replace_one") {
  query_tables(domain(smoker = dom_binary()), ~ smoker, relation)
}

# Arguments by name, NULL included; modifyList() would merge mechanisms.
override <- function(defaults, given) c(defaults[setdiff(names(defaults), names(given))], given)

small_calibration <- function(...) {
  defaults <- list(query = score_query(), formula = ~ smoker, n = 50,
                   mechanism = mech_laplace(0.2), trials = 20, iter = 200, seed = 3)
  do.call(check_calibration, override(defaults, list(...)))
}

small_comparison <- function(...) {
  defaults <- list(query = score_query(), formula = ~ smoker, n = 50,
                   mechanism = lapply(c(0.05, 0.5), mech_laplace), trials = 5, iter = 200, seed = 3)
  do.call(compare_methods, override(defaults, list(...)))
}

# A study of `trials` trials whose posteriors are changed by `distort(draws)` before
# they are scored; `draws` is a bare array.
distorted_calibration <- function(distort, trials = 300, seed = 11) {
  run <- check_run(1, 400, 0, 1, 1, 0)
  question <- read_question(~ smoker, NULL, prior_beta(10, 10), NULL)
  study <- new_study("calibration", score_query(), question, list("exact"), 200, mech_laplace(0.2),
                     trials, run, NULL, 0.9, seed)
  rows <- lapply(seq_len(trials), function(trial) {
    seeds <- trial_seeds(seed, 1, trial)
    case <- simulate_trial(study$tasks[[1]], study_scenario(study, 1), seeds)
    fit <- study_fit(study, study$tasks[[1]], observe(case$release), seeds$draws)
    fit$draws[] <- distort(unclass(fit$draws))
    cbind(cell = 1, trial = trial, score_fit(fit, case$truth, 0.9, seeds$ties), failure = NA)
  })
  new_calibration(do.call(rbind, rows), study)
}

# Ranks as they are defined, with draws thinned by package posterior's measure of
# their worth.
rank_of_truth <- function(draws, truth, u) {
  (sum(draws < truth) + u * (1 + sum(draws == truth))) / (1 + length(draws))
}

thinned <- function(draws) {
  size <- length(draws)
  as.vector(draws)[1 + round(seq(0, size - 1, length.out = floor(posterior::ess_basic(draws))))]
}

# The rank of the truth that the core finds.
core_rank <- function(draws, independent, truth, u) {
  score_draws_cpp(as.matrix(draws), independent, truth, list(u = u, prob = 0.9))[["u"]]
}
