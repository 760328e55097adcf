#pragma once

// Eigen warns under -Wall -Wextra -pedantic. Marking this file as a system
// header keeps those warnings out of our builds and nothing else.
#if defined(__GNUC__) || defined(__clang__)
#pragma GCC system_header
#endif

#include <Eigen/Cholesky>
#include <Eigen/Core>
