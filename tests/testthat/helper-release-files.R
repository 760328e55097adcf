# Release files that were tampered with.

# The file of a release as nested lists, as any JSON parser sees it.
release_lists <- function(release) {
  path <- tempfile()
  on.exit(unlink(path))
  write_release(release, path)
  jsonlite::parse_json(file_text(path), simplifyVector = FALSE)
}

# A file with this content; `rehash` makes its hash fit the edited payload again,
# which anyone can do.
local_release_file <- function(file, rehash = TRUE, env = parent.frame()) {
  if (rehash) file$payload_sha256 <- sha256(canonical_json(file$payload))
  local_file(canonical_json(file), env = env)
}

read_tampered <- function(release, edit, rehash = TRUE) {
  read_release(local_release_file(edit(release_lists(release)), rehash))
}

# A quick own release and its file, for edits.
plain_release <- function(relation = "replace_one", mechanism = mech_laplace(1)) {
  query <- query_moments(domain(x = c(0, 10), f = c("p", "q", "r")), relation)
  suppressWarnings(release(query, data.frame(x = 1:4, f = "q"), mechanism, no_ledger()),
                   classes = "noiseaware_warning_no_ledger")
}
