// `tilesmith lint`: rules about one file, and what it holds.
#include "Ast.h"
#include "Lint.h"

#include "tilesmith/Lint/KernelRule.h"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

namespace nb = nanobind;

namespace tilesmith::python {

namespace {

using Strings = std::vector<std::string>;

std::pair<std::string, std::string> lintSource(nb::bytes text, const std::string &name, const std::string &role,
                                               unsigned stage, const std::string &profile, bool portable,
                                               const Strings &enable, const Strings &disable, const Strings &only,
                                               const std::string &exports, bool describe) {
  ast::SourceFile source{name, 1, std::string(text.c_str(), text.size())};
  lint::KernelLintOptions options;
  std::optional<lint::Role> parsed = lint::parseRole(role);
  if (!parsed)
    throw nb::value_error(("unknown role '" + role + "'").c_str());
  options.role = *parsed;
  options.stage = stage;
  options.isCompat = profile == "compat";
  options.isLatest = profile == "latest";
  options.isPortable = portable;
  options.on = enable;
  options.off = disable;
  options.only = only;
  options.exports = exports;
  std::unique_ptr<ast::Tree> tree = parseModule(source);
  nb::gil_scoped_release released;
  lint::KernelFile file(*tree, source);
  return {lint::toJson(lint::lintKernels(file, options)), describe ? lint::describeFile(file) : ""};
}

} // namespace

void registerKernelLint(nb::module_ &module) {
  module.def(
      "lint_source", &lintSource, nb::arg("text"), nb::arg("name"), nb::arg("role"), nb::arg("stage"),
      nb::arg("profile"), nb::arg("portable"), nb::arg("enable"), nb::arg("disable"), nb::arg("only"),
      nb::arg("exports"), nb::arg("describe"),
      "Rules about kernels on one file, given as UTF-8: (findings as a JSON array, what the file holds as a JSON "
      "object). SyntaxError for what does not parse.");
  module.def("lint_rules", &lint::describeKernelRules,
             "The rules about kernels and their documentation, as a JSON array.");
}

} // namespace tilesmith::python
