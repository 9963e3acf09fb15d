// Statements of candidates: control flow, definitions, imports, assignments.
#include "Interpreter.h"

namespace tilesmith::lint {

using namespace ast;

namespace {

enum class Emptiness : uint8_t { No, Empty, NonEmpty };

Emptiness opposite(Emptiness test) {
  return test == Emptiness::Empty ? Emptiness::NonEmpty : test == Emptiness::NonEmpty ? Emptiness::Empty : test;
}

std::optional<double> numberOf(const Expr &expr) {
  auto *constant = llvm::dyn_cast<Constant>(&expr);
  if (!constant)
    return std::nullopt;
  if (constant->constant == ConstantKind::Int)
    return double(constant->integer);
  if (constant->constant == ConstantKind::Float)
    return constant->number;
  return std::nullopt;
}

// Whether a condition asks if there is anything to do: `n == 0`, `x.numel() > 0`, `0 in x.shape`, `not self.training`. Host code
// may answer without a kernel when there is not.
Emptiness emptinessOf(const Expr &expr, llvm::function_ref<bool(llvm::StringRef)> isNumber) {
  if (auto *compare = llvm::dyn_cast<Compare>(&expr)) {
    if (compare->operators.size() != 1)
      return Emptiness::No;
    CompareOperator op = compare->operators[0];
    std::optional<double> left = numberOf(*compare->operands[0]), right = numberOf(*compare->operands[1]);
    if (left == 0 && op == CompareOperator::In)
      return Emptiness::Empty;
    if (left == 0 && op == CompareOperator::NotIn)
      return Emptiness::NonEmpty;
    if (left && !right) { // 0 == n
      std::swap(left, right);
      op = op == CompareOperator::Lt    ? CompareOperator::Gt
           : op == CompareOperator::Gt  ? CompareOperator::Lt
           : op == CompareOperator::LtE ? CompareOperator::GtE
           : op == CompareOperator::GtE ? CompareOperator::LtE
                                        : op;
    }
    if ((right == 0 && (op == CompareOperator::Eq || op == CompareOperator::LtE)) || (right == 1 && op == CompareOperator::Lt))
      return Emptiness::Empty;
    if ((right == 0 && (op == CompareOperator::NotEq || op == CompareOperator::Gt)) || (right == 1 && op == CompareOperator::GtE))
      return Emptiness::NonEmpty;
    return Emptiness::No;
  }
  if (auto *unary = llvm::dyn_cast<UnaryOp>(&expr))
    return unary->op == UnaryOperator::Not ? opposite(emptinessOf(*unary->operand, isNumber)) : Emptiness::No;
  if (auto *logical = llvm::dyn_cast<BoolOp>(&expr)) {
    Emptiness first = emptinessOf(*logical->operands[0], isNumber);
    for (const Expr *operand : logical->operands)
      if (emptinessOf(*operand, isNumber) != first)
        return Emptiness::No;
    return first;
  }
  if (auto *call = llvm::dyn_cast<Call>(&expr)) { // `if x.numel():`
    auto *method = llvm::dyn_cast<Attribute>(call->callee);
    return method && (method->name == "numel" || method->name == "nelement") ? Emptiness::NonEmpty : Emptiness::No;
  }
  if (auto *name = llvm::dyn_cast<Name>(&expr)) // `if size:`
    return isNumber(name->id) ? Emptiness::NonEmpty : Emptiness::No;
  if (auto *attribute = llvm::dyn_cast<Attribute>(&expr))
    return attribute->name == "training" ? Emptiness::NonEmpty : Emptiness::No;
  return Emptiness::No;
}

} // namespace

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

// Runs both sides of a branch from the same state and joins what is left of them.
void Interpreter::branch(Truth truth, const Expr *condition, llvm::function_ref<void()> first, llvm::function_ref<void()> second,
                         bool mayFallThrough) {
  if (!state.alive)
    return;
  if (truth == Truth::True)
    return first();
  if (truth == Truth::False)
    return second();
  auto isNumber = [&](llvm::StringRef name) {
    Value value = lookUp(name);
    return llvm::all_of(value.atoms, [](const Atom &atom) {
      return atom.kind == AtomKind::Host && !(atom.flags & Atom::Boolean);
    });
  };
  Emptiness test = condition ? emptinessOf(*condition, isNumber) : Emptiness::No;
  step(state.size() / 8);
  State before = state;
  auto run = [&](llvm::function_ref<void()> side, bool isForEmpty) {
    size_t depth = frames.size() - 1;
    frames[depth].emptyDepth += isForEmpty;
    side();
    frames[depth].emptyDepth -= isForEmpty;
  };
  run(first, test == Emptiness::Empty);
  State after = std::move(state);
  state = std::move(before);
  run(second, test == Emptiness::NonEmpty);
  if (!mayFallThrough && after.alive) {
    state = std::move(after);
    return;
  }
  if (test == Emptiness::Empty) {
    state.join(after, State::Join::FirstWrites);
  } else {
    after.join(state, test == Emptiness::NonEmpty ? State::Join::FirstWrites : State::Join::Plain);
    state = std::move(after);
  }
}

void Interpreter::execIf(const If &stmt) {
  // A chain of tests without a last else is meant to be complete: the way past all of them is not followed.
  const If *last = &stmt;
  unsigned tests = 1;
  while (last->orElse.size() == 1 && llvm::isa<If>(last->orElse[0])) {
    last = llvm::cast<If>(last->orElse[0]);
    ++tests;
  }
  bool isOpenChain = tests > 1 && last->orElse.empty();
  // Iterative in the length of the chain only by recursion through exec, which is bounded.
  Value condition = eval(*stmt.condition);
  if (!state.alive)
    return;
  Truth truth = truthOf(condition);
  branch(truth, stmt.condition, [&] { exec(stmt.body); },
         [&] {
           auto *next = isOpenChain ? llvm::cast<If>(stmt.orElse[0]) : nullptr;
           if (next && next->orElse.empty()) {
             Value test = eval(*next->condition);
             if (state.alive)
               branch(truthOf(test), next->condition, [&] { exec(next->body); }, [] {}, /*mayFallThrough=*/false);
             return;
           }
           exec(stmt.orElse);
         });
}

// A body that runs at least once; the second round sees what the first left.
void Interpreter::loop(bool isEndless, llvm::function_ref<void()> body, Body orElse) {
  loops.emplace_back();
  loops.back().breaks.alive = loops.back().continues.alive = false;
  State after;
  after.alive = false;
  for (int round = 0; round != 2 && state.alive; ++round) {
    State before = state;
    step(state.size() / 8);
    body();
    state.join(loops.back().continues);
    loops.back().continues.alive = false;
    if (!state.alive)
      break;
    after = state; // of the last round: it began with everything the first one saw
    if (round == 0)
      state.join(before, State::Join::FirstWrites);
  }
  State breaks = std::move(loops.back().breaks);
  loops.pop_back();
  enter(std::move(after));
  if (isEndless)
    state.alive = false;
  if (state.alive)
    exec(orElse);
  state.join(breaks);
}

void Interpreter::execFor(const For &stmt) {
  Value iterable = eval(*stmt.iterable);
  if (!state.alive)
    return;
  if (isJudged() && options.strictLoops)
    report(stmt.range, "for", "Python loops are not allowed by --strict-loops");
  if (const Atom *atom = iterable.single())
    if (const Object *sequence = lookAt(*atom, ObjectKind::Sequence))
      if (sequence->isExact && sequence->elements.empty())
        return exec(stmt.orElse);
  loop(false, [&] {
    assign(*stmt.target, iterate(iterable));
    exec(stmt.body);
  }, stmt.orElse);
}

void Interpreter::execWhile(const While &stmt) {
  Truth truth = truthOf(eval(*stmt.condition));
  if (!state.alive)
    return;
  if (truth == Truth::False)
    return exec(stmt.orElse);
  if (isJudged() && options.strictLoops)
    report(stmt.range, "while", "Python loops are not allowed by --strict-loops");
  auto *constant = llvm::dyn_cast<Constant>(stmt.condition);
  loop(truth == Truth::True && constant, [&] {
    exec(stmt.body);
    if (state.alive)
      eval(*stmt.condition);
  }, stmt.orElse);
}

void Interpreter::execTry(const Try &stmt) {
  State before = state;
  unsigned launchesBefore = launchCount;
  exec(stmt.body);
  bool launched = launchCount != launchesBefore;
  State after = std::move(state);
  State raised = before; // anywhere in the body
  raised.join(after);
  bool swallows = false;
  State handled;
  handled.alive = false;
  for (const Handler &handler : stmt.handlers) {
    state = raised;
    step(state.size() / 8);
    if (handler.type)
      eval(*handler.type);
    if (!handler.name.empty())
      assignName(handler.name, Value::foreign("exception"));
    size_t results = frame().results.size();
    unsigned count = launchCount;
    exec(handler.body);
    bool leaves = !state.alive && frame().results.size() == results;
    swallows |= !leaves && launchCount == count;
    handled.join(state);
  }
  if (launched && swallows && isJudged()) {
    state.alive = true; // the report is about the statement, not about one path
    report(stmt.handlers[0].range, "except", "a failing launch is answered by other code instead of an error");
  }
  state = std::move(after);
  exec(stmt.orElse);
  state.join(handled);
  if (!stmt.finally.empty()) {
    if (state.alive) {
      exec(stmt.finally);
    } else { // on its way out
      state = raised;
      exec(stmt.finally);
      state.alive = false;
    }
  }
}

void Interpreter::execWith(const With &stmt) {
  bool suppresses = false;
  llvm::SmallVector<Value> managers;
  for (size_t i = 0; i != stmt.contexts.size() && state.alive; ++i) {
    Value manager = eval(*stmt.contexts[i]);
    managers.push_back(manager);
    suppresses |= llvm::any_of(manager.atoms, [](const Atom &atom) {
      return atom.kind == AtomKind::Foreign && atom.text == "contextlib.suppress";
    });
    Value entered;
    for (const Atom &atom : manager.atoms) {
      if (lookAt(atom, ObjectKind::Instance))
        entered.add(call(attributeOf(atom, "__enter__", {stmt.contexts[i]}), {}, {stmt.contexts[i]}));
      else if (lookAt(atom, ObjectKind::Sequence)) // a generator as context manager
        entered.add(iterate(atom));
      else
        entered.add(atom);
    }
    if (stmt.variables[i] && state.alive)
      assign(*stmt.variables[i], entered);
  }
  State before = state;
  exec(stmt.body);
  for (const Value &manager : managers)
    for (const Atom &atom : manager.atoms)
      if (state.alive && lookAt(atom, ObjectKind::Instance)) {
        Arguments arguments;
        arguments.positional.assign(3, Value::none());
        call(attributeOf(atom, "__exit__", {stmt.contexts[0]}), arguments, {stmt.contexts[0]});
      }
  if (suppresses)
    state.join(before);
}

void Interpreter::execMatch(const Match &stmt) {
  Value subject = eval(*stmt.subject);
  if (!state.alive)
    return;
  State before = state, after;
  after.alive = false;
  bool isComplete = false;
  for (const MatchCase &item : stmt.cases) {
    state = before;
    step(state.size() / 8);
    Value inner = subject;
    inner.add(iterate(subject));
    for (llvm::StringRef name : item.captures)
      assignName(name, inner);
    if (item.guard)
      eval(*item.guard);
    exec(item.body);
    after.join(state);
    isComplete |= item.isIrrefutable;
  }
  enter(std::move(after));
  if (!isComplete && stmt.cases.size() < 2)
    state.join(before);
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
    if (eval(*keyword.value).has(AtomKind::Object) && keyword.name == "metaclass" && stmt.name == "ModelNew")
      report(keyword.range, "metaclass", "replaces how ModelNew is made", /*always=*/true);
  ObjectId id = make(std::move(cls));
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
      bool isWhole = (slice && !slice->lower && !slice->upper) || (constant && constant->constant == ConstantKind::Ellipsis);
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
