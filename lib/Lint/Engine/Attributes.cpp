#include "Interpreter.h"

#include "../Names/Names.h"

#include "llvm/ADT/StringSet.h"

namespace tilesmith::lint {

using namespace ast;

Value Attributes::get(const Value &value, llvm::StringRef name, Site site) {
  if (!state.alive)
    return {};
  notes.tell(site, name.str(), AttributeRead());
  Value result;
  for (const Atom &atom : value.atoms)
    result.add(getOf(atom, name, site));
  return result;
}

Value Attributes::getOf(const Atom &atom, llvm::StringRef name, Site site) {
  switch (atom.kind) {
  case AtomKind::Constant:
    return atom.isNone() ? Value() : Value::host();
  case AtomKind::Host:
    return Value::host(atom.flags);
  case AtomKind::Path:
    if (atom.text.size() > 300)
      return Value::host();
    if (auto own = world.operators.find(world.save(atom.text + "." + name)); own != world.operators.end())
      return own->second;
    return Value::path(withoutDetours(world.save(atom.text + "." + name)));
  case AtomKind::Foreign:
    if (atom.text.starts_with("torch.nn.") && isWeightName(name))
      return world.makeTensor(Origin::Parameter);
    return atom.text.size() > 300 ? Value::host() : Value::foreign(world.save(atom.text + "." + name));
  case AtomKind::Kernel:
    if (name == "run" || name == "__getitem__" || name == "warmup" || name == "__call__")
      return world.makeBound(Value::path(world.save("<kernel>." + name)), atom);
    if (name == "fn" || name == "func" || name == "__wrapped__" || name == "_fn")
      return world.makeBound(Value::path("<kernel>.fn"), atom);
    return name == "kernel" ? Value(atom) : Value::host();
  case AtomKind::Launcher:
    return name == "__call__" ? Value(atom) : Value::host();
  case AtomKind::Tensor:
    return ofTensor(atom, name);
  case AtomKind::Object:
    return ofObject(atom, name, site);
  }
  return {};
}

Value Attributes::ofObject(const Atom &atom, llvm::StringRef name, Site site) {
  const Object &object = state.get(atom.object);
  switch (object.kind) {
  case ObjectKind::Instance:
    return ofInstance(atom, name, site);
  case ObjectKind::Class:
    return ofClass(atom, name, site);
  case ObjectKind::Super:
    return ofSuper(Object(object), name, site);
  case ObjectKind::Scope:
    if (auto at = object.fields.find(name); at != object.fields.end()) // the module as an object
      return at->second;
    return world.makeBound(Value::path(world.save("<container>." + name)), atom);
  case ObjectKind::Sequence:
  case ObjectKind::Dict:
  case ObjectKind::Attributes:
    return world.makeBound(Value::path(world.save("<container>." + name)), atom);
  case ObjectKind::Property: // x.setter
    if (name == "fget" || name == "fset" || name == "fdel")
      return object.callee;
    return world.makeBound(Value::path("<property>.setter"), atom);
  case ObjectKind::Function:
  case ObjectKind::Bound:
  case ObjectKind::Cached:
    return ofFunction(atom, name, site);
  case ObjectKind::Sequential:
    return object.all();
  case ObjectKind::Static:
  case ObjectKind::ClassMethod:
    return object.callee;
  default:
    return Value::host();
  }
}

Value Attributes::ofTensor(const Atom &atom, llvm::StringRef name) {
  if (isHostAttribute(name)) {
    buffers.useAsTensor(atom);
    return Value::host();
  }
  if (isViewAttribute(name)) {
    buffers.useAsTensor(atom);
    return atom;
  }
  if (name == "__class__")
    return Value::path("torch.Tensor");
  return world.makeBound(Value::path(world.save("torch.Tensor." + name)), atom);
}

Value Attributes::ofSuper(const Object &object, llvm::StringRef name, Site site) {
  const Atom *instance = object.callee.single();
  if (!instance)
    return Value::host();
  ObjectId cls = object.owner;
  if (world.lookAt(*instance, ObjectKind::Instance))
    cls = state.get(instance->object).parent;
  else if (world.lookAt(*instance, ObjectKind::Class))
    cls = instance->object;
  if (const Value *found = classes.find(cls, name, object.owner))
    return bindToInstance(*found, *instance, cls, site);
  bool isAfter = false;
  for (const Atom &base : classes.linearise(cls)) {
    if (isAfter && base.kind == AtomKind::Path)
      return ofForeignBase(base.text, *instance, name);
    isAfter |= base.kind == AtomKind::Object && base.object == object.owner;
  }
  return world.makeBound(Value::path(world.save("builtins.object." + name)), object.callee);
}

Value Attributes::ofFunction(const Atom &atom, llvm::StringRef name, Site site) {
  if (name == "__call__" || name == "__wrapped__" || name == "__func__")
    return atom;
  if (name == "register_kernel" || name == "register_torch_dispatch" || name == "register_vmap") {
    Replaced replaced;
    replaced.what = Replaced::What::Function;
    notes.tell(site, name.str(), replaced);
  }
  const Object &object = state.get(atom.object);
  if (auto at = object.fields.find(name); object.kind == ObjectKind::Function && at != object.fields.end())
    return at->second;
  // Its defaults, its arguments, and what else it holds.
  Value held = outside.mayGive(atom), result = Value::host();
  for (const Atom &inner : held.atoms)
    if (inner.kind == AtomKind::Tensor || (inner.kind == AtomKind::Object && inner != atom))
      result.add(inner);
  return result;
}

Value Attributes::bindToInstance(const Value &found, const Atom &self, ObjectId cls, Site site) {
  Value result;
  bool isClass = world.lookAt(self, ObjectKind::Class);
  for (const Atom &atom : Value(found).atoms) {
    const Object *object = atom.kind == AtomKind::Object ? &state.get(atom.object) : nullptr;
    if (!object) {
      result.add(atom);
      continue;
    }
    switch (object->kind) {
    case ObjectKind::Function:
    case ObjectKind::Cached:
      result.add(isClass ? Value(atom) : world.makeBound(atom, self));
      break;
    case ObjectKind::Static:
      result.add(object->callee);
      break;
    case ObjectKind::Instance: { // a descriptor
      Value owner = Value::object(cls);
      std::optional<Value> given =
          outside.protocol(atom, "__get__", {isClass ? Value::none() : Value(self), owner}, site);
      result.add(given ? *given : Value(atom));
      break;
    }
    case ObjectKind::ClassMethod:
      result.add(world.makeBound(object->callee, Value::object(cls)));
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
      result.add(isCached ? calls.callCached(getter, arguments, site) : calls.call(getter, arguments, site));
      break;
    }
    default:
      result.add(atom);
    }
  }
  return result;
}

