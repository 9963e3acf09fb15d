// The heap of a device: sizes and reuse as the vendor's allocator has them, what a full device says, segments as files.
#include "tilesmith/Runtime/DeviceHeap.h"
#include <cstring>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <thread>
#include <vector>

using tilesmith::runtime::DeviceHeap;

namespace {

constexpr int64_t KiB = 1024, MiB = 1024 * KiB, roomy = 1024 * MiB;
constexpr auto first = uintptr_t(tilesmith::machine::firstHeapAddress + 9 * tilesmith::machine::heapBytes);

TEST(DeviceHeap, BlocksAreAlignedAndLongerThanAsked) {
  DeviceHeap heap(first);
  uint8_t *one = heap.allocate(1, roomy), *full = heap.allocate(480, roomy), *over = heap.allocate(481, roomy),
          *last = heap.allocate(1, roomy);
  EXPECT_EQ(uintptr_t(one), first); // the same in every run
  EXPECT_EQ(full - one, 512);
  EXPECT_EQ(over - full, 512); // 480 bytes and 32 of slack
  EXPECT_EQ(last - over, 1024);
  EXPECT_EQ(heap.statistics().allocated, 5 * 512);
  EXPECT_EQ(heap.blockOf(over + 700)->begin, over);
  EXPECT_EQ(heap.blockOf(over + 700)->bytes, 481);
  EXPECT_FALSE(heap.blockOf(last + 512));
}

TEST(DeviceHeap, AFreedBlockIsUsedAgainTheBestFittingFirst) {
  DeviceHeap heap(first);
  uint8_t *large = heap.allocate(4000, roomy);
  heap.allocate(1, roomy);
  uint8_t *small = heap.allocate(400, roomy);
  heap.allocate(1, roomy);
  heap.release(large);
  heap.release(small);
  EXPECT_EQ(heap.allocate(300, roomy), small);
  EXPECT_EQ(heap.allocate(300, roomy), large); // cut from its front
  EXPECT_EQ(heap.allocate(300, roomy), large + 512);
}

TEST(DeviceHeap, FreeNeighboursBecomeOneBlock) {
  DeviceHeap heap(first);
  uint8_t *blocks[4];
  for (uint8_t *&block : blocks)
    block = heap.allocate(400, roomy);
  heap.release(blocks[0]);
  heap.release(blocks[2]);
  heap.release(blocks[1]);
  EXPECT_EQ(heap.allocate(1400, roomy), blocks[0]);
}

TEST(DeviceHeap, SegmentsAreOfThreeSizes) {
  DeviceHeap heap(first);
  heap.allocate(1, roomy);
  EXPECT_EQ(heap.statistics().reserved, 2 * MiB);
  heap.allocate(1 * MiB, roomy); // with its slack it is not small
  EXPECT_EQ(heap.statistics().reserved, 22 * MiB);
  heap.allocate(9 * MiB, roomy);
  EXPECT_EQ(heap.statistics().reserved, 22 * MiB); // in the same segment
  heap.allocate(10 * MiB, roomy);
  EXPECT_EQ(heap.statistics().reserved, 34 * MiB); // 10 MiB and slack: 12 of its own
  EXPECT_EQ(heap.statistics().segments, 3);
}

TEST(DeviceHeap, AFullDeviceGivesUnusedSegmentsBackBeforeItRefuses) {
  DeviceHeap heap(first);
  uint8_t *held = heap.allocate(30 * MiB, 64 * MiB);
  heap.release(held);
  ASSERT_TRUE(heap.allocate(40 * MiB, 64 * MiB));
  EXPECT_EQ(heap.statistics().reserved, 42 * MiB);
  EXPECT_FALSE(heap.allocate(40 * MiB, 64 * MiB));
  EXPECT_FALSE(heap.allocate(-1, 64 * MiB));
  EXPECT_FALSE(heap.allocate(INT64_MAX, INT64_MAX));
  EXPECT_EQ(heap.statistics().refused, 3);
  EXPECT_TRUE(heap.allocate(1, 64 * MiB)); // and goes on
}

TEST(DeviceHeap, MemoryGivenBackIsNotAtTheSameAddressAgain) {
  DeviceHeap heap(first);
  uint8_t *before = heap.allocate(30 * MiB, roomy);
  heap.release(before);
  EXPECT_EQ(heap.giveBack(), 32 * MiB);
  EXPECT_FALSE(heap.segmentOf(before));
  EXPECT_NE(heap.allocate(30 * MiB, roomy), before);
  EXPECT_EQ(heap.giveBack(), 0); // it is in use
}

TEST(DeviceHeap, ASegmentIsAFileOthersCanMap) {
  DeviceHeap heap(first);
  heap.allocate(1, roomy);
  uint8_t *block = heap.allocate(100, roomy);
  std::memcpy(block, "here", 4);
  std::optional<DeviceHeap::SegmentFile> segment = heap.segmentOf(block + 50);
  ASSERT_TRUE(segment);
  void *elsewhere = mmap(nullptr, size_t(segment->size), PROT_READ, MAP_SHARED, segment->file, 0);
  ASSERT_NE(elsewhere, MAP_FAILED);
  EXPECT_EQ(std::memcmp(static_cast<uint8_t *>(elsewhere) + (block - segment->begin), "here", 4), 0);
  munmap(elsewhere, size_t(segment->size));
}

TEST(DeviceHeap, OldBytesAreThereUnlessTheyArePoisoned) {
  DeviceHeap heap(first);
  uint8_t *block = heap.allocate(100, roomy);
  std::memset(block, 7, 100);
  heap.release(block);
  EXPECT_EQ(heap.allocate(100, roomy)[99], 7);
  heap.release(block);
  heap.setPoison(true);
  EXPECT_EQ(heap.allocate(100, roomy)[99], 0xff);
}

TEST(DeviceHeap, WhatIsNoBlockIsNotReleased) {
  DeviceHeap heap(first);
  uint8_t *block = heap.allocate(100, roomy);
  heap.release(block + 512);
  heap.release(nullptr);
  heap.release(block);
  heap.release(block);
  EXPECT_EQ(heap.statistics().allocated, 0);
  EXPECT_EQ(heap.statistics().releases, 1);
}

TEST(DeviceHeap, ThreadsDoNotGetTheSameBlock) {
  DeviceHeap heap(first);
  std::vector<std::thread> threads;
  for (int number = 0; number < 4; ++number)
    threads.emplace_back([&heap, number] {
      for (int i = 0; i < 2000; ++i) {
        uint8_t *block = heap.allocate(200 + 97 * (i % 5), roomy);
        std::memset(block, number, 200);
        for (int at = 0; at < 200; ++at)
          ASSERT_EQ(block[at], number);
        heap.release(block);
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(heap.statistics().allocated, 0);
}

} // namespace
