# Checks a parsed JSON value against the JSON Schema files in inst/schema. The
# schema is the white list of what may enter a release: the writer and the
# reader both go through it. The subset of the standard that our schemas use:
# type, enum, const, pattern, minLength, maxLength, minimum, maximum, required,
# properties, additionalProperties: false, minProperties, items, minItems,
# maxItems, oneOf by `$ref`, and `$ref` into `definitions` of the same or
# another file.

read_schema <- function(file) {
  path <- system.file("schema", file, package = "noiseaware", mustWork = TRUE)
  jsonlite::read_json(path, simplifyVector = FALSE)
}

# Invisible if `x` fits, else an error that names the place, never the value.
check_schema <- function(x, file) {
  schemas <- stats::setNames(list(read_schema(file)), file)
  problem <- schema_problem(x, schemas[[1]], "file", schemas)
  if (!is.null(problem)) {
    abort_release(c("The file does not follow the format.", "x" = "{problem}."))
  }
  invisible(x)
}

# The first thing wrong with `x`, or NULL.
schema_problem <- function(x, schema, at, root) {
  if (!is.null(schema[["$ref"]])) return(follow_ref(x, schema[["$ref"]], at, root))
  if (!is.null(schema$oneOf)) return(one_of_problem(x, schema$oneOf, at, root))
  type <- json_type(x)
  if (!is.null(schema$type) && !type_fits(type, schema$type)) {
    return(paste0(at, " must be of type ", paste(unlist(schema$type), collapse = " or ")))
  }
  if (!is.null(schema$const) && !identical(x, schema$const)) {
    return(paste0(at, " must be ", schema$const))
  }
  if (!is.null(schema$enum) && !any(vapply(schema$enum, identical, NA, x))) {
    return(paste0(at, " must be one of ", paste(unlist(schema$enum), collapse = ", ")))
  }
  switch(type,
    string = string_problem(x, schema, at),
    integer = number_problem(x, schema, at),
    array = array_problem(x, schema, at, root),
    object = object_problem(x, schema, at, root)
  )
}

json_type <- function(x) {
  if (is.null(x)) return("null")
  if (is.list(x)) return(if (is.null(names(x))) "array" else "object")
  if (is.character(x)) return("string")
  if (is.logical(x)) return("boolean")
  if (is.numeric(x) && is.finite(x) && x == round(x)) "integer" else "number"
}

type_fits <- function(type, allowed) type %in% unlist(allowed)

follow_ref <- function(x, ref, at, root) {
  parts <- strsplit(ref, "#/definitions/", fixed = TRUE)[[1]]
  if (nzchar(parts[[1]])) root <- stats::setNames(list(read_schema(parts[[1]])), parts[[1]])
  schema_problem(x, root[[1]]$definitions[[parts[[2]]]], at, root)
}

one_of_problem <- function(x, choices, at, root) {
  problems <- lapply(choices, function(schema) schema_problem(x, schema, at, root))
  fits <- vapply(problems, is.null, NA)
  if (sum(fits) == 1) return(NULL)
  # The variants carry a constant `kind`: report the one that was meant.
  meant <- !grepl("[.](kind|type|origin) must be", problems)
  if (any(meant)) problems[[which(meant)[[1]]]] else problems[[1]]
}

# A limit that the schema does not set is never passed.
above <- function(x, limit) !is.null(limit) && x > limit
below <- function(x, limit) !is.null(limit) && x < limit

string_problem <- function(x, schema, at) {
  if (above(nchar(x, "chars"), schema$maxLength)) return(paste(at, "is too long"))
  if (below(nchar(x, "chars"), schema$minLength)) return(paste(at, "is too short"))
  # A final `$` means the very end in JSON Schema; in PCRE a newline may follow.
  if (!is.null(schema$pattern) && !grepl(sub("[$]$", "\\\\z", schema$pattern), x, perl = TRUE)) {
    return(paste(at, "does not have the required form"))
  }
}

number_problem <- function(x, schema, at) {
  if (below(x, schema$minimum)) return(paste(at, "is too small"))
  if (above(x, schema$maximum)) return(paste(at, "is too large"))
}

array_problem <- function(x, schema, at, root) {
  if (below(length(x), schema$minItems)) return(paste(at, "has too few items"))
  if (above(length(x), schema$maxItems)) return(paste(at, "has too many items"))
  if (is.null(schema$items)) return(NULL)
  for (i in seq_along(x)) {
    problem <- schema_problem(x[[i]], schema$items, paste0(at, "[", i, "]"), root)
    if (!is.null(problem)) return(problem)
  }
}

# Constants come first: they tell which of several variants was meant.
object_problem <- function(x, schema, at, root) {
  constant <- vapply(schema$properties, function(property) !is.null(property$const), NA)
  problem <- members_problem(x, schema$properties[constant], at, root)
  if (is.null(problem)) problem <- shape_problem(x, schema, at)
  if (is.null(problem)) problem <- members_problem(x, schema$properties[!constant], at, root)
  problem
}

shape_problem <- function(x, schema, at) {
  absent <- setdiff(unlist(schema$required), names(x))
  if (length(absent) > 0) return(paste0(at, " lacks the member ", absent[[1]]))
  unknown <- setdiff(names(x), names(schema$properties))
  if (identical(schema$additionalProperties, FALSE) && length(unknown) > 0) {
    return(paste0(at, " has a member that is not part of the format"))
  }
  if (!is.null(schema$minProperties) && length(x) < schema$minProperties) {
    return(paste(at, "has too few members"))
  }
}

members_problem <- function(x, properties, at, root) {
  for (name in intersect(names(x), names(properties))) {
    problem <- schema_problem(x[[name]], properties[[name]], paste0(at, ".", name), root)
    if (!is.null(problem)) return(problem)
  }
}
