#include "DeviceHeap.h"
#include "RemoteDevice.h"
#include "Settings.h"
#include "tilesmith/Machine/Platform.h"
#include "tilesmith/Runtime/DeviceHeap.h"
#include <nanobind/ndarray.h>

namespace nb = nanobind;

namespace tilesmith::python {
namespace {

using runtime::DeviceHeap;

// Bytes in memory as DLPack has them (version 0, which torch takes from any device).
struct Bytes {
  nb::dlpack::dltensor tensor{};
  void *context = nullptr;
  void (*release)(Bytes *) = nullptr;
  // What the pointers above point to.
  int64_t size, stride = 1;

  static constexpr const char *fresh = "dltensor"; // the capsule's name until somebody takes the tensor
};
constexpr int32_t hostMemory = 1, otherDevice = 12; // kDLCPU, kDLExtDev: torch's PrivateUse1

nb::object capsuleOf(void *data, int64_t size, int32_t kind, int32_t device, void (*release)(Bytes *)) {
  auto *bytes = new Bytes;
  bytes->size = size;
  bytes->tensor.data = data;
  bytes->tensor.device = {kind, device};
  bytes->tensor.ndim = 1;
  bytes->tensor.dtype = {uint8_t(nb::dlpack::dtype_code::UInt), 8, 1};
  bytes->tensor.shape = &bytes->size;
  bytes->tensor.strides = &bytes->stride;
  bytes->release = release;
  PyObject *capsule = PyCapsule_New(bytes, Bytes::fresh, [](PyObject *self) {
    if (PyCapsule_IsValid(self, Bytes::fresh)) { // nobody took it
      auto *left = static_cast<Bytes *>(PyCapsule_GetPointer(self, Bytes::fresh));
      left->release(left);
    }
  });
  if (!capsule) {
    release(bytes);
    throw nb::python_error();
  }
  return nb::steal(capsule);
}

DeviceHeap &heapOf(int64_t device) {
  if (device < 0 || device >= int64_t(DeviceHeap::most))
    throw nb::value_error(("there is no device " + std::to_string(device)).c_str());
  return DeviceHeap::of(unsigned(device));
}

int64_t capacity() { return settings().platform->capacity[unsigned(isa::Memory::GM)]; }

uint8_t *pointerOf(uintptr_t address) { return reinterpret_cast<uint8_t *>(address); }

nb::object allocate(int64_t size, int64_t device) {
  DeviceHeap &heap = heapOf(device);
  if (remoteDevice()) {
    uint8_t *block = allocateRemotely(size, device);
    if (!block && PyErr_Occurred())
      throw nb::python_error();
    if (!block)
      return nb::none();
    return capsuleOf(block, size, otherDevice, int32_t(device), [](Bytes *bytes) {
      releaseRemotely(static_cast<uint8_t *>(bytes->tensor.data));
      delete bytes;
    });
  }
  if (DeviceHeap::forked())
    throw std::runtime_error("a forked process cannot use the device of its parent; start it with the method 'spawn'");
  uint8_t *block = heap.allocate(size, capacity());
  if (!block)
    return nb::none();
  return capsuleOf(block, size, otherDevice, int32_t(device), [](Bytes *bytes) {
    DeviceHeap::of(unsigned(bytes->tensor.device.device_id)).release(static_cast<uint8_t *>(bytes->tensor.data));
    delete bytes;
  });
}

nb::dict statistics(int64_t device) {
  DeviceHeap::Statistics now = heapOf(device).statistics();
  nb::dict result;
  result["allocated"] = now.allocated;
  result["allocated_peak"] = now.allocatedPeak;
  result["reserved"] = now.reserved;
  result["reserved_peak"] = now.reservedPeak;
  result["allocations"] = now.allocations;
  result["releases"] = now.releases;
  result["active"] = now.active;
  result["segments"] = now.segments;
  result["retries"] = now.retries;
  result["refused"] = now.refused;
  result["capacity"] = capacity();
  return result;
}

} // namespace

void registerDeviceHeap(nb::module_ &module) {
  module.attr("heap_devices") = int(DeviceHeap::most);
  module.def("heap_allocate", &allocate, nb::arg("size"), nb::arg("device"),
             "New memory of a device as a DLPack capsule of bytes; None if there is no room.");
  module.def(
      "heap_bytes",
      [](uintptr_t address, int64_t size, int64_t device) {
        return capsuleOf(pointerOf(address), size, otherDevice, int32_t(device), [](Bytes *bytes) { delete bytes; });
      },
      nb::arg("address"), nb::arg("size"), nb::arg("device"),
      "Memory of a device that somebody else keeps, as a DLPack capsule of bytes.");
  module.def(
      "host_bytes",
      [](uintptr_t address, int64_t size) {
        if (remoteDevice() && uintptr_t(machine::firstHeapAddress) <= address &&
            address - uintptr_t(machine::firstHeapAddress) < uintptr_t(machine::mostHeaps * machine::heapBytes))
          throw std::runtime_error("the bytes of the device are in another process");
        return capsuleOf(pointerOf(address), size, hostMemory, 0, [](Bytes *bytes) { delete bytes; });
      },
      nb::arg("address"), nb::arg("size"),
      "Memory as a DLPack capsule of the host's bytes. Who calls keeps the memory alive.");
  module.def("heap_statistics", &statistics, nb::arg("device"), "Bytes and numbers of a device's memory.");
  module.def(
      "heap_reset_peaks", [](int64_t device) { heapOf(device).resetPeaks(); }, nb::arg("device"),
      "The highest figures of the statistics become the current ones.");
  module.def(
      "heap_give_back", [](int64_t device) { return heapOf(device).giveBack(); }, nb::arg("device"),
      "Gives memory that nothing uses back to the host; its bytes.");
  module.def(
      "heap_poison",
      [](bool on) {
        for (unsigned device = 0; device < DeviceHeap::most; ++device)
          DeviceHeap::of(device).setPoison(on);
      },
      nb::arg("on"), "Whether new memory is filled with NaN.");
  module.def(
      "heap_block",
      [](uintptr_t address, int64_t device) -> nb::object {
        std::optional<DeviceHeap::Extent> block = heapOf(device).blockOf(pointerOf(address));
        if (!block)
          return nb::none();
        return nb::make_tuple(uintptr_t(block->begin), block->bytes);
      },
      nb::arg("address"), nb::arg("device"), "(address, bytes) of the block an address is in, or None.");
  module.def(
      "heap_segment",
      [](uintptr_t address) -> nb::object {
        for (unsigned device = 0; device < DeviceHeap::most; ++device)
          if (std::optional<DeviceHeap::SegmentFile> segment = DeviceHeap::of(device).segmentOf(pointerOf(address)))
            return nb::make_tuple(segment->id * DeviceHeap::most + device, uintptr_t(segment->begin), segment->size,
                                  segment->file);
        return nb::none();
      },
      nb::arg("address"),
      "The segment an address of a device is in: (number, address, bytes, file descriptor); None if it is in none.");
}

} // namespace tilesmith::python
