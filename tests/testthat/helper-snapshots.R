# What differs between runs or versions, taken out of printed text.
hide_ids <- function(lines) gsub("[0-9a-f]{16}[.]{3}", "<id>...", lines)
