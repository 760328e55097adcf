#include <catch.h>

#include <array>
#include <cmath>
#include <noiseaware/math/log_pmf.hpp>
#include <noiseaware/math/special.hpp>
#include <stdexcept>
#include <vector>

#include "oracles.hpp"

using namespace noiseaware;
using oracles::kInf;
using oracles::kNaN;
using oracles::relative_error;

namespace {

struct One {
  double x, value;
};
struct Two {
  double a, b, value;
};
struct Three {
  double a, b, c, value;
};

}  // namespace

// Reference values: Python's mpmath with 60 digits (600 for log_beta), at the
// double nearest to each argument, e.g. nstr(loggamma(mpf(0.1)), 20).

TEST_CASE("log_gamma agrees with mpmath loggamma()") {
  for (const One& t : std::vector<One>{{1e-300, 690.77552789821370518},
                                       {1e-08, 18.420680738180208884},
                                       {0.1, 2.252712651734205902},
                                       {0.49, 0.59224962933526705574},
                                       {0.5, 0.57236494292470008707},
                                       {0.75, 0.20328095143129537148},
                                       {0.999, 0.00057803853289138023817},
                                       {1 + 0x1p-40, -5.2497458900760178148e-13},
                                       {1.25, -0.098271836421813161464},
                                       {1.4616321449683622, -0.1214862905358496081},
                                       {1.5, -0.12078223763524522235},
                                       {2 - 0x1p-40, -3.8452011276437938917e-13},
                                       {2 + 0x1p-30, 3.9374859575069320121e-10},
                                       {2.4, 0.21685932244884157388},
                                       {2.5, 0.28468287047291915963},
                                       {2.6, 0.35741186354897983677},
                                       {3.0, 0.69314718055994530942},
                                       {5.5, 3.9578139676187162939},
                                       {9.75, 12.242204940050762559},
                                       {10.0, 12.801827480081469611},
                                       {10.5, 13.940625219403763633},
                                       {42.0, 114.03421178146170323},
                                       {1e3, 5905.2204232091812118},
                                       {1e10, 220258509288.81058147},
                                       {1e100, 2.2925850929940457206e+102},
                                       {1e300, 6.8977552789821374147e+302}}) {
    INFO("x = " << t.x);
    CHECK(relative_error(log_gamma(t.x), t.value) < 1e-14);
  }
  CHECK(log_gamma(1.0) == 0.0);
  CHECK(log_gamma(2.0) == 0.0);
  CHECK(log_gamma(1e308) == kInf);
}

TEST_CASE("log_beta agrees with mpmath, small and huge arguments together") {
  for (const Two& t : std::vector<Two>{{1e-300, 1e300, 690.77552789821370518},
                                       {1e-10, 1e10, 23.025850927580150144},
                                       {1e-3, 1e-3, 7.6009008170083473785},
                                       {0.5, 0.5, 1.1447298858494001741},
                                       {2.5, 3.5, -3.3018352699620526098},
                                       {3, 12, -6.9957661563048503514},
                                       {9.5, 1e10, -207.0562504176745715},
                                       {0.1, 1e15, -1.2011649877568627707},
                                       {10, 10, -13.736229227036554814},
                                       {12, 25.5, -23.630299733294371614},
                                       {1e5, 1e5, -138633.92706134806235},
                                       {1e10, 20, -421.17713443060964276},
                                       {1e10, 1e12, -56101536032.169689123},
                                       {1e15, 1e15, -1386294361119906.6227},
                                       {1e200, 1e250, -1.1612925464970228064e+202}}) {
    INFO("a = " << t.a << ", b = " << t.b);
    CHECK(relative_error(log_beta(t.a, t.b), t.value) < 1e-14);
    CHECK(log_beta(t.a, t.b) == log_beta(t.b, t.a));
  }
  CHECK(std::abs(log_beta(1.0, 1.0)) < 1e-15);
  // The sum of the arguments overflows, the value -2 x log(2) does not.
  CHECK(relative_error(log_beta(1e308, 1e308), -1.3862943611198906188e308) < 1e-14);
}

