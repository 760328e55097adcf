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
  run
}

# `seed = NULL` takes one number from R's generator; it is the only use of it.
take_seed <- function(seed) {
  if (is.null(seed)) return(as.double(sample.int(.Machine$integer.max, 1L)))
  check_whole(seed, "seed", 0)
}

# What the fit remembers: everything that can change its draws.
run_record <- function(run) run[c("chains", "iter", "warmup", "thin")]
