#include <catch.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <new>
#include <noiseaware/rng/chacha20.hpp>
#include <noiseaware/rng/os_entropy.hpp>
#include <set>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#if !defined(_WIN32)
#include <sys/wait.h>
#include <unistd.h>
#endif

using noiseaware::ChaCha20Stream;
using noiseaware::ChaChaKey;
using noiseaware::ChaChaNonce;
using noiseaware::EntropyBuffer;
using noiseaware::OsEntropy;

namespace {

template <class Bytes>
std::string hex(const Bytes& bytes) {
  constexpr char digits[] = "0123456789abcdef";
  std::string out;
  for (const std::uint8_t byte : bytes) {
    out += digits[byte >> 4];
    out += digits[byte & 15];
  }
  return out;
}

// Writes 0, 1, 2, ... or fails, as it is told.
struct CountingBytes {
  int* calls;
  bool* broken;
  void operator()(unsigned char* to, std::size_t size) const {
    if (*broken) throw std::runtime_error("broken");
    for (std::size_t i = 0; i < size; ++i) to[i] = static_cast<unsigned char>(i);
    ++*calls;
  }
};

}  // namespace

TEST_CASE("ChaCha20 gives the blocks of RFC 8439") {
  ChaChaKey key{};
  // Appendix A.1, test vector 1.
  CHECK(hex(noiseaware::chacha20_block(key, 0, ChaChaNonce{})) ==
        "76b8e0ada0f13d90405d6ae55386bd28bdd219b8a08ded1aa836efcc8b770dc7"
        "da41597c5157488d7724e03fb8d84a376a43b8f41518a11cc387b669b2ee6586");
  // Section 2.3.2.
  for (std::size_t i = 0; i < key.size(); ++i) key[i] = static_cast<std::uint8_t>(i);
  CHECK(
      hex(noiseaware::chacha20_block(key, 1, ChaChaNonce{0, 0, 0, 9, 0, 0, 0, 0x4a, 0, 0, 0, 0})) ==
      "10f1e7e4d13b5915500fdd1fa32071c4c7d1f4c733c068030422aa9ac3d46c4e"
      "d2826446079faa0914c2d705d98b02a2b5129cd1de164eb9cbd083e8a2503c4e");
}

TEST_CASE("the ChaCha20 stream is the keystream in little-endian words") {
  ChaCha20Stream stream(ChaChaKey{});
  CHECK(stream.next64() == 0x903df1a0ade0b876u);
  CHECK(stream.next64() == 0x28bd8653e56a5d40u);
  for (int i = 2; i < 8; ++i) stream.next64();
  // Appendix A.1, test vector 2: block 1 of the zero key begins 9f 07 e7 be 55 51 38 7a.
  CHECK(stream.next64() == 0x7a385155bee7079fu);
}

TEST_CASE("the ChaCha20 stream ends instead of repeating itself") {
  ChaCha20Stream stream(ChaChaKey{});
  stream.seek(0xffffffffu);
  for (int i = 0; i < 8; ++i) stream.next64();
  CHECK_THROWS_AS(stream.next64(), std::runtime_error);
}

TEST_CASE("simulation keys are what they say") {
  const ChaChaKey raw = noiseaware::simulation_key(0x0102030405060708u);
  CHECK(std::string(raw.begin(), raw.begin() + 24) == "INSECURE-SIMULATION-SEED");
  CHECK(hex(std::vector<std::uint8_t>(raw.begin() + 24, raw.end())) == "0807060504030201");

  // hashlib.sha256 of the fields, each behind struct.pack('<Q', len(field)).
  std::string query;
  for (int i = 0; i < 32; ++i) query += "ab";
  CHECK(hex(noiseaware::simulation_key(42, query, 0)) ==
        "22b7930e39afb25f8ff00588d93a51277c2d421d0260d3de3f19ef9be2da8e15");
  CHECK(hex(noiseaware::simulation_key(42, query, 1)) ==
        "a7cad09116245767337b81c5c15c5126da6349d33577d5ca1f09b025009144b1");
  CHECK(hex(noiseaware::simulation_key(7, "", 0)) ==
        "3e4e874f494ee7dc3c7b972bf1eafe5a2a07999105ec3c3cde4419f7425b9f00");
}

TEST_CASE("the operating system gives distinct words") {
  OsEntropy first, second;
  std::set<std::uint64_t> seen;
  std::uint64_t any = 0, all = ~std::uint64_t{0};
  for (int i = 0; i < 5000; ++i) {
    for (OsEntropy* source : {&first, &second}) {
      const std::uint64_t word = source->next64();
      seen.insert(word);
      any |= word;
      all &= word;
    }
  }
  // Two equal words among 10^4 have probability 3e-12.
  CHECK(seen.size() == 10000);
  CHECK(any == ~std::uint64_t{0});
  CHECK(all == 0);
}

