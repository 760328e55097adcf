#include <catch.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <noiseaware/tally/accumulate.hpp>
#include <noiseaware/tally/statistics.hpp>
#include <stdexcept>
#include <vector>

using namespace noiseaware;

namespace {

using Op = DeriveOp;

DeriveStep in(double i) { return {Op::input, i}; }
DeriveStep number_step(double x) { return {Op::constant, x}; }
DeriveStep apply(Op op, double value = 0) { return {op, value}; }

PublicBounds bounds(const std::vector<DeriveStep>& steps, const std::vector<PublicBounds>& inputs) {
  return DerivedColumn(steps, inputs).bounds();
}

std::vector<double> values(const DerivedColumn& column,
                           const std::vector<std::vector<double>>& inputs) {
  std::vector<double> out(inputs[0].size()), scratch;
  column.evaluate([&](std::size_t i) { return inputs[i].data(); }, out.size(), scratch, out.data());
  return out;
}

void check_interval(PublicBounds found, double lower, double upper) {
  CHECK(found.lower == lower);
  CHECK(found.upper == upper);
}

struct Lcg {
  std::uint64_t state = 11;
  double next(double lower, double upper) {
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    return lower + (upper - lower) * static_cast<double>(state >> 11) * 0x1p-53;
  }
};

}  // namespace

TEST_CASE("bounds of every operation are those of its monotone pieces") {
  const std::vector<PublicBounds> x{{-2, 3}, {4, 5}};
  check_interval(bounds({in(0), in(1), apply(Op::add)}, x), 2, 8);
  check_interval(bounds({in(0), in(1), apply(Op::subtract)}, x), -7, -1);
  check_interval(bounds({in(0), in(1), apply(Op::multiply)}, x), -10, 15);
  check_interval(bounds({in(0), in(1), apply(Op::divide)}, x), -0.5, 0.75);
  check_interval(bounds({in(0), apply(Op::negate)}, x), -3, 2);
  check_interval(bounds({in(0), apply(Op::absolute)}, x), 0, 3);
  check_interval(bounds({in(1), apply(Op::negate), apply(Op::absolute)}, x), 4, 5);
  check_interval(bounds({in(0), apply(Op::power, 2)}, x), 0, 9);
  check_interval(bounds({in(0), apply(Op::power, 3)}, x), -8, 27);
  check_interval(bounds({in(1), apply(Op::power, 2)}, x), 16, 25);
  check_interval(bounds({in(1), apply(Op::negate), apply(Op::power, 4)}, x), 256, 625);
  check_interval(bounds({in(1), apply(Op::square_root)}, x), 2, std::sqrt(5.0));
  check_interval(bounds({in(0), number_step(1), apply(Op::minimum)}, x), -2, 1);
  check_interval(bounds({in(0), number_step(1), apply(Op::maximum)}, x), 1, 3);
  check_interval(bounds({in(0), in(1), apply(Op::less)}, x), 0, 1);
  check_interval(bounds({in(1), apply(Op::log)}, x), std::log(4.0), std::log(5.0));
  check_interval(bounds({in(1), apply(Op::log1p)}, x), std::log1p(4.0), std::log1p(5.0));
  check_interval(bounds({in(1), apply(Op::log2)}, x), 2, std::log2(5.0));
  check_interval(bounds({in(1), apply(Op::log10)}, x), std::log10(4.0), std::log10(5.0));
  check_interval(bounds({in(0), apply(Op::exponential)}, x), std::exp(-2.0), std::exp(3.0));
}

TEST_CASE("what could be undefined within the bounds is refused") {
  const std::vector<PublicBounds> x{{0, 1}, {-1, 1}, {700, 710}, {-2, -1}};
  const auto refused = [&](const std::vector<DeriveStep>& steps) {
    CHECK_THROWS_AS(DerivedColumn(steps, x), std::domain_error);
  };
  refused({in(0), apply(Op::log)});
  refused({in(0), apply(Op::log2)});
  refused({in(0), apply(Op::log10)});
  refused({in(1), apply(Op::log1p)});
  refused({in(3), apply(Op::log)});
  refused({in(1), apply(Op::square_root)});
  refused({number_step(1), in(0), apply(Op::divide)});
  refused({number_step(1), in(1), apply(Op::divide)});
  refused({in(2), apply(Op::exponential)});
  refused({in(2), apply(Op::power, 20), apply(Op::power, 20)});
  refused({number_step(1e200), number_step(1e200), apply(Op::multiply)});
  refused({number_step(std::numeric_limits<double>::infinity())});
  refused({number_step(std::numeric_limits<double>::quiet_NaN())});
  refused({number_step(1), number_step(1e-320), apply(Op::divide)});
  CHECK_NOTHROW(DerivedColumn({in(0), apply(Op::square_root)}, x));
  CHECK_NOTHROW(DerivedColumn({number_step(1), in(3), apply(Op::divide)}, x));
}

