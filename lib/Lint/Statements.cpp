// Statements of candidates: definitions, imports, assignments.
#include "Interpreter.h"

namespace tilesmith::lint {

using namespace ast;

void Interpreter::exec(Body body) {
  for (const Stmt *stmt : body) {
    if (!state.alive)
      return;
    exec(*stmt);
  }
}

void Interpreter::exec(const Stmt &stmt) {
  Nesting guard(*this);
  if (!step())
    return;
  switch (stmt.kind) {
  case Kind::FunctionDef:
    assignName(llvm::cast<FunctionDef>(stmt).name,
               decorate(defineFunction(llvm::cast<FunctionDef>(stmt)), llvm::cast<FunctionDef>(stmt).decorators));
    return;
  case Kind::Return:
    return execReturn(llvm::cast<Return>(stmt));
  case Kind::Assign: {
    auto &assignment = llvm::cast<Assign>(stmt);
    Value value = eval(*assignment.value);
    for (const Expr *target : assignment.targets)
      if (state.alive)
        assign(*target, value);
    return;
  }
  case Kind::AugAssign: {
    auto &augmented = llvm::cast<AugAssign>(stmt);
    Value before = eval(*augmented.target), value = eval(*augmented.value);
    if (state.alive) {
      std::string spelled = (spelling(augmented.op) + "=").str();
      assign(*augmented.target, binary(augmented.op, before, value, *augmented.target, spelled));
    }
    return;
  }
  case Kind::AnnAssign:
    if (auto &annotated = llvm::cast<AnnAssign>(stmt); annotated.value)
      assign(*annotated.target, eval(*annotated.value));
    return;
  case Kind::For:
    return execFor(llvm::cast<For>(stmt));
  case Kind::While:
    return execWhile(llvm::cast<While>(stmt));
  case Kind::If:
    return execIf(llvm::cast<If>(stmt));
  case Kind::With:
    return execWith(llvm::cast<With>(stmt));
  case Kind::Assert:
    if (truthOf(eval(*llvm::cast<Assert>(stmt).condition)) == Truth::False)
      state.alive = false;
    return;
  case Kind::ExprStmt:
    eval(*llvm::cast<ExprStmt>(stmt).value);
    return;
  case Kind::OtherStmt:
    return execOther(llvm::cast<OtherStmt>(stmt));
  default:
    return;
  }
}

void Interpreter::execOther(const OtherStmt &stmt) {
  if (auto *cls = llvm::dyn_cast<ClassDef>(&stmt))
    return execClass(*cls);
  if (auto *import = llvm::dyn_cast<Import>(&stmt))
    return execImport(*import);
  if (auto *handled = llvm::dyn_cast<Try>(&stmt))
    return execTry(*handled);
  if (auto *match = llvm::dyn_cast<Match>(&stmt))
    return execMatch(*match);
  if (auto *async = llvm::dyn_cast<AsyncStmt>(&stmt))
    return exec(*async->stmt);
  if (auto *global = llvm::dyn_cast<Global>(&stmt)) {
    for (llvm::StringRef name : global->names) {
      ObjectId scope = moduleScope;
      if (global->isNonlocal)
        for (scope = state.get(frame().scope).parent; scope && scope != moduleScope; scope = state.get(scope).parent)
          if (!state.get(scope).isClassScope && state.get(scope).fields.count(name))
            break;
      state.change(frame().scope).elsewhere[name] = scope ? scope : moduleScope;
    }
    return;
  }
  if (stmt.className == "Break" || stmt.className == "Continue") {
    if (!loops.empty())
      (stmt.className == "Break" ? loops.back().breaks : loops.back().continues).join(state);
    state.alive = false;
    return;
  }
  if (stmt.className == "Delete")
    return execDelete(stmt);
  for (const Node *child : stmt.children)
    if (auto *expr = llvm::dyn_cast<Expr>(child))
      eval(*expr);
  if (stmt.className == "Raise")
    state.alive = false;
}

void Interpreter::execDelete(const OtherStmt &stmt) {
  for (const Node *child : stmt.children)
    if (auto *attribute = llvm::dyn_cast<Attribute>(child))
      for (const Atom &atom : eval(*attribute->value).atoms)
        if (atom.kind == AtomKind::Path)
          reportPatch(save(atom.text + "." + attribute->name), {attribute});
}

void Interpreter::execImport(const Import &stmt) {
  static constexpr llvm::StringLiteral reason = "imports the reference of the task";
  for (const ImportedName &name : stmt.names) {
    llvm::StringRef module = stmt.isFrom ? stmt.module : name.name;
    bool isReference = isReferenceModule(module) || (stmt.isFrom && isReferenceModule(name.name)) ||
                       (stmt.isFrom && name.name == "Model");
    if (isReference)
      report(stmt.range, (module + (stmt.isFrom ? "." + name.name : "")).str(), reason, /*always=*/true);
    llvm::StringRef bound = name.alias.empty() ? name.name : name.alias;
    if (!stmt.isFrom) {
      llvm::StringRef top = name.name.take_until([](char c) { return c == '.'; });
      assignName(name.alias.empty() ? top : bound, Value::path(name.alias.empty() ? top : name.name));
    } else if (name.name == "*") {
      starModules.push_back(stmt.module);
    } else {
      assignName(bound, Value::path(save(stmt.module + "." + name.name)));
    }
  }
}

Value Interpreter::defineFunction(const FunctionDef &function) {
  Object object(ObjectKind::Function);
  object.node = &function;
  object.parent = frame().scope;
  object.owner = frame().function ? 0 : frame().owner;
  for (const Parameter &parameter : function.parameters)
    object.elements.push_back(parameter.defaultValue ? eval(*parameter.defaultValue) : Value());
  return Value::object(make(std::move(object)));
}

Value Interpreter::decorate(Value value, Exprs decorators) {
  for (const Expr *decorator : llvm::reverse(decorators)) {
    if (!state.alive)
      break;
    Arguments arguments;
    arguments.positional.push_back(value);
    value = call(eval(*decorator), arguments, {decorator, decorator});
  }
  return value;
}

void Interpreter::execClass(const ClassDef &stmt) {
  Object cls(ObjectKind::Class);
  cls.node = &stmt;
  for (const Expr *base : stmt.bases)
    cls.elements.push_back(eval(*base));
  for (const Keyword &keyword : stmt.keywords)
    if (eval(*keyword.value).has(AtomKind::Object) && keyword.name == "metaclass")
      report(keyword.range, "metaclass", "replaces how objects of the class are made", /*always=*/true);
  ObjectId id = make(std::move(cls));
  if (linearise(id).size() >= maxBases)
    giveUp();
  Object scope(ObjectKind::Scope);
  scope.parent = frame().scope;
  scope.isClassScope = true;
  ObjectId scopeId = make(std::move(scope));
  Frame inner;
  inner.scope = scopeId;
  inner.owner = id;
  frames.push_back(std::move(inner));
  exec(stmt.body);
  frames.pop_back();
  if (!state.alive)
    return;
  state.change(id).fields = state.get(scopeId).fields;
  assignName(stmt.name, decorate(Value::object(id), stmt.decorators));
}

void Interpreter::execReturn(const Return &stmt) {
  Value value = stmt.value ? eval(*stmt.value) : Value::none();
  if (!state.alive)
    return;
  step(state.size() / 8);
  bool isExempt = frame().emptyDepth > 0 && !holdsStale(value);
  frame().results.push_back({std::move(value), state, stmt.range, isExempt});
  state.alive = false;
}

void Interpreter::assignName(llvm::StringRef name, const Value &value) {
  Object &scope = state.change(frame().scope);
  auto at = scope.elsewhere.find(name);
  if (at != scope.elsewhere.end())
    state.change(at->second).fields[name] = value;
  else
    scope.fields[name] = value;
}

void Interpreter::assign(const Expr &target, const Value &value) {
  Nesting guard(*this);
  if (!step())
    return;
  if (auto *name = llvm::dyn_cast<Name>(&target))
    return assignName(name->id, value);
  if (auto *attribute = llvm::dyn_cast<Attribute>(&target))
    return setAttribute(eval(*attribute->value), attribute->name, value, {&target});
  if (auto *subscript = llvm::dyn_cast<Subscript>(&target))
    return assignSubscript(*subscript, value);
  if (auto *starred = llvm::dyn_cast<Starred>(&target))
    return assign(*starred->value, makeSequenceOf(iterate(value)));
  if (auto *sequence = llvm::dyn_cast<Sequence>(&target)) {
    bool isPlain = llvm::none_of(sequence->elements, [](const Expr *element) { return llvm::isa<Starred>(element); });
    std::vector<Value> elements(sequence->elements.size());
    for (const Atom &atom : value.atoms) {
      const Object *exact = lookAt(atom, ObjectKind::Sequence);
      if (exact && exact->isExact && exact->elements.size() == elements.size() && isPlain) {
        for (size_t i = 0; i != elements.size(); ++i)
          elements[i].add(exact->elements[i]);
      } else if (!atom.isNone()) {
        Value any = iterate(atom);
        for (Value &element : elements)
          element.add(any);
      }
    }
    for (size_t i = 0; i != elements.size(); ++i)
      if (auto *starred = llvm::dyn_cast<Starred>(sequence->elements[i]))
        assign(*starred->value, makeSequenceOf(elements[i]));
      else
        assign(*sequence->elements[i], elements[i]);
  }
}

void Interpreter::assignSubscript(const Subscript &target, const Value &value) {
  Value container = eval(*target.value), index = eval(*target.index);
  if (!state.alive)
    return;
  for (const Atom &atom : container.atoms) {
    if (atom.kind == AtomKind::Tensor) {
      useAsTensor(atom);
      auto *slice = llvm::dyn_cast<Slice>(target.index);
      auto *constant = llvm::dyn_cast<Constant>(target.index);
      bool isWhole =
          (slice && !slice->lower && !slice->upper) || (constant && constant->constant == ConstantKind::Ellipsis);
      Atom whole = atom;
      if (!isWhole)
        whole.flags |= Atom::Part;
      if (isComputedOnHost(value))
        report({&target}, textOf(target), "stores values computed on the host from tensor data");
      if (holdsTensor(value))
        copyInto(whole, tensorsIn(value));
      else if (isWhole)
        copyInto(whole, makeTensor(Origin::Fresh));
    } else if (atom.kind == AtomKind::Path && !llvm::StringRef(atom.text).starts_with("os.environ")) {
      llvm::StringRef path = atom.text;
      path.consume_back(".__dict__");
      reportPatch(path == "sys.modules" ? path : save(path + "." + keyOf(index)), {&target});
    } else if (const Object *object = lookAt(atom, ObjectKind::Instance);
               object && findInClass(object->parent, "__setitem__")) {
      Arguments arguments;
      arguments.positional = {index, value};
      call(attributeOf(atom, "__setitem__", {&target}), arguments, {&target});
    } else if (atom.kind == AtomKind::Foreign || atom.kind == AtomKind::Host) {
      if (holdsTensor(value))
        report({&target}, textOf(target), "keeps a tensor in an object that is not in this file");
    } else if (atom.kind == AtomKind::Object) {
      Object &object = state.change(storageOf(atom));
      const Atom *position = index.single();
      llvm::StringRef key = keyOf(index);
      if (object.kind == ObjectKind::Sequence) {
        bool isKnown = object.isExact && position && position->isInteger() && position->integer >= 0 &&
                       size_t(position->integer) < object.elements.size();
        if (isKnown) {
          object.elements[position->integer] = value;
        } else {
          object.rest = object.all();
          object.rest.add(value);
          object.elements.clear();
          object.isExact = false;
        }
      } else {
        if (key.empty())
          object.rest.add(value);
        else
          object.fields[key] = value;
      }
    }
  }
}

} // namespace tilesmith::lint
