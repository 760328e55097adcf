# The whole story in one run: a custodian releases, an analyst infers, and the
# three posteriors are compared. Writes a ledger, a release, a table and a
# picture into the directory given.
#   Rscript tools/dev/demo.R demo-output

library(noiseaware)

out <- commandArgs(trailingOnly = TRUE)[[1]]
unlink(out, recursive = TRUE)
dir.create(out, recursive = TRUE)
say <- function(...) cat("\n## ", ..., "\n\n", sep = "")

say("The custodian writes the query before seeing any data")
survey <- domain(smoker = dom_binary(), region = c("north", "east", "south", "west"))
query <- query_tables(survey, ~ smoker + region, relation = "replace_one")
print(query)
print(cost(query, mech_laplace(0.1), n = 1000))

say("1000 people answer (simulated; 30 per cent smoke)")
set.seed(20261118)
truth <- 0.3
people <- data.frame(
  smoker = rbinom(1000, 1, truth),
  region = sample(survey$region$levels, 1000, replace = TRUE, prob = c(.4, .3, .2, .1))
)
ledger <- ledger_create(file.path(out, "ledger.jsonl"), population = "adults of Exampletown",
                        epsilon = 1)
file <- file.path(out, "release.json")
invisible(release(query, people, mech_laplace(0.1), ledger, file = file,
                  about = list(title = "Smoking survey", period = "2025")))
print(ledger_report(ledger))

say("The analyst has the file and nothing else")
rel <- read_release(file)
print(rel)
fit <- infer(rel, ~ smoker, seed = 1)
print(fit)

say("Noise-aware against naive against non-private (90% intervals; the truth is 0.3)")
fits <- list(
  "non-private" = infer_nonprivate(query, people, ~ smoker, seed = 1),
  naive = infer(rel, ~ smoker, method = "naive", seed = 1),
  "noise-aware" = fit
)
intervals <- do.call(rbind, lapply(fits, function(f) {
  interval <- posterior_interval(f, prob = 0.9)
  data.frame(estimate = unname(coef(f)), lower = interval[1, 1], upper = interval[1, 2],
             contains_truth = interval[1, 1] <= truth & truth <= interval[1, 2])
}))
print(format(intervals, digits = 3))
write.csv(intervals, file.path(out, "intervals.csv"))

densities <- do.call(rbind, lapply(names(fits), function(name) {
  draws <- as.numeric(posterior::as_draws_matrix(fits[[name]])[, "theta"])
  data.frame(theta = draws, posterior = name)
}))
densities$posterior <- factor(densities$posterior, levels = names(fits))
picture <- ggplot2::ggplot(densities, ggplot2::aes(theta, colour = posterior)) +
  ggplot2::geom_density(linewidth = 0.9) +
  ggplot2::geom_vline(xintercept = truth, linetype = "dashed") +
  ggplot2::scale_colour_manual(values = c("grey60", "#c1440e", "#1b6ca8")) +
  ggplot2::labs(x = "share of smokers", y = "posterior density", colour = NULL,
                title = "The posterior that knows about the noise (truth dashed)") +
  ggplot2::theme_minimal()
ggplot2::ggsave(file.path(out, "posteriors.png"), picture, width = 7, height = 4, dpi = 120,
                bg = "white")

say("Written to ", out, ": ", paste(list.files(out), collapse = ", "))
