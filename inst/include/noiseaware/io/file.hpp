#pragma once

// Everything the package asks of the operating system about files: create
// without overwriting, lock, read, write fully, flush to the disk, rename.
// Both headers define the same names in noiseaware::detail.
#ifdef _WIN32
#include <noiseaware/io/file_windows.hpp>
#else
#include <noiseaware/io/file_posix.hpp>
#endif
