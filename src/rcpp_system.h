// Rcpp warns under -Wall -Wextra -pedantic. Marking this file as a system
// header keeps those warnings out of our builds and nothing else.
#ifndef NOISEAWARE_SRC_RCPP_SYSTEM_H
#define NOISEAWARE_SRC_RCPP_SYSTEM_H

#if defined(__GNUC__) || defined(__clang__)
#pragma GCC system_header
#endif

#include <Rcpp.h>

#endif
