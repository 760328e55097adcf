#pragma once

#include <noiseaware/infer/expfam/noise_density.hpp>
#include <noiseaware/infer/expfam/normal_laplace.hpp>

namespace noiseaware {

//! Noise as a Gibbs sampler sees it: normal with a variance that is known for
//! Gaussian noise, 0 where there is none, and latent for Laplace noise.
class LatentNoise {
 public:
  explicit LatentNoise(const NoiseDensity& noise = NoiseDensity())
      : law_(noise.law()), scale_(noise.scale()), variance_(start(noise)) {
    detail::require_single_noise(noise);
  }

  bool exact() const { return law_ == NoiseLaw::none; }
  bool is_latent() const { return law_ == NoiseLaw::laplace; }
  double variance() const { return variance_; }

  //! Draws the variance given the value of the noise.
  template <class Rng>
  void update(Rng& rng, double residual) {
    if (is_latent()) variance_ = draw_laplace_variance(rng, residual, scale_);
  }

 private:
  //! Laplace noise starts at its mean variance.
  static double start(const NoiseDensity& noise) {
    const double sd = noise.standard_deviation();
    return sd * sd;
  }

  NoiseLaw law_;
  double scale_;
  double variance_;
};

}  // namespace noiseaware
