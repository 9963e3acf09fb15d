// Host programs that launch their own kernels (ICPU_RUN_KF in include/ascendc/tikicpulib.h): the Machine as a shared
// library with global memory to allocate and a function that runs all blocks of a kernel.
//
// TILESMITH_PLATFORM and TILESMITH_MODE choose the chip and how much is observed. Findings are written like a
// compiler's errors; a launch with errors makes tilesmith_run return their number. TILESMITH_LAUNCHES names a file to
// which each launch adds a line of JSON, for the command that started the program.
#include "tilesmith/Machine/HostProgram.h"
#include "tilesmith/Machine/Launch.h"
#include "tilesmith/Machine/SourceText.h"
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <sys/mman.h>
#include <unistd.h>

using namespace tilesmith::machine;

namespace {

// Allocations are where arguments of a launch would be: pointers into them mean the same to kernel and host program.
constexpr uintptr_t page = 1 << 12;

// An allocation is never given the place of another, so an address tells which one it was of, freed or not.
struct Allocations {
  struct One {
    size_t size = 0;
    int64_t number = 0; // in the order they were made, from 1 on
    bool freed = false;
  };
  std::mutex mutex;
  std::map<uintptr_t, One> all; // by address
  uintptr_t next = firstDeviceAddress;

  // What findings call them; an argument of the kernel is told by its position, too.
  std::vector<GlobalArray> describe(std::span<const int64_t> args) {
    std::lock_guard lock(mutex);
    std::vector<GlobalArray> arrays;
    for (auto &[address, one] : all) {
      std::string name = "allocation " + std::to_string(one.number);
      for (size_t i = 0; i < args.size(); ++i)
        if (args[i] == int64_t(address))
          name = "argument " + std::to_string(i + 1) + " (" + name + ")";
      arrays.push_back({int64_t(address), int64_t(one.size), std::move(name), {}, {}, one.freed});
    }
    return arrays;
  }
};
Allocations &allocations() {
  static auto *instance = new Allocations; // kernels may run while the program exits
  return *instance;
}

Mode modeFromEnvironment() {
  const char *text = std::getenv("TILESMITH_MODE");
  constexpr const char *names[] = {"fast", "timed", "checked", "traced"};
  for (unsigned i = 0; text && i < 4; ++i)
    if (!std::strcmp(text, names[i]))
      return Mode(i);
  if (text && *text)
    std::fprintf(stderr, "tilesmith: warning: TILESMITH_MODE is '%s', not fast, timed, checked or traced\n", text);
  return Mode::Fast;
}

const Platform *platformFromEnvironment() {
  const char *name = std::getenv("TILESMITH_PLATFORM");
  if (!name || !*name)
    name = "Ascend910B1";
  if (!platformProblems().empty()) {
    std::fprintf(stderr, "tilesmith: TILESMITH_PLATFORM_PATH: %s\n", platformProblems().c_str());
    return nullptr;
  }
  const Platform *platform = findPlatform(name);
  if (!platform)
    std::fprintf(stderr, "tilesmith: error: no platform is called '%s' (TILESMITH_PLATFORM)\n", name);
  return platform;
}

std::string rendered(const Finding &finding, const char *kernel, const char *(*file)(int64_t)) {
  return renderFinding(finding, kernel, [&](uint32_t loc) {
    std::vector<Place> places;
    if (const char *name = loc && file ? file(loc >> TS_LOC_LINE_BITS) : nullptr)
      places.push_back({name, loc & ((1u << TS_LOC_LINE_BITS) - 1), 0, 0});
    return places;
  });
}

std::string quoted(std::string_view text) {
  std::string result = "\"";
  for (unsigned char c : text) {
    char escaped[8];
    if (c == '"' || c == '\\')
      result += {'\\', char(c)};
    else if (c >= 0x20)
      result += char(c);
    else if (std::snprintf(escaped, sizeof escaped, "\\u%04x", c) > 0)
      result += escaped;
  }
  return result + "\"";
}

std::string factsOf(const Finding &finding, const char *kernel, const char *(*file)(int64_t)) {
  std::string facts = "{\"id\": " + quoted(finding.id.str()) + ", \"text\": " + quoted(finding.text) +
                      ", \"severity\": " + (finding.isError() ? "\"error\"" : "\"warning\"") +
                      ", \"block\": " + std::to_string(finding.block) +
                      ", \"rendered\": " + quoted(rendered(finding, kernel, file));
  const char *name = finding.loc && file ? file(finding.loc >> TS_LOC_LINE_BITS) : nullptr;
  if (name)
    facts += ", \"place\": {\"file\": " + quoted(name) +
             ", \"line\": " + std::to_string(finding.loc & ((1u << TS_LOC_LINE_BITS) - 1)) + "}";
  return facts + "}";
}

// One write for each line: programs that fork may launch at the same time.
void noteLaunch(const char *kernel, const Launch &request, const LaunchResult &result, const char *(*file)(int64_t)) {
  const char *path = std::getenv("TILESMITH_LAUNCHES");
  if (!path || !*path)
    return;
  std::string findings;
  for (const Finding &finding : result.findings)
    findings += (findings.empty() ? "" : ", ") + factsOf(finding, kernel, file);
  std::string line = "{\"kernel\": " + quoted(kernel) + ", \"platform\": " + quoted(request.platform->name) +
                     ", \"blocks\": " + std::to_string(request.blocks);
  if (request.mode >= Mode::Timed && result.complete)
    line += ", \"cycles\": " + std::to_string(result.timing.cycles) +
            ", \"clock_mhz\": " + std::to_string(request.platform->clockMHz) +
            ", \"bound\": " + quoted(result.timing.bound);
  line += ", \"findings\": [" + findings + "]}\n";
  int handle = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
  if (handle < 0 || write(handle, line.data(), line.size()) != ssize_t(line.size()))
    std::fprintf(stderr, "tilesmith: warning: a launch could not be noted in '%s'\n", path);
  if (handle >= 0)
    close(handle);
}

} // namespace

