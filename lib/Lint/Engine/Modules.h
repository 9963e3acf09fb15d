// Methods that classes of the file inherit from torch.nn.Module: one table of names and handlers.
#ifndef TILESMITH_LINT_ENGINE_MODULES_H
#define TILESMITH_LINT_ENGINE_MODULES_H

#include "Part.h"

#include <optional>

namespace tilesmith::lint {

class Modules : public Part {
public:
  explicit Modules(Interpreter &interpreter) : Part(interpreter) {}

  // The module is the first argument.
  Value call(llvm::StringRef method, const Arguments &arguments, Site site);

private:
  struct MethodCall {
    llvm::StringRef method;
    Value self;
    Arguments rest;
    Site site;
  };
  using Method = std::optional<Value> (Modules::*)(const MethodCall &call);
  static Method find(llvm::StringRef name);

  std::optional<Value> registerBuffer(const MethodCall &call);
  std::optional<Value> registerParameter(const MethodCall &call);
  std::optional<Value> addModule(const MethodCall &call);
  std::optional<Value> callSelf(const MethodCall &call);
  std::optional<Value> forward(const MethodCall &call);
  std::optional<Value> weights(const MethodCall &call);
  std::optional<Value> children(const MethodCall &call);
  std::optional<Value> apply(const MethodCall &call);
  std::optional<Value> setAttribute(const MethodCall &call);
  std::optional<Value> getAttribute(const MethodCall &call);
  std::optional<Value> init(const MethodCall &call);

  Value add(const MethodCall &call, llvm::StringRef valueName);
  // `named_parameters` gives pairs of names and values, `parameters` values.
  Value listed(const MethodCall &call, const Value &values);
};

} // namespace tilesmith::lint

#endif // TILESMITH_LINT_ENGINE_MODULES_H
