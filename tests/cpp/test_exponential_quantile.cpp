#include <catch.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <noiseaware/noise/exponential_quantile.hpp>
#include <noiseaware/rng/chacha20.hpp>
#include <noiseaware/tally/points.hpp>
#include <vector>

#include "catch_int128.hpp"
#include "near.hpp"
#include "oracles.hpp"

using namespace noiseaware;

namespace {

//! Probabilities of every point from the definition: no runs, no sorting, no table.
std::vector<long double> brute_force(const SecretPoints& points, std::int64_t lower,
                                     std::int64_t upper, unsigned thousandths,
                                     std::uint64_t units) {
  const long double factor = static_cast<long double>(half_loss_factor(units)) / 0x1p62L;
  std::vector<long double> out;
  long double total = 0.0L;
  for (std::int64_t g = lower; g <= upper; ++g) {
    std::int64_t below = 0, upto = 0;
    for (std::int64_t point : points) {
      below += point < g ? 1 : 0;
      upto += point <= g ? 1 : 0;
    }
    const std::int64_t rank = std::int64_t{thousandths} * static_cast<std::int64_t>(points.size());
    std::int64_t apart = 0;
    if (1000 * below > rank) apart = 1000 * below - rank;
    if (1000 * upto < rank) apart = rank - 1000 * upto;
    const std::int64_t distance = apart / 1000;
    long double weight = 0x1p62L;
    for (std::int64_t d = 0; d < distance; ++d) weight = std::ceil(weight * factor);
    out.push_back(weight);
    total += weight;
  }
  for (long double& p : out) p /= total;
  return out;
}

std::vector<long double> probabilities(const ExponentialQuantile& quantile) {
  std::vector<long double> out;
  quantile.visit([&](std::int64_t, std::uint64_t width, std::uint64_t weight) {
    out.insert(out.end(), width,
               static_cast<long double>(weight) / static_cast<long double>(quantile.total()));
  });
  return out;
}

struct Setting {
  std::int64_t lower, upper;
  unsigned thousandths;
  std::uint64_t units;
};

std::vector<long double> probabilities(SecretPoints points, const Setting& s) {
  std::sort(points.begin(), points.end());
  return probabilities(ExponentialQuantile(points, s.lower, s.upper, s.thousandths, s.units));
}

//! The largest |log P(g | a) - log P(g | b)| over all g.
long double privacy_loss(const SecretPoints& a, const SecretPoints& b, const Setting& s) {
  const auto pa = probabilities(a, s), pb = probabilities(b, s);
  long double worst = 0.0L;
  for (std::size_t g = 0; g < pa.size(); ++g)
    worst = std::max(worst, std::abs(std::log(pa[g] / pb[g])));
  return worst;
}

//! Neighbours of every kind: one record replaced, added or removed.
template <class Use>
void each_neighbour(const SecretPoints& points, std::int64_t with, std::size_t at, Use use) {
  SecretPoints replaced(points), added(points), removed(points);
  added.push_back(with);
  use(added);
  if (points.empty()) return;
  replaced[at % points.size()] = with;
  use(replaced);
  removed.erase(removed.begin() + static_cast<std::ptrdiff_t>(at % points.size()));
  use(removed);
}

//! Neighbours that use all of epsilon: of 40 records, q lie at the lower end, one
//! two steps above and the rest at the upper end, q being the rank of the quantile.
//! Moving one from end to end takes weight from the point next to the lower end
//! and gives it to nearly all points above.
long double tight_loss(const Setting& s) {
  const std::size_t n = 40, rank = s.thousandths * n / 1000;
  if (rank == 0 || rank == n) return 0.0L;
  SecretPoints a(n, s.upper);
  std::fill_n(a.begin(), rank, s.lower);
  a[rank] = s.lower + 2;
  SecretPoints b(a);
  b[0] = s.upper;
  return privacy_loss(a, b, s);
}

//! The largest loss over random and adversarial data sets and their neighbours.
long double worst_loss(const Setting& s, std::uint64_t seed) {
  ChaCha20Stream source(simulation_key(seed));
  const auto width = static_cast<std::uint64_t>(s.upper - s.lower) + 1;
  const auto anywhere = [&] { return s.lower + static_cast<std::int64_t>(below(source, width)); };
  long double worst = tight_loss(s);
  for (int trial = 0; trial < 60; ++trial) {
    SecretPoints points(static_cast<std::size_t>(below(source, 12)));
    // Spread out, all at one end, split between the ends, or all at one point.
    const auto shape = trial % 4;
    const std::int64_t spot = anywhere();
    for (auto& point : points) {
      point = anywhere();
      if (shape == 1) point = s.lower;
      if (shape == 2) point = point % 2 == 0 ? s.lower : s.upper;
      if (shape == 3) point = spot;
    }
    for (std::int64_t with : {s.lower, s.upper, anywhere()})
      for (std::size_t at : {std::size_t{0}, points.size() / 2, points.size() - 1})
        each_neighbour(points, with, at, [&](const SecretPoints& neighbour) {
          worst = std::max(worst, privacy_loss(points, neighbour, s));
        });
  }
  return worst;
}

}  // namespace

