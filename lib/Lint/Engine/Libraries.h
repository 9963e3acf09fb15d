// What calls into other modules do, by path: one table of patterns and handlers, the first that knows holds.
#ifndef TILESMITH_LINT_ENGINE_LIBRARIES_H
#define TILESMITH_LINT_ENGINE_LIBRARIES_H

#include "Part.h"

#include <optional>

namespace tilesmith::lint {

// A call of something outside the file. Handlers that do not know this form of it give nothing.
struct LibraryCall {
  llvm::StringRef path; // the whole of it
  llvm::StringRef name; // what its pattern leaves open, else the path
  const Arguments &arguments;
  Site site;
};

class Libraries : public Part {
public:
  explicit Libraries(Interpreter &interpreter) : Part(interpreter) {}

  Value call(llvm::StringRef path, const Arguments &arguments, Site site);
  // A module by a name that is computed.
  Value importByName(const Value &name, Site site);
  // Out of sys.modules.
  Value moduleOf(llvm::StringRef name, Site site);

private:
  using Handler = std::optional<Value> (Libraries::*)(const LibraryCall &call);
  struct Row;
  static const Row rows[];

  Value callOpaque(llvm::StringRef path, Conduct conduct, const Arguments &arguments, Site site);

  std::optional<Value> applyAutograd(const LibraryCall &call);
  std::optional<Value> ofKernel(const LibraryCall &call);
  std::optional<Value> ofContainer(const LibraryCall &call);
  std::optional<Value> propertySetter(const LibraryCall &call);
  std::optional<Value> identity(const LibraryCall &call);
  std::optional<Value> noteHooks(const LibraryCall &call);
  std::optional<Value> cast(const LibraryCall &call);
  std::optional<Value> passThrough(const LibraryCall &call);
  std::optional<Value> ofTensor(const LibraryCall &call);
  std::optional<Value> ofModule(const LibraryCall &call);
  std::optional<Value> setAttribute(const LibraryCall &call);
  std::optional<Value> getAttribute(const LibraryCall &call);
  std::optional<Value> initBase(const LibraryCall &call);
  std::optional<Value> makeObject(const LibraryCall &call);
  std::optional<Value> ofBuiltins(const LibraryCall &call);
  std::optional<Value> ofTorch(const LibraryCall &call);
  std::optional<Value> ofTorchNpu(const LibraryCall &call);
  std::optional<Value> ofNumpy(const LibraryCall &call);
  std::optional<Value> wraps(const LibraryCall &call);
  std::optional<Value> cache(const LibraryCall &call);
  std::optional<Value> cachedProperty(const LibraryCall &call);
  std::optional<Value> partial(const LibraryCall &call);
  std::optional<Value> reduce(const LibraryCall &call);
  std::optional<Value> unknown(const LibraryCall &call);
  std::optional<Value> loadAscendC(const LibraryCall &call);
  std::optional<Value> ofAsc(const LibraryCall &call);
  std::optional<Value> importModule(const LibraryCall &call);
  std::optional<Value> sysModules(const LibraryCall &call);
  std::optional<Value> copy(const LibraryCall &call);
  std::optional<Value> tensorDescriptor(const LibraryCall &call);
  std::optional<Value> useAsScalars(const LibraryCall &call);
  std::optional<Value> nameSpace(const LibraryCall &call);
  std::optional<Value> namedTuple(const LibraryCall &call);
  std::optional<Value> dict(const LibraryCall &call);
  std::optional<Value> defaultDict(const LibraryCall &call);
  std::optional<Value> deque(const LibraryCall &call);
  std::optional<Value> rearrange(const LibraryCall &call);
  std::optional<Value> ofMath(const LibraryCall &call);
  std::optional<Value> foreign(const LibraryCall &call);
};

} // namespace tilesmith::lint

#endif // TILESMITH_LINT_ENGINE_LIBRARIES_H
