// Attributes: of tensors, of classes and instances of the file, of other modules.
#include "Interpreter.h"

namespace tilesmith::lint {

using namespace ast;

Value Interpreter::attribute(const Value &value, llvm::StringRef name, Site site) {
  if (!state.alive)
    return {};
  if (isIntrospection(name) && isJudged())
    report(site, name.str(), "looks behind the language");
  Value result;
  for (const Atom &atom : value.atoms)
    result.add(attributeOf(atom, name, site));
  return result;
}

Value Interpreter::attributeOf(const Atom &atom, llvm::StringRef name, Site site) {
  switch (atom.kind) {
  case AtomKind::Constant:
    return atom.isNone() ? Value() : Value::host();
  case AtomKind::Host:
    return Value::host(atom.flags);
  case AtomKind::Path:
    if (atom.text.size() > 300)
      return Value::host();
    return Value::path(save(atom.text + "." + name));
  case AtomKind::Foreign:
    if (atom.text.starts_with("torch.nn.") && isWeightName(name))
      return makeTensor(Origin::Parameter);
    return atom.text.size() > 300 ? Value::host() : Value::foreign(save(atom.text + "." + name));
  case AtomKind::Kernel:
    if (name == "run" || name == "__getitem__" || name == "warmup" || name == "__call__")
      return makeBound(Value::path(save("kernel." + name)), atom);
    return name == "fn" || name == "kernel" ? Value(atom) : Value::host();
  case AtomKind::Launcher:
    return name == "__call__" ? Value(atom) : Value::host();
  case AtomKind::Tensor:
    return attributeOfTensor(atom, name);
  case AtomKind::Object:
    break;
  }
  const Object &object = state.get(atom.object);
  switch (object.kind) {
  case ObjectKind::Instance:
    return attributeOfInstance(atom, name, site);
  case ObjectKind::Class:
    return attributeOfClass(atom, name, site);
  case ObjectKind::Super: {
    Value self = object.callee;
    ObjectId owner = object.owner;
    const Atom *instance = self.single();
    ObjectId cls = instance && lookAt(*instance, ObjectKind::Instance) ? state.get(instance->object).parent
                   : instance && lookAt(*instance, ObjectKind::Class)  ? instance->object
                                                                       : owner;
    if (!instance)
      return Value::host();
    if (const Value *found = findInClass(cls, name, owner))
      return bindToInstance(*found, *instance, cls, site);
    bool isAfter = false;
    for (const Atom &base : linearise(cls)) {
      if (isAfter && base.kind == AtomKind::Path)
        return attributeOfForeignBase(base.text, *instance, name);
      isAfter |= base.kind == AtomKind::Object && base.object == owner;
    }
    return makeBound(Value::path(save("builtins.object." + name)), self);
  }
  case ObjectKind::Scope:
    if (auto at = object.fields.find(name); at != object.fields.end()) // the module as an object
      return at->second;
    return makeBound(Value::path(save("container." + name)), atom);
  case ObjectKind::Sequence:
  case ObjectKind::Dict:
  case ObjectKind::Attributes:
    return makeBound(Value::path(save("container." + name)), atom);
  case ObjectKind::Property: // x.setter
    return makeBound(Value::path("property.setter"), atom);
  case ObjectKind::Function:
  case ObjectKind::Bound:
  case ObjectKind::Cached:
    if (name == "__call__" || name == "__wrapped__" || name == "__func__")
      return atom;
    if (name == "register_kernel" || name == "register_torch_dispatch" || name == "register_vmap")
      report(site, name.str(), "replaces what the function does", /*always=*/true);
    if (auto at = object.fields.find(name); object.kind == ObjectKind::Function && at != object.fields.end())
      return at->second;
    return Value::host();
  case ObjectKind::Sequential:
    return object.all();
  default:
    return Value::host();
  }
}

Value Interpreter::attributeOfTensor(const Atom &atom, llvm::StringRef name) {
  if (isHostAttribute(name)) {
    useAsTensor(atom);
    return Value::host();
  }
  if (isViewAttribute(name)) {
    useAsTensor(atom);
    return atom;
  }
  if (name == "__class__")
    return Value::path("torch.Tensor");
  return makeBound(Value::path(save("torch.Tensor." + name)), atom);
}

Value Interpreter::bindToInstance(const Value &found, const Atom &self, ObjectId cls, Site site) {
  Value result;
  bool isClass = lookAt(self, ObjectKind::Class);
  for (const Atom &atom : Value(found).atoms) {
    const Object *object = atom.kind == AtomKind::Object ? &state.get(atom.object) : nullptr;
    if (!object) {
      result.add(atom);
      continue;
    }
    switch (object->kind) {
    case ObjectKind::Function:
    case ObjectKind::Cached:
      result.add(isClass ? Value(atom) : makeBound(atom, self));
      break;
    case ObjectKind::Static:
      result.add(object->callee);
      break;
    case ObjectKind::ClassMethod:
      result.add(makeBound(object->callee, Value::object(cls)));
      break;
    case ObjectKind::Property: {
      if (isClass) {
        result.add(atom);
        break;
      }
      Value getter = object->callee;
      bool isCached = object->isExact == false;
      Arguments arguments;
      arguments.positional.push_back(self);
      result.add(isCached ? callCached(getter, arguments, site) : call(getter, arguments, site));
      break;
    }
    default:
      result.add(atom);
    }
  }
  return result;
}

Value Interpreter::attributeOfInstance(const Atom &atom, llvm::StringRef name, Site site) {
  const Object &object = state.get(atom.object);
  ObjectId cls = object.parent;
  if (auto at = object.fields.find(name); at != object.fields.end()) {
    Value result = at->second;
    result.add(object.rest);
    return result;
  }
  if (const Value *found = findInClass(cls, name))
    return bindToInstance(*found, atom, cls, site);
  if (name == "__class__")
    return Value::object(cls);
  if (name == "__dict__" || name == "_modules" || name == "_parameters" || name == "_buffers") {
    Object attributes(ObjectKind::Attributes);
    attributes.parent = atom.object;
    return Value::object(make(std::move(attributes)));
  }
  if (!object.rest.empty())
    return object.rest;
  if (findInClass(cls, "__getattr__")) {
    Arguments arguments;
    arguments.positional.push_back(Value::string(name));
    return call(attributeOf(atom, "__getattr__", site), arguments, site);
  }
  for (const Atom &base : linearise(cls))
    if (base.kind == AtomKind::Path)
      return attributeOfForeignBase(base.text, atom, name);
  return makeBound(Value::path(save("builtins.object." + name)), atom);
}

Value Interpreter::attributeOfForeignBase(llvm::StringRef base, const Atom &self, llvm::StringRef name) {
  if (name == "training")
    return Value::host();
  if (base.starts_with("torch.nn.") && base != "torch.nn.Module" && isWeightName(name))
    return makeTensor(Origin::Parameter);
  return makeBound(Value::path(save(base + "." + name)), self);
}

Value Interpreter::attributeOfClass(const Atom &atom, llvm::StringRef name, Site site) {
  if (name == "__dict__") {
    Object dict(ObjectKind::Dict);
    dict.fields = state.get(atom.object).fields;
    return Value::object(make(std::move(dict)));
  }
  if (const Value *found = findInClass(atom.object, name))
    return bindToInstance(*found, atom, atom.object, site);
  if (name == "apply" && (derivesFrom(atom.object, "torch.autograd.Function") ||
                          derivesFrom(atom.object, "torch.autograd.function.Function")))
    return makeBound(Value::path("autograd.apply"), atom);
  for (const Atom &base : linearise(atom.object))
    if (base.kind == AtomKind::Path)
      return Value::path(save(base.text + "." + name));
  return name == "__name__" || name == "__qualname__" ? Value::host() : Value::path(save("builtins.object." + name));
}

// Any of them: the name is not in the source.
Value Interpreter::anyAttribute(const Value &value, Site site) {
  Value result;
  for (const Atom &atom : value.atoms) {
    if (atom.kind == AtomKind::Path) {
      result.add(Value::path(save(atom.text + ".?")));
    } else if (atom.kind == AtomKind::Tensor) {
      result.add(makeBound(Value::path("torch.Tensor.?"), atom));
    } else if (const Object *instance = lookAt(atom, ObjectKind::Instance)) {
      ObjectId cls = instance->parent;
      result.add(instance->all());
      for (const Atom &base : linearise(cls))
        if (base.kind == AtomKind::Object)
          for (const auto &[name, member] : std::map(state.get(base.object).fields))
            if (!name.starts_with("__"))
              result.add(bindToInstance(member, atom, cls, site));
    } else if (const Object *cls = lookAt(atom, ObjectKind::Class)) {
      result.add(cls->all());
    } else {
      result.add(attributeOf(atom, "?", site));
    }
  }
  return result;
}

void Interpreter::reportPatch(llvm::StringRef path, Site site) {
  if (!isSetting(path) && !path.starts_with("builtins.object"))
    report(site, path.str(), "replaces something in another module", /*always=*/true);
}

void Interpreter::setAttribute(const Value &object, llvm::StringRef name, const Value &value, Site site) {
  if (!state.alive)
    return;
  bool isOnly = object.atoms.size() == 1;
  for (const Atom &atom : object.atoms) {
    if (atom.kind == AtomKind::Path) {
      reportPatch(save(atom.text + "." + name), site);
    } else if (atom.kind == AtomKind::Tensor) {
      if (name == "data")
        copyInto(atom, value);
    } else if (atom.kind == AtomKind::Foreign || atom.kind == AtomKind::Host) {
      if (holdsTensor(value) && !atom.text.starts_with("autograd.context"))
        report(site, name.str(), "keeps a tensor in an object that is not in this file");
    } else if (atom.kind == AtomKind::Object) {
      ObjectKind kind = state.get(atom.object).kind;
      if (kind == ObjectKind::Instance) {
        const Value *member = findInClass(state.get(atom.object).parent, "__setattr__");
        if (member && frame().function && frame().function->name != "__setattr__") {
          Arguments arguments;
          arguments.positional = {Value::string(name), value};
          call(makeBound(*member, atom), arguments, site);
        }
      }
      if (kind != ObjectKind::Instance && kind != ObjectKind::Class && kind != ObjectKind::Function &&
          kind != ObjectKind::Scope)
        continue;
      Value &field = state.change(atom.object).fields[name];
      if (isOnly)
        field = value;
      else
        field.add(value);
    }
  }
}

void Interpreter::setAnyAttribute(const Value &object, const Value &value, Site site) {
  for (const Atom &atom : object.atoms) {
    if (atom.kind == AtomKind::Path)
      reportPatch(save(atom.text + ".?"), site);
    else if (atom.kind == AtomKind::Object)
      state.change(atom.object).rest.add(value);
  }
}

llvm::SmallVector<Atom, 4> Interpreter::linearise(ObjectId cls) const {
  llvm::SmallVector<Atom, 4> order;
  llvm::SmallVector<Atom, 8> pending{Value::object(cls).atoms[0]};
  while (!pending.empty() && order.size() < maxBases) {
    Atom next = pending.pop_back_val();
    if (llvm::is_contained(order, next))
      continue;
    if (next.kind == AtomKind::Path) {
      order.push_back(next);
    } else if (const Object *object = lookAt(next, ObjectKind::Class)) {
      order.push_back(next);
      for (const Value &base : llvm::reverse(object->elements))
        for (const Atom &atom : base.atoms)
          pending.push_back(atom);
    }
  }
  return order;
}

const Value *Interpreter::findInClass(ObjectId cls, llvm::StringRef name, ObjectId after) const {
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

bool Interpreter::derivesFrom(ObjectId cls, llvm::StringRef path) const {
  return llvm::any_of(linearise(cls),
                      [&](const Atom &base) { return base.kind == AtomKind::Path && base.text == path; });
}

bool Interpreter::isTensorClass(ObjectId cls) const {
  return findInClass(cls, "__torch_function__") || findInClass(cls, "__torch_dispatch__") ||
         llvm::any_of(linearise(cls),
                      [](const Atom &base) { return base.kind == AtomKind::Path && isTensorBase(base.text); });
}

} // namespace tilesmith::lint
