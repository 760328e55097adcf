# The release as a file. Written through the schema, read through the schema:
# the white list is the same for both.

#' Write and read a release
#'
#' A release is a plain JSON file. `read_release()` treats every file as
#' untrusted: it checks size, encoding, nesting, schema and hash, computes
#' sensitivity and noise scales again from the query, and refuses the file if
#' anything disagrees.
#'
#' @param release A release.
#' @param path A file name. An existing file is not overwritten.
#' @return `write_release()` returns the path invisibly, `read_release()` an
#'   object of class `noiseaware_release` (or `noiseaware_release_set`).
#' @family custodian
#' @examples
#' path <- system.file("extdata", "smoking.json", package = "noiseaware")
#' release <- read_release(path)
#' release
#' copy <- tempfile(fileext = ".json")
#' write_release(release, copy)
#' identical(read_release(copy), release)
#' @export
write_release <- function(release, path) {
  if (inherits(release, "noiseaware_release_set")) return(write_release_set(release, path))
  check_class(release, "release", "noiseaware_release", "release")
  write_json_file(release_file(release), path)
}

#' @rdname write_release
#' @export
read_release <- function(path) {
  file <- parse_untrusted_json(read_untrusted_text(path))
  is_set <- is.list(file) && identical(file$format, "dp-release-set")
  if (is_set) release_set_from_file(file) else release_from_file(file)
}

release_file <- function(release) {
  payload <- release_payload(release)
  file <- list(format = "dp-release", version = "1", payload = payload,
               payload_sha256 = sha256(canonical_json(payload)))
  check_schema(file, "release-v1.schema.json")
}

release_hash <- function(release) sha256(canonical_json(release_payload(release)))

release_payload <- function(release) {
  common <- list(origin = release$origin, kind = release$kind, query = query_to_json(release$query),
                 query_sha256 = query_id(release$query),
                 n = if (is.null(release$n)) NULL else whole_text(release$n),
                 about = release$about, created = release$created, software = release$software)
  c(common, if (release$origin == "external") external_payload(release) else own_payload(release))
}

own_payload <- function(release) {
  mechanism <- release$privacy$mechanism
  sensitivity <- sensitivity(release$query, if (mechanism$name == "laplace") "L1" else "L2")
  list(
    mechanism = list(name = paste0("discrete_", mechanism$name), noise = "independent"),
    privacy = privacy_to_json(release$privacy),
    sensitivity = list(norm = if (sensitivity$norm == "L1") "L1" else "L2 squared",
                       num = whole_text(sensitivity$num), den = whole_text(sensitivity$den),
                       weights = "product_of_max_q"),
    statistics = statistics_to_json(release), rng = release$rng,
    ledger = release$ledger, group = release$group
  )
}

statistics_to_json <- function(release) {
  plan <- statistic_plan(release$query)
  unname(Map(function(name, value, scale, grid_exp) {
    list(name = name, value = value, scale = scale, grid_exp = grid_exp)
  }, plan$name, release$payload$values, release$payload$scales, plan$grid_exp))
}

privacy_to_json <- function(privacy) {
  mechanism <- privacy$mechanism
  decimal <- function(units) if (is.null(units)) NULL else decimal_from_units_cpp(units)
  json <- list(
    unit = privacy$unit, epsilon = decimal(mechanism$epsilon_units),
    delta = if (is.null(mechanism$delta)) NULL else exact_decimal(mechanism$delta),
    rho = decimal(mechanism$rho_units), mu2 = decimal(mechanism$mu2_units),
    mu2_noise = decimal(privacy$target),
    actual = if (privacy$unit == "pure") decimal(mechanism$epsilon_units) else
      exact_decimal(privacy$actual)
  )
  json[!vapply(json, is.null, NA)]
}

# Seventeen digits bring the same double back.
exact_decimal <- function(x) sprintf("%.17g", x)

release_from_file <- function(file) {
  check_version(file, "dp-release")
  check_schema(file, "release-v1.schema.json")
  payload <- file$payload
  if (!identical(sha256(canonical_json(payload)), file$payload_sha256)) {
    abort_release(c("The release does not match its own hash.",
                    "i" = "The file was edited or damaged after it was written."))
  }
  query <- query_from_json(payload$query)
  release <- if (payload$origin == "external") {
    external_from_payload(payload, query)
  } else {
    own_from_payload(payload, query)
  }
  check_read_release(release, payload)
  if (is_insecure(release)) noiseaware_warn(insecure_notice, "insecure")
  release
}

check_version <- function(file, format) {
  known <- is.list(file) && identical(file$format, format)
  if (!known) {
    abort_release(c("The file is not a release of a kind this package knows.",
                    "i" = "Its member {.field format} must be {.val {format}}."))
  }
  if (!identical(file$version, "1")) {
    abort_release(c("The release file has another version than 1.",
                    "i" = "Install a newer {.pkg noiseaware} to read it."))
  }
}

