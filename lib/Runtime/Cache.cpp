#include "tilesmith/Runtime/Cache.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/BLAKE3.h"
#include "llvm/Support/xxhash.h"
#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <random>
#include <sys/stat.h>
#include <unistd.h>

namespace fs = std::filesystem;

namespace tilesmith::runtime {
namespace {

// File: magic, checksum of the rest, then length-prefixed strings: number of reads, each path and fingerprint,
// metadata, object.
constexpr char magic[8] = {'T', 'S', 'K', 'E', 'R', 'N', '0', '1'};
constexpr char suffix[] = ".o";
constexpr char stagingName[] = "staging";
constexpr int64_t trimEvery = int64_t(32) << 20;

uint64_t checksum(std::string_view bytes) { return llvm::xxh3_64bits(llvm::StringRef(bytes.data(), bytes.size())); }

void appendNumber(std::string &out, uint64_t value) {
  out.append(reinterpret_cast<const char *>(&value), sizeof value);
}
void appendString(std::string &out, const std::string &text) {
  appendNumber(out, text.size());
  out += text;
}

// Reads what append* wrote; any inconsistency makes everything after it empty and `ok` false.
struct Reader {
  std::string_view rest;
  bool ok = true;

  uint64_t number() {
    uint64_t value = 0;
    if (!ok || rest.size() < sizeof value) {
      ok = false;
      return 0;
    }
    std::memcpy(&value, rest.data(), sizeof value);
    rest.remove_prefix(sizeof value);
    return value;
  }
  std::string string() {
    uint64_t size = number();
    if (!ok || size > rest.size()) {
      ok = false;
      return {};
    }
    std::string text(rest.substr(0, size));
    rest.remove_prefix(size);
    return text;
  }
};

std::string encode(const CacheEntry &entry) {
  std::string body;
  appendNumber(body, entry.reads.size());
  for (const HostRead &read : entry.reads) {
    appendString(body, read.path);
    appendString(body, read.fingerprint);
  }
  appendString(body, entry.metadata);
  appendString(body, entry.object);
  std::string file(magic, sizeof magic);
  appendNumber(file, checksum(body));
  return file + body;
}

std::optional<CacheEntry> decode(std::string_view file) {
  if (file.size() < sizeof magic || std::memcmp(file.data(), magic, sizeof magic) != 0)
    return std::nullopt;
  Reader reader{file.substr(sizeof magic)};
  uint64_t expected = reader.number();
  if (!reader.ok || checksum(reader.rest) != expected)
    return std::nullopt;
  CacheEntry entry;
  uint64_t reads = reader.number();
  for (uint64_t i = 0; i < reads && reader.ok; ++i) {
    std::string path = reader.string();
    entry.reads.push_back({std::move(path), reader.string()});
  }
  entry.metadata = reader.string();
  entry.object = reader.string();
  if (!reader.ok || !reader.rest.empty())
    return std::nullopt;
  return entry;
}

std::optional<std::string> readFile(const fs::path &path) {
  int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0)
    return std::nullopt;
  struct stat info;
  std::string bytes;
  bool good = ::fstat(file, &info) == 0;
  if (good) {
    bytes.resize(size_t(info.st_size));
    size_t done = 0;
    while (done < bytes.size()) {
      ssize_t n = ::read(file, bytes.data() + done, bytes.size() - done);
      if (n <= 0)
        break;
      done += size_t(n);
    }
    good = done == bytes.size();
  }
  ::close(file);
  return good ? std::optional(std::move(bytes)) : std::nullopt;
}

std::error_code writeFile(const fs::path &path, std::string_view bytes) {
  int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
  if (file < 0)
    return {errno, std::generic_category()};
  std::error_code error;
  while (!bytes.empty() && !error) {
    ssize_t n = ::write(file, bytes.data(), bytes.size());
    if (n < 0)
      error = {errno, std::generic_category()};
    else
      bytes.remove_prefix(size_t(n));
  }
  if (::close(file) != 0 && !error)
    error = {errno, std::generic_category()};
  return error;
}

// A folder no other writer uses, in this process or another one.
fs::path stagingFolder(const fs::path &root) {
  static std::atomic<uint64_t> counter{std::random_device{}()};
  std::string name = std::to_string(::getpid()) + "-" + llvm::utohexstr(counter++);
  return root / stagingName / name;
}

struct FileInfo {
  fs::path path;
  int64_t size;
  fs::file_time_type used;
};

// All entries below the root. Folders that vanish while we look (another process trims) are skipped.
std::vector<FileInfo> listEntries(const fs::path &root) {
  std::vector<FileInfo> files;
  std::error_code error;
  for (fs::directory_iterator folder(root, error), end; !error && folder != end; folder.increment(error)) {
    if (folder->path().filename() == stagingName)
      continue;
    std::error_code inner;
    for (fs::directory_iterator file(folder->path(), inner); !inner && file != end; file.increment(inner)) {
      std::error_code info;
      if (file->path().extension() != suffix)
        continue;
      int64_t size = int64_t(file->file_size(info));
      fs::file_time_type used = file->last_write_time(info);
      if (!info)
        files.push_back({file->path(), size, used});
    }
  }
  return files;
}

} // namespace

