#pragma once

#ifndef NOMINMAX
#define NOMINMAX
#endif
#ifndef WIN32_LEAN_AND_MEAN
#define WIN32_LEAN_AND_MEAN
#endif
#ifndef NOGDI
#define NOGDI
#endif
#include <windows.h>

#include <cstddef>
#include <cstdint>
#include <noiseaware/io/file_error.hpp>
#include <string>
#include <system_error>
#include <utility>

namespace noiseaware {
namespace detail {

//! Call as `throw_file_error(GetLastError(), ...)`.
[[noreturn]] inline void throw_file_error(DWORD code, const char* action, const std::string& path) {
  throw FileError(std::string("cannot ") + action + " '" + path +
                  "': " + std::system_category().message(static_cast<int>(code)));
}

//! Paths are UTF-8 on every platform; Windows wants UTF-16.
inline std::wstring wide_path(const std::string& path) {
  const int bytes = static_cast<int>(path.size());
  const int length =
      MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, path.data(), bytes, nullptr, 0);
  if (length == 0) throw FileError("'" + path + "' is not a valid path");
  std::wstring out(static_cast<std::size_t>(length), L'\0');
  MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, path.data(), bytes, &out[0], length);
  return out;
}

inline OVERLAPPED at_offset(std::uint64_t offset) {
  OVERLAPPED position{};
  position.Offset = static_cast<DWORD>(offset & 0xffffffffu);
  position.OffsetHigh = static_cast<DWORD>(offset >> 32);
  return position;
}

//! An open file handle, closed at the end of the scope.
class File {
 public:
  enum class Access { read, append };

  static File open(const std::string& path, Access access) {
    const DWORD rights = access == Access::read ? GENERIC_READ : GENERIC_READ | GENERIC_WRITE;
    const HANDLE handle = open_handle(path, rights, OPEN_EXISTING);
    if (handle == INVALID_HANDLE_VALUE) throw_file_error(GetLastError(), "open", path);
    File file(path, handle);
    if (GetFileType(file.handle_) != FILE_TYPE_DISK)
      throw FileError("'" + path + "' is not a regular file");
    return file;
  }

  //! A new file, private as far as its directory is; FileExists if there is one.
  //! Later errors speak of `shown`, which people know, if `path` is temporary.
  static File create(const std::string& path, const std::string& shown) {
    const HANDLE handle = open_handle(path, GENERIC_READ | GENERIC_WRITE, CREATE_NEW);
    const DWORD code = GetLastError();
    if (handle != INVALID_HANDLE_VALUE) return File(shown, handle);
    if (code == ERROR_FILE_EXISTS) throw FileExists(path);
    throw_file_error(code, "create", shown);
  }

  File(File&& other) noexcept
      : path_(std::move(other.path_)),
        handle_(std::exchange(other.handle_, INVALID_HANDLE_VALUE)) {}
  File& operator=(File&&) = delete;
  ~File() {
    if (handle_ != INVALID_HANDLE_VALUE) CloseHandle(handle_);
  }

  //! Locks one byte far beyond the end: Windows locks are mandatory, and the
  //! content must stay readable.
  bool try_lock(bool exclusive) {
    OVERLAPPED where = at_offset(lock_offset);
    const DWORD flags = LOCKFILE_FAIL_IMMEDIATELY | (exclusive ? LOCKFILE_EXCLUSIVE_LOCK : 0);
    if (LockFileEx(handle_, flags, 0, 1, 0, &where)) return true;
    const DWORD code = GetLastError();
    if (code == ERROR_LOCK_VIOLATION || code == ERROR_IO_PENDING) return false;
    throw_file_error(code, "lock", path_);
  }

  void unlock() noexcept {
    OVERLAPPED where = at_offset(lock_offset);
    UnlockFileEx(handle_, 0, 1, 0, &where);
  }

