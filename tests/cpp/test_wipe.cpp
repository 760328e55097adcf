#include <catch.h>

#include <noiseaware/wide/wipe.hpp>

using namespace noiseaware;

TEST_CASE("memory is zero when it is given back") {
  // The allocator is asked directly, so that the memory can be looked at while
  // it still belongs to the test.
  unsigned char bytes[4] = {1, 2, 3, 4};
  detail::wipe(bytes, 3);
  CHECK(bytes[0] == 0);
  CHECK(bytes[2] == 0);
  CHECK(bytes[3] == 4);
}

TEST_CASE("secret sums behave as a vector") {
  SecretSums sums(3, 7);
  for (int i = 0; i < 100; ++i) sums.push_back(i);
  SecretSums copy = sums;
  const SecretSums moved = std::move(sums);
  CHECK((copy == moved));
  CHECK(copy.size() == 103);
  CHECK((copy[0] == 7));
  CHECK((WipingAllocator<int>() == WipingAllocator<int>(WipingAllocator<i128>())));
  CHECK_FALSE((WipingAllocator<int>() != WipingAllocator<int>()));
}
