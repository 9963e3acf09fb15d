// Python types of the packages `asc` and `asc2` the extension knows: dtypes, ConstExpr, builtins, jit functions.
#ifndef TILESMITH_PYTHON_PYTYPES_H
#define TILESMITH_PYTHON_PYTYPES_H

#include <nanobind/nanobind.h>

#include <string>

namespace tilesmith::python {

// asc.DataType (borrowed); null with an error set if the package cannot be imported.
PyObject *dataType();
bool isConstExpr(PyObject *object);
// A jit function is an object with a function, its source and where it is: fn, source, filename, first_line,
// parameters.
bool isJitFunction(PyObject *object);
// What a Python function has that kernels of pypto followed: an object like a jit function (pypto._helpers).
inline constexpr const char *helperAttribute = "__tilesmith_helper__";
// Name of a builtin of the language ("asc2.load"), of a type that stands for one ("asc2.Tile"), or of a Python builtin
// that also takes runtime values ("len"); empty for anything else.
std::string nameOfBuiltin(PyObject *object);

} // namespace tilesmith::python

#endif // TILESMITH_PYTHON_PYTYPES_H