DiskCache::DiskCache(fs::path folder, int64_t limit) : root(std::move(folder)), limit(limit) {}

fs::path DiskCache::defaultFolder() {
  auto variable = [](const char *name) {
    const char *value = std::getenv(name);
    return value && *value ? value : nullptr;
  };
  if (const char *folder = variable("PYASC_CACHE_DIR"))
    return folder;
  if (const char *home = variable("PYASC_HOME"))
    return fs::path(home) / ".pyasc" / "cache";
  if (const char *home = variable("HOME"))
    return fs::path(home) / ".pyasc" / "cache";
  return {};
}

int64_t DiskCache::defaultLimit() {
  const char *text = std::getenv("TILESMITH_CACHE_LIMIT");
  char *end = nullptr;
  long long mebibytes = text && *text ? std::strtoll(text, &end, 10) : 1024;
  if (end && *end)
    mebibytes = 1024;
  return std::clamp(mebibytes, 0LL, 1LL << 40) << 20;
}

std::optional<CacheEntry> DiskCache::find(const std::string &key, const Holds &holds) {
  if (root.empty() || limit == 0)
    return std::nullopt;
  std::error_code error;
  for (fs::directory_iterator file(root / key, error), end; !error && file != end; file.increment(error)) {
    const fs::path path = file->path();
    if (path.extension() != suffix)
      continue;
    std::optional<std::string> bytes = readFile(path);
    if (!bytes)
      continue;
    std::optional<CacheEntry> entry = decode(*bytes);
    std::error_code ignored;
    if (!entry) {
      fs::remove(path, ignored);
      continue;
    }
    if (holds(entry->reads)) {
      fs::last_write_time(path, fs::file_time_type::clock::now(), ignored);
      return entry;
    }
  }
  return std::nullopt;
}

void DiskCache::store(const std::string &key, const std::string &name, const CacheEntry &entry) {
  if (root.empty() || limit == 0)
    return;
  std::vector<std::string> parts;
  for (const HostRead &read : entry.reads) {
    parts.push_back(read.path);
    parts.push_back(read.fingerprint);
  }
  std::string bytes = encode(entry);
  fs::path staging = stagingFolder(root), folder = root / key;
  std::string file = name + "-" + digest(parts).substr(0, 16) + suffix;
  std::error_code error, ignored;
  fs::create_directories(staging, error);
  if (!error)
    fs::create_directories(folder, error);
  if (!error)
    error = writeFile(staging / file, bytes);
  if (!error)
    fs::rename(staging / file, folder / file, error);
  fs::remove_all(staging, ignored);
  if (error)
    return warn("compiled kernels are not kept: cannot write to the cache folder " + root.string(), error);
  std::lock_guard lock(mutex);
  if (storedSinceTrim < 0 || (storedSinceTrim += int64_t(bytes.size())) > std::min(trimEvery, limit / 4)) {
    storedSinceTrim = 0;
    trim();
  }
}

// Removes the least recently used entries until a tenth of the limit is free, so that not every store has to trim.
void DiskCache::trim() {
  std::vector<FileInfo> files = listEntries(root);
  int64_t total = 0;
  for (const FileInfo &file : files)
    total += file.size;
  if (total <= limit)
    return;
  std::sort(files.begin(), files.end(), [](const FileInfo &a, const FileInfo &b) { return a.used < b.used; });
  std::error_code ignored;
  for (const FileInfo &file : files) {
    if (total <= limit - limit / 10)
      break;
    fs::remove(file.path, ignored);
    fs::remove(file.path.parent_path(), ignored); // stays while other entries are in it
    total -= file.size;
  }
}

DiskCache::Usage DiskCache::usage() const {
  Usage usage;
  for (const FileInfo &file : listEntries(root)) {
    ++usage.entries;
    usage.bytes += file.size;
  }
  return usage;
}

DiskCache::Usage DiskCache::clear() {
  Usage removed;
  for (const FileInfo &file : listEntries(root)) {
    std::error_code error, ignored;
    if (!fs::remove(file.path, error) || error) {
      if (error)
        warn("cannot remove " + file.path.string(), error);
      continue;
    }
    fs::remove(file.path.parent_path(), ignored);
    ++removed.entries;
    removed.bytes += file.size;
  }
  return removed;
}

std::string DiskCache::takeWarning() {
  std::lock_guard lock(mutex);
  return std::exchange(warning, {});
}

void DiskCache::warn(const std::string &what, const std::error_code &error) {
  std::lock_guard lock(mutex);
  if (!std::exchange(warned, true))
    warning = what + " (" + error.message() + ")";
}

std::string digest(const std::vector<std::string> &parts) {
  llvm::BLAKE3 hasher;
  for (const std::string &part : parts) {
    uint64_t size = part.size();
    hasher.update(llvm::ArrayRef(reinterpret_cast<const uint8_t *>(&size), sizeof size));
    hasher.update(llvm::StringRef(part));
  }
  auto bytes = hasher.final<16>();
  return llvm::toHex(llvm::ArrayRef(bytes.data(), bytes.size()), /*LowerCase=*/true);
}

} // namespace tilesmith::runtime
