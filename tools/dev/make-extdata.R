# Makes the releases in inst/extdata that examples and tests read: simulated
# people, real noise, a real (throw-away) ledger. Run once; the noise cannot be
# repeated.
#   Rscript tools/dev/make-extdata.R

library(noiseaware)

set.seed(1)
people <- data.frame(
  smoker = rbinom(1000, 1, 0.3),
  region = sample(c("north", "east", "south", "west"), 1000, TRUE, c(.4, .3, .2, .1)),
  age = round(pmin(pmax(rnorm(1000, 45, 15), 18), 90))
)
ledger <- ledger_create(tempfile(), population = "adults of Exampletown (simulated)", epsilon = 2)
about <- list(title = "Smoking survey", population = "adults of Exampletown (simulated)",
              period = "2025", licence = "CC0")
survey <- domain(smoker = dom_binary(), region = c("north", "east", "south", "west"),
                 age = c(18, 90))

invisible(release(query_tables(survey, ~ smoker + region, relation = "replace_one"), people,
                  mech_laplace(0.5), ledger, file = "inst/extdata/smoking.json", about = about))
invisible(release(query_moments(survey, relation = "add_remove"), people, mech_laplace(1), ledger,
                  file = "inst/extdata/survey-moments.json", about = about))
