// Host threads that stay: work over an index range, shared between the caller and sleeping workers.
//
// The caller always takes part and only ever waits for workers that have joined, so a pool without workers (a forked
// child, a busy pool, a host that gives no threads) is merely slower. One range at a time uses the workers; others run
// inline.
#ifndef TILESMITH_LIB_MACHINE_LAUNCH_POOL_H
#define TILESMITH_LIB_MACHINE_LAUNCH_POOL_H

#include <cstdint>
#include <type_traits>

namespace tilesmith::machine {

// Threads a launch uses when it names no number.
unsigned hostThreads();

void parallelFor(int64_t begin, int64_t end, unsigned threads, void (*body)(void *, int64_t), void *context);

// Calls body(i) for every i of [begin, end), on up to `threads` threads, in no particular order.
template <typename Body> void parallelFor(int64_t begin, int64_t end, unsigned threads, Body &&body) {
  using Function = std::remove_reference_t<Body>;
  parallelFor(
      begin, end, threads, [](void *context, int64_t i) { (*static_cast<Function *>(context))(i); },
      const_cast<void *>(static_cast<const void *>(&body)));
}

} // namespace tilesmith::machine

#endif // TILESMITH_LIB_MACHINE_LAUNCH_POOL_H