  std::string read_all() const {
    std::string text;
    char block[65536];
    for (;;) {
      OVERLAPPED where = at_offset(text.size());
      DWORD got = 0;
      if (!ReadFile(handle_, block, sizeof block, &got, &where) &&
          GetLastError() != ERROR_HANDLE_EOF)
        throw_file_error(GetLastError(), "read", path_);
      if (got == 0) return text;
      text.append(block, got);
      if (text.size() > max_file_bytes) throw_file_error(ERROR_FILE_TOO_LARGE, "read", path_);
    }
  }

  //! An offset of all ones means the end of the file.
  void write_all(const std::string& text) {
    for (std::size_t done = 0; done < text.size();) {
      OVERLAPPED end = at_offset(~std::uint64_t{0});
      const std::size_t rest = text.size() - done;
      const DWORD chunk = static_cast<DWORD>(rest < 65536 ? rest : 65536);
      DWORD put = 0;
      if (!WriteFile(handle_, text.data() + done, chunk, &put, &end))
        throw_file_error(GetLastError(), "write", path_);
      done += put;
    }
  }

  void truncate(std::size_t size) {
    LARGE_INTEGER to;
    to.QuadPart = static_cast<LONGLONG>(size);
    if (!SetFilePointerEx(handle_, to, nullptr, FILE_BEGIN) || !SetEndOfFile(handle_))
      throw_file_error(GetLastError(), "truncate", path_);
  }

  void sync() {
    if (!FlushFileBuffers(handle_)) throw_file_error(GetLastError(), "flush", path_);
  }

  //! Access is inherited from the directory; there is no mode to set.
  void set_mode(unsigned int) {}

  //! Whether the path still leads to this file; it may have been replaced.
  bool still_at_path() const {
    const File there(path_, open_handle(path_, GENERIC_READ, OPEN_EXISTING));
    BY_HANDLE_FILE_INFORMATION a, b;
    if (there.handle_ == INVALID_HANDLE_VALUE || !GetFileInformationByHandle(handle_, &a) ||
        !GetFileInformationByHandle(there.handle_, &b))
      return false;
    return a.dwVolumeSerialNumber == b.dwVolumeSerialNumber &&
           a.nFileIndexHigh == b.nFileIndexHigh && a.nFileIndexLow == b.nFileIndexLow;
  }

 private:
  static constexpr std::uint64_t lock_offset = std::uint64_t{1} << 62;

  //! Sharing is unrestricted: exclusion is the business of the lock.
  static HANDLE open_handle(const std::string& path, DWORD rights, DWORD disposition) {
    return CreateFileW(wide_path(path).c_str(), rights,
                       FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, nullptr, disposition,
                       FILE_ATTRIBUTE_NORMAL, nullptr);
  }

  File(const std::string& path, HANDLE handle) : path_(path), handle_(handle) {}

  std::string path_;
  HANDLE handle_;
};

//! NTFS keeps its directories in a journal; MOVEFILE_WRITE_THROUGH waits for it.
inline void sync_directory_of(const std::string&) {}

inline void remove_quietly(const std::string& path) noexcept {
  try {
    DeleteFileW(wide_path(path).c_str());
  } catch (...) {  // a path that cannot be spelled leads to no file
  }
}

inline void rename_over(const std::string& from, const std::string& to) {
  const DWORD flags = MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH;
  if (!MoveFileExW(wide_path(from).c_str(), wide_path(to).c_str(), flags))
    throw_file_error(GetLastError(), "write", to);
}

inline void rename_new(const std::string& from, const std::string& to) {
  if (MoveFileExW(wide_path(from).c_str(), wide_path(to).c_str(), MOVEFILE_WRITE_THROUGH)) return;
  const DWORD code = GetLastError();
  if (code == ERROR_ALREADY_EXISTS || code == ERROR_FILE_EXISTS) throw FileExists(to);
  throw_file_error(code, "write", to);
}

}  // namespace detail
}  // namespace noiseaware
