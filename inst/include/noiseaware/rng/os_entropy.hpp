#pragma once

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <noiseaware/io/process_id.hpp>
#include <noiseaware/wide/wipe.hpp>
#include <stdexcept>

#if defined(_WIN32)
#ifndef WIN32_LEAN_AND_MEAN
#define WIN32_LEAN_AND_MEAN
#endif
#ifndef NOMINMAX
#define NOMINMAX
#endif
#include <windows.h>
// bcrypt.h needs the types of windows.h.
#include <bcrypt.h>
#elif defined(__linux__) || defined(__sun)
#include <sys/random.h>
#else
#include <stdlib.h>
#endif

namespace noiseaware {
namespace detail {

//! Calls read(to, size) until `size` bytes have arrived. `read` has the contract
//! of getrandom(2): it returns the number of bytes, or -1 and sets errno. There
//! is no fallback: a release with guessable noise is worse than no release.
template <class Read>
void read_fully(Read read, unsigned char* to, std::size_t size) {
  while (size > 0) {
    const auto got = read(to, size);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0 || static_cast<std::size_t>(got) > size)
      throw std::runtime_error("the random source of the operating system failed");
    to += got;
    size -= static_cast<std::size_t>(got);
  }
}

//! Bytes of the operating system's cryptographic generator.
struct OsBytes {
  void operator()(unsigned char* to, std::size_t size) const {
#if defined(_WIN32)
    const auto status =
        BCryptGenRandom(nullptr, to, static_cast<ULONG>(size), BCRYPT_USE_SYSTEM_PREFERRED_RNG);
    if (status < 0) throw std::runtime_error("the random source of the operating system failed");
#elif defined(__linux__) || defined(__sun)
    read_fully([](unsigned char* at, std::size_t n) { return ::getrandom(at, n, 0); }, to, size);
#else
    ::arc4random_buf(to, size);
#endif
  }
};

}  // namespace detail

//! A buffered source of random 64-bit words. Make one inside the call that needs
//! it and let it die there: words that outlive the call could be reused by a
//! forked worker, written into a saved session or read from a core file.
template <class Fill>
class EntropyBuffer {
 public:
  static constexpr std::size_t size = 2048;

  explicit EntropyBuffer(Fill fill = Fill()) : fill_(fill) {}
  EntropyBuffer(const EntropyBuffer&) = delete;
  EntropyBuffer& operator=(const EntropyBuffer&) = delete;
  ~EntropyBuffer() { detail::wipe(buffer_.data(), size); }

  //! The next 8 bytes, little-endian. Throws std::runtime_error if the source fails.
  std::uint64_t next64() {
    // The process id is asked for at every word: a child of fork() has a copy of
    // the buffer, and its noise must not be the noise of its parent.
    if (at_ == size || owner_ != detail::process_id()) refill();
    std::uint64_t word = 0;
    for (std::size_t i = 0; i < 8; ++i) word |= std::uint64_t{buffer_[at_ + i]} << (8 * i);
    at_ += 8;
    return word;
  }

 private:
  void refill() {
    // Stays exhausted if the source throws, so that no old word is given out.
    at_ = size;
    fill_(buffer_.data(), size);
    owner_ = detail::process_id();
    at_ = 0;
  }

  Fill fill_;
  std::array<unsigned char, size> buffer_{};
  std::size_t at_ = size;
  long owner_ = -1;
};

//! The only source of noise for a release that claims to be private.
using OsEntropy = EntropyBuffer<detail::OsBytes>;

}  // namespace noiseaware
