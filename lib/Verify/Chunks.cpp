#include "Chunks.h"
#include <algorithm>
#include <atomic>
#include <pthread.h>
#include <sys/mman.h>
#include <thread>
#include <unistd.h>

namespace tilesmith::verify {
namespace {

struct Work {
  std::atomic<int64_t> next{0};
  int64_t chunks;
  void (*body)(void *, int64_t);
  void *context;

  static void *run(void *self) {
    Work &work = *static_cast<Work *>(self);
    for (int64_t chunk; (chunk = work.next++) < work.chunks;)
      work.body(work.context, chunk);
    return nullptr;
  }
};

} // namespace

void forEachChunk(int64_t chunks, unsigned threads, void (*body)(void *, int64_t), void *context) {
  Work work;
  work.chunks = chunks;
  work.body = body;
  work.context = context;
  int64_t wanted = std::min<int64_t>(chunks, threads ? threads : std::max(1u, std::thread::hardware_concurrency()));
  // A host that gives no threads is merely slower, which std::thread cannot express without exceptions.
  std::vector<pthread_t> helpers;
  for (int64_t i = 1; i < wanted; ++i) {
    pthread_t helper;
    if (pthread_create(&helper, nullptr, Work::run, &work) == 0)
      helpers.push_back(helper);
  }
  Work::run(&work);
  for (pthread_t helper : helpers)
    pthread_join(helper, nullptr);
}

Side::Side(const Elements &elements, int64_t count) : data(elements.data), size(sizeOf(elements.dtype)) {
  if (data || elements.isConstant() || count == 0)
    return;
  int64_t page = sysconf(_SC_PAGESIZE), aligned = elements.offset / page * page;
  length = size_t(elements.offset - aligned + count * size);
  address = mmap(nullptr, length, PROT_READ, MAP_SHARED, elements.fd, aligned);
  if (address == MAP_FAILED) {
    address = nullptr;
    failed = true;
    return;
  }
  mapped = true;
  data = static_cast<const uint8_t *>(address) + (elements.offset - aligned);
}

Side::~Side() {
  if (address)
    munmap(address, length);
}

ChunkBytes::ChunkBytes(const Side &candidateSide, const Side &goldenSide, int64_t allPlaces, int parts, int64_t chunk) {
  int64_t first = chunk * kChunk;
  places = std::min(kChunk, allPlaces - first);
  candidate = open(candidateSide, first / parts, places / parts, pages[0]);
  golden = open(goldenSide, first / parts, places / parts, pages[1]);
}

const uint8_t *ChunkBytes::open(const Side &side, int64_t firstElement, int64_t count, Pages &pages) {
  if (!side.data)
    return nullptr;
  const uint8_t *begin = side.data + firstElement * side.size;
  if (side.mapped) {
    uintptr_t page = uintptr_t(sysconf(_SC_PAGESIZE)), low = uintptr_t(begin) / page * page;
    uintptr_t high = (uintptr_t(begin) + uintptr_t(count * side.size) + page - 1) / page * page;
    pages = {reinterpret_cast<void *>(low), size_t(high - low)};
  }
  return begin;
}

ChunkBytes::~ChunkBytes() {
  for (Pages &held : pages)
    if (held.address)
      madvise(held.address, held.length, MADV_DONTNEED);
}

} // namespace tilesmith::verify
