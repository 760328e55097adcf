# The release: a fresh plain list of bare vectors, built from public parts only.

# From the integers of an answer, or of a file: everything else is computed
# again from the query and the mechanism.
assemble_release <- function(query, mechanism, values, n, rng, ledger = NULL, group = NULL,
                             about = NULL, created = today(), software = software_name(),
                             noise = calibrate_noise(mechanism, query)) {
  plan <- statistic_plan(query)
  step <- 2^-plan$grid_exp
  new_release(
    kind = query$kind, origin = "noiseaware", query = query, relation = query$relation,
    n = if (is.null(n)) NULL else as.numeric(n), centre = query_centre(query),
    statistics = data.frame(name = plan$name, value = as.numeric(values) * step,
                            scale = as.numeric(noise$scales) * step, grid = step),
    noise = rep(mechanism$name, nrow(plan)), privacy = release_privacy(mechanism, noise),
    rng = rng, ledger = ledger, about = about, group = group, threshold = NULL,
    created = created, software = software,
    payload = list(values = values, scales = noise$scales)
  )
}

new_release <- function(...) {
  release <- list(...)
  class <- "noiseaware_release"
  if (identical(release$rng$secure, FALSE)) class <- c("noiseaware_release_insecure", class)
  structure(release, class = class)
}

query_centre <- function(query) vapply(query$columns, column_centre, 0)

today <- function() format(Sys.Date(), "%Y-%m-%d")

software_name <- function() paste("noiseaware", utils::packageVersion("noiseaware"))

# What was promised, and what the integers achieve (never more).
release_privacy <- function(mechanism, noise) {
  privacy <- list(unit = privacy_unit(mechanism), mechanism = mechanism)
  if (mechanism$name == "laplace") return(c(privacy, epsilon = mech_epsilon(mechanism)))
  privacy$mu <- mech_mu(mechanism)
  privacy$actual <- noise$mu_actual
  privacy$target <- noise$target
  if (!is.null(mechanism$epsilon_units)) {
    privacy$epsilon <- mech_epsilon(mechanism)
    privacy$delta <- mechanism$delta
  }
  if (!is.null(mechanism$rho_units)) privacy$rho <- as.numeric(mechanism$rho_units) * 1e-12
  privacy
}

privacy_unit <- function(mechanism) {
  if (mechanism$name == "laplace") return("pure")
  if (!is.null(mechanism$epsilon_units)) return("approximate")
  if (!is.null(mechanism$rho_units)) "zcdp" else "gdp"
}

# One line for print-outs: what the analyst may rely on.
privacy_line <- function(release) {
  if (release$origin == "external") return("published elsewhere: no privacy claim is made here")
  unit <- if (release$query$unit_rows > 1) {
    paste0("a person with at most ", release$query$unit_rows, " rows")
  } else {
    "one row"
  }
  paste0(format_loss(release$privacy), " for ", unit, " (", release$relation, ")")
}

format_loss <- function(privacy) {
  mechanism <- privacy$mechanism
  if (privacy$unit != "pure") return(format_gaussian_budget(mechanism))
  paste("epsilon =", decimal_from_units_cpp(mechanism$epsilon_units))
}

insecure_notice <- "!! INSECURE SEEDED NOISE: simulation only. NOT differentially private. !!"

is_insecure <- function(release) identical(release$rng$secure, FALSE)

#' @export
print.noiseaware_release <- function(x, ...) {
  cat(format(x, ...), sep = "\n")
  invisible(x)
}

# The statistics with their noise, for those who want to compute on their own.
#' @export
as.data.frame.noiseaware_release <- function(x, ...) {
  cbind(x$statistics["name"], x$statistics["value"], noise = x$noise,
        x$statistics[c("scale", "grid")])
}

#' @export
summary.noiseaware_release <- function(object, ...) print(object)

