#include "Frontend.h"
#include "Ast.h"
#include "PyHostEval.h"

#include "tilesmith/Frontend/Elsewhere.h"
#include "tilesmith/Frontend/Frontend.h"

#include "llvm/Support/raw_ostream.h"
#include <nanobind/stl/string.h>

namespace nb = nanobind;

namespace tilesmith::python {

nb::object makeCodegenError(const frontend::Diagnostic &diagnostic) {
  bool unsupported = diagnostic.exception == "UnsupportedSyntaxError";
  nb::object type =
      nb::module_::import_("asc.codegen.errors").attr(unsupported ? "UnsupportedSyntaxError" : "CodegenError");
  nb::object types = nb::module_::import_("types");
  nb::object place = types.attr("SimpleNamespace")();
  place.attr("lineno") = diagnostic.range.line;
  place.attr("col_offset") = diagnostic.range.column;
  place.attr("end_lineno") = diagnostic.range.endLine;
  place.attr("end_col_offset") = diagnostic.range.endColumn;
  auto text = [](const std::string &utf8) {
    return nb::steal<nb::str>(PyUnicode_DecodeUTF8(utf8.data(), Py_ssize_t(utf8.size()), "replace"));
  };
  nb::object error = type(text(diagnostic.render()), place, text(diagnostic.file ? diagnostic.file->text : ""),
                          text(diagnostic.headline()));
  nb::object cause;
  if (diagnostic.cause) {
    cause = nb::borrow(nb::handle(static_cast<PyObject *>(diagnostic.cause.get())));
  } else {
    nb::object known = nb::getattr(nb::module_::import_("builtins"), diagnostic.exception.c_str(), nb::none());
    if (!known.is_none() && PyExceptionClass_Check(known.ptr()))
      cause = known(text(diagnostic.message));
  }
  if (cause.is_valid() && PyExceptionInstance_Check(cause.ptr())) // not its __cause__: everything would appear twice
    error.attr("exception") = cause;
  return error;
}

// Parameters are ("pointer", dtype name), ("scalar", dtype name) or ("const", value), in the order of the function's.
static nb::object lowerToTile(const std::string &source, const std::string &filename, unsigned firstLine,
                              nb::dict globals, nb::dict closure, nb::list params, bool locations) {
  ast::SourceFile file{filename, firstLine, source};
  std::unique_ptr<ast::Tree> tree = parseFunction(file);
  PyHostEval &host = hostEval();
  frontend::KernelRequest request;
  request.function = tree->function;
  request.file = &file;
  request.scope = host.borrow(nb::make_tuple(globals, closure).ptr());
  for (nb::handle item : params) {
    auto entry = nb::cast<nb::tuple>(item);
    std::string kind = nb::cast<std::string>(entry[0]);
    frontend::ParamSpec spec;
    if (kind == "const") {
      spec.kind = frontend::ParamSpec::ConstExpr;
      spec.value = host.unwrap(host.borrow(nb::object(entry[1]).ptr()));
    } else {
      spec.kind = kind == "pointer" ? frontend::ParamSpec::Pointer : frontend::ParamSpec::Scalar;
      std::optional<frontend::DType> dtype = frontend::parseDType(nb::cast<std::string>(entry[1]));
      if (!dtype)
        throw nb::value_error("unknown dtype");
      spec.dtype = *dtype;
    }
    request.params.push_back(std::move(spec));
  }
  static auto *context = new mlir::MLIRContext(mlir::MLIRContext::Threading::DISABLED);
  frontend::Diagnostic error;
  host.beginRecording();
  mlir::OwningOpRef<mlir::ModuleOp> module = frontend::lowerKernel(*context, request, host, error);
  if (!module) {
    nb::object exception = makeCodegenError(error);
    PyErr_SetObject(exception.type().ptr(), exception.ptr());
    throw nb::python_error();
  }
  std::string text;
  llvm::raw_string_ostream os(text);
  mlir::OpPrintingFlags flags;
  if (locations)
    flags.enableDebugInfo(true, true);
  module->print(os, flags);
  return nb::str(text.c_str());
}

// What the last compilation read from the host: [(path, fingerprint)], and whether that is all.
static nb::object hostReads() {
  runtime::RecordedReads recorded = hostEval().endRecording();
  nb::list reads;
  for (const runtime::HostRead &read : recorded.reads)
    reads.append(nb::make_tuple(read.path, nb::bytes(read.fingerprint.data(), read.fingerprint.size())));
  return nb::make_tuple(reads, recorded.complete);
}

void registerFrontend(nb::module_ &module) {
  module.def("lower_to_tile", &lowerToTile, nb::arg("source"), nb::arg("filename"), nb::arg("firstlineno"),
             nb::arg("globals"), nb::arg("closure"), nb::arg("params"), nb::arg("locations") = false,
             "The tile IR of a kernel as text, for tests: what the front end makes of it.");
  module.def("last_host_reads", &hostReads, "Host values the last lower_to_tile read, for tests.");
  module.def(
      "elsewhere",
      [] {
        nb::list rows;
        for (const frontend::asc2::Elsewhere &row : frontend::asc2::elsewhere())
          rows.append(nb::make_tuple(row.origins.str(), row.names.str(), row.ours.str()));
        return rows;
      },
      "Names of other languages and libraries: (where they are from, the names, what asc2 has for them).");
}

} // namespace tilesmith::python