TEST_CASE("an entropy buffer cannot be copied") {
  CHECK_FALSE(std::is_copy_constructible<OsEntropy>::value);
  CHECK_FALSE(std::is_copy_assignable<OsEntropy>::value);
}

TEST_CASE("words are little-endian, and the buffer is refilled when it is used up") {
  int calls = 0;
  bool broken = false;
  EntropyBuffer<CountingBytes> source(CountingBytes{&calls, &broken});
  CHECK(source.next64() == 0x0706050403020100u);
  CHECK(source.next64() == 0x0f0e0d0c0b0a0908u);
  for (std::size_t i = 2; i < source.size / 8; ++i) source.next64();
  CHECK(calls == 1);
  CHECK(source.next64() == 0x0706050403020100u);
  CHECK(calls == 2);
}

TEST_CASE("a source that fails gives an error every time, never an old word") {
  int calls = 0;
  bool broken = false;
  EntropyBuffer<CountingBytes> source(CountingBytes{&calls, &broken});
  for (std::size_t i = 0; i < source.size / 8; ++i) source.next64();
  broken = true;
  CHECK_THROWS_AS(source.next64(), std::runtime_error);
  CHECK_THROWS_AS(source.next64(), std::runtime_error);
  broken = false;
  CHECK(source.next64() == 0x0706050403020100u);
}

TEST_CASE("interrupted and short reads are continued") {
  std::vector<unsigned char> bytes(100, 0);
  int calls = 0;
  const auto read = [&](unsigned char* to, std::size_t size) -> long {
    ++calls;
    if (calls % 2 == 1) {
      errno = EINTR;
      return -1;
    }
    const std::size_t got = std::min<std::size_t>(size, 7);
    std::memset(to, calls, got);
    return static_cast<long>(got);
  };
  noiseaware::detail::read_fully(read, bytes.data(), bytes.size());
  CHECK(calls == 30);
  for (std::size_t i = 0; i < bytes.size(); ++i) CHECK(bytes[i] == 2 * (i / 7 + 1));
}

TEST_CASE("a read that fails, ends early or writes too much is an error") {
  unsigned char bytes[8] = {};
  const auto read_returning = [&](long got) {
    noiseaware::detail::read_fully(
        [&](unsigned char*, std::size_t) {
          errno = EIO;
          return got;
        },
        bytes, sizeof bytes);
  };
  CHECK_THROWS_AS(read_returning(-1), std::runtime_error);
  CHECK_THROWS_AS(read_returning(0), std::runtime_error);
  CHECK_THROWS_AS(read_returning(9), std::runtime_error);
}

TEST_CASE("the buffer is wiped when it dies") {
  alignas(OsEntropy) static unsigned char storage[sizeof(OsEntropy)];
  const volatile unsigned char* seen = storage;
  const auto nonzero = [&] {
    std::size_t count = 0;
    for (std::size_t i = 0; i < sizeof storage; ++i) count += seen[i] != 0;
    return count;
  };
  OsEntropy* source = new (storage) OsEntropy;
  source->next64();
  CHECK(nonzero() > OsEntropy::size / 2);
  source->~OsEntropy();
  CHECK(nonzero() <= sizeof(OsEntropy) - OsEntropy::size);
}

#if !defined(_WIN32)
namespace {

// The next word of `source` in a forked child.
std::uint64_t next_in_child(OsEntropy& source) {
  int ends[2];
  if (pipe(ends) != 0) throw std::runtime_error("pipe");
  const pid_t child = fork();
  if (child == 0) {
    const std::uint64_t word = source.next64();
    const ssize_t written = write(ends[1], &word, sizeof word);
    _exit(written == static_cast<ssize_t>(sizeof word) ? 0 : 1);
  }
  std::uint64_t word = 0;
  const ssize_t got = child > 0 ? read(ends[0], &word, sizeof word) : -1;
  int status = 1;
  if (child > 0) waitpid(child, &status, 0);
  close(ends[0]);
  close(ends[1]);
  if (got != static_cast<ssize_t>(sizeof word) || status != 0) throw std::runtime_error("child");
  return word;
}

}  // namespace

TEST_CASE("a forked child never sees the words of its parent or its siblings") {
  OsEntropy source;
  source.next64();  // the buffer is full of words yet to come
  std::set<std::uint64_t> seen;
  for (int i = 0; i < 8; ++i) seen.insert(next_in_child(source));
  CHECK(seen.size() == 8);
  CHECK(seen.count(source.next64()) == 0);
}
#endif
