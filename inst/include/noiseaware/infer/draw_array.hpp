#pragma once

#include <cstddef>

namespace noiseaware {

//! Where kept draws go: memory of the caller, iteration fastest, then chain, then
//! variable. Chains write to places of their own, so threads need no lock.
class DrawArray {
 public:
  DrawArray(double* data, int kept, int chains)
      : data_(data),
        kept_(static_cast<std::size_t>(kept)),
        chains_(static_cast<std::size_t>(chains)) {}

  double& at(int row, int chain, std::size_t variable) const {
    const std::size_t slice = static_cast<std::size_t>(chain) + chains_ * variable;
    return data_[static_cast<std::size_t>(row) + kept_ * slice];
  }

  //! Writes one draw of several variables, the first to variable `from`.
  template <class Vector>
  void write(int row, int chain, const Vector& values, std::size_t from = 0) const {
    for (std::size_t k = 0; k < static_cast<std::size_t>(values.size()); ++k)
      at(row, chain, from + k) = values[k];
  }

 private:
  double* data_;
  std::size_t kept_;
  std::size_t chains_;
};

}  // namespace noiseaware