TEST_CASE("damaged programs are refused") {
  const std::vector<PublicBounds> x{{0, 1}};
  const auto refused = [&](const std::vector<DeriveStep>& steps) {
    CHECK_THROWS_AS(DerivedColumn(steps, x), std::invalid_argument);
  };
  refused({});
  refused({in(1)});
  refused({in(-1)});
  refused({in(std::numeric_limits<double>::quiet_NaN())});
  refused({in(0), in(0)});
  refused({apply(Op::add)});
  refused({in(0), apply(Op::add)});
  refused({apply(Op::log)});
  refused({in(0), apply(Op::power, 0)});
  refused({in(0), apply(Op::power, 1.5)});
  refused({in(0), apply(Op::power, 21)});
  refused({in(0), apply(Op::power, std::numeric_limits<double>::quiet_NaN())});
  refused(std::vector<DeriveStep>(201, in(0)));
  CHECK_THROWS_AS(DerivedColumn({in(0)}, {{1, 0}}), std::invalid_argument);
}

TEST_CASE("values are those of the definition and lie within the bounds") {
  Lcg rng;
  std::vector<std::vector<double>> x(2);
  const std::vector<PublicBounds> box{{-1.5, 2.25}, {0.1, 7.3}};
  for (std::size_t j = 0; j < 2; ++j) {
    x[j] = {box[j].lower, box[j].upper, box[j].lower, box[j].upper};
    for (int i = 0; i < 2000; ++i) x[j].push_back(rng.next(box[j].lower, box[j].upper));
  }
  x[1][0] = box[1].upper;  // corners of both kinds
  struct Case {
    std::vector<DeriveStep> steps;
    double (*value)(double, double);
  };
  const std::vector<Case> cases{
      {{in(0), in(1), apply(Op::multiply)}, [](double a, double b) { return a * b; }},
      {{in(0), in(1), apply(Op::divide)}, [](double a, double b) { return a / b; }},
      {{in(0), in(1), apply(Op::add), apply(Op::power, 3)},
       [](double a, double b) { return (a + b) * (a + b) * (a + b); }},
      {{in(1), apply(Op::log), in(0), apply(Op::power, 2), apply(Op::subtract)},
       [](double a, double b) { return std::log(b) - a * a; }},
      {{in(0), apply(Op::exponential), apply(Op::log1p), apply(Op::square_root)},
       [](double a, double) { return std::sqrt(std::log1p(std::exp(a))); }},
      {{in(0), in(1), apply(Op::minimum), apply(Op::absolute)},
       [](double a, double b) { return std::fabs(std::fmin(a, b)); }},
      {{in(0), in(1), apply(Op::greater_equal)},
       [](double a, double b) { return a >= b ? 1.0 : 0.0; }},
      {{in(0), number_step(0), apply(Op::not_equal)},
       [](double a, double) { return a != 0 ? 1.0 : 0.0; }}};
  for (const Case& one : cases) {
    const DerivedColumn column(one.steps, box);
    const auto found = values(column, x);
    int wrong = 0, outside = 0;
    for (std::size_t i = 0; i < found.size(); ++i) {
      wrong += found[i] == one.value(x[0][i], x[1][i]) ? 0 : 1;
      outside += column.bounds().contains(found[i]) ? 0 : 1;
    }
    CHECK(wrong == 0);
    CHECK(outside == 0);
  }
}

