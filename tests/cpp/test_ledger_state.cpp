#include <catch.h>

#include <algorithm>
#include <noiseaware/io/ledger_state.hpp>
#include <string>
#include <vector>

using namespace noiseaware;

namespace {

//! A budget of 10 units and spends of 1, 2, 3; one string per line.
std::vector<std::string> lines_of(BudgetUnit unit = BudgetUnit::pure) {
  std::vector<std::string> lines;
  std::string head(64, '0');
  const auto add = [&](decltype(LedgerRecord::body) body) {
    lines.push_back(format_record({lines.size() + 1, head, std::move(body)}));
    head = Sha256::hex(lines.back());
  };
  const std::string mechanism = unit == BudgetUnit::gdp ? "gaussian" : "laplace";
  add(LedgerBudget{unit, "adults", 10, "", ""});
  for (const std::uint64_t cost : {1u, 2u, 3u}) add(SpendRequest{unit, cost, "", 4, mechanism});
  return lines;
}

std::string join(const std::vector<std::string>& lines) {
  std::string text;
  for (const auto& line : lines) text += line + "\n";
  return text;
}

//! The line as it would stand in a ledger forged with matching hashes.
std::string chained(LedgerRecord record, const std::vector<std::string>& before) {
  record.seq = before.size() + 1;
  record.prev = Sha256::hex(before.back());
  return format_record(record);
}

}  // namespace

TEST_CASE("a ledger written by another program verifies") {
  // Lines and hashes made with Python's json and hashlib.
  const std::string text =
      R"({"v":"1","seq":"1","prev":"0000000000000000000000000000000000000000000000000000000000000000",)"
      R"("type":"open","unit":"pure","population":"Vaud \"2026\"","budget":"1000000000000",)"
      R"("epsilon":"","delta":""})"
      "\n"
      R"({"v":"1","seq":"2","prev":"226d69d2c8e981f618d5a5b576d034bd3c34bf29aa89dcac9273072086dea0db",)"
      R"("type":"spend","unit":"pure","cost":"100000000000",)"
      R"("query":"a8b771920b8319e47251d1360f5e880bc18e8d329b0f0d003ea3c7e615558947",)"
      R"("size":"5","mechanism":"laplace"})"
      "\n"
      R"({"v":"1","seq":"3","prev":"aa113d213b0286b978babbfb71aa39d3810189c6609ebf8ef2c8c92cc4c58ab8",)"
      R"("type":"note","release":"a4d451ec23463726f72c43d64c710968f6b602cd653b4de8adee1b556240a829"})"
      "\n";
  const LedgerState state = read_ledger(text);
  CHECK(state.budget.population == "Vaud \"2026\"");
  CHECK(to_decimal(state.spent) == "100000000000");
  CHECK(to_decimal(state.left()) == "900000000000");
  CHECK(to_decimal(state.statistics) == "5");
  CHECK(state.records.size() == 3);
  CHECK(state.head == "0f0338313a7b6113fa2c899fcb0b8e2d22434ebb4fc61984c78a97608ef817da");
}

TEST_CASE("an edited record breaks the chain behind it") {
  auto lines = lines_of();
  const std::size_t at = lines[2].find(R"("cost":"2")");
  REQUIRE(at != std::string::npos);
  lines[2].replace(at, 10, R"("cost":"1")");
  CHECK_THROWS_WITH(read_ledger(join(lines)), "hash chain broken at record 4");
  CHECK_THROWS_AS(read_ledger(join(lines)), BrokenChain);
}

TEST_CASE("removed, repeated, inserted and reordered records break the chain") {
  const auto lines = lines_of();
  CHECK_NOTHROW(read_ledger(join(lines)));
  CHECK_THROWS_WITH(read_ledger(join({lines[0], lines[2], lines[3]})),
                    "hash chain broken at record 2");
  CHECK_THROWS_WITH(read_ledger(join({lines[0], lines[1], lines[1], lines[2]})),
                    "hash chain broken at record 3");
  CHECK_THROWS_WITH(read_ledger(join({lines[0], lines[2], lines[1], lines[3]})),
                    "hash chain broken at record 2");
  CHECK_THROWS_WITH(read_ledger(join({lines[1], lines[2], lines[3]})),
                    "hash chain broken at record 1");
}

