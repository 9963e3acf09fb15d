// Python's builtin functions: one table of names and handlers.
#ifndef TILESMITH_LINT_ENGINE_BUILTINS_H
#define TILESMITH_LINT_ENGINE_BUILTINS_H

#include "Libraries.h"

namespace tilesmith::lint {

class Builtins : public Part {
public:
  explicit Builtins(Interpreter &interpreter) : Part(interpreter) {}

  Value call(llvm::StringRef name, const Arguments &arguments, Site site);

private:
  using Handler = std::optional<Value> (Builtins::*)(const LibraryCall &call);
  static Handler find(llvm::StringRef name);

  std::optional<Value> getAttribute(const LibraryCall &call);
  std::optional<Value> setAttribute(const LibraryCall &call);
  std::optional<Value> globals(const LibraryCall &call);
  std::optional<Value> locals(const LibraryCall &call);
  std::optional<Value> vars(const LibraryCall &call);
  std::optional<Value> import(const LibraryCall &call);
  std::optional<Value> super(const LibraryCall &call);
  template <ObjectKind kind> std::optional<Value> wrap(const LibraryCall &call);
  std::optional<Value> range(const LibraryCall &call);
  std::optional<Value> length(const LibraryCall &call);
  std::optional<Value> isInstance(const LibraryCall &call);
  std::optional<Value> type(const LibraryCall &call);
  std::optional<Value> integer(const LibraryCall &call);
  std::optional<Value> number(const LibraryCall &call);
  std::optional<Value> exactSequence(const LibraryCall &call);
  std::optional<Value> iterator(const LibraryCall &call);
  Value later(const LibraryCall &call, Value sequence);
  std::optional<Value> sequence(const LibraryCall &call);
  std::optional<Value> dict(const LibraryCall &call);
  std::optional<Value> zip(const LibraryCall &call);
  std::optional<Value> enumerate(const LibraryCall &call);
  std::optional<Value> next(const LibraryCall &call);
  std::optional<Value> map(const LibraryCall &call);
  std::optional<Value> filter(const LibraryCall &call);
  std::optional<Value> reduce(const LibraryCall &call);
  std::optional<Value> sorted(const LibraryCall &call);
  std::optional<Value> text(const LibraryCall &call);

  Value tuples(std::vector<Value> items, const Arguments &arguments);
  // The elements of what sum, max and the like are given, after calling their key.
  Value reduced(const LibraryCall &call);
};

} // namespace tilesmith::lint

#endif // TILESMITH_LINT_ENGINE_BUILTINS_H
