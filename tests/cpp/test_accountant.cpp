#include <cmath>
#include <noiseaware/noise/accountant.hpp>
#include <noiseaware/noise/compose.hpp>
#include <noiseaware/noise/discrete_gaussian_delta.hpp>
#include <stdexcept>
#include <vector>

#include "catch_int128.hpp"

using noiseaware::compose_parallel_add_remove;
using noiseaware::compose_parallel_replace_one;
using noiseaware::compose_sequential;
using noiseaware::discrete_gaussian_delta;
using noiseaware::gdp_delta;
using noiseaware::gdp_epsilon;
using noiseaware::gdp_mu;
using noiseaware::u128;
using noiseaware::zcdp_delta;
using noiseaware::zcdp_epsilon;

namespace {

Approx digits13(double x) { return Approx(x).epsilon(2e-13); }

}  // namespace

// Vectors by mpmath with 40 digits or more.
TEST_CASE("delta of the Gaussian mechanism") {
  CHECK(gdp_delta(1, 1) == digits13(0.12693673750664));
  CHECK(gdp_delta(0, 1) == digits13(0.38292492254803));
  CHECK(gdp_delta(0.5, 0.25) == digits13(0.0027088802183182));
  CHECK(gdp_delta(3, 1.5) == digits13(0.04579962918681));
  CHECK(gdp_delta(8, 2) == digits13(0.00049540173893875));
  CHECK(gdp_delta(0.001, 0.001) == digits13(0.000083357132125208491812));
  CHECK(gdp_delta(20, 1) == digits13(2.6647067053654976526e-86));
}

TEST_CASE("delta of the Gaussian mechanism where e^epsilon overflows or terms cancel") {
  CHECK(gdp_delta(800, 25) == Approx(3.078695897141969562e-85).epsilon(1e-12));
  CHECK(gdp_delta(1000, 40) == Approx(2.5362965149565508754e-7).epsilon(1e-12));
  CHECK(gdp_delta(0, 1e-6) == Approx(3.9894228040141605534e-7).epsilon(1e-9));
  CHECK(gdp_delta(1, 0) == 0.0);
  CHECK(gdp_delta(1, 1e-200) == 0.0);
  CHECK(gdp_delta(1, 1e200) == 1.0);
}

TEST_CASE("epsilon of the Gaussian mechanism") {
  CHECK(gdp_epsilon(1e-5, 1) == digits13(4.3771780956812));
  CHECK(gdp_epsilon(1e-6, 0.5) == digits13(2.2540846502197));
  CHECK(gdp_epsilon(1e-8, 2) == digits13(12.749246399636));
  CHECK(gdp_epsilon(1e-5, 0.1) == digits13(0.34066936468433));
  CHECK(gdp_epsilon(0.4, 1) == 0.0);
  CHECK(gdp_epsilon(1e-5, 0) == 0.0);
}

TEST_CASE("mu of an epsilon and a delta is the reciprocal of the analytic sigma") {
  CHECK(1 / gdp_mu(1, 1e-5) == digits13(3.7306316348159));
  CHECK(1 / gdp_mu(0.5, 1e-6) == digits13(8.057618480725));
  CHECK(1 / gdp_mu(0.1, 1e-5) == digits13(30.749566131977));
  CHECK(1 / gdp_mu(2, 1e-9) == digits13(2.8445470734957));
  CHECK(1 / gdp_mu(5, 1e-5) == digits13(0.89186826495152));
  CHECK(1 / gdp_mu(10, 1e-10) == digits13(0.68304396722748));
  CHECK(1 / gdp_mu(0.01, 1e-8) == digits13(412.35694207972));
}

TEST_CASE("epsilon and mu invert delta on the safe side") {
  for (const double mu : {0.01, 0.3, 1.0, 4.0})
    for (const double delta : {1e-12, 1e-6, 1e-3}) {
      const double epsilon = gdp_epsilon(delta, mu);
      CHECK(gdp_delta(epsilon, mu) <= delta);
      CHECK(gdp_delta(epsilon * (1 - 1e-9), mu) > delta);
      CHECK(gdp_mu(epsilon, delta) == Approx(mu).epsilon(1e-9));
    }
}

TEST_CASE("delta of zero-concentrated privacy") {
  CHECK(zcdp_delta(0.5, 4) == digits13(1.9579541695772e-4));
  CHECK(zcdp_delta(0.1, 1) == digits13(8.9332457718184e-3));
  CHECK(zcdp_delta(0.005, 0.3) == digits13(1.5032310195748e-4));
  CHECK(zcdp_delta(0, 1) == 0.0);
  CHECK(zcdp_delta(100, 0) == 1.0);
  CHECK(zcdp_delta(1e-310, 1) == 0.0);
}

TEST_CASE("epsilon of zero-concentrated privacy") {
  CHECK(zcdp_epsilon(0.5, 1e-6) == digits13(5.2215344445302));
  CHECK(zcdp_epsilon(0.1, 1e-5) == digits13(1.9142388320036));
  CHECK(zcdp_epsilon(0.005, 1e-9) == digits13(0.56489328430204));
  CHECK(zcdp_epsilon(1, 1e-10) == digits13(10.034343581348));
  CHECK(zcdp_epsilon(0, 1e-10) == 0.0);
}

TEST_CASE("the Gaussian number is smaller than the concentrated one") {
  for (const double mu : {0.1, 1.0, 2.0})
    CHECK(gdp_epsilon(1e-6, mu) < zcdp_epsilon(noiseaware::zcdp_from_gdp(mu), 1e-6));
  CHECK(noiseaware::zcdp_from_gdp(2) == 2.0);
  CHECK(noiseaware::zcdp_from_pure(3) == 4.5);
}

