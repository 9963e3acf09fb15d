#include "ArrayArguments.h"
#include <algorithm>
#include <bit>
#include <cstring>

namespace nb = nanobind;

namespace tilesmith::python {

using isa::DType;

namespace {

struct Names {
  PyObject *dlpack = interned("__dlpack__"), *mock = interned("__tilesmith_mock__"),
           *placeholder = interned("__tilesmith_placeholder__"), *tensor = interned("__tilesmith_tensor__");
};
const Names &names() {
  static const Names value;
  return value;
}

// A type of a module that is only looked at when the user has imported it.
PyTypeObject *typeOf(const char *module, const char *name) {
  PyObject *modules = PyImport_GetModuleDict();
  PyObject *found = PyDict_GetItemString(modules, module);
  if (!found)
    return nullptr;
  PyObject *type = PyObject_GetAttrString(found, name);
  if (!type)
    PyErr_Clear();
  return reinterpret_cast<PyTypeObject *>(type); // kept for good
}
PyTypeObject *lazily(PyTypeObject *&cache, const char *module, const char *name) {
  if (!cache)
    cache = typeOf(module, name);
  return cache;
}
PyTypeObject *torchTensorType() {
  static PyTypeObject *type;
  return lazily(type, "torch", "Tensor");
}
PyTypeObject *numpyGenericType() {
  static PyTypeObject *type;
  return lazily(type, "numpy", "generic");
}
PyTypeObject *numpyArrayType() {
  static PyTypeObject *type;
  return lazily(type, "numpy", "ndarray");
}

bool isInstance(PyObject *value, PyTypeObject *type) { return type && PyObject_TypeCheck(value, type); }

int64_t loadBits(const uint8_t *data, DType dtype) {
  uint64_t bits = 0;
  std::memcpy(&bits, data, std::max(isa::sizeOf(dtype), 1u));
  if (dtype == DType::I1)
    return int64_t(bits & 1);
  bool isSigned = isa::isInteger(dtype) && !isa::isUnsigned(dtype);
  unsigned unused = 64 - isa::bitsOf(dtype);
  return isSigned ? int64_t(bits << unused) >> unused : int64_t(bits);
}

bool readInt(PyObject *value, PyObject *name, Argument &out) {
  int overflow = 0;
  long long number = PyLong_AsLongLongAndOverflow(value, &overflow);
  if (overflow || number != int32_t(number)) {
    PyErr_Format(
        PyExc_OverflowError,
        "argument '%U' = %S does not fit into int32, which a Python int becomes; pass numpy.int64 for a wider one",
        name, value);
    return false;
  }
  out.dtype = DType::I32;
  out.bits = number;
  return true;
}

bool readFloat(PyObject *value, Argument &out) {
  double number = PyFloat_AsDouble(value);
  out.dtype = DType::F32;
  out.bits = std::bit_cast<uint32_t>(float(number));
  return true;
}

// asc.runtime.jit.MockTensor and MockValue: (is tensor, dtype name).
bool readMock(PyObject *value, Argument &out, bool &found) {
  nb::object mock = nb::steal(PyObject_GetAttr(value, names().mock));
  if (!mock.is_valid()) {
    PyErr_Clear();
    return true;
  }
  found = true;
  int isTensor = 0;
  const char *text = nullptr;
  if (!PyArg_ParseTuple(mock.ptr(), "ps", &isTensor, &text))
    return false;
  std::optional<DType> dtype = dtypeOfName(text);
  if (!dtype) {
    PyErr_Format(PyExc_TypeError, "no kernel can use dtype %s", text);
    return false;
  }
  out.dtype = *dtype;
  out.kind = isTensor ? Argument::Kind::Array : Argument::Kind::Scalar;
  out.mock = true;
  return true;
}

// asc.runtime.placeholder.Placeholder: (number, bytes, dtype name). Its address is where no process has memory, so that
// placeholders overlap nothing but themselves.
bool readPlaceholder(PyObject *value, PyObject *name, Argument &out, bool &found) {
  nb::object described = nb::steal(PyObject_GetAttr(value, names().placeholder));
  if (!described.is_valid()) {
    PyErr_Clear();
    return true;
  }
  found = true;
  unsigned long long address = 0;
  long long bytes = 0;
  const char *text = nullptr;
  if (!PyArg_ParseTuple(described.ptr(), "KLs", &address, &bytes, &text))
    return false;
  std::optional<DType> dtype = dtypeOfName(text);
  if (!dtype) {
    PyErr_Format(PyExc_TypeError, "argument '%U': no kernel can use dtype %s", name, text);
    return false;
  }
  out.kind = Argument::Kind::Array;
  out.dtype = *dtype;
  out.absent = true;
  out.data = reinterpret_cast<uint8_t *>(uintptr_t(address));
  out.size = bytes;
  return true;
}

} // namespace

void becomeScalar(Argument &out) {
  out.kind = Argument::Kind::Scalar;
  out.bits = loadBits(out.data, out.dtype);
}

const char *dtypeName(DType dtype) { return isa::infoOf(dtype).python.data(); } // a literal, which ends with a zero

std::optional<DType> dtypeOfName(std::string_view name) {
  std::optional<DType> dtype = isa::dtypeOfPython(name);
  return dtype && isa::infoOf(*dtype).use == isa::DTypeUse::Tiles ? dtype : std::nullopt;
}

bool readArgument(PyObject *value, PyObject *name, Argument &out) {
  if (value == Py_True || value == Py_False) {
    out.dtype = DType::I8;
    out.bits = value == Py_True;
    return true;
  }
  if (PyLong_Check(value))
    return readInt(value, name, out);
  if (PyFloat_Check(value)) // numpy.float64 is a Python float, too
    return readFloat(value, out);
  if (isInstance(value, numpyArrayType())) {
    if (readBuffer(value, name, out))
      return true;
    if (out.view.obj || !PyErr_ExceptionMatches(PyExc_ValueError)) // the buffer was given; what is in it is refused
      return false;
    PyErr_Clear();
    return readForeignNumpy(value, name, out);
  }
  if (isInstance(value, torchTensorType()))
    return readTorch(value, name, out);
  if (isInstance(value, numpyGenericType())) {
    if (!readBuffer(value, name, out)) {
      if (out.view.obj)
        return false;
      PyErr_Clear();
      if (!readForeignNumpy(value, name, out))
        return false;
    }
    becomeScalar(out);
    return true;
  }
  if (nb::object tensor = nb::steal(PyObject_GetAttr(value, names().tensor)); tensor.is_valid()) {
    out.temporary = tensor; // tilesmith.npu.remote.DeviceArray
    return readTorch(tensor.ptr(), name, out);
  }
  PyErr_Clear();
  bool found = false;
  if (!readMock(value, out, found) || found)
    return found && !PyErr_Occurred();
  if (!readPlaceholder(value, name, out, found) || found)
    return found && !PyErr_Occurred();
  if (PyObject_CheckBuffer(value) && !PyBytes_Check(value))
    return readBuffer(value, name, out);
  if (PyObject_HasAttr(value, names().dlpack))
    return readDlpack(value, name, out);
  return false;
}

} // namespace tilesmith::python
