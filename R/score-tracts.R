# Made-up neighbourhoods, for studies of many small regressions.

#' Simulate incomes of children and parents in census tracts
#'
#' **Simulated data**: nothing in it is about anyone. Each tract is a small regression
#' of the income rank of children (`kir`, from 0 to 1) on that of their parents (`pir`).
#' Sizes of tracts are long-tailed, from 20 to 446 people.
#'
#' In tract t, `pir` is normal about a mean of its own, uniform between 0.25 and 0.75,
#' with standard deviation 0.2; `kir` is `intercept + slope * pir` plus normal noise of
#' standard deviation 0.2; both are clamped to between 0 and 1. Intercepts are normal
#' about 0.3 with standard deviation 0.05, slopes about 0.35 with standard deviation 0.1.
#' A size is 20 plus a lognormal number (median 50, log standard deviation 0.9), at most
#' 446. The numbers were chosen to look like published studies of social mobility and
#' were not fitted to any data.
#'
#' @param tracts Number of tracts.
#' @param seed A whole number that determines the result; R's generator is left alone.
#'   `NULL` takes one number from it.
#' @return A data frame with one row per person and the columns `tract`, `pir` and `kir`.
#'   Its attribute `"truth"` is a data frame with one row per tract: `tract`, `n`,
#'   `intercept` and `slope`.
#' @references Chetty and Friedman (2019) A practical method to reduce privacy loss when
#'   disclosing statistics based on small samples. *AEA Papers and Proceedings* 109,
#'   414-420.
#' @family evaluation
#' @examples
#' people <- simulate_tracts(3, seed = 1)
#' attr(people, "truth")
#'
#' query <- query_moments(domain(pir = c(0, 1), kir = c(0, 1)), "replace_one")
#' one <- people[people$tract == "tract 1", ]
#' rel <- release_insecure(query, one, mech_laplace(4), seed = 1)
#' fit <- infer(rel, kir ~ pir, seed = 1)
#' posterior_interval(fit)
#' @export
simulate_tracts <- function(tracts = 2745, seed = NULL) {
  tracts <- check_whole(tracts, "tracts", 1, 1e6)
  seeds <- trial_seeds(take_seed(seed), 0, 1)
  z <- matrix(draw_normals_cpp(0, 1, 3 * tracts, seeds$prior), tracts)
  truth <- data.frame(tract = paste("tract", seq_len(tracts)),
                      n = pmin(20 + floor(50 * exp(0.9 * z[, 1])), 446),
                      intercept = 0.3 + 0.05 * z[, 2], slope = 0.35 + 0.1 * z[, 3])
  middle <- 0.25 + 0.5 * draw_uniforms_cpp(tracts, seeds$ties)
  of <- rep(seq_len(tracts), truth$n)
  noise <- matrix(draw_normals_cpp(0, 0.2, 2 * length(of), seeds$records), length(of))
  pir <- clip(middle[of] + noise[, 1], 0, 1)
  kir <- clip(truth$intercept[of] + truth$slope[of] * pir + noise[, 2], 0, 1)
  structure(data.frame(tract = truth$tract[of], pir = pir, kir = kir), truth = truth)
}
