#include "tilesmith/Runtime/Library.h"
#include <csignal>
#include <cstdio>
#include <cstring>
#include <dlfcn.h>
#include <map>
#include <unistd.h>

namespace tilesmith::runtime {

static const TsLibrary *newest = nullptr;
static int crashNotes = -1;

// Nothing here may allocate: the heap may be what broke.
static void noteCrash(int signal) {
  machine::LastCall last = machine::lastCall();
  const char *file = newest && last.loc ? newest->file(last.loc >> TS_LOC_LINE_BITS) : nullptr;
  char text[4096];
  int length = std::snprintf(text, sizeof text, "{\"signal\": %d", signal);
  if (last.block >= 0)
    length += std::snprintf(text + length, sizeof text - size_t(length), ", \"block\": %lld",
                            static_cast<long long>(last.block));
  if (file && std::strlen(file) < 3000 && !std::strpbrk(file, "\"\\"))
    length += std::snprintf(text + length, sizeof text - size_t(length), ", \"file\": \"%s\", \"line\": %u", file,
                            last.loc & ((1u << TS_LOC_LINE_BITS) - 1));
  text[length++] = '}';
  if (write(crashNotes, text, size_t(length)) != length)
    _exit(128 + signal);
  ::signal(signal, SIG_DFL);
  raise(signal);
}

void noteCrashes(int fd) {
  crashNotes = fd;
  static char stack[1 << 16]; // the thread's own may be what overflowed
  stack_t own = {};
  own.ss_sp = stack;
  own.ss_size = sizeof stack;
  sigaltstack(&own, nullptr);
  struct sigaction action = {};
  action.sa_handler = noteCrash;
  action.sa_flags = SA_ONSTACK | SA_NODEFER;
  for (int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT})
    sigaction(signal, &action, nullptr);
}

const KernelLibrary *KernelLibrary::open(const std::string &path, std::string &error) {
  void *handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle) {
    const char *why = dlerror();
    error = why ? why : "the library cannot be loaded";
    return nullptr;
  }
  auto bind = reinterpret_cast<TsBindFn>(dlsym(handle, "tilesmith_bind"));
  if (!bind) {
    error = path + " is not a library of kernels: it does not export tilesmith_bind";
    return nullptr;
  }
  const TsLibrary *library = bind(tilesmith_api());
  if (!library || library->version != TS_API_VERSION) {
    error = path + " was compiled against headers of another version of Tilesmith";
    return nullptr;
  }
  auto *result = new KernelLibrary;
  result->library = library;
  newest = library;
  return result;
}

const TsLibraryKernel *KernelLibrary::find(std::string_view name) const {
  for (const TsLibraryKernel &kernel : kernels())
    if (kernel.name == name)
      return &kernel;
  return nullptr;
}

host::Metadata KernelLibrary::describe(const TsLibraryKernel &kernel, isa::Arch arch,
                                       machine::LaunchResult &result) const {
  host::Metadata metadata;
  metadata.kernel = kernel.name;
  metadata.arch = arch;
  std::map<uint32_t, uint32_t> known;
  auto translate = [&](uint32_t &loc) {
    auto [entry, isNew] = known.try_emplace(loc, 0);
    if (isNew && loc) {
      const char *file = library->file(loc >> TS_LOC_LINE_BITS);
      if (file) {
        host::SourceLocation place;
        place.file = file;
        place.line = loc & ((1u << TS_LOC_LINE_BITS) - 1);
        entry->second = uint32_t(metadata.locations.size());
        metadata.locations.push_back(std::move(place));
      }
    }
    loc = entry->second;
  };
  for (machine::Finding &finding : result.findings) {
    translate(finding.loc);
    translate(finding.otherLoc);
  }
  result.timing.eachLoc(translate);
  for (machine::BlockTrace &trace : result.traces)
    for (machine::Instr &call : trace.calls)
      translate(call.loc);
  return metadata;
}

} // namespace tilesmith::runtime
