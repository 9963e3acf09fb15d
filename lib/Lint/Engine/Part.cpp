#include "Interpreter.h"

namespace tilesmith::lint {

using namespace ast;

Part::Part(Interpreter &interpreter)
    : world(interpreter.world), state(world.state), notes(interpreter.notes), scopes(interpreter.scopes),
      buffers(interpreter.buffers), classes(interpreter.classes), attributes(interpreter.attributes),
      containers(interpreter.containers), operators(interpreter.operators), outside(interpreter.outside),
      calls(interpreter.calls), kernels(interpreter.kernels), launches(interpreter.launches),
      libraries(interpreter.libraries), builtins(interpreter.builtins), torch(interpreter.torch),
      modules(interpreter.modules), expressions(interpreter.expressions), statements(interpreter.statements),
      control(interpreter.control) {}

Arguments Arguments::anyOf(Value value) {
  Arguments arguments;
  arguments.hasRest = true;
  arguments.rest = std::move(value);
  return arguments;
}

Value Arguments::all() const {
  Value result = rest;
  for (const Value &value : positional)
    result.add(value);
  for (const auto &[name, value] : keywords)
    result.add(value);
  return result;
}

const Value *Arguments::keyword(llvm::StringRef name) const {
  for (const auto &[key, value] : keywords)
    if (key == name)
      return &value;
  return nullptr;
}

const Value *Arguments::get(size_t position, llvm::StringRef name) const {
  if (position < positional.size())
    return &positional[position];
  if (const Value *value = keyword(name))
    return value;
  return hasRest ? &rest : nullptr;
}

const Value *Arguments::first() const { return !positional.empty() ? &positional[0] : hasRest ? &rest : nullptr; }

Arguments Arguments::withoutFirst() const {
  Arguments others = *this;
  if (!others.positional.empty())
    others.positional.erase(others.positional.begin());
  return others;
}

} // namespace tilesmith::lint