own_from_payload <- function(payload, query) {
  check_payload(payload, query)
  mechanism <- mechanism_from_json(payload$mechanism$name, payload$privacy)
  assemble_release(
    query, mechanism, unlist(lapply(payload$statistics, `[[`, "value")), payload$n,
    in_order(payload$rng, c("secure", "source", "exact_noise")),
    in_order(payload$ledger, c("population", "seq", "head")),
    in_order(payload$group, c("by", "level", "public", "query_sha256")),
    in_order(payload$about, about_members),
    payload$created, payload$software,
    noise = noise_from_json(mechanism, query, payload$privacy)
  )
}

# Members of an object in the order our own constructors give them.
in_order <- function(x, members) if (is.null(x)) NULL else x[intersect(members, names(x))]

# What no release of ours can say, whatever its numbers.
check_payload <- function(payload, query) {
  if (is.null(query$relation)) abort_release("The release does not say its relation.")
  check_n(payload$n, payload$group, query$relation)
  if (!rng_is_sound(payload$rng, payload$ledger)) {
    abort_release("The release contradicts itself about the random source of its noise.")
  }
  if (length(payload$statistics) != nrow(statistic_plan(query))) {
    abort_release("The release has more or fewer statistics than its query asks for.")
  }
}

# Only one of several groups can be empty.
check_n <- function(n, group, relation) {
  if (is.null(n) != (relation == "add_remove") || (identical(n, "0") && is.null(group))) {
    abort_release(c("The release contradicts itself about n.",
                    "i" = "n is public under replace_one, and noisy under add_remove."))
  }
  if (relation == "replace_one" && !is.null(group) && !group$public) {
    abort_release("The release is of one group under replace_one, but its groups are not public.")
  }
}

# Exact noise is secure if it came from the operating system; what was simulated
# was charged to nobody.
rng_is_sound <- function(rng, ledger) {
  rng$exact_noise && rng$secure == (rng$source == "os") && (rng$secure || is.null(ledger))
}

# The mechanism a file claims. The budget is read as decimals, exactly.
mechanism_from_json <- function(name, privacy) {
  units <- function(text) if (is.null(text)) NULL else units_from_decimal_cpp(text)
  members <- list(mu2_units = units(privacy$mu2), epsilon_units = units(privacy$epsilon),
                  delta = if (is.null(privacy$delta)) NULL else as.numeric(privacy$delta),
                  rho_units = units(privacy$rho))
  members <- members[!vapply(members, is.null, NA)]
  mechanism <- do.call(new_mech, c(sub("discrete_", "", name), members))
  if (!mechanism_is_sound(mechanism, privacy)) {
    abort_release("The privacy parameters of the release do not fit its mechanism.")
  }
  mechanism
}

# Whole units are compared exactly; mu^2 of (epsilon, delta) comes from
# floating point and may differ in the last digits between platforms.
mechanism_is_sound <- function(mechanism, privacy) {
  if (privacy_unit(mechanism) != privacy$unit) return(FALSE)
  members <- setdiff(names(mechanism), "name")
  switch(privacy$unit,
    pure = identical(members, "epsilon_units") && mechanism$epsilon_units != "0",
    approximate = setequal(members, c("mu2_units", "epsilon_units", "delta")) &&
      isTRUE(mechanism$delta > 0 && mechanism$delta < 1) && mechanism$epsilon_units != "0" &&
      close_units(mechanism$mu2_units,
                  gaussian_mu2_units(mech_epsilon(mechanism), mechanism$delta)),
    zcdp = setequal(members, c("mu2_units", "rho_units")) &&
      identical(mechanism$mu2_units, units_sum(rep(mechanism$rho_units, 2))),
    gdp = identical(members, "mu2_units")
  )
}

close_units <- function(x, y) abs(as.numeric(x) / as.numeric(y) - 1) < 1e-9

# Noise scales from the integers of the file, so that the comparison is exact.
noise_from_json <- function(mechanism, query, privacy) {
  noise <- calibrate_noise(mechanism, query)
  if (mechanism$name == "laplace") return(noise)
  target <- units_from_decimal_cpp(privacy$mu2_noise %||% "0")
  if (!close_units(target, noise$target)) {
    abort_release("The noise of the release does not fit its privacy parameters.")
  }
  gaussian_noise(target, noise$sensitivity, statistic_plan(query)$weight)
}

# Whatever is not the same when written again was not computed by these rules:
# sensitivity, scales, statistic names, hashes, everything.
check_read_release <- function(release, payload) {
  again <- release_payload(release)
  differs <- names(payload)[!vapply(names(payload), function(name) {
    identical(canonical_json(again[[name]]), canonical_json(payload[[name]]))
  }, NA)]
  if (length(differs) > 0) {
    abort_release(c("The release contradicts itself in {.field {differs}}.",
                    "i" = "Computed again from query and mechanism, they come out differently."))
  }
  if (!all(is.finite(unlist(release$statistics[c("value", "scale", "grid")])))) {
    abort_release("The release holds a number that is not finite.")
  }
}
