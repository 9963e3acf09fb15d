// Kernel arguments as Python hands them over.
//
// Arrays are numpy arrays, torch CPU tensors, and anything with the buffer protocol or DLPack. Contiguous ones are used
// in place, never copied; the elements of others are gathered before a launch and scattered after it. Scalars are
// Python numbers, numpy scalars and torch tensors without dimensions. What an object becomes is decided here and
// nowhere else (reference: the language's table of argument kinds).
#ifndef TILESMITH_PYTHON_ARGUMENTS_H
#define TILESMITH_PYTHON_ARGUMENTS_H

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include "tilesmith/Isa/Isa.h"
#include "tilesmith/Runtime/Layout.h"
#include <memory>
#include <optional>

namespace tilesmith::python {

using runtime::Extent;
using runtime::Layout;

struct Argument {
  enum class Kind : uint8_t { Array, Scalar };
  Kind kind = Kind::Scalar;
  isa::DType dtype = isa::DType::I32;
  bool constant = false; // a struct: known while compiling, though its parameter is no ConstExpr
  bool readOnly = false;
  bool mock = false;              // stands for an argument in a compilation without a launch
  bool absent = false;            // of an array: a placeholder, whose address names it and has no memory
  int64_t bits = 0;               // of a scalar: floats zero-extended, integers sign-extended
  uint8_t *data = nullptr;        // of an array: its first element
  int64_t size = 0;               // bytes of all elements
  std::unique_ptr<Layout> layout; // of an array that is not contiguous; else null

  // The memory the elements are in.
  Extent extent() const { return layout ? layout->extent() : Extent{data, data + size}; }

  Argument() = default;
  Argument(const Argument &) = delete;
  Argument &operator=(const Argument &) = delete;
  ~Argument() {
    if (view.obj)
      PyBuffer_Release(&view);
  }

  // What keeps `data` valid while the kernel runs.
  Py_buffer view = {};
  std::optional<nanobind::ndarray<>> owner;
  nanobind::object temporary;
};

// Reads the argument of this name. On failure a Python exception naming it is set; none where the value is nothing that
// kernels take, which the caller says in its own words.
bool readArgument(PyObject *value, PyObject *name, Argument &out);

// The sizes of an array argument; `value` is what it was read from. Needs no lock of Python's.
std::vector<int64_t> shapeOf(const Argument &argument, PyObject *value);

// "float16" and so on: the name a dtype has in Python, and the one of a name that arrays may have.
const char *dtypeName(isa::DType dtype);
std::optional<isa::DType> dtypeOfName(std::string_view name);

} // namespace tilesmith::python

#endif // TILESMITH_PYTHON_ARGUMENTS_H
