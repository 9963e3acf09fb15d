#include "PyHostEval.h"
#include "PyTypes.h"
#include <frameobject.h>

namespace nb = nanobind;

namespace tilesmith::python {

using frontend::DType;
using frontend::HostError;
using frontend::HostRef;

static PyObject *py(const HostRef &ref) { return static_cast<PyObject *>(ref.get()); }

PyHostEval &hostEval() {
  static auto *instance = new PyHostEval; // never destroyed: references may outlive the interpreter's end
  return *instance;
}

HostRef PyHostEval::borrow(PyObject *object) {
  Py_XINCREF(object);
  return own(object);
}

// The innermost function of a traceback, unless it is ours.
static std::string placeOf(PyObject *trace) {
  std::string place;
  for (auto *entry = reinterpret_cast<PyTracebackObject *>(trace); entry; entry = entry->tb_next) {
    nb::object code = nb::steal(reinterpret_cast<PyObject *>(PyFrame_GetCode(entry->tb_frame)));
    nb::object globals = nb::steal(PyFrame_GetGlobals(entry->tb_frame));
    PyObject *module = PyDict_GetItemString(globals.ptr(), "__name__");
    const char *name = module && PyUnicode_Check(module) ? PyUnicode_AsUTF8(module) : nullptr;
    llvm::StringRef package = llvm::StringRef(name ? name : "").split('.').first;
    if (package == "asc" || package == "asc2")
      return "";
    int line = entry->tb_lineno >= 0 ? entry->tb_lineno : PyFrame_GetLineNumber(entry->tb_frame);
    place = std::string(nb::str(code.attr("co_name")).c_str()) + ", at " + nb::str(code.attr("co_filename")).c_str() +
            ":" + std::to_string(line);
  }
  return place;
}

HostError PyHostEval::takeError() {
  HostError error;
  PyObject *type = nullptr, *value = nullptr, *trace = nullptr;
  PyErr_Fetch(&type, &value, &trace);
  if (!type)
    return error;
  PyErr_NormalizeException(&type, &value, &trace);
  if (trace)
    PyException_SetTraceback(value, trace);
  error.type = llvm::StringRef(reinterpret_cast<PyTypeObject *>(type)->tp_name).rsplit('.').second.str();
  if (error.type.empty())
    error.type = reinterpret_cast<PyTypeObject *>(type)->tp_name;
  if (PyObject *text = PyObject_Str(value)) {
    const char *utf8 = PyUnicode_AsUTF8(text);
    error.message = utf8 ? utf8 : "";
    Py_DECREF(text);
  }
  error.place = placeOf(trace);
  PyErr_Clear();
  error.exception = own(value);
  Py_XDECREF(type);
  Py_XDECREF(trace);
  return error;
}

// Making values.

HostRef PyHostEval::makeNone() { return borrow(Py_None); }
HostRef PyHostEval::makeBool(bool value) { return borrow(value ? Py_True : Py_False); }
HostRef PyHostEval::makeInt(int64_t value) { return own(PyLong_FromLongLong(value)); }
HostRef PyHostEval::makeBigInt(llvm::StringRef digits) {
  return own(PyLong_FromString(digits.str().c_str(), nullptr, 0));
}
HostRef PyHostEval::makeFloat(double value) { return own(PyFloat_FromDouble(value)); }
HostRef PyHostEval::makeString(llvm::StringRef text) {
  return own(PyUnicode_DecodeUTF8(text.data(), Py_ssize_t(text.size()), "surrogatepass"));
}
HostRef PyHostEval::makeBytes(llvm::StringRef bytes) {
  return own(PyBytes_FromStringAndSize(bytes.data(), Py_ssize_t(bytes.size())));
}
HostRef PyHostEval::makeEllipsis() { return borrow(Py_Ellipsis); }

HostRef PyHostEval::makeDType(DType dtype) {
  PyObject *type = dataType();
  return type ? own(PyObject_CallFunction(type, "s", frontend::name(dtype).str().c_str())) : HostRef();
}

HostRef PyHostEval::makeSequence(llvm::ArrayRef<HostRef> items, bool isList) {
  PyObject *result = isList ? PyList_New(Py_ssize_t(items.size())) : PyTuple_New(Py_ssize_t(items.size()));
  for (size_t i = 0; result && i < items.size(); ++i) {
    PyObject *item = Py_NewRef(py(items[i]));
    if (isList)
      PyList_SET_ITEM(result, Py_ssize_t(i), item);
    else
      PyTuple_SET_ITEM(result, Py_ssize_t(i), item);
  }
  return own(result);
}

HostRef PyHostEval::makeSlice(const HostRef &lower, const HostRef &upper, const HostRef &step) {
  return own(PySlice_New(py(lower), py(upper), py(step)));
}

// Asking what a value is.

bool PyHostEval::isNone(const HostRef &object) { return py(object) == Py_None; }
// A range and an array of one dimension are as good as a tuple: they have a length and can be visited again.
bool PyHostEval::isSequence(const HostRef &object) {
  PyObject *value = py(object);
  if (PyTuple_Check(value) || PyList_Check(value) || PyRange_Check(value))
    return true;
  if (llvm::StringRef(Py_TYPE(value)->tp_name) != "numpy.ndarray")
    return false;
  nb::object rank = nb::steal(PyObject_GetAttrString(value, "ndim"));
  bool isVector = rank.is_valid() && PyLong_AsLong(rank.ptr()) == 1;
  PyErr_Clear();
  return isVector;
}
bool PyHostEval::isCallable(const HostRef &object) { return PyCallable_Check(py(object)); }

// numpy's scalars are no subclasses of Python's numbers, except float64.
static llvm::StringRef numpyScalar(PyObject *object) {
  llvm::StringRef name = Py_TYPE(object)->tp_name;
  return name.consume_front("numpy.") && name != "ndarray" ? name : llvm::StringRef();
}

std::optional<bool> PyHostEval::asBool(const HostRef &object) {
  if (PyBool_Check(py(object)))
    return py(object) == Py_True;
  if (llvm::StringRef name = numpyScalar(py(object)); name == "bool_" || name == "bool")
    return PyObject_IsTrue(py(object)) == 1;
  return std::nullopt;
}

bool PyHostEval::isInt(const HostRef &object) {
  if (PyLong_Check(py(object)))
    return !PyBool_Check(py(object));
  llvm::StringRef name = numpyScalar(py(object));
  return name.starts_with("int") || name.starts_with("uint");
}

std::optional<int64_t> PyHostEval::asInt(const HostRef &object) {
  if (!isInt(object))
    return std::nullopt;
  nb::object integer = nb::steal(PyNumber_Index(py(object)));
  int overflow = 0;
  long long value = integer.is_valid() ? PyLong_AsLongLongAndOverflow(integer.ptr(), &overflow) : -1;
  if (PyErr_Occurred())
    PyErr_Clear();
  return overflow || !integer.is_valid() ? std::nullopt : std::optional<int64_t>(value);
}

std::optional<double> PyHostEval::asFloat(const HostRef &object) {
  if (!PyFloat_Check(py(object)) && !numpyScalar(py(object)).starts_with("float"))
    return std::nullopt;
  double value = PyFloat_AsDouble(py(object));
  if (PyErr_Occurred()) {
    PyErr_Clear();
    return std::nullopt;
  }
  return value;
}

std::optional<std::string> PyHostEval::asString(const HostRef &object) {
  if (!object || !PyUnicode_Check(py(object)))
    return std::nullopt;
  nb::object bytes = nb::steal(PyUnicode_AsEncodedString(py(object), "utf-8", "surrogatepass"));
  if (!bytes.is_valid()) {
    PyErr_Clear();
    return std::nullopt;
  }
  return std::string(PyBytes_AS_STRING(bytes.ptr()), size_t(PyBytes_GET_SIZE(bytes.ptr())));
}

std::optional<DType> PyHostEval::asDType(const HostRef &object) {
  PyObject *type = dataType();
  if (!type || PyObject_IsInstance(py(object), type) != 1) {
    PyErr_Clear();
    return std::nullopt;
  }
  std::optional<std::string> text = asString(getAttr(object, "name"));
  PyErr_Clear();
  return text ? frontend::parseDType(*text) : std::nullopt;
}

std::string PyHostEval::repr(const HostRef &object) {
  static constexpr size_t longest = 60;
  nb::object text = nb::steal(PyObject_Repr(py(object)));
  const char *utf8 = text.is_valid() ? PyUnicode_AsUTF8(text.ptr()) : nullptr;
  if (!utf8) {
    PyErr_Clear();
    return "<" + typeName(object) + ">";
  }
  std::string result = utf8;
  if (result.size() > longest) {
    size_t end = longest - 3;
    while (end > 0 && (static_cast<unsigned char>(result[end]) & 0xC0) == 0x80)
      --end;
    result = result.substr(0, end) + "...";
  }
  return result;
}

std::string PyHostEval::typeName(const HostRef &object) {
  llvm::StringRef name = Py_TYPE(py(object))->tp_name;
  return name.substr(name.rfind('.') + 1).str();
}

// Evaluating.

HostRef PyHostEval::getAttr(const HostRef &object, llvm::StringRef name) {
  return unwrap(own(PyObject_GetAttrString(py(object), name.str().c_str())));
}

HostRef PyHostEval::getItem(const HostRef &object, const HostRef &index) {
  return own(PyObject_GetItem(py(object), py(index)));
}

HostRef PyHostEval::call(const HostRef &callee, llvm::ArrayRef<HostRef> arguments,
                         llvm::ArrayRef<std::pair<llvm::StringRef, HostRef>> keywords) {
  HostRef positional = makeSequence(arguments, false);
  nb::object named = nb::steal(keywords.empty() ? nullptr : PyDict_New());
  for (const auto &[name, value] : keywords)
    if (PyDict_SetItemString(named.ptr(), name.str().c_str(), py(value)) != 0)
      return {};
  return own(PyObject_Call(py(callee), py(positional), named.ptr()));
}

HostRef PyHostEval::binary(ast::Operator op, const HostRef &lhs, const HostRef &rhs) {
  PyObject *a = py(lhs), *b = py(rhs);
  switch (op) {
  case ast::Operator::Add:
    return own(PyNumber_Add(a, b));
  case ast::Operator::Sub:
    return own(PyNumber_Subtract(a, b));
  case ast::Operator::Mul:
    return own(PyNumber_Multiply(a, b));
  case ast::Operator::MatMul:
    return own(PyNumber_MatrixMultiply(a, b));
  case ast::Operator::Div:
    return own(PyNumber_TrueDivide(a, b));
  case ast::Operator::Mod:
    return own(PyNumber_Remainder(a, b));
  case ast::Operator::Pow:
    return own(PyNumber_Power(a, b, Py_None));
  case ast::Operator::LShift:
    return own(PyNumber_Lshift(a, b));
  case ast::Operator::RShift:
    return own(PyNumber_Rshift(a, b));
  case ast::Operator::BitOr:
    return own(PyNumber_Or(a, b));
  case ast::Operator::BitXor:
    return own(PyNumber_Xor(a, b));
  case ast::Operator::BitAnd:
    return own(PyNumber_And(a, b));
  case ast::Operator::FloorDiv:
    return own(PyNumber_FloorDivide(a, b));
  }
  return {};
}

HostRef PyHostEval::unary(ast::UnaryOperator op, const HostRef &operand) {
  switch (op) {
  case ast::UnaryOperator::Invert:
    return own(PyNumber_Invert(py(operand)));
  case ast::UnaryOperator::UAdd:
    return own(PyNumber_Positive(py(operand)));
  case ast::UnaryOperator::USub:
    return own(PyNumber_Negative(py(operand)));
  case ast::UnaryOperator::Not:
    break;
  }
  std::optional<bool> value = truth(operand);
  return value ? makeBool(!*value) : HostRef();
}

HostRef PyHostEval::compare(ast::CompareOperator op, const HostRef &lhs, const HostRef &rhs) {
  if (op == ast::CompareOperator::In || op == ast::CompareOperator::NotIn) {
    int contains = PySequence_Contains(py(rhs), py(lhs));
    return contains < 0 ? HostRef() : makeBool(contains == (op == ast::CompareOperator::In));
  }
  if (op == ast::CompareOperator::Is || op == ast::CompareOperator::IsNot)
    return makeBool((lhs == rhs) == (op == ast::CompareOperator::Is));
  static constexpr int ops[] = {Py_EQ, Py_NE, Py_LT, Py_LE, Py_GT, Py_GE};
  return own(PyObject_RichCompare(py(lhs), py(rhs), ops[unsigned(op)]));
}

std::optional<bool> PyHostEval::truth(const HostRef &object) {
  int value = PyObject_IsTrue(py(object));
  return value < 0 ? std::nullopt : std::optional<bool>(value == 1);
}

bool PyHostEval::iterate(const HostRef &object, llvm::SmallVectorImpl<HostRef> &items) {
  nb::object list = nb::steal(PySequence_List(py(object)));
  if (!list.is_valid())
    return false;
  for (nb::handle item : nb::borrow<nb::list>(list))
    items.push_back(borrow(item.ptr()));
  return true;
}

HostRef PyHostEval::format(const HostRef &object, char conversion, llvm::StringRef spec) {
  HostRef value = object;
  if (conversion == 'r')
    value = own(PyObject_Repr(py(object)));
  else if (conversion == 's')
    value = own(PyObject_Str(py(object)));
  else if (conversion == 'a')
    value = own(PyObject_ASCII(py(object)));
  HostRef text = value ? makeString(spec) : HostRef();
  return text ? own(PyObject_Format(py(value), py(text))) : HostRef();
}

bool PyHostEval::warn(llvm::StringRef message, llvm::StringRef file, unsigned line) {
  recorded.warned = true;
  return PyErr_WarnExplicit(PyExc_SyntaxWarning, message.str().c_str(), file.str().c_str(), int(line), nullptr,
                            nullptr) == 0;
}

bool PyHostEval::isInstance(const HostRef &object, const HostRef &type) {
  int result = PyObject_IsInstance(py(object), py(type));
  PyErr_Clear();
  return result == 1;
}

} // namespace tilesmith::python
