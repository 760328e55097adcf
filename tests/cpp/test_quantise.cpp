#include <catch.h>

#include <cmath>
#include <limits>
#include <noiseaware/tally/columns.hpp>
#include <noiseaware/tally/quantise.hpp>

using noiseaware::CellGrid;
using noiseaware::CodeView;
using noiseaware::NumberView;

namespace {

const double inf = std::numeric_limits<double>::infinity();
const double nan_value = std::numeric_limits<double>::quiet_NaN();

}  // namespace

TEST_CASE("every double is mapped to a point of the grid") {
  // [-4, 4] with steps of 2^-2: lower -16, upper 16, centre 0, missing at 3.
  const CellGrid grid(-16, 16, 0, 2, 12);
  CHECK(grid(0.25) == 1);
  CHECK(grid(0.374) == 1);
  CHECK(grid(0.375) == 2);  // ties go up
  CHECK(grid(-0.375) == -1);
  CHECK(grid(4.0) == 16);
  CHECK(grid(1e308) == 16);
  CHECK(grid(inf) == 16);
  CHECK(grid(-inf) == -16);
  CHECK(grid(-5e-324) == 0);
  CHECK(grid(nan_value) == 12);
}

TEST_CASE("the largest double below a half step rounds to nothing") {
  // 0.49999999999999994 + 0.5 is 1 in floating point.
  const CellGrid grid(-16, 16, 0, 0, 0);
  CHECK(grid(0.49999999999999994) == 0);
  CHECK(grid(-0.49999999999999994) == 0);
  CHECK(grid(0.5) == 1);
  CHECK(grid(-0.5) == 0);
}

TEST_CASE("coarse grids do not underflow and centres are subtracted") {
  const CellGrid grid(0, 1024, 512, -6, 512);  // [0, 65536] in steps of 64
  CHECK(grid(0.0) == -512);
  CHECK(grid(5e-324) == -512);
  CHECK(grid(64.0) == -511);
  CHECK(grid(65536.0) == 512);
  CHECK(grid(nan_value) == 0);
  CHECK(grid.outside(65537.0));
  CHECK_FALSE(grid.outside(65536.0));
  CHECK_FALSE(grid.outside(nan_value));
}

TEST_CASE("quantising agrees with long division on random doubles") {
  const CellGrid grid(-1048576, 1048576, 0, 18, 0);
  std::uint64_t state = 1;
  for (int i = 0; i < 20000; ++i) {
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    const double x = (static_cast<double>(state >> 11) * 0x1p-53 - 0.5) * 10.0;
    const double clamped = std::fmax(-4.0, std::fmin(4.0, x));
    CHECK(grid(x) == std::floor(std::ldexp(clamped, 18) + 0.5));
  }
}

TEST_CASE("grids that break the proofs are refused") {
  CHECK_THROWS_AS(CellGrid(1, 1, 1, 0, 1), std::invalid_argument);
  CHECK_THROWS_AS(CellGrid(2, 1, 1, 0, 1), std::invalid_argument);
  CHECK_THROWS_AS(CellGrid(0, 4, 5, 0, 1), std::invalid_argument);
  CHECK_THROWS_AS(CellGrid(0, 4, 2, 0, 9), std::invalid_argument);
  CHECK_THROWS_AS(CellGrid(0, 4194304, 2097152, 0, 0), std::invalid_argument);
  CHECK_THROWS_AS(CellGrid(9e15, 9e15 + 4, 9e15 + 2, 0, 9e15), std::invalid_argument);
  CHECK_THROWS_AS(CellGrid(nan_value, 4, 2, 0, 2), std::invalid_argument);
}

TEST_CASE("columns are read as they are stored") {
  const int numbers[] = {7, -2147483647 - 1, 3};
  const NumberView view(numbers, -2147483647 - 1);
  CHECK(view[0] == 7.0);
  CHECK(std::isnan(view[1]));
  const int levels[] = {1, 2, 3, -2147483647 - 1, 99};
  const CodeView codes(levels, 1, {2, -1, 0}, 1);
  CHECK(codes[0] == 2);
  CHECK(codes[1] == 1);  // a level of the data that was not declared
  CHECK(codes[2] == 0);
  CHECK(codes[3] == 1);  // missing
  CHECK(codes[4] == 1);  // out of the table
}
