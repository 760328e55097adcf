# A plan in words: one sentence per n, and the table behind it.

plan_sentences <- function(plan) {
  ns <- unique(plan$floor$n)
  one <- if (is.null(plan$settings$target)) free_sentence else target_sentence
  vapply(ns, function(n) one(plan, n), "")
}

plan_row <- function(table, plan, n) {
  table[table$n == n & table$variable == plan$settings$variable, ]
}

target_sentence <- function(plan, n) {
  needed <- plan$needed[plan$needed$n == n, ]
  floor <- plan_row(plan$floor, plan, n)
  if (needed$status == "out of reach") return(reach_sentence(plan, floor))
  if (needed$status == "not found") {
    return(paste0("No epsilon up to ", format_number(epsilon_limits[[2]]),
                  " reaches the target at n = ", format_number(n), "."))
  }
  lines <- plan_row(plan$table, plan, n)
  line <- lines[match(needed$epsilon, lines$epsilon), ]
  lead <- if (needed$status == "easily") "Already epsilon = " else "epsilon = "
  paste0(lead, format_number(needed$epsilon), " ", outcome_words(plan, line, floor), ".")
}

# What a budget gives: the width, or the power if that is the target.
outcome_words <- function(plan, line, floor) {
  interval <- paste0(format(100 * plan$settings$prob), "% interval of ", plan$settings$variable)
  at <- paste0("at n = ", format_number(line$n))
  if (!identical(plan$settings$target$measure, "power")) {
    return(paste0("gives a ", interval, " about ", short(line$width), " wide ", at, " (",
                  short(floor$width), " without noise)"))
  }
  name <- plan$settings$variable
  paste0("lets the ", interval, " exclude ", format_number(plan$settings$null[[name]]), " in ",
         share_words(line$power), " of releases if ", name, " is ",
         format_number(plan$settings$guess[[name]]), ", ", at, " (", share_words(floor$power),
         " without noise)")
}

short <- function(x) format(signif(x, 2), scientific = FALSE, drop0trailing = TRUE)

share_words <- function(x) paste0(round(100 * x), "%")

# Not even exact statistics would do. Widths fall with the root of n.
reach_sentence <- function(plan, floor) {
  target <- plan$settings$target
  at <- paste0("at n = ", format_number(floor$n))
  if (target$measure == "power") {
    return(paste0("No epsilon reaches a power of ", share_words(target$value), " ", at,
                  ": without any noise it is ", share_words(floor$power), "."))
  }
  records <- signif(floor$n * (floor$width / target$value)^2, 2)
  paste0("No epsilon gives a ", format(100 * plan$settings$prob), "% interval of ",
         plan$settings$variable, " ", format_number(target$value), " wide ", at,
         ": without any noise it is about ", short(floor$width), " wide. It takes about ",
         format_number(records), " records.")
}

# Without a target: the smallest budget that costs less than a quarter in width.
free_sentence <- function(plan, n) {
  floor <- plan_row(plan$floor, plan, n)
  lines <- plan_row(plan$table, plan, n)
  cheap <- which(lines$width_ratio <= 1.25)
  line <- lines[if (length(cheap) > 0) cheap[[1]] else nrow(lines), ]
  budget <- if (is.na(line$epsilon)) line$mechanism else paste("epsilon =",
                                                               format_number(line$epsilon))
  remark <- if (length(cheap) == 0) {
    " Privacy noise still dominates: a larger epsilon or more records would help."
  } else if (cheap[[1]] < nrow(lines)) {
    " More would buy little."
  }
  paste0(budget, " ", outcome_words(plan, line, floor), ".", remark)
}

#' @export
print.noiseaware_plan <- function(x, digits = 2, ...) {
  settings <- x$settings
  cat("<plan> ", settings$title, ", ", format_number(settings$trials),
      " simulated releases per line\n", sep = "")
  cat("  query:  ", settings$query, ", ", settings$relation, "\n", sep = "")
  cat("  prior:  ", paste(settings$prior, collapse = ", "), "\n", sep = "")
  cat("  truth:  ", truth_words(settings), "\n", sep = "")
  if (!is.null(settings$target)) cat("  target: ", target_words(settings), "\n", sep = "")
  cat("\n")
  cat(plan_table(x, digits), sep = "\n")
  cat("\n")
  cat(strwrap(x$sentence, 90), sep = "\n")
  invisible(x)
}

truth_words <- function(settings) {
  if (is.null(settings$guess)) return("drawn from the prior")
  fixed <- paste(names(settings$guess), "=", format_number(settings$guess), collapse = ", ")
  free <- setdiff(settings$variables$variable, names(settings$guess))
  paste0("guess ", fixed, if (length(free) > 0) ", the rest drawn from the prior")
}

target_words <- function(settings) {
  interval <- paste0(format(100 * settings$prob), "% interval of ", settings$variable)
  if (settings$target$measure == "width") {
    return(paste0(interval, " at most ", format_number(settings$target$value), " wide"))
  }
  paste0(interval, " excludes ", format_number(settings$null[[settings$variable]]),
         " with probability ", format_number(settings$target$value))
}

# One line per n and budget, then without noise; of the parameter the target is
# about, if there is one.
plan_table <- function(x, digits) {
  rows <- plan_rows(x)
  shown <- function(value) vapply(value, format, "", digits = digits)
  chosen <- paste(rows$n, rows$epsilon) %in% paste(x$needed$n, x$needed$epsilon)
  table <- data.frame(
    ` ` = ifelse(chosen, "->", ""), n = format_number(rows$n), budget = budget_words(rows),
    variable = rows$variable, width = shown(rows$width),
    `(10-90%)` = paste0("(", shown(rows$width_low), " - ", shown(rows$width_high), ")"),
    `/ no noise` = shown(rows$width_ratio), coverage = shown(rows$coverage),
    power = shown(rows$power), check.names = FALSE
  )
  if (!identical(x$settings$target$measure, "power")) table$power <- NULL
  if (length(unique(rows$variable)) == 1) table$variable <- NULL
  c(table_lines(table), plan_notes(x, rows, shown))
}

plan_rows <- function(x) {
  floor <- x$floor
  floor$width_ratio <- 1
  rows <- rbind(x$table[names(floor)], floor)
  known <- x$settings$variables$variable
  rows <- rows[order(rows$n, rows$mechanism == "none", rows$epsilon, match(rows$variable, known)), ]
  if (is.null(x$settings$target)) rows else rows[rows$variable == x$settings$variable, ]
}

plan_notes <- function(x, rows, shown) {
  prior <- x$settings$prior_width[unique(rows$variable)]
  named <- length(prior) > 1
  failed <- sum(rows$failed)
  c(
    paste0("width: mean of the ", format(100 * x$settings$prob),
           "% interval over releases; of the prior alone: ",
           list_some(paste0(if (named) paste0(names(prior), " "), shown(prior)), 4), "."),
    if (length(x$settings$prior_width) > length(prior)) "Other parameters: see summary().",
    if (failed > 0) paste0(failed, " simulated releases FAILED and are left out.")
  )
}

budget_words <- function(rows) {
  ifelse(is.finite(rows$epsilon), paste("epsilon =", format_number(rows$epsilon)),
         ifelse(rows$mechanism == "none", "no noise", sub("^discrete ", "", rows$mechanism)))
}

#' @rdname plan_release
#' @param object,x A plan.
#' @param ... Unused.
#' @export
summary.noiseaware_plan <- function(object, ...) object$table

#' @rdname plan_release
#' @export
tidy.noiseaware_plan <- function(x, ...) x$table
