#include "Gathered.h"

namespace nb = nanobind;

namespace tilesmith::python {
namespace {

nb::object tupleOf(const std::vector<int64_t> &numbers) {
  nb::list items;
  for (int64_t number : numbers)
    items.append(number);
  return nb::steal(PySequence_Tuple(items.ptr()));
}

bool refuseOverlapping(const Binding &binding, size_t parameter) {
  const Argument &argument = binding.arguments[parameter];
  PyErr_Format(
      PyExc_ValueError,
      "elements of argument '%U' (shape %R, strides %R) share memory, but the kernel '%s' writes to it; pass a copy",
      binding.kernel.parameters[parameter].name, tupleOf(argument.layout->shape).ptr(),
      tupleOf(argument.layout->strides).ptr(), binding.kernel.name.c_str());
  return false;
}

bool refuseSharing(const Binding &binding, size_t strided, size_t other) {
  PyErr_Format(PyExc_ValueError,
               "arguments '%U' and '%U' share memory, '%U' is not contiguous, and the kernel '%s' writes to one of "
               "them; pass a copy",
               binding.kernel.parameters[std::min(strided, other)].name,
               binding.kernel.parameters[std::max(strided, other)].name, binding.kernel.parameters[strided].name,
               binding.kernel.name.c_str());
  return false;
}

} // namespace

bool Gathered::plan(const Binding &binding, const Specialisation &specialisation) {
  if (!binding.hasLayouts)
    return true;
  size_t count = binding.values.size();
  copyOf.assign(count, -1);
  for (size_t i = 0; i < count; ++i) {
    const Argument &argument = binding.arguments[i];
    if (!argument.layout)
      continue;
    bool written = isWritten(binding, specialisation, i);
    if (written && argument.layout->overlapsItself())
      return refuseOverlapping(binding, i);
    for (size_t j = 0; j < count; ++j) {
      const Argument &other = binding.arguments[j];
      if (j == i || other.kind != Argument::Kind::Array || !other.data ||
          !(written || isWritten(binding, specialisation, j)))
        continue;
      if (other.layout && *other.layout == *argument.layout) {
        if (j < i)
          copyOf[i] = copyOf[j];
      } else if (argument.layout->overlaps(other.layout ? *other.layout : Layout::contiguous(other.data, other.size))) {
        return refuseSharing(binding, i, j);
      }
    }
    if (copyOf[i] < 0) {
      copyOf[i] = int(copies.size());
      copies.push_back({argument.layout.get(), argument.size, false, nullptr});
    }
    copies[size_t(copyOf[i])].written |= written;
  }
  return true;
}

void Gathered::gather() {
  for (Copy &copy : copies) {
    copy.bytes = std::make_unique_for_overwrite<uint8_t[]>(size_t(copy.size));
    copy.layout->gather(copy.bytes.get());
  }
}

void Gathered::scatter() const {
  for (const Copy &copy : copies)
    if (copy.written)
      copy.layout->scatter(copy.bytes.get());
}

uint8_t *Gathered::dataOf(const Binding &binding, size_t parameter) const {
  int copy = copyOf.empty() ? -1 : copyOf[parameter];
  return copy < 0 ? binding.arguments[parameter].data : copies[size_t(copy)].bytes.get();
}

} // namespace tilesmith::python
