#include "tilesmith/Runtime/DeviceMemory.h"
#include <array>
#include <atomic>
#include <csignal>
#include <cstring>
#include <sys/mman.h>
#include <unistd.h>
#if defined(__x86_64__)
#include <ucontext.h>
#endif

namespace tilesmith::runtime {
namespace {

std::mutex &turns() {
  static auto *instance = new std::mutex;
  return *instance;
}

uintptr_t pageSize() {
  static const auto size = uintptr_t(sysconf(_SC_PAGESIZE));
  return size;
}

// What a handler of signals may look at: the pages of the launch that has the addresses.
struct Watch {
  struct Range {
    uintptr_t begin, end;
  };
  std::array<Range, 256> ranges;
  std::atomic<size_t> count{0};
  std::atomic<int64_t> loads{0}, stores{0};
  struct sigaction before = {};
} watch;

// The kind of access that faulted; where the processor does not say, a load.
bool isStore([[maybe_unused]] void *context) {
#if defined(__x86_64__)
  return static_cast<ucontext_t *>(context)->uc_mcontext.gregs[REG_ERR] & 2;
#else
  return false;
#endif
}

void onFault(int signal, siginfo_t *info, void *context) {
  auto address = reinterpret_cast<uintptr_t>(info->si_addr);
  for (size_t i = 0; i < watch.count; ++i) {
    if (address < watch.ranges[i].begin || address >= watch.ranges[i].end)
      continue;
    bool stores = isStore(context);
    ++(stores ? watch.stores : watch.loads);
    mprotect(reinterpret_cast<void *>(address / pageSize() * pageSize()), pageSize(),
             stores ? PROT_READ | PROT_WRITE : PROT_READ);
    return;
  }
  if (watch.before.sa_flags & SA_SIGINFO)
    return watch.before.sa_sigaction(signal, info, context);
  if (watch.before.sa_handler != SIG_DFL && watch.before.sa_handler != SIG_IGN)
    return watch.before.sa_handler(signal);
  ::signal(signal, SIG_DFL); // and the access faults again
}

} // namespace

DeviceMemory::DeviceMemory(std::vector<machine::GlobalRange> &ranges, bool watched) : turn(turns()) {
  watch.loads = watch.stores = 0;
  for (machine::GlobalRange &range : ranges)
    place(range, watched && watch.count < watch.ranges.size());
  if (watch.count) {
    struct sigaction action = {};
    action.sa_sigaction = onFault;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
    sigaction(SIGSEGV, &action, &watch.before);
  }
}

bool DeviceMemory::place(machine::GlobalRange &range, bool watched) {
  // Ranges begin on 512 bytes and are a guard apart, so that the pages of two never overlap.
  uintptr_t start = uintptr_t(range.device), first = start / pageSize() * pageSize();
  size_t mapped = (start + size_t(range.size) - first + pageSize() - 1) / pageSize() * pageSize();
  int file = watched ? memfd_create("tilesmith-launch", MFD_CLOEXEC) : -1;
  if (watched && (file < 0 || ftruncate(file, off_t(mapped)) != 0)) {
    if (file >= 0)
      close(file);
    return false;
  }
  int kind = watched ? MAP_SHARED : MAP_PRIVATE | MAP_ANONYMOUS;
  void *at = mmap(reinterpret_cast<void *>(first), mapped, watched ? PROT_NONE : PROT_READ | PROT_WRITE,
                  kind | MAP_FIXED_NOREPLACE, file, 0);
  void *elsewhere = watched ? mmap(nullptr, mapped, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0) : nullptr;
  if (file >= 0)
    close(file);
  if (at != reinterpret_cast<void *>(first) || elsewhere == MAP_FAILED) { // no room, or an old kernel
    if (at != MAP_FAILED)
      munmap(at, mapped);
    if (elsewhere && elsewhere != MAP_FAILED)
      munmap(elsewhere, mapped);
    return false;
  }
  auto *bytes = watched ? static_cast<uint8_t *>(elsewhere) + (start - first) : reinterpret_cast<uint8_t *>(start);
  std::memcpy(bytes, range.host, size_t(range.size));
  placed.push_back({range.host, bytes, size_t(range.size), mapped, first, static_cast<uint8_t *>(elsewhere)});
  range.host = bytes;
  if (watched)
    watch.ranges[watch.count++] = {first, first + mapped};
  return true;
}

DeviceMemory::~DeviceMemory() {
  if (watch.count)
    sigaction(SIGSEGV, &watch.before, nullptr);
  watch.count = 0;
  for (const Placed &range : placed) {
    munmap(reinterpret_cast<void *>(range.page), range.mapped);
    if (range.elsewhere)
      munmap(range.elsewhere, range.mapped);
  }
}

void DeviceMemory::writeBack() const {
  for (const Placed &range : placed)
    std::memcpy(range.original, range.at, range.size);
}

std::pair<int64_t, int64_t> DeviceMemory::plainAccesses() const { return {watch.loads, watch.stores}; }

} // namespace tilesmith::runtime
