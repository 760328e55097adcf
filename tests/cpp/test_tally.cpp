#include <catch.h>

#include <cstdint>
#include <noiseaware/tally/accumulate.hpp>
#include <noiseaware/tally/statistics.hpp>
#include <stdexcept>
#include <vector>

using namespace noiseaware;

namespace {

// Two numbers in [-4, 4], a binary column and two factors, for any rows.
struct Example {
  std::vector<double> x, y;
  std::vector<int> flag, f, g, group;

  explicit Example(std::size_t n) {
    std::uint64_t state = 7;
    const auto next = [&] {
      state = state * 6364136223846793005ULL + 1442695040888963407ULL;
      return static_cast<int>(state >> 40);
    };
    for (std::size_t i = 0; i < n; ++i) {
      x.push_back((next() % 20001 - 10000) / 2000.0);  // beyond the bounds too
      y.push_back((next() % 20001 - 10000) / 2600.0);
      flag.push_back(next() % 2);
      f.push_back(next() % 3 + 1);
      g.push_back(next() % 4 + 1);
      group.push_back(next() % 3);
    }
  }

  RowBatch batch(std::size_t first, std::size_t last) const {
    RowBatch out;
    out.rows = last - first;
    out.numbers = {NumberView(x.data() + first), NumberView(y.data() + first)};
    out.codes = {CodeView(flag.data() + first, 0, {0, 1}, 0),
                 CodeView(f.data() + first, 1, {0, 1, 2}, 0),
                 CodeView(g.data() + first, 1, {0, 1, 2, -1}, 2)};
    return out;
  }
  RowBatch all() const { return batch(0, x.size()); }
  CodeView groups() const { return CodeView(group.data(), 0, {0, 1, 2}, 0); }
};

MomentPlan example_plan(bool redact = false) {
  MomentPlan plan;
  const double reach = 1048576;
  plan.grids = {CellGrid(-reach, reach, 0, 18, 0), CellGrid(-reach, reach, 0, 18, 0),
                CellGrid(0, 2 * reach, reach, 21, reach)};
  plan.binary_code = {-1, -1, 0};
  plan.binary_low = {0, 0, -reach};
  plan.binary_high = {0, 0, reach};
  plan.factor_code = {1, 2};
  plan.factor_levels = {3, 3};
  plan.redacted_level = {0, 0, 2};
  plan.redact = redact;
  return plan;
}

std::vector<MomentSums> tally(const MomentPlan& plan, const RowBatch& batch, const CodeView* group,
                              std::size_t groups, int cores) {
  std::vector<MomentSums> sums(groups, MomentSums(plan));
  accumulate_parallel(plan, batch, group, cores, sums, NoMonitor());
  return sums;
}

const Atom one{};
Atom number(std::size_t j) { return {Atom::Kind::number, j, 0}; }
Atom level(std::size_t f, std::size_t l) { return {Atom::Kind::level, f, l}; }

// All moments up to degree two, in one list.
std::vector<i128> everything(const MomentSums& sums) {
  std::vector<Atom> atoms{number(0), number(1), number(2)};
  for (std::size_t f = 0; f < 2; ++f)
    for (std::size_t l = 0; l < 3; ++l) atoms.push_back(level(f, l));
  std::vector<i128> out{exact_statistic(sums, MomentTerm{one, one})};
  for (const Atom& a : atoms) out.push_back(exact_statistic(sums, MomentTerm{one, a}));
  for (std::size_t i = 0; i < atoms.size(); ++i)
    for (std::size_t j = i; j < atoms.size(); ++j) {
      const bool same_block = atoms[i].kind == Atom::Kind::level &&
                              atoms[j].kind == Atom::Kind::level &&
                              atoms[i].column == atoms[j].column;
      if (!same_block) out.push_back(exact_statistic(sums, MomentTerm{atoms[i], atoms[j]}));
    }
  return out;
}

}  // namespace

