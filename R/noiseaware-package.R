#' @keywords internal
#' @aliases noiseaware-package
"_PACKAGE"

#' @useDynLib noiseaware, .registration = TRUE
#' @importFrom Rcpp sourceCpp
#' @importFrom rlang .data
NULL
