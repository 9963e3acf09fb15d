// A jit function: its parameters, and the Specialiser that has its code.
//
// Python's JITFunction derives from the type `_tilesmith.Kernel` made here. All state is guarded by Python's lock.
#ifndef TILESMITH_PYTHON_KERNEL_H
#define TILESMITH_PYTHON_KERNEL_H

#include "Arguments.h"
#include "HostReads.h"
#include "Settings.h"

#include "tilesmith/Runtime/Specialiser.h"
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

using runtime::Specialisation;

struct Kernel {
  Kernel(runtime::Specialiser::Kernel what)
      : name(what.name), specialiser(std::move(what), diskCache()), options(specialiser.options()) {}

  std::string name;
  std::string language; // frontend::KernelRequest::language
  std::vector<Parameter> parameters;
  std::vector<std::string> argumentNames; // parameters that are not constants
  runtime::Specialiser specialiser;
  const KernelOptions &options;
  nanobind::object customBuiltins; // a dict of names besides Python's builtins, or null
  bool warnedNoEffect = false;
};

// The arguments of one call, bound to parameters.
class Binding final : public runtime::HostCall {
public:
  Binding(Kernel &kernel, PyObject *self) : kernel(kernel), self(self), values(kernel.parameters.size()) {
    arguments = kernel.parameters.size() <= inlineCount
                    ? reinterpret_cast<Argument *>(storage)
                    : static_cast<Argument *>(operator new(sizeof(Argument) * values.size()));
  }
  Binding(const Binding &) = delete;
  ~Binding() override;

  // Positional and keyword arguments and defaults. Keywords that are not parameters go to `options` (a dict, made on
  // demand). On failure a Python exception is set.
  bool bind(PyObject *const *args, size_t count, PyObject *keywords, nanobind::object &options);
  // Decides the kind of every argument and makes the key.
  bool classify();

  bool describe(runtime::CompileRequest &request) override;
  void beginRecording() override;
  runtime::RecordedReads endRecording() override;
  bool holds(const std::vector<runtime::HostRead> &reads) override;
  std::unique_ptr<runtime::RememberedReads> remember(std::vector<runtime::HostRead> reads) override;
  bool unchanged(const runtime::RememberedReads &reads) override;
  std::vector<frontend::HostRef> keptAlive() override;
  void wait(llvm::function_ref<void()> blocking) override;

  // Whether the argument is known while compiling: a ConstExpr, or a struct.
  bool isConstant(size_t i) const { return kernel.parameters[i].isConstExpr || arguments[i].constant; }

  Kernel &kernel;
  PyObject *self;
  llvm::SmallVector<PyObject *, 8> values; // borrowed
  Argument *arguments;                     // one per parameter; constants have none of interest
  runtime::CallKey key;
  bool mock = false;
  bool hasLayouts = false; // an array is not contiguous
  nanobind::object stream; // the launch names, or null

private:
  bool checkOptions(const nanobind::object &options);
  bool addConstant(const Parameter &parameter, PyObject *value);
  PyObject *constant(llvm::StringRef name) const;
  ConstantValue constants() const {
    return [this](llvm::StringRef name) { return constant(name); };
  }

  static constexpr size_t inlineCount = 12;
  alignas(Argument) std::byte storage[inlineCount * sizeof(Argument)];
  size_t made = 0;
  llvm::SmallVector<PyObject *, 2> byAddress; // constants the key knows by their addresses; borrowed
};

// The specialisation of a binding. Null with a Python exception set.
std::shared_ptr<Specialisation> specialise(Binding &binding);

// The kernel as Ascend C source. Nothing with a Python exception set.
std::optional<runtime::EmittedKernel> emit(Binding &binding);

// Only the front end, its IR to the hooks. False with a Python exception set.
bool trace(Binding &binding);

// Whether the kernel may write to the array of a parameter.
bool isWritten(const Binding &binding, const Specialisation &specialisation, size_t parameter);

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
