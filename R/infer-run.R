# How long to run, on how many cores, from which seed.

check_run <- function(chains, iter, warmup, thin, cores, refresh) {
  most <- .Machine$integer.max
  run <- list(
    chains = as.integer(check_whole(chains, "chains", 1, 1e4)),
    iter = as.integer(check_whole(iter, "iter", 1, most)),
    warmup = as.integer(check_whole(warmup, "warmup", 0, most)),
    thin = as.integer(check_whole(thin, "thin", 1, most)),
    cores = as.integer(check_whole(cores, "cores", 1, 4096)),
    refresh = check_refresh(refresh)
  )
  if (run$warmup >= run$iter) {
    abort_input(c("{.arg warmup} must be less than {.arg iter}.",
                  "x" = "You gave warmup = {run$warmup} and iter = {run$iter}."))
  }
  after <- run$iter - run$warmup
  if (run$thin > after) {
    abort_input(c("{.arg thin} must be at most {.code iter - warmup}.",
                  "x" = "You gave thin = {run$thin} with {after} iterations after warmup."))
  }
  run
}

# A fit holds all its draws: more numbers than this (1 GiB) are refused before
# anything is allocated.
most_numbers <- 2^27

check_memory <- function(run, variables) {
  after <- run$iter - run$warmup
  per_iteration <- as.double(run$chains) * variables
  if (ceiling(after / run$thin) * per_iteration <= most_numbers) return()
  kept <- floor(most_numbers / per_iteration)
  abort_input(c("The fit would not fit in memory.",
                "x" = "It has {variables} parameter{?s}, {run$chains} chain{?s} and
                       {format_number(after)} iterations after warmup.",
                "i" = if (kept > 0) "At most {format_number(kept)} per chain can be kept: reduce
                       {.arg iter}, or set {.arg thin} to {format_number(ceiling(after / kept))}.",
                "i" = if (kept == 0) "Use fewer {.arg chains}."))
}

# `seed = NULL` takes one number from R's generator; it is the only use of it.
take_seed <- function(seed) {
  if (is.null(seed)) return(as.double(sample.int(.Machine$integer.max, 1L)))
  check_whole(seed, "seed", 0)
}

# What the fit remembers: everything that can change its draws.
run_record <- function(run) run[c("chains", "iter", "warmup", "thin")]