#' @export
format.noiseaware_release <- function(x, ..., statistics = 8) {
  c(
    paste0("<release> ", query_title(x$query), group_note(x)),
    if (is_insecure(x)) insecure_notice,
    about_lines(x$about),
    paste0("  privacy:    ", privacy_line(x)),
    paste0("  noise:      ", noise_line(x)),
    paste0("  accounted:  ", accounted_line(x)),
    paste0("  n:          ", n_line(x)),
    labelled_lines("  columns:    ", column_lines(x$query)),
    if (!is.null(x$threshold)) paste0("  suppressed: values below ", format(x$threshold)),
    paste0("  statistics", centre_note(x), ":"),
    statistic_lines(x, statistics)
  )
}

# What was subtracted from the columns before they were added up.
centre_note <- function(x) {
  if (x$kind != "moments") return("")
  if (x$origin != "external") return(" (about the centre of each column)")
  if (all(x$centre == 0)) return(" (nothing subtracted)")
  paste0(" (about ", paste(names(x$centre), "=", each(x$centre, 6), collapse = ", "), ")")
}

# The label on the first line, blanks before the others.
labelled_lines <- function(label, lines) {
  paste0(c(label, rep(strrep(" ", nchar(label)), length(lines) - 1)), lines)
}

group_note <- function(x) {
  if (is.null(x$group)) "" else paste0(", ", x$group$by, " = ", x$group$level)
}

about_lines <- function(about) {
  if (is.null(about)) return(NULL)
  paste0("  ", format(paste0(names(about), ":"), width = 11), " ", unlist(about))
}

noise_line <- function(x) {
  if (x$origin == "external") {
    return(paste(unique(ifelse(x$noise == "none", "none (exact)", x$noise)), collapse = ", "))
  }
  source <- if (is_insecure(x)) "seeded simulation stream" else "operating system's random source"
  shape <- if (x$noise[[1]] == "laplace") "Laplace" else "Gaussian"
  paste0("discrete ", shape, ", exact, from the ", source)
}

accounted_line <- function(x) {
  if (x$origin == "external") return("not by this package")
  if (is_insecure(x)) return("no: simulated")
  if (is.null(x$ledger)) return("NO: released without a ledger")
  paste0("yes, record ", x$ledger$seq, " of the ledger of ", x$ledger$population)
}

n_line <- function(x) {
  if (!is.null(x$n)) {
    return(paste(format(x$n, big.mark = ",", scientific = FALSE), "(public and exact)"))
  }
  if ("n" %in% x$statistics$name) return("noisy, see the statistics")
  if (identical(x$relation, "add_remove")) "not released; the tables add up to it" else "unknown"
}

statistic_lines <- function(x, most) {
  if (nrow(x$statistics) == 0) return("    none: all were suppressed")
  shown <- utils::head(x$statistics, most)
  sd <- ifelse(x$noise == "none", 0, noise_sd(x$noise, x$statistics$scale))[seq_len(nrow(shown))]
  table <- data.frame(statistic = shown$name, value = each(shown$value, 6), noise_sd = each(sd, 3))
  lines <- utils::capture.output(print(table, row.names = FALSE))
  left <- nrow(x$statistics) - nrow(shown)
  c(paste0("   ", lines), if (left > 0) paste0("    ... and ", left, " more"))
}

# Numbers formatted one by one: sums of incomes and counts share a column.
each <- function(x, digits) vapply(x, function(v) format(v, digits = digits, big.mark = ","), "")

#' @export
observe.noiseaware_release <- function(x, ...) {
  statistics <- x$statistics
  statistics$noise <- x$noise
  new_observation(
    x$query, statistics[c("name", "value", "noise", "scale", "grid")], x$n, x$origin,
    centre = x$centre, threshold = x$threshold, suppressed = x$suppressed,
    secure = if (x$origin == "external") NA else !is_insecure(x),
    privacy = list(text = privacy_line(x)), about = x$about, group = x$group
  )
}
