// Compiled kernels on disk.
//
// A first key, made of everything known before compiling (source, argument kinds, options, platform, compiler, host
// CPU), names a folder. Each file in it is one compilation and opens with the host values that compilation read; the
// file is used when all of them still have the values they had. So an edited module constant misses, and changing it
// back hits.
//
// Invariants
//  - a reader sees a whole entry or none: entries are written in a folder of the writer's own and renamed into place
//  - a damaged entry is never used; it is removed, so that the next store replaces it
//  - no failure of the file system is an error of the caller: the kernel is compiled and not kept, and one warning says
//  why
#ifndef TILESMITH_RUNTIME_CACHE_H
#define TILESMITH_RUNTIME_CACHE_H

#include "tilesmith/Runtime/HostReads.h"
#include <cstdint>
#include <filesystem>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace tilesmith::runtime {

struct CacheEntry {
  std::vector<HostRead> reads;
  std::string metadata, object;
};

class DiskCache {
public:
  // Entries least recently used go first when the folder outgrows `limit` bytes; 0 keeps nothing on disk.
  explicit DiskCache(std::filesystem::path folder, int64_t limit = int64_t(1) << 30);

  // PYASC_CACHE_DIR, else PYASC_HOME/.pyasc/cache, else ~/.pyasc/cache; TILESMITH_CACHE_LIMIT in MiB.
  static std::filesystem::path defaultFolder();
  static int64_t defaultLimit();

  // The entry below `key` whose reads `holds` confirms.
  using Holds = std::function<bool(const std::vector<HostRead> &)>;
  std::optional<CacheEntry> find(const std::string &key, const Holds &holds);
  void store(const std::string &key, const std::string &name, const CacheEntry &entry);

  struct Usage {
    int64_t entries = 0, bytes = 0;
  };
  Usage usage() const;
  Usage clear(); // what was removed

  const std::filesystem::path &folder() const { return root; }
  // The first thing that went wrong since the last call, for the caller to print; empty: nothing.
  std::string takeWarning();

private:
  void warn(const std::string &what, const std::error_code &error);
  void trim();

  std::filesystem::path root;
  int64_t limit;
  mutable std::mutex mutex;
  int64_t storedSinceTrim = -1; // bytes; negative: never trimmed by this process
  bool warned = false;
  std::string warning;
};

// Hexadecimal digest of parts, each with its length, so that moving a byte from one part to the next is another key.
std::string digest(const std::vector<std::string> &parts);

} // namespace tilesmith::runtime

#endif // TILESMITH_RUNTIME_CACHE_H
