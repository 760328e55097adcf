#include <catch.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <noiseaware/math/special.hpp>
#include <noiseaware/rng/distributions.hpp>
#include <noiseaware/rng/xoshiro256pp.hpp>
#include <stdexcept>
#include <vector>

#include "oracles.hpp"

using namespace noiseaware;
using namespace oracles;

namespace {

using Rng = Xoshiro256pp;
constexpr int kDraws = 20000;

template <class Draw>
void check_pins(Draw draw, const std::vector<double>& pins) {
  Rng rng(42);
  for (const double pin : pins) CHECK(relative_error(draw(rng), pin) < 1e-14);
}

}  // namespace

TEST_CASE("draws are pinned on every platform") {
  // From an independent implementation in Python (engine in integers, samplers
  // with math.log and math.sqrt), seed 42.
  Rng rng(42);
  for (const double pin : {0.8143051451229099, 0.3188210400616611, 0.9838941681774888})
    CHECK(uniform01(rng) == pin);
  check_pins([](Rng& r) { return uniform_open(r); },
             {0.8143051451229099, 0.31882104006166123, 0.9838941681774888});
  check_pins([](Rng& r) { return exponential1(r); },
             {0.20542011206786845, 1.143125336559822, 0.01623694037923996});
  check_pins([](Rng& r) { return normal01(r); },
             {0.9813983900724986, 1.3403256427520227, -0.9642205062941384});
  check_pins([](Rng& r) { return gamma1(r, 2.5); },
             {3.9560771068585736, 3.2895089916913505, 1.0347231991856873});
  check_pins([](Rng& r) { return gamma1(r, 0.3); },
             {0.7006567545573237, 0.5573792849942085, 0.0001620974717826646});
  check_pins([](Rng& r) { return inverse_gaussian(r, 2.0, 3.0); },
             {4.368556044061609, 1.1747034348740122, 0.9276480438607436});
  check_pins([](Rng& r) { return beta(r, 3.0, 2.0); },
             {0.6332279046467815, 0.3313670260692285, 0.6026707547899284});
  check_pins([](Rng& r) { return beta(r, 0.5, 2.0); },
             {0.23782296769754407, 0.15161972013018735, 1.1900251102803038e-05});
  check_pins([](Rng& r) { return truncated_normal(r, 3.0, kInf); },
             {3.0621962054343266, 3.0049161499781407, 3.0700308184130534});
}

TEST_CASE("uniforms stay inside their interval at the extremes of the bits") {
  FixedBits zeros{{0}}, ones{{~std::uint64_t{0}}};
  CHECK(uniform01(zeros) == 0.0);
  CHECK(uniform01(ones) == 1.0 - 0x1p-53);
  CHECK(uniform_open(zeros) == 0x1p-53);
  CHECK(uniform_open(ones) == 1.0 - 0x1p-53);
  CHECK(exponential1(ones) > 0.0);
}

TEST_CASE("uniform, exponential and normal follow their distribution functions") {
  Rng rng(1);
  const auto identity = [](double x) { return x; };
  CHECK(ks_p_value(draw_many(kDraws, [&] { return uniform01(rng); }), identity) > kRejects);
  CHECK(ks_p_value(draw_many(kDraws, [&] { return uniform_open(rng); }), identity) > kRejects);
  CHECK(ks_p_value(draw_many(kDraws, [&] { return exponential1(rng); }),
                   [](double x) { return -std::expm1(-x); }) > kRejects);
  CHECK(ks_p_value(draw_many(kDraws, [&] { return normal01(rng); }), phi_cdf) > kRejects);
}

TEST_CASE("gamma1 and log_gamma1 follow the incomplete gamma function") {
  for (const double shape : {1e-3, 0.05, 0.5, 0.99, 1.0, 2.5, 30.0, 1000.0}) {
    INFO("shape = " << shape);
    Rng rng(2);
    const auto logs = draw_many(kDraws, [&] { return log_gamma1(rng, shape); });
    CHECK(ks_p_value(logs, [&](double l) { return gamma_p_log(shape, l); }) > kRejects);
    // E log G = digamma(shape).
    CHECK(Moments(logs).z_mean(digamma(shape)) < kMaxZ);
  }
  for (const double shape : {0.5, 1.0, 7.3}) {
    INFO("shape = " << shape);
    Rng rng(3);
    const auto sample = draw_many(kDraws, [&] { return gamma(rng, shape, 4.0); });
    CHECK(ks_p_value(sample, [&](double x) { return gamma_p(shape, 4.0 * x); }) > kRejects);
    CHECK(Moments(sample).z_mean(shape / 4.0) < kMaxZ);
    CHECK(Moments(sample).z_variance(shape / 16.0) < kMaxZ);
  }
}

TEST_CASE("log_gamma1 is the logarithm of gamma1 on the same stream") {
  for (const double shape : {0.3, 1.0, 12.0}) {
    Rng one(4), two(4);
    for (int i = 0; i < 50; ++i)
      CHECK(std::abs(std::log(gamma1(one, shape)) - log_gamma1(two, shape)) < 1e-12);
    CHECK(one == two);
  }
  Rng rng(5);
  for (const double shape : {1e-300, 1e-100, 1e-10})
    for (int i = 0; i < 1000; ++i) CHECK(std::isfinite(log_gamma1(rng, shape)));
}

