#include <catch.h>

#include <cmath>
#include <noiseaware/math/normal.hpp>
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
struct CdfCase {
  double x, cdf, log_cdf;
};

}  // namespace

// Reference values: Python's mpmath with 60 digits; erfc(-x/sqrt(2))/2 for the
// distribution function (beyond -30 its continued fraction), findroot for the
// quantile. In R: pnorm(x), pnorm(x, log.p = TRUE), qnorm(p).

TEST_CASE("normal_cdf and its logarithm agree with mpmath in relative terms") {
  for (const CdfCase& t :
       std::vector<CdfCase>{{-37.5, 4.6053530095819548438e-308, -707.66898931750719107},
                            {-30.0, 4.9067139271481870595e-198, -454.32124395634319711},
                            {-20.25, 1.7761998649495700309e-91, -208.96076728764923992},
                            {-10.1, 2.7621094717645167894e-24, -54.246047542693631266},
                            {-5.0, 2.8665157187919391167e-7, -15.064998393988725736},
                            {-3.0, 0.0013498980316300945267, -6.6077262215103495433},
                            {-2.999, 0.0013543365337271061616, -6.6044435875705801746},
                            {-2.0, 0.0227501319481792072, -3.7831843336820319488},
                            {-1.0, 0.15865525393145705141, -1.8410216450092635058},
                            {-0.1, 0.46017216272297101633, -0.77615459273027332557},
                            {0.0, 0.5, -0.69314718055994530942},
                            {0.3, 0.61791142218895263307, -0.48141016158848120517},
                            {1.96, 0.97500210485177956379, -0.025315649164282114853},
                            {3.5, 0.99976737092096447496, -0.00023265614137680455218},
                            {6.0, 0.99999999901341235496, -9.8658764552437573169e-10},
                            {8.0, 0.9999999999999993779, -6.2209605742717860585e-16}}) {
    INFO("x = " << t.x);
    CHECK(relative_error(normal_cdf(t.x), t.cdf) < 1e-14);
    CHECK(relative_error(log_normal_cdf(t.x), t.log_cdf) < 1e-14);
  }
  for (const One& t : std::vector<One>{{-38.5, -745.69527029041108133},
                                       {-100.0, -5005.5242086942050886},
                                       {-1e4, -50000010.129278915181},
                                       {-1e8, -5000000000000019.3396},
                                       {-1e100, -5.000000000000000159e+199}})
    CHECK(relative_error(log_normal_cdf(t.x), t.value) < 1e-14);
}

TEST_CASE("the ends of the normal distribution") {
  CHECK(normal_cdf(-kInf) == 0.0);
  CHECK(normal_cdf(-41.0) == 0.0);
  CHECK(normal_cdf(kInf) == 1.0);
  CHECK(log_normal_cdf(-kInf) == -kInf);
  CHECK(log_normal_cdf(kInf) == 0.0);
  CHECK(normal_quantile(0.0) == -kInf);
  CHECK(normal_quantile(1.0) == kInf);
  CHECK(normal_quantile(0.5) == 0.0);
}

TEST_CASE("log_mills_ratio agrees with mpmath") {
  for (const One& t : std::vector<One>{{-30.0, 450.91893853320467274},
                                       {-5.0, 13.418938246553059778},
                                       {-1.0, 1.2461847541812228523},
                                       {0.0, 0.22579135264472743236},
                                       {0.5, -0.1319732283889458671},
                                       {1.0, -0.42208311180459076399},
                                       {2.9, -1.1601197017427459359},
                                       {3.0, -1.1887876883056768015},
                                       {4.5, -1.5484812025084059238},
                                       {5.0, -1.6460598607840529943},
                                       {10.0, -2.3123466173077978366},
                                       {100.0, -4.6052701610004158845},
                                       {1e8, -18.420680743952365572}}) {
    INFO("x = " << t.x);
    CHECK(relative_error(log_mills_ratio(t.x), t.value) < 1e-14);
  }
}

TEST_CASE("normal_quantile agrees with mpmath") {
  for (const One& t : std::vector<One>{{5e-324, -38.467405617144346251},
                                       {1e-300, -37.047096299361199237},
                                       {1e-100, -21.273453560965324294},
                                       {1e-20, -9.2623400897984075796},
                                       {1e-10, -6.3613409024040561991},
                                       {1e-5, -4.2648907939228246102},
                                       {0.001, -3.0902323061678135354},
                                       {0.025, -1.9599639845400542118},
                                       {0.074, -1.4466320671589785099},
                                       {0.075, -1.4395314709384559349},
                                       {0.076, -1.4325027208258116188},
                                       {0.25, -0.6744897501960817432},
                                       {0.6, 0.25334710313579974132},
                                       {0.9, 1.2815515655446005935},
                                       {0.925, 1.4395314709384562291},
                                       {0.926, 1.446632067158978807},
                                       {0.975, 1.9599639845400538556},
                                       {0.999999, 4.7534243088170877657},
                                       {1 - 0x1p-53, 8.2095361516013868556}}) {
    INFO("p = " << t.x);
    CHECK(relative_error(normal_quantile(t.x), t.value) < 2e-15);
  }
}

TEST_CASE("normal_quantile inverts normal_cdf") {
  // Steps off the binary grid, over every branch of both functions.
  for (double x = -37.03; x < 5.0; x += 0.37)
    CHECK(std::abs(normal_quantile(normal_cdf(x)) - x) < 1e-9 * (x > 0.0 ? 1.0 : 1e-4));
}

TEST_CASE("normal functions refuse NaN and what is no probability") {
  CHECK_THROWS_AS(normal_cdf(kNaN), std::invalid_argument);
  CHECK_THROWS_AS(log_normal_cdf(kNaN), std::invalid_argument);
  for (const double bad : {kNaN, kInf, -kInf})
    CHECK_THROWS_AS(log_mills_ratio(bad), std::invalid_argument);
  for (const double bad : oracles::not_probability())
    CHECK_THROWS_AS(normal_quantile(bad), std::invalid_argument);
}
