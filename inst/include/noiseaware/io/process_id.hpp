#pragma once

#if defined(_WIN32)
#include <process.h>
#else
#include <unistd.h>
#endif

namespace noiseaware {
namespace detail {

//! Tells a process from its parent after fork(), and from others that write to
//! the same directory.
inline long process_id() {
#if defined(_WIN32)
  return static_cast<long>(::_getpid());
#else
  return static_cast<long>(::getpid());
#endif
}

}  // namespace detail
}  // namespace noiseaware