TEST_CASE("log_choose agrees with mpmath and with Pascal's triangle") {
  for (const Two& t : std::vector<Two>{{1000, 500, 689.46726156785118008},
                                       {1e6, 1, 13.815510557964274104},
                                       {0x1p53, 0x1p52, 6243314768165340.6147},
                                       {0x1p53, 3, 108.41864223980324886},
                                       {1e15, 999999999999998, 68.384405609261424211}})
    CHECK(relative_error(log_choose(t.a, t.b), t.value) < 1e-14);
  std::vector<double> row{1.0};
  for (int n = 0; n <= 50; ++n) {
    for (int k = 0; k <= n; ++k)
      CHECK(std::abs(log_choose(n, k) - std::log(row[static_cast<std::size_t>(k)])) < 2e-14);
    std::vector<double> next(row.size() + 1, 1.0);
    for (std::size_t k = 1; k < row.size(); ++k) next[k] = row[k - 1] + row[k];
    row = next;
  }
}

TEST_CASE("digamma agrees with mpmath psi()") {
  for (const One& t : std::vector<One>{{1e-300, -9.9999999999999997494e+299},
                                       {1e-05, -100000.57719921567289},
                                       {0.1, -10.423754940411076232},
                                       {0.5, -1.9635100260214234794},
                                       {1.0, -0.57721566490153286061},
                                       {1.5, 0.036489973978576520559},
                                       {2.0, 0.42278433509846713939},
                                       {5.25, 1.5599773364075455522},
                                       {9.99, 2.250700372831201122},
                                       {10.0, 2.2517525890667211076},
                                       {100.5, 4.6051743525818452119},
                                       {1e10, 23.02585092989045684},
                                       {1e300, 690.77552789821370526}}) {
    INFO("x = " << t.x);
    CHECK(relative_error(digamma(t.x), t.value) < 1e-13);
  }
}

TEST_CASE("log1m_exp and log1p_exp agree with mpmath") {
  for (const One& t : std::vector<One>{{1e-300, -690.77552789821370518},
                                       {1e-20, -46.051701859880913735},
                                       {1e-05, -11.512930464966061672},
                                       {0.5, -0.93275212956718857189},
                                       {0.6931471805599453, -0.69314718055994533261},
                                       {0.7, -0.6863410028083851535},
                                       {1.0, -0.45867514538708189102},
                                       {10.0, -4.5400960370489209504e-5},
                                       {40.0, -4.2483542552915890044e-18},
                                       {700.0, -9.8596765437597708567e-305}})
    CHECK(relative_error(log1m_exp(t.x), t.value) < 1e-14);
  for (const One& t : std::vector<One>{{-40.0, 4.2483542552915889863e-18},
                                       {-1.0, 0.31326168751822283405},
                                       {0.0, 0.69314718055994530942},
                                       {1.0, 1.313261687518222834},
                                       {30.0, 30.000000000000093576},
                                       {1e5, 1e5}})
    CHECK(relative_error(log1p_exp(t.x), t.value) < 1e-14);
  CHECK(log1m_exp(0.0) == -kInf);
  CHECK(log1m_exp(kInf) == 0.0);
  CHECK(log1p_exp(kInf) == kInf);
  CHECK(log1p_exp(-kInf) == 0.0);
}

TEST_CASE("log_sum_exp neither overflows nor loses absent terms") {
  CHECK(relative_error(log_sum_exp(1000.0, 1000.0), 1000.69314718055994531) < 1e-15);
  CHECK(relative_error(log_sum_exp(-1000.0, -999.0), -998.68673831248177717) < 1e-15);
  CHECK(log_sum_exp(3.0, -kInf) == 3.0);
  CHECK(log_sum_exp(-kInf, -kInf) == -kInf);
  CHECK(log_sum_exp(kInf, 0.0) == kInf);
  const std::vector<double> logs{std::log(1.0), std::log(2.0), -kInf, std::log(3.0)};
  CHECK(relative_error(log_sum_exp(logs), std::log(6.0)) < 1e-15);
  CHECK(log_sum_exp(std::vector<double>{}) == -kInf);
  CHECK(log_sum_exp(std::array<double, 2>{-kInf, -kInf}) == -kInf);
  CHECK(log_sum_exp(std::array<double, 2>{0.0, kInf}) == kInf);
}

