#include "ArrayArguments.h"
#include "RemoteDevice.h"
#include "tilesmith/Machine/Launch.h"
#include <vector>

namespace nb = nanobind;

namespace tilesmith::python {

using isa::DType;

namespace {

struct Names {
  PyObject *isCpu = interned("is_cpu"), *dtype = interned("dtype"), *isContiguous = interned("is_contiguous"),
           *dataPtr = interned("data_ptr"), *nbytes = interned("nbytes"), *dim = interned("dim"),
           *isNpu = interned("is_npu"), *name = interned("name"), *shape = interned("shape");
};
const Names &names() {
  static const Names value;
  return value;
}

bool unsupportedDtype(PyObject *name, PyObject *dtype) {
  PyErr_Format(PyExc_TypeError,
               "argument '%U' has dtype %S, which no kernel can use; convert it to float32, float16, bfloat16 or an "
               "integer type\nhelp: %U.astype(numpy.float32), or %U.float() of a torch tensor",
               name, dtype, name, name);
  return false;
}

bool otherByteOrder(PyObject *name, PyObject *value) {
  nb::object dtype = nb::steal(PyObject_GetAttr(value, names().dtype));
  PyErr_Clear();
  PyErr_Format(
      PyExc_TypeError,
      "argument '%U' has dtype %S, in the byte order of another machine; pass x.astype(x.dtype.newbyteorder('='))",
      name, dtype.is_valid() ? dtype.ptr() : Py_None);
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

} // namespace

// Takes a buffer: numpy arrays and scalars, bytearray, array.array, memoryview.
bool readBuffer(PyObject *value, PyObject *name, Argument &out) {
  if (PyObject_GetBuffer(value, &out.view, PyBUF_RECORDS_RO) != 0) {
    out.view.obj = nullptr;
    return false;
  }
  const Py_buffer &view = out.view;
  std::optional<DType> dtype = dtypeOfFormat(view.format, view.itemsize);
  if (!dtype) {
    if (view.format && (*view.format == '>' || *view.format == '!') && dtypeOfFormat(view.format + 1, view.itemsize))
      return otherByteOrder(name, value);
    PyObject *shown = PyObject_GetAttr(value, names().dtype);
    if (!shown) {
      PyErr_Clear();
      shown = PyUnicode_FromFormat("with format '%s'", view.format);
    }
    unsupportedDtype(name, shown);
    Py_XDECREF(shown);
    return false;
  }
  if (!PyBuffer_IsContiguous(&view, 'C')) {
    out.layout = std::make_unique<Layout>(Layout{static_cast<uint8_t *>(view.buf), view.itemsize, {}, {}});
    out.layout->shape.assign(view.shape, view.shape + view.ndim);
    out.layout->strides.assign(view.strides, view.strides + view.ndim);
  }
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

namespace {

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
    for (unsigned i = 0; i < isa::numDType; ++i)
      if (isa::infoOf(DType(i)).use == isa::DTypeUse::Tiles && DType(i) != DType::I1)
        add(dtypeName(DType(i)), DType(i));
    add("bool", DType::I8);
    return result;
  }();
  return table;
}

// Memory that tilesmith.npu gave.
bool isInHeap(const uint8_t *data) {
  auto from = int64_t(uintptr_t(data)) - machine::firstHeapAddress;
  return from >= 0 && from < machine::mostHeaps * machine::heapBytes;
}

nb::object call(PyObject *self, PyObject *method) {
  return nb::steal(PyObject_VectorcallMethod(method, &self, 1 | PY_VECTORCALL_ARGUMENTS_OFFSET, nullptr));
}

// Sizes and strides of a tensor that is not contiguous.
bool readTorchLayout(PyObject *value, PyObject *name, Argument &out) {
  nb::object negated = nb::steal(PyObject_CallMethod(value, "is_neg", nullptr));
  if (!negated.is_valid())
    return false;
  if (negated.ptr() == Py_True) {
    PyErr_Format(PyExc_ValueError,
                 "argument '%U' is a view that negates its elements when it is read; pass it through .resolve_neg()",
                 name);
    return false;
  }
  nb::object shape = nb::steal(PyObject_GetAttr(value, names().shape)),
             strides = nb::steal(PyObject_CallMethod(value, "stride", nullptr));
  if (!shape.is_valid() || !strides.is_valid())
    return false;
  int64_t item = isa::sizeOf(out.dtype);
  out.layout = std::make_unique<Layout>(Layout{out.data, item, {}, {}});
  for (nb::handle size : shape)
    out.layout->shape.push_back(nb::cast<int64_t>(size));
  for (nb::handle stride : strides)
    out.layout->strides.push_back(nb::cast<int64_t>(stride) * item);
  return true;
}

} // namespace

bool readTorch(PyObject *value, PyObject *name, Argument &out) {
  const Names &n = names();
  nb::object isCpu = nb::steal(PyObject_GetAttr(value, n.isCpu));
  if (!isCpu.is_valid())
    return false;
  nb::object isNpu; // only tensors of tilesmith.npu have it
  if (isCpu.ptr() != Py_True) {
    isNpu = nb::steal(PyObject_GetAttr(value, n.isNpu));
    PyErr_Clear();
  }
  bool onDevice = isNpu.is_valid() && isNpu.ptr() == Py_True;
  if (isCpu.ptr() != Py_True && !onDevice) {
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
  nb::object pointer = call(value, n.dataPtr), size = nb::steal(PyObject_GetAttr(value, n.nbytes));
  if (!pointer.is_valid() || !size.is_valid())
    return false;
  out.dtype = known->dtype;
  out.data = static_cast<uint8_t *>(PyLong_AsVoidPtr(pointer.ptr()));
  out.size = PyLong_AsLongLong(size.ptr());
  if (PyErr_Occurred())
    return false;
  if (onDevice && out.size && !isInHeap(out.data)) {
    PyErr_Format(PyExc_ValueError, "argument '%U' is in the memory of another device, not in the model's", name);
    return false;
  }
  out.kind = Argument::Kind::Array;
  if (contiguous.ptr() != Py_True)
    return readTorchLayout(value, name, out);
  if (out.size == int64_t(isa::sizeOf(out.dtype))) {
    nb::object dim = call(value, n.dim);
    if (!dim.is_valid())
      return false;
    if (PyLong_AsLong(dim.ptr()) == 0 && onDevice && remoteDevice()) {
      PyErr_Format(
          PyExc_ValueError,
          "argument '%U' is a number on the device, which the host cannot read in a judged call; pass it as an "
          "array of one element: %U.view(1)",
          name, name);
      return false;
    }
    if (PyLong_AsLong(dim.ptr()) == 0)
      becomeScalar(out);
  }
  return true;
}

std::vector<int64_t> shapeOf(const Argument &argument, PyObject *value) {
  if (argument.layout)
    return argument.layout->shape;
  if (argument.view.obj)
    return argument.view.shape ? std::vector<int64_t>(argument.view.shape, argument.view.shape + argument.view.ndim)
                               : std::vector<int64_t>();
  std::vector<int64_t> shape;
  if (argument.owner) {
    for (size_t axis = 0; axis < argument.owner->ndim(); ++axis)
      shape.push_back(int64_t(argument.owner->shape(axis)));
    return shape;
  }
  nb::gil_scoped_acquire lock;
  nb::object sizes = nb::steal(PyObject_GetAttr(value, names().shape));
  PyErr_Clear();
  if (sizes.is_valid())
    for (nb::handle size : sizes)
      shape.push_back(nb::cast<int64_t>(size));
  return shape;
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
  int64_t expected = 1, item = isa::sizeOf(*known);
  auto layout = std::make_unique<Layout>(Layout{static_cast<uint8_t *>(array.data()), item, {}, {}});
  bool contiguous = true;
  for (size_t axis = 0; axis < array.ndim(); ++axis) {
    layout->shape.push_back(int64_t(array.shape(axis)));
    layout->strides.push_back(array.stride(axis) * item);
  }
  for (size_t axis = array.ndim(); axis-- > 0;) {
    contiguous &= array.shape(axis) == 1 || array.stride(axis) == expected;
    expected *= int64_t(array.shape(axis));
  }
  if (!contiguous && expected)
    out.layout = std::move(layout);
  out.dtype = *known;
  out.data = static_cast<uint8_t *>(array.data());
  out.size = int64_t(array.nbytes());
  out.kind = Argument::Kind::Array;
  out.owner.emplace(std::move(array));
  return true;
}

} // namespace tilesmith::python
