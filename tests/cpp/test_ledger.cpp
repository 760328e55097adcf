#include <catch.h>

#ifndef _WIN32
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#endif

#include <fstream>
#include <noiseaware/io/ledger.hpp>
#include <string>
#include <thread>
#include <vector>

#include "temp_dir.hpp"

using namespace noiseaware;

namespace {

constexpr std::uint64_t one = 1000000000000u;  // 1 in units of 1e-12
const std::string hash(64, 'c');

LedgerBudget pure_budget(std::uint64_t units) {
  return {BudgetUnit::pure, "adults of Vaud", units, "", ""};
}

SpendRequest laplace(std::uint64_t cost) { return {BudgetUnit::pure, cost, hash, 3, "laplace"}; }

}  // namespace

TEST_CASE("a new ledger holds its budget and nothing else") {
  const TempDir dir;
  const std::string path = dir.file("ledger");
  create_ledger(path, {BudgetUnit::gdp, "adults", 71853, "1", "1e-05"});
  const LedgerState state = load_ledger(path);
  CHECK(state.budget.unit == BudgetUnit::gdp);
  CHECK(state.budget.units == 71853);
  CHECK(state.budget.epsilon == "1");
  CHECK(state.budget.delta == "1e-05");
  CHECK(to_decimal(state.spent) == "0");
  CHECK(state.records.size() == 1);
  CHECK_THROWS_AS(create_ledger(path, pure_budget(one)), FileExists);
  CHECK(load_ledger(path).head == state.head);
  CHECK(dir.count() == 1);
}

TEST_CASE("a refused budget creates no file") {
  const TempDir dir;
  CHECK_THROWS_AS(create_ledger(dir.file("a"), pure_budget(0)), std::invalid_argument);
  CHECK_THROWS_AS(create_ledger(dir.file("no/b"), pure_budget(1)), FileError);
  CHECK(dir.count() == 0);
}

TEST_CASE("ten times 0.1 is exactly 1") {
  const TempDir dir;
  const std::string path = dir.file("ledger");
  create_ledger(path, pure_budget(one));
  for (std::uint64_t i = 1; i <= 10; ++i) {
    const SpendResult result = spend(path, laplace(one / 10));
    REQUIRE(result.accepted);
    CHECK(result.seq == i + 1);
    CHECK(result.head == load_ledger(path).head);
    CHECK(to_decimal(result.left) == to_decimal(u128{one - i * (one / 10)}));
  }
  const std::string before = slurp(path);
  const SpendResult refused = spend(path, laplace(1));
  CHECK_FALSE(refused.accepted);
  CHECK(to_decimal(refused.spent) == to_decimal(u128{one}));
  CHECK(to_decimal(refused.asked) == "1");
  CHECK(to_decimal(refused.left) == "0");
  CHECK(refused.seq == 11);
  CHECK(slurp(path) == before);
}

TEST_CASE("the largest numbers neither wrap nor pass") {
  const TempDir dir;
  const std::string path = dir.file("ledger");
  const std::uint64_t largest = 9999999999999999999u;
  create_ledger(path, pure_budget(largest));
  CHECK(spend(path, laplace(largest - 1)).accepted);
  CHECK_FALSE(spend(path, laplace(largest)).accepted);
  CHECK_FALSE(spend(path, laplace(2)).accepted);
  CHECK(spend(path, laplace(1)).accepted);
  CHECK_THROWS_AS(spend(path, laplace(10000000000000000000u)), std::invalid_argument);
  CHECK_THROWS_AS(spend(path, laplace(0)), std::invalid_argument);
  CHECK(load_ledger(path).records.size() == 3);
}

TEST_CASE("another unit cannot be charged") {
  const TempDir dir;
  const std::string path = dir.file("ledger");
  create_ledger(path, pure_budget(one));
  const std::string before = slurp(path);
  CHECK_THROWS_AS(spend(path, {BudgetUnit::zcdp, 1, hash, 1, "laplace"}), UnitMismatch);
  CHECK(slurp(path) == before);
}

TEST_CASE("notes cost nothing and keep the chain") {
  const TempDir dir;
  const std::string path = dir.file("ledger");
  create_ledger(path, pure_budget(one));
  spend(path, laplace(one));
  const std::string head = append_note(path, hash);
  const LedgerState state = load_ledger(path);
  CHECK(state.head == head);
  CHECK(std::get<ReleaseNote>(state.records.back().body).release == hash);
  CHECK(to_decimal(state.left()) == "0");
  CHECK_THROWS_AS(append_note(path, "not a hash"), std::invalid_argument);
}

TEST_CASE("a torn last line blocks spending until it is repaired") {
  const TempDir dir;
  const std::string path = dir.file("ledger");
  create_ledger(path, pure_budget(one));
  spend(path, laplace(one / 2));
  const std::string whole = slurp(path);
  const std::string torn = R"({"v":"1","seq":"3","prev)";
  dump(path, whole + torn);
  CHECK_THROWS_AS(spend(path, laplace(1)), TornLedger);
  CHECK_THROWS_AS(append_note(path, hash), TornLedger);
  CHECK_THROWS_AS(load_ledger(path), TornLedger);
  CHECK(repair_ledger(path) == torn.size());
  CHECK(slurp(path) == whole);
  CHECK(repair_ledger(path) == 0);
  CHECK(slurp(path) == whole);
  CHECK(spend(path, laplace(one / 2)).accepted);
}

