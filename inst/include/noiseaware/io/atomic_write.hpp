#pragma once

#include <noiseaware/io/file.hpp>
#include <noiseaware/io/process_id.hpp>
#include <string>

namespace noiseaware {

//! What to do with a file of that name: the default never loses one.
enum class Overwrite { refuse, replace };

namespace detail {

//! A file beside the target (rename() cannot cross file systems) that is
//! removed unless it was moved into place.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& target) : path_(target), file_(create_beside(path_)) {}
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() {
    if (!moved_) remove_quietly(path_);
  }

  void fill(const std::string& text, unsigned int mode) {
    file_.write_all(text);
    file_.set_mode(mode);
    file_.sync();
  }

  void move_to(const std::string& target, Overwrite overwrite) {
    if (overwrite == Overwrite::replace)
      rename_over(path_, target);
    else
      rename_new(path_, target);
    moved_ = true;
  }

 private:
  //! Turns the target's path into the temporary one. A name can be taken by the
  //! remains of a killed process with our number: try the next.
  static File create_beside(std::string& path) {
    const std::string target = path;
    for (int attempt = 0;; ++attempt) {
      path = target + "." + std::to_string(process_id()) + "." + std::to_string(attempt) + ".tmp";
      try {
        return File::create(path, target);
      } catch (const FileExists&) {
        if (attempt == 99) throw;
      }
    }
  }

  std::string path_;
  File file_;
  bool moved_ = false;
};

}  // namespace detail

//! Writes a file that is seen whole or not at all, also after a power failure.
//! Until it is complete only its owner can read it; then it gets `mode`.
inline void atomic_write(const std::string& path, const std::string& text,
                         Overwrite overwrite = Overwrite::refuse, unsigned int mode = 0644) {
  {
    detail::TemporaryFile temporary(path);
    temporary.fill(text, mode);
    temporary.move_to(path, overwrite);
  }
  detail::sync_directory_of(path);
}

}  // namespace noiseaware