TEST_CASE("exact delta of the discrete Gaussian") {
  CHECK(discrete_gaussian_delta(1, 1, 1) == Approx(0.141351339406).epsilon(1e-11));
  CHECK(discrete_gaussian_delta(4, 1, 0.5) == Approx(0.0540072236942).epsilon(1e-11));
  CHECK(discrete_gaussian_delta(9, 1, 0.5) == Approx(0.0119156543912).epsilon(1e-11));
  CHECK(discrete_gaussian_delta(100, 1, 0.1) == Approx(0.00876235392395).epsilon(1e-11));
  CHECK(discrete_gaussian_delta(10000, 10, 0.1) == Approx(0.00875155642993).epsilon(1e-11));
}

TEST_CASE("exact delta of the discrete Gaussian by enumeration of both distributions") {
  for (const double variance : {0.3, 1.0, 2.5})
    for (const int shift : {1, 3, 50}) {
      double normaliser = 0.0, delta = 0.0;
      const auto weight = [&](double x) { return std::exp(-0.5 * x * x / variance); };
      for (int x = -200; x <= 200; ++x) normaliser += weight(x);
      for (int x = -200; x <= 200; ++x)
        delta += std::fmax(0.0, weight(x) - std::exp(0.7) * weight(x + shift)) / normaliser;
      CHECK(discrete_gaussian_delta(variance, shift, 0.7) == Approx(delta).epsilon(1e-12));
    }
}

TEST_CASE("the discrete Gaussian is within its concentrated bound on any grid") {
  for (const double variance : {0.5, 1.0, 4.0, 100.0})
    for (const double epsilon : {0.2, 1.0, 3.0})
      CHECK(discrete_gaussian_delta(variance, 1, epsilon) <=
            zcdp_delta(1 / (2 * variance), epsilon));
}

TEST_CASE("costs of releases from the same records add") {
  const u128 tenth = 100000000000;
  CHECK(compose_sequential(std::vector<u128>(10, tenth)) == 10 * tenth);
  CHECK(compose_sequential({}) == 0);
  CHECK_THROWS_AS(compose_sequential({~static_cast<u128>(0), 1}), std::domain_error);
  CHECK(noiseaware::gdp_compose({3, 4}) == 5.0);
  CHECK(noiseaware::gdp_compose({}) == 0.0);
}

TEST_CASE("costs of releases from disjoint groups") {
  CHECK(compose_parallel_add_remove({1, 5, 3}) == 5);
  CHECK(compose_parallel_add_remove({}) == 0);
  // A record that moves costs the two largest add-remove costs, 5 + 3.
  CHECK(compose_parallel_replace_one({2, 6, 4}, {1, 5, 3}) == 8);
  // A replacement within a group may cost more than a move.
  CHECK(compose_parallel_replace_one({2, 10, 4}, {1, 5, 3}) == 10);
  CHECK(compose_parallel_replace_one({7}, {5}) == 7);
  CHECK(compose_parallel_replace_one({}, {}) == 0);
  CHECK_THROWS_AS(compose_parallel_replace_one({1, 2}, {1}), std::invalid_argument);
}

TEST_CASE("bad arguments of the accountant are refused") {
  for (const double bad : {-1.0, double(NAN), double(INFINITY)}) {
    CHECK_THROWS_AS(gdp_delta(bad, 1), std::invalid_argument);
    CHECK_THROWS_AS(gdp_delta(1, bad), std::invalid_argument);
    CHECK_THROWS_AS(gdp_epsilon(0.1, bad), std::invalid_argument);
    CHECK_THROWS_AS(gdp_mu(bad, 0.1), std::invalid_argument);
    CHECK_THROWS_AS(noiseaware::gdp_compose({1, bad}), std::invalid_argument);
    CHECK_THROWS_AS(zcdp_delta(bad, 1), std::invalid_argument);
    CHECK_THROWS_AS(zcdp_delta(1, bad), std::invalid_argument);
    CHECK_THROWS_AS(zcdp_epsilon(bad, 0.1), std::invalid_argument);
    CHECK_THROWS_AS(noiseaware::zcdp_from_pure(bad), std::invalid_argument);
    CHECK_THROWS_AS(noiseaware::zcdp_from_gdp(bad), std::invalid_argument);
    CHECK_THROWS_AS(discrete_gaussian_delta(bad, 1, 1), std::invalid_argument);
    CHECK_THROWS_AS(discrete_gaussian_delta(1, bad, 1), std::invalid_argument);
    CHECK_THROWS_AS(discrete_gaussian_delta(1, 1, bad), std::invalid_argument);
  }
  for (const double bad : {0.0, 1.0, -0.1, double(NAN)}) {
    CHECK_THROWS_AS(gdp_epsilon(bad, 1), std::invalid_argument);
    CHECK_THROWS_AS(gdp_mu(1, bad), std::invalid_argument);
    CHECK_THROWS_AS(zcdp_epsilon(1, bad), std::invalid_argument);
  }
  CHECK_THROWS_AS(discrete_gaussian_delta(1, 1.5, 1), std::invalid_argument);
  CHECK_THROWS_AS(discrete_gaussian_delta(1e13, 1, 1), std::domain_error);
}

TEST_CASE("a search that has no end says so") {
  CHECK_THROWS_AS(noiseaware::double_until([](double) { return false; }), std::domain_error);
  CHECK(noiseaware::bisect(0, 4, [](double x) { return x * x >= 2; }) ==
        Approx(std::sqrt(2.0)).epsilon(1e-15));
}
