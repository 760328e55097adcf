#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <noiseaware/io/file.hpp>
#include <string>
#include <thread>

namespace noiseaware {

//! How long to wait for another process, how often to look, and what to call
//! in between: it may throw to give up, since nothing is locked or written yet.
struct LockWait {
  std::chrono::milliseconds limit{60000};
  std::chrono::milliseconds poll{20};
  std::function<void()> idle = [] {};
};

//! An existing file, locked from construction to destruction: shared for
//! reading, exclusively for appending. Advisory locks: every writer must come
//! through here, and the disk must be local (network file systems may grant the
//! same lock twice).
class LockedFile {
 public:
  using Access = detail::File::Access;

  LockedFile(const std::string& path, Access access, const LockWait& wait = {})
      : file_(detail::File::open(path, access)) {
    acquire(path, access == Access::append, wait);
    // Whoever replaced the file while we waited may have spent from the new one.
    if (file_.still_at_path()) return;
    file_.unlock();
    throw FileError("'" + path + "' was replaced while waiting for its lock");
  }

  LockedFile(const LockedFile&) = delete;
  LockedFile& operator=(const LockedFile&) = delete;
  ~LockedFile() { file_.unlock(); }

  std::string read_all() const { return file_.read_all(); }

  //! Writes the line and its newline at the end; returns once they are on disk.
  void append_line(const std::string& line) {
    file_.write_all(line + "\n");
    file_.sync();
  }

  //! Keeps the first `size` bytes; returns once that is on disk.
  void cut(std::size_t size) {
    file_.truncate(size);
    file_.sync();
  }

 private:
  void acquire(const std::string& path, bool exclusive, const LockWait& wait) {
    const auto deadline = std::chrono::steady_clock::now() + wait.limit;
    while (!file_.try_lock(exclusive)) {
      if (std::chrono::steady_clock::now() >= deadline) throw LockTimeout(path);
      wait.idle();
      std::this_thread::sleep_for(wait.poll);
    }
  }

  detail::File file_;
};

}  // namespace noiseaware
