// The threads of one function of threads, on one thread of the host.
//
// Each runs until it ends or waits; then the next one does. Threads that never wait share one stack. Lanes of a warp
// that wait at operations of warps go on together: those of the same place, the first place in the source first, as
// code that has parted meets again.
#ifndef TILESMITH_LIB_MACHINE_CORE_SIMTTHREADS_H
#define TILESMITH_LIB_MACHINE_CORE_SIMTTHREADS_H

#include "tilesmith/Machine/Simt.h"
#include <functional>
#include <memory>
#include <ucontext.h>
#include <vector>

namespace tilesmith::machine {

struct SimtSize {
  int64_t x = 1, y = 1, z = 1;
  int64_t count() const { return x * y * z; }
};

// Stacks of threads that wait; they are kept for the next function.
class SimtStacks {
public:
  ~SimtStacks();
  // The stack of that number: where it begins. Null: the host has no memory for it.
  void *at(size_t number);
  static constexpr size_t bytes = 64 << 10;

private:
  std::vector<void *> stacks;
};

class SimtThreads {
public:
  explicit SimtThreads(SimtStacks &stacks) : stacks(stacks) {}

  // How it ended. Parted: threads wait at different barriers, the first at `places`.
  enum class End { Done, Stopped, Parted, NoMemory };
  struct Parting {
    uint32_t first = 0, other = 0, firstPlace = 0, otherPlace = 0;
  };

  // `epoch` is called when a barrier or an operation of a warp lets threads go on: of all of them, or of one warp.
  End run(TsSimtThread &current, const SimtSize &size, const std::function<void()> &body,
          const std::function<void(int64_t warp)> &epoch);
  const Parting &parting() const { return parted; }

  // Of the running thread.
  void barrier(uint32_t place) { wait(State::AtBarrier, place); }
  const TsSimtWarp *exchange(uint64_t place, int64_t bits);
  // It does not go on, and nor does any other.
  [[noreturn]] void stop();

private:
  enum class State : uint8_t { New, Ready, AtBarrier, AtExchange, Ended };
  struct Thread {
    TsSimtThread place = {};
    State state = State::New;
    uint64_t waitsAt = 0;
    int64_t brought = 0;
    ucontext_t *context = nullptr; // of one that waited
  };
  struct Worker {
    ucontext_t context;
    SimtThreads *owner = nullptr;
  };

  static void work(unsigned low, unsigned high);
  void takeNew();
  void wait(State state, uint64_t place);
  void go(Thread &thread);
  bool runReady();
  bool meet();
  bool passBarrier();

  SimtStacks &stacks;
  ucontext_t scheduler = {};
  std::vector<std::unique_ptr<Worker>> workers;
  Worker *free = nullptr; // its stack holds no thread that waits
  std::vector<Thread> threads;
  std::vector<TsSimtWarp> warps;
  size_t nextNew = 0, now = 0;
  TsSimtThread *current = nullptr;
  const std::function<void()> *body = nullptr;
  const std::function<void(int64_t)> *epoch = nullptr;
  bool stopped = false, noMemory = false;
  Parting parted;
};

} // namespace tilesmith::machine

#endif // TILESMITH_LIB_MACHINE_CORE_SIMTTHREADS_H
