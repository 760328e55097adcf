#' Infer parameters from a release
#'
#' Draws from the posterior given *the release*: the privacy noise is part of the
#' model, so that intervals mean what they say. Nothing but the release is used.
#'
#' `infer(rel, ~ x)` without a family is a Bernoulli model of a binary column, a
#' categorical model of a factor and a normal model of a number. The families:
#'
#' - `"bernoulli"` or `"binomial"`, for a binary column: `theta` is the probability of
#'   the second level. Prior: [prior_beta()].
#' - `"categorical"` or `"multinomial"`, for a factor: `theta[1]`, `theta[2]`, ... are
#'   the probabilities of the levels in order. Prior: [prior_dirichlet()].
#' - `"exponential"`, for a number: `rate` is one over the mean. Prior: [prior_gamma()].
#' - `"poisson"`, for a count: `rate` is the mean. Prior: [prior_gamma()].
#' - `"normal"` or `"gaussian"`, for a number: `mean` and `sd`. Prior: [prior_nig()].
#'
#' The first two need tables or moments, the others moments; a normal model needs
#' those of degree 2, because it uses the sum of squares.
#'
#' `infer(rel, y ~ x1 + x2)` is linear regression from moments of degree 2, of any
#' released outcome on any of the other columns: coefficients such as `(Intercept)`,
#' `x1` and, for the level m of the factor sex, `sexm`, and the residual standard
#' deviation `sigma`, all in natural units. A column of two levels is 0 or 1; a factor has
#' one indicator per level but the first. `0 +` leaves the intercept out. Covariates and
#' outcome are taken as jointly normal; with the exact method intervals held their level
#' for uniform and binary covariates, but are too narrow for strongly skewed ones. Their
#' means and covariances, `mu_x[x1]` and `Sigma_x[x1,x2]`, are among the draws of
#' `as_draws(fit, latent = TRUE)`. Priors: [prior_nig()] and [prior_niw()]. Products and
#' functions of columns must have been released as columns of their own.
#'
#' The sums of numbers in a release are those of records that were clamped to the
#' declared bounds, or redacted. The model is of the records before that: what
#' clamping does to the sums is part of the likelihood, so that the parameters are
#' not biased by it. The print-out says what was assumed.
#'
#' Under `"add_remove"` the number of records is not public. It is then a latent
#' number with a flat prior on 0, 1, 2, ..., and the noisy statistics tell it.
#'
#' A warning of class `noiseaware_warning_prior_dominated` says which posterior
#' standard deviation exceeds 0.8 times the prior's. For a release set there is one
#' such warning, which names the groups.
#'
#' Only the statistics of the column and what tells n are used. If the release has
#' others about them, such as tables of the column with others, the print-out says
#' so.
#'
#' `public` is for records of other people, with the same distribution, that need no
#' protection: volunteers, or a published sample. They are used as they are, without
#' clamping or noise, and update the prior before the release does. `sd_ratio` and
#' plots still compare with the prior that was given; the log evidence is that of the
#' release given the public records. In a release set they inform every group.
#'
#' @param release A release: from [read_release()], [as_release()] or
#'   [release()]. A release set (one release per group) is fitted group by group.
#' @param formula Which columns: `~ x` for the distribution of one column, `y ~ x1 + x2`
#'   for a regression. May be left out if the release has one column only.
#' @param family The model, as a string or a family such as [binomial()] with its
#'   default link; by default the formula and the domain decide.
#' @param prior A prior, such as [prior_beta()]; see [prior_summary()] for the
#'   default.
#' @param method `"exact"`, `"clt"`, `"gibbs"`, `"naive"` or a method with options,
#'   such as [method_exact()]; by default the best one for the model and n, see
#'   [method].
#' @param public Records that need no protection: a data frame with the columns of the
#'   formula, or a vector of the values of a single one; `NULL` for none.
#' @param chains,iter,warmup,thin As in other packages: `chains` runs of `iter`
#'   iterations, of which the first `warmup` are dropped and every `thin`-th is
#'   kept. Methods with independent draws need no warmup and return as many draws.
#' @param cores Number of threads. The draws do not depend on it.
#' @param seed A whole number that, with the number of the chain, determines the
#'   draws; R's own generator is left alone. `NULL` takes one number from it, which
#'   is stored in the fit.
#' @param refresh 0 for silence; otherwise long runs show their progress if R is
#'   interactive.
#' @return A fit of class `noiseaware_fit`, or of class `noiseaware_fit_set` for a
#'   release set.
#' @references Bernstein and Sheldon (2018) Differentially private Bayesian
#'   inference for exponential families. <https://arxiv.org/abs/1809.02188>
#' @references Bernstein and Sheldon (2019) Differentially private Bayesian linear
#'   regression. <https://arxiv.org/abs/1910.13153>
#' @family analyst
#' @seealso [summary.noiseaware_fit()], [predict.noiseaware_fit()],
#'   [autoplot.noiseaware_fit()], [diagnostics()]
#' @examples
#' rel <- read_release(system.file("extdata", "smoking.json", package = "noiseaware"))
#' fit <- infer(rel, ~ smoker, seed = 1)
#' fit
#'
#' # What ignoring the noise would have claimed:
#' infer(rel, ~ smoker, method = "naive", seed = 1)
#'
#' # With forty volunteers who do not mind being known:
#' infer(rel, ~ smoker, public = rep(c(0, 1), c(29, 11)), seed = 1)
#'
#' # Sums of a number: normal by default.
#' query <- query_moments(domain(pressure = c(80, 200)))
#' values <- c("sum(pressure)" = -6950, "sum(pressure*pressure)" = 225000)
#' rel <- as_release(query, n = 500, values = values, centre = 140,
#'                   noise = list(noise_laplace(120), noise_laplace(7200)))
#' infer(rel, ~ pressure, seed = 1)
#'
#' # One release of moments serves any regression among its columns.
#' bounds <- domain(wine = c(0, 40), liquor = c(0, 250), cirrhosis = c(0, 150))
#' query <- query_moments(bounds, "replace_one")
#' rel <- release_insecure(query, cirrhosis, mech_laplace(10), seed = 1)
#' fit <- infer(rel, cirrhosis ~ wine, seed = 1)
#' predict(fit, data.frame(wine = c(5, 20)), seed = 1)
#' infer(rel, cirrhosis ~ wine + liquor, seed = 1)
#' @export
infer <- function(release, formula = NULL, family = NULL, prior = NULL, method = NULL,
                  public = NULL, chains = 4, iter = 2000, warmup = floor(iter / 2), thin = 1,
                  cores = getOption("mc.cores", 1L), seed = NULL, refresh = NULL) {
  check_supplied(missing(release), "release")
  refuse_list(release)
  run <- check_run(chains, iter, warmup, thin, cores, refresh)
  request <- list(formula = formula, family = read_family(family), prior = prior, method = method,
                  public = public, run = run, seed = take_seed(seed))
  if (inherits(release, "noiseaware_release_set")) return(infer_set(release, request))
  fit <- infer_one(observe(release), request)
  warn_about_fit(fit)
  fit
}

