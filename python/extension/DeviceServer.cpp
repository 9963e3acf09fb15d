// Serves a process that has no device: memory, kernels and launches, and says where the bytes of memory come from.
//
// Who owns the server is the judge's side; the process at the other end of the connection is the candidate's. Nothing
// it says is believed: an address is looked up, a kernel comes as IR that is verified and compiled here.
#include "DeviceServer.h"
#include "Kernel.h"
#include "Library.h"
#include "Observe.h"
#include "tilesmith/Machine/Platform.h"
#include "tilesmith/Runtime/DeviceHeap.h"
#include "tilesmith/Runtime/DeviceLink.h"
#include "tilesmith/Runtime/Provenance.h"
#include "llvm/ADT/StringMap.h"
#include <map>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>
#include <poll.h>
#include <set>
#include <unistd.h>

namespace nb = nanobind;

namespace tilesmith::python {

namespace {

using runtime::DeviceCall;
using runtime::DeviceHeap;
using runtime::Packet;
using runtime::Provenance;

struct Refusal {
  std::string exception, text;
};
[[noreturn]] void refuse(std::string text) { throw Refusal{"builtins.ValueError", std::move(text)}; }

struct ServedKernel {
  const machine::Platform *platform;
  std::optional<isa::KernelType> type;
  std::vector<std::string> names;
  host::LoadedKernel code;
  host::Metadata metadata;
  std::vector<int64_t> constants;
};

struct ServedArgument {
  runtime::BoundArgument bound;
  std::optional<runtime::Layout> layout; // of one that is gathered
  std::unique_ptr<uint8_t[]> bytes;
  std::vector<int64_t> strides; // of the gathered bytes
  bool isScalar = true;
};

class DeviceServer {
public:
  DeviceServer(int candidate, int judge, nb::object handler)
      : candidate(candidate), judge(judge), handler(std::move(handler)) {}

  // Until the judge has something to say (true), or the candidate is gone and there is nobody else (false).
  bool serve() {
    for (;;) {
      pollfd ends[] = {{judge, POLLIN, 0}, {candidate, POLLIN, 0}};
      int ready;
      {
        nb::gil_scoped_release release;
        ready = poll(ends, candidate < 0 ? 1 : 2, -1);
      }
      if (PyErr_CheckSignals() != 0)
        throw nb::python_error();
      if (ready < 0)
        continue;
      if (ends[0].revents)
        return true;
      if (candidate >= 0 && ends[1].revents && !serveOne()) {
        close(candidate);
        candidate = -1;
      }
    }
  }

  uintptr_t allocate(int64_t size) {
    uint8_t *block = DeviceHeap::of(0).allocate(size, capacity());
    if (!block)
      throw std::bad_alloc();
    return uintptr_t(block);
  }
  void release(uintptr_t block) {
    if (auto extent = DeviceHeap::of(0).blockOf(pointer(block)); extent && uintptr_t(extent->begin) == block) {
      provenance.aboutToChange(block, block + uintptr_t(extent->bytes));
      provenance.forget(block, block + uintptr_t(extent->bytes));
      DeviceHeap::of(0).release(pointer(block));
    }
  }

  void lock(const std::string &name) {
    locked = machine::findPlatform(name);
    if (!locked)
      throw nb::value_error(("no platform is called '" + name + "'").c_str());
  }

  // A call begins: what is there is from before it.
  void begin(bool withEvidence) {
    closed = false;
    provenance.begin(withEvidence);
    stopped.clear();
    given.clear();
    firstPlaces.clear();
    launchedKernels.clear();
  }
  // Nothing is launched, copied or filled any more until something begins.
  void end() {
    closed = true;
    provenance.end();
  }
  // A model is made: what its constructor leaves is its own data.
  void build() {
    closed = false;
    provenance.build();
  }

  bool isBuilding() const { return provenance.isBuilding(); }

