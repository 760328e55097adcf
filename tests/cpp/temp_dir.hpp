#pragma once

#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <noiseaware/io/process_id.hpp>
#include <string>

//! A directory of its own for one test, removed afterwards.
class TempDir {
 public:
  TempDir() {
    const auto now = std::chrono::steady_clock::now().time_since_epoch().count();
    root_ = std::filesystem::temp_directory_path() /
            ("noiseaware-" + std::to_string(noiseaware::detail::process_id()) + "-" +
             std::to_string(now));
    std::filesystem::create_directory(root_);
  }
  TempDir(const TempDir&) = delete;
  TempDir& operator=(const TempDir&) = delete;
  ~TempDir() {
    std::error_code ignored;
    std::filesystem::remove_all(root_, ignored);
  }

  std::string file(const std::string& name) const { return (root_ / name).string(); }

  std::size_t count() const {
    const std::filesystem::directory_iterator all(root_);
    return static_cast<std::size_t>(std::distance(begin(all), end(all)));
  }

 private:
  std::filesystem::path root_;
};

inline std::string slurp(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

inline void dump(const std::string& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}
