#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <noiseaware/hash/sha256.hpp>
#include <stdexcept>
#include <string>

namespace noiseaware {

using ChaChaKey = std::array<std::uint8_t, 32>;
using ChaChaNonce = std::array<std::uint8_t, 12>;
using ChaChaBlock = std::array<std::uint8_t, 64>;

namespace detail {

using ChaChaState = std::array<std::uint32_t, 16>;

inline std::uint32_t load_le32(const std::uint8_t* at) {
  return std::uint32_t{at[0]} | std::uint32_t{at[1]} << 8 | std::uint32_t{at[2]} << 16 |
         std::uint32_t{at[3]} << 24;
}

inline void quarter_round(ChaChaState& x, std::size_t a, std::size_t b, std::size_t c,
                          std::size_t d) {
  const auto rotl = [](std::uint32_t v, int k) { return (v << k) | (v >> (32 - k)); };
  x[a] += x[b], x[d] = rotl(x[d] ^ x[a], 16);
  x[c] += x[d], x[b] = rotl(x[b] ^ x[c], 12);
  x[a] += x[b], x[d] = rotl(x[d] ^ x[a], 8);
  x[c] += x[d], x[b] = rotl(x[b] ^ x[c], 7);
}

inline void double_round(ChaChaState& x) {
  for (std::size_t i = 0; i < 4; ++i) quarter_round(x, i, 4 + i, 8 + i, 12 + i);
  for (std::size_t i = 0; i < 4; ++i)
    quarter_round(x, i, 4 + (i + 1) % 4, 8 + (i + 2) % 4, 12 + (i + 3) % 4);
}

inline ChaChaState chacha_state(const ChaChaKey& key, std::uint32_t counter,
                                const ChaChaNonce& nonce) {
  ChaChaState x{0x61707865u, 0x3320646eu, 0x79622d32u, 0x6b206574u};
  for (std::size_t i = 0; i < 8; ++i) x[4 + i] = load_le32(&key[4 * i]);
  x[12] = counter;
  for (std::size_t i = 0; i < 3; ++i) x[13 + i] = load_le32(&nonce[4 * i]);
  return x;
}

//! Eight bytes, least significant first.
inline std::string le64(std::uint64_t x) {
  std::string bytes;
  for (int shift = 0; shift < 64; shift += 8) bytes += static_cast<char>((x >> shift) & 255);
  return bytes;
}

//! A field behind its length: no two lists of fields have the same encoding.
inline std::string length_prefixed(const std::string& field) { return le64(field.size()) + field; }

}  // namespace detail

//! The ChaCha20 block function, RFC 8439, section 2.3.
inline ChaChaBlock chacha20_block(const ChaChaKey& key, std::uint32_t counter,
                                  const ChaChaNonce& nonce) {
  const detail::ChaChaState start = detail::chacha_state(key, counter, nonce);
  detail::ChaChaState x = start;
  for (int round = 0; round < 10; ++round) detail::double_round(x);
  ChaChaBlock out{};
  for (std::size_t i = 0; i < 64; ++i)
    out[i] = static_cast<std::uint8_t>((x[i / 4] + start[i / 4]) >> (8 * (i % 4)));
  return out;
}

//! A reproducible source of words: the ChaCha20 keystream with nonce 0, from
//! block 0. For simulation only; a private release draws from OsEntropy.
class ChaCha20Stream {
 public:
  explicit ChaCha20Stream(const ChaChaKey& key) : key_(key) {}

  //! The next 8 bytes of the keystream, little-endian.
  std::uint64_t next64() {
    if (at_ == block_.size()) next_block();
    const std::uint64_t low = detail::load_le32(&block_[at_]);
    const std::uint64_t high = detail::load_le32(&block_[at_ + 4]);
    at_ += 8;
    return low | high << 32;
  }

  //! Continues at block `counter` of the keystream.
  void seek(std::uint32_t counter) {
    counter_ = counter;
    at_ = block_.size();
  }

 private:
  void next_block() {
    // The counter of RFC 8439 has 32 bits; wrapping would repeat the stream.
    if (counter_ >> 32 != 0) throw std::runtime_error("the ChaCha20 keystream is exhausted");
    block_ = chacha20_block(key_, static_cast<std::uint32_t>(counter_++), ChaChaNonce{});
    at_ = 0;
  }

  ChaChaKey key_;
  ChaChaBlock block_{};
  std::uint64_t counter_ = 0;
  std::size_t at_ = std::tuple_size<ChaChaBlock>::value;
};

//! Key of the raw simulation stream: a tag of 24 bytes that no one takes for a
//! secret, then the seed.
inline ChaChaKey simulation_key(std::uint64_t seed) {
  const std::string text = "INSECURE-SIMULATION-SEED" + detail::le64(seed);
  ChaChaKey key{};
  for (std::size_t i = 0; i < key.size(); ++i) key[i] = static_cast<std::uint8_t>(text[i]);
  return key;
}

//! Key of one simulated release. Query and group enter the key: the same seed
//! under two queries would otherwise give correlated noise.
inline ChaChaKey simulation_key(std::uint64_t seed, const std::string& query_hash,
                                std::uint64_t group) {
  std::string message;
  for (const std::string& field : {std::string("INSECURE-SIMULATION-RELEASE"), detail::le64(seed),
                                   query_hash, detail::le64(group)})
    message += detail::length_prefixed(field);
  return Sha256::digest(message);
}

}  // namespace noiseaware