TEST_CASE("log_binomial_pmf agrees with mpmath") {
  // loggamma(n+1) - loggamma(k+1) - loggamma(n-k+1) + k log(p) + (n-k) log1p(-p)
  for (const Three& t : std::vector<Three>{{0, 5, 0.3, -1.7833747196936618153},
                                           {5, 5, 0.3, -6.0198640216296801482},
                                           {2, 5, 0.3, -1.1753853474740234644},
                                           {1, 2, 0.5, -0.69314718055994530942},
                                           {30, 100, 0.3, -2.4443345645329728654},
                                           {60, 100, 0.3, -21.714803599970952772},
                                           {1, 1000, 0.999, -6893.9407689245054742},
                                           {500000, 1e6, 0.5, -7.1335468816268644844},
                                           {300000, 1e6, 0.3, -7.0463702515465391},
                                           {0x1p52, 0x1p53, 0.5, -18.59419163748327816},
                                           {0x1p52 + 1e8, 0x1p53, 0.5, -20.814637686733591176},
                                           {3, 0x1p53, 1e-16, -3.0061621493850429583}}) {
    INFO("k = " << t.a << ", n = " << t.b << ", p = " << t.c);
    CHECK(relative_error(log_binomial_pmf(t.a, t.b, t.c), t.value) < 1e-13);
  }
  CHECK(log_binomial_pmf(0, 7, 0.0) == 0.0);
  CHECK(log_binomial_pmf(1, 7, 0.0) == -kInf);
  CHECK(log_binomial_pmf(7, 7, 1.0) == 0.0);
  CHECK(log_binomial_pmf(6, 7, 1.0) == -kInf);
  CHECK(log_binomial_pmf(0, 0, 0.4) == 0.0);
}

TEST_CASE("log_poisson_pmf agrees with mpmath") {
  // k log(mean) - mean - loggamma(k+1)
  for (const Two& t : std::vector<Two>{{0, 0.5, -0.5},
                                       {1, 0.5, -1.1931471805599453094},
                                       {3, 3.3, -1.5099920638107513303},
                                       {40, 3.3, -65.863740975860015347},
                                       {100, 100, -3.2223569567543533405},
                                       {130, 100.5, -7.3123207671479177855},
                                       {1e12, 1e12, -14.734449091169030179},
                                       {1e12 + 3e6, 1e12, -19.234446091173530171},
                                       {2, 1e-300, -1382.2442029769873557}}) {
    INFO("k = " << t.a << ", mean = " << t.b);
    CHECK(relative_error(log_poisson_pmf(t.a, t.b), t.value) < 1e-13);
  }
  CHECK(log_poisson_pmf(0, 0.0) == 0.0);
  CHECK(log_poisson_pmf(1, 0.0) == -kInf);
}

TEST_CASE("special functions refuse what is outside their domain") {
  for (const double bad : oracles::not_positive()) {
    INFO("bad = " << bad);
    CHECK_THROWS_AS(log_gamma(bad), std::invalid_argument);
    CHECK_THROWS_AS(digamma(bad), std::invalid_argument);
    CHECK_THROWS_AS(log_beta(bad, 1.0), std::invalid_argument);
    CHECK_THROWS_AS(log_beta(1.0, bad), std::invalid_argument);
  }
  for (const double bad : {kNaN, kInf, -1.0, 0.5, 0x1p54}) {
    INFO("bad = " << bad);
    CHECK_THROWS_AS(log_choose(bad, 0.0), std::invalid_argument);
    CHECK_THROWS_AS(log_choose(5.0, bad), std::invalid_argument);
    CHECK_THROWS_AS(log_binomial_pmf(bad, 5.0, 0.5), std::invalid_argument);
    CHECK_THROWS_AS(log_binomial_pmf(0.0, bad, 0.5), std::invalid_argument);
    CHECK_THROWS_AS(log_poisson_pmf(bad, 0.5), std::invalid_argument);
  }
  CHECK_THROWS_AS(log_choose(5.0, 6.0), std::invalid_argument);
  CHECK_THROWS_AS(log_binomial_pmf(6.0, 5.0, 0.5), std::invalid_argument);
  for (const double bad : oracles::not_probability())
    CHECK_THROWS_AS(log_binomial_pmf(1.0, 5.0, bad), std::invalid_argument);
  for (const double bad : {kNaN, kInf, -1.0})
    CHECK_THROWS_AS(log_poisson_pmf(1.0, bad), std::invalid_argument);
  for (const double bad : {kNaN, -1e-300}) CHECK_THROWS_AS(log1m_exp(bad), std::invalid_argument);
  CHECK_THROWS_AS(log1p_exp(kNaN), std::invalid_argument);
  CHECK_THROWS_AS(log_sum_exp(kNaN, 0.0), std::invalid_argument);
  CHECK_THROWS_AS(log_sum_exp(0.0, kNaN), std::invalid_argument);
  CHECK_THROWS_AS(log_sum_exp(std::vector<double>{0.0, kNaN}), std::invalid_argument);
}

TEST_CASE("a refusal names the argument, the condition and the value") {
  CHECK_THROWS_WITH(log_gamma(-2.5), "x must be finite and > 0, not -2.5");
}
