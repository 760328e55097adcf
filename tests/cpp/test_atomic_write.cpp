#include <catch.h>

#ifndef _WIN32
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#endif

#include <noiseaware/io/atomic_write.hpp>
#include <string>
#include <thread>
#include <vector>

#include "temp_dir.hpp"

using namespace noiseaware;

TEST_CASE("atomic_write() writes every byte and leaves nothing else behind") {
  const TempDir dir;
  const std::string path = dir.file("release.json");
  std::string text(3000000, 'x');
  for (std::size_t i = 0; i < text.size(); ++i) text[i] = static_cast<char>(i * 31);
  atomic_write(path, text);
  CHECK(slurp(path) == text);
  CHECK(dir.count() == 1);
}

TEST_CASE("an existing file is never lost by default") {
  const TempDir dir;
  const std::string path = dir.file("release.json");
  atomic_write(path, "first");
  CHECK_THROWS_AS(atomic_write(path, "second"), FileExists);
  CHECK(slurp(path) == "first");
  CHECK(dir.count() == 1);
  atomic_write(path, "third", Overwrite::replace);
  CHECK(slurp(path) == "third");
  CHECK(dir.count() == 1);
}

TEST_CASE("of many writers of one new file exactly one succeeds") {
  const TempDir dir;
  const std::string path = dir.file("release.json");
  std::vector<int> won(8, 0);
  std::vector<std::thread> writers;
  for (std::size_t i = 0; i < won.size(); ++i)
    writers.emplace_back([&, i] {
      try {
        atomic_write(path, std::to_string(i));
        won[i] = 1;
      } catch (const FileExists&) {
      }
    });
  for (auto& writer : writers) writer.join();
  std::vector<std::size_t> winners;
  for (std::size_t i = 0; i < won.size(); ++i)
    if (won[i] == 1) winners.push_back(i);
  REQUIRE(winners.size() == 1);
  CHECK(slurp(path) == std::to_string(winners[0]));
  CHECK(dir.count() == 1);
}

TEST_CASE("remains of a killed process are stepped over") {
  const TempDir dir;
  const std::string path = dir.file("release.json");
  const std::string stale = path + "." + std::to_string(detail::process_id()) + ".0.tmp";
  dump(stale, "half a rel");
  atomic_write(path, "whole");
  CHECK(slurp(path) == "whole");
  CHECK(slurp(stale) == "half a rel");
}

TEST_CASE("paths that cannot be written are errors that name the path") {
  const TempDir dir;
  CHECK_THROWS_WITH(atomic_write(dir.file("no/such/place"), "x"), Catch::Contains("place"));
  std::filesystem::create_directory(dir.file("folder"));
  CHECK_THROWS_AS(atomic_write(dir.file("folder"), "x"), FileExists);
  CHECK_THROWS_AS(atomic_write(dir.file("folder"), "x", Overwrite::replace), FileError);
  CHECK(dir.count() == 1);
}

#ifndef _WIN32
TEST_CASE("the mode is the caller's whatever the umask") {
  const TempDir dir;
  const mode_t before = ::umask(0077);
  atomic_write(dir.file("public"), "x", Overwrite::refuse, 0644);
  atomic_write(dir.file("private"), "x", Overwrite::refuse, 0600);
  ::umask(before);
  struct stat info;
  REQUIRE(::stat(dir.file("public").c_str(), &info) == 0);
  CHECK((info.st_mode & 0777) == 0644);
  REQUIRE(::stat(dir.file("private").c_str(), &info) == 0);
  CHECK((info.st_mode & 0777) == 0600);
}

TEST_CASE("a name can be reserved where there are no hard links") {
  const TempDir dir;
  dump(dir.file("from"), "new");
  detail::rename_reserved(dir.file("from"), dir.file("to"));
  CHECK(slurp(dir.file("to")) == "new");
  CHECK_THROWS_AS(detail::rename_reserved(dir.file("missing"), dir.file("to")), FileExists);
  CHECK(slurp(dir.file("to")) == "new");
  CHECK_THROWS_AS(detail::rename_reserved(dir.file("missing"), dir.file("other")), FileError);
  CHECK(dir.count() == 1);
}

TEST_CASE("a full disk leaves neither a partial nor a temporary file") {
  const TempDir dir;
  const std::string path = dir.file("release.json");
  atomic_write(path, "old");
  const pid_t child = ::fork();
  if (child == 0) {  // a file size limit is the portable stand-in for a full disk
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{1000, 1000};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    try {
      atomic_write(path, std::string(5000, 'x'), Overwrite::replace);
      _exit(1);
    } catch (const FileError&) {
      _exit(0);
    }
  }
  int status = -1;
  REQUIRE(::waitpid(child, &status, 0) == child);
  CHECK(status == 0);
  CHECK(slurp(path) == "old");
  CHECK(dir.count() == 1);
}
#endif
