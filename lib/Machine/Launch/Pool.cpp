#include "Pool.h"
#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <pthread.h>
#include <thread>

namespace tilesmith::machine {

namespace {

constexpr unsigned maxThreads = 256;
constexpr int spins = 500; // about 20 us: launches often follow each other closely

inline void pause() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

struct Work {
  std::atomic<int64_t> next;
  int64_t end;
  unsigned seats; // workers that may still join
  void (*body)(void *, int64_t);
  void *context;
  std::atomic<unsigned> joined{0};

  void takePart() {
    for (int64_t i; (i = next.fetch_add(1, std::memory_order_relaxed)) < end;)
      body(context, i);
  }
};

class Pool {
public:
  std::mutex owner; // held by the caller whose work the workers share

  void share(Work &work) {
    {
      std::lock_guard lock(mutex);
      current = &work;
      hire(work.seats);
      generation.fetch_add(1, std::memory_order_release);
    }
    wake.notify_all();
    work.takePart();
    std::unique_lock lock(mutex);
    current = nullptr; // nobody joins any more
    done.wait(lock, [&] { return work.joined == 0; });
  }

private:
  void hire(unsigned wanted) {
    for (; workers < wanted; ++workers) {
      pthread_t thread;
      if (pthread_create(&thread, nullptr, [](void *pool) -> void * { static_cast<Pool *>(pool)->serve(); }, this) != 0)
        return;
      pthread_detach(thread);
    }
  }

  [[noreturn]] void serve() {
    for (uint64_t seen = 0;;) {
      for (int i = 0; i < spins && generation.load(std::memory_order_acquire) == seen; ++i)
        pause();
      Work *work = nullptr;
      {
        std::unique_lock lock(mutex);
        wake.wait(lock, [&] { return generation.load(std::memory_order_relaxed) != seen; });
        seen = generation.load(std::memory_order_relaxed);
        if (current && current->seats > 0) {
          work = current;
          --work->seats;
          ++work->joined;
        }
      }
      if (!work)
        continue;
      work->takePart();
      std::lock_guard lock(mutex);
      if (--work->joined == 0)
        done.notify_one();
    }
  }

  std::mutex mutex;
  std::condition_variable wake, done;
  std::atomic<uint64_t> generation{0};
  Work *current = nullptr;
  unsigned workers = 0;
};

// Never destroyed: workers may outlive static objects. A forked child has no workers and starts with a new pool.
std::atomic<Pool *> pool{nullptr};

Pool &getPool() {
  Pool *existing = pool.load(std::memory_order_acquire);
  if (existing)
    return *existing;
  static std::once_flag once;
  std::call_once(once,
                 [] { pthread_atfork(nullptr, nullptr, [] { pool.store(nullptr, std::memory_order_release); }); });
  auto *created = new Pool;
  if (pool.compare_exchange_strong(existing, created))
    return *created;
  delete created;
  return *existing;
}

} // namespace

unsigned hostThreads() {
  static const unsigned count = std::clamp(std::thread::hardware_concurrency(), 1u, maxThreads);
  return count;
}

void parallelFor(int64_t begin, int64_t end, unsigned threads, void (*body)(void *, int64_t), void *context) {
  threads = unsigned(std::min<int64_t>(std::min(threads, maxThreads), end - begin));
  if (threads > 1) {
    Pool &shared = getPool();
    std::unique_lock lock(shared.owner, std::try_to_lock);
    if (lock) {
      Work work{{begin}, end, threads - 1, body, context};
      return shared.share(work);
    }
  }
  for (int64_t i = begin; i < end; ++i)
    body(context, i);
}

} // namespace tilesmith::machine
