# Statistics published by someone else, in the same object as our own releases
# but without any claim about how they were made.

#' Use statistics published elsewhere
#'
#' Anyone's noisy statistics can be analysed: a bureau's tables, the output of
#' another tool. Say what was published, in natural units, and what noise was
#' added.
#'
#' @param query A query that describes the statistics; its relation is not
#'   needed.
#' @param n The number of records if it was published exactly, else `NULL`.
#' @param values The published values, named by statistic (see [statistics()]).
#'   What was not published is left out. For tables, a data frame with one column
#'   per variable and a column `value` is accepted too.
#' @param noise [noise_laplace()], [noise_gaussian()] or [noise_none()] for all,
#'   or a list of them, named by statistic or in the order of `values`. With a
#'   `threshold`, a list named by statistic may also have the noise of what was
#'   suppressed.
#' @param centre What was subtracted from each column before summing: 0 for
#'   statistics in the ordinary sense.
#' @param threshold If values strictly below it were suppressed, that number: an
#'   absent statistic (other than `n`) is then known to be below it, noise
#'   included, and [infer()] models it as censored. If all values were suppressed,
#'   give `values = numeric()`.
#' @return A release of class `noiseaware_release` with `origin = "external"`.
#' @family analyst
#' @examples
#' query <- query_tables(domain(smoker = dom_binary()), ~ smoker)
#' as_release(query, n = 1000, values = c("count(smoker=1)" = 312),
#'            noise = noise_laplace(10, grid = 1))
#'
#' # A table in which noisy counts below 10 were suppressed:
#' regions <- query_tables(domain(region = c("n", "e", "s", "w")), ~ region)
#' as_release(regions, n = 200, values = c("count(region=n)" = 104, "count(region=s)" = 88),
#'            noise = noise_laplace(2, grid = 1), threshold = 10)
#' @export
as_release <- function(query, n = NULL, values, noise, centre = 0, threshold = NULL) {
  check_supplied(missing(values), "values")
  check_supplied(missing(noise), "noise")
  check_class(query, "query", "noiseaware_query", "query_moments")
  if (!is.null(n)) n <- check_whole(n, "n", 0)
  threshold <- check_threshold(threshold)
  values <- check_values(values, query, empty = !is.null(threshold))
  absent <- if (!is.null(threshold)) setdiff(plan_names(query), c("n", names(values)))
  noise <- check_noise(noise, names(values), absent)
  new_external(query, n, values, noise$values, check_centre(centre, query), threshold,
               noise$suppressed)
}

# `suppressed`: data.frame(name, noise, scale, grid), one row per absent statistic
# whose noise is known, or NULL.
new_external <- function(query, n, values, noise, centre, threshold, suppressed, about = NULL,
                         created = today(), software = software_name()) {
  new_release(
    kind = query$kind, origin = "external", query = query, relation = query$relation, n = n,
    centre = centre,
    statistics = data.frame(name = names(values), value = unname(values), scale = noise$scale,
                            grid = noise$grid),
    noise = noise$name, privacy = NULL, rng = NULL, ledger = NULL, about = about, group = NULL,
    threshold = threshold, created = created, software = software, payload = NULL,
    suppressed = suppressed
  )
}

#' Noise of published statistics
#'
#' @param scale The scale of Laplace noise (its standard deviation is
#'   `sqrt(2) * scale`), or of the discrete Laplace distribution with
#'   probabilities proportional to `exp(-abs(k) / scale)`.
#' @param sd The standard deviation of Gaussian noise.
#' @param grid The step of discrete noise, such as 1 for integers; 0 for
#'   continuous noise.
#' @return An object of class `noiseaware_noise`, for [as_release()].
#' @family analyst
#' @examples
#' noise_laplace(2)
#' noise_gaussian(10, grid = 1)
#' noise_none()
#' @name noise
NULL

#' @rdname noise
#' @export
noise_laplace <- function(scale, grid = 0) {
  new_noise("laplace", check_number(scale, "scale", 0, open = TRUE), check_number(grid, "grid", 0))
}

