// What launches of a call have read of a candidate's own data, as it was when they read it.
//
// Own data that is written over or freed after it was read stays known: its bytes are kept. A block of memory can
// therefore be several here, one for each of its contents.
#ifndef TILESMITH_RUNTIME_OWNDATA_H
#define TILESMITH_RUNTIME_OWNDATA_H

#include "tilesmith/Runtime/Origins.h"
#include <functional>
#include <map>
#include <vector>

namespace tilesmith::runtime {

class OwnData {
public:
  struct Range {
    uintptr_t begin, end;
    Origins::Origin origin;
  };
  // `isOwn` says of an origin whether it is data of the candidate's.
  OwnData(const Origins &origins, std::function<bool(Origins::Origin)> isOwn)
      : origins(origins), isOwn(std::move(isOwn)) {}

  void clear();
  // Bytes are about to be written over, or freed.
  void aboutToChange(uintptr_t begin, uintptr_t end);
  // The same, by a launch that may read them first.
  void aboutToLaunch(uintptr_t begin, uintptr_t end);

  // A launch has read own bytes of one block; the number of the entry they belong to, or -1 of memory that is gone.
  int read(uintptr_t begin, uintptr_t end);
  // An entry's bytes were looked up by numbers, in place or where launches have put what they made of them.
  void lookedUp(int entry, uintptr_t begin, uintptr_t end);
  void lookedUpElsewhere(int entry, uintptr_t bytes) { entries[size_t(entry)].elsewhere += int64_t(bytes); }
  // The launch has ended, and wrote these bytes.
  void wrote(uintptr_t begin, uintptr_t end);
  void endLaunch() { ofLaunch.clear(); }

  struct Block {
    uintptr_t at; // its bytes: in place, or as they were kept
    int64_t size, lookedUp;
    bool isKnown;              // a launch that read it has not changed it without a word
    std::vector<Range> ranges; // of own data in it, read or not
  };
  std::vector<Block> blocks() const;

private:
  struct Entry {
    uintptr_t block;
    int64_t size;
    Origins read, looked;
    int64_t elsewhere = 0;
    bool isKnown = true, isRead = false;
    std::vector<uint8_t> kept;
    std::vector<Range> ranges; // with `kept`: in the block
  };
  std::vector<Range> ownIn(uintptr_t begin, uintptr_t end) const;
  void keep(Entry &entry) const;
  int entryOf(uintptr_t block, int64_t size);

  const Origins &origins;
  std::function<bool(Origins::Origin)> isOwn;
  std::vector<Entry> entries;
  std::map<uintptr_t, int> current;  // entries whose bytes are in place, by block
  std::map<uintptr_t, int> ofLaunch; // entries that were kept for the launch that is next or running
};

} // namespace tilesmith::runtime

#endif // TILESMITH_RUNTIME_OWNDATA_H
