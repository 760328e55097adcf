# What a model must be able to do. A model is a plain list of class
# noiseaware_model_<name>, noiseaware_model; a new one is a file with these
# methods, one line of the registry, and a test that calls expect_model().

# The model of a formula for an observation. `prototype` comes from the registry.
build_model <- function(prototype, formula, observation) UseMethod("build_model")

# data.frame(variable, label): names of the draws, and what they are in words.
model_variables <- function(model) UseMethod("model_variables")

# What the model is, in one line.
model_title <- function(model) UseMethod("model_title")

# What was taken for granted, as a character vector. Methods of infer() that take
# more for granted are told by `method`.
model_assumptions <- function(model, observation, ...) UseMethod("model_assumptions")

# The statistics the model uses: a data frame with one row each and, among others, the
# columns statistic, value, noise, scale, released and censored.
model_statistics <- function(model) UseMethod("model_statistics")

# The prior used when none is given.
default_prior <- function(model) UseMethod("default_prior")

# The prior checked against the model and completed, or an error.
check_prior <- function(model, prior) UseMethod("check_prior")

# data.frame(variable, mean, sd) of the prior; NA where there is none.
prior_moments <- function(model, prior) UseMethod("prior_moments")

# Marginal prior density of one variable, for plots.
prior_density <- function(model, prior, variable, x) UseMethod("prior_density")

# Marginal prior quantiles of one variable, for plots.
prior_quantile <- function(model, prior, variable, p) UseMethod("prior_quantile")

# Lower and upper end of what a variable can be, for plots.
variable_range <- function(model, variable) UseMethod("variable_range")

# The prior in words, one string per parameter block.
prior_words <- function(model, prior) UseMethod("prior_words")

# One line on what was released for this model.
release_words <- function(model) UseMethod("release_words")

# The number of records: number, or NA where it is not public.
model_size <- function(model) UseMethod("model_size")

# What predictions are for when `newdata` is not given, or an error.
default_newdata <- function(model) UseMethod("default_newdata")

# Expectation of the outcome for new records: draws x outcomes. `theta` is a
# draws matrix with the model's variables.
expect_outcome <- function(model, theta, newdata) UseMethod("expect_outcome")

# The same on the scale of the linear predictor.
link_outcome <- function(model, theta, newdata) UseMethod("link_outcome")

# The linear predictor through the inverse link, such as probabilities.
unlink_outcome <- function(model, theta, newdata) UseMethod("unlink_outcome")

# Simulated outcomes for new records: draws x outcomes.
simulate_outcome <- function(model, theta, newdata, seed) UseMethod("simulate_outcome")

# Outcomes of given records as numbers: records x outcomes, columns named.
record_outcome <- function(model, newdata) UseMethod("record_outcome")

# Expectation of one of those outcomes: draws x records, or draws x 1 where it is
# the same for all records.
record_expectation <- function(model, theta, newdata, outcome) UseMethod("record_expectation")

# Simulated releases: draws x statistics, columns named by statistic. `latent`
# is a draws matrix of latent statistics, such as n where it is not public.
replicate_release <- function(model, theta, latent, seed) UseMethod("replicate_release")

new_model <- function(prototype, ...) {
  structure(c(unclass(prototype)["name"], list(...)), class = class(prototype))
}

# --- methods ----------------------------------------------------------------

# The name of the method used when none is given; it may depend on n.
default_method <- function(model) UseMethod("default_method")

#' @export
default_method.noiseaware_model <- function(model) methods_of(model)[[1]]

# Draws from the posterior. A task is a model, its prior and a method; it is
# dispatched on both, as noiseaware_task_<model>_<method>. The value is made by
# new_sample().
sample_posterior <- function(task, run) UseMethod("sample_posterior")

new_task <- function(model, prior, method) {
  kinds <- setdiff(sub("^noiseaware_model_?", "", class(model)), "")
  structure(list(model = model, prior = prior, method = method),
            class = c(paste0("noiseaware_task_", kinds, "_", method$name), "noiseaware_task"))
}

# theta, latent: arrays iterations x chains x variables. moments: data.frame(mean,
# sd, privacy_share), one row per variable, NULL to take them from the draws.
# sampler: kind ("independent" or "chains"), algorithm in words, and whatever
# diagnostics the sampler has.
new_sample <- function(theta, latent, moments, sampler, log_evidence = NA_real_) {
  list(theta = theta, latent = latent, moments = moments, sampler = sampler,
       log_evidence = log_evidence)
}

# Failures of the core that the analyst can do something about.
call_core <- function(expr) {
  tryCatch(
    expr,
    `std::domain_error` = function(e) {
      text <- conditionMessage(e)
      abort_model(c("The model cannot have produced this release.", "x" = "{text}.",
                    "i" = "Check the values, the noise and its {.arg grid}."))
    }
  )
}
