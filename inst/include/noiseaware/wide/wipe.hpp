#pragma once

#include <cstddef>
#include <memory>
#include <noiseaware/wide/int128.hpp>
#include <vector>

namespace noiseaware {
namespace detail {

//! Overwrites memory through a volatile pointer: the compiler may drop plain
//! stores to an object that is about to die.
inline void wipe(unsigned char* at, std::size_t size) {
  volatile unsigned char* byte = at;
  for (std::size_t i = 0; i < size; ++i) byte[i] = 0;
}

}  // namespace detail

//! Memory that is wiped before it is given back, also when a vector grows,
//! moves or is assigned to.
template <class T>
struct WipingAllocator {
  using value_type = T;

  WipingAllocator() = default;
  template <class U>
  WipingAllocator(const WipingAllocator<U>&) {}

  T* allocate(std::size_t n) { return std::allocator<T>().allocate(n); }
  void deallocate(T* at, std::size_t n) {
    detail::wipe(reinterpret_cast<unsigned char*>(at), n * sizeof(T));
    std::allocator<T>().deallocate(at, n);
  }

  friend bool operator==(const WipingAllocator&, const WipingAllocator&) { return true; }
  friend bool operator!=(const WipingAllocator&, const WipingAllocator&) { return false; }
};

//! Exact sums of records: whoever reads freed memory must not find them.
using SecretSums = std::vector<i128, WipingAllocator<i128>>;

}  // namespace noiseaware
