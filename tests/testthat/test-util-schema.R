problem <- function(json, schema) {
  parse <- function(text) jsonlite::parse_json(text, simplifyVector = FALSE)
  schema <- parse(schema)
  schema_problem(parse(json), schema, "file", list(schema))
}

fits <- function(json, schema) expect_null(problem(json, schema), info = paste(json, schema))
fails <- function(json, schema, message) expect_identical(problem(json, schema), message)

test_that("types are told apart", {
  examples <- c(string = "\"a\"", integer = "1", number = "1.5", boolean = "true", null = "null",
                array = "[]", object = "{}")
  for (type in names(examples)) {
    schema <- sprintf("{\"type\": \"%s\"}", type)
    for (other in names(examples)) {
      if (other == type) {
        fits(examples[[other]], schema)
      } else {
        fails(examples[[other]], schema, paste("file must be of type", type))
      }
    }
  }
  fits("null", "{\"type\": [\"string\", \"null\"]}")
  fails("1", "{\"type\": [\"string\", \"null\"]}", "file must be of type string or null")
  fits("1e2", "{\"type\": \"integer\"}")
  fails("1e400", "{\"type\": \"integer\"}", "file must be of type integer")
})

test_that("constants and choices compare type and value", {
  fits("\"1\"", "{\"const\": \"1\"}")
  fails("1", "{\"const\": \"1\"}", "file must be 1")
  fits("\"b\"", "{\"enum\": [\"a\", \"b\"]}")
  fails("\"c\"", "{\"enum\": [\"a\", \"b\"]}", "file must be one of a, b")
  fails("[\"a\"]", "{\"enum\": [\"a\", \"b\"]}", "file must be one of a, b")
})

test_that("strings have lengths in characters and patterns to the very end", {
  schema <- "{\"type\": \"string\", \"minLength\": 2, \"maxLength\": 3,
              \"pattern\": \"^[a-z\u00e9]+$\"}"
  fits("\"ab\"", schema)
  fits("\"\u00e9\u00e9\u00e9\"", schema)
  fails("\"a\"", schema, "file is too short")
  fails("\"abcd\"", schema, "file is too long")
  fails("\"a1\"", schema, "file does not have the required form")
  fails("\"ab\\n\"", schema, "file does not have the required form")
})

test_that("numbers and arrays have limits", {
  fits("3", "{\"type\": \"integer\", \"minimum\": 3, \"maximum\": 3}")
  fails("2", "{\"type\": \"integer\", \"minimum\": 3}", "file is too small")
  fails("4", "{\"type\": \"integer\", \"maximum\": 3}", "file is too large")
  fails("[]", "{\"type\": \"array\", \"minItems\": 1}", "file has too few items")
  fails("[1,2]", "{\"type\": \"array\", \"maxItems\": 1}", "file has too many items")
  fails("[1,\"a\"]", "{\"type\": \"array\", \"items\": {\"type\": \"integer\"}}",
        "file[2] must be of type integer")
})

test_that("objects have the members they need and no others", {
  schema <- "{\"type\": \"object\", \"required\": [\"a\"], \"additionalProperties\": false,
              \"properties\": {\"a\": {\"type\": \"string\"}, \"b\": {\"type\": \"null\"}}}"
  fits("{\"a\": \"x\", \"b\": null}", schema)
  fails("{\"b\": null}", schema, "file lacks the member a")
  fails("{\"a\": 1}", schema, "file.a must be of type string")
  fails("{\"a\": \"x\", \"ab\": 1}", schema, "file has a member that is not part of the format")
  fails("{\"a\": \"x\", \"\": 1}", schema, "file has a member that is not part of the format")
  fails("{}", "{\"type\": \"object\", \"minProperties\": 1}", "file has too few members")
})

test_that("references lead to definitions, also of another file", {
  schema <- "{\"definitions\": {\"word\": {\"type\": \"string\"}}, \"type\": \"array\",
              \"items\": {\"$ref\": \"#/definitions/word\"}}"
  fits("[\"a\"]", schema)
  fails("[1]", schema, "file[1] must be of type string")
  fails("1", "{\"$ref\": \"query-v1.schema.json#/definitions/relation\"}",
        "file must be one of replace_one, add_remove")
})

test_that("of several variants the one that was meant is reported", {
  schema <- "{\"definitions\": {
    \"cat\": {\"type\": \"object\", \"required\": [\"kind\", \"lives\"],
              \"properties\": {\"kind\": {\"const\": \"cat\"}, \"lives\": {\"type\": \"integer\"}}},
    \"dog\": {\"type\": \"object\", \"required\": [\"kind\", \"bark\"],
              \"properties\": {\"kind\": {\"const\": \"dog\"}, \"bark\": {\"type\": \"string\"}}}},
    \"oneOf\": [{\"$ref\": \"#/definitions/cat\"}, {\"$ref\": \"#/definitions/dog\"}]}"
  fits("{\"kind\": \"dog\", \"bark\": \"wau\"}", schema)
  fails("{\"kind\": \"dog\", \"bark\": 1}", schema, "file.bark must be of type string")
  fails("{\"kind\": \"cat\", \"lives\": \"9\"}", schema, "file.lives must be of type integer")
  expect_false(is.null(problem("{\"kind\": \"cow\"}", schema)))
})

test_that("check_schema() reports the place but never the value", {
  file <- list(format = "dp-query", version = "1",
               query = list(kind = "moments", columns = "SECRET"))
  error <- tryCatch(check_schema(file, "query-v1.schema.json"), error = identity)
  expect_s3_class(error, "noiseaware_error_release")
  expect_match(conditionMessage(error), "file.query", fixed = TRUE)
  expect_no_match(conditionMessage(error), "SECRET")
})

# A keyword the checker does not know would be a rule that nobody enforces.
test_that("the schema files use only keywords that are checked", {
  known <- c("$schema", "title", "description", "$ref", "oneOf", "type", "const", "enum", "pattern",
             "minLength", "maxLength", "minimum", "maximum", "required", "properties",
             "additionalProperties", "minProperties", "items", "minItems", "maxItems",
             "definitions")
  keywords <- function(schema) {
    nested <- c(schema$oneOf, schema$properties, schema$definitions, schema["items"])
    unique(c(names(schema), unlist(lapply(Filter(is.list, nested), keywords))))
  }
  for (file in c("query-v1.schema.json", "release-v1.schema.json")) {
    expect_identical(setdiff(keywords(read_schema(file)), known), character())
  }
})

# So that a validator of any other language accepts exactly what is meant.
test_that("every object of the format is closed and every string is bounded", {
  open <- function(schema, at) {
    closed <- identical(schema$additionalProperties, FALSE)
    own <- if ("object" %in% unlist(schema$type) && !closed) at
    nested <- c(schema$oneOf, schema$properties, schema$definitions, schema["items"])
    nested <- Filter(is.list, nested)
    c(own, unlist(Map(open, nested, paste0(at, ".", names(nested)))))
  }
  for (file in c("query-v1.schema.json", "release-v1.schema.json")) {
    expect_null(open(read_schema(file), file))
  }
})