TEST_CASE("gamma draws of huge shape are normal to the last digits") {
  // (G - shape)/sqrt(shape) has skewness 2/sqrt(shape); at 1e15 and above the
  // textbook acceptance ratio is rounding error.
  for (const double shape : {1e8, 1e12, 1e15, 1e24}) {
    INFO("shape = " << shape);
    Rng rng(6);
    const auto scaled =
        draw_many(kDraws, [&] { return (gamma1(rng, shape) - shape) / std::sqrt(shape); });
    CHECK(ks_p_value(scaled, phi_cdf) > kRejects);
    CHECK(Moments(scaled).z_variance(1.0) < kMaxZ);
  }
  Rng rng(6);
  CHECK(gamma1(rng, 1e308) == 1e308);
}

TEST_CASE("both forms of the gamma acceptance ratio agree") {
  // At |t| = 1/64 the series takes over; shape 200 loses little in either form.
  const double d = 200.0;
  for (const double t : {0x1p-6, 0.015, -0.015, -0x1p-6, 0.2, -0.2}) {
    const double x = 3.0 * std::sqrt(d) * t;
    const long double w = 1.0L + t, v = w * w * w;
    const long double direct = 0.5L * x * x + d * (1.0L - v + std::log(v));
    CHECK(std::abs(detail::gamma_log_ratio(x, t, d) - static_cast<double>(direct)) < 1e-12);
  }
  // -x^4 / (108 d) is the leading term; rounding of the direct form is 0.1 here.
  const double huge = 1e15, x = 3.0;
  const double ratio = detail::gamma_log_ratio(x, x / (3.0 * std::sqrt(huge)), huge);
  CHECK(relative_error(ratio, -x * x * x * x / (108.0 * huge)) < 1e-6);
}

TEST_CASE("inverse_gamma is the reciprocal of a gamma") {
  Rng rng(7);
  const auto sample = draw_many(kDraws, [&] { return inverse_gamma(rng, 3.5, 2.0); });
  CHECK(ks_p_value(sample, [](double x) { return 1.0 - gamma_p(3.5, 2.0 / x); }) > kRejects);
}

TEST_CASE("beta follows the incomplete beta function") {
  const std::vector<std::vector<double>> shapes{{1, 1},    {2, 5},     {0.5, 0.5}, {0.3, 4},
                                                {30, 0.2}, {200, 100}, {1e6, 2e6}};
  for (const auto& s : shapes) {
    INFO("a = " << s[0] << ", b = " << s[1]);
    Rng rng(8);
    const auto sample = draw_many(kDraws, [&] { return beta(rng, s[0], s[1]); });
    CHECK(Moments(sample).z_mean(s[0] / (s[0] + s[1])) < kMaxZ);
    // The continued fraction of the oracle is good to large shapes only near
    // the mean; moments cover those.
    if (s[0] < 1e3)
      CHECK(ks_p_value(sample, [&](double x) { return beta_p(s[0], s[1], x); }) > kRejects);
  }
  Rng rng(8);
  const double extreme = beta(rng, 1e308, 1e308);
  CHECK(extreme == 0.5);
}

TEST_CASE("beta with tiny shapes is never 0/0") {
  // Half of the gamma draws behind it underflow; the masses are exact all the same.
  const double a = 1e-3, b = 2e-3;
  const std::vector<double> cuts{1e-300, 1e-200, 1e-100, 1e-10, 0.5};
  std::vector<double> masses;
  double below = 0.0;
  for (const double cut : cuts) {
    const double p = beta_p_log(a, b, std::log(cut));
    masses.push_back(p - below);
    below = p;
  }
  std::vector<std::int64_t> counts(cuts.size(), 0);
  Rng rng(9);
  for (int i = 0; i < kDraws; ++i) {
    const double x = beta(rng, a, b);
    REQUIRE((x >= 0.0 && x <= 1.0));
    for (std::size_t k = 0; k < cuts.size(); ++k)
      if (x <= cuts[k]) {
        ++counts[k];
        break;
      }
  }
  CHECK(chi_square_p_value(counts, masses, kDraws) > kRejects);
}

TEST_CASE("dirichlet has beta margins and the right covariance") {
  const std::vector<double> alpha{0.5, 2.0, 3.5};
  std::vector<std::vector<double>> margin(3);
  std::vector<double> product;
  Rng rng(10);
  for (int i = 0; i < kDraws; ++i) {
    const auto p = dirichlet(rng, alpha);
    CHECK(std::abs(p[0] + p[1] + p[2] - 1.0) < 1e-14);
    for (std::size_t k = 0; k < 3; ++k) margin[k].push_back(p[k]);
    product.push_back(p[1] * p[2]);
  }
  for (std::size_t k = 0; k < 3; ++k)
    CHECK(ks_p_value(margin[k], [&](double x) { return beta_p(alpha[k], 6.0 - alpha[k], x); }) >
          kRejects);
  // E p_j p_k = alpha_j alpha_k / (A (A + 1)).
  CHECK(Moments(product).z_mean(2.0 * 3.5 / (6.0 * 7.0)) < kMaxZ);
}

