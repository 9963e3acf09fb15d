// From a kernel request to machine code: front end, passes, host code generation.
//
// There is one MLIRContext per process, made by the first compilation; loading a kernel from the disk cache makes none.
// Calls must not overlap (the extension holds Python's lock while it compiles).
#ifndef TILESMITH_RUNTIME_COMPILER_H
#define TILESMITH_RUNTIME_COMPILER_H

#include "tilesmith/Frontend/Frontend.h"
#include "tilesmith/Machine/Platform.h"
#include "tilesmith/Options/Options.h"
#include "tilesmith/Target/Host/Metadata.h"
#include <optional>
#include <string>
#include <vector>

namespace tilesmith::runtime {

struct CompileRequest {
  frontend::KernelRequest kernel;
  frontend::HostEval *host = nullptr;
  const machine::Platform *platform = nullptr;
  std::vector<bool> noalias; // per parameter: an array that overlaps no other argument
  KernelOptions options;
  bool onlyIr = false;           // isa IR is what is wanted: another process makes the code
  std::string dumpFolder;        // receives codegen.mlir (tile IR), ascir.mlir (isa IR) and ascendc.cpp; empty: none
  std::string *tileIr = nullptr; // receives the text of what the front end made; or null
};

struct CompiledKernel {
  std::string object; // empty without passes
  std::string isaIr;  // with `onlyIr`, instead of an object: its text, with the places of the source
  host::Metadata metadata;
  std::vector<bool> written;      // per parameter: the kernel may write the array
  std::vector<int64_t> constants; // of `compileIr`: the bits of each number in the kernel's text, once, in order

  // Metadata and `written` as bytes, for the disk cache.
  std::string describe() const;
  static std::optional<CompiledKernel> fromCache(std::string_view description, std::string object);
};

// What went wrong: a diagnostic of the front end, or a later stage's as text in the same form.
struct CompileError {
  frontend::Diagnostic diagnostic;
  std::string text;
};

std::optional<CompiledKernel> compile(const CompileRequest &request, CompileError &error);

// Code of a kernel that another process gives as isa IR. Nothing is believed of it: IR that is not one kernel for this
// platform, verified, of operations that the passes leave, is an error. `written` stays empty.
std::optional<CompiledKernel> compileIr(std::string_view isaIr, const machine::Platform &platform, int level,
                                        CompileError &error);

// The kernel as Ascend C source, for the chip; no machine code is made.
struct EmittedKernel {
  std::string source;
  std::string name, symbol; // of the kernel, and of its function in the source
  isa::KernelType type = isa::KernelType::AivOnly;
  int64_t workspace = -1, sharedWorkspace = 0; // as host::Metadata
  std::vector<bool> written;                   // as in CompiledKernel
};
std::optional<EmittedKernel> emit(const CompileRequest &request, CompileError &error);

// Only the front end: the text of the tile IR.
std::optional<std::string> trace(const CompileRequest &request, CompileError &error);

// Identifies this build of the compiler: code of another one is not reused.
const std::string &buildId();

} // namespace tilesmith::runtime

#endif // TILESMITH_RUNTIME_COMPILER_H
