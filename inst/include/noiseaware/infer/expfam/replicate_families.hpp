#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <noiseaware/infer/expfam/noise_draw.hpp>
#include <noiseaware/infer/expfam/record_map.hpp>
#include <noiseaware/infer/expfam/record_moments.hpp>
#include <noiseaware/math/require.hpp>
#include <noiseaware/rng/discrete.hpp>
#include <noiseaware/rng/distributions.hpp>
#include <noiseaware/rng/streams.hpp>
#include <vector>

// Records and releases that the exponential, Poisson and normal families would
// give: for predictions and predictive checks. Every family is a policy that draws
// one record, the sum of many, and the mapped sums of many.

namespace noiseaware {

//! Up to this many records are drawn one by one; sums of more are drawn as normal
//! numbers, whose distribution cannot be told from theirs.
constexpr double kDrawnRecords = 1e4;

namespace detail {

//! Sums of x~ - centre and its square over n mapped records, one by one.
template <class Draw>
std::array<double, 2> add_records(Draw&& draw, double n, const RecordMap& map, double centre) {
  std::array<double, 2> sums{{0.0, 0.0}};
  for (double i = 0.0; i < n; i += 1.0) {
    const double d = map(draw()) - centre;
    sums[0] += d;
    sums[1] += d * d;
  }
  return sums;
}

//! A draw of N(n mean, n cov) in two dimensions; `cov` may be singular.
template <class Rng>
std::array<double, 2> draw_sums(Rng& rng, double n, const Eigen::Vector2d& mean,
                                const Eigen::Matrix2d& cov) {
  const double first = std::sqrt(n * std::max(cov(0, 0), 0.0)) * normal01(rng);
  const double slope = cov(0, 0) > 0.0 ? cov(0, 1) / cov(0, 0) : 0.0;
  const double rest = std::max(cov(1, 1) - slope * cov(0, 1), 0.0);
  return {{n * mean[0] + first, n * mean[1] + slope * first + std::sqrt(n * rest) * normal01(rng)}};
}

}  // namespace detail

//! Exponential records; theta holds the rate.
struct ExponentialOutcome {
  static constexpr std::size_t parameters = 1;

  template <class Rng>
  static double total(Rng& rng, const double* theta, double n) {
    return gamma(rng, n, theta[0]);
  }

  template <class Rng>
  static std::array<double, 2> sums(Rng& rng, const double* theta, double n, const RecordMap& map,
                                    double centre) {
    if (n <= kDrawnRecords)
      return detail::add_records([&] { return exponential1(rng) / theta[0]; }, n, map, centre);
    const ScalarMoments m = exponential_moments(theta[0], map);
    return {{n * (m.mh - centre) + std::sqrt(n * m.vh) * normal01(rng), 0.0}};
  }
};

//! Poisson records; theta holds the mean.
struct PoissonOutcome {
  static constexpr std::size_t parameters = 1;

  //! Beyond 2^53 a count is not a whole number of a double anyway.
  template <class Rng>
  static double total(Rng& rng, const double* theta, double n) {
    const double mean = n * theta[0];
    if (mean > 0x1.0p53) return mean + std::sqrt(mean) * normal01(rng);
    return static_cast<double>(poisson(rng, mean));
  }

  template <class Rng>
  static std::array<double, 2> sums(Rng& rng, const double* theta, double n, const RecordMap& map,
                                    double centre) {
    if (n <= kDrawnRecords)
      return detail::add_records([&] { return total(rng, theta, 1.0); }, n, map, centre);
    const ScalarMoments m = poisson_moments(theta[0], map);
    return {{n * (m.mh - centre) + std::sqrt(n * m.vh) * normal01(rng), 0.0}};
  }
};

//! Normal records; theta holds mean and standard deviation.
struct NormalOutcome {
  static constexpr std::size_t parameters = 2;

  template <class Rng>
  static double total(Rng& rng, const double* theta, double n) {
    return n * theta[0] + std::sqrt(n) * theta[1] * normal01(rng);
  }

  //! Moments are taken in units of half the distance of the bounds, about the
  //! centre, where squares keep their digits.
  template <class Rng>
  static std::array<double, 2> sums(Rng& rng, const double* theta, double n, const RecordMap& map,
                                    double centre) {
    if (n <= kDrawnRecords)
      return detail::add_records([&] { return total(rng, theta, 1.0); }, n, map, centre);
    const double half = 0.5 * (map.upper - map.lower);
    const NormalMoments m =
        normal_moments((theta[0] - centre) / half, theta[1] / half, map.scaled(centre, half));
    const auto drawn = detail::draw_sums(rng, n, m.mh, m.Vh);
    return {{half * drawn[0], half * half * drawn[1]}};
  }
};

//! Sums of `size` new records, as they are, one per draw. `theta`: draws x
//! parameters, draws fastest.
template <class Outcome>
std::vector<double> simulate_totals(const std::vector<double>& theta, double size,
                                    std::uint64_t seed) {
  detail::require_count(size, "number of new records");
  auto rng = make_stream(seed, 0);
  const std::size_t draws = theta.size() / Outcome::parameters;
  std::vector<double> out(draws);
  for (std::size_t d = 0; d < draws; ++d) {
    std::array<double, 2> one{};
    for (std::size_t p = 0; p < Outcome::parameters; ++p) one[p] = theta[d + draws * p];
    out[d] = Outcome::total(rng, one.data(), size);
  }
  return out;
}

//! Releases of sizes[d] new records for every draw d: the first noise.size() of the
//! sums of x~ - centre and (x~ - centre)^2, with noise. Draws fastest.
template <class Outcome>
std::vector<double> replicate_sums(const std::vector<double>& theta,
                                   const std::vector<double>& sizes, const RecordMap& map,
                                   double centre, const std::vector<NoiseDensity>& noise,
                                   std::uint64_t seed) {
  auto rng = make_stream(seed, 0);
  const std::size_t draws = sizes.size();
  std::vector<double> out(draws * noise.size());
  for (std::size_t d = 0; d < draws; ++d) {
    detail::require_count(sizes[d], "number of records");
    std::array<double, 2> one{};
    for (std::size_t p = 0; p < Outcome::parameters; ++p) one[p] = theta[d + draws * p];
    const auto sums = Outcome::sums(rng, one.data(), sizes[d], map, centre);
    for (std::size_t j = 0; j < noise.size(); ++j)
      out[d + draws * j] = sums[j] + draw_noise(rng, noise[j]);
  }
  return out;
}

}  // namespace noiseaware