# `members` fits of this size are made together.
infer_one <- function(observation, request, members = 1) {
  formula <- read_formula(request$formula, observation)
  model <- find_model(formula, request$family, observation)
  prior <- check_prior(model, if (is.null(request$prior)) default_prior(model) else request$prior)
  method <- choose_method(model, request$method)
  public <- read_public(model, request$public)
  working <- if (is.null(public)) prior else update_prior(model, prior, public)
  check_memory(request$run, members * nrow(model_variables(model)))
  run <- c(request$run, seed = request$seed)
  sample <- sample_posterior(new_task(model, working, method), run)
  new_fit(model, prior, method, formula, observation, sample, run, request$seed, public)
}

# Group g has the seed of the set plus g - 1: a stream of its own.
infer_set <- function(set, request) {
  fits <- lapply(seq_along(set$releases), function(g) {
    member <- request
    member$seed <- request$seed + g - 1
    infer_one(observe(set$releases[[g]]), member, length(set$releases))
  })
  names(fits) <- names(set$releases)
  warn_about_set(fits)
  new_fit_set(fits, set$by)
}

refuse_list <- function(release) {
  if (is.object(release) || !is.list(release)) return()
  abort_input(c("{.arg release} must be one release, not a list of them.",
                "i" = "Fit them one by one; only a release set made with {.code by =} is fitted
                       together."))
}