TEST_CASE("sums equal a loop over records") {
  const Example data(3000);
  const MomentPlan plan = example_plan();
  const auto sums = tally(plan, data.all(), nullptr, 1, 1);
  i128 sx = 0, sxy = 0, xflag = 0, x_f1 = 0, f1_g2 = 0, unknown = 0;
  const i128 unit = i128{1} << 20;
  for (std::size_t i = 0; i < data.x.size(); ++i) {
    const auto qx = static_cast<i128>(plan.grids[0](data.x[i]));
    const auto qy = static_cast<i128>(plan.grids[1](data.y[i]));
    const int g = data.g[i] == 4 ? 2 : data.g[i] - 1;  // the undeclared fourth level
    sx += qx;
    sxy += qx * qy;
    xflag += qx * (data.flag[i] == 1 ? 1048576 : -1048576);
    if (data.f[i] == 2) x_f1 += qx * unit;
    if (data.f[i] == 2 && g == 2) f1_g2 += unit * unit;
    if (g == 2) unknown += unit;
  }
  CHECK((exact_statistic(sums[0], MomentTerm{one, one}) == 3000 * unit));
  CHECK((exact_statistic(sums[0], MomentTerm{one, number(0)}) == sx));
  CHECK((exact_statistic(sums[0], MomentTerm{number(0), number(1)}) == sxy));
  CHECK((exact_statistic(sums[0], MomentTerm{number(1), number(0)}) == sxy));
  CHECK((exact_statistic(sums[0], MomentTerm{number(0), number(2)}) == xflag));
  CHECK((exact_statistic(sums[0], MomentTerm{number(0), level(0, 1)}) == x_f1));
  CHECK((exact_statistic(sums[0], MomentTerm{level(0, 1), number(0)}) == x_f1));
  CHECK((exact_statistic(sums[0], MomentTerm{level(0, 1), level(1, 2)}) == f1_g2));
  CHECK((exact_statistic(sums[0], MomentTerm{level(1, 2), level(0, 1)}) == f1_g2));
  CHECK((exact_statistic(sums[0], MomentTerm{one, level(1, 2)}) == unknown));
}

TEST_CASE("sums do not depend on threads or chunks") {
  const Example data(200000);
  const MomentPlan plan = example_plan();
  const auto whole = everything(tally(plan, data.all(), nullptr, 1, 1)[0]);
  CHECK((everything(tally(plan, data.all(), nullptr, 1, 3)[0]) == whole));
  std::vector<MomentSums> chunks(1, MomentSums(plan));
  for (std::size_t at : {0, 1, 777, 5000}) {
    const std::size_t next = at == 0 ? 1 : at == 1 ? 777 : at == 777 ? 5000 : 200000;
    accumulate_parallel(plan, data.batch(at, next), nullptr, 2, chunks, NoMonitor());
  }
  CHECK((everything(chunks[0]) == whole));
}

TEST_CASE("groups add up to the whole") {
  const Example data(20000);
  const MomentPlan plan = example_plan();
  const CodeView groups = data.groups();
  auto parts = tally(plan, data.all(), &groups, 3, 2);
  MomentSums total(plan);
  for (const auto& part : parts) {
    CHECK((part.n() > 6000));
    total.merge(part);
  }
  CHECK((everything(total) == everything(tally(plan, data.all(), nullptr, 1, 1)[0])));
}

TEST_CASE("a redacted row becomes the centre and the unknown level") {
  Example data(2);
  data.x = {1.0, 5.0};
  data.y = {1.0, 1.0};
  data.flag = {1, 1};
  data.f = {2, 2};
  data.g = {1, 1};
  const auto sums = tally(example_plan(true), data.all(), nullptr, 1, 1);
  const i128 unit = i128{1} << 20;
  CHECK((exact_statistic(sums[0], MomentTerm{one, one}) == 2 * unit));
  CHECK((exact_statistic(sums[0], MomentTerm{one, number(0)}) == 262144));
  CHECK((exact_statistic(sums[0], MomentTerm{one, number(1)}) == 262144));
  CHECK((exact_statistic(sums[0], MomentTerm{one, number(2)}) == 0));  // one yes, one unknown = no
  CHECK((exact_statistic(sums[0], MomentTerm{one, level(0, 0)}) == unit));
  CHECK((exact_statistic(sums[0], MomentTerm{one, level(0, 1)}) == unit));
  CHECK((exact_statistic(sums[0], MomentTerm{one, level(1, 2)}) == unit));
}

