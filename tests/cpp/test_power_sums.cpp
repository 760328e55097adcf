#include <catch.h>

#include <cmath>
#include <cstdint>
#include <noiseaware/tally/accumulate.hpp>
#include <noiseaware/tally/power_sums.hpp>
#include <stdexcept>
#include <vector>

using namespace noiseaware;

namespace {

struct Numbers {
  explicit Numbers(std::size_t n, std::size_t p) : columns(p) {
    std::uint64_t state = 3;
    for (std::size_t i = 0; i < n; ++i)
      for (auto& column : columns) {
        state = state * 6364136223846793005ULL + 1442695040888963407ULL;
        column.push_back(static_cast<double>(static_cast<int>(state >> 40) % 20001 - 10000) /
                         4000.0);
      }
  }
  RowBatch batch(std::size_t first, std::size_t last) const {
    RowBatch out;
    out.rows = last - first;
    for (const auto& column : columns) out.numbers.emplace_back(column.data() + first);
    return out;
  }
  RowBatch all() const { return batch(0, columns[0].size()); }
  std::vector<std::vector<double>> columns;
};

MomentPlan power_plan(int degree, std::size_t p) {
  const int bits = power_bits(degree);
  const double reach = std::ldexp(1.0, bits);
  MomentPlan plan;
  plan.degree = degree;
  plan.grids.assign(p, CellGrid(-reach, reach, 0, bits - 1, 0));  // [-2, 2]
  plan.binary_code.assign(p, -1);
  return plan;
}

// All monomials up to a degree of p numbers.
std::vector<PowerTerm> monomials(int degree, int p) {
  std::vector<PowerTerm> out;
  for (int a = 0; a <= p; ++a)
    for (int b = a; b <= p; ++b)
      for (int c = b; c <= p; ++c)
        for (int d = c; d <= p; ++d)
          if (degree == 4 || a == 0) out.push_back({a, b, c, d});
  return out;
}

std::vector<i128> everything(const PowerSums& sums, int p) {
  std::vector<i128> out;
  for (const PowerTerm& term : monomials(sums.degree(), p))
    out.push_back(exact_statistic(sums, term));
  return out;
}

std::vector<PowerSums> tally(const MomentPlan& plan, const RowBatch& batch, int cores) {
  std::vector<PowerSums> sums(1, PowerSums(plan));
  accumulate_parallel(plan, batch, nullptr, cores, sums, NoMonitor());
  return sums;
}

}  // namespace

TEST_CASE("higher moments equal a loop over records") {
  const Numbers data(3000, 3);
  for (const int degree : {3, 4}) {
    const MomentPlan plan = power_plan(degree, 3);
    const auto sums = tally(plan, data.all(), 1);
    int wrong = 0;
    for (const PowerTerm& term : monomials(degree, 3)) {
      i128 expected = 0;
      for (std::size_t i = 0; i < data.columns[0].size(); ++i) {
        i128 product = 1;
        for (const int j : term)
          if (j > 0) {
            const auto column = static_cast<std::size_t>(j - 1);
            product *= static_cast<i128>(plan.grids[column](data.columns[column][i]));
          }
        expected += product;
      }
      const int factors = (term[0] > 0) + (term[1] > 0) + (term[2] > 0) + (term[3] > 0);
      const int shift = factors == 0 ? 20 : factors == 1 ? (degree == 3 ? 6 : 9) : 0;
      wrong += exact_statistic(sums[0], term) == expected * (i128{1} << shift) ? 0 : 1;
    }
    CHECK(wrong == 0);
  }
}

TEST_CASE("higher moments do not depend on threads, chunks or groups") {
  const Numbers data(140000, 2);
  for (const int degree : {3, 4}) {
    const MomentPlan plan = power_plan(degree, 2);
    const auto whole = everything(tally(plan, data.all(), 1)[0], 2);
    CHECK((everything(tally(plan, data.all(), 3)[0], 2) == whole));
    std::vector<PowerSums> chunks(1, PowerSums(plan));
    const std::vector<std::size_t> cuts{0, 1, 257, 5000, 140000};
    for (std::size_t c = 0; c + 1 < cuts.size(); ++c)
      accumulate_parallel(plan, data.batch(cuts[c], cuts[c + 1]), nullptr, 2, chunks, NoMonitor());
    CHECK((everything(chunks[0], 2) == whole));
    std::vector<int> group;
    for (std::size_t i = 0; i < 140000; ++i) group.push_back(static_cast<int>(i % 3));
    const CodeView groups(group.data(), 0, {0, 1, 2}, 0);
    std::vector<PowerSums> parts(3, PowerSums(plan));
    accumulate_parallel(plan, data.all(), &groups, 2, parts, NoMonitor());
    PowerSums total(plan);
    for (const PowerSums& part : parts) total.merge(part);
    CHECK((everything(total, 2) == whole));
  }
}

TEST_CASE("extreme cells of higher moments add up exactly") {
  const std::size_t n = 5000;
  std::vector<double> x(n, 1e9);
  for (const int degree : {3, 4}) {
    const i128 reach = (i128{1} << power_bits(degree)) + 1;
    MomentPlan plan = power_plan(degree, 1);
    const auto q = static_cast<double>(reach);
    plan.grids.assign(1, CellGrid(-q, q, 0, 10, 0));
    RowBatch batch;
    batch.rows = n;
    batch.numbers = {NumberView(x.data())};
    const auto sums = tally(plan, batch, 2);
    const i128 cube = reach * reach * reach * static_cast<i128>(n);
    CHECK((exact_statistic(sums[0], {0, 1, 1, 1}) == cube));
    if (degree == 4) CHECK((exact_statistic(sums[0], {1, 1, 1, 1}) == cube * reach));
  }
}

TEST_CASE("higher moments refuse what would not be exact") {
  MomentPlan plan = power_plan(4, 1);
  CHECK_NOTHROW(PowerSums(plan));
  plan.degree = 2;
  CHECK_THROWS_AS(PowerSums(plan), std::invalid_argument);
  plan.degree = 4;
  plan.grids.assign(1, CellGrid(-2050, 2050, 0, 10, 0));
  CHECK_THROWS_AS(PowerSums(plan), std::invalid_argument);
  plan.degree = 3;
  CHECK_NOTHROW(PowerSums(plan));
  plan.factor_code = {0};
  CHECK_THROWS_AS(PowerSums(plan), std::invalid_argument);
  CHECK_THROWS_AS(PowerSums(power_plan(4, 0)), std::invalid_argument);
  const PowerSums sums(power_plan(3, 2));
  CHECK_THROWS_AS(sums.sum({1, 1, 1, 1}), std::out_of_range);
  CHECK_THROWS_AS(sums.sum({0, 0, 0, 3}), std::out_of_range);
  CHECK_THROWS_AS(sums.sum({0, 0, 2, 1}), std::out_of_range);
}
