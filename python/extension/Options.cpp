#include "Options.h"
#include "tilesmith/Support/Closest.h"
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

namespace nb = nanobind;

namespace tilesmith::python {
namespace {

bool isNames(PyObject *value) {
  if (!PyDict_Check(value))
    return false;
  for (auto [key, item] : nb::borrow<nb::dict>(value))
    if (!PyUnicode_Check(key.ptr()))
      return false;
  return true;
}

OptionValue valueOf(PyObject *value) {
  if (value == Py_None)
    return {};
  if (PyBool_Check(value))
    return OptionValue::boolean(value == Py_True);
  if (PyLong_Check(value)) {
    int overflow = 0;
    long long number = PyLong_AsLongLongAndOverflow(value, &overflow);
    return overflow ? OptionValue{OptionKind::Other} : OptionValue::integer(number);
  }
  if (PyUnicode_Check(value))
    return {OptionKind::Text};
  if (isNames(value))
    return {OptionKind::Names};
  std::string_view type = Py_TYPE(value)->tp_name; // of NumPy, which may not be there
  if (type == "numpy.bool" || type == "numpy.bool_")
    return OptionValue::boolean(PyObject_IsTrue(value) == 1);
  return {OptionKind::Other};
}

nb::object objectOf(const OptionValue &value) {
  switch (value.kind) {
  case OptionKind::Bool:
    return nb::bool_(value.number != 0);
  case OptionKind::Int:
    return nb::int_(value.number);
  case OptionKind::Text:
    return nb::str("");
  case OptionKind::Names:
    return nb::dict();
  case OptionKind::None:
  case OptionKind::Other:
    break;
  }
  return nb::none();
}

} // namespace

bool readOptions(const nb::dict &given, KernelOptions &options) {
  nb::list unknown;
  for (auto [key, value] : given)
    if (!findOption(nb::cast<std::string>(key)))
      unknown.append(key);
  if (unknown.size()) {
    unknown.attr("sort")();
    Closest close(nb::cast<std::string_view>(unknown[0]));
    for (const OptionRow &row : optionRows())
      close.add(row.name);
    std::string question = close.name().empty() ? "" : "; " + close.question();
    PyErr_Format(PyExc_RuntimeError, "unknown option: %U%s", nb::str(", ").attr("join")(unknown).ptr(),
                 question.c_str());
    return false;
  }
  for (auto [key, value] : given)
    if (std::optional<std::string> wrong = options.set(nb::cast<std::string>(key), valueOf(value.ptr()))) {
      PyErr_Format(PyExc_RuntimeError, "Please check input compile option: %s, not %R", wrong->c_str(), value.ptr());
      return false;
    }
  return true;
}

void registerOptions(nb::module_ &module) {
  module.def(
      "options",
      [] {
        static constexpr const char *groups[] = {"front end", "compiling", "launching"};
        nb::list rows;
        for (const OptionRow &row : optionRows())
          rows.append(nb::make_tuple(groups[unsigned(row.group)], std::string(row.name), row.annotation,
                                     objectOf(row.standard)));
        return rows;
      },
      "Every option: (group, name, type of its values, default).");
  module.def(
      "check_options",
      [](const nb::dict &given) {
        KernelOptions unused;
        if (!readOptions(given, unused))
          throw nb::python_error();
      },
      nb::arg("options"), "RuntimeError for what no kernel can be compiled with.");
  module.def("options_page", &optionsPage, "docs/options.md.");
  module.def(
      "closest",
      [](std::string_view wanted, const std::vector<std::string> &names) {
        Closest close(wanted);
        for (const std::string &name : names)
          close.add(name);
        return close.name();
      },
      nb::arg("wanted"), nb::arg("names"), "The name a misspelt one is closest to; empty if none is close.");
}

} // namespace tilesmith::python
