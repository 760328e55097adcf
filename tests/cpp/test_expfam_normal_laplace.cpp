#include <catch.h>

#include <cmath>
#include <cstdint>
#include <noiseaware/infer/expfam/normal_laplace.hpp>
#include <noiseaware/rng/streams.hpp>
#include <stdexcept>
#include <vector>

#include "near.hpp"
#include "oracles.hpp"

using namespace noiseaware;
using near::relative;
using near::within;

namespace {

NoiseDensity laplace(double scale) { return NoiseDensity(NoiseLaw::laplace, scale); }
NoiseDensity gaussian(double sd) { return NoiseDensity(NoiseLaw::gaussian, sd); }

//! Integrates use(s) N(s; m, v) f(z - s) by the trapezoid rule, with a node at the
//! kink of the Laplace density.
template <class Use>
double integrate(double z, double m, double v, double scale, Use use) {
  const double sd = std::sqrt(v), step = std::min(sd, scale) / 200.0;
  double sum = 0.0;
  for (long k = -static_cast<long>((z - m + 12 * sd) / step); step * k < m + 12 * sd - z; ++k) {
    const double s = z + step * static_cast<double>(k), r = (s - m) / sd;
    sum += use(s) * std::exp(-.5 * r * r - std::abs(z - s) / scale);
  }
  return sum * step / (sd * std::sqrt(2.0 * std::acos(-1.0)) * 2.0 * scale);
}

}  // namespace

TEST_CASE("normal plus Laplace: published vectors", "[expfam]") {
  CHECK(log_normal_laplace(3, 1, 2, .5) == relative(-2.19305804209, 5e-12));
  CHECK(log_normal_laplace(3, 1, 2, 50) == relative(-4.64686400111, 5e-12));
  CHECK(log_normal_laplace(100, 0, 1, .01) == relative(-4996.77714279, 5e-12));
  CHECK(log_normal_laplace(100, 0, 1, 3) == relative(-35.069537247, 5e-11));
  CHECK(log_normal_laplace(-40, 0, 1e-4, 2) == relative(-21.3862818611, 5e-12));
  CHECK(log_normal_laplace(0, 0, 1e6, .1) == relative(-7.82669382219, 5e-12));
  CHECK(log_normal_laplace(12.5, 10, 2500, 10) == relative(-4.86874913398, 5e-12));
}

TEST_CASE("normal plus Laplace: limits and symmetry", "[expfam]") {
  CHECK(log_normal_laplace(3, 1, 0, .5) == relative(-4.0, 1e-14));
  CHECK(log_normal_laplace(3, 1, 1e-30, .5) == relative(-4.0, 1e-12));
  CHECK(log_normal_laplace(3, 1, 1e-279, .5) == relative(-4.0, 1e-12));
  // Little noise leaves the normal density: the error is of order scale^2 / v.
  CHECK(log_normal_laplace(3, 1, 2, 1e-7) ==
        relative(-1.0 - .5 * std::log(4.0 * std::acos(-1.0)), 1e-12));
  for (double d : {0.0, .3, 5.0, 80.0})
    CHECK(log_normal_laplace(d, 0, 2, 1.5) == relative(log_normal_laplace(-d, 0, 2, 1.5), 1e-14));
  for (double z : {-3.0, 0.5, 7.0}) {
    const double truth = std::log(integrate(z, .5, 2.0, 1.5, [](double) { return 1.0; }));
    CHECK(log_normal_laplace(z, .5, 2.0, 1.5) == within(truth, 1e-5));
  }
  CHECK_THROWS_AS(log_normal_laplace(oracles::kNaN, 0, 1, 1), std::invalid_argument);
  CHECK_THROWS_AS(log_normal_laplace(0, oracles::kInf, 1, 1), std::invalid_argument);
  CHECK_THROWS_AS(log_normal_laplace(0, 0, -1, 1), std::invalid_argument);
  CHECK_THROWS_AS(log_normal_laplace(0, 0, 1, 0), std::invalid_argument);
}

TEST_CASE("density of a normal sum with noise of each law", "[expfam]") {
  const double log_sqrt_2pi = .5 * std::log(2.0 * std::acos(-1.0));
  CHECK(noisy_normal_log_density(3, 1, 2, laplace(.5)) == relative(-2.19305804209, 5e-12));
  CHECK(noisy_normal_log_density(3, 1, 5, gaussian(2)) ==
        relative(-4.0 / 18.0 - std::log(3.0) - log_sqrt_2pi, 1e-14));
  CHECK(noisy_normal_log_density(3, 1, 4, NoiseDensity()) ==
        relative(-.5 - std::log(2.0) - log_sqrt_2pi, 1e-14));
  CHECK(noisy_normal_log_density(3, 1, 0, NoiseDensity()) == -oracles::kInf);
  CHECK_THROWS_AS(noisy_normal_log_density(3, 1, 2, NoiseDensity(NoiseLaw::laplace, 1, 0, 2)),
                  std::invalid_argument);
}

