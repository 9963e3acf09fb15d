#include "Interpreter.h"

namespace tilesmith::lint {

using namespace ast;

Value Outside::mayGive(const Value &value) const {
  Value result;
  llvm::SmallVector<Atom, 8> pending(value.atoms.begin(), value.atoms.end());
  llvm::DenseSet<ObjectId> seen;
  auto follow = [&](const Value &inner) { pending.append(inner.atoms.begin(), inner.atoms.end()); };
  while (!pending.empty()) {
    Atom atom = pending.pop_back_val();
    if (atom.kind == AtomKind::Constant) {
      result.add(Atom{AtomKind::Host});
      continue;
    }
    if (atom.kind == AtomKind::Tensor)
      atom.flags |= Atom::Part;
    if (atom.kind != AtomKind::Object) {
      result.add(atom);
      continue;
    }
    if (!state.exists(atom.object) || !seen.insert(atom.object).second)
      continue;
    if (seen.size() > 256) {
      result.add(Value::foreign("one of very many values"));
      break;
    }
    const Object &object = state.get(atom.object);
    switch (object.kind) {
    case ObjectKind::Instance:
    case ObjectKind::Function:
    case ObjectKind::Bound:
    case ObjectKind::Static:
    case ObjectKind::ClassMethod:
    case ObjectKind::Property:
    case ObjectKind::Cached:
    case ObjectKind::Sequential:
      result.add(atom);
      follow(object.all());
      follow(object.callee);
      break;
    case ObjectKind::Class:
    case ObjectKind::Super:
      result.add(atom);
      break;
    case ObjectKind::Attributes:
      follow(state.get(object.parent).all());
      break;
    default:
      follow(object.all());
      follow(object.callee);
    }
  }
  return result.empty() ? Value::host() : result;
}

bool Outside::holdsData(const Value &value) const {
  bool result = false;
  buffers.forEachTensor(value, [&](const Atom &tensor) {
    Origin origin = state.get(tensor.object).buffer.origin;
    result |= origin == Origin::Input || origin == Origin::Computed;
  });
  return result;
}

std::optional<Value> Outside::protocol(const Atom &instance, llvm::StringRef method, const Arguments &arguments,
                                       Site site) {
  const Object *object = world.lookAt(instance, ObjectKind::Instance);
  if (!object || !classes.find(object->parent, method))
    return std::nullopt;
  return calls.call(attributes.getOf(instance, method, site), arguments, site);
}

// What starts an object's life is followed where the object is made.
static bool isLifeCycle(llvm::StringRef name) {
  return name == "__init__" || name == "__new__" || name == "__post_init__" || name == "__init_subclass__" ||
         name == "__class_getitem__" || name == "__set_name__" || name == "__module__" || name == "__qualname__";
}

Value Outside::callMembers(const Atom &instance, const Value &given, Site site) {
  ObjectId cls = state.get(instance.object).parent;
  // Modules are handed about for their weights; what they compute is computed where they are called.
  if (classes.isModule(cls) || !handed.insert(cls).second)
    return {};
  Value result;
  Arguments arguments = Arguments::anyOf(given);
  for (const Atom &base : classes.linearise(cls)) {
    if (base.kind != AtomKind::Object)
      continue;
    for (const auto &[name, member] : std::map(state.get(base.object).fields)) {
      bool isMember = llvm::any_of(member.atoms, [&](const Atom &atom) {
        return world.isAny(atom, {ObjectKind::Function, ObjectKind::Bound, ObjectKind::Cached, ObjectKind::Property,
                                  ObjectKind::Static, ObjectKind::ClassMethod, ObjectKind::Instance});
      });
      if (!isMember || isLifeCycle(name) || !state.alive)
        continue;
      llvm::StringRef method = name;
      control.perhaps([&] {
        Value found = attributes.getOf(instance, method, site); // of a property: what its getter gives
        bool isCallable = llvm::any_of(found.atoms, [&](const Atom &atom) {
          return world.isAny(atom, {ObjectKind::Function, ObjectKind::Bound, ObjectKind::Cached});
        });
        result.add(isCallable ? calls.call(found, arguments, site) : found);
      });
    }
  }
  handed.erase(cls);
  return result;
}

void Outside::keep(const Value &holders, const Value &given) {
  for (const Atom &atom : holders.atoms) {
    if (atom.kind != AtomKind::Object || !state.exists(atom.object))
      continue;
    const Object &object = state.get(atom.object);
    bool isModule = object.kind == ObjectKind::Instance && classes.isModule(object.parent);
    if (isModule)
      continue;
    if (object.kind == ObjectKind::Instance || object.kind == ObjectKind::Dict)
      state.change(atom.object).rest.add(given);
    else if (object.kind == ObjectKind::Sequence)
      containers.blur(state.change(atom.object), given);
  }
}

Value Outside::handOver(const Arguments &arguments, Site site) {
  constexpr size_t deepest = 32;
  Value given = mayGive(arguments.all()), result;
  if (!world.isJudged() || scopes.depth() >= deepest)
    return result;
  callKnown();
  Value tensors;
  for (const Atom &atom : given.atoms)
    if (atom.kind == AtomKind::Tensor)
      tensors.add(atom);
  Value handed = tensors.empty() ? Value::host() : tensors;
  Arguments inner = Arguments::anyOf(handed);
  for (const Atom &atom : given.atoms) {
    if (!state.alive)
      break;
    if (world.isAny(atom, {ObjectKind::Function, ObjectKind::Bound, ObjectKind::Cached}))
      control.perhaps([&] { result.add(mayGive(calls.call(atom, inner, site))); });
    else if (world.lookAt(atom, ObjectKind::Instance))
      result.add(mayGive(callMembers(atom, handed, site)));
  }
  if (state.alive && arguments.positional.size() + arguments.keywords.size() > 1) {
    Value others = given;
    others.add(result);
    keep(arguments.all(), others);
  }
  return result;
}

void Outside::remember(const Arguments &arguments) {
  if (world.isJudged())
    return;
  for (const Atom &atom : mayGive(arguments.all()).atoms) {
    const Object *instance = world.lookAt(atom, ObjectKind::Instance);
    bool isCallable = world.isAny(atom, {ObjectKind::Function, ObjectKind::Bound, ObjectKind::Cached});
    if (isCallable || (instance && !classes.isModule(instance->parent)))
      known.add(atom);
  }
}

void Outside::callKnown() {
  if (isCallingKnown)
    return;
  isCallingKnown = true;
  for (const Atom &atom : Value(known).atoms)
    if (world.lookAt(atom, ObjectKind::Instance))
      callMembers(atom, Value::host(), {});
    else if (state.alive)
      control.perhaps([&] { calls.call(atom, Arguments::anyOf(Value::host()), {}); });
  isCallingKnown = false;
}

void Outside::callProtocols() {
  callKnown();
  size_t count = state.size();
  llvm::DenseSet<ObjectId> seen;
  for (ObjectId id = 1; id < count && state.alive; ++id) {
    if (!state.exists(id) || state.get(id).kind != ObjectKind::Instance || !seen.insert(state.get(id).parent).second)
      continue;
    ObjectId cls = state.get(id).parent;
    Atom instance = Value::object(id).atoms[0];
    for (const Atom &base : classes.linearise(cls)) {
      if (base.kind != AtomKind::Object)
        continue;
      for (const auto &[name, member] : std::map(state.get(base.object).fields)) {
        llvm::StringRef method = name;
        bool isCalledByPython = method.starts_with("__") && method.ends_with("__") && method != "__call__";
        bool isFunction = llvm::any_of(member.atoms, [&](const Atom &atom) {
          return world.isAny(atom, {ObjectKind::Function, ObjectKind::Static, ObjectKind::ClassMethod});
        });
        if (isCalledByPython && isFunction && !isLifeCycle(method) && state.alive)
          control.perhaps(
              [&] { calls.call(attributes.getOf(instance, method, {}), Arguments::anyOf(Value::host()), {}); });
      }
    }
  }
}

} // namespace tilesmith::lint