  using Numbers = std::vector<int64_t>;
  void assign(uintptr_t begin, const Numbers &shape, const Numbers &strides, int64_t item, const std::string &source) {
    std::optional<Provenance::Source> known = Provenance::named(source);
    if (!known)
      throw nb::value_error(("there is no source " + source).c_str());
    provenance.assign({begin, strides, item}, shape, *known);
  }
  void converted(uintptr_t to, const Numbers &toStrides, int64_t toItem, uintptr_t from, const Numbers &strides,
                 int64_t item, const Numbers &shape, bool computes) {
    provenance.converted({to, toStrides, toItem}, {from, strides, item}, shape, computes);
  }
  void moved(uintptr_t to, const Numbers &toStrides, uintptr_t from, const Numbers &strides, const Numbers &shape,
             int64_t item) {
    provenance.moved({to, toStrides, item}, {from, strides, item}, shape);
  }

  // Bytes by source of a tensor's elements; launches are one source. `derives`: what the launches derive from.
  nb::dict sourcesOf(uintptr_t begin, const Numbers &shape, const Numbers &strides, int64_t item) const {
    Provenance::Sources sources = provenance.sourcesOf({begin, strides, item}, shape);
    nb::dict result;
    nb::list derives;
    for (size_t i = 0; i < std::size(Provenance::names); ++i) {
      if (sources.bytes[i])
        result[Provenance::names[i]] = sources.bytes[i];
      if (sources.derives >> i & 1)
        derives.append(Provenance::names[i]);
    }
    if (sources.launched)
      result["launch"] = sources.launched;
    result["derives"] = derives;
    return result;
  }

  // A launch of a process that belongs to the device, with what it touched: (begin, end).
  using Spans = std::vector<std::tuple<uintptr_t, uintptr_t>>;
  void did(const std::string &kernel, const Spans &reads, const Spans &writes, const Spans &tables) {
    runtime::Touched touched;
    for (auto [spans, to] : {std::pair(&reads, &touched.reads), {&writes, &touched.writes}, {&tables, &touched.tables}})
      for (auto [begin, end] : *spans)
        to->push_back({pointer(begin), pointer(end)});
    provenance.did(kernel, touched);
  }

  const std::vector<std::string> &whyStopped() const { return stopped; }

  nb::list launches() const {
    nb::list result;
    for (const Provenance::Deed &deed : provenance.launches())
      result.append(nb::make_tuple(deed.kernel, deed.orderMatters));
    return result;
  }
  // Own data that launches have read, as Provenance has it: (address, size, looked up, known, ranges), and of each
  // range (begin, end, whether launches of earlier calls prepared it).
  nb::list ownData() const {
    nb::list result;
    for (auto &[at, size, lookedUp, isKnown, ranges] : provenance.ownData()) {
      nb::list list;
      for (auto [begin, end, origin] : ranges)
        list.append(nb::make_tuple(begin, end, origin == Provenance::Prepared));
      result.append(nb::make_tuple(at, size, lookedUp, isKnown, list));
    }
    return result;
  }
  int64_t lookedUpMade() const { return provenance.lookedUpMade(); }
  // What the launches of the call were given, one after another: which kernel, and for each parameter the numbers or
  // how far arrays lie from where the first one lay, as int64.
  nb::list numbersGiven() const {
    nb::list result;
    for (auto &[parameter, values] : given)
      result.append(asBytes(values));
    return result;
  }
  // The constants in the kernels that were launched, as int64.
  nb::list constantsGiven() const {
    nb::list result;
    for (int64_t number : launchedKernels)
      result.append(asBytes(kernels[size_t(number)]->constants));
    return result;
  }
  void aboutToChange(uintptr_t begin, int64_t size) { provenance.aboutToChange(begin, begin + uintptr_t(size)); }
  void aboutToLaunch(uintptr_t begin, int64_t size) { provenance.aboutToLaunch(begin, begin + uintptr_t(size)); }
  // Whether a range lies in a block that is in use.
  bool holds(uintptr_t begin, int64_t size) const {
    auto extent = DeviceHeap::of(0).blockOf(pointer(begin));
    return extent && size >= 0 && begin - uintptr_t(extent->begin) <= uintptr_t(extent->bytes) &&
           uintptr_t(size) <= uintptr_t(extent->bytes) - (begin - uintptr_t(extent->begin));
  }

private:
  static uint8_t *pointer(uintptr_t address) { return reinterpret_cast<uint8_t *>(address); }
  static nb::bytes asBytes(const std::vector<int64_t> &values) {
    return nb::bytes(reinterpret_cast<const char *>(values.data()), values.size() * sizeof(int64_t));
  }
  static int64_t capacity() { return settings().platform->capacity[unsigned(isa::Memory::GM)]; }
  bool serveOne() {
    Packet call;
    bool came;
    {
      nb::gil_scoped_release release;
      came = runtime::receivePacket(candidate, call);
    }
    if (!came)
      return false;
    Packet answer;
    bool answers = true;
    try {
      answer.put(0);
      answers = answerTo(call, answer);
    } catch (const Refusal &refusal) {
      answer = Packet().put(1).put(refusal.exception).put(refusal.text);
    } catch (nb::python_error &error) {
      answer = Packet().put(1).put(nameOf(error.type())).put(nb::cast<std::string>(nb::str(error.value())));
      error.restore();
      PyErr_Clear();
    }
    if (!answers)
      return true;
    nb::gil_scoped_release release;
    return runtime::sendPacket(candidate, answer);
  }