TEST_CASE("extreme cells add up exactly over many blocks") {
  const std::size_t n = 5000;
  std::vector<double> x(n, 4.0);
  MomentPlan plan = example_plan();
  plan.binary_code = {-1};
  plan.factor_code.clear();
  plan.factor_levels.clear();
  plan.grids.assign(1, CellGrid(-1048577, 1048577, 0, 18, 0));
  RowBatch batch;
  batch.rows = n;
  batch.numbers = {NumberView(x.data())};
  x.assign(n, 1e9);
  const auto sums = tally(plan, batch, nullptr, 1, 1);
  CHECK((sums[0].number_number(0, 0) == static_cast<i128>(n) * 1048577 * 1048577));
}

TEST_CASE("degree one keeps sums only") {
  const Example data(100);
  MomentPlan plan = example_plan();
  plan.products = false;
  const auto sums = tally(plan, data.all(), nullptr, 1, 1);
  const auto full = tally(example_plan(), data.all(), nullptr, 1, 1);
  CHECK((sums[0].number(1) == full[0].number(1)));
  CHECK((sums[0].level(0, 1) == full[0].level(0, 1)));
  CHECK_THROWS_AS(sums[0].number_number(0, 0), std::out_of_range);
}

TEST_CASE("tables count every cell") {
  const Example data(70000);
  TablePlan plan;
  plan.columns = {{0, -1, 2}, {1, -1, 3}, {-1, 0, 9}};
  plan.grids = {CellGrid(-4, 4, -4, 0, 0)};
  plan.cliques = {{0}, {0, 1}, {2}};
  RowBatch batch = data.all();
  batch.numbers = {NumberView(data.x.data())};
  const CodeView groups = data.groups();
  std::vector<TableSums> one_pass(1, TableSums(plan)), grouped(3, TableSums(plan));
  accumulate_parallel(plan, batch, nullptr, 2, one_pass, NoMonitor());
  accumulate_parallel(plan, batch, &groups, 1, grouped, NoMonitor());
  std::vector<i128> expected(6, 0), counts(9, 0);
  for (std::size_t i = 0; i < data.x.size(); ++i) {
    ++expected[static_cast<std::size_t>(data.flag[i] + 2 * (data.f[i] - 1))];
    ++counts[static_cast<std::size_t>(CellGrid(-4, 4, -4, 0, 0)(data.x[i]))];
  }
  for (std::size_t cell = 0; cell < 6; ++cell)
    CHECK((one_pass[0].count(1, cell) == expected[cell]));
  for (std::size_t cell = 0; cell < 9; ++cell) CHECK((one_pass[0].count(2, cell) == counts[cell]));
  CHECK((exact_statistic(one_pass[0], TableCell{-1, 0}) == (i128{70000} << 20)));
  CHECK((exact_statistic(one_pass[0], TableCell{0, 1}) ==
         (expected[1] + expected[3] + expected[5]) * (i128{1} << 20)));
  i128 total = 0;
  for (const auto& part : grouped) total += part.n();
  CHECK((total == 70000));
}

TEST_CASE("a monitor that throws stops the tally") {
  const Example data(400000);
  std::vector<MomentSums> sums(1, MomentSums(example_plan()));
  const auto interrupt = [](const Progress&) { throw std::runtime_error("interrupt"); };
  CHECK_THROWS_AS(accumulate_parallel(example_plan(), data.all(), nullptr, 2, sums, interrupt),
                  std::runtime_error);
}

TEST_CASE("an exact answer can be moved but not copied") {
  ExactAnswer answer(3, {1, 2});
  const ExactAnswer moved(std::move(answer));
  CHECK((moved.n() == 3));
  CHECK((moved.sums().at(1) == 2));
  CHECK_FALSE(std::is_copy_constructible<ExactAnswer>::value);
}
