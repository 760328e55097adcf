# Lints the R code by the rules of .lintr, and the package itself by some more; fails if there is
# anything to say.

# What scripts and tests may do and the package may not.
in_package <- list(
  lintr::undesirable_function_linter(c(
    set.seed = "take one integer from the user's generator and keep it in the fit",
    library = "use :: or @importFrom",
    require = "use :: or rlang::check_installed()",
    attach = "name the list",
    setwd = "use full paths",
    sapply = "use vapply()"
  )),
  lintr::undesirable_operator_linter(c(":::" = "use what the other package exports"))
)

# lintr takes a method of a generic that is not exported for a badly named function.
is_method_name <- function(lint) {
  name <- sub(" .*", "", lint$line)
  lint$linter %in% c("object_name_linter", "object_length_linter") && name %in% methods
}
registered <- grep("^S3method\\(", readLines("NAMESPACE"), value = TRUE)
methods <- gsub("\"|[A-Za-z0-9.]+::", "", sub("S3method\\((.*),(.*)\\)", "\\1.\\2", registered))

directories <- Filter(dir.exists, c("R", "tests", "tools/dev", "bench", "man-roxygen"))
lints <- unlist(lapply(directories, lintr::lint_dir, relative_path = FALSE), recursive = FALSE)
lints <- c(lints, lintr::lint_dir("R", linters = in_package, relative_path = FALSE))
lints <- Filter(Negate(is_method_name), lints)
for (lint in lints) print(lint)
cat(length(lints), "lints\n")
if (length(lints)) quit(status = 1)
