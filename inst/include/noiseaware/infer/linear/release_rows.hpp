#pragma once

#include <cstddef>
#include <noiseaware/infer/linear/problem.hpp>
#include <noiseaware/infer/linear/row_moments.hpp>
#include <noiseaware/math/eigen.hpp>
#include <utility>
#include <vector>

namespace noiseaware {
namespace detail {

//! The released numbers as linear functions z = K s + noise of the statistics s.
struct LinearRelease {
  Eigen::MatrixXd rows;    //!< K.
  Eigen::VectorXd values;  //!< z less the part of the known n.
  std::vector<MomentObservation> terms;

  explicit LinearRelease(const LinearProblem& problem) {
    const Eigen::Index size = problem.q() + 1;
    const auto pairs = product_pairs(size, false);
    for (const MomentObservation& o : problem.observations)
      if (o.row > 0 || o.col > 0) terms.push_back(o);
    const auto count = static_cast<Eigen::Index>(terms.size());
    rows = Eigen::MatrixXd::Zero(count, static_cast<Eigen::Index>(pairs.size()));
    values.resize(count);
    const auto add = [&](Eigen::Index r, Eigen::Index j, Eigen::Index k, double weight) {
      if (j > k) std::swap(j, k);
      if (k == 0) values[r] -= weight * problem.n;
      for (std::size_t s = 0; s < pairs.size(); ++s)
        if (pairs[s].first == j && pairs[s].second == k)
          rows(r, static_cast<Eigen::Index>(s)) += weight;
    };
    for (Eigen::Index r = 0; r < count; ++r) {
      const MomentObservation& o = terms[static_cast<std::size_t>(r)];
      values[r] = o.value;
      add(r, o.row, o.col, 1.0);
      if (o.is_tie()) add(r, o.minus_row, o.minus_col, -o.minus_weight);
    }
  }
};

}  // namespace detail

}  // namespace noiseaware
