// Large arrays in chunks: the same chunks whatever the number of threads, and only some of them mapped at a time.
#ifndef TILESMITH_LIB_VERIFY_CHUNKS_H
#define TILESMITH_LIB_VERIFY_CHUNKS_H

#include "tilesmith/Verify/Compare.h"
#include <type_traits>

namespace tilesmith::verify {

inline constexpr int64_t kChunk = 1 << 20; // places

inline int64_t chunkCount(int64_t places) { return (places + kChunk - 1) / kChunk; }

// Calls body(chunk) for every chunk on up to `threads` threads (0: all the host has), in no particular order.
void forEachChunk(int64_t chunks, unsigned threads, void (*body)(void *, int64_t), void *context);
template <typename Body> void forEachChunk(int64_t chunks, unsigned threads, Body &&body) {
  using Function = std::remove_reference_t<Body>;
  forEachChunk(
      chunks, threads, [](void *context, int64_t chunk) { (*static_cast<Function *>(context))(chunk); }, &body);
}

// One side, its file mapped whole. Address space is all that costs: chunks bring their pages and take them away again.
class Side {
public:
  Side(const Elements &elements, int64_t count);
  ~Side();
  Side(const Side &) = delete;
  Side &operator=(const Side &) = delete;

  const uint8_t *data = nullptr; // null for a constant
  bool mapped = false, failed = false;
  const int64_t size; // of an element

private:
  void *address = nullptr;
  size_t length = 0;
};

// The bytes of one chunk. Their pages leave our memory again with this, if they came from a file.
class ChunkBytes {
public:
  ChunkBytes(const Side &candidate, const Side &golden, int64_t places, int parts, int64_t chunk);
  ~ChunkBytes();
  ChunkBytes(const ChunkBytes &) = delete;
  ChunkBytes &operator=(const ChunkBytes &) = delete;

  const uint8_t *candidate = nullptr, *golden = nullptr;
  int64_t places;

private:
  struct Pages {
    void *address = nullptr;
    size_t length = 0;
  };
  static const uint8_t *open(const Side &side, int64_t firstElement, int64_t count, Pages &pages);

  Pages pages[2];
};

} // namespace tilesmith::verify

#endif // TILESMITH_LIB_VERIFY_CHUNKS_H
