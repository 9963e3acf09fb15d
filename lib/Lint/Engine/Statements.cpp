#include "Interpreter.h"

#include "../Names/Names.h"

namespace tilesmith::lint {

using namespace ast;

void Statements::exec(Body body) {
  for (const Stmt *stmt : body) {
    if (!state.alive)
      return;
    exec(*stmt);
    control.mayRaise();
  }
}

void Statements::exec(const Stmt &stmt) {
  World::Nesting guard(world);
  if (!world.step())
    return;
  switch (stmt.kind) {
  case Kind::FunctionDef:
    scopes.assignName(llvm::cast<FunctionDef>(stmt).name, decorate(defineFunction(llvm::cast<FunctionDef>(stmt)),
                                                                   llvm::cast<FunctionDef>(stmt).decorators));
    return;
  case Kind::Return:
    return execReturn(llvm::cast<Return>(stmt));
  case Kind::Assign: {
    auto &assignment = llvm::cast<Assign>(stmt);
    Value value = expressions.eval(*assignment.value);
    for (const Expr *target : assignment.targets)
      if (state.alive)
        assign(*target, value);
    return;
  }
  case Kind::AugAssign: {
    auto &augmented = llvm::cast<AugAssign>(stmt);
    Value before = expressions.eval(*augmented.target), value = expressions.eval(*augmented.value);
    if (state.alive) {
      std::string spelled = (spelling(augmented.op) + "=").str();
      Value after = operators.binary(augmented.op, before, value, *augmented.target, spelled);
      containers.growInPlace(before, value);
      assign(*augmented.target, after);
    }
    return;
  }
  case Kind::AnnAssign:
    expressions.eval(*llvm::cast<AnnAssign>(stmt).annotation);
    if (auto &annotated = llvm::cast<AnnAssign>(stmt); annotated.value && state.alive)
      assign(*annotated.target, expressions.eval(*annotated.value));
    return;
  case Kind::For:
    return control.execFor(llvm::cast<For>(stmt));
  case Kind::While:
    return control.execWhile(llvm::cast<While>(stmt));
  case Kind::If:
    return control.execIf(llvm::cast<If>(stmt));
  case Kind::With:
    return control.execWith(llvm::cast<With>(stmt));
  case Kind::Assert:
    if (operators.truthOf(expressions.eval(*llvm::cast<Assert>(stmt).condition)) == Truth::False)
      state.alive = false;
    return;
  case Kind::ExprStmt:
    expressions.eval(*llvm::cast<ExprStmt>(stmt).value);
    return;
  case Kind::OtherStmt:
    return execOther(llvm::cast<OtherStmt>(stmt));
  default:
    return;
  }
}

void Statements::execOther(const OtherStmt &stmt) {
  if (auto *cls = llvm::dyn_cast<ClassDef>(&stmt))
    return execClass(*cls);
  if (auto *import = llvm::dyn_cast<Import>(&stmt))
    return execImport(*import);
  if (auto *handled = llvm::dyn_cast<Try>(&stmt))
    return control.execTry(*handled);
  if (auto *match = llvm::dyn_cast<Match>(&stmt))
    return control.execMatch(*match);
  if (auto *async = llvm::dyn_cast<AsyncStmt>(&stmt))
    return exec(*async->stmt);
  if (auto *global = llvm::dyn_cast<Global>(&stmt)) {
    for (llvm::StringRef name : global->names)
      scopes.declareElsewhere(name, global->isNonlocal);
    return;
  }
  if (stmt.className == "Break" || stmt.className == "Continue")
    return execExit(stmt);
  if (stmt.className == "Delete")
    return execDelete(stmt);
  for (const Node *child : stmt.children)
    if (auto *expr = llvm::dyn_cast<Expr>(child)) {
      Value value = expressions.eval(*expr);
      if (stmt.className == "Raise")
        control.keepRaised(value);
    }
  if (stmt.className == "Raise") {
    control.mayRaise();
    state.alive = false;
  }
}

void Statements::execExit(const OtherStmt &stmt) {
  if (std::vector<Frame::Exits> &loops = scopes.frame().loops; !loops.empty())
    (stmt.className == "Break" ? loops.back().breaks : loops.back().continues).join(state);
  state.alive = false;
}

void Statements::execDelete(const OtherStmt &stmt) {
  for (const Node *child : stmt.children)
    if (auto *attribute = llvm::dyn_cast<Attribute>(child))
      for (const Atom &atom : expressions.eval(*attribute->value).atoms)
        if (atom.kind == AtomKind::Path)
          attributes.tellPatch(world.save(atom.text + "." + attribute->name), {attribute});
}

void Statements::execImport(const Import &stmt) {
  for (const ImportedName &name : stmt.names) {
    Imported imported;
    imported.module = (stmt.isFrom ? stmt.module : name.name).str();
    if (stmt.isFrom)
      imported.name = name.name.str();
    notes.tell(stmt.range, imported.module + (stmt.isFrom ? "." + imported.name : ""), imported);
    llvm::StringRef bound = name.alias.empty() ? name.name : name.alias;
    if (!stmt.isFrom) {
      llvm::StringRef top = name.name.take_until([](char c) { return c == '.'; });
      scopes.assignName(name.alias.empty() ? top : bound, Value::path(name.alias.empty() ? top : name.name));
    } else if (name.name == "*") {
      scopes.addStar(stmt.module);
    } else {
      scopes.assignName(bound, Value::path(withoutDetours(world.save(stmt.module + "." + name.name))));
    }
  }
}

Value Statements::defineFunction(const FunctionDef &function) {
  Object object(ObjectKind::Function);
  object.node = &function;
  object.parent = scopes.frame().scope;
  object.owner = scopes.frame().function ? 0 : scopes.frame().owner;
  for (const Parameter &parameter : function.parameters)
    object.elements.push_back(parameter.defaultValue ? expressions.eval(*parameter.defaultValue) : Value());
  for (const Parameter &parameter : function.parameters)
    if (parameter.annotation)
      expressions.eval(*parameter.annotation);
  for (const Expr *annotation : function.otherAnnotations)
    expressions.eval(*annotation);
  return Value::object(world.make(std::move(object)));
}

Value Statements::decorate(Value value, Exprs decorators) {
  for (const Expr *decorator : llvm::reverse(decorators)) {
    if (!state.alive)
      break;
    value = calls.call(expressions.eval(*decorator), {value}, {decorator, decorator});
  }
  return value;
}

void Statements::execClass(const ClassDef &stmt) {
  Object cls(ObjectKind::Class);
  cls.node = &stmt;
  for (const Expr *base : stmt.bases)
    cls.elements.push_back(expressions.eval(*base));
  Arguments options;
  for (const Keyword &keyword : stmt.keywords)
    if (keyword.name != "metaclass")
      options.keywords.push_back({keyword.name, expressions.eval(*keyword.value)});
  for (const Keyword &keyword : stmt.keywords)
    if (keyword.name == "metaclass" && expressions.eval(*keyword.value).has(AtomKind::Object)) {
      Replaced replaced;
      replaced.what = Replaced::What::ObjectCreation;
      notes.tell(keyword.range, "metaclass", replaced);
    }
  ObjectId id = world.make(std::move(cls));
  if (classes.linearise(id).size() >= Classes::maxBases)
    world.giveUp();
  Object scope(ObjectKind::Scope);
  scope.parent = scopes.frame().scope;
  scope.isClassScope = true;
  ObjectId scopeId = world.make(std::move(scope));
  Frame inner;
  inner.scope = scopeId;
  inner.owner = id;
  scopes.push(std::move(inner));
  exec(stmt.body);
  scopes.pop();
  if (!state.alive)
    return;
  state.change(id).fields = state.get(scopeId).fields;
  if (state.get(id).fields.count("__subclasshook__")) { // isinstance, except and match ask it
    Replaced replaced;
    replaced.what = Replaced::What::Membership;
    notes.tell(stmt.range, "__subclasshook__", replaced);
  }
  callClassHooks(id, options);
  scopes.assignName(stmt.name, decorate(Value::object(id), stmt.decorators));
}

// What Python calls when a class is made: `__set_name__` of its members, `__init_subclass__` of its bases.
void Statements::callClassHooks(ObjectId cls, const Arguments &options) {
  for (const auto &[name, member] : std::map(state.get(cls).fields))
    for (const Atom &atom : Value(member).atoms)
      outside.protocol(atom, "__set_name__", {Value::object(cls), Value::string(name)}, {});
  const Value *hook = classes.find(cls, "__init_subclass__", cls);
  if (!hook)
    return;
  Arguments arguments = options;
  arguments.positional.push_back(Value::object(cls));
  Value callee;
  for (const Atom &atom : Value(*hook).atoms) {
    const Object *wrapped = world.lookAt(atom, ObjectKind::ClassMethod);
    callee.add(wrapped ? wrapped->callee : Value(atom));
  }
  calls.call(callee, arguments, {});
}

void Statements::execReturn(const Return &stmt) {
  Value value = stmt.value ? expressions.eval(*stmt.value) : Value::none();
  if (!state.alive)
    return;
  world.step(state.size() / 8);
  control.mayRaise();
  bool isExempt = scopes.frame().emptyDepth > 0 && !buffers.holdsStale(value);
  scopes.frame().results.push_back({std::move(value), state, stmt.range, isExempt});
  state.alive = false;
}

void Statements::assign(const Expr &target, const Value &value) {
  World::Nesting guard(world);
  if (!world.step())
    return;
  if (auto *name = llvm::dyn_cast<Name>(&target))
    return scopes.assignName(name->id, value);
  if (auto *attribute = llvm::dyn_cast<Attribute>(&target))
    return attributes.set(expressions.eval(*attribute->value), attribute->name, value, {&target});
  if (auto *subscript = llvm::dyn_cast<Subscript>(&target))
    return assignSubscript(*subscript, value);
  if (auto *starred = llvm::dyn_cast<Starred>(&target))
    return assign(*starred->value, world.makeSequenceOf(containers.iterate(value)));
  if (auto *sequence = llvm::dyn_cast<Sequence>(&target))
    assignSequence(*sequence, value);
}

void Statements::assignSequence(const Sequence &target, const Value &value) {
  bool isPlain = llvm::none_of(target.elements, [](const Expr *element) { return llvm::isa<Starred>(element); });
  std::vector<Value> elements(target.elements.size());
  for (const Atom &atom : value.atoms) {
    const Object *exact = world.lookAt(atom, ObjectKind::Sequence);
    if (exact && exact->isExact && exact->elements.size() == elements.size() && isPlain) {
      for (size_t i = 0; i != elements.size(); ++i)
        elements[i].add(exact->elements[i]);
    } else if (!atom.isNone()) {
      Value any = containers.iterate(atom);
      for (Value &element : elements)
        element.add(any);
    }
  }
  for (size_t i = 0; i != elements.size(); ++i)
    if (auto *starred = llvm::dyn_cast<Starred>(target.elements[i]))
      assign(*starred->value, world.makeSequenceOf(elements[i]));
    else
      assign(*target.elements[i], elements[i]);
}

void Statements::assignSubscript(const Subscript &target, const Value &value) {
  Value container = expressions.eval(*target.value), index = expressions.eval(*target.index);
  if (!state.alive)
    return;
  for (const Atom &atom : container.atoms) {
    const Object *object = world.lookAt(atom, ObjectKind::Instance);
    if (atom.kind == AtomKind::Tensor) {
      assignElement(atom, target, value);
    } else if (atom.kind == AtomKind::Path && !atom.text.starts_with("os.environ")) {
      llvm::StringRef path = atom.text;
      path.consume_back(".__dict__");
      attributes.tellPatch(path == "sys.modules" ? path : world.save(path + "." + containers.keyOf(index)), {&target});
    } else if (object && classes.find(object->parent, "__setitem__")) {
      calls.call(attributes.getOf(atom, "__setitem__", {&target}), {index, value}, {&target});
    } else if (object) {
      state.change(atom.object).rest.add(Value(outside.mayGive(index), value)); // of a container it derives from
    } else if (atom.kind == AtomKind::Foreign || atom.kind == AtomKind::Host) {
      if (buffers.holdsTensor(value))
        notes.tell({&target}, notes.textOf(target), TensorKept());
    } else if (atom.kind == AtomKind::Object) {
      assignEntry(atom, index, value);
    }
  }
}

void Statements::assignElement(const Atom &tensor, const Subscript &target, const Value &value) {
  buffers.useAsTensor(tensor);
  auto *slice = llvm::dyn_cast<Slice>(target.index);
  auto *constant = llvm::dyn_cast<Constant>(target.index);
  bool isWhole =
      (slice && !slice->lower && !slice->upper) || (constant && constant->constant == ConstantKind::Ellipsis);
  Atom written = tensor;
  if (!isWhole)
    written.flags |= Atom::Part;
  if (buffers.isComputedOnHost(value)) {
    HostValue stored;
    stored.use = HostValue::Use::InTensor;
    notes.tell({&target}, notes.textOf(target), stored);
  }
  if (buffers.holdsTensor(value))
    buffers.copyInto(written, buffers.tensorsIn(value));
  else if (isWhole)
    buffers.copyInto(written, world.makeTensor(Origin::Fresh));
}

void Statements::assignEntry(const Atom &container, const Value &index, const Value &given) {
  // At a place that data says: so is what is found there.
  bool isData = control.isData(index);
  Value value = control.mark(isData ? ControlFlow::marked(given) : given);
  if (Value key = outside.mayGive(index); buffers.holdsTensor(key))
    value.add(key);
  Object &object = state.change(world.storageOf(container));
  if (object.kind == ObjectKind::Sequence) {
    const Atom *position = index.single();
    bool isKnown = object.isExact && position && position->isInteger() && position->integer >= 0 &&
                   size_t(position->integer) < object.elements.size();
    if (isKnown)
      object.elements[position->integer] = value;
    else
      containers.blur(object, Value(value, containers.iterate(value))); // of a slice: its elements
  } else if (llvm::StringRef key = containers.keyOf(index); key.empty()) {
    object.rest.add(value);
  } else {
    object.fields[key] = value;
  }
}

} // namespace tilesmith::lint
