# Free text that tells readers what a release is about. Bounded, printable, and
# always written by the custodian: nothing in it is derived from data.

about_members <- c("title", "population", "period", "contact", "licence")

check_about <- function(about) {
  if (is.null(about)) return(NULL)
  named <- is.list(about) && length(about) > 0 && !is.null(names(about)) &&
    all(names(about) %in% about_members) && !anyDuplicated(names(about))
  if (!named) {
    abort_input(c("{.arg about} must be a named list of texts.",
                  "i" = "Its members may be {.field {about_members}}."))
  }
  texts <- Map(function(text, name) {
    text <- check_string(text, paste0("about$", name))
    if (nchar(text) > 500 || !is_printable(text)) {
      abort_input("{.arg about${name}} must be one line of at most 500 characters.")
    }
    text
  }, about, names(about))
  texts[intersect(about_members, names(texts))]
}