TEST_CASE("exp(-epsilon / 2) is rounded up, by little", "[noise]") {
  // ceil(2^62 exp(-units / 2e12)): mpmath, 60 digits.
  const std::vector<std::pair<std::uint64_t, std::uint64_t>> vectors{
      {1, 4611686018425082061u},
      {1000, 4611686016121544896u},
      {1000000000, 4609380751782861730u},
      {100000000000, 4386771437286673377u},
      {124999999999, 4332278087307121944u},
      {125000000000, 4332278087304955805u},
      {500000000000, 3591584682430698961u},
      {1000000000000, 2797128963144291325u},
      {2000000000000, 1696544475317221319u},
      {30000000000000, 1410725454463u},
      {85000000000000, 2u},
      {100000000000000, 1u},
      {9999999000000000000u, 1u}};
  for (const auto& item : vectors) {
    const std::uint64_t found = half_loss_factor(item.first);
    CHECK(found >= item.second);
    CHECK(static_cast<double>(found - item.second) <= 40.0 + 1e-15 * found);
  }
  CHECK_THROWS_AS(half_loss_factor(0), std::invalid_argument);
}

TEST_CASE("weights never fall faster than exp(-epsilon / 2), nor rise", "[noise]") {
  for (std::uint64_t units : {1ull, 1000000ull, 10000000000ull, 300000000000ull, 2000000000000ull,
                              40000000000000ull, 9000000000000000000ull}) {
    const ExponentialWeights weights(units, 3000);
    const long double most = static_cast<long double>(units) / 2e12L;
    CHECK(weights[0] == std::uint64_t{1} << 62);
    for (std::uint64_t d = 0; d < 3500; ++d) {
      REQUIRE(weights[d + 1] >= 1);
      REQUIRE(weights[d + 1] <= weights[d]);
      const long double loss =
          std::log(static_cast<long double>(weights[d]) / static_cast<long double>(weights[d + 1]));
      REQUIRE(loss <= most * (1.0L + 1e-15L) + 1e-18L);
    }
  }
  // While rounding is far below them, they are the weights of the textbook.
  const ExponentialWeights weights(1000000000000, 40);
  for (std::uint64_t d = 0; d <= 40; ++d)
    CHECK(static_cast<double>(weights[d]) ==
          Approx(std::ldexp(std::exp(-.5 * static_cast<double>(d)), 62)).epsilon(1e-9));
}

TEST_CASE("weights of a quantile against their definition", "[noise]") {
  ChaCha20Stream source(simulation_key(5));
  for (int trial = 0; trial < 200; ++trial) {
    const auto lower = static_cast<std::int64_t>(below(source, 20)) - 10;
    const auto width = 1 + static_cast<std::int64_t>(below(source, 30));
    SecretPoints points(static_cast<std::size_t>(below(source, 15)));
    for (auto& point : points)
      point = lower + static_cast<std::int64_t>(below(source, static_cast<std::uint64_t>(width)));
    const Setting s{lower, lower + width, static_cast<unsigned>(below(source, 1001)),
                    1 + below(source, 3000000000000ull)};
    const auto truth = brute_force(points, s.lower, s.upper, s.thousandths, s.units);
    const auto found = probabilities(points, s);
    REQUIRE(found.size() == truth.size());
    for (std::size_t g = 0; g < truth.size(); ++g)
      REQUIRE(static_cast<double>(found[g]) ==
              near::relative(static_cast<double>(truth[g]), 1e-13));
  }
}