TEST_CASE("derived columns of rows are evaluated on clamped cells") {
  constexpr double inf = std::numeric_limits<double>::infinity();
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  // x in [0, 4] with missing = 1, flag binary; x is not itself asked for.
  const std::vector<double> x{0.5, -3, 99, inf, -inf, nan, 1e308};
  const std::vector<int> flag{1, 1, 0, 1, 0, 1, 1};
  MomentPlan plan;
  plan.inputs.resize(2);
  plan.inputs[0].number = 0;
  plan.inputs[0].bounds = {0, 4};
  plan.inputs[0].missing = 1;
  plan.inputs[1].code = 0;
  const std::vector<PublicBounds> box{{0, 4}, {0, 1}};
  plan.derived = {
      {0, DerivedColumn({in(0), apply(Op::power, 2), in(1), apply(Op::multiply)}, box), 0.0}};
  plan.grids = {CellGrid(0, 32768, 16384, 11, 16384)};
  plan.binary_code = {derived_code};
  plan.binary_low = {0};
  plan.binary_high = {0};
  RowBatch batch;
  batch.rows = x.size();
  batch.numbers = {NumberView(x.data())};
  batch.codes = {CodeView(flag.data(), 0, {0, 1}, 0)};
  const auto sum = [&] {
    std::vector<MomentSums> sums(1, MomentSums(plan));
    accumulate_parallel(plan, batch, nullptr, 1, sums, NoMonitor());
    return sums[0].number(0);
  };
  // 0.25, 0, 0 (flag), 16, 0, 1, 16 about 8, in steps of 2^-11.
  CHECK((sum() == static_cast<i128>((0.25 + 0 + 0 + 16 + 0 + 1 + 16 - 7 * 8) * 2048)));
  // Redacted: only 0.5 and the missing cell are inside; the rest is the centre.
  plan.redact = true;
  CHECK((sum() == static_cast<i128>((0.25 + 1 - 2 * 8) * 2048)));
}

TEST_CASE("derived sums do not depend on threads or chunks") {
  const std::size_t n = 150000;
  Lcg rng;
  std::vector<double> x, y;
  for (std::size_t i = 0; i < n; ++i) {
    x.push_back(rng.next(-1, 6));
    y.push_back(rng.next(-4, 4));
  }
  MomentPlan plan;
  plan.inputs.resize(2);
  plan.inputs[0] = {0, -1, {0, 5}, 2.5};
  plan.inputs[1] = {1, -1, {-3, 3}, 0};
  const std::vector<PublicBounds> box{{0, 5}, {-3, 3}};
  plan.derived = {{0, DerivedColumn({in(0), apply(Op::log1p)}, box), 0.0},
                  {1, DerivedColumn({in(0), in(1), apply(Op::multiply)}, box), 0.0}};
  plan.grids = {CellGrid(0, 1878723, 939361, 20, 939361), CellGrid(-983040, 983040, 0, 16, 0)};
  plan.binary_code = {derived_code, derived_code};
  plan.binary_low = plan.binary_high = {0, 0};
  const auto batch = [&](std::size_t first, std::size_t last) {
    RowBatch out;
    out.rows = last - first;
    out.numbers = {NumberView(x.data() + first), NumberView(y.data() + first)};
    return out;
  };
  const auto everything = [](const MomentSums& sums) {
    return std::vector<i128>{sums.n(),
                             sums.number(0),
                             sums.number(1),
                             sums.number_number(0, 0),
                             sums.number_number(0, 1),
                             sums.number_number(1, 1)};
  };
  std::vector<MomentSums> one(1, MomentSums(plan)), three(one), chunks(one);
  accumulate_parallel(plan, batch(0, n), nullptr, 1, one, NoMonitor());
  accumulate_parallel(plan, batch(0, n), nullptr, 3, three, NoMonitor());
  const std::vector<std::size_t> cuts{0, 1, 999, 70000, n};
  for (std::size_t c = 0; c + 1 < cuts.size(); ++c)
    accumulate_parallel(plan, batch(cuts[c], cuts[c + 1]), nullptr, 2, chunks, NoMonitor());
  CHECK((everything(three[0]) == everything(one[0])));
  CHECK((everything(chunks[0]) == everything(one[0])));
  i128 by_hand = 0;
  for (std::size_t i = 0; i < n; ++i)
    by_hand += static_cast<i128>(plan.grids[0](std::log1p(std::fmin(std::fmax(x[i], 0.0), 5.0))));
  CHECK((one[0].number(0) == by_hand));
}
