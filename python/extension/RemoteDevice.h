// The device, where another process has it: addresses are those of that process, and no byte of them is here.
//
// Memory, kernels and launches are asked for over one connection (Runtime/DeviceLink.h). A process that has once given
// its device away never has one of its own again.
#ifndef TILESMITH_PYTHON_REMOTEDEVICE_H
#define TILESMITH_PYTHON_REMOTEDEVICE_H

#include "Kernel.h"
#include "tilesmith/Runtime/DeviceLink.h"

namespace tilesmith::python {

// Null: the device is in this process.
runtime::DeviceLink *remoteDevice();

// Null where that device has no room, or with a Python exception set.
uint8_t *allocateRemotely(int64_t bytes, int64_t device);
void releaseRemotely(const uint8_t *block);

// Launches there. False with a Python exception set.
bool launchRemotely(Binding &binding, int64_t blocks, Specialisation &specialisation);

void registerRemoteDevice(nanobind::module_ &module);

} // namespace tilesmith::python

#endif // TILESMITH_PYTHON_REMOTEDEVICE_H
