# Which model serves which (formula, family, kind of release). One line per
# model; its methods are in order of preference.

model_registry <- function() {
  list(
    register("bernoulli", "counts", sides = 1, kinds = c("tables", "moments"),
             methods = c("exact", "clt", "gibbs", "naive"), link = "logit", aliases = "binomial"),
    register("categorical", "counts", sides = 1, kinds = c("tables", "moments"),
             methods = c("exact", "gibbs", "naive"), link = "logit", aliases = "multinomial"),
    register("exponential", c("scalar", "sums"), sides = 1, kinds = "moments",
             methods = c("exact", "clt", "gibbs", "naive"), link = "log"),
    register("poisson", c("scalar", "sums"), sides = 1, kinds = "moments",
             methods = c("exact", "clt", "gibbs", "naive"), link = "log"),
    register("normal", "sums", sides = 1, kinds = "moments",
             methods = c("clt", "exact", "gibbs", "naive"), link = "identity",
             aliases = "gaussian"),
    register("linear", sides = 2, kinds = "moments", methods = c("exact", "gibbs", "naive"),
             link = "identity", aliases = c("gaussian", "normal"))
  )
}

# A prototype: build_model() turns it into a model of given columns. `group` names
# classes shared by models that share code, `link` is that of the linear predictor.
register <- function(name, group = NULL, sides, kinds, methods, link, aliases = character()) {
  structure(list(name = name, sides = sides, kinds = kinds, methods = methods, link = link,
                 aliases = aliases),
            class = c(paste0("noiseaware_model_", c(name, group)), "noiseaware_model"))
}

serves <- function(prototype, sides, family, kind) {
  prototype$sides == sides && kind %in% prototype$kinds &&
    family %in% c(prototype$name, prototype$aliases)
}

find_model <- function(formula, family, observation) {
  if (is.null(family)) family <- list(name = default_family(formula, observation))
  for (prototype in model_registry()) {
    if (serves(prototype, formula$sides, family$name, observation$kind)) {
      check_link(family, prototype)
      return(build_model(prototype, formula, observation))
    }
  }
  abort_no_model(formula, family$name, observation)
}

# A family such as binomial("probit") brings a link; each model has one.
check_link <- function(family, prototype) {
  if (is.null(family$link) || family$link == prototype$link) return()
  abort_model(c("The link of family {.val {family$name}} must be {.val {prototype$link}} here.",
                "x" = "You gave {.val {family$link}}."))
}

abort_no_model <- function(formula, family, observation) {
  fitting <- Filter(function(prototype) {
    prototype$sides == formula$sides && observation$kind %in% prototype$kinds
  }, model_registry())
  families <- vapply(fitting, `[[`, "", "name")
  sides <- if (formula$sides == 1) "one-sided" else "two-sided"
  abort_model(c(
    "There is no model for {.code {formula$text}} with family {.val {family}} from a release of
     {observation$kind}.",
    "i" = if (length(families) > 0) {
      "For a {sides} formula there is: {.val {families}}."
    } else {
      "A {sides} formula needs a release of moments; see {.fn query_moments}."
    }
  ))
}

# The methods of a model, best first. A model that only some of them serve says so.
methods_of <- function(model) {
  if (!is.null(model$methods)) return(model$methods)
  prototype <- Find(function(prototype) prototype$name == model$name, model_registry())
  prototype$methods
}

# A family as a string, a function such as `binomial`, or its value.
read_family <- function(family) {
  if (is.null(family)) return(NULL)
  if (is.function(family)) family <- tryCatch(family(), error = function(e) family)
  if (inherits(family, "family")) return(list(name = family$family, link = family$link))
  if (!is.character(family) || length(family) != 1 || is.na(family)) {
    abort_argument("family", family,
                   "a string such as \"bernoulli\", or a family such as binomial()")
  }
  list(name = family, link = NULL)
}

# What a formula means without a family: two levels are Bernoulli, more are
# categorical, numbers are normal; two sides are linear regression.
default_family <- function(formula, observation) {
  if (formula$sides == 2) return("gaussian")
  column <- single_column(formula, observation)
  levels <- column_levels(column, observation$kind)
  if (is.null(levels)) return("normal")
  if (length(levels) == 2) "bernoulli" else "categorical"
}

# Levels of a column; in a table the whole numbers of a count column are levels.
column_levels <- function(column, kind) {
  if (!is.null(column$levels)) return(column$levels)
  if (kind != "tables" || column$type != "count") return(NULL)
  sprintf("%.0f", seq(column$lower, column$upper))
}
