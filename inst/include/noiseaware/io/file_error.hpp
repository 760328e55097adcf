#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>

namespace noiseaware {

//! A file could not be opened, locked, read or written. The message names the
//! path and the reason the operating system gave, and nothing else.
class FileError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

//! The file is there already and was not to be overwritten.
class FileExists : public FileError {
 public:
  explicit FileExists(const std::string& path) : FileError("'" + path + "' exists already") {}
};

//! Another process held the lock for longer than the caller would wait.
class LockTimeout : public FileError {
 public:
  explicit LockTimeout(const std::string& path)
      : FileError("'" + path + "' is locked by another process") {}
};

namespace detail {

//! More than any honest ledger or release; keeps a wrong path from filling memory.
constexpr std::size_t max_file_bytes = std::size_t{1} << 28;

}  // namespace detail
}  // namespace noiseaware
