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
  std::atomic<bool> ok{true};
  int64_t chunks;
  bool (*body)(void *, int64_t);
  void *context;

  static void *run(void *self) {
    Work &work = *static_cast<Work *>(self);
    for (int64_t chunk; work.ok && (chunk = work.next++) < work.chunks;)
      if (!work.body(work.context, chunk))
        work.ok = false;
    return nullptr;
  }
};

} // namespace

bool forEachChunk(int64_t chunks, unsigned threads, bool (*body)(void *, int64_t), void *context) {
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
  return work.ok;
}

ChunkBytes::ChunkBytes(const Elements &candidateAll, const Elements &goldenAll, int64_t allPlaces, int parts, int64_t chunk) {
  int64_t first = chunk * kChunk;
  places = std::min(kChunk, allPlaces - first);
  candidate = open(candidateAll, first / parts, places / parts, mappings[0]);
  golden = open(goldenAll, first / parts, places / parts, mappings[1]);
}

const uint8_t *ChunkBytes::open(const Elements &elements, int64_t firstElement, int64_t count, Mapping &mapping) {
  if (elements.isConstant())
    return nullptr;
  int64_t size = sizeOf(elements.dtype);
  if (elements.data)
    return elements.data + firstElement * size;
  int64_t begin = elements.offset + firstElement * size, page = sysconf(_SC_PAGESIZE);
  int64_t aligned = begin / page * page;
  mapping.length = size_t(begin - aligned + count * size);
  mapping.address = mmap(nullptr, mapping.length, PROT_READ, MAP_SHARED | MAP_POPULATE, elements.fd, aligned);
  if (mapping.address == MAP_FAILED) {
    mapping.address = nullptr;
    ok = false;
    return nullptr;
  }
  return static_cast<const uint8_t *>(mapping.address) + (begin - aligned);
}

ChunkBytes::~ChunkBytes() {
  for (Mapping &mapping : mappings)
    if (mapping.address)
      munmap(mapping.address, mapping.length);
}

} // namespace tilesmith::verify
