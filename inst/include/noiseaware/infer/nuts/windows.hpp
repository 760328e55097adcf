#pragma once

#include <algorithm>
#include <noiseaware/infer/nuts/options.hpp>
#include <vector>

namespace noiseaware {

//! The warm-up schedule of Stan: a first buffer, windows of doubling length after
//! each of which the metric is renewed, and a last buffer for the step size.
class WarmupWindows {
 public:
  WarmupWindows(int warmup, const NutsOptions& options) {
    if (warmup < 20) return;  // Too short for a covariance: only the step size adapts.
    int window = options.first_window;
    begin_ = options.first_buffer;
    end_ = warmup - options.last_buffer;
    if (begin_ + window > end_) {  // The shares of Stan for a short warm-up.
      begin_ = (15 * warmup) / 100;
      end_ = warmup - warmup / 10;
      window = end_ - begin_;
    }
    for (int at = begin_; at < end_; window *= 2) {
      at += window;
      if (at + 2 * window > end_) at = end_;  // No room for the next one: absorb it.
      closes_.push_back(at - 1);
    }
  }

  //! Whether the position of iteration i (from 0) enters the estimate.
  bool inside(int i) const { return i >= begin_ && i < end_; }

  //! Whether iteration i is the last of a window.
  bool closes(int i) const { return std::binary_search(closes_.begin(), closes_.end(), i); }

 private:
  int begin_ = 0;
  int end_ = 0;
  std::vector<int> closes_;
};

}  // namespace noiseaware
