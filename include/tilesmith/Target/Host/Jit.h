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

struct CompiledKernels {
  std::vector<char> object;
  std::vector<Metadata> kernels; // in the order of the module
};

// Compiles the kernels of a module of isa IR with planned addresses into one object. The module stays as it is. An
// error holds the diagnostics of the lowering, one per line.
llvm::Expected<CompiledKernels> compileKernels(mlir::ModuleOp module, const CompileOptions &options = {});

struct CompiledKernel {
  std::vector<char> object;
  Metadata metadata;
};

// The same for a module that holds one kernel; another number of them is an error.
llvm::Expected<CompiledKernel> compileKernel(mlir::ModuleOp module, const CompileOptions &options = {});

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

// Loads a compiled object for its kernel of this name. Thread-safe.
llvm::Expected<LoadedKernel> loadKernel(llvm::StringRef object, llvm::StringRef kernel);

} // namespace tilesmith::host

#endif // TILESMITH_TARGET_HOST_JIT_H
