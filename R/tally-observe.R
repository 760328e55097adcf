# A tally seen by inference: the same statistics without noise. For the
# custodian's own yardstick; see infer_nonprivate().

#' @export
observe.noiseaware_tally <- function(x, ...) {
  plan <- statistic_plan(x$query)
  statistics <- data.frame(name = plan$name, value = as.numeric(x$sums) * 2^-plan$grid_exp,
                           noise = "none", scale = 0, grid = 0)
  new_observation(x$query, statistics[statistics$name != "n", ], as.numeric(x$n), "tally",
                  threshold = NULL, secure = NA,
                  privacy = list(text = "NON-PRIVATE: exact statistics of the records"),
                  about = NULL, group = NULL)
}
