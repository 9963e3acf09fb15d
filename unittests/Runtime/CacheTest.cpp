#include "tilesmith/Runtime/Cache.h"
#include <fstream>
#include <gtest/gtest.h>
#include <thread>
#include <unistd.h>

namespace fs = std::filesystem;
using namespace tilesmith::runtime;

namespace {

struct CacheTest : testing::Test {
  fs::path folder = fs::temp_directory_path() / ("tilesmith-cache-test-" + std::to_string(::getpid()));
  void SetUp() override { fs::remove_all(folder); }
  void TearDown() override { fs::remove_all(folder); }

  static bool always(const std::vector<HostRead> &) { return true; }
  static CacheEntry entry(std::string object, std::vector<HostRead> reads = {}) {
    return {std::move(reads), "meta", std::move(object)};
  }
  std::vector<fs::path> files() const {
    std::vector<fs::path> found;
    for (const auto &item : fs::recursive_directory_iterator(folder))
      if (item.is_regular_file())
        found.push_back(item.path());
    return found;
  }
};

TEST_F(CacheTest, AnEntryComesBackAsItWasStored) {
  DiskCache cache(folder);
  EXPECT_FALSE(cache.find("key", always));
  cache.store("key", "abs", entry("object", {{"globals.TILE", "int:3"}}));
  auto found = cache.find("key", always);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->object, "object");
  EXPECT_EQ(found->metadata, "meta");
  EXPECT_EQ(found->reads, (std::vector<HostRead>{{"globals.TILE", "int:3"}}));
  EXPECT_FALSE(cache.find("other", always));
  EXPECT_EQ(cache.usage().entries, 1);
}

TEST_F(CacheTest, HostValuesChooseAmongTheEntriesOfAKey) {
  DiskCache cache(folder);
  cache.store("key", "abs", entry("three", {{"globals.TILE", "int:3"}}));
  cache.store("key", "abs", entry("four", {{"globals.TILE", "int:4"}}));
  auto now = [](const char *value) {
    return [=](const std::vector<HostRead> &reads) { return reads[0].fingerprint == value; };
  };
  EXPECT_EQ(cache.find("key", now("int:4"))->object, "four");
  EXPECT_EQ(cache.find("key", now("int:3"))->object, "three");
  EXPECT_FALSE(cache.find("key", now("int:5")));
}

TEST_F(CacheTest, EveryDamagedByteIsNoticedAndTheEntryReplaced) {
  DiskCache cache(folder);
  cache.store("key", "abs", entry("some object code", {{"path", "value"}}));
  fs::path file = files().at(0);
  auto size = fs::file_size(file);
  for (size_t at = 0; at < size; ++at) {
    {
      std::fstream stream(file, std::ios::in | std::ios::out | std::ios::binary);
      stream.seekg(std::streamoff(at));
      char byte = char(stream.get() ^ 0x20);
      stream.seekp(std::streamoff(at));
      stream.put(byte);
    }
    EXPECT_FALSE(cache.find("key", always)) << "byte " << at;
    EXPECT_FALSE(fs::exists(file));
    cache.store("key", "abs", entry("some object code", {{"path", "value"}}));
    EXPECT_TRUE(cache.find("key", always));
  }
  for (size_t length = 0; length < size; length += 7) {
    fs::resize_file(file, length);
    EXPECT_FALSE(cache.find("key", always)) << "truncated to " << length;
    cache.store("key", "abs", entry("some object code", {{"path", "value"}}));
  }
}

TEST_F(CacheTest, WritersDoNotDisturbReaders) {
  std::string big(100000, 'x');
  std::vector<std::thread> threads;
  std::atomic<int> bad = 0;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      DiskCache cache(folder);
      for (int i = 0; i < 50; ++i) {
        if (t % 2)
          cache.store("key", "abs", entry(big));
        else if (auto found = cache.find("key", always); found && found->object != big)
          ++bad;
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(bad, 0);
  EXPECT_EQ(files().size(), 1u) << "staging is left empty";
}

TEST_F(CacheTest, TheLeastRecentlyUsedGoFirst) {
  DiskCache cache(folder, 10000);
  std::string object(2000, 'x');
  for (int i = 0; i < 4; ++i) {
    cache.store("key" + std::to_string(i), "k", entry(object));
    for (const fs::path &file : files()) // age everything by a second: the clock's resolution must not decide
      fs::last_write_time(file, fs::last_write_time(file) - std::chrono::seconds(1));
  }
  EXPECT_TRUE(cache.find("key0", always)); // now the most recently used
  for (int i = 4; i < 8; ++i)
    cache.store("key" + std::to_string(i), "k", entry(object));
  EXPECT_TRUE(cache.find("key0", always));
  EXPECT_FALSE(cache.find("key1", always));
  EXPECT_LE(cache.usage().bytes, 10000 + 2500);
}

TEST_F(CacheTest, AFolderThatCannotBeWrittenIsOneWarning) {
  std::ofstream(folder) << "a file, not a folder";
  DiskCache cache(folder / "cache");
  cache.store("key", "abs", entry("object"));
  EXPECT_NE(cache.takeWarning().find("compiled kernels are not kept: cannot write to the cache folder"),
            std::string::npos);
  cache.store("key", "abs", entry("object"));
  EXPECT_EQ(cache.takeWarning(), "");
  EXPECT_FALSE(cache.find("key", always));
  EXPECT_EQ(cache.clear().entries, 0);
}

TEST_F(CacheTest, ClearRemovesEntriesOnly) {
  DiskCache cache(folder);
  cache.store("a", "k", entry("1"));
  cache.store("b", "k", entry("2"));
  std::ofstream(folder / "notes.txt") << "mine";
  EXPECT_EQ(cache.clear().entries, 2);
  EXPECT_EQ(cache.usage().entries, 0);
  EXPECT_TRUE(fs::exists(folder / "notes.txt"));
}

TEST(Digest, PartsDoNotRunIntoEachOther) {
  EXPECT_NE(digest({"ab", "c"}), digest({"a", "bc"}));
  EXPECT_EQ(digest({"ab", "c"}), digest({"ab", "c"}));
  EXPECT_EQ(digest({}).size(), 32u);
}

} // namespace
