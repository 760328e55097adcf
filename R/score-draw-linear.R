# How parameters and records of a regression come about: the parameters of the
# covariates are drawn with the others, because records depend on them.

#' @export
draw_prior.noiseaware_model_linear <- function(model, prior, nsim, seed) {
  drawn <- linear_prior_cpp(linear_problem(model, prior), nsim, seed)
  named_columns(drawn, c(model_variables(model)$variable, covariate_variables(model)))
}

#' @export
draw_records.noiseaware_model_linear <- function(model, theta, n, seed) {
  check_simulated_columns(model)
  needed <- c(model_variables(model)$variable, covariate_variables(model))
  if (!all(needed %in% colnames(theta))) {
    abort_model(c("Records need parameters of the covariates, too.",
                  "i" = "Give a function {.arg data} that makes records."))
  }
  x <- covariate_rows(model)
  records <- linear_records_cpp(as.double(theta[1, needed]), nrow(x), model$intercept,
                                list(n = n, seed = seed))
  stats::setNames(as.data.frame(records), model$columns$column)
}

# A normal covariate has no levels.
check_simulated_columns <- function(model) {
  indicators <- unique(model$columns$column[model$columns$kind != "number"])
  if (length(indicators) == 0) return()
  abort_model(c("The model cannot simulate records with the column{?s} {.field {indicators}}.",
                "x" = "It takes indicators for normal numbers.",
                "i" = "Give a function {.arg data} that makes records."))
}
