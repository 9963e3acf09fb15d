#include "Settings.h"
#include "tilesmith/Machine/Platform.h"
#include "tilesmith/Runtime/Poison.h"
#include "tilesmith/Runtime/SourceText.h"
#include "tilesmith/Runtime/Specialiser.h"
#include "tilesmith/Support/CpuLevel.h"
#include "llvm/Config/llvm-config.h"
#include <cstdlib>
#include <nanobind/stl/string.h>

namespace nb = nanobind;
using namespace nb::literals;

namespace tilesmith::python {
namespace {

constexpr const char *modeNames[] = {"fast", "timed", "checked", "traced"};
constexpr const char *lateNames[] = {"none", "consumers", "producers"};

template <typename Enum, size_t N>
Enum parse(const char *const (&names)[N], const std::string &text, const char *what) {
  std::string known;
  for (size_t i = 0; i < N; ++i) {
    if (text == names[i])
      return Enum(i);
    known += (i ? ", " : "") + std::string(names[i]);
  }
  throw nb::value_error((std::string(what) + " '" + text + "' is unknown; it is one of " + known).c_str());
}

double readTimeLimit(double seconds) {
  if (!(seconds >= 0))
    throw nb::value_error("time_limit is a number of seconds, or 0 for no limit");
  return seconds;
}

// Another one or none, but a process that has one cannot get rid of it.
std::string readPoison(const std::string &text, const std::string &before) {
  if (text.empty())
    return before;
  if (!runtime::isPoison(text))
    throw nb::value_error("poison is a table of 256 bytes in hexadecimal digits");
  return text;
}

// The whole of it as a dict, so that a context manager can put back what it found.
nb::dict getSettings() {
  const Settings &now = settings();
  nb::dict result;
  result["mode"] = modeNames[unsigned(now.launch.mode)];
  result["late"] = lateNames[unsigned(now.launch.late)];
  result["verify_late"] = now.launch.verifyLate;
  result["warm_l2"] = now.launch.warmL2;
  result["threads"] = now.launch.threads;
  result["max_ticks"] = now.launch.maxTicks;
  result["time_limit"] = now.launch.timeLimit;
  result["trace_limit"] = now.launch.traceLimit;
  result["keep_calls"] = now.launch.keepTraces;
  result["dry"] = now.launch.dry;
  result["max_cycles"] = now.launch.maxCycles;
  result["only_first"] = now.launch.onlyFirst;
  result["max_calls"] = now.launch.maxCalls;
  result["poison"] = now.launch.poison;
  result["judged"] = now.launch.judged;
  result["raise_findings"] = now.raiseFindings;
  result["dry_run"] = now.dryRun;
  result["emitter"] = now.emitter.is_valid() ? now.emitter : nb::none();
  result["listener"] = now.listener.is_valid() ? now.listener : nb::none();
  result["debugger"] = now.debugger.is_valid() ? now.debugger : nb::none();
  result["recorder"] = now.recorder.is_valid() ? now.recorder : nb::none();
  result["clock"] = now.clock.is_valid() ? now.clock : nb::none();
  return result;
}

void setSettings(const nb::kwargs &values) {
  Settings next = settings();
  for (auto [key, value] : values) {
    std::string name = nb::cast<std::string>(key);
    if (name == "mode")
      next.launch.mode = parse<machine::Mode>(modeNames, nb::cast<std::string>(value), "launch mode");
    else if (name == "late")
      next.launch.late = parse<machine::Late>(lateNames, nb::cast<std::string>(value), "late policy");
    else if (name == "verify_late")
      next.launch.verifyLate = nb::cast<bool>(value);
    else if (name == "warm_l2")
      next.launch.warmL2 = nb::cast<bool>(value);
    else if (name == "threads")
      next.launch.threads = nb::cast<unsigned>(value);
    else if (name == "max_ticks")
      next.launch.maxTicks = nb::cast<int64_t>(value);
    else if (name == "trace_limit")
      next.launch.traceLimit = std::max<int64_t>(nb::cast<int64_t>(value), 0);
    else if (name == "time_limit")
      next.launch.timeLimit = readTimeLimit(nb::cast<double>(value));
    else if (name == "keep_calls")
      next.launch.keepTraces = nb::cast<bool>(value);
    else if (name == "dry")
      next.launch.dry = nb::cast<bool>(value);
    else if (name == "max_cycles")
      next.launch.maxCycles = nb::cast<int64_t>(value);
    else if (name == "only_first")
      next.launch.onlyFirst = nb::cast<int64_t>(value);
    else if (name == "max_calls")
      next.launch.maxCalls = nb::cast<int64_t>(value);
    else if (name == "judged")
      next.launch.judged = nb::cast<bool>(value);
    else if (name == "poison")
      next.launch.poison = readPoison(nb::cast<std::string>(value), next.launch.poison);
    else if (name == "raise_findings")
      next.raiseFindings = nb::cast<bool>(value);
    else if (name == "dry_run")
      next.dryRun = nb::cast<bool>(value);
    else if (name == "emitter")
      next.emitter = value.is_none() ? nb::object() : nb::borrow(value);
    else if (name == "listener")
      next.listener = value.is_none() ? nb::object() : nb::borrow(value);
    else if (name == "debugger")
      next.debugger = value.is_none() ? nb::object() : nb::borrow(value);
    else if (name == "recorder")
      next.recorder = value.is_none() ? nb::object() : nb::borrow(value);
    else if (name == "clock")
      next.clock = value.is_none() ? nb::object() : nb::borrow(value);
    else
      throw nb::type_error(("no launch setting is called '" + name + "'").c_str());
  }
  settings() = std::move(next);
}

void setHooks(const nb::kwargs &values) {
  for (auto [key, value] : values) {
    std::string name = nb::cast<std::string>(key);
    bool Hooks::*hook = name == "keep_ir"             ? &Hooks::keepIr
                        : name == "compiler_replaced" ? &Hooks::compilerReplaced
                        : name == "launcher_replaced" ? &Hooks::launcherReplaced
                                                      : nullptr;
    if (!hook)
      throw nb::type_error(("no hook is called '" + name + "'").c_str());
    hooks().*hook = nb::cast<bool>(value);
  }
}

nb::dict describe(const machine::Platform &platform) {
  nb::dict result;
  result["name"] = std::string(platform.name);
  result["arch"] = platform.arch == isa::Arch::C220 ? "c220" : "c310";
  result["cube_cores"] = platform.cubeCores;
  result["vector_cores"] = platform.vectorCores;
  result["max_blocks"] = platform.maxBlocks;
  result["clock_mhz"] = platform.clockMHz;
  // With all cores at work.
  result["hbm_mbps"] = platform.hbmReached(platform.hbmMBps, platform.vectorCores);
  result["hbm_write_mbps"] = platform.hbmReached(platform.hbmWriteMBps, platform.vectorCores);
  result["l2_mbps"] = platform.l2MBps;
  result["l2_bytes"] = platform.l2Bytes;
  nb::dict memories;
  for (unsigned i = 0; i < isa::numMemory; ++i)
    if (platform.capacity[i]) // the 910B has no scales
      memories[std::string(isa::stringify(isa::Memory(i))).c_str()] = platform.usableOf(isa::Memory(i));
  result["memories"] = memories;
  result["l2_bytes"] = platform.l2Bytes;
  result["host_launch_ns"] = platform.hostLaunchNs;
  result["host_copy_ns"] = platform.hostCopyNs;
  result["host_mbps"] = platform.hostMBps; // 0: copies cost nothing
  result["launch_ns"] = nb::make_tuple(platform.launchNsOneCore, platform.launchNsAllCores);
  nb::dict macs, latencies;
  macs["float16"] = platform.cubeMacF16;
  macs["float32"] = platform.cubeMacF32;
  macs["int8"] = platform.cubeMacI8;
  result["cube_macs"] = macs; // per cycle and core
  // Operations per cycle and core: 64 lanes of 32 bits for each port of the vector unit.
  result["vector_lanes"] = TS_VF_LANES * std::max(platform.vfPorts, 1);
  const std::pair<const char *, const machine::MovePath *> paths[] = {{"gm_to_ub", &platform.gmToUb},
                                                                      {"ub_to_gm", &platform.ubToGm},
                                                                      {"gm_to_l1", &platform.gmToL1},
                                                                      {"l0c_to_gm", &platform.l0cToGm}};
  nb::dict moves;
  for (auto [name, path] : paths)
    moves[name] = nb::make_tuple(path->latency, path->bytesPerCycle / 100.0);
  result["moves"] = moves; // cycles until the first byte, and bytes per cycle
  result["piece_cycles"] = nb::make_tuple(platform.burstCost / 100.0, platform.burstCostNz / 100.0);
  return result;
}

nb::dict buildInfo() {
  nb::dict result;
  result["llvm"] = LLVM_VERSION_STRING;
  result["compiler"] = __VERSION__;
  result["python"] = PY_VERSION;
  return result;
}

void checkPlatformPath() {
  if (!machine::platformProblems().empty())
    throw nb::value_error(("TILESMITH_PLATFORM_PATH: " + machine::platformProblems()).c_str());
}

void addPlatforms(const std::string &path) {
  std::string error = machine::addPlatforms(path);
  if (!error.empty())
    throw nb::value_error(error.c_str());
  settings().platform = machine::findPlatform(settings().platform->name); // whose file may be one of them
}

const machine::Platform &known(const std::string &name) {
  const machine::Platform *platform = machine::findPlatform(name);
  if (!platform)
    throw nb::value_error(("no platform is called '" + name + "'").c_str());
  return *platform;
}

nb::tuple pair(runtime::DiskCache::Usage usage) { return nb::make_tuple(usage.entries, usage.bytes); }

} // namespace

Settings &settings() {
  static Settings *instance = new Settings; // outlives the interpreter, as it holds a Python object
  return *instance;
}

Hooks &hooks() {
  static Hooks instance;
  return instance;
}

runtime::DiskCache &diskCache() {
  static auto *cache = new runtime::DiskCache(runtime::DiskCache::defaultFolder(), runtime::DiskCache::defaultLimit());
  return *cache;
}

void reportCacheWarning() {
  std::string text = diskCache().takeWarning();
  if (!text.empty() && PyErr_WarnEx(PyExc_RuntimeWarning, text.c_str(), 1) != 0)
    throw nb::python_error();
}

void registerSettings(nb::module_ &module) {
  module.def("get_settings", &getSettings, "How launches run, as set_settings takes it.");
  module.def("set_settings", &setSettings, "Changes how launches run.");
  module.def("set_hooks", &setHooks,
             "What tests put in the way of launches: compiler_replaced, launcher_replaced, keep_ir.");
  module.def(
      "platforms",
      [] {
        checkPlatformPath();
        nb::list names;
        for (const std::string &name : machine::platformNames())
          names.append(name);
        return names;
      },
      "Names of all platforms.");
  module.def("add_platforms", &addPlatforms, nb::arg("path"), "Reads a platform file, or a folder of them.");
  module.def(
      "describe_platform", [](const std::string &name) { return describe(known(name)); }, nb::arg("name"),
      "Cores, clock, memories of a platform.");
  module.def(
      "set_platform", [](const std::string &name) { settings().platform = &known(name); }, nb::arg("name"),
      "The platform launches run on from now on.");
  module.def("current_platform", [] { return std::string(settings().platform->name); }, "Its name.");
  module.def(
      "remember_source",
      [](const std::string &file, uint32_t firstLine, const std::string &text) {
        runtime::rememberSource(file, firstLine, text);
      },
      nb::arg("file"), nb::arg("first_line"), nb::arg("text"), "Source that is in no file, for the texts of errors.");
  module.def("last_ir", [] { return hooks().ir; }, "The tile IR the front end made last, where compiling is replaced.");
  module.def(
      "cpu_level", [] { return cpuLevelNames[int(cpuLevel())]; },
      "How much of this CPU is used: baseline, avx2 or avx512 (TILESMITH_CPU).");
  module.def("build_info", &buildInfo, "What the extension was built with: llvm, compiler, python.");
  module.def("compilations", [] { return runtime::Specialiser::compilations(); }, "Kernels compiled by this process.");
  module.def(
      "model_id",
      [] {
        const machine::Platform &platform = *settings().platform;
        return runtime::digest({runtime::buildId(), std::string(platform.name), std::to_string(platform.digest)});
      },
      "Identifies the compiler, the model and the current platform: times of equal launches are equal if it is.");
  module.def("cache_folder", [] { return diskCache().folder().string(); }, "The folder of compiled kernels.");
  module.def("cache_usage", [] { return pair(diskCache().usage()); }, "(kernels, bytes) on disk.");
  module.def(
      "cache_clear",
      [] {
        nb::tuple removed = pair(diskCache().clear());
        reportCacheWarning();
        return removed;
      },
      "Removes them; (kernels, bytes).");
  settings().platform = machine::findPlatform("Ascend910B1");
  if (const char *mode = std::getenv("TILESMITH_MODE"); mode && *mode)
    settings().launch.mode = parse<machine::Mode>(modeNames, mode, "TILESMITH_MODE: launch mode");
  if (const char *threads = std::getenv("TILESMITH_THREADS"); threads && *threads)
    settings().launch.threads = unsigned(std::max(0, std::atoi(threads)));
  if (const char *limit = std::getenv("TILESMITH_TIME_LIMIT"); limit && *limit) {
    char *end = nullptr;
    double seconds = std::strtod(limit, &end);
    if (*end || !(seconds >= 0))
      throw nb::value_error(
          ("TILESMITH_TIME_LIMIT is '" + std::string(limit) + "', not a number of seconds (0: no limit)").c_str());
    settings().launch.timeLimit = seconds;
  }
  const char *dry = std::getenv("DRY_RUN");
  settings().dryRun = dry && *dry && std::string_view(dry) != "0";
}

} // namespace tilesmith::python
