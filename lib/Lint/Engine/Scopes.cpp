#include "Interpreter.h"

#include "../Names/Names.h"

namespace tilesmith::lint {

using namespace ast;

Scopes::Scopes(Interpreter &interpreter) : Part(interpreter) {
  module = world.make(Object(ObjectKind::Scope));
  Frame outermost;
  outermost.scope = module;
  frames.push_back(std::move(outermost));
}

Frame Scopes::pop() {
  Frame done = std::move(frames.back());
  frames.pop_back();
  return done;
}

size_t Scopes::callsOf(const FunctionDef &function) const {
  return llvm::count_if(frames, [&](const Frame &frame) { return frame.function == &function; });
}

Value Scopes::lookUp(llvm::StringRef name) {
  bool isInnermost = true;
  for (ObjectId scope = frame().scope; scope && state.exists(scope); scope = state.get(scope).parent) {
    const Object &names = state.get(scope);
    if (isInnermost || !names.isClassScope) {
      if (auto at = names.elsewhere.find(name); at != names.elsewhere.end()) {
        scope = at->second;
        if (auto found = state.get(scope).fields.find(name); found != state.get(scope).fields.end())
          return found->second;
        continue;
      }
      if (auto found = names.fields.find(name); found != names.fields.end())
        return found->second;
    }
    isInnermost = false;
  }
  if (name == "__name__")
    return Value::path(ownName);
  if (name == "__builtins__")
    return Value::path("builtins");
  if (name == "__file__" || name == "__doc__" || name == "__package__")
    return Value::host();
  if (name == "__debug__")
    return Value::boolean(true);
  if (starModules.empty() || isHarmlessBuiltin(name) || isHoldingBuiltin(name) || isPlainBuiltin(name))
    return Value::path(world.save("builtins." + name));
  Value result;
  for (llvm::StringRef module : starModules)
    result.add(Value::path(world.save(module + "." + name)));
  return result;
}

void Scopes::assignName(llvm::StringRef name, const Value &value) {
  Object &scope = state.change(frame().scope);
  auto at = scope.elsewhere.find(name);
  if (at != scope.elsewhere.end())
    state.change(at->second).fields[name] = control.mark(value);
  else
    scope.fields[name] = control.mark(value);
}

void Scopes::declareElsewhere(llvm::StringRef name, bool isNonlocal) {
  ObjectId scope = module;
  if (isNonlocal)
    for (scope = state.get(frame().scope).parent; scope && scope != module; scope = state.get(scope).parent)
      if (!state.get(scope).isClassScope && state.get(scope).fields.count(name))
        break;
  state.change(frame().scope).elsewhere[name] = scope ? scope : module;
}

} // namespace tilesmith::lint
