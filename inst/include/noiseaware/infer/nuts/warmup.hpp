#pragma once

#include <noiseaware/infer/nuts/dual_averaging.hpp>
#include <noiseaware/infer/nuts/metric_estimator.hpp>
#include <noiseaware/infer/nuts/sampler.hpp>
#include <noiseaware/infer/nuts/windows.hpp>
#include <stdexcept>

namespace noiseaware {

//! Adapts step size and metric of one sampler during warm-up.
template <class Model>
class NutsWarmup {
 public:
  NutsWarmup(NutsSampler<Model>& sampler, int warmup, const NutsOptions& options)
      : sampler_(sampler),
        warmup_(warmup),
        shrink_scale_(options.shrink_scale),
        shrink_count_(options.shrink_count),
        initial_(sampler.metric()),
        estimator_(initial_.dim(), initial_.is_dense()),
        step_size_(options.target_acceptance),
        windows_(warmup, options) {}

  //! Before the first iteration, also when there is no warm-up.
  template <class Rng>
  void begin(Rng& rng) {
    sampler_.search_step_size(rng);
    step_size_.restart(sampler_.step_size());
  }

  //! After iteration i of the chain, counted from 0; nothing after warm-up.
  template <class Rng>
  void update(Rng& rng, int i, const NutsDraw& draw) {
    if (i >= warmup_) return;
    sampler_.set_step_size(step_size_.update(draw.acceptance));
    if (windows_.inside(i)) estimator_.add(sampler_.position());
    if (windows_.closes(i)) renew_metric(rng);
    if (i + 1 == warmup_ && step_size_.updated()) sampler_.set_step_size(step_size_.adapted());
  }

 private:
  template <class Rng>
  void renew_metric(Rng& rng) {
    try {
      sampler_.set_metric(estimator_.estimate(initial_, shrink_scale_, shrink_count_));
    } catch (const std::domain_error&) {
      // The positions of this window do not define a covariance: keep the old one.
    } catch (const std::invalid_argument&) {
    }
    estimator_.reset();
    begin(rng);
  }

  NutsSampler<Model>& sampler_;
  int warmup_;
  double shrink_scale_, shrink_count_;
  Metric initial_;
  MetricEstimator estimator_;
  DualAveraging step_size_;
  WarmupWindows windows_;
};

}  // namespace noiseaware