  static std::string nameOf(nb::handle type) {
    return nb::cast<std::string>(type.attr("__module__")) + "." + nb::cast<std::string>(type.attr("__qualname__"));
  }

  // Whether there is an answer.
  bool answerTo(Packet &call, Packet &answer) {
    switch (DeviceCall(call.number())) {
    case DeviceCall::Allocate: {
      int64_t bytes = call.number(), device = call.number();
      if (call.isBroken() || device != 0)
        refuse("a judged call has one device, npu:0");
      uint8_t *block = DeviceHeap::of(0).allocate(bytes, capacity());
      if (block) {
        lent.insert(uintptr_t(block));
        provenance.assign(uintptr_t(block), uintptr_t(block) + uintptr_t(bytes), Provenance::Fresh);
      }
      answer.put(int64_t(uintptr_t(block)));
      return true;
    }
    case DeviceCall::Release:
      if (auto block = lent.find(uintptr_t(call.number())); block != lent.end()) { // the judge's are not his to free
        release(*block);
        lent.erase(block);
      }
      return false;
    case DeviceCall::Kernel:
      answer.put(addKernel(call));
      return true;
    case DeviceCall::Launch:
      checkOpen();
      launch(call);
      return true;
    case DeviceCall::Other: {
      checkOpen();
      std::string_view text = call.text();
      nb::object told = handler(nb::bytes(text.data(), text.size()));
      auto bytes = nb::cast<nb::bytes>(told);
      answer.put(std::string_view(static_cast<const char *>(bytes.data()), bytes.size()));
      return true;
    }
    }
    refuse("the device does not know this call");
  }

  void checkOpen() const {
    if (closed)
      throw Refusal{"builtins.RuntimeError", "the call has ended; what is left running does nothing on the device"};
  }

  int64_t addKernel(Packet &call) {
    std::string platformName(call.text());
    int64_t level = call.number(), type = call.number(), count = call.number();
    if (call.isBroken() || count < 0 || count > 4096)
      refuse("a kernel is not described");
    ServedKernel kernel;
    kernel.platform = machine::findPlatform(platformName);
    if (!kernel.platform)
      refuse("the device has no platform '" + platformName + "'");
    if (locked && kernel.platform != locked)
      refuse("this call is judged on " + std::string(locked->name) + "; a kernel for " + platformName +
             " cannot run there");
    for (int64_t i = 0; i < count; ++i)
      kernel.names.emplace_back(call.text());
    std::string_view text = call.text();
    if (call.isBroken() || level < 0 || level > 3)
      refuse("a kernel is not described");
    std::string key = platformName + '\n' + std::to_string(level) + ' ' + std::to_string(type) + '\n';
    for (const std::string &name : kernel.names)
      key += name + ' ';
    key += text;
    if (auto known = numbers.find(key); known != numbers.end())
      return known->second;
    runtime::CompileError error;
    auto compiled = runtime::compileIr(text, *kernel.platform, int(level), error);
    if (!compiled)
      throw Refusal{"builtins.RuntimeError", error.text};
    auto code = host::loadKernel(compiled->object, compiled->metadata.kernel);
    if (!code)
      throw Refusal{"builtins.RuntimeError", llvm::toString(code.takeError())};
    kernel.code = std::move(*code);
    kernel.metadata = std::move(compiled->metadata);
    kernel.constants = std::move(compiled->constants);
    bool isType = type >= 0 && type < int64_t(isa::numKernelType);
    kernel.type = kernel.metadata.typeOfLaunch(isType ? std::optional(isa::KernelType(type)) : std::nullopt);
    kernels.push_back(std::make_shared<ServedKernel>(std::move(kernel)));
    return numbers[key] = int64_t(kernels.size()) - 1;
  }

