// Large arrays in chunks: the same chunks whatever the number of threads, and only some of them mapped at a time.
#ifndef TILESMITH_LIB_VERIFY_CHUNKS_H
#define TILESMITH_LIB_VERIFY_CHUNKS_H

#include "tilesmith/Verify/Compare.h"
#include <type_traits>

namespace tilesmith::verify {

inline constexpr int64_t kChunk = 1 << 20; // places

inline int64_t chunkCount(int64_t places) { return (places + kChunk - 1) / kChunk; }

// Calls body(chunk) for every chunk on up to `threads` threads (0: all the host has), in no particular order. False as soon
// as one call returned false.
bool forEachChunk(int64_t chunks, unsigned threads, bool (*body)(void *, int64_t), void *context);
template <typename Body> bool forEachChunk(int64_t chunks, unsigned threads, Body &&body) {
  using Function = std::remove_reference_t<Body>;
  return forEachChunk(chunks, threads, [](void *context, int64_t chunk) { return (*static_cast<Function *>(context))(chunk); },
                      &body);
}

// The bytes of one chunk, mapped as long as this lives.
class ChunkBytes {
public:
  ChunkBytes(const Elements &candidate, const Elements &golden, int64_t places, int parts, int64_t chunk);
  ~ChunkBytes();
  ChunkBytes(const ChunkBytes &) = delete;
  ChunkBytes &operator=(const ChunkBytes &) = delete;

  bool valid() const { return ok; }

  const uint8_t *candidate = nullptr, *golden = nullptr;
  int64_t places;

private:
  struct Mapping {
    void *address = nullptr;
    size_t length = 0;
  };
  const uint8_t *open(const Elements &elements, int64_t firstElement, int64_t count, Mapping &mapping);

  Mapping mappings[2];
  bool ok = true;
};

} // namespace tilesmith::verify

#endif // TILESMITH_LIB_VERIFY_CHUNKS_H
