#include "Interpreter.h"

namespace tilesmith::lint {

using namespace ast;

llvm::SmallVector<Atom, 4> Classes::linearise(ObjectId cls) const {
  llvm::SmallVector<Atom, 4> order;
  llvm::SmallVector<Atom, 8> pending{Value::object(cls).atoms[0]};
  while (!pending.empty() && order.size() < maxBases) {
    Atom next = pending.pop_back_val();
    if (llvm::is_contained(order, next))
      continue;
    if (next.kind == AtomKind::Path) {
      order.push_back(next);
    } else if (const Object *object = world.lookAt(next, ObjectKind::Class)) {
      order.push_back(next);
      for (const Value &base : llvm::reverse(object->elements))
        for (const Atom &atom : base.atoms)
          pending.push_back(atom);
    }
  }
  return order;
}

const Value *Classes::find(ObjectId cls, llvm::StringRef name, ObjectId after) const {
  bool isAfter = after == 0;
  for (const Atom &base : linearise(cls)) {
    if (base.kind != AtomKind::Object)
      continue;
    if (isAfter) {
      const Object &object = state.get(base.object);
      if (auto at = object.fields.find(name); at != object.fields.end())
        return &at->second;
    }
    isAfter |= base.object == after;
  }
  return nullptr;
}

bool Classes::derivesFrom(ObjectId cls, llvm::StringRef path) const {
  return llvm::any_of(linearise(cls),
                      [&](const Atom &base) { return base.kind == AtomKind::Path && base.text == path; });
}

bool Classes::isModule(ObjectId cls) const {
  return llvm::any_of(linearise(cls), [](const Atom &base) {
    return base.kind == AtomKind::Path &&
           (base.text.starts_with("torch.nn.") || base.text.starts_with("torch.autograd."));
  });
}

bool Classes::hasForeignBase(ObjectId cls) const {
  return llvm::any_of(linearise(cls), [](const Atom &base) {
    return base.kind == AtomKind::Path && base.text != "builtins.object" && !base.text.starts_with("torch.nn.") &&
           !base.text.starts_with("torch.autograd.") && !base.text.starts_with("typing.") &&
           !base.text.starts_with("abc.") && !base.text.starts_with("enum.");
  });
}

bool Classes::isTensorClass(ObjectId cls) const {
  return find(cls, "__torch_function__") || find(cls, "__torch_dispatch__") ||
         llvm::any_of(linearise(cls),
                      [](const Atom &base) { return base.kind == AtomKind::Path && isTensorBase(base.text); });
}

} // namespace tilesmith::lint
