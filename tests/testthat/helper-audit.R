# Attacks on releases. An audit reports a number or a finding that an honest
# release cannot produce; every test of one also shows it a planted mistake.

# ---- draws -----------------------------------------------------------------

# Many answers to one query about the same records, one row each, in grid steps:
# the groups of a single seeded answer, each of which holds all `records`. Groups
# have streams of their own, so the rows are independent.
audit_draws <- function(query, records, mechanism, draws, seed,
                        noise = calibrate_noise(mechanism, query)) {
  by <- list(column = snap_column(dom_levels(seq_len(draws)), "..draw"), public = TRUE)
  rows <- records[rep(seq_len(nrow(records)), draws), , drop = FALSE]
  rows[["..draw"]] <- factor(rep(seq_len(draws), each = nrow(records)), levels = seq_len(draws))
  values <- answer(query, rows, mechanism, audit_entropy(query, seed), by, noise)$values
  matrix(as.numeric(unlist(values)), nrow = draws, byrow = TRUE)
}

audit_entropy <- function(query, seed) {
  list(source = "simulation", seed = seed, query = query_id(query), charge = NULL)
}

# The planted mistake of most audits: noise of a fraction of the promised size.
audit_weaken <- function(noise, fraction) {
  noise$scales <- sprintf("%.0f", as.numeric(noise$scales) * fraction)
  noise
}

# ---- lower bounds of the privacy loss --------------------------------------

# Bounds of a binomial probability (Clopper and Pearson, 1934), each wrong with
# probability `alpha`.
cp_lower <- function(hits, trials, alpha) {
  ifelse(hits == 0, 0, stats::qbeta(alpha, hits, trials - hits + 1))
}

cp_upper <- function(hits, trials, alpha) {
  ifelse(hits == trials, 1, stats::qbeta(1 - alpha, hits + 1, trials - hits))
}

# An event that a and b, neighbours, produce this often proves at least this
# loss, except with probability `alpha`.
epsilon_bound <- function(hits_a, trials_a, hits_b, trials_b, alpha = 1e-3) {
  log(cp_lower(hits_a, trials_a, alpha / 2) / cp_upper(hits_b, trials_b, alpha / 2))
}

# The same as the mean shift of a Gaussian that is as easy to tell apart (Dong,
# Roth and Su, 2022): the event accepts a, its complement b.
mu_bound <- function(hits_a, trials_a, hits_b, trials_b, alpha = 1e-3) {
  stats::qnorm(cp_upper(hits_b, trials_b, alpha / 2), lower.tail = FALSE) -
    stats::qnorm(cp_upper(trials_a - hits_a, trials_a, alpha / 2))
}

# Scores of independent releases about neighbours a and b. One half chooses the
# event, by its bound: choosing by the point estimate prefers rare events, about
# which little can be proved. The other half gives the bound of that event alone.
audit_loss <- function(score_a, score_b, bound = epsilon_bound) {
  train <- function(x) x[c(TRUE, FALSE)]
  test <- function(x) x[c(FALSE, TRUE)]
  cuts <- stats::quantile(c(train(score_a), train(score_b)), seq(0.01, 0.99, 0.01),
                          names = FALSE)
  events <- expand.grid(cut = cuts, above = c(TRUE, FALSE), a_first = c(TRUE, FALSE))
  found <- audit_bounds(train(score_a), train(score_b), events, bound)
  audit_bounds(test(score_a), test(score_b), events[which.max(found), ], bound)
}

audit_bounds <- function(score_a, score_b, events, bound) {
  above <- function(x) length(x) - findInterval(events$cut, sort(x))
  hits_a <- ifelse(events$above, above(score_a), length(score_a) - above(score_a))
  hits_b <- ifelse(events$above, above(score_b), length(score_b) - above(score_b))
  ifelse(events$a_first, bound(hits_a, length(score_a), hits_b, length(score_b)),
         bound(hits_b, length(score_b), hits_a, length(score_a)))
}

# The logarithm of how much more likely an answer is about a than about b: the
# score that loses nothing (Neyman and Pearson, 1933).
audit_score <- function(answers, sums_a, sums_b, scales, name) {
  far <- function(sums) {
    distance <- sweep(sweep(answers, 2, sums), 2, scales, "/")
    rowSums(if (name == "laplace") abs(distance) else distance^2 / 2)
  }
  far(sums_b) - far(sums_a)
}

# The loss proved by `draws` answers about each of two neighbours, with noise of
# a `fraction` of the promised scales.
audit_pair <- function(query, pair, mechanism, draws, fraction = 1, seed = 1) {
  noise <- calibrate_noise(mechanism, query)
  used <- if (fraction == 1) noise else audit_weaken(noise, fraction)
  score <- function(records, seed) {
    answers <- audit_draws(query, records, mechanism, draws, seed, used)
    audit_score(answers, summed(query, pair$a), summed(query, pair$b), as.numeric(noise$scales),
                mechanism$name)
  }
  audit_loss(score(pair$a, 2 * seed), score(pair$b, 2 * seed + 1),
             if (mechanism$name == "laplace") epsilon_bound else mu_bound)
}

# ---- what conditions and objects carry -------------------------------------

# Every condition an expression raises, and its value if it has one.
audit_conditions <- function(expr) {
  raised <- list()
  keep <- function(condition) {
    raised[[length(raised) + 1]] <<- condition
    for (restart in c("muffleWarning", "muffleMessage")) tryInvokeRestart(restart)
  }
  value <- tryCatch(withCallingHandlers(expr, warning = keep, message = keep),
                    error = function(e) {
                      raised[[length(raised) + 1]] <<- e
                      NULL
                    })
  list(value = value, raised = raised)
}

# Records that can be recognised anywhere: a double of 53 random bits, an
# integer and a string that occur nowhere else.
canary <- list(real = 0.6180339887498949, whole = 1987654321L, text = "canary-7f3ac9d1")

canary_records <- function(rows = 40) {
  data.frame(x = c(canary$real, seq(0.01, 0.99, length.out = rows - 1)),
             k = c(canary$whole, seq_len(rows - 1)),
             f = c(canary$text, rep(c("a", "b", "c"), length.out = rows - 1)))
}

# Derived columns too: the canaries are what they are computed from.
canary_query <- function(relation = "replace_one") {
  declared <- domain(x = c(0, 1), k = c(0, 100), f = c("a", "b", "c"))
  query_moments(derive(declared, lx = log1p(x), xk = x * k, far = k > 50), relation)
}

canary_patterns <- function() {
  numbers <- lapply(c("big", "little"), function(endian) {
    lapply(canary[c("real", "whole")], writeBin, raw(), endian = endian)
  })
  texts <- lapply(c(canary$text, "0.61803398", "0,61803398", as.character(canary$whole)), charToRaw)
  c(unlist(numbers, recursive = FALSE), texts)
}

# TRUE if a canary is in the bytes, in either order and as text.
has_canary <- function(bytes) {
  any(vapply(canary_patterns(), function(pattern) {
    length(grepRaw(pattern, bytes, fixed = TRUE)) > 0
  }, NA))
}

# Everything reachable from an object: attributes, environments and calls too.
# Text is added because messages may be put together only when shown.
carries_canary <- function(x) {
  shown <- tryCatch(utils::capture.output(print(x)), error = function(e) "")
  has_canary(serialize(x, NULL)) || has_canary(charToRaw(paste(shown, collapse = "\n"))) ||
    (inherits(x, "condition") && has_canary(charToRaw(paste(conditionMessage(x), collapse = "\n"))))
}
