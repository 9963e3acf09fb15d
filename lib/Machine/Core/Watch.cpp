#include "Watch.h"
#include "CoreImpl.h"
#include <algorithm>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <limits>

namespace tilesmith::machine {

namespace {

constexpr int64_t second = 1000000000;

int64_t processorTime() {
  timespec time = {};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return int64_t(time.tv_sec) * second + time.tv_nsec;
}

int64_t numberIn(const char *path) {
  std::ifstream file(path);
  int64_t number = -1;
  return file >> number ? number : -1;
}

// Bytes this process could still get, for all that is known.
int64_t memoryLeft() {
  int64_t left = std::numeric_limits<int64_t>::max();
  std::ifstream file("/proc/meminfo");
  for (std::string name; file >> name;)
    if (int64_t kilobytes; name == "MemAvailable:" && file >> kilobytes) {
      left = kilobytes << 10;
      break;
    }
  int64_t most = numberIn("/sys/fs/cgroup/memory.max"), used = numberIn("/sys/fs/cgroup/memory.current");
  return most >= 0 && used >= 0 ? std::min(left, std::max<int64_t>(most - used, 0)) : left;
}

std::string inSeconds(int64_t nanoseconds) {
  char text[32];
  std::snprintf(text, sizeof text, "%g s", double(nanoseconds) / double(second));
  return text;
}

} // namespace

void Watch::begin(const Launch &launch, std::atomic<bool> &stopFlag) {
  stop = &stopFlag;
  interrupted = launch.interrupted;
  maxTicks = launch.maxTicks;
  // Who debugs may take their time: looking at values is work of this thread, too.
  timeLimit = launch.debugger ? 0 : int64_t(std::min(launch.timeLimit, 1e9) * double(second));
  traceLimit = launch.traceLimit;
  ticks = 0;
  interval = 256;
  untilLook = interval;
  lastLook = 0;
  loops.clear();
}

// Between the two are frames of the kernel's code and of entries of the C ABI, and none of them has anything to
// destroy.
void Watch::run(TsCore &core, const Launch &launch) {
  if (!launch.compiled)
    return launch.kernel(&core, launch.args.data());
  std::jmp_buf here;
  end = &here;
  if (!setjmp(here))
    launch.kernel(&core, launch.args.data());
  end = nullptr;
}

bool Watch::trip(TsCore &core, uint32_t loc, bool goes) {
  core.ended |= stop->load(std::memory_order_relaxed);
  if (core.ended) {
    leave();
    return false;
  }
  while (!loops.empty() && loops.back().loc != loc &&
         std::any_of(loops.begin(), loops.end(), [&](const Loop &loop) { return loop.loc == loc; }))
    loops.pop_back();
  bool known = !loops.empty() && loops.back().loc == loc;
  if (!goes) {
    if (known)
      loops.pop_back();
    return false;
  }
  if (!known)
    loops.push_back({loc});
  ++loops.back().trips;
  if (++ticks > maxTicks) {
    reach(core, FindingKind::LimitWhile, loc,
          "a while loop did not end within " + std::to_string(maxTicks) + " iterations; the launch was stopped",
          "max_ticks= of asc.launch_mode sets this limit");
    return false;
  }
  return --untilLook > 0 || look(core);
}

// Whether the block goes on.
bool Watch::look(TsCore &core) {
  int64_t now = processorTime(), elapsed = now - std::exchange(lastLook, now);
  constexpr int64_t often = second / 1000, most = 1 << 16;
  interval = elapsed < often ? std::min(interval * 2, most) : std::max<int64_t>(interval * often / elapsed, 1);
  untilLook = interval;
  if (interrupted && interrupted())
    stop->store(true, std::memory_order_relaxed);
  if (stop->load(std::memory_order_relaxed)) {
    core.ended = true;
    return false;
  }
  if (timeLimit <= 0)
    return true;
  bool over = false;
  for (Loop &loop : loops) {
    if (loop.began < 0)
      loop.began = now;
    over |= now - loop.began > timeLimit;
  }
  if (!over)
    return true;
  // The innermost that is not merely the latest of many runs.
  auto endless =
      std::find_if(loops.rbegin(), loops.rend(), [&](const Loop &loop) { return now - loop.began > timeLimit / 2; });
  reach(
      core, FindingKind::LimitWhile, endless->loc,
      "this while loop has not ended after " + inSeconds(timeLimit) + " (" + std::to_string(endless->trips) +
          " trips); the launch was stopped",
      "a loop that only needs longer gets it from asc.launch_mode(time_limit=SECONDS) or TILESMITH_TIME_LIMIT=SECONDS; "
      "0: no limit");
  return false;
}

bool Watch::mayKeep(TsCore &core, uint32_t loc, size_t bytes) {
  constexpr size_t small = size_t(64) << 20;
  if (traceLimit ? bytes <= size_t(traceLimit) : bytes < small || bytes < size_t(memoryLeft()) / 4 * 3)
    return true;
  if (!core.ended)
    reach(core, FindingKind::LimitTrace, loc,
          "the calls of a block need " + std::to_string(bytes >> 20) + " MB of memory, which " +
              (traceLimit ? "is more than trace_limit allows" : "this host does not have left") +
              "; the launch was stopped",
          "if the loop ends at all, launch a smaller shape, or run without profile and check");
  return false;
}

void Watch::reach(TsCore &core, FindingKind limit, uint32_t loc, std::string text, std::string help) {
  core.report(loc, limit, std::move(text), std::move(help));
  core.ended = true;
  stop->store(true, std::memory_order_relaxed);
}

} // namespace tilesmith::machine
