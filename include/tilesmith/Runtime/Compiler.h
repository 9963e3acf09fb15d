// From a kernel request to machine code: front end, passes, host code generation.
//
// There is one MLIRContext per process, made by the first compilation; loading a kernel from the disk cache makes none.
// Calls must not overlap (the extension holds Python's lock while it compiles).
#ifndef TILESMITH_RUNTIME_COMPILER_H
#define TILESMITH_RUNTIME_COMPILER_H

#include "tilesmith/Frontend/Frontend.h"
#include "tilesmith/Machine/Platform.h"
#include "tilesmith/Target/Host/Metadata.h"
#include <optional>
#include <string>
#include <vector>

namespace tilesmith::runtime {

struct CompileOptions {
  bool printIr = false;    // IR before every pass, to stderr
  bool verifySync = false; // replay the flags of the compiled kernel on short paths
  int64_t withoutSync = -1; // leave out this synchronisation; negative: none
  std::string dumpFolder;  // receives codegen.mlir (tile IR) and ascir.mlir (isa IR); empty: none
};

struct CompileRequest {
  frontend::KernelRequest kernel;
  frontend::HostEval *host = nullptr;
  const machine::Platform *platform = nullptr;
  std::vector<bool> noalias; // per parameter: an array that overlaps no other argument
  CompileOptions options;
};

struct CompiledKernel {
  std::string object;
  host::Metadata metadata;
  std::vector<bool> written; // per parameter: the kernel may write the array

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

// Identifies this build of the compiler: code of another one is not reused.
const std::string &buildId();

} // namespace tilesmith::runtime

#endif // TILESMITH_RUNTIME_COMPILER_H
