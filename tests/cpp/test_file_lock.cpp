#include <catch.h>

#ifndef _WIN32
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#endif

#include <chrono>
#include <filesystem>
#include <memory>
#include <noiseaware/io/file_lock.hpp>
#include <string>
#include <thread>

#include "temp_dir.hpp"

using namespace noiseaware;
using Access = LockedFile::Access;
using std::chrono::milliseconds;

namespace {
const LockWait brief{milliseconds(60), milliseconds(5), [] {}};
}

TEST_CASE("a locked file is read and appended to") {
  const TempDir dir;
  const std::string path = dir.file("log");
  dump(path, "one\n");
  {
    LockedFile file(path, Access::append);
    CHECK(file.read_all() == "one\n");
    file.append_line("two");
    CHECK(file.read_all() == "one\ntwo\n");
    file.cut(4);
    file.append_line("three");
  }
  CHECK(slurp(path) == "one\nthree\n");
}

TEST_CASE("a file longer than one block is read whole") {
  const TempDir dir;
  const std::string path = dir.file("log");
  std::string text;
  for (int i = 0; i < 40000; ++i) text += std::to_string(i) + "\n";
  dump(path, text);
  CHECK(LockedFile(path, Access::read).read_all() == text);
}

TEST_CASE("writers exclude everyone, readers only writers") {
  const TempDir dir;
  const std::string path = dir.file("log");
  dump(path, "");
  {
    const LockedFile writer(path, Access::append);
    CHECK_THROWS_AS(LockedFile(path, Access::append, brief), LockTimeout);
    CHECK_THROWS_AS(LockedFile(path, Access::read, brief), LockTimeout);
  }
  const LockedFile reader(path, Access::read);
  CHECK_NOTHROW(LockedFile(path, Access::read, brief));
  CHECK_THROWS_AS(LockedFile(path, Access::append, brief), LockTimeout);
}

TEST_CASE("a waiting writer gets the lock as soon as it is free, and may give up") {
  const TempDir dir;
  const std::string path = dir.file("log");
  dump(path, "");
  struct GaveUp {};
  {
    const LockedFile holder(path, Access::append);
    const LockWait impatient{milliseconds(60000), milliseconds(5), [] { throw GaveUp(); }};
    CHECK_THROWS_AS(LockedFile(path, Access::append, impatient), GaveUp);
  }
  auto holder = std::make_unique<LockedFile>(path, Access::append);
  std::thread later([&] {
    std::this_thread::sleep_for(milliseconds(50));
    holder.reset();
  });
  CHECK_NOTHROW(LockedFile(path, Access::append));
  later.join();
}

TEST_CASE("files that cannot be locked are errors that name the path") {
  const TempDir dir;
  CHECK_THROWS_AS(LockedFile(dir.file("missing"), Access::append), FileError);
  CHECK_THROWS_WITH(LockedFile(dir.file("missing"), Access::read), Catch::Contains("missing'"));
  CHECK_THROWS_AS(LockedFile(dir.file(""), Access::read), FileError);  // the directory itself
}

#ifndef _WIN32
TEST_CASE("a named pipe is refused at once") {
  const TempDir dir;
  REQUIRE(::mkfifo(dir.file("pipe").c_str(), 0600) == 0);
  CHECK_THROWS_WITH(LockedFile(dir.file("pipe"), Access::read), Catch::Contains("not a regular"));
}

TEST_CASE("a file replaced while waiting is not used") {
  const TempDir dir;
  const std::string path = dir.file("log");
  dump(path, "old\n");
  auto holder = std::make_unique<LockedFile>(path, Access::append);
  bool replaced = false;
  const auto replace_once = [&] {
    if (replaced) return;
    dump(dir.file("new"), "new\n");
    std::filesystem::rename(dir.file("new"), path);
    holder.reset();
    replaced = true;
  };
  const LockWait wait{milliseconds(5000), milliseconds(5), replace_once};
  CHECK_THROWS_WITH(LockedFile(path, Access::append, wait), Catch::Contains("was replaced"));
}

TEST_CASE("the lock does not outlive its owner in a forked child") {
  const TempDir dir;
  const std::string path = dir.file("log");
  dump(path, "");
  auto holder = std::make_unique<LockedFile>(path, Access::append);
  int wake[2];
  REQUIRE(::pipe(wake) == 0);
  const pid_t child = ::fork();
  if (child == 0) {  // keeps its copy of the descriptor until the pipe closes
    ::close(wake[1]);
    char byte;
    _exit(::read(wake[0], &byte, 1) == 0 ? 0 : 1);
  }
  holder.reset();
  CHECK_NOTHROW(LockedFile(path, Access::append, brief));
  ::close(wake[1]);
  ::close(wake[0]);
  int status = -1;
  REQUIRE(::waitpid(child, &status, 0) == child);
  CHECK(status == 0);
}
#endif
