# Data sets of the package, made by the scripts in data-raw/.

#' Drinking and deaths from cirrhosis
#'
#' Consumption of wine and liquor and the death rate from cirrhosis of the liver in 46
#' states of the United States: a small set of published facts, which papers on private
#' regression have used as if each state were a person.
#'
#' Copies of this table in code for such papers have 49 instead of 149 for the liquor of
#' row 36.
#'
#' @format A data frame with 46 rows and three columns: `wine` and `liquor`, indices of
#'   consumption per head, and `cirrhosis`, the death rate.
#' @source Brownlee (1965) *Statistical Theory and Methodology*, Wiley; reprinted by
#'   Spaeth (1991) *Mathematical Algorithms for Linear Regression*, Academic Press.
#' @family evaluation
#' @examples
#' query <- query_moments(domain(wine = c(0, 40), cirrhosis = c(0, 150)), "replace_one")
#' infer_nonprivate(query, cirrhosis, cirrhosis ~ wine, seed = 1)
#' @docType data
#' @keywords datasets
#' @usage cirrhosis
#' @name cirrhosis
NULL