TEST_CASE("repair touches nothing but an incomplete last line") {
  const TempDir dir;
  const std::string path = dir.file("ledger");
  create_ledger(path, pure_budget(one));
  for (int i = 0; i < 3; ++i) spend(path, laplace(1));
  const std::string whole = slurp(path);
  const std::size_t second = whole.find('\n') + 1;
  const std::size_t third = whole.find('\n', second) + 1;
  const std::string broken = whole.substr(0, second) + whole.substr(third) + "{";
  for (const std::string& text : {broken, whole + "garbage\n", std::string("{"), std::string()}) {
    dump(path, text);
    CHECK_THROWS_AS(repair_ledger(path), LedgerError);
    CHECK(slurp(path) == text);
  }
}

TEST_CASE("threads of one process exclude each other") {
  const TempDir dir;
  const std::string path = dir.file("ledger");
  create_ledger(path, pure_budget(12));
  std::vector<int> accepted(4, 0);
  std::vector<std::thread> threads;
  for (auto& mine : accepted)
    threads.emplace_back([&path, &mine] {
      for (int i = 0; i < 6; ++i) mine += spend(path, laplace(1)).accepted ? 1 : 0;
    });
  for (auto& thread : threads) thread.join();
  CHECK(accepted[0] + accepted[1] + accepted[2] + accepted[3] == 12);
  CHECK(load_ledger(path).records.size() == 13);
}

#ifndef _WIN32
namespace {

int wait_for(pid_t child) {
  int status = -1;
  REQUIRE(::waitpid(child, &status, 0) == child);
  return status;
}

//! What spend() must not be: it looks, thinks, and writes without a lock.
SpendResult spend_unlocked(const std::string& path, const SpendRequest& request) {
  const LedgerState state = read_ledger(slurp(path));
  if (request.cost > state.left()) return {};
  std::this_thread::sleep_for(std::chrono::milliseconds(2));
  std::ofstream(path, std::ios::app | std::ios::binary)
      << format_record({state.records.size() + 1, state.head, request}) + "\n";
  return {true, 0, "", 0, 0, 0};
}

template <class Spend>
int accepted_of(int tries, const std::string& path, Spend spend_once) {
  int accepted = 0;
  for (int i = 0; i < tries; ++i) {
    try {
      if (spend_once(path, laplace(1)).accepted) ++accepted;
    } catch (const std::exception&) {
    }
  }
  return accepted;
}

//! Eight processes try forty times each to spend one unit of `allowed`; returns
//! how many they were told they got.
template <class Spend>
int race(const std::string& path, std::uint64_t allowed, Spend spend_once) {
  create_ledger(path, pure_budget(allowed));
  std::vector<pid_t> children(8);
  for (auto& child : children) {
    child = ::fork();
    if (child == 0) _exit(accepted_of(40, path, spend_once));
  }
  int accepted = 0;
  for (const pid_t child : children) accepted += WEXITSTATUS(wait_for(child));
  return accepted;
}

bool verifies(const std::string& path) {
  try {
    load_ledger(path);
    return true;
  } catch (const LedgerError&) {
    return false;
  }
}

}  // namespace

TEST_CASE("eight processes that race for 64 units get exactly 64") {
  const TempDir dir;
  const std::string path = dir.file("ledger");
  const LockWait eager{std::chrono::milliseconds(60000), std::chrono::milliseconds(1), [] {}};
  const auto locked = [&](const std::string& p, const SpendRequest& request) {
    return spend(p, request, eager);
  };
  CHECK(race(path, 64, locked) == 64);
  CHECK(load_ledger(path).records.size() == 65);
  CHECK(to_decimal(load_ledger(path).left()) == "0");
}

TEST_CASE("the race exposes a spend without a lock") {
  const TempDir dir;
  const std::string path = dir.file("ledger");
  const int accepted = race(path, 64, spend_unlocked);
  CHECK_FALSE((accepted == 64 && verifies(path)));
}

TEST_CASE("a process killed right after spending has spent") {
  const TempDir dir;
  const std::string path = dir.file("ledger");
  create_ledger(path, pure_budget(one));
  const pid_t child = ::fork();
  if (child == 0) {
    spend(path, laplace(one / 4 * 3));
    ::kill(::getpid(), SIGKILL);
  }
  CHECK(WTERMSIG(wait_for(child)) == SIGKILL);
  const SpendResult result = spend(path, laplace(one / 2));
  CHECK_FALSE(result.accepted);
  CHECK(to_decimal(result.left) == to_decimal(u128{one / 4}));
}

TEST_CASE("a process killed while holding the lock frees it") {
  const TempDir dir;
  const std::string path = dir.file("ledger");
  create_ledger(path, pure_budget(one));
  const pid_t child = ::fork();
  if (child == 0) {
    const LockedFile held(path, LockedFile::Access::append);
    ::kill(::getpid(), SIGKILL);
  }
  wait_for(child);
  CHECK(spend(path, laplace(1)).accepted);
}

TEST_CASE("a full disk is an error and a torn line, never a silent spend") {
  const TempDir dir;
  const std::string path = dir.file("ledger");
  create_ledger(path, pure_budget(one));
  const std::string whole = slurp(path);
  const pid_t child = ::fork();
  if (child == 0) {  // room for ten bytes of the record
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{whole.size() + 10, whole.size() + 10};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    try {
      spend(path, laplace(1));
      _exit(1);
    } catch (const FileError&) {
      _exit(0);
    }
  }
  CHECK(wait_for(child) == 0);
  CHECK(slurp(path).size() == whole.size() + 10);
  CHECK_THROWS_AS(spend(path, laplace(1)), TornLedger);
  CHECK(repair_ledger(path) == 10);
  CHECK(slurp(path) == whole);
}

TEST_CASE("only the owner can read a ledger") {
  const TempDir dir;
  const std::string path = dir.file("ledger");
  const mode_t before = ::umask(0);
  create_ledger(path, pure_budget(one));
  ::umask(before);
  struct stat info;
  REQUIRE(::stat(path.c_str(), &info) == 0);
  CHECK((info.st_mode & 0777) == 0600);
}
#endif