#' @rdname noise
#' @export
noise_gaussian <- function(sd, grid = 0) {
  new_noise("gaussian", check_number(sd, "sd", 0, open = TRUE), check_number(grid, "grid", 0))
}

#' @rdname noise
#' @export
noise_none <- function() new_noise("none", 0, 0)

new_noise <- function(name, scale, grid) {
  structure(list(name = name, scale = scale, grid = grid), class = "noiseaware_noise")
}

#' @export
print.noiseaware_noise <- function(x, ...) {
  shape <- if (x$grid > 0) paste0(", on multiples of ", format(x$grid)) else ""
  size <- if (x$name == "none") "" else paste0(", scale ", format(x$scale), shape)
  cat("<noise> ", x$name, size, "\n", sep = "")
  invisible(x)
}

# Named finite numbers, each a statistic of the query; none at all only if all
# were suppressed (`empty`).
check_values <- function(values, query, empty = FALSE) {
  if (is.data.frame(values)) values <- values_from_cells(values, query)
  if (empty && is.numeric(values) && length(values) == 0) {
    return(stats::setNames(numeric(), character()))
  }
  named <- is.numeric(values) && length(values) > 0 && !is.null(names(values)) &&
    !anyDuplicated(names(values))
  if (!named) {
    abort_argument("values", values, "a named numeric vector, one value per statistic")
  }
  known <- c("n", plan_names(query))
  unknown <- setdiff(names(values), known)
  if (length(unknown) > 0) {
    abort_input(c("{.arg values} has {.val {unknown[[1]]}}, not a statistic of the query.",
                  "i" = "Its statistics are {.val {utils::head(plan_names(query), 10)}}."))
  }
  if (!all(is.finite(values))) {
    abort_input(c("{.arg values} must be finite numbers.",
                  "i" = "Leave out what was not published."))
  }
  stats::setNames(as.double(values), names(values))
}

# A data frame of cells: one column per variable of a table and `value`.
values_from_cells <- function(cells, query) {
  variables <- setdiff(names(cells), "value")
  if (!is.numeric(cells$value) || length(variables) == 0 || query$kind != "tables") {
    abort_input(c("A data frame given as {.arg values} must have a numeric column {.field value} and
                   one column per variable of a table.",
                  "i" = "For other statistics give a named vector."))
  }
  unknown <- setdiff(variables, names(query$columns))
  if (length(unknown) > 0) {
    abort_input(c("{.arg values} has the column {.field {unknown[[1]]}}, not in the query.",
                  "i" = "The query has {.field {names(query$columns)}}."))
  }
  variables <- names(query$columns)[names(query$columns) %in% variables]
  labels <- lapply(variables, function(name) paste0(name, "=", level_text(cells[[name]])))
  cell_names <- paste0("count(", do.call(paste, c(labels, sep = ",")), ")")
  stats::setNames(as.double(cells$value), cell_names)
}

