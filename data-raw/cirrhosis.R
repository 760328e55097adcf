# Makes data/cirrhosis.rda from the published table in data-raw/cirrhosis.csv.
cirrhosis <- utils::read.csv("data-raw/cirrhosis.csv")
stopifnot(identical(dim(cirrhosis), c(46L, 3L)), !anyNA(cirrhosis))
save(cirrhosis, file = "data/cirrhosis.rda", version = 3, compress = "xz")