Value Attributes::ofInstance(const Atom &atom, llvm::StringRef name, Site site) {
  const Object &object = state.get(atom.object);
  ObjectId cls = object.parent;
  if (auto at = object.fields.find(name); at != object.fields.end()) {
    Value result = at->second;
    result.add(object.rest);
    return result;
  }
  if (const Value *found = classes.find(cls, name))
    return bindToInstance(*found, atom, cls, site);
  if (name == "__class__")
    return Value::object(cls);
  if (name == "__dict__" || name == "_modules" || name == "_parameters" || name == "_buffers") {
    Object attributes(ObjectKind::Attributes);
    attributes.parent = atom.object;
    return Value::object(world.make(std::move(attributes)));
  }
  if (!object.rest.empty())
    return object.rest;
  if (classes.find(cls, "__getattr__")) {
    Arguments arguments;
    arguments.positional.push_back(Value::string(name));
    return calls.call(getOf(atom, "__getattr__", site), arguments, site);
  }
  for (const Atom &base : classes.linearise(cls))
    if (base.kind == AtomKind::Path)
      return ofForeignBase(base.text, atom, name);
  return world.makeBound(Value::path(world.save("builtins.object." + name)), atom);
}

Value Attributes::ofForeignBase(llvm::StringRef base, const Atom &self, llvm::StringRef name) {
  if (name == "training")
    return Value::host();
  if (base.starts_with("torch.nn.") && base != "torch.nn.Module" && isWeightName(name))
    return world.makeTensor(Origin::Parameter);
  return world.makeBound(Value::path(world.save(base + "." + name)), self);
}

Value Attributes::ofClass(const Atom &atom, llvm::StringRef name, Site site) {
  if (name == "__dict__") {
    Object dict(ObjectKind::Dict);
    dict.fields = state.get(atom.object).fields;
    return Value::object(world.make(std::move(dict)));
  }
  if (const Value *found = classes.find(atom.object, name))
    return bindToInstance(*found, atom, atom.object, site);
  if (name == "apply" && (classes.derivesFrom(atom.object, "torch.autograd.Function") ||
                          classes.derivesFrom(atom.object, "torch.autograd.function.Function")))
    return world.makeBound(Value::path("<autograd>.apply"), atom);
  for (const Atom &base : classes.linearise(atom.object))
    if (base.kind == AtomKind::Path)
      return Value::path(world.save(base.text + "." + name));
  return name == "__name__" || name == "__qualname__" ? Value::host()
                                                      : Value::path(world.save("builtins.object." + name));
}