TEST_CASE("draws of a normal sum given its noisy value", "[expfam]") {
  struct Case {
    double z, m, v, scale;
  };
  Xoshiro256pp rng(4);
  for (const Case& c : {Case{3, 1, 2, .5}, Case{-4, 1, 2, 5}, Case{.2, 0, 9, 1}}) {
    const auto draws = oracles::draw_many(
        20000, [&] { return draw_latent_normal(rng, c.z, c.m, c.v, laplace(c.scale)); });
    const double total = integrate(c.z, c.m, c.v, c.scale, [](double) { return 1.0; });
    const auto cdf = [&](double x) {
      return integrate(c.z, c.m, c.v, c.scale, [x](double s) { return s <= x ? 1.0 : 0.0; }) /
             total;
    };
    std::vector<double> thinned(draws.begin(), draws.begin() + 1500);
    CHECK(oracles::ks_p_value(thinned, cdf) > oracles::kRejects);
    const double mean = integrate(c.z, c.m, c.v, c.scale, [](double s) { return s; }) / total;
    const double square =
        integrate(c.z, c.m, c.v, c.scale, [&](double s) { return (s - mean) * (s - mean); });
    const oracles::Moments moments(draws);
    CHECK(moments.z_mean(mean) < oracles::kMaxZ);
    CHECK(moments.z_variance(square / total) < oracles::kMaxZ);
  }
  const auto draws =
      oracles::draw_many(20000, [&] { return draw_latent_normal(rng, 3, 1, 2, gaussian(2)); });
  CHECK(oracles::Moments(draws).z_mean(1.0 + 2.0 * 2.0 / 6.0) < oracles::kMaxZ);
  CHECK(oracles::Moments(draws).z_variance(8.0 / 6.0) < oracles::kMaxZ);
  CHECK(draw_latent_normal(rng, 3, 1, 2, NoiseDensity()) == 3.0);
  CHECK(draw_latent_normal(rng, 3, 1, 0, laplace(1)) == 1.0);
  // Far apart: the parts differ by more than the range of exp().
  CHECK(std::isfinite(draw_latent_normal(rng, 1e6, 0, 1, laplace(.01))));
  CHECK(draw_latent_normal(rng, 1e6, 0, 1, laplace(.01)) == within(100.0, 5.0));
}

TEST_CASE("normal within an interval may have no spread", "[expfam]") {
  Xoshiro256pp rng(5);
  CHECK(normal_within(rng, 2.0, 0.0, 0.0, 1.0) == 1.0);
  CHECK(normal_within(rng, -2.0, 0.0, 0.0, 1.0) == 0.0);
  const double x = normal_within(rng, 50.0, 1.0, 0.0, 1.0);
  CHECK(x > .5);
  CHECK(x <= 1.0);
}

TEST_CASE("latent variance of Laplace noise", "[expfam]") {
  Xoshiro256pp rng(6);
  // Noise drawn as N(0, variance) from the drawn variance is again Laplace, if the
  // variance is drawn from its law given Laplace noise.
  const double scale = 1.7;
  std::vector<double> variances, noise;
  for (int i = 0; i < 20000; ++i) {
    const double r = scale * (exponential1(rng) - exponential1(rng));
    const double v = draw_laplace_variance(rng, r, scale);
    variances.push_back(v);
    noise.push_back(std::sqrt(v) * normal01(rng));
  }
  CHECK(oracles::ks_p_value(variances, [&](double v) {
          return -std::expm1(-v / (2.0 * scale * scale));
        }) > oracles::kRejects);
  CHECK(oracles::ks_p_value(noise, [&](double r) {
          return r < 0.0 ? .5 * std::exp(r / scale) : 1.0 - .5 * std::exp(-r / scale);
        }) > oracles::kRejects);
  // At 0 the variance has density proportional to v^-1/2 exp(-v / (2 scale^2)).
  const auto at_zero =
      oracles::draw_many(20000, [&] { return draw_laplace_variance(rng, 0.0, scale); });
  CHECK(oracles::ks_p_value(at_zero, [&](double v) {
          return oracles::gamma_p(.5, v / (2.0 * scale * scale));
        }) > oracles::kRejects);
  oracles::FixedBits halves{{std::uint64_t{1} << 63, std::uint64_t{3} << 62}};
  CHECK(draw_laplace_variance(halves, 0.0, 1.0) > 0.0);  // the normal draw is 0 here
  for (double r : {1e-300, 1e-20, 1e20, 1e150}) CHECK(draw_laplace_variance(rng, r, 1.0) > 0.0);
  CHECK_THROWS_AS(draw_laplace_variance(rng, oracles::kNaN, 1.0), std::invalid_argument);
  CHECK_THROWS_AS(draw_laplace_variance(rng, 0.0, 0.0), std::invalid_argument);
}
