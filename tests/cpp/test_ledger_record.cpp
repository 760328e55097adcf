#include <catch.h>

#include <noiseaware/io/ledger_record.hpp>
#include <string>
#include <variant>
#include <vector>

using namespace noiseaware;

namespace {

const std::string hash(64, 'a');

LedgerRecord record(decltype(LedgerRecord::body) body) { return {7, hash, std::move(body)}; }

LedgerBudget budget() { return {BudgetUnit::gdp, "adults", 5, "1", "1e-05"}; }
SpendRequest spend() { return {BudgetUnit::zcdp, 9999999999999999999u, hash, 5, "gaussian"}; }

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

}  // namespace

TEST_CASE("records have one spelling and survive a round trip") {
  const std::string head = R"({"v":"1","seq":"7","prev":")" + hash + R"(","type":)";
  const std::vector<std::string> lines{
      head + R"("open","unit":"gdp","population":"adults","budget":"5","epsilon":"1",)" +
          R"("delta":"1e-05"})",
      head + R"("spend","unit":"zcdp","cost":"9999999999999999999","query":")" + hash +
          R"(","size":"5","mechanism":"gaussian"})",
      head + R"("note","release":")" + hash + R"("})"};
  CHECK(format_record(record(budget())) == lines[0]);
  CHECK(format_record(record(spend())) == lines[1]);
  CHECK(format_record(record(ReleaseNote{hash})) == lines[2]);
  for (const auto& line : lines) CHECK(format_record(parse_record(line)) == line);
}

TEST_CASE("every field of a parsed spend is the one written") {
  const auto parsed = parse_record(format_record(record(spend())));
  CHECK(parsed.seq == 7);
  CHECK(parsed.prev == hash);
  const auto& body = std::get<SpendRequest>(parsed.body);
  CHECK(body.unit == BudgetUnit::zcdp);
  CHECK(body.cost == 9999999999999999999u);
  CHECK(body.query == hash);
  CHECK(body.size == 5);
  CHECK(body.mechanism == "gaussian");
}

TEST_CASE("lines that format_record() would not write are refused") {
  const std::string line = format_record(record(spend()));
  const std::vector<std::pair<std::string, std::string>> edits{
      {R"("v":"1")", R"("v":"2")"},
      {R"("v":"1",)", ""},
      {R"("seq":"7")", R"("seq":"07")"},
      {R"("seq":"7")", R"("seq":"-7")"},
      {R"("seq":"7")", R"("seq":"0")"},
      {R"("seq":"7")", R"("seq":7)"},
      {"spend", "open"},
      {"spend", "refund"},
      {"zcdp", "renyi"},
      {"zcdp", "pure"},
      {"gaussian", "cauchy"},
      {R"("cost":"9)", R"("cost":"-9)"},
      {R"("cost":"9)", R"("cost":"09)"},
      {R"("size":"5")", R"("size":"0")"},
      {R"("size":"5")", R"("size":"5.0")"},
      {R"("size":"5",)", R"("size":"5","x":"y",)"},
      {R"("seq":"7",)", R"("seq":"7", )"},
      {R"("size":"5",)", R"("size":"5","size":"5",)"},
      {"\"aaa", "\"AAA"},
      {R"("query":"a)", R"("query":")"}};
  for (const auto& edit : edits)
    CHECK_THROWS_AS(parse_record(replaced(line, edit.first, edit.second)), std::invalid_argument);
  CHECK_THROWS_AS(parse_record(line + "\r"), std::invalid_argument);
  CHECK_THROWS_AS(parse_record(line + line), std::invalid_argument);
  CHECK_NOTHROW(parse_record(replaced(line, R"("query":")" + hash, R"("query":")")));
}

TEST_CASE("costs are positive whole numbers of at most 19 digits") {
  CHECK(parse_units("1", "cost") == 1);
  CHECK(parse_units("9999999999999999999", "cost") == 9999999999999999999u);
  for (const std::string bad : {"", "0", "-1", "+1", "01", "1.5", "1e3", " 1", "NaN", "Inf",
                                "10000000000000000000", "0x10", "1 "})
    CHECK_THROWS_WITH(parse_units(bad, "cost"), Catch::Contains("cost must be a positive whole"));
}

TEST_CASE("bodies no ledger may hold are refused before anything is written") {
  auto bad = spend();
  bad.cost = 0;
  CHECK_THROWS_AS(validate(bad), std::invalid_argument);
  bad.cost = 10000000000000000000u;  // twenty digits
  CHECK_THROWS_AS(validate(bad), std::invalid_argument);
  bad = spend();
  bad.query = "abc";
  CHECK_THROWS_AS(validate(bad), std::invalid_argument);
  for (const std::string& population : {std::string(), std::string(257, 'x'), std::string("a\nb"),
                                        std::string("\xff"), std::string("a\0b", 3)}) {
    auto open = budget();
    open.population = population;
    CHECK_THROWS_AS(validate(open), std::invalid_argument);
  }
  auto open = budget();
  open.population = std::string(256, 'x');
  CHECK_NOTHROW(validate(open));
  open.delta = "";
  CHECK_THROWS_AS(validate(open), std::invalid_argument);
  open.epsilon = "";
  CHECK_NOTHROW(validate(open));
  CHECK_THROWS_AS(validate(LedgerBudget{BudgetUnit::pure, "a", 1, "1", "1e-5"}),
                  std::invalid_argument);
}

TEST_CASE("a mechanism is charged only in a unit that bounds its loss") {
  using Unit = BudgetUnit;
  const auto fits = [](Unit unit, const std::string& mechanism) {
    return detail::mechanism_fits(unit, mechanism);
  };
  CHECK(fits(Unit::pure, "laplace"));
  CHECK(fits(Unit::zcdp, "laplace"));
  CHECK(fits(Unit::zcdp, "gaussian"));
  CHECK(fits(Unit::pure, "exponential"));
  CHECK(fits(Unit::zcdp, "exponential"));
  CHECK_FALSE(fits(Unit::gdp, "exponential"));
  CHECK(fits(Unit::gdp, "gaussian"));
  CHECK_FALSE(fits(Unit::pure, "gaussian"));
  CHECK_FALSE(fits(Unit::gdp, "laplace"));
  CHECK_FALSE(fits(Unit::zcdp, ""));
}