Value Attributes::getNamed(const Value &value, const Value &name, Site site) {
  const Atom *key = name.single();
  return key && key->isString() ? get(value, key->text, site) : getAny(value, site);
}

// Any of them: the name is not in the source.
Value Attributes::getAny(const Value &value, Site site) {
  Value result;
  for (const Atom &atom : value.atoms) {
    if (atom.kind == AtomKind::Path) {
      result.add(Value::path(world.save(atom.text + ".?")));
    } else if (atom.kind == AtomKind::Tensor) {
      result.add(world.makeBound(Value::path("torch.Tensor.?"), atom));
    } else if (const Object *instance = world.lookAt(atom, ObjectKind::Instance)) {
      ObjectId cls = instance->parent;
      result.add(instance->all());
      for (const Atom &base : classes.linearise(cls))
        if (base.kind == AtomKind::Object)
          for (const auto &[name, member] : std::map(state.get(base.object).fields))
            if (!name.starts_with("__"))
              result.add(bindToInstance(member, atom, cls, site));
    } else if (const Object *cls = world.lookAt(atom, ObjectKind::Class)) {
      result.add(cls->all());
    } else {
      result.add(getOf(atom, "?", site));
    }
  }
  return result;
}

void Attributes::tellPatch(llvm::StringRef path, Site site) {
  if (path.starts_with("builtins.object")) // stands for members of objects that nothing in the file defines
    return;
  Replaced replaced;
  replaced.path = path.str();
  notes.tell(site, path.str(), replaced);
}

void Attributes::set(const Value &object, llvm::StringRef name, const Value &value, Site site) {
  if (!state.alive)
    return;
  static const llvm::StringSet<> machinery{"__class__",   "__bases__", "__code__", "__defaults__", "__kwdefaults__",
                                           "__globals__", "__dict__",  "__mro__",  "__wrapped__"};
  bool isOnly = object.atoms.size() == 1;
  if (machinery.contains(name) && object.has(AtomKind::Object)) {
    Replaced replaced;
    replaced.what = name == "__class__" || name == "__bases__" || name == "__mro__" ? Replaced::What::ObjectCreation
                                                                                    : Replaced::What::Function;
    notes.tell(site, name.str(), replaced);
  }
  for (const Atom &atom : object.atoms) {
    if (atom.kind == AtomKind::Path) {
      tellPatch(world.save(atom.text + "." + name), site);
    } else if (atom.kind == AtomKind::Tensor) {
      if (name == "data")
        buffers.copyInto(atom, value);
    } else if (atom.kind == AtomKind::Foreign || atom.kind == AtomKind::Host) {
      if (buffers.holdsTensor(value) && !atom.text.starts_with("<autograd>.context"))
        notes.tell(site, name.str(), TensorKept());
    } else if (atom.kind == AtomKind::Object) {
      ObjectKind kind = state.get(atom.object).kind;
      if (kind == ObjectKind::Instance) {
        const Value *member = classes.find(state.get(atom.object).parent, "__setattr__");
        if (member && scopes.frame().function && scopes.frame().function->name != "__setattr__") {
          Arguments arguments;
          arguments.positional = {Value::string(name), value};
          calls.call(world.makeBound(*member, atom), arguments, site);
        }
        if (const Value *described = classes.find(state.get(atom.object).parent, name))
          for (const Atom &descriptor : Value(*described).atoms) {
            const Object *property = world.lookAt(descriptor, ObjectKind::Property);
            outside.protocol(descriptor, "__set__", {atom, value}, site);
            if (property && !property->rest.empty())
              calls.call(property->rest, {atom, value}, site);
          }
      }
      if (kind != ObjectKind::Instance && kind != ObjectKind::Class && kind != ObjectKind::Function &&
          kind != ObjectKind::Scope)
        continue;
      Value &field = state.change(atom.object).fields[name];
      if (isOnly)
        field = control.mark(value);
      else
        field.add(control.mark(value));
    }
  }
}

void Attributes::setNamed(const Value &object, const Value &name, const Value &value, Site site) {
  const Atom *key = name.single();
  if (key && key->isString())
    set(object, key->text, value, site);
  else
    setAny(object, value, site);
}

void Attributes::setAny(const Value &object, const Value &value, Site site) {
  for (const Atom &atom : object.atoms) {
    if (atom.kind == AtomKind::Path)
      tellPatch(world.save(atom.text + ".?"), site);
    else if (atom.kind == AtomKind::Object)
      state.change(atom.object).rest.add(value);
  }
}

} // namespace tilesmith::lint
