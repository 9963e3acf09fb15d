#include "Names.h"

namespace tilesmith::frontend {

void Names::enter(Frame &frame) {
  frame.caller = current;
  calls += current != nullptr;
  current = &frame;
  frame.number = ++frames;
}

bool Names::isAlive(const FunctionParts &nested) const {
  for (const Frame *at = current; at; at = at->caller)
    if (at == nested.around && at->number == nested.number)
      return true;
  return false;
}

void Names::leave() {
  current = current->caller;
  calls -= current != nullptr;
}

void Names::bind(llvm::StringRef name, Value value, const Range &range) {
  current->env[name] = Binding{std::move(value), range, "", nullptr};
}

void Names::expire(const Env &after, llvm::StringRef where) {
  for (const auto &entry : after) {
    const Binding &binding = entry.second;
    auto it = current->env.find(entry.first());
    if (it != current->env.end() && (it->second.gone.empty() || it->second.conflict))
      continue;
    Binding &old = current->env[entry.first()];
    old.value = {};
    old.range = binding.range;
    old.gone = binding.gone.empty() ? where.str() : binding.gone;
    old.conflict = binding.conflict;
  }
}

} // namespace tilesmith::frontend
