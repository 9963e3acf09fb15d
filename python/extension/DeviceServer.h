// The other side of RemoteDevice.h: a process that has the device for another one, which is not trusted.
#ifndef TILESMITH_PYTHON_DEVICESERVER_H
#define TILESMITH_PYTHON_DEVICESERVER_H

#include <nanobind/nanobind.h>

namespace tilesmith::python {

void registerDeviceServer(nanobind::module_ &module);

} // namespace tilesmith::python

#endif // TILESMITH_PYTHON_DEVICESERVER_H
