#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <noiseaware/math/fft.hpp>
#include <vector>

// Effective number of independent draws of Markov chains: Gelman et al. (2013),
// section 11.5, with Geyer's (1992) initial monotone sequence, as in the function
// ess_basic() of the R package posterior.

namespace noiseaware {
namespace detail {

//! Mean of one chain and its autocovariances (divisor: the length) at every lag.
struct Autocovariance {
  double mean = 0.0;
  std::vector<double> lag;

  Autocovariance(const double* x, std::size_t size) : lag(size) {
    for (std::size_t i = 0; i < size; ++i) mean += x[i];
    mean /= static_cast<double>(size);
    std::size_t length = 2;
    while (length < 2 * size) length *= 2;
    Spectrum spectrum(length);
    for (std::size_t i = 0; i < size; ++i) spectrum[i] = x[i] - mean;
    fft(spectrum);
    for (std::complex<double>& value : spectrum) value = std::norm(value);
    fft(spectrum);
    const double factor = 1.0 / (static_cast<double>(length) * static_cast<double>(size));
    for (std::size_t i = 0; i < size; ++i) lag[i] = spectrum[i].real() * factor;
  }
};

//! Autocorrelations of several chains of one length: the within-chain variance at
//! each lag against the variance within and between chains.
class PooledCorrelation {
 public:
  PooledCorrelation(const std::vector<const double*>& chains, std::size_t size)
      : covariance_(size, 0.0) {
    const double count = static_cast<double>(chains.size());
    std::vector<double> means;
    for (const double* chain : chains) {
      const Autocovariance one(chain, size);
      for (std::size_t i = 0; i < size; ++i) covariance_[i] += one.lag[i] / count;
      means.push_back(one.mean);
    }
    within_ = covariance_[0] * static_cast<double>(size) / static_cast<double>(size - 1);
    total_ = covariance_[0] + variance_between(means);
  }

  double operator[](std::size_t lag) const { return 1.0 - (within_ - covariance_[lag]) / total_; }

 private:
  static double variance_between(const std::vector<double>& means) {
    if (means.size() < 2) return 0.0;
    double mean = 0.0, sum = 0.0;
    for (double m : means) mean += m / static_cast<double>(means.size());
    for (double m : means) sum += (m - mean) * (m - mean);
    return sum / static_cast<double>(means.size() - 1);
  }

  std::vector<double> covariance_;
  double within_ = 0.0;
  double total_ = 0.0;
};

//! Sums of autocorrelations over lags (2k, 2k + 1) are positive and decreasing for
//! a reversible chain (Geyer 1992): stop before the first negative pair, then
//! lower every pair that exceeds the one before.
inline double autocorrelation_time(const PooledCorrelation& rho, std::size_t size) {
  std::vector<double> kept(size, 0.0);
  std::size_t last = 0;
  double even = 1.0, odd = rho[1];
  kept[0] = even;
  kept[1] = odd;
  while (last + 5 < size && even + odd > 0.0) {
    last += 2;
    even = rho[last];
    odd = rho[last + 1];
    if (even + odd < 0.0) continue;
    kept[last] = even;
    kept[last + 1] = odd;
  }
  // The even lag of the last pair is used even if its pair is negative.
  if (even > 0.0) kept[last] = even;
  for (std::size_t t = 2; t + 2 <= last; t += 2)
    if (kept[t] + kept[t + 1] > kept[t - 2] + kept[t - 1])
      kept[t] = kept[t + 1] = 0.5 * (kept[t - 2] + kept[t - 1]);
  double sum = 0.0;
  for (std::size_t t = 0; t < std::max<std::size_t>(last, 1); ++t) sum += kept[t];
  return -1.0 + 2.0 * sum + kept[last];
}

//! Whether the draws are finite and not all alike.
inline bool varies(const double* draws, std::size_t size) {
  double low = draws[0], high = draws[0];
  for (std::size_t i = 0; i < size; ++i) {
    if (!std::isfinite(draws[i])) return false;
    low = std::min(low, draws[i]);
    high = std::max(high, draws[i]);
  }
  return high - low >= std::numeric_limits<double>::epsilon();
}

}  // namespace detail

//! Effective size of `chains` chains of `iterations` draws each, chain by chain in
//! `draws`. Each chain is split in two, so that a trend counts against it. At most
//! draws * log10(draws), as estimates for antithetic chains are unstable; NaN where
//! a draw is not finite, all are alike, or half a chain is shorter than three.
inline double effective_size(const double* draws, std::size_t iterations, std::size_t chains) {
  const std::size_t half = iterations / 2;
  if (chains == 0 || half < 3 || !detail::varies(draws, iterations * chains))
    return std::numeric_limits<double>::quiet_NaN();
  std::vector<const double*> halves;
  for (std::size_t c = 0; c < chains; ++c) {
    const double* chain = draws + c * iterations;
    halves.push_back(chain);
    halves.push_back(chain + (iterations - half));
  }
  const detail::PooledCorrelation rho(halves, half);
  const double total = static_cast<double>(half * halves.size());
  return total / std::max(detail::autocorrelation_time(rho, half), 1.0 / std::log10(total));
}

inline double effective_size(const std::vector<double>& chain) {
  return effective_size(chain.data(), chain.size(), 1);
}

}  // namespace noiseaware
