#pragma once

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <noiseaware/io/file_error.hpp>
#include <string>
#include <system_error>
#include <utility>

namespace noiseaware {
namespace detail {

//! Call as `throw_file_error(errno, ...)`: no argument may disturb errno first.
[[noreturn]] inline void throw_file_error(int code, const char* action, const std::string& path) {
  throw FileError(std::string("cannot ") + action + " '" + path +
                  "': " + std::generic_category().message(code));
}

//! Repeats a system call that a signal interrupted.
template <class Call>
auto retry_interrupted(Call call) {
  auto result = call();
  while (result == -1 && errno == EINTR) result = call();
  return result;
}

//! An open file descriptor, closed at the end of the scope.
class File {
 public:
  enum class Access { read, append };

  static File open(const std::string& path, Access access) {
    // O_NONBLOCK: opening a named pipe by mistake must not hang.
    const int flags =
        (access == Access::read ? O_RDONLY : O_RDWR | O_APPEND) | O_CLOEXEC | O_NONBLOCK;
    const int fd = retry_interrupted([&] { return ::open(path.c_str(), flags); });
    if (fd < 0) throw_file_error(errno, "open", path);
    File file(path, fd);
    file.require_regular();
    return file;
  }

  //! A new file that only its owner can read; FileExists if there is one.
  //! Later errors speak of `shown`, which people know, if `path` is temporary.
  static File create(const std::string& path, const std::string& shown) {
    const int flags = O_RDWR | O_APPEND | O_CREAT | O_EXCL | O_CLOEXEC;
    const int fd =
        retry_interrupted([&] { return ::open(path.c_str(), flags, S_IRUSR | S_IWUSR); });
    if (fd < 0 && errno == EEXIST) throw FileExists(path);
    if (fd < 0) throw_file_error(errno, "create", shown);
    return File(shown, fd);
  }

  File(File&& other) noexcept : path_(std::move(other.path_)), fd_(std::exchange(other.fd_, -1)) {}
  File& operator=(File&&) = delete;
  ~File() {
    if (fd_ >= 0) ::close(fd_);
  }

  //! False if someone else holds the lock. flock() belongs to the open file, so
  //! two threads that open the same path exclude each other as well.
  bool try_lock(bool exclusive) {
    if (::flock(fd_, (exclusive ? LOCK_EX : LOCK_SH) | LOCK_NB) == 0) return true;
    if (errno == EWOULDBLOCK || errno == EINTR) return false;
    throw_file_error(errno, "lock", path_);
  }

  //! Explicit, because a forked child may hold a copy of the descriptor.
  void unlock() noexcept { ::flock(fd_, LOCK_UN); }

  std::string read_all() const {
    std::string text;
    char block[65536];
    for (;;) {
      const auto at = static_cast<off_t>(text.size());
      const ssize_t got = retry_interrupted([&] { return ::pread(fd_, block, sizeof block, at); });
      if (got < 0) throw_file_error(errno, "read", path_);
      if (got == 0) return text;
      text.append(block, static_cast<std::size_t>(got));
      if (text.size() > max_file_bytes) throw_file_error(EFBIG, "read", path_);
    }
  }

  void write_all(const std::string& text) {
    for (std::size_t done = 0; done < text.size();) {
      const ssize_t put =
          retry_interrupted([&] { return ::write(fd_, text.data() + done, text.size() - done); });
      if (put < 0) throw_file_error(errno, "write", path_);
      done += static_cast<std::size_t>(put);
    }
  }

  void truncate(std::size_t size) {
    const auto length = static_cast<off_t>(size);
    if (retry_interrupted([&] { return ::ftruncate(fd_, length); }) != 0)
      throw_file_error(errno, "truncate", path_);
  }

  //! Returns when the disk has the bytes. On macOS fsync() stops at the drive's
  //! cache, F_FULLFSYNC does not; some file systems know only the former.
  void sync() {
#ifdef F_FULLFSYNC
    if (::fcntl(fd_, F_FULLFSYNC) == 0) return;
#endif
    if (retry_interrupted([&] { return ::fsync(fd_); }) != 0)
      throw_file_error(errno, "flush", path_);
  }

  void set_mode(unsigned int mode) {
    if (::fchmod(fd_, static_cast<mode_t>(mode)) != 0)
      throw_file_error(errno, "set the mode of", path_);
  }

  //! Whether the path still leads to this file; it may have been replaced.
  bool still_at_path() const {
    struct stat mine, there;
    if (::fstat(fd_, &mine) != 0 || ::stat(path_.c_str(), &there) != 0) return false;
    return mine.st_dev == there.st_dev && mine.st_ino == there.st_ino;
  }

 private:
  File(const std::string& path, int fd) : path_(path), fd_(fd) {}

  void require_regular() const {
    struct stat info;
    if (::fstat(fd_, &info) != 0) throw_file_error(errno, "open", path_);
    if (!S_ISREG(info.st_mode)) throw FileError("'" + path_ + "' is not a regular file");
  }

  std::string path_;
  int fd_;
};

inline std::string directory_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

//! Makes a new or renamed entry of the directory survive a power failure. File
//! systems that cannot flush a directory say EINVAL or ENOTSUP; that is no error.
inline void sync_directory_of(const std::string& path) {
  const std::string directory = directory_of(path);
  const int fd = retry_interrupted([&] { return ::open(directory.c_str(), O_RDONLY | O_CLOEXEC); });
  if (fd < 0) throw_file_error(errno, "open", directory);
  const int code = retry_interrupted([&] { return ::fsync(fd); }) == 0 ? 0 : errno;
  ::close(fd);
  if (code != 0 && code != EINVAL && code != ENOTSUP) throw_file_error(code, "flush", directory);
}

inline void remove_quietly(const std::string& path) noexcept { ::unlink(path.c_str()); }

inline void rename_over(const std::string& from, const std::string& to) {
  if (::rename(from.c_str(), to.c_str()) != 0) throw_file_error(errno, "write", to);
}

//! For file systems without hard links: an empty file reserves the name, so
//! that rename() can replace nothing but our own reservation.
inline void rename_reserved(const std::string& from, const std::string& to) {
  File::create(to, to);
  try {
    rename_over(from, to);
  } catch (...) {
    remove_quietly(to);
    throw;
  }
}

//! rename() would replace an existing file silently; link() refuses.
inline void rename_new(const std::string& from, const std::string& to) {
  if (::link(from.c_str(), to.c_str()) == 0) {
    remove_quietly(from);
    return;
  }
  if (errno == EEXIST) throw FileExists(to);
  if (errno != EPERM && errno != ENOTSUP && errno != EOPNOTSUPP && errno != ENOSYS)
    throw_file_error(errno, "write", to);
  rename_reserved(from, to);
}

}  // namespace detail
}  // namespace noiseaware
