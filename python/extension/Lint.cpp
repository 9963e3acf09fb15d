#include "Lint.h"
#include "Ast.h"

#include "tilesmith/Frontend/Diagnostic.h"
#include "tilesmith/Lint/Validate.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

namespace nb = nanobind;

namespace tilesmith::python {

namespace {

std::string textOf(nb::handle object) {
  nb::object text = nb::steal(PyObject_Str(object.ptr()));
  nb::object bytes =
      text.is_valid() ? nb::steal(PyUnicode_AsEncodedString(text.ptr(), "utf-8", "replace")) : nb::object();
  if (!bytes.is_valid())
    throw nb::python_error();
  return std::string(PyBytes_AS_STRING(bytes.ptr()), PyBytes_GET_SIZE(bytes.ptr()));
}

unsigned numberOf(nb::handle object, const char *name) {
  nb::object value = nb::getattr(object, name, nb::none());
  long number = PyLong_Check(value.ptr()) ? PyLong_AsLong(value.ptr()) : 0;
  PyErr_Clear();
  return number > 0 ? unsigned(std::min(number, 1L << 30)) : 0;
}

// What CPython says about a file it cannot parse. Its columns count characters, ours bytes.
lint::Report refuseFor(nb::python_error &error, const ast::SourceFile &source) {
  nb::handle value = error.value();
  ast::Range range;
  std::string message;
  if (error.matches(PyExc_SyntaxError)) {
    message = textOf(nb::getattr(value, "msg", nb::str("invalid syntax")));
    range.line = numberOf(value, "lineno");
    llvm::StringRef line = source.getLine(range.line);
    for (unsigned character = numberOf(value, "offset"); character > 1 && range.column < line.size(); --character)
      do
        ++range.column;
      while (range.column < line.size() && (line[range.column] & 0xC0) == 0x80);
    range.endLine = range.line;
    range.endColumn = range.column;
    message = "the file does not parse: " + message;
    if (range.line)
      message += " (line " + std::to_string(range.line) + ")";
  } else if (error.matches(PyExc_RecursionError) || error.matches(PyExc_MemoryError)) {
    message = "the file does not parse: it is nested too deep";
  } else if (error.matches(PyExc_ValueError) || error.matches(PyExc_OverflowError)) {
    message = "the file does not parse: " + textOf(value);
  } else {
    throw;
  }
  return lint::refuse(message, range);
}

std::string render(const lint::Report &report, const ast::SourceFile &source) {
  std::string text;
  auto add = [&](const std::string &message, const ast::Range &range, const std::string &help) {
    frontend::Diagnostic diagnostic;
    diagnostic.message = message;
    diagnostic.range = range;
    diagnostic.file = &source;
    diagnostic.help = help;
    std::string one = diagnostic.render();
    text += (range.line ? "" : source.name + ": ") + one + "\n";
  };
  for (const lint::Check *check : {&report.kernelExists, &report.kernelCalled})
    if (!check->error.empty()) {
      ast::Range head = check->range; // the first line of a class, not the whole of it
      if (head.endLine != head.line) {
        head.endLine = head.line;
        head.endColumn = source.getLine(head.line).size();
      }
      add("type " + std::to_string(report.regressionType) + ": " + check->error, head, report.suggestion());
    }
  for (const lint::Finding &violation : report.violations)
    add("type 3: " + violation.call + ": " + violation.reason + " [" + violation.rule->id.str() + "]", violation.range,
        &violation == &report.violations.back() ? report.suggestion() : "");
  for (const lint::Finding &warning : report.warnings)
    text += source.name + ":" + std::to_string(warning.range.line) + ": warning: " + warning.call + ": " +
            warning.reason + " [" + warning.rule->id.str() + "]\n";
  return text;
}

nb::object validateSource(nb::bytes text, const std::string &name, const std::string &dsl,
                          const std::vector<std::string> &enable, const std::vector<std::string> &disable) {
  ast::SourceFile source{name, 1, std::string(text.c_str(), text.size())};
  lint::ValidateOptions options;
  if (!dsl.empty() && !(options.dsl = lint::parseDsl(dsl)))
    throw nb::value_error(("unknown DSL '" + dsl + "'; known are triton, asc2 and ascendc").c_str());
  options.on = enable;
  options.off = disable;
  lint::Report report;
  try {
    std::unique_ptr<ast::Tree> tree = parseModule(source);
    nb::gil_scoped_release released;
    report = lint::validate(*tree, source, options);
  } catch (nb::python_error &error) {
    report = refuseFor(error, source);
  }
  auto decode = [](const std::string &utf8) {
    return nb::steal<nb::str>(PyUnicode_DecodeUTF8(utf8.data(), Py_ssize_t(utf8.size()), "replace"));
  };
  return nb::make_tuple(report.isValid(), decode(report.toJson(name)), decode(render(report, source)));
}

} // namespace

void registerLint(nb::module_ &module) {
  module.def("validate_source", &validateSource, nb::arg("text"), nb::arg("name"), nb::arg("dsl"), nb::arg("enable"),
             nb::arg("disable"),
             "Static degeneration check of a candidate, given as UTF-8: (clean, report as JSON, report for people). "
             "enable, disable: ids of rules.");
  module.def("validate_rules", &lint::describeRules,
             "The rules of the check and their documentation, as a JSON array.");
}

} // namespace tilesmith::python