TEST_CASE("a quantile never loses more than epsilon, and the audit can fail", "[noise]") {
  for (std::uint64_t units : {100000000000ull, 1000000000000ull, 4000000000000ull}) {
    const long double epsilon = static_cast<long double>(units) / 1e12L;
    for (unsigned thousandths : {0u, 25u, 500u, 975u, 1000u}) {
      const Setting honest{-5, 14, thousandths, units};
      CHECK(worst_loss(honest, 7) <= epsilon * (1.0L + 1e-15L));
      // At the ends all weights move one way, and only half of epsilon is used.
      if (thousandths == 0 || thousandths == 1000) continue;
      CHECK(worst_loss(honest, 7) > epsilon * .8L);
      // Weights that fall by exp(-epsilon) for every record, as if the sensitivity
      // were one half.
      const Setting mutant{-5, 14, thousandths, 2 * units};
      CHECK(worst_loss(mutant, 7) > epsilon * 1.2L);
    }
  }
}

TEST_CASE("drawn quantiles follow their weights", "[noise]") {
  const SecretPoints points{-3, -3, 0, 1, 1, 1, 4, 9, 9, 12};
  for (unsigned thousandths : {50u, 500u, 990u}) {
    const ExponentialQuantile quantile(points, -5, 14, thousandths, 700000000000);
    const auto truth = brute_force(points, -5, 14, thousandths, 700000000000);
    ChaCha20Stream source(simulation_key(thousandths));
    const int draws = 40000;
    std::vector<std::int64_t> counts(truth.size(), 0);
    for (int i = 0; i < draws; ++i) ++counts[static_cast<std::size_t>(quantile.draw(source) + 5)];
    CHECK(oracles::chi_square_p_value(counts, {truth.begin(), truth.end()}, draws) >
          oracles::kRejects);
  }
}

TEST_CASE("a quantile of no records is uniform", "[noise]") {
  const SecretPoints none;
  const ExponentialQuantile quantile(none, 3, 12, 300, 1000000000000);
  CHECK(quantile.total() == u128{10} << 62);
  ChaCha20Stream source(simulation_key(1));
  std::vector<std::int64_t> counts(10, 0);
  for (int i = 0; i < 20000; ++i) ++counts[static_cast<std::size_t>(quantile.draw(source) - 3)];
  CHECK(oracles::chi_square_p_value(counts, std::vector<double>(10, .1), 20000) >
        oracles::kRejects);
}

TEST_CASE("wide ranges and large epsilon find the quantile", "[noise]") {
  SecretPoints points;
  for (int i = 0; i < 1000; ++i) points.push_back(1000000000000 + 7 * i);
  const std::int64_t far = std::int64_t{1} << 51;
  ChaCha20Stream source(simulation_key(2));
  const ExponentialQuantile median(points, -far, far, 500, 8000000000000);
  for (int i = 0; i < 100; ++i) {
    const std::int64_t drawn = median.draw(source);
    CHECK(drawn > 1000000000000 + 7 * 450);
    CHECK(drawn < 1000000000000 + 7 * 550);
  }
}

TEST_CASE("a value that many records share is found", "[noise]") {
  // All quantiles but the outermost are 5; far from it every point is 60 ranks off.
  SecretPoints points(100, 5);
  ChaCha20Stream source(simulation_key(4));
  for (unsigned thousandths : {400u, 500u, 600u}) {
    const ExponentialQuantile quantile(points, -1000000, 1000000, thousandths, 1000000000000);
    for (int i = 0; i < 50; ++i) CHECK(quantile.draw(source) == 5);
  }
}