  void launch(Packet &call) {
    int64_t number = call.number(), blocks = call.number();
    if (call.isBroken() || number < 0 || number >= int64_t(kernels.size()))
      refuse("the device does not know this kernel");
    std::shared_ptr<ServedKernel> kernel = kernels[size_t(number)];
    const host::Metadata &metadata = kernel->metadata;
    if (blocks <= 0 || blocks > kernel->platform->maxBlocks)
      refuse("a launch of " + std::to_string(blocks) + " blocks");
    std::vector<ServedArgument> arguments;
    size_t expected = metadata.parameters.size() - (metadata.workspace >= 0 ? 1 : 0);
    for (size_t i = 0; i < expected; ++i)
      arguments.push_back(readArgument(call, metadata.parameters[i]));
    if (call.isBroken())
      refuse("a launch is not described");
    if (provenance.isWatching())
      noteGiven(number, arguments);
    int64_t most = int64_t(sysconf(_SC_PHYS_PAGES)) * sysconf(_SC_PAGESIZE) / 2;
    if (metadata.sharedWorkspace > most ||
        (metadata.workspace > 0 && blocks > (most - metadata.sharedWorkspace) / metadata.workspace))
      refuse("a launch needs more workspace than half of this machine's memory");

    runtime::LaunchTarget target;
    target.function = kernel->code.function();
    target.platform = kernel->platform;
    target.type = kernel->type;
    target.serial = metadata.serial;
    target.autoSync = metadata.autoSync;
    target.workspace = metadata.workspace;
    target.sharedWorkspace = metadata.sharedWorkspace;
    target.interrupted = interrupted;
    target.compiled = true;
    target.arrayAt = metadata.arrayAt;
    runtime::Touched touched;
    if (provenance.isWatching())
      target.touched = &touched;
    Settings now = settings();
    now.platform = kernel->platform;
    Launched launched(now, metadata, blocks);
    launched.owner = kernel;
    machine::LaunchResult result;
    {
      nb::gil_scoped_release release;
      llvm::SmallVector<runtime::BoundArgument, 12> bound;
      for (ServedArgument &argument : arguments) {
        if (argument.layout) {
          argument.layout->gather(argument.bytes.get());
          if (provenance.isWatching())
            provenance.movedByLaunch(gathered(argument), inPlace(argument), argument.layout->shape);
        }
        bound.push_back(argument.bound);
      }
      result = runtime::launch(target, blocks, bound, launched.how, [&](size_t argument) {
        runtime::ArgumentWords words;
        if (argument < kernel->names.size())
          words.name = kernel->names[argument];
        if (argument < metadata.parameters.size() && metadata.parameters[argument].isBuffer)
          words.dtype = metadata.parameters[argument].dtype;
        return words;
      });
      if (provenance.isWatching())
        provenance.did(metadata.kernel, touched);
      else
        for (ServedArgument &argument : arguments)
          if (!argument.layout && argument.bound.isArray && argument.bound.written)
            provenance.wrote(uintptr_t(argument.bound.range.data),
                             uintptr_t(argument.bound.range.data) + uintptr_t(argument.bound.range.size));
      for (ServedArgument &argument : arguments)
        if (argument.layout && argument.bound.written) {
          argument.layout->scatter(argument.bytes.get());
          if (provenance.isWatching())
            provenance.movedByLaunch(inPlace(argument), gathered(argument), argument.layout->shape);
        }
      for (ServedArgument &argument : arguments)
        if (argument.layout)
          provenance.forget(uintptr_t(argument.bytes.get()),
                            uintptr_t(argument.bytes.get()) + uintptr_t(argument.bound.range.size));
    }
    if (PyErr_CheckSignals() != 0)
      throw nb::python_error();
    if (!result.output.empty())
      showOutput(result.output, metadata);
    if (!observe(result, launched, [&](ArrayFacts &facts) {
          for (size_t i = 0; i < arguments.size(); ++i) {
            if (arguments[i].isScalar)
              continue;
            Argument shown;
            shown.kind = Argument::Kind::Array;
            shown.dtype = metadata.parameters[i].dtype;
            shown.size = arguments[i].bound.range.size;
            facts.add(i < kernel->names.size() ? kernel->names[i] : std::string(), shown);
          }
        }))
      stop(metadata.kernel, nb::python_error());
  }