TEST_CASE("every change of a single byte is noticed, except in the last line") {
  const std::string text = join(lines_of());
  const std::size_t last = text.rfind('\n', text.size() - 2);
  for (std::size_t at = 0; at < last; ++at) {
    std::string edited = text;
    edited[at] = edited[at] == '1' ? '2' : '1';
    if (edited != text) CHECK_THROWS_AS(read_ledger(edited), LedgerError);
  }
}

TEST_CASE("a rollback to an earlier state is a valid ledger: it cannot be seen from inside") {
  auto lines = lines_of();
  lines.pop_back();
  CHECK(to_decimal(read_ledger(join(lines)).spent) == "3");
}

TEST_CASE("a torn last line is refused, wherever it was cut") {
  const auto lines = lines_of();
  const std::string text = join(lines);
  const std::size_t whole = text.size() - lines.back().size() - 1;
  for (std::size_t size = whole + 1; size < text.size(); ++size)
    CHECK_THROWS_AS(read_ledger(text.substr(0, size)), TornLedger);
  CHECK_THROWS_AS(read_ledger(text + std::string(4096, '\0')), TornLedger);
  CHECK_THROWS_WITH(read_ledger(text + "{"), Catch::Contains("ledger_repair()"));
}

TEST_CASE("a broken chain is reported even if the last line is torn as well") {
  const auto lines = lines_of();
  CHECK_THROWS_AS(read_ledger(join({lines[0], lines[2]}) + "{"), BrokenChain);
}

TEST_CASE("files without a complete record are empty") {
  CHECK_THROWS_AS(read_ledger(""), EmptyLedger);
  CHECK_THROWS_AS(read_ledger("{\"v\":"), EmptyLedger);
}

TEST_CASE("text that is no ledger is malformed at record 1") {
  CHECK_THROWS_WITH(read_ledger("\n"), Catch::Contains("record 1 is malformed"));
  CHECK_THROWS_AS(read_ledger("epsilon,delta\n1,0\n"), MalformedRecord);
}

TEST_CASE("forged records with matching hashes still have to make sense") {
  const auto lines = lines_of();
  const auto with = [&](decltype(LedgerRecord::body) body) {
    auto more = lines;
    more.push_back(chained({0, "", std::move(body)}, lines));
    return join(more);
  };
  const std::string gaussian = "gaussian";
  CHECK_THROWS_AS(read_ledger(with(SpendRequest{BudgetUnit::zcdp, 1, "", 1, gaussian})),
                  UnitMismatch);
  CHECK_THROWS_AS(read_ledger(with(LedgerBudget{BudgetUnit::pure, "adults", 99, "", ""})),
                  MalformedRecord);
  CHECK_THROWS_AS(read_ledger(with(SpendRequest{BudgetUnit::pure, 5, "", 1, "laplace"})),
                  OverspentLedger);
  CHECK_NOTHROW(read_ledger(with(SpendRequest{BudgetUnit::pure, 4, "", 1, "laplace"})));
  auto misnumbered = lines;
  misnumbered.push_back(
      format_record({9, Sha256::hex(lines.back()), ReleaseNote{std::string(64, 'b')}}));
  CHECK_THROWS_WITH(read_ledger(join(misnumbered)), Catch::Contains("sequence number"));
}

TEST_CASE("sums are exact where doubles are not") {
  std::vector<std::string> lines{
      format_record({1, std::string(64, '0'),
                     LedgerBudget{BudgetUnit::pure, "all", 9999999999999999999u, "", ""}})};
  for (const std::uint64_t cost :
       std::vector<std::uint64_t>{9007199254740993u, 1, 9990992800745259004u})
    lines.push_back(
        chained({0, "", SpendRequest{BudgetUnit::pure, cost, "", 999999999, "laplace"}}, lines));
  const LedgerState state = read_ledger(join(lines));
  CHECK(to_decimal(state.spent) == "9999999999999999998");
  CHECK(to_decimal(state.left()) == "1");
  CHECK(to_decimal(state.statistics) == "2999999997");
}
