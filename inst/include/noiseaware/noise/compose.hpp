#pragma once

#include <algorithm>
#include <functional>
#include <noiseaware/wide/int128.hpp>
#include <stdexcept>
#include <vector>

namespace noiseaware {

// Composition of costs in whole units of 1e-12. A cost is epsilon (pure), rho
// (zero-concentrated) or mu^2 (Gaussian): in these units costs add.

namespace detail {

inline u128 checked_add(u128 a, u128 b) {
  if (a > ~static_cast<u128>(0) - b) throw std::domain_error("integer overflow");
  return a + b;
}

inline u128 largest(const std::vector<u128>& costs) {
  return costs.empty() ? 0 : *std::max_element(costs.begin(), costs.end());
}

}  // namespace detail

//! Releases from the same records: the costs add, also when each query was chosen
//! in view of the earlier answers.
inline u128 compose_sequential(const std::vector<u128>& costs) {
  u128 total = 0;
  for (const u128 cost : costs) total = detail::checked_add(total, cost);
  return total;
}

//! Releases from disjoint groups of records, neighbours by adding or removing one
//! record: it is in one group only.
inline u128 compose_parallel_add_remove(const std::vector<u128>& costs) {
  return detail::largest(costs);
}

//! Releases from disjoint groups of records, neighbours by replacing one record.
//! The new record may be in the same group, at the cost of a replacement there, or
//! in another one: then one group loses and one gains a record, and both costs
//! add. `within` holds the replace-one cost of each group, `between` its add-remove
//! cost.
inline u128 compose_parallel_replace_one(const std::vector<u128>& within,
                                         std::vector<u128> between) {
  if (within.size() != between.size())
    throw std::invalid_argument("every group must have a cost of both kinds");
  std::sort(between.begin(), between.end(), std::greater<u128>());
  between.resize(std::min<std::size_t>(between.size(), 2));
  return std::max(detail::largest(within), compose_sequential(between));
}

}  // namespace noiseaware
