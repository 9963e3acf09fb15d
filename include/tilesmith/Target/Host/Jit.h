// Compiling a kernel to native code and loading it into this process.
//
// Compiling gives bytes (an object file and metadata) that may be kept and loaded again later, by another process of
// the same host; loading needs no MLIR. A loaded kernel calls the Machine's C ABI in this process and nothing else.
#ifndef TILESMITH_TARGET_HOST_JIT_H
#define TILESMITH_TARGET_HOST_JIT_H

#include "tilesmith/Machine/Abi.h"
#include "tilesmith/Target/Host/Metadata.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <vector>

namespace mlir {
class ModuleOp;
}

namespace tilesmith::host {

struct CompileOptions {
  std::string cpu;               // an LLVM name such as "x86-64-v3"; empty: this host with all its features
  std::string *llvmIR = nullptr; // receives the IR that code is generated from
  int level = 3;                 // 1, 2: vector functions are compiled quickly and run slower; the results are the same
};

struct CompiledKernel {
  std::vector<char> object;
  Metadata metadata;
};

// Compiles the one kernel of a module of isa IR with planned addresses. The module stays as it is. An error holds the
// diagnostics of the lowering, one per line.
llvm::Expected<CompiledKernel> compileKernel(mlir::ModuleOp module, const CompileOptions &options = {});

// Does what the first compilation of a process would otherwise wait for (code generator tables, the JIT linker). May
// run on another thread while something else goes on; later calls return at once.
void prepareCompiler();

// CPU and features that code is compiled for: objects are good for hosts where this is the same.
const std::string &hostFingerprint();

// Code of a kernel in this process; unloaded on destruction, so no launch may be running then.
class LoadedKernel {
public:
  LoadedKernel() = default;
  LoadedKernel(LoadedKernel &&);
  LoadedKernel &operator=(LoadedKernel &&);
  ~LoadedKernel();

  TsKernelFn function() const { return entry; }
  explicit operator bool() const { return entry; }

private:
  friend llvm::Expected<LoadedKernel> loadKernel(llvm::StringRef, llvm::StringRef);
  TsKernelFn entry = nullptr;
  void *library = nullptr;
};

// Loads an object made by compileKernel for the kernel of this name. Thread-safe.
llvm::Expected<LoadedKernel> loadKernel(llvm::StringRef object, llvm::StringRef kernel);

} // namespace tilesmith::host

#endif // TILESMITH_TARGET_HOST_JIT_H
