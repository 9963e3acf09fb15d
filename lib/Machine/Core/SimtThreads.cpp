#include "SimtThreads.h"
#include <algorithm>
#include <sys/mman.h>

namespace tilesmith::machine {

// A page that nobody may touch lies below each.
constexpr size_t guard = 4096;

SimtStacks::~SimtStacks() {
  for (void *stack : stacks)
    munmap(static_cast<char *>(stack) - guard, guard + bytes);
}

void *SimtStacks::at(size_t number) {
  while (stacks.size() <= number) {
    void *memory = mmap(nullptr, guard + bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
      return nullptr;
    char *stack = static_cast<char *>(memory) + guard;
    if (mprotect(stack, bytes, PROT_READ | PROT_WRITE) != 0) {
      munmap(memory, guard + bytes);
      return nullptr;
    }
    stacks.push_back(stack);
  }
  return stacks[number];
}

SimtThreads::End SimtThreads::run(TsSimtThread &state, const SimtSize &size, const std::function<void()> &code,
                                  const std::function<void(int64_t)> &passed) {
  current = &state;
  body = &code;
  epoch = &passed;
  threads.assign(size_t(size.count()), {});
  warps.assign((threads.size() + TS_SIMT_WARP - 1) / TS_SIMT_WARP, {});
  uint32_t number = 0;
  for (uint32_t z = 0; z < uint32_t(size.z); ++z)
    for (uint32_t y = 0; y < uint32_t(size.y); ++y)
      for (uint32_t x = 0; x < uint32_t(size.x); ++x, ++number)
        threads[number].place = {x, y, z, number, 1};
  nextNew = 0;
  stopped = noMemory = false;
  parted = {};
  while (!stopped && (runReady() || meet() || passBarrier())) {
  }
  bool isParted = parted.firstPlace != parted.otherPlace;
  *current = {};
  workers.clear();
  free = nullptr;
  return noMemory ? End::NoMemory : isParted ? End::Parted : stopped ? End::Stopped : End::Done;
}

// Runs threads until none can go on by itself. False: there was none.
bool SimtThreads::runReady() {
  bool any = false;
  for (size_t i = 0; i < threads.size() && !stopped; ++i) {
    Thread &thread = threads[i];
    if (thread.state != State::New && thread.state != State::Ready)
      continue;
    any = true;
    go(thread);
  }
  return any;
}

void SimtThreads::go(Thread &thread) {
  now = size_t(&thread - threads.data());
  if (thread.context) {
    thread.state = State::Ready;
    *current = thread.place;
    swapcontext(&scheduler, thread.context);
    return;
  }
  // A worker takes new threads, from this one on, until one of them waits.
  nextNew = now;
  if (!free) {
    void *stack = stacks.at(workers.size());
    if (!stack) {
      stopped = noMemory = true;
      return;
    }
    workers.push_back(std::make_unique<Worker>());
    free = workers.back().get();
    free->owner = this;
    getcontext(&free->context);
    free->context.uc_stack.ss_sp = stack;
    free->context.uc_stack.ss_size = SimtStacks::bytes;
    free->context.uc_link = nullptr;
    auto bits = reinterpret_cast<uintptr_t>(free);
    makecontext(&free->context, reinterpret_cast<void (*)()>(&work), 2, unsigned(bits), unsigned(bits >> 32));
  }
  swapcontext(&scheduler, &free->context);
}

void SimtThreads::work(unsigned low, unsigned high) {
  auto *self = reinterpret_cast<Worker *>(uintptr_t(low) | uintptr_t(high) << 32);
  SimtThreads &owner = *self->owner;
  while (true) {
    owner.takeNew();
    // The threads it had have ended: it waits for the next new one.
    owner.free = self;
    swapcontext(&self->context, &owner.scheduler);
  }
}

void SimtThreads::takeNew() {
  free = nullptr;
  while (nextNew < threads.size() && threads[nextNew].state == State::New) {
    now = nextNew++;
    size_t mine = now;
    threads[mine].state = State::Ready;
    *current = threads[mine].place;
    (*body)();
    threads[mine].state = State::Ended;
    if (threads[mine].context) // it has waited: others have taken the new ones since
      break;
  }
}

void SimtThreads::wait(State state, uint64_t place) {
  Thread &thread = threads[now];
  thread.state = state;
  thread.waitsAt = place;
  ucontext_t context;
  thread.context = &context;
  swapcontext(&context, &scheduler);
}

const TsSimtWarp *SimtThreads::exchange(uint64_t place, int64_t bits) {
  threads[now].brought = bits;
  size_t warp = now / TS_SIMT_WARP;
  wait(State::AtExchange, place);
  return &warps[warp];
}

void SimtThreads::stop() {
  stopped = true;
  setcontext(&scheduler);
  __builtin_unreachable();
}

// In each warp the lanes of the first place go on with what they brought.
bool SimtThreads::meet() {
  bool any = false;
  for (size_t warp = 0; warp < warps.size(); ++warp) {
    size_t begin = warp * TS_SIMT_WARP, end = std::min(begin + TS_SIMT_WARP, threads.size());
    uint64_t place = UINT64_MAX;
    for (size_t i = begin; i < end; ++i)
      if (threads[i].state == State::AtExchange)
        place = std::min(place, threads[i].waitsAt);
    if (place == UINT64_MAX)
      continue;
    any = true;
    warps[warp] = {};
    for (size_t i = begin; i < end; ++i)
      if (Thread &thread = threads[i]; thread.state == State::AtExchange && thread.waitsAt == place) {
        warps[warp].active |= 1u << (i - begin);
        warps[warp].values[i - begin] = thread.brought;
        thread.state = State::Ready;
      }
    (*epoch)(int64_t(warp));
  }
  return any;
}

bool SimtThreads::passBarrier() {
  const Thread *first = nullptr;
  for (Thread &thread : threads)
    if (thread.state == State::AtBarrier) {
      if (!first)
        first = &thread;
      if (thread.waitsAt != first->waitsAt) {
        parted = {first->place.number, thread.place.number, uint32_t(first->waitsAt), uint32_t(thread.waitsAt)};
        return false;
      }
    }
  if (!first)
    return false;
  for (Thread &thread : threads)
    if (thread.state == State::AtBarrier)
      thread.state = State::Ready;
  (*epoch)(-1);
  return true;
}

} // namespace tilesmith::machine
