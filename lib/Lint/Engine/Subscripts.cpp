// Subscripts, keys and iteration of containers.
#include "Interpreter.h"

namespace tilesmith::lint {

using namespace ast;

// An element, or a sequence of some for a slice.
static bool isSlice(Site site) {
  auto *subscript = llvm::dyn_cast_or_null<Subscript>(site.expr);
  return subscript && llvm::isa<Slice>(subscript->index);
}

Value Containers::subscript(const Value &value, const Value &index, Site site) {
  Value result;
  for (const Atom &atom : value.atoms)
    result.add(subscriptAtom(atom, index, site));
  bool isData = !value.hasTensor() && control.isData(index); // a table that data is looked up in
  return isData ? ControlFlow::marked(result) : result;
}

Value Containers::subscriptAtom(const Atom &atom, const Value &index, Site site) {
  switch (atom.kind) {
  case AtomKind::Constant:
    return atom.isNone() ? Value() : Value::host();
  case AtomKind::Kernel:
    return launches.makeLauncher(atom.object, index, site);
  case AtomKind::Tensor:
    if (buffers.holdsBits(index)) { // looked up in a table, by what the numbers look like
      notes.tell(site, "[]", HostCompute());
      return buffers.computed(Value(atom, buffers.tensorsIn(index)));
    }
    return Value::tensor(atom.object, atom.flags | Atom::Part);
  case AtomKind::Host:
    buffers.useAsScalar(index);
    return Value::host(isSlice(site) ? atom.flags : atom.flags & ~Atom::Many);
  case AtomKind::Path:
    return subscriptPath(atom, index, site);
  case AtomKind::Foreign:
    if (atom.text == "asc.load_ascendc") {
      const Atom *name = index.single();
      llvm::StringRef text = name && name->isString() ? name->text : llvm::StringRef("kernel");
      return Value::kernel(kernels.add(nullptr, text, notes.rangeOf(site), Dsl::AscendC));
    }
    return atom;
  case AtomKind::Object:
    return subscriptObject(atom, index, site);
  case AtomKind::Launcher:
    break;
  }
  return Value::host();
}

Value Containers::subscriptPath(const Atom &atom, const Value &index, Site site) {
  llvm::StringRef path = atom.text;
  const Atom *single = index.single();
  bool isKnown = single && single->isString();
  llvm::StringRef key = isKnown ? single->text : llvm::StringRef();
  if (path == "builtins")
    return Value::path(isKnown ? world.save("builtins." + key) : llvm::StringRef("builtins.?"));
  if (path == "sys.modules")
    return single && single->kind == AtomKind::Path && single->text == Scopes::ownName
               ? Value::object(scopes.getModule())
               : libraries.moduleOf(key, site);
  if (path.consume_back(".__dict__"))
    return isKnown ? attributes.get(Value::path(path), key, site) : Value::path(world.save(path + ".?"));
  return path.starts_with("os.environ") ? Value::host() : Value(atom); // List[int] and the like
}

Value Containers::subscriptObject(const Atom &atom, const Value &index, Site site) {
  const Object &object = state.get(world.storageOf(atom));
  if (world.lookAt(atom, ObjectKind::Attributes))
    return entry(object, index);
  switch (object.kind) {
  case ObjectKind::Sequence:
  case ObjectKind::Sequential: {
    const Atom *position = index.single();
    if (object.isExact && position && position->isInteger()) {
      int64_t count = object.elements.size(),
              at = position->integer < 0 ? position->integer + count : position->integer;
      return at >= 0 && at < count ? object.elements[at] : Value();
    }
    bool isSequence = object.kind == ObjectKind::Sequence && index.has(AtomKind::Host) && isSlice(site);
    Value all = object.all();
    return isSequence ? world.makeSequenceOf(all) : all;
  }
  case ObjectKind::Dict:
  case ObjectKind::Scope:
    return entry(object, index);
  case ObjectKind::Instance:
    if (classes.find(object.parent, "__getitem__"))
      return calls.call(attributes.getOf(atom, "__getitem__", site), {index}, site);
    if (std::optional<Value> missing = outside.protocol(atom, "__missing__", {index}, site)) {
      missing->add(state.get(atom.object).all());
      return *missing;
    }
    return object.all();
  case ObjectKind::Class:
    if (const Value *found = classes.find(atom.object, "__class_getitem__")) {
      Value callee;
      for (const Atom &member : Value(*found).atoms) {
        const Object *wrapped = world.lookAt(member, ObjectKind::ClassMethod);
        callee.add(wrapped ? wrapped->callee : Value(member));
      }
      return calls.call(callee, {atom, index}, site);
    }
    return atom; // Generic[T]
  case ObjectKind::Bound:
    if (Value held = outside.mayGive(atom); buffers.holdsTensor(held)) // what is asked of a tensor is no container
      return Value(atom, buffers.tensorsIn(held, Atom::Part));
    return atom;
  default:
    return atom; // a function with a grid is still a function
  }
}

llvm::StringRef Containers::keyOf(const Value &key) {
  const Atom *atom = key.single();
  if (!atom)
    return {};
  if (atom->isString())
    return atom->text.empty() ? "#empty" : atom->text;
  if (atom->isInteger())
    return world.save("#" + llvm::Twine(atom->integer));
  if (atom->isNone())
    return "#None";
  if (atom->kind == AtomKind::Path)
    return world.save("@" + atom->text);
  return {};
}

Value Containers::entry(const Object &dict, const Value &key) {
  llvm::StringRef name = keyOf(key);
  if (name.empty())
    return dict.all();
  Value result = dict.rest;
  auto at = dict.fields.find(name);
  if (at != dict.fields.end() && !dict.isExact)
    return at->second;
  if (at != dict.fields.end())
    result.add(at->second);
  else if (dict.rest.empty())
    return dict.all();
  return result;
}

Value Containers::iterate(const Value &value) {
  Value result;
  for (const Atom &atom : value.atoms) {
    if (atom.kind == AtomKind::Tensor) {
      result.add(Value::tensor(atom.object, atom.flags | Atom::Part));
    } else if (atom.kind == AtomKind::Host) {
      Atom element = atom;
      element.flags &= ~Atom::Many;
      result.add(element);
    } else if (atom.kind == AtomKind::Foreign) {
      result.add(atom);
    } else if (atom.kind == AtomKind::Object) {
      const Object &object = state.get(atom.object);
      if (object.kind == ObjectKind::Instance && classes.find(object.parent, "__iter__"))
        result.add(iterate(calls.call(attributes.getOf(atom, "__iter__", {}), {}, {})));
      else if (object.kind == ObjectKind::Instance) {
        result.add(object.all());
        for (llvm::StringRef method : {"__next__", "__getitem__", "keys"})
          if (std::optional<Value> given =
                  outside.protocol(atom, method, method == "__getitem__" ? Arguments{Value::host()} : Arguments{}, {}))
            result.add(method == "keys" ? iterate(*given) : *given);
      } else if (object.kind == ObjectKind::Sequence && (object.node || !object.callee.empty())) {
        Value known = object.all();
        result.add(Value(known, again(atom)));
      } else if (object.kind == ObjectKind::Dict) {
        result.add(object.all()); // of items() and values(); keys are host data
        result.add(Value::host());
      } else if (object.kind != ObjectKind::Function && object.kind != ObjectKind::Class)
        result.add(object.all());
    } else {
      result.add(Value::host());
    }
  }
  return result.empty() ? Value::host() : result;
}

} // namespace tilesmith::lint