  // Before the launch: what it was given, and what it may write over.
  void noteGiven(int64_t number, const std::vector<ServedArgument> &arguments) {
    launchedKernels.insert(number);
    given[{-1, 0}].push_back(number);
    for (size_t i = 0; i < arguments.size(); ++i) {
      const ServedArgument &argument = arguments[i];
      auto place = uintptr_t(argument.layout ? argument.layout->origin : argument.bound.range.data);
      int64_t size = argument.layout ? reach(*argument.layout) : argument.bound.range.size;
      std::vector<int64_t> &values = given[{number, i}];
      if (argument.isScalar)
        values.push_back(argument.bound.bits);
      else
        values.push_back(int64_t(place - firstPlaces.try_emplace({number, i}, place).first->second));
      if (!argument.isScalar && argument.bound.written)
        provenance.aboutToLaunch(place, place + uintptr_t(size));
    }
  }
  // Bytes from the first element to the end of the last one, of strides that are not negative.
  static int64_t reach(const runtime::Layout &layout) {
    int64_t bytes = layout.item;
    for (size_t axis = 0; axis < layout.shape.size(); ++axis)
      bytes += (layout.shape[axis] - 1) * std::max<int64_t>(layout.strides[axis], 0);
    return bytes;
  }

  // A launch that found something. What it found may tell of the inputs, so that in a call only the judge hears it.
  [[noreturn]] void stop(const std::string &kernel, nb::python_error error) {
    if (provenance.isBuilding())
      throw error;
    stopped.push_back(nb::cast<std::string>(nb::str(error.value())));
    throw Refusal{nameOf(error.type()), "kernel '" + kernel + "' was stopped; the judge's result says why"};
  }

  ServedArgument readArgument(Packet &call, const host::Parameter &parameter) {
    ServedArgument argument;
    int64_t kind = call.number();
    if (kind == 0) {
      argument.bound.bits = call.number();
    } else if (kind == 1) {
      int64_t address = call.number(), size = call.number();
      argument.bound = {true, {pointer(uintptr_t(address)), size}, 0, call.number() != 0, false};
      if (size && !holds(uintptr_t(address), size))
        refuse("'" + parameter.name + "' is not in the device's memory");
    } else if (kind == 2) {
      readStrided(call, parameter, argument);
    } else {
      refuse("a launch is not described");
    }
    argument.isScalar = kind == 0;
    if (argument.isScalar == parameter.isBuffer)
      refuse("'" + parameter.name + "' is " + (parameter.isBuffer ? "an array" : "a number") + " of the kernel");
    return argument;
  }

  void readStrided(Packet &call, const host::Parameter &parameter, ServedArgument &argument) {
    runtime::Layout layout;
    auto origin = uintptr_t(call.number());
    layout.origin = pointer(origin);
    layout.item = call.number();
    bool written = call.number() != 0;
    int64_t axes = call.number(), count = 1, low = 0, high = layout.item;
    if (call.isBroken() || axes < 0 || axes > 64 || layout.item <= 0 || layout.item > 16)
      refuse("a launch is not described");
    bool overflows = false;
    for (int64_t axis = 0; axis < axes; ++axis) {
      int64_t size = call.number(), stride = call.number(), reach = 0;
      if (size <= 0)
        refuse("'" + parameter.name + "' has no elements");
      overflows |= __builtin_mul_overflow(count, size, &count) || __builtin_mul_overflow(size - 1, stride, &reach) ||
                   __builtin_add_overflow(reach < 0 ? low : high, reach, reach < 0 ? &low : &high);
      layout.shape.push_back(size);
      layout.strides.push_back(stride);
    }
    overflows |= __builtin_mul_overflow(count, layout.item, &count);
    if (overflows || count > int64_t(sysconf(_SC_PHYS_PAGES)) * sysconf(_SC_PAGESIZE) / 2 ||
        !holds(origin + uintptr_t(low), high - low))
      refuse("'" + parameter.name + "' is not in the device's memory");
    if (written && layout.overlapsItself())
      refuse("elements of '" + parameter.name + "' share memory");
    argument.bytes = std::make_unique_for_overwrite<uint8_t[]>(size_t(count));
    argument.bound = {true, {argument.bytes.get(), count}, 0, written, false};
    argument.strides = contiguous(layout);
    argument.layout = std::move(layout);
  }