TEST_CASE("a uniform number of more than 64 bits", "[noise]") {
  ChaCha20Stream source(simulation_key(3));
  for (u128 n : {u128{1}, u128{7}, (u128{1} << 64) - 1, u128{1} << 64, (u128{1} << 64) + 1,
                 u128{3} << 100, ~u128{0}}) {
    std::vector<std::int64_t> counts(7, 0);
    for (int i = 0; i < 7000; ++i) {
      const u128 drawn = below_wide(source, n);
      REQUIRE(drawn < n);
      // Which seventh of the range, without overflow.
      ++counts[static_cast<std::size_t>(n < 7 ? drawn : std::min<u128>(drawn / (n / 7), 6))];
    }
    if (n >= 7)
      CHECK(oracles::chi_square_p_value(counts, std::vector<double>(7, 1.0 / 7), 7000) >
            oracles::kRejects);
  }
  CHECK_THROWS_AS(below_wide(source, 0), std::invalid_argument);
  struct Stuck {
    std::uint64_t next64() { return ~std::uint64_t{0}; }
  } stuck;
  CHECK_THROWS_AS(below_wide(stuck, (u128{1} << 64) + 1), std::runtime_error);
}

TEST_CASE("what no quantile can be drawn from is refused", "[noise]") {
  const SecretPoints points{1, 2, 3}, unsorted{3, 1};
  const std::uint64_t one = 1000000000000;
  CHECK_THROWS_AS(ExponentialQuantile(points, 5, 5, 500, one), std::invalid_argument);
  CHECK_THROWS_AS(ExponentialQuantile(points, 2, 5, 500, one), std::invalid_argument);
  CHECK_THROWS_AS(ExponentialQuantile(points, 0, 2, 500, one), std::invalid_argument);
  CHECK_THROWS_AS(ExponentialQuantile(unsorted, 0, 5, 500, one), std::invalid_argument);
  CHECK_THROWS_AS(ExponentialQuantile(points, 0, 5, 1001, one), std::invalid_argument);
  CHECK_THROWS_AS(ExponentialQuantile(points, 0, 5, 500, 0), std::invalid_argument);
  CHECK_THROWS_AS(ExponentialQuantile(points, 0, (std::int64_t{1} << 52) + 1, 500, one),
                  std::invalid_argument);
}

TEST_CASE("cells become points by the rule of every column", "[tally]") {
  // Steps of 1/4 from -1 to 3, centre 1, missing cells at 0.5.
  const CellGrid grid(-4, 12, 4, 2, 2);
  ColumnPoints column(grid, 4);
  const std::vector<double> cells{
      .3,  -7.0, 99.0, std::numeric_limits<double>::quiet_NaN(), oracles::kInf, -oracles::kInf,
      1.0, -0.0};
  column.add(NumberView(cells.data()), cells.size());
  const std::vector<int> whole{2, std::numeric_limits<int>::min(), -1};
  column.add(NumberView(whole.data(), std::numeric_limits<int>::min()), whole.size());
  const SecretPoints& points = column.sorted();
  const SecretPoints expected{-4, -4, -4, 0, 1, 2, 2, 4, 8, 12, 12};
  CHECK((points == expected));
  // More cells than one block, and a grid finer than sums allow.
  const double half = 1073741824.0;  // 2^30
  CHECK_THROWS_AS(CellGrid(-half, half, 0, 30, 0), std::invalid_argument);
  ColumnPoints fine(CellGrid(-half, half, 0, 30, 0, half + 1.0), 0);
  std::vector<double> many(10000);
  for (std::size_t i = 0; i < many.size(); ++i) many[i] = std::ldexp(double(i), -30);
  std::reverse(many.begin(), many.end());
  fine.add(NumberView(many.data()), many.size());
  const SecretPoints& sorted = fine.sorted();
  REQUIRE(sorted.size() == many.size());
  for (std::size_t i = 0; i < many.size(); ++i) REQUIRE(sorted[i] == static_cast<std::int64_t>(i));
}
