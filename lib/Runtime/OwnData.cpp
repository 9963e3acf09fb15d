#include "tilesmith/Runtime/OwnData.h"
#include "tilesmith/Runtime/DeviceHeap.h"
#include <algorithm>

namespace tilesmith::runtime {
namespace {

constexpr Origins::Origin marked = 1;

std::optional<DeviceHeap::Extent> blockOf(uintptr_t at) {
  return DeviceHeap::of(0).blockOf(reinterpret_cast<uint8_t *>(at));
}

int64_t bytesOf(const Origins &ranges) {
  int64_t bytes = 0;
  ranges.each(0, UINTPTR_MAX, [&](uintptr_t begin, uintptr_t end, Origins::Origin origin) {
    bytes += origin == Origins::none ? 0 : int64_t(end - begin);
  });
  return bytes;
}

} // namespace

void OwnData::clear() {
  entries.clear();
  current.clear();
  ofLaunch.clear();
}

std::vector<OwnData::Range> OwnData::ownIn(uintptr_t begin, uintptr_t end) const {
  std::vector<Range> result;
  origins.each(begin, end, [&](uintptr_t from, uintptr_t to, Origins::Origin origin) {
    if (!isOwn(origin))
      return;
    result.push_back({from, to, origin});
  });
  return result;
}

void OwnData::keep(Entry &entry) const {
  auto *bytes = reinterpret_cast<const uint8_t *>(entry.block);
  entry.kept.assign(bytes, bytes + entry.size);
  entry.ranges = ownIn(entry.block, entry.block + uintptr_t(entry.size));
}

int OwnData::entryOf(uintptr_t block, int64_t size) {
  if (auto found = ofLaunch.find(block); found != ofLaunch.end())
    return found->second;
  auto [found, isNew] = current.try_emplace(block, int(entries.size()));
  if (isNew) {
    entries.emplace_back();
    entries.back().block = block;
    entries.back().size = size;
  }
  return found->second;
}

void OwnData::aboutToChange(uintptr_t begin, uintptr_t end) {
  for (auto at = current.begin(); at != current.end() && at->first < end;) {
    Entry &entry = entries[size_t(at->second)];
    if (entry.block + uintptr_t(entry.size) <= begin) {
      ++at;
      continue;
    }
    keep(entry);
    at = current.erase(at);
  }
}

void OwnData::aboutToLaunch(uintptr_t begin, uintptr_t end) {
  for (auto [from, to, origin] : ownIn(begin, end)) {
    auto extent = blockOf(from);
    if (!extent)
      continue;
    auto block = reinterpret_cast<uintptr_t>(extent->begin);
    if (ofLaunch.count(block))
      continue;
    int entry = entryOf(block, extent->bytes);
    keep(entries[size_t(entry)]);
    current.erase(block);
    ofLaunch[block] = entry;
  }
  aboutToChange(begin, end);
}

int OwnData::read(uintptr_t begin, uintptr_t end) {
  auto extent = blockOf(begin);
  if (!extent)
    return -1;
  int entry = entryOf(reinterpret_cast<uintptr_t>(extent->begin), extent->bytes);
  entries[size_t(entry)].isRead = true;
  entries[size_t(entry)].read.assign(begin, end, marked);
  return entry;
}

void OwnData::lookedUp(int entry, uintptr_t begin, uintptr_t end) {
  entries[size_t(entry)].looked.assign(begin, end, marked);
}

void OwnData::wrote(uintptr_t begin, uintptr_t end) {
  for (auto at = current.begin(); at != current.end() && at->first < end; ++at) {
    Entry &entry = entries[size_t(at->second)];
    entry.read.each(begin, end, [&](uintptr_t, uintptr_t, Origins::Origin origin) {
      if (origin == marked)
        entry.isKnown = false;
    });
  }
}

std::vector<OwnData::Block> OwnData::blocks() const {
  std::vector<Block> result;
  for (const Entry &entry : entries) {
    if (!entry.isRead)
      continue;
    int64_t lookedUp = std::min(bytesOf(entry.looked) + entry.elsewhere, entry.size);
    Block &block = result.emplace_back(Block{entry.block, entry.size, lookedUp, entry.isKnown, entry.ranges});
    if (entry.kept.empty()) {
      block.ranges = ownIn(entry.block, entry.block + uintptr_t(entry.size));
    } else {
      block.at = reinterpret_cast<uintptr_t>(entry.kept.data());
      for (Range &range : block.ranges) {
        range.begin += block.at - entry.block;
        range.end += block.at - entry.block;
      }
    }
  }
  return result;
}

} // namespace tilesmith::runtime
