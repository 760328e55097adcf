#pragma once

// As math/eigen.hpp: a system header, so that Eigen's warnings stay out of ours.
#if defined(__GNUC__) || defined(__clang__)
#pragma GCC system_header
#endif

#include <Eigen/Eigenvalues>
#include <noiseaware/math/eigen.hpp>
