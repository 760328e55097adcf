# The picture at the top of the README and the numbers behind it.
# Left: one release. Right: how often a 90% interval contains the truth.
#   Rscript bench/readme-figure.R            (about two minutes on two cores)
#   Rscript bench/readme-figure.R plot       (draws again from the stored table)
# The seed is the date the study was written down; it was run once.

library(noiseaware)
library(ggplot2)

seed <- 20261118
n <- 1000
trials <- 2000
epsilons <- c(0.003, 0.01, 0.03, 0.1, 0.3, 1)
colours <- c("non-private" = "grey55", naive = "#c1440e", "noise-aware" = "#1b6ca8")

query <- query_tables(domain(smoker = dom_binary()), ~ smoker, relation = "replace_one")

# --- left: one release -------------------------------------------------------
truth <- 0.3
set.seed(seed)
people <- data.frame(smoker = rbinom(n, 1, truth))
rel <- release_insecure(query, people, mech_laplace(0.03), seed = seed)
fits <- list(
  "non-private" = infer_nonprivate(query, people, ~ smoker, iter = 20000, seed = seed),
  naive = infer(rel, ~ smoker, method = "naive", iter = 20000, seed = seed),
  "noise-aware" = infer(rel, ~ smoker, iter = 20000, seed = seed)
)
theta_of <- function(fit) as.numeric(posterior::as_draws_matrix(fit)[, "theta"])
curve_of <- function(name) {
  d <- stats::density(theta_of(fits[[name]]), bw = "SJ", n = 1024)
  data.frame(theta = d$x, density = d$y, posterior = name)
}
curves <- do.call(rbind, lapply(names(fits), curve_of))
# Labels stand beside the curves, at four fifths of their height.
label_of <- function(d) {
  high <- d[d$density >= 0.8 * max(d$density), ]
  left <- d$posterior[[1]] == "non-private"
  cbind(if (left) high[1, ] else high[nrow(high), ], side = if (left) 1.12 else -0.12)
}
tops <- do.call(rbind, lapply(split(curves, curves$posterior), label_of))

left <- ggplot(curves, aes(theta, density, colour = posterior)) +
  geom_vline(xintercept = truth, linetype = "dashed", colour = "grey30") +
  geom_line(linewidth = 1) +
  geom_text(data = tops, aes(label = posterior, hjust = side), fontface = "bold", size = 4.2) +
  annotate("text", x = truth, y = max(curves$density) * 1.1, label = "truth ", hjust = 1,
           colour = "grey30", size = 3.8) +
  scale_colour_manual(values = colours, guide = "none") +
  scale_y_continuous(expand = expansion(mult = c(0, 0.04))) +
  coord_cartesian(xlim = c(0.15, 0.6)) +
  labs(x = "share of smokers", y = "posterior density",
       title = "One release of 1000 people, epsilon = 0.03")

# --- right: coverage over the prior -------------------------------------------
# A trial: a share from the prior, people, a release, a 90% interval.
# Every trial of every epsilon has a seed of its own, so that points are independent.
one_trial <- function(epsilon, trial) {
  trial <- trial + trials * match(epsilon, epsilons)
  set.seed(seed + trial)
  share <- stats::rbeta(1, 1, 1)
  data <- data.frame(smoker = rbinom(n, 1, share))
  rel <- release_insecure(query, data, mech_laplace(epsilon), seed = seed + trial)
  vapply(c(naive = "naive", "noise-aware" = "exact"), function(method) {
    fit <- suppressWarnings(infer(rel, ~ smoker, method = method, chains = 1, iter = 2000,
                                  warmup = 0, seed = seed + trial))
    interval <- stats::quantile(theta_of(fit), c(0.05, 0.95))
    interval[[1]] <= share && share <= interval[[2]]
  }, NA)
}
study <- function(epsilon) {
  covered <- parallel::mclapply(seq_len(trials), one_trial, epsilon = epsilon, mc.cores = 2)
  covered <- do.call(rbind, covered)
  data.frame(epsilon = epsilon, posterior = colnames(covered), coverage = colMeans(covered))
}
table <- "bench/results/readme-coverage.csv"
if (!identical(commandArgs(trailingOnly = TRUE), "plot")) {
  coverage <- do.call(rbind, lapply(epsilons, study))
  coverage$se <- sqrt(coverage$coverage * (1 - coverage$coverage) / trials)
  utils::write.csv(format(coverage, digits = 4), table, row.names = FALSE, quote = FALSE)
}
coverage <- utils::read.csv(table, strip.white = TRUE)
print(coverage)

ends <- coverage[coverage$epsilon == 0.01, ]
right <- ggplot(coverage, aes(epsilon, coverage, colour = posterior)) +
  geom_hline(yintercept = 0.9, colour = "grey30", linetype = "dashed") +
  geom_line(linewidth = 1) +
  geom_pointrange(aes(ymin = coverage - 2 * se, ymax = coverage + 2 * se), size = 0.35) +
  geom_text(data = ends, aes(label = posterior), vjust = c(2.4, -1.4), hjust = -0.1,
            fontface = "bold", size = 4.2) +
  annotate("text", x = 1, y = 0.9, label = "90%", vjust = -0.9, colour = "grey30", size = 3.8) +
  scale_x_log10(breaks = epsilons, labels = format(epsilons, drop0trailing = TRUE)) +
  scale_y_continuous(limits = c(0, 1), labels = function(x) paste0(100 * x, "%")) +
  scale_colour_manual(values = colours, guide = "none") +
  labs(x = "epsilon", y = "intervals that contain the truth",
       title = "Does a 90% interval contain the truth?")

look <- theme_minimal(base_size = 13) +
  theme(panel.grid.minor = element_blank(), plot.title = element_text(size = 13, face = "bold"))
grDevices::png("man/figures/README-posterior-and-coverage.png", width = 1800, height = 640,
               res = 150)
grid::grid.newpage()
grid::pushViewport(grid::viewport(layout = grid::grid.layout(1, 2)))
print(left + look, vp = grid::viewport(layout.pos.row = 1, layout.pos.col = 1))
print(right + look, vp = grid::viewport(layout.pos.row = 1, layout.pos.col = 2))
invisible(grDevices::dev.off())
