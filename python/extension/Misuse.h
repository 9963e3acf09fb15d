// Errors of calls, worded by asc.runtime.misuse and raised here, so that a traceback ends at the user's line.
#ifndef TILESMITH_PYTHON_MISUSE_H
#define TILESMITH_PYTHON_MISUSE_H

#include <nanobind/nanobind.h>

#include <string>

namespace tilesmith::python {

// Sets a Python exception of this type with the text a function of asc.runtime.misuse gives.
template <typename... Args> void raiseMisuse(PyObject *type, const char *function, Args &&...args) {
  try {
    nanobind::object module = nanobind::module_::import_("asc.runtime.misuse");
    nanobind::object text = module.attr(function)(std::forward<Args>(args)...);
    PyErr_SetObject(type, text.ptr());
  } catch (nanobind::python_error &error) {
    error.restore();
  }
}

// A TypeError about the arguments of a call, with the kernel's parameters below it.
inline void raiseCallError(PyObject *kernel, const std::string &what) {
  raiseMisuse(PyExc_TypeError, "wrong_call", nanobind::handle(kernel), what.c_str());
}

} // namespace tilesmith::python

#endif // TILESMITH_PYTHON_MISUSE_H