  static std::vector<int64_t> contiguous(const runtime::Layout &layout) {
    std::vector<int64_t> strides(layout.shape.size());
    int64_t step = layout.item;
    for (size_t axis = layout.shape.size(); axis-- > 0; step *= layout.shape[axis])
      strides[axis] = step;
    return strides;
  }
  static Provenance::Elements gathered(const ServedArgument &argument) {
    return {uintptr_t(argument.bytes.get()), argument.strides, argument.layout->item};
  }
  static Provenance::Elements inPlace(const ServedArgument &argument) {
    return {uintptr_t(argument.layout->origin), argument.layout->strides, argument.layout->item};
  }

  int candidate, judge;
  nb::object handler;
  const machine::Platform *locked = nullptr;
  bool closed = false;
  std::vector<std::shared_ptr<ServedKernel>> kernels;
  llvm::StringMap<int64_t> numbers;
  std::set<uintptr_t> lent; // to the candidate, who frees them
  Provenance provenance;
  std::map<std::pair<int64_t, size_t>, std::vector<int64_t>> given; // by kernel and parameter; of kernel -1 the kernels
  std::map<std::pair<int64_t, size_t>, uintptr_t> firstPlaces;
  std::set<int64_t> launchedKernels;
  std::vector<std::string> stopped; // why launches of the call were
};

} // namespace

void registerDeviceServer(nb::module_ &module) {
  nb::class_<DeviceServer>(module, "DeviceServer")
      .def(nb::init<int, int, nb::object>(), nb::arg("candidate"), nb::arg("judge"), nb::arg("handler"))
      .def("serve", &DeviceServer::serve)
      .def("allocate", &DeviceServer::allocate, nb::arg("size"))
      .def("release", &DeviceServer::release, nb::arg("address"))
      .def("lock", &DeviceServer::lock, nb::arg("platform"))
      .def("begin", &DeviceServer::begin, nb::arg("evidence"))
      .def("end", &DeviceServer::end)
      .def("build", &DeviceServer::build)
      .def_prop_ro("building", &DeviceServer::isBuilding)
      .def("assign", &DeviceServer::assign, nb::arg("address"), nb::arg("shape"), nb::arg("strides"), nb::arg("item"),
           nb::arg("source"))
      .def("converted", &DeviceServer::converted, nb::arg("to"), nb::arg("to_strides"), nb::arg("to_item"),
           nb::arg("source"), nb::arg("strides"), nb::arg("item"), nb::arg("shape"), nb::arg("computes"))
      .def("moved", &DeviceServer::moved, nb::arg("to"), nb::arg("to_strides"), nb::arg("source"), nb::arg("strides"),
           nb::arg("shape"), nb::arg("item"))
      .def("sources", &DeviceServer::sourcesOf, nb::arg("address"), nb::arg("shape"), nb::arg("strides"),
           nb::arg("item"))
      .def("did", &DeviceServer::did, nb::arg("kernel"), nb::arg("reads"), nb::arg("writes"), nb::arg("tables"))
      .def("why_stopped", &DeviceServer::whyStopped)
      .def("launches", &DeviceServer::launches)
      .def("numbers_given", &DeviceServer::numbersGiven)
      .def("constants_given", &DeviceServer::constantsGiven)
      .def("looked_up_made", &DeviceServer::lookedUpMade)
      .def("about_to_change", &DeviceServer::aboutToChange, nb::arg("address"), nb::arg("size"))
      .def("about_to_launch", &DeviceServer::aboutToLaunch, nb::arg("address"), nb::arg("size"))
      .def("own_data", &DeviceServer::ownData)
      .def("holds", &DeviceServer::holds, nb::arg("address"), nb::arg("size"));
}

} // namespace tilesmith::python
