// Subscripts and iteration.
#include "Interpreter.h"

namespace tilesmith::lint {

using namespace ast;

Value Interpreter::evalSubscript(const Subscript &expr) {
  Value value = eval(*expr.value), index = eval(*expr.index);
  return state.alive ? subscript(value, index, {&expr, expr.value}) : Value();
}

Value Interpreter::subscript(const Value &value, const Value &index, Site site) {
  Value result;
  for (const Atom &atom : value.atoms)
    result.add(subscriptAtom(atom, index, site));
  return result;
}

Value Interpreter::subscriptAtom(const Atom &atom, const Value &index, Site site) {
  switch (atom.kind) {
  case AtomKind::Constant:
    return atom.isNone() ? Value() : Value::host();
  case AtomKind::Kernel:
    return makeLauncher(atom.object, index, site);
  case AtomKind::Tensor:
    return Value::tensor(atom.object, atom.flags | Atom::Part);
  case AtomKind::Host:
    useAsScalar(index);
    return Value::host(atom.flags);
  case AtomKind::Path: {
    llvm::StringRef path = atom.text;
    const Atom *key = index.single();
    if (path == "builtins")
      return key && key->isString() ? Value::path(save("builtins." + key->text)) : Value::path("builtins.?");
    if (path == "sys.modules")
      return key && key->isString() ? moduleOf(key->text, site) : moduleOf("", site);
    if (path.consume_back(".__dict__"))
      return key && key->isString() ? attribute(Value::path(path), key->text, site) : Value::path(save(path + ".?"));
    return path.starts_with("os.environ") ? Value::host() : Value(atom); // List[int] and the like
  }
  case AtomKind::Foreign:
    if (atom.text == "asc.load_ascendc") {
      const Atom *name = index.single();
      llvm::StringRef text = name && name->isString() ? name->text : llvm::StringRef("kernel");
      return Value::kernel(kernelOf(nullptr, text, rangeOf(site), Dsl::AscendC));
    }
    return atom;
  case AtomKind::Object:
    break;
  default:
    return Value::host();
  }
  const Object &object = state.get(storageOf(atom));
  if (lookAt(atom, ObjectKind::Attributes))
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
    Value all = object.all();
    if (index.has(AtomKind::Host)) // an index, or a slice
      return object.kind == ObjectKind::Sequence && site.expr && llvm::isa<Subscript>(site.expr) &&
                     llvm::isa<Slice>(llvm::cast<Subscript>(site.expr)->index)
                 ? makeSequenceOf(all)
                 : all;
    return all;
  }
  case ObjectKind::Dict:
  case ObjectKind::Scope:
    return entry(object, index);
  case ObjectKind::Instance:
    if (findInClass(object.parent, "__getitem__")) {
      Arguments arguments;
      arguments.positional.push_back(index);
      return call(attributeOf(atom, "__getitem__", site), arguments, site);
    }
    return object.all();
  case ObjectKind::Class:
    if (const Value *found = findInClass(atom.object, "__class_getitem__")) {
      Arguments arguments;
      arguments.positional = {atom, index};
      Value callee;
      for (const Atom &member : Value(*found).atoms) {
        const Object *wrapped = lookAt(member, ObjectKind::ClassMethod);
        callee.add(wrapped ? wrapped->callee : Value(member));
      }
      return call(callee, arguments, site);
    }
    return atom; // Generic[T]
  default:
    return atom; // a function with a grid is still a function
  }
}

llvm::StringRef Interpreter::keyOf(const Value &key) {
  const Atom *atom = key.single();
  if (!atom)
    return {};
  if (atom->isString())
    return atom->text.empty() ? "#empty" : atom->text;
  if (atom->isInteger())
    return save("#" + llvm::Twine(atom->integer));
  if (atom->isNone())
    return "#None";
  if (atom->kind == AtomKind::Path)
    return save("@" + atom->text);
  return {};
}

Value Interpreter::entry(const Object &dict, const Value &key) {
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

Value Interpreter::iterate(const Value &value) {
  Value result;
  for (const Atom &atom : value.atoms) {
    if (atom.kind == AtomKind::Tensor) {
      result.add(Value::tensor(atom.object, atom.flags | Atom::Part));
    } else if (atom.kind == AtomKind::Host) {
      result.add(atom);
    } else if (atom.kind == AtomKind::Foreign) {
      result.add(atom);
    } else if (atom.kind == AtomKind::Object) {
      const Object &object = state.get(atom.object);
      if (object.kind == ObjectKind::Instance && findInClass(object.parent, "__iter__"))
        result.add(iterate(call(attributeOf(atom, "__iter__", {}), {}, {})));
      else if (object.kind == ObjectKind::Dict) {
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
