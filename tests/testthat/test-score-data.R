test_that("cirrhosis is the published table", {
  expect_identical(names(cirrhosis), c("wine", "liquor", "cirrhosis"))
  expect_identical(dim(cirrhosis), c(46L, 3L))
  expect_equal(unlist(cirrhosis[1, ]), c(wine = 5, liquor = 30, cirrhosis = 41.2))
  expect_identical(cirrhosis$liquor[[36]], 149L)
})
