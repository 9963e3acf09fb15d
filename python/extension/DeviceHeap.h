// Memory of devices for torch: tensors as DLPack capsules, and what is asked about the heap.
#ifndef TILESMITH_PYTHON_DEVICEHEAP_H
#define TILESMITH_PYTHON_DEVICEHEAP_H

#include <nanobind/nanobind.h>

namespace tilesmith::python {

void registerDeviceHeap(nanobind::module_ &module);

} // namespace tilesmith::python

#endif // TILESMITH_PYTHON_DEVICEHEAP_H
