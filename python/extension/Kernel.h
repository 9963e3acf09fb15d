// A jit function on its way to machine code: its parameters, options and specialisations.
//
// Python's JITFunction derives from the type `_tilesmith.Kernel` made here. A specialisation is found by a key of
// argument kinds, constants, platform and aliasing; under one key there may be several, told apart by the host values
// (module constants, closures) their compilation read. All state is guarded by Python's lock.
#ifndef TILESMITH_PYTHON_KERNEL_H
#define TILESMITH_PYTHON_KERNEL_H

#include "Arguments.h"
#include "HostReads.h"

#include "tilesmith/Runtime/Compiler.h"
#include "tilesmith/Target/Host/Jit.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringMap.h"
#include <memory>
#include <string>
#include <vector>

namespace tilesmith::python {

struct Parameter {
  PyObject *name = nullptr; // interned, kept for good
  std::string text;
  bool isConstExpr = false;
  nanobind::object constType;    // what a constant must be an instance of, or null
  nanobind::object defaultValue; // or null
};

struct Specialisation {
  host::LoadedKernel code; // none if passes were not asked for
  host::Metadata metadata;
  std::vector<bool> written;
  HostReads reads;
  std::vector<nanobind::object> constants; // keeps objects alive whose address is in the key
};

struct Kernel {
  std::string name;
  std::vector<Parameter> parameters;
  std::vector<std::string> argumentNames; // parameters that are no constants
  runtime::CompileOptions options;
  std::string optionsKey;          // options as far as they may change code
  std::string sourceKey;           // source text, file and line
  nanobind::object customBuiltins; // a dict of names besides Python's builtins, or null
  bool alwaysCompile = false;
  bool verifySync = false;       // every launch is checked
  bool captureExceptions = true; // errors of compiling are CodegenErrors
  llvm::StringMap<std::vector<std::shared_ptr<Specialisation>>> specialisations;
};

// The arguments of one call, bound to parameters.
class Binding {
public:
  Binding(Kernel &kernel, PyObject *self) : kernel(kernel), self(self), values(kernel.parameters.size()) {
    arguments = kernel.parameters.size() <= inlineCount
                    ? reinterpret_cast<Argument *>(storage)
                    : static_cast<Argument *>(operator new(sizeof(Argument) * values.size()));
  }
  Binding(const Binding &) = delete;
  ~Binding();

  // Positional and keyword arguments and defaults. Keywords that are no parameters go to `options` (a dict, made on
  // demand). On failure a Python exception is set.
  bool bind(PyObject *const *args, size_t count, PyObject *keywords, nanobind::object &options);
  // Decides the kind of every argument and makes the key.
  bool classify();

  Kernel &kernel;
  PyObject *self;
  llvm::SmallVector<PyObject *, 8> values; // borrowed
  Argument *arguments;                     // one per parameter; constants have none of interest
  llvm::SmallVector<bool, 8> noalias;
  llvm::SmallString<128> key;
  std::vector<nanobind::object> constants; // by address in the key
  bool persistent = true;                  // everything in the key has the same text in another process
  bool mock = false;
  bool hasLayouts = false; // an array is not contiguous

private:
  bool addConstant(const Parameter &parameter, PyObject *value);

  static constexpr size_t inlineCount = 12;
  alignas(Argument) std::byte storage[inlineCount * sizeof(Argument)];
  size_t made = 0;
};

// The specialisation of a binding, found in memory, on disk, or compiled. Null with a Python exception set.
std::shared_ptr<Specialisation> specialise(Binding &binding);

// The kernel as Ascend C source. Nothing with a Python exception set.
std::optional<runtime::EmittedKernel> emit(Binding &binding);

// Whether the kernel may write to the array of a parameter.
bool isWritten(const Binding &binding, const Specialisation &specialisation, size_t parameter);

// Only the front end, its IR to the settings. False with a Python exception set.
bool trace(Binding &binding);

// Adds the type `Kernel` to the module.
void registerKernel(nanobind::module_ &module);
// The kernel of a `Kernel` object; it has one once __init__ has run.
Kernel &kernelOf(PyObject *object);
bool isReady(PyObject *object);
// kernel[blocks] and kernel[blocks, stream]: an independent callable.
PyObject *makeLauncher(PyObject *kernel, PyObject *configuration);
void registerLauncher(nanobind::module_ &module);

} // namespace tilesmith::python

#endif // TILESMITH_PYTHON_KERNEL_H