void *tilesmith_gm_alloc(size_t size) {
  Allocations &all = allocations();
  std::lock_guard lock(all.mutex);
  size_t length = (size + page) / page * page;
  if (length < size)
    return nullptr;
  void *got = mmap(reinterpret_cast<void *>(all.next), length, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
  if (got == MAP_FAILED)
    return nullptr;
  all.all[all.next] = {size, int64_t(all.all.size()) + 1};
  all.next += length + deviceGuard;
  return got;
}

void tilesmith_gm_free(void *data) {
  Allocations &all = allocations();
  std::lock_guard lock(all.mutex);
  auto found = all.all.find(reinterpret_cast<uintptr_t>(data));
  if (found == all.all.end() || found->second.freed)
    return;
  munmap(data, (found->second.size + page) / page * page);
  found->second.freed = true;
}

int64_t tilesmith_run(const char *kernel, TsKernelFn run, int64_t blocks, const int64_t *args, int64_t numArgs,
                      const char *(*file)(int64_t), int64_t type) {
  Launch request;
  request.platform = platformFromEnvironment();
  if (!request.platform)
    return 1;
  if (blocks <= 0 || blocks > request.platform->maxBlocks) {
    std::fprintf(stderr, "error: kernel '%s' is launched with %lld blocks; %s has 1 to %d\n", kernel,
                 static_cast<long long>(blocks), std::string(request.platform->name).c_str(),
                 request.platform->maxBlocks);
    return 1;
  }
  std::vector<GlobalRange> ranges;
  {
    Allocations &all = allocations();
    std::lock_guard lock(all.mutex);
    for (auto &[address, one] : all.all)
      if (!one.freed)
        ranges.push_back({int64_t(address), int64_t(one.size), reinterpret_cast<uint8_t *>(address)});
  }
  request.kernel = run;
  request.blocks = blocks;
  if (type >= 0 && type < tilesmith::isa::numKernelType)
    request.type = tilesmith::isa::KernelType(type);
  request.args = {args, size_t(numArgs)};
  request.global = ranges;
  request.arrays = [&request] { return allocations().describe(request.args); };
  request.mode = modeFromEnvironment();
  request.serial = true; // whether it uses atomics is not known before it runs
  request.autoSync = true;
  LaunchResult result = launch(request);
  std::fflush(stdout);
  if (!result.printed.empty())
    std::fwrite(result.printed.data(), 1, result.printed.size(), stdout);
  noteLaunch(kernel, request, result, file);
  int64_t errors = 0;
  for (const Finding &finding : result.findings) {
    std::fprintf(stderr, "%s\n", rendered(finding, kernel, file).c_str());
    errors += finding.isError();
  }
  if (request.mode >= Mode::Timed && result.complete)
    std::fprintf(stderr, "%s: %.1f us on %s, bound by %s\n", kernel,
                 double(result.timing.cycles) / request.platform->clockMHz, std::string(request.platform->name).c_str(),
                 result.timing.bound.c_str());
  return errors;
}

int64_t tilesmith_platform(const char *name, TsPlatformFacts *facts) {
  const Platform *platform = name ? findPlatform(name) : platformFromEnvironment();
  if (!platform)
    return 0;
  using tilesmith::isa::Memory;
  auto bytes = [&](Memory memory) { return platform->usableOf(memory); };
  static std::mutex mutex;
  static auto *names = new std::set<std::string>; // the platform's own does not end with 0
  std::lock_guard lock(mutex);
  *facts = {names->emplace(platform->name).first->c_str(),
            int64_t(platform->arch),
            platform->cubeCores,
            platform->vectorCores,
            platform->clockMHz,
            platform->hbmReached(platform->hbmMBps, platform->vectorCores),
            platform->l2MBps,
            bytes(Memory::GM),
            platform->l2Bytes,
            bytes(Memory::UB),
            bytes(Memory::L1),
            bytes(Memory::L0A),
            bytes(Memory::L0B),
            bytes(Memory::L0C),
            bytes(Memory::BT),
            bytes(Memory::FB)};
  return 1;
}