# One noise per value: recycled, matched by name, or in order; and the noise of
# `absent` statistics as far as it was given.
check_noise <- function(noise, names, absent = NULL) {
  if (inherits(noise, "noiseaware_noise")) {
    all <- c(names, absent)
    noise <- stats::setNames(rep(list(noise), length(all)), all)
  }
  if (!is_noise_list(noise, names, absent)) {
    abort_input(c("{.arg noise} must be one noise, or a list with one for each of {.arg values}.",
                  "i" = "Make them with {.fn noise_laplace}, {.fn noise_gaussian} or
                         {.fn noise_none}."))
  }
  known <- intersect(absent, names(noise))
  suppressed <- if (length(known) > 0) cbind(name = known, external_noise(noise[known], "noise"))
  if (!is.null(names(noise))) noise <- noise[names]
  list(values = external_noise(noise, "name"), suppressed = suppressed)
}

# In order without names; with names, any absent ones may be among them.
is_noise_list <- function(noise, names, absent) {
  if (!is.list(noise) || !all(vapply(noise, inherits, NA, "noiseaware_noise"))) return(FALSE)
  given <- names(noise)
  if (is.null(given)) return(length(noise) == length(names))
  !anyDuplicated(given) && all(names %in% given) && all(given %in% c(names, absent))
}

external_noise <- function(noise, label) {
  table <- data.frame(label = vapply(noise, `[[`, "", "name"),
                      scale = vapply(noise, `[[`, 0, "scale"),
                      grid = vapply(noise, `[[`, 0, "grid"), row.names = NULL)
  names(table)[[1]] <- label
  table
}

check_centre <- function(centre, query) {
  columns <- names(query$columns)
  if (is.numeric(centre) && length(centre) == 1 && is.null(names(centre))) {
    centre <- stats::setNames(rep(as.double(centre), length(columns)), columns)
  }
  if (!is.numeric(centre) || !setequal(names(centre), columns) || !all(is.finite(centre))) {
    abort_argument("centre", centre, "one finite number, or one per column by name")
  }
  vapply(columns, function(name) as.double(centre[[name]]), 0)
}

check_threshold <- function(threshold) {
  if (is.null(threshold)) NULL else check_number(threshold, "threshold", 0)
}

external_payload <- function(release) {
  list(
    centre = lapply(unname(release$centre), exact_decimal),
    statistics = unname(Map(function(name, value, noise, scale, grid) {
      list(name = name, value = exact_decimal(value), noise = noise, scale = exact_decimal(scale),
           grid = exact_decimal(grid))
    }, release$statistics$name, release$statistics$value, release$noise, release$statistics$scale,
    release$statistics$grid)),
    threshold = if (is.null(release$threshold)) NULL else exact_decimal(release$threshold),
    suppressed = suppressed_to_json(release$suppressed)
  )
}

suppressed_to_json <- function(suppressed) {
  if (is.null(suppressed)) return(NULL)
  unname(Map(function(name, noise, scale, grid) {
    list(name = name, noise = noise, scale = exact_decimal(scale), grid = exact_decimal(grid))
  }, suppressed$name, suppressed$noise, suppressed$scale, suppressed$grid))
}

# Noise of the members of a file, checked: data.frame(<label>, scale, grid).
noise_from_payload <- function(members, label) {
  text <- function(member) vapply(members, `[[`, "", member)
  noise <- data.frame(noise = text("noise"), scale = as.numeric(text("scale")),
                      grid = as.numeric(text("grid")))
  sound <- ifelse(noise$noise == "none", noise$scale == 0 & noise$grid == 0,
                  noise$scale > 0 & noise$grid >= 0)
  if (!all(sound)) {
    abort_release(c("The release holds a noise scale that is not positive.",
                    "i" = "Only {.val none} has scale and grid 0."))
  }
  names(noise)[[1]] <- label
  noise
}

# What a file says of absent statistics must be about statistics that are absent.
suppressed_from_payload <- function(payload, query, names) {
  if (is.null(payload$suppressed)) return(NULL)
  absent <- vapply(payload$suppressed, `[[`, "", "name")
  sound <- !is.null(payload$threshold) && !anyDuplicated(absent) && length(absent) > 0 &&
    all(absent %in% setdiff(plan_names(query), c("n", names)))
  if (!sound) abort_release("The release contradicts itself about what was suppressed.")
  cbind(name = absent, noise_from_payload(payload$suppressed, "noise"))
}

external_from_payload <- function(payload, query) {
  names <- vapply(payload$statistics, `[[`, "", "name")
  values <- as.numeric(vapply(payload$statistics, `[[`, "", "value"))
  noise <- noise_from_payload(payload$statistics, "name")
  suppressed <- suppressed_from_payload(payload, query, names)
  values <- check_values(stats::setNames(values, names), query,
                         empty = !is.null(payload$threshold))
  centre <- as.numeric(unlist(payload$centre))
  names(centre) <- names(query$columns)[seq_along(centre)]
  new_external(query, if (is.null(payload$n)) NULL else as.numeric(payload$n), values, noise,
               check_centre(centre, query),
               if (is.null(payload$threshold)) NULL else as.numeric(payload$threshold), suppressed,
               in_order(payload$about, about_members), payload$created, payload$software)
}
