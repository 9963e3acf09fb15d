#include "Arguments.h"
#include <bit>
#include <cstring>
#include <vector>

namespace nb = nanobind;

namespace tilesmith::python {

using isa::DType;

namespace {

struct DTypeName {
  DType dtype;
  const char *name;
};
constexpr DTypeName dtypeNames[] = {
    {DType::F16, "float16"}, {DType::BF16, "bfloat16"}, {DType::F32, "float32"}, {DType::I8, "int8"},
    {DType::U8, "uint8"},    {DType::I16, "int16"},     {DType::U16, "uint16"},  {DType::I32, "int32"},
    {DType::U32, "uint32"},  {DType::I64, "int64"},     {DType::U64, "uint64"},  {DType::I1, "int1"},
};

// Names looked up on every call are interned once; they live as long as the interpreter.
PyObject *interned(const char *text) { return PyUnicode_InternFromString(text); }

struct Names {
  PyObject *isCpu = interned("is_cpu"), *dtype = interned("dtype"), *isContiguous = interned("is_contiguous"),
           *dataPtr = interned("data_ptr"), *nbytes = interned("nbytes"), *dim = interned("dim"), *name = interned("name"),
           *dlpack = interned("__dlpack__"), *shape = interned("shape"), *mock = interned("__tilesmith_mock__"),
           *view = interned("view");
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

bool unsupportedDtype(PyObject *name, PyObject *dtype) {
  PyErr_Format(PyExc_TypeError,
               "argument '%U' has dtype %S, which no kernel can use; convert it to float32, float16, bfloat16 or an integer type",
               name, dtype);
  return false;
}

// The dtype of a struct-module format character, as numpy and array.array write it.
std::optional<DType> dtypeOfFormat(const char *format, Py_ssize_t itemsize) {
  if (!format)
    return DType::U8;
  if (*format == '@' || *format == '=' || *format == '<')
    ++format;
  if (!*format || format[1])
    return std::nullopt;
  auto integer = [&](bool isSigned) -> std::optional<DType> {
    switch (itemsize) {
    case 1:
      return isSigned ? DType::I8 : DType::U8;
    case 2:
      return isSigned ? DType::I16 : DType::U16;
    case 4:
      return isSigned ? DType::I32 : DType::U32;
    case 8:
      return isSigned ? DType::I64 : DType::U64;
    }
    return std::nullopt;
  };
  switch (*format) {
  case 'e':
    return DType::F16;
  case 'f':
    return DType::F32;
  case '?':
    return DType::I8;
  case 'b':
  case 'h':
  case 'i':
  case 'l':
  case 'q':
    return integer(true);
  case 'B':
  case 'c':
  case 'H':
  case 'I':
  case 'L':
  case 'Q':
    return integer(false);
  }
  return std::nullopt;
}

int64_t loadBits(const uint8_t *data, DType dtype) {
  auto as = [&]<typename T>(T value) {
    std::memcpy(&value, data, sizeof value);
    return int64_t(value);
  };
  switch (dtype) {
  case DType::I8:
    return as(int8_t{});
  case DType::U8:
    return as(uint8_t{});
  case DType::I16:
    return as(int16_t{});
  case DType::U16:
  case DType::F16:
  case DType::BF16:
    return as(uint16_t{});
  case DType::I32:
    return as(int32_t{});
  case DType::U32:
  case DType::F32:
    return as(uint32_t{});
  case DType::I64:
  case DType::U64:
    return as(int64_t{});
  case DType::I1:
    return as(uint8_t{}) & 1;
  }
  return 0;
}

void becomeScalar(Argument &out) {
  out.kind = Argument::Kind::Scalar;
  out.bits = loadBits(out.data, out.dtype);
}

bool notContiguous(PyObject *name, PyObject *value) {
  nb::object shape = nb::steal(PyObject_GetAttr(value, names().shape));
  nb::object shown = shape.is_valid() ? nb::steal(PySequence_Tuple(shape.ptr())) : nb::object();
  PyErr_Clear();
  PyErr_Format(PyExc_ValueError, "argument '%U'%s%V is not contiguous; kernels work on arrays in place, so pass a contiguous copy", name,
               shown.is_valid() ? " of shape " : "", shown.is_valid() ? nb::repr(shown).ptr() : nullptr, "");
  return false;
}

// Takes a buffer: numpy arrays and scalars, bytearray, array.array, memoryview.
bool readBuffer(PyObject *value, PyObject *name, Argument &out) {
  if (PyObject_GetBuffer(value, &out.view, PyBUF_RECORDS_RO) != 0) {
    out.view.obj = nullptr;
    return false;
  }
  const Py_buffer &view = out.view;
  std::optional<DType> dtype = dtypeOfFormat(view.format, view.itemsize);
  if (!dtype) {
    PyObject *shown = PyObject_GetAttr(value, names().dtype);
    if (!shown) {
      PyErr_Clear();
      shown = PyUnicode_FromFormat("with format '%s'", view.format);
    }
    unsupportedDtype(name, shown);
    Py_XDECREF(shown);
    return false;
  }
  if (!PyBuffer_IsContiguous(&view, 'C'))
    return notContiguous(name, value);
  out.dtype = *dtype;
  out.readOnly = view.readonly;
  out.data = static_cast<uint8_t *>(view.buf);
  out.size = view.len;
  out.kind = Argument::Kind::Array;
  return true;
}

// bfloat16 of the ml_dtypes package has no buffer format; its bytes are reached through an unsigned view.
bool readForeignNumpy(PyObject *value, PyObject *name, Argument &out) {
  nb::object dtype = nb::steal(PyObject_GetAttr(value, names().dtype));
  nb::object text = dtype.is_valid() ? nb::steal(PyObject_GetAttr(dtype.ptr(), names().name)) : nb::object();
  if (!text.is_valid())
    return false;
  if (!PyUnicode_Check(text.ptr()) || PyUnicode_CompareWithASCIIString(text.ptr(), "bfloat16") != 0)
    return unsupportedDtype(name, dtype.ptr());
  out.temporary = nb::steal(PyObject_CallMethod(value, "view", "s", "uint16"));
  if (!out.temporary.is_valid() || !readBuffer(out.temporary.ptr(), name, out))
    return false;
  out.dtype = DType::BF16;
  return true;
}

struct TorchDType {
  PyObject *object;
  DType dtype;
};
const std::vector<TorchDType> &torchDTypes() {
  static const std::vector<TorchDType> table = [] {
    std::vector<TorchDType> result;
    PyObject *torch = PyDict_GetItemString(PyImport_GetModuleDict(), "torch");
    auto add = [&](const char *name, DType dtype) {
      if (PyObject *object = torch ? PyObject_GetAttrString(torch, name) : nullptr)
        result.push_back({object, dtype});
      else
        PyErr_Clear();
    };
    for (const DTypeName &entry : dtypeNames)
      if (entry.dtype != DType::I1)
        add(entry.name, entry.dtype);
    add("bool", DType::I8);
    return result;
  }();
  return table;
}

nb::object call(PyObject *self, PyObject *method) {
  return nb::steal(PyObject_VectorcallMethod(method, &self, 1 | PY_VECTORCALL_ARGUMENTS_OFFSET, nullptr));
}

bool readTorch(PyObject *value, PyObject *name, Argument &out) {
  const Names &n = names();
  nb::object isCpu = nb::steal(PyObject_GetAttr(value, n.isCpu));
  if (!isCpu.is_valid())
    return false;
  if (isCpu.ptr() != Py_True) {
    PyErr_Format(PyExc_ValueError, "argument '%U' is not in host memory; move it with .cpu()", name);
    return false;
  }
  nb::object dtype = nb::steal(PyObject_GetAttr(value, n.dtype));
  if (!dtype.is_valid())
    return false;
  const TorchDType *known = nullptr;
  for (const TorchDType &entry : torchDTypes())
    if (entry.object == dtype.ptr())
      known = &entry;
  if (!known)
    return unsupportedDtype(name, dtype.ptr());
  nb::object contiguous = call(value, n.isContiguous);
  if (!contiguous.is_valid())
    return false;
  if (contiguous.ptr() != Py_True)
    return notContiguous(name, value);
  nb::object pointer = call(value, n.dataPtr), size = nb::steal(PyObject_GetAttr(value, n.nbytes));
  if (!pointer.is_valid() || !size.is_valid())
    return false;
  out.dtype = known->dtype;
  out.data = static_cast<uint8_t *>(PyLong_AsVoidPtr(pointer.ptr()));
  out.size = PyLong_AsLongLong(size.ptr());
  if (PyErr_Occurred())
    return false;
  out.kind = Argument::Kind::Array;
  if (out.size == int64_t(isa::sizeOf(out.dtype))) {
    nb::object dim = call(value, n.dim);
    if (!dim.is_valid())
      return false;
    if (PyLong_AsLong(dim.ptr()) == 0)
      becomeScalar(out);
  }
  return true;
}

// Anything else that speaks DLPack.
bool readDlpack(PyObject *value, PyObject *name, Argument &out) {
  nb::ndarray<> array;
  if (!nb::try_cast(nb::handle(value), array)) {
    PyErr_Clear();
    PyErr_Format(PyExc_TypeError, "argument '%U' of type %s cannot be read through DLPack in host memory", name,
                 Py_TYPE(value)->tp_name);
    return false;
  }
  if (array.device_type() != nb::device::cpu::value) {
    PyErr_Format(PyExc_ValueError, "argument '%U' is not in host memory", name);
    return false;
  }
  nb::dlpack::dtype dtype = array.dtype();
  auto matches = [&](nb::dlpack::dtype_code code, unsigned bits) {
    return dtype.code == uint8_t(code) && dtype.bits == bits && dtype.lanes == 1;
  };
  std::optional<DType> known;
  using Code = nb::dlpack::dtype_code;
  for (DType candidate : {DType::I8, DType::I16, DType::I32, DType::I64})
    if (matches(Code::Int, isa::sizeOf(candidate) * 8))
      known = candidate;
  for (DType candidate : {DType::U8, DType::U16, DType::U32, DType::U64})
    if (matches(Code::UInt, isa::sizeOf(candidate) * 8))
      known = candidate;
  if (matches(Code::Float, 16))
    known = DType::F16;
  if (matches(Code::Float, 32))
    known = DType::F32;
  if (matches(Code::Bfloat, 16))
    known = DType::BF16;
  if (matches(Code::Bool, 8))
    known = DType::I8;
  if (!known) {
    nb::object shown = nb::steal(PyUnicode_FromFormat("(DLPack code %d, %d bits)", dtype.code, dtype.bits));
    return unsupportedDtype(name, shown.ptr());
  }
  int64_t expected = 1;
  for (size_t axis = array.ndim(); axis-- > 0;) {
    if (array.shape(axis) != 1 && array.stride(axis) != expected)
      return notContiguous(name, value);
    expected *= int64_t(array.shape(axis));
  }
  out.dtype = *known;
  out.data = static_cast<uint8_t *>(array.data());
  out.size = int64_t(array.nbytes());
  out.kind = Argument::Kind::Array;
  out.owner.emplace(std::move(array));
  return true;
}

bool readInt(PyObject *value, PyObject *name, Argument &out) {
  int overflow = 0;
  long long number = PyLong_AsLongLongAndOverflow(value, &overflow);
  if (overflow || number != int32_t(number)) {
    PyErr_Format(PyExc_ValueError, "argument '%U' = %S does not fit into int32, which a Python int becomes; pass numpy.int64 for a wider one",
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

} // namespace

const char *dtypeName(DType dtype) {
  for (const DTypeName &entry : dtypeNames)
    if (entry.dtype == dtype)
      return entry.name;
  return "void";
}

std::optional<DType> dtypeOfName(std::string_view name) {
  for (const DTypeName &entry : dtypeNames)
    if (name == entry.name)
      return entry.dtype;
  return std::nullopt;
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
  bool found = false;
  if (!readMock(value, out, found) || found)
    return found && !PyErr_Occurred();
  if (PyObject_CheckBuffer(value) && !PyBytes_Check(value))
    return readBuffer(value, name, out);
  if (PyObject_HasAttr(value, names().dlpack))
    return readDlpack(value, name, out);
  PyErr_Format(PyExc_TypeError, "Argument type in JIT function is not supported: %s", Py_TYPE(value)->tp_name);
  return false;
}

} // namespace tilesmith::python
