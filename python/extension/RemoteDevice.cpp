#include "RemoteDevice.h"
#include "tilesmith/Runtime/DeviceHeap.h"
#include <deque>
#include <nanobind/stl/string.h>
#include <unistd.h>

namespace nb = nanobind;

namespace tilesmith::python {
namespace {

using runtime::DeviceCall;
using runtime::DeviceLink;
using runtime::Packet;

DeviceLink *link = nullptr;
pid_t owner = 0;

Packet begin(DeviceCall call) { return Packet().put(int64_t(call)); }

// The exception the device had, which it names in full.
void raise(const DeviceLink::Failure &failure) {
  size_t dot = failure.exception.rfind('.');
  nb::object type;
  if (dot != std::string::npos) {
    nb::object module = nb::steal(PyImport_ImportModule(failure.exception.substr(0, dot).c_str()));
    if (module.is_valid())
      type = nb::steal(PyObject_GetAttrString(module.ptr(), failure.exception.c_str() + dot + 1));
    PyErr_Clear();
  }
  if (!type.is_valid() || !PyExceptionClass_Check(type.ptr()))
    type = nb::borrow(failure.exception == "ConnectionError" ? PyExc_ConnectionError : PyExc_RuntimeError);
  nb::object text = nb::steal(PyUnicode_DecodeUTF8(failure.text.data(), Py_ssize_t(failure.text.size()), "replace"));
  if (text.is_valid())
    PyErr_SetObject(type.ptr(), text.ptr());
}

// With Python's lock held; nothing with a Python exception set.
std::optional<Packet> ask(const Packet &call) {
  if (getpid() != owner) {
    PyErr_SetString(PyExc_RuntimeError, "a forked process cannot use the device of its parent");
    return std::nullopt;
  }
  DeviceLink::Failure failure;
  std::optional<Packet> answer;
  Py_BEGIN_ALLOW_THREADS;
  answer = link->ask(call, failure);
  Py_END_ALLOW_THREADS;
  if (!answer)
    raise(failure);
  return answer;
}

bool makeKnown(const Binding &binding, Specialisation &specialisation) {
  if (specialisation.number >= 0)
    return true;
  const KernelOptions &options = binding.kernel.options;
  Packet call = begin(DeviceCall::Kernel);
  call.put(std::string_view(settings().platform->name)).put(int64_t(options.optLevel));
  call.put(options.kernelType ? int64_t(*options.kernelType) : -1).put(int64_t(binding.kernel.argumentNames.size()));
  for (size_t i = 0; i < binding.values.size(); ++i)
    if (!binding.kernel.parameters[i].isConstExpr)
      call.put(binding.kernel.parameters[i].text);
  call.put(specialisation.isaIr);
  std::optional<Packet> answer = ask(call);
  if (!answer)
    return false;
  specialisation.number = answer->number();
  specialisation.isaIr = {};
  return true;
}

bool isInHeap(const uint8_t *data) {
  auto from = int64_t(uintptr_t(data)) - machine::firstHeapAddress;
  return from >= 0 && from < machine::mostHeaps * machine::heapBytes;
}

// Memory of the host, handed over for one launch, which may only read it.
class Lent {
public:
  ~Lent() {
    if (block)
      releaseRemotely(block);
  }
  bool copy(const Binding &binding, size_t parameter) {
    const Argument &argument = binding.arguments[parameter];
    block = allocateRemotely(argument.size, 0);
    if (!block) {
      if (!PyErr_Occurred())
        PyErr_NoMemory();
      return false;
    }
    nb::object remote = nb::module_::import_("tilesmith.npu.remote");
    try {
      remote.attr("lend")(uintptr_t(block), uintptr_t(argument.data), argument.size);
    } catch (nb::python_error &error) {
      error.restore();
      return false;
    }
    return true;
  }
  uint8_t *block = nullptr;
};

bool refuseHost(const Binding &binding, size_t parameter) {
  PyErr_Format(PyExc_ValueError,
               "argument '%U' is in the host's memory, and the kernel '%s' writes to it: in a judged call results are "
               "on the device only\nhelp: allocate it by torch.empty or numpy.empty in the call",
               binding.kernel.parameters[parameter].name, binding.kernel.name.c_str());
  return false;
}

} // namespace

DeviceLink *remoteDevice() { return link; }

uint8_t *allocateRemotely(int64_t bytes, int64_t device) {
  std::optional<Packet> answer = ask(begin(DeviceCall::Allocate).put(bytes).put(device));
  return answer ? reinterpret_cast<uint8_t *>(uintptr_t(answer->number())) : nullptr;
}

void releaseRemotely(const uint8_t *block) {
  if (getpid() == owner)
    link->tell(begin(DeviceCall::Release).put(int64_t(uintptr_t(block))));
}

bool launchRemotely(Binding &binding, int64_t blocks, Specialisation &specialisation) {
  if (!makeKnown(binding, specialisation))
    return false;
  std::deque<Lent> lent;
  Packet call = begin(DeviceCall::Launch).put(specialisation.number).put(blocks);
  for (size_t i = 0; i < binding.values.size(); ++i) {
    if (binding.isConstant(i))
      continue;
    const Argument &argument = binding.arguments[i];
    if (argument.kind != Argument::Kind::Array) {
      call.put(0).put(argument.bits);
      continue;
    }
    bool written = isWritten(binding, specialisation, i);
    if (!argument.size) {
      call.put(1).put(0).put(0).put(written);
      continue;
    }
    uint8_t *data = argument.data;
    if (!isInHeap(data)) {
      if (written)
        return refuseHost(binding, i);
      if (argument.layout) {
        PyErr_Format(PyExc_ValueError, "argument '%U' is in the host's memory and not contiguous; pass a copy",
                     binding.kernel.parameters[i].name);
        return false;
      }
      if (!lent.emplace_back().copy(binding, i))
        return false;
      data = lent.back().block;
    }
    if (!argument.layout) {
      call.put(1).put(int64_t(uintptr_t(data))).put(argument.size).put(written);
      continue;
    }
    const runtime::Layout &layout = *argument.layout;
    call.put(2).put(int64_t(uintptr_t(layout.origin))).put(layout.item).put(written).put(int64_t(layout.shape.size()));
    for (size_t axis = 0; axis < layout.shape.size(); ++axis)
      call.put(layout.shape[axis]).put(layout.strides[axis]);
  }
  return ask(call).has_value();
}

void registerRemoteDevice(nb::module_ &module) {
  module.def(
      "give_device_away",
      [](int connection) {
        if (link)
          throw std::runtime_error("the device of this process is in another one already");
        link = new DeviceLink(connection);
        owner = getpid();
        runtime::Specialiser::onlyIr();
      },
      nb::arg("connection"), "From now on the device is in the process at the other end of this connection, for good.");
  module.def("device_is_remote", [] { return link != nullptr; }, "Whether another process has the device.");
  module.def(
      "ask_device",
      [](nb::bytes text) {
        if (!link)
          throw std::runtime_error("the device is in this process");
        std::optional<Packet> answer =
            ask(begin(DeviceCall::Other).put(std::string_view(static_cast<const char *>(text.data()), text.size())));
        if (!answer)
          throw nb::python_error();
        std::string_view told = answer->text();
        return nb::bytes(told.data(), told.size());
      },
      nb::arg("text"), "What the process that has the device answers to this.");
}

} // namespace tilesmith::python
