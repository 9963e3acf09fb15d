#include "Debug.h"
#include "Errors.h"
#include "tilesmith/Dialect/Isa/IsaDialect.h"
#include <chrono>
#include <map>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

namespace nb = nanobind;

namespace tilesmith::python {
namespace {

using machine::InFlight;
using machine::Stepper;

constexpr const char *reasonNames[] = {"block", "breakpoint", "step", "call", "watch", "finding", "interrupt"};
constexpr const char *resumeNames[] = {"continue", "step", "next", "finish", "call", "block", "quit", "same"};
constexpr const char *kindNames[] = {"statement", "breakpoint", "end"};

// What Python holds of a launch. Empty once the launch is over.
struct DebugControl {
  DebuggedLaunch *launch = nullptr;

  DebuggedLaunch &get() const {
    if (!launch || !launch->core)
      throw nb::value_error("the launch does not stand still: its memories cannot be read");
    return *launch;
  }
};

// The bytes from an address to the end of its memory or array; empty: there are none.
std::span<uint8_t> bytesFrom(const machine::DebuggedCore &core, int64_t bits) {
  machine::Address address(bits);
  if (address.memory() == machine::Memory::GM) {
    for (const machine::GlobalRange &range : core.memory.global)
      if (address.offset() >= range.device && address.offset() - range.device < range.size)
        return {range.host + (address.offset() - range.device), size_t(range.device + range.size - address.offset())};
    return {};
  }
  unsigned memory = unsigned(address.memory());
  if (memory >= isa::numMemory || address.offset() < 0 || address.offset() >= core.platform.capacity[memory] ||
      !core.memory.base[memory])
    return {};
  return {core.memory.base[memory] + address.offset(), size_t(core.platform.capacity[memory] - address.offset())};
}

// Whether the bytes belong to the launch: a debugger watches nothing else.
bool belongs(const machine::DebuggedCore &core, std::span<const uint8_t> bytes) {
  auto within = [&](const uint8_t *base, int64_t size) {
    return base && bytes.data() >= base && bytes.data() + bytes.size() <= base + size;
  };
  for (const machine::GlobalRange &range : core.memory.global)
    if (within(range.host, range.size))
      return true;
  for (unsigned memory = 1; memory < isa::numMemory; ++memory)
    if (within(core.memory.base[memory], core.platform.capacity[memory]))
      return true;
  return false;
}

nb::object memoryAt(const DebugControl &control, int64_t address, int64_t size) {
  std::span<uint8_t> bytes = bytesFrom(*control.get().core, address);
  if (size < 0 || bytes.size() < size_t(size) || !bytes.data())
    return nb::none();
  return nb::steal(PyMemoryView_FromMemory(reinterpret_cast<char *>(bytes.data()), size, PyBUF_READ));
}

int64_t addressOf(const DebugControl &control, uint64_t host) {
  for (const machine::GlobalRange &range : control.get().core->memory.global)
    if (uint64_t first = reinterpret_cast<uintptr_t>(range.host); host >= first && host - first < uint64_t(range.size))
      return range.device + int64_t(host - first);
  return isa::probeNowhere;
}

bool watch(const DebugControl &control, int64_t id, const std::vector<std::pair<uint64_t, int64_t>> &runs) {
  std::vector<std::span<const uint8_t>> bytes;
  for (auto [host, size] : runs) {
    bytes.emplace_back(reinterpret_cast<const uint8_t *>(host), size_t(size));
    if (size <= 0 || !belongs(*control.get().core, bytes.back()))
      return false;
  }
  control.get().watch(id, std::move(bytes));
  return true;
}

nb::tuple inFlight(const DebugControl &control, int64_t most) {
  DebuggedLaunch &launch = control.get();
  nb::list pipes, flags;
  for (unsigned pipe = 0; pipe < isa::numPipe; ++pipe) {
    int64_t count = 0;
    std::vector<InFlight::Call> calls =
        launch.inFlight().of(machine::Pipe(pipe), size_t(std::max<int64_t>(most, 0)), count);
    if (count <= 0)
      continue;
    nb::list shown;
    for (const InFlight::Call &call : calls)
      shown.append(nb::make_tuple(call.instr.loc, machine::describeCall(call.instr, launch.core->platform.arch)));
    pipes.append(nb::make_tuple(std::string(isa::stringify(machine::Pipe(pipe))), count, shown));
  }
  for (const InFlight::Flag &flag : launch.inFlight().flags())
    flags.append(nb::make_tuple(std::string(isa::stringify(flag.from)), std::string(isa::stringify(flag.to)), flag.id,
                                flag.sets, flag.loc));
  return nb::make_tuple(pipes, flags);
}

nb::object lastWrite(const DebugControl &control, int64_t address, int64_t bytes) {
  auto write = control.get().lastWrites().of(machine::Address(address), bytes);
  return write ? nb::object(nb::make_tuple(write->number, write->loc)) : nb::none();
}

nb::dict memories(const DebugControl &control) {
  nb::dict result;
  const machine::Platform &platform = control.get().core->platform;
  for (unsigned memory = 1; memory < isa::numMemory; ++memory)
    if (platform.capacity[memory])
      result[std::string(isa::stringify(machine::Memory(memory))).c_str()] =
          nb::make_tuple(machine::Address(machine::Memory(memory), 0).bits, platform.capacity[memory]);
  return result;
}

nb::dict factsOf(const Stepper::Stop &stop) {
  nb::dict facts;
  facts["reason"] = reasonNames[unsigned(stop.reason)];
  facts["block"] = stop.core.block;
  facts["blocks"] = stop.core.blocks;
  facts["core"] = stop.core.name;
  facts["loc"] = stop.call && stop.statement.site < 0 ? stop.call->loc : stop.statement.loc;
  facts["site"] = stop.statement.site;
  facts["kind"] = kindNames[unsigned(stop.statement.kind)];
  nb::list values;
  for (int64_t value : stop.statement.values)
    values.append(value);
  facts["values"] = values;
  facts["call"] = nb::none();
  if (stop.call) {
    facts["call"] = machine::describeCall(*stop.call, stop.core.platform.arch);
    facts["pipe"] = std::string(isa::stringify(machine::pipeOf(*stop.call)));
    facts["call_loc"] = stop.call->loc;
  }
  facts["done"] = stop.done;
  if (stop.watch) {
    facts["watch"] = stop.watch->id;
    facts["old"] = nb::bytes(stop.watch->old.data(), stop.watch->old.size());
  }
  if (stop.finding)
    facts["finding"] = nb::make_tuple(stop.finding->id.str(), stop.finding->text);
  return facts;
}

// The platform with room for every name of a kernel: a value stays in memory while its name can be read.
const machine::Platform &roomy(const machine::Platform &platform) {
  constexpr int64_t times = 16;
  static auto *known = new std::map<decltype(platform.digest), std::unique_ptr<machine::Platform>>;
  std::unique_ptr<machine::Platform> &made = (*known)[platform.digest];
  if (!made) {
    made = std::make_unique<machine::Platform>(platform);
    for (unsigned memory = 1; memory < isa::numMemory; ++memory)
      made->capacity[memory] *= times;
  }
  return *made;
}

} // namespace

DebuggedLaunch::DebuggedLaunch(nb::object debugger, const host::Metadata &metadata)
    : debugger(std::move(debugger)), control(nb::cast(DebugControl{this})), metadata(metadata) {
  hasDebugInfo = !metadata.probes.empty();
}

DebuggedLaunch::~DebuggedLaunch() { nb::cast<DebugControl &>(control).launch = nullptr; }

bool DebuggedLaunch::begin(const Binding &binding, int64_t blocks, const machine::Platform &platform) {
  nb::list locations, sites, arguments;
  for (const host::SourceLocation &place : metadata.locations)
    locations.append(nb::make_tuple(place.file, place.line, place.column, place.name));
  for (const std::string &site : metadata.probes)
    sites.append(site);
  for (size_t i = 0; i < binding.values.size(); ++i) {
    if (binding.isConstant(i))
      continue;
    const Argument &argument = binding.arguments[i];
    nb::dict entry;
    entry["name"] = binding.kernel.parameters[i].text;
    entry["dtype"] = dtypeName(argument.dtype);
    entry["array"] = argument.kind == Argument::Kind::Array;
    entry["bytes"] = argument.size;
    entry["host"] = reinterpret_cast<uintptr_t>(argument.data);
    entry["bits"] = argument.bits;
    arguments.append(entry);
  }
  nb::list buffers;
  for (const host::Buffer &buffer : metadata.buffers)
    if (!buffer.name.empty() && !buffer.shape.empty())
      buffers.append(nb::make_tuple(buffer.name, buffer.shape, machine::Address(buffer.memory, buffer.address).bits,
                                    buffer.bytes, buffer.slots));
  nb::dict facts;
  facts["buffers"] = buffers;
  facts["kernel"] = metadata.kernel;
  facts["blocks"] = blocks;
  facts["platform"] = std::string(platform.name);
  facts["locations"] = locations;
  facts["sites"] = sites;
  facts["arguments"] = arguments;
  debugger.attr("begin")(control, facts);
  return true;
}

bool DebuggedLaunch::end() {
  if (!raised.is_valid())
    return true;
  PyErr_SetObject(reinterpret_cast<PyObject *>(Py_TYPE(raised.ptr())), raised.ptr());
  return false;
}

void DebuggedLaunch::keepError(nb::python_error &error) { raised = nb::borrow(error.value()); }

Stepper::Resume DebuggedLaunch::stopped(const Stop &stop) {
  nb::gil_scoped_acquire lock;
  core = &stop.core;
  Resume resume = Resume::Quit;
  try {
    std::string word = nb::cast<std::string>(debugger.attr("stopped")(control, factsOf(stop)));
    bool known = false;
    for (unsigned i = 0; i < std::size(resumeNames); ++i)
      if (word == resumeNames[i]) {
        resume = Resume(i);
        known = true;
      }
    if (!known)
      throw nb::value_error(("a debugger cannot resume by '" + word + "'").c_str());
  } catch (nb::python_error &error) {
    keepError(error);
  } catch (const std::exception &error) {
    PyErr_SetString(PyExc_RuntimeError, error.what());
    nb::python_error kept;
    keepError(kept);
  }
  core = nullptr;
  return resume;
}

bool DebuggedLaunch::isBreakpoint(uint32_t loc) {
  if (auto known = breakpoints.find(loc); known != breakpoints.end())
    return known->second;
  nb::gil_scoped_acquire lock;
  const host::SourceLocation &place = placeOf(loc);
  bool answer = false;
  try {
    answer = nb::cast<bool>(debugger.attr("breaks_at")(place.file, place.line));
  } catch (nb::python_error &error) {
    keepError(error);
    return true; // the stop ends the launch
  }
  return breakpoints[loc] = answer;
}

bool DebuggedLaunch::isSameLine(uint32_t a, uint32_t b) {
  return a == b || (placeOf(a).line == placeOf(b).line && placeOf(a).file == placeOf(b).file);
}

// Ctrl-C stops the launch in the debugger. Asked seldom: it takes Python's lock.
bool DebuggedLaunch::isInterrupted() {
  using Clock = std::chrono::steady_clock;
  static thread_local Clock::time_point next;
  Clock::time_point now = Clock::now();
  if (now < next)
    return false;
  next = now + std::chrono::milliseconds(50);
  nb::gil_scoped_acquire lock;
  if (PyErr_CheckSignals() == 0)
    return false;
  nb::python_error error;
  if (error.matches(PyExc_KeyboardInterrupt))
    return true;
  keepError(error);
  return true;
}

bool needsDebugInfo(const nb::object &debugger) { return !nb::cast<bool>(debugger.attr("as_compiled")); }

nb::object debuggerForBreakpoints(const Binding &binding) {
  nb::object found = nb::module_::import_("asc.runtime.debug").attr("for_breakpoints")(binding.kernel.name);
  return found.is_none() ? nb::object() : found;
}

PyObject *runDebugged(const Binding &binding, int64_t blocks, nb::object debugger) {
  // Settings are put back however the launch ends.
  struct Meanwhile {
    const machine::Platform *platform = settings().platform;
    nb::object debugger = settings().debugger;
    ~Meanwhile() {
      settings().platform = platform;
      settings().debugger = debugger;
    }
  } meanwhile;
  nb::dict options;
  options["debug_info"] = true;
  options["opt_level"] = 1;
  nb::object derived = nb::handle(binding.self).attr("_with_options")(options);
  nb::object launcher = derived[nb::int_(blocks)];
  settings().platform = &roomy(*settings().platform);
  settings().debugger = std::move(debugger);
  return PyObject_Vectorcall(launcher.ptr(), binding.values.data(), binding.values.size(), nullptr);
}

void registerDebug(nb::module_ &module) {
  nb::class_<DebugControl>(module, "DebugControl", "A launch that stands still: its memories, and what stops it next.")
      .def("memory", &memoryAt, nb::arg("address"), nb::arg("size"),
           "Bytes of a memory of the core, read-only; None where there are not so many.")
      .def(
          "room",
          [](const DebugControl &control, int64_t address) { return bytesFrom(*control.get().core, address).size(); },
          nb::arg("address"), "Bytes from an address to the end of its memory or array.")
      .def("address_of", &addressOf, nb::arg("host"),
           "The device address of an argument's first byte; -1: it has none.")
      .def("memories", &memories, "The memories of the core: name to (address, bytes).")
      .def("in_flight", &inFlight, nb::arg("most"),
           "([(pipe, count, [(location, call)])], [(from, to, id, sets, location)]): calls nothing has waited for, and "
           "raised flags.")
      .def(
          "last_write", &lastWrite, nb::arg("address"), nb::arg("bytes"),
          "(number of the call, location) of the latest write to these bytes by a kernel without debug information, or "
          "None.")
      .def("watch", &watch, nb::arg("id"), nb::arg("runs"),
           "Stops when bytes of the launch change; runs are (host address, size). False: they are not the launch's.")
      .def(
          "unwatch", [](const DebugControl &control, int64_t id) { return control.get().unwatch(id); }, nb::arg("id"),
          "Ends a watch.")
      .def(
          "breakpoints_changed", [](const DebugControl &control) { control.launch->forgetBreakpoints(); },
          "Ask breaks_at again.")
      .def_prop_rw(
          "only_block", [](const DebugControl &control) { return control.launch->onlyBlock; },
          [](const DebugControl &control, int64_t block) { control.launch->onlyBlock = block; },
          "The block whose stops count; -1: all.")
      .def_prop_rw(
          "at_start", [](const DebugControl &control) { return control.launch->atStart; },
          [](const DebugControl &control, bool stops) { control.launch->atStart = stops; },
          "Whether the first statement of the launch is a stop.");
}

} // namespace tilesmith::python