TEST_CASE("dirichlet with tiny concentration puts the mass on one corner") {
  const std::vector<double> alpha(3, 1e-3);
  std::vector<double> logs(3), first;
  std::vector<std::int64_t> largest(3, 0);
  Rng rng(11);
  for (int i = 0; i < kDraws; ++i) {
    log_dirichlet_into(rng, alpha, logs);
    for (const double l : logs) REQUIRE(std::isfinite(l));
    REQUIRE(std::abs(log_sum_exp(logs)) < 1e-15);
    first.push_back(logs[0]);
    ++largest[static_cast<std::size_t>(std::max_element(logs.begin(), logs.end()) - logs.begin())];
  }
  // Near 1 the logarithm rounds to 0, where the distribution has a third of its
  // mass: there the sample is compared as an atom.
  std::vector<double> below;
  for (const double l : first)
    if (l < std::log(0.5)) below.push_back(l);
  const double half = beta_p_log(1e-3, 2e-3, std::log(0.5));
  CHECK(ks_p_value(below, [&](double l) { return beta_p_log(1e-3, 2e-3, l) / half; }) > kRejects);
  CHECK(chi_square_p_value(largest, {1.0 / 3, 1.0 / 3, 1.0 / 3}, kDraws) > kRejects);
}

TEST_CASE("dirichlet of one category is 1") {
  Rng rng(12);
  CHECK(dirichlet(rng, std::vector<double>{0.7}) == std::vector<double>{1.0});
}

TEST_CASE("inverse_gaussian follows its closed-form distribution function") {
  const std::vector<std::vector<double>> cases{{1, 1}, {2, 0.5}, {0.3, 4}, {5, 100}};
  for (const auto& c : cases) {
    const double mean = c[0], shape = c[1];
    INFO("mean = " << mean << ", shape = " << shape);
    Rng rng(13);
    const auto sample = draw_many(kDraws, [&] { return inverse_gaussian(rng, mean, shape); });
    // Shuster (1968).
    const auto cdf = [&](double x) {
      const double r = std::sqrt(shape / x);
      return phi_cdf(r * (x / mean - 1.0)) +
             std::exp(2.0 * shape / mean) * phi_cdf(-r * (x / mean + 1.0));
    };
    CHECK(ks_p_value(sample, cdf) > kRejects);
    CHECK(Moments(sample).z_mean(mean) < kMaxZ);
  }
}

TEST_CASE("inverse_gaussian survives mean >> shape") {
  // The limit is the Levy distribution of shape / Z^2.
  Rng rng(14);
  const auto sample = draw_many(kDraws, [&] { return inverse_gaussian(rng, 1e15, 0.01); });
  CHECK(ks_p_value(sample, [](double x) { return 2.0 * phi_cdf(-std::sqrt(0.01 / x)); }) >
        kRejects);
  for (int i = 0; i < 1000; ++i) {
    const double x = inverse_gaussian(rng, 1e300, 1e-300);
    CHECK((std::isfinite(x) && x > 0.0));
    const double y = inverse_gaussian(rng, 1e-300, 1e300);
    CHECK(relative_error(y, 1e-300) < 1e-14);
  }
}

TEST_CASE("continuous samplers refuse bad parameters at once") {
  Rng rng(19);
  for (const double bad : not_positive()) {
    INFO("bad = " << bad);
    CHECK_THROWS_AS(gamma1(rng, bad), std::invalid_argument);
    CHECK_THROWS_AS(log_gamma1(rng, bad), std::invalid_argument);
    CHECK_THROWS_AS(gamma(rng, bad, 1.0), std::invalid_argument);
    CHECK_THROWS_AS(gamma(rng, 1.0, bad), std::invalid_argument);
    CHECK_THROWS_AS(inverse_gamma(rng, bad, 1.0), std::invalid_argument);
    CHECK_THROWS_AS(inverse_gamma(rng, 1.0, bad), std::invalid_argument);
    CHECK_THROWS_AS(beta(rng, bad, 1.0), std::invalid_argument);
    CHECK_THROWS_AS(beta(rng, 1.0, bad), std::invalid_argument);
    CHECK_THROWS_AS(dirichlet(rng, std::vector<double>{1.0, bad}), std::invalid_argument);
    CHECK_THROWS_AS(inverse_gaussian(rng, bad, 1.0), std::invalid_argument);
    CHECK_THROWS_AS(inverse_gaussian(rng, 1.0, bad), std::invalid_argument);
  }
  CHECK_THROWS_AS(dirichlet(rng, std::vector<double>{}), std::invalid_argument);
  std::vector<double> too_short(1);
  CHECK_THROWS_AS(dirichlet_into(rng, std::vector<double>{1.0, 2.0}, too_short),
                  std::invalid_argument);
  CHECK(rng == Rng(19));
}
