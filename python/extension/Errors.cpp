#include "Errors.h"
#include "Facts.h"
#include "Frontend.h"
#include "tilesmith/Runtime/SourceText.h"
#include <nanobind/stl/string.h>

namespace nb = nanobind;

namespace tilesmith::python {
namespace {

nb::object errorClass(const char *module, const char *name) { return nb::module_::import_(module).attr(name); }

void setError(nb::handle type, const nb::object &instance) { PyErr_SetObject(type.ptr(), instance.ptr()); }

} // namespace

nb::dict describePlace(uint32_t loc, const host::Metadata &metadata) {
  nb::dict place;
  if (!loc || loc >= metadata.locations.size())
    return place;
  const host::SourceLocation &location = metadata.locations[loc];
  place["file"] = location.file;
  place["line"] = location.line;
  place["column"] = location.column;
  return place;
}

void raiseHostError(const frontend::HostError &error) {
  if (error.exception) {
    auto *exception = static_cast<PyObject *>(error.exception.get());
    PyErr_SetObject(reinterpret_cast<PyObject *>(Py_TYPE(exception)), exception);
    return;
  }
  PyErr_Format(PyExc_RuntimeError, "%s: %s", error.type.c_str(), error.message.c_str());
}

void raiseCompileError(const runtime::CompileError &error, bool capture) {
  if (error.diagnostic.isSet()) {
    nb::object instance = makeCodegenError(error.diagnostic);
    if (nb::object exception = instance.attr("exception"); !capture && !exception.is_none())
      instance = exception;
    return setError(instance.type(), instance);
  }
  nb::object type = errorClass("asc.codegen.errors", "CodegenError");
  setError(type, type(error.text));
}

void raiseSpecialiseError(const runtime::SpecialiseError &error, bool capture) {
  switch (error.kind) {
  case runtime::SpecialiseError::Kind::Host: // it is set
    break;
  case runtime::SpecialiseError::Kind::Compile:
    raiseCompileError(error.compile, capture);
    break;
  case runtime::SpecialiseError::Kind::Launch:
    PyErr_SetString(PyExc_RuntimeError, error.text.c_str());
    break;
  }
}

void raiseFindings(const std::vector<machine::Finding> &findings, const host::Metadata &metadata) {
  constexpr size_t shown = 3;
  std::string text;
  size_t errors = 0;
  for (const machine::Finding &finding : findings) {
    if (!finding.isError() || ++errors > shown)
      continue;
    text += (text.empty() ? "" : "\n") + runtime::renderFinding(finding, metadata);
  }
  if (errors > shown)
    text += "\nand " + std::to_string(errors - shown) + " more";
  nb::object type = errorClass("asc.runtime.errors", "KernelError");
  setError(type, type(text));
}

nb::dict describeLaunch(const machine::LaunchResult &result, const host::Metadata &metadata,
                        const machine::Platform &platform, machine::Mode mode) {
  nb::dict facts;
  facts["kernel"] = metadata.kernel;
  facts["platform"] = std::string(platform.name);
  nb::list findings;
  for (const machine::Finding &finding : result.findings) {
    nb::dict item;
    item["id"] = finding.id.str();
    item["severity"] = finding.isError() ? "error" : "warning";
    item["text"] = finding.text;
    item["block"] = finding.block;
    if (!finding.core.empty())
      item["core"] = finding.core;
    item["count"] = finding.count;
    item["place"] = describePlace(finding.loc, metadata);
    item["other_place"] = describePlace(finding.otherLoc, metadata);
    item["rendered"] = runtime::renderFinding(finding, metadata);
    findings.append(item);
  }
  facts["findings"] = findings;
  nb::dict memories;
  for (unsigned i = 0; i < isa::numMemory; ++i)
    if (metadata.usage[i])
      memories[std::string(isa::stringify(isa::Memory(i))).c_str()] =
          nb::make_tuple(metadata.usage[i], platform.usableOf(isa::Memory(i)));
  facts["memories"] = memories;
  nb::list buffers;
  for (const host::Buffer &buffer : metadata.buffers)
    buffers.append(nb::make_tuple(std::string(isa::stringify(buffer.memory)), buffer.address, buffer.bytes,
                                  buffer.slots, buffer.name, buffer.shape, buffer.line));
  facts["buffers"] = buffers;
  if (metadata.workspace >= 0) {
    nb::list rings;
    for (const host::Ring &ring : metadata.rings)
      rings.append(nb::make_tuple(ring.offset, ring.bytes, ring.slots, ring.toCube, ring.name, ring.shape, ring.sent,
                                  ring.received));
    facts["workspace"] = nb::make_tuple(metadata.workspace, rings);
  }
  if (mode >= machine::Mode::Timed && result.complete)
    describeTiming(facts, result, metadata, platform);
  if (mode == machine::Mode::Traced && result.complete)
    describeTimeline(facts, result, metadata);
  return facts;
}

} // namespace tilesmith::python
