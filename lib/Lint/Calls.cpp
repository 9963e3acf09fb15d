// Calls of functions, classes and objects of the file.
#include "Interpreter.h"

namespace tilesmith::lint {

using namespace ast;

Value Arguments::all() const {
  Value result = rest;
  for (const Value &value : positional)
    result.add(value);
  for (const auto &[name, value] : keywords)
    result.add(value);
  return result;
}

const Value *Arguments::keyword(llvm::StringRef name) const {
  for (const auto &[key, value] : keywords)
    if (key == name)
      return &value;
  return nullptr;
}

const Value *Arguments::get(size_t position, llvm::StringRef name) const {
  if (position < positional.size())
    return &positional[position];
  if (const Value *value = keyword(name))
    return value;
  return hasRest ? &rest : nullptr;
}

Arguments Interpreter::evalArguments(const Call &call) {
  Arguments arguments;
  for (const Expr *argument : call.arguments) {
    Value value = eval(*argument);
    if (!llvm::isa<Starred>(argument)) {
      if (arguments.hasRest)
        arguments.rest.add(value); // its position is not known any more
      else
        arguments.positional.push_back(std::move(value));
      continue;
    }
    const Atom *atom = value.single();
    const Object *sequence = atom ? lookAt(*atom, ObjectKind::Sequence) : nullptr;
    if (sequence && sequence->isExact && !arguments.hasRest) {
      llvm::append_range(arguments.positional, sequence->elements);
    } else {
      arguments.hasRest = true;
      arguments.rest.add(iterate(value));
    }
  }
  for (const Keyword &keyword : call.keywords) {
    Value value = eval(*keyword.value);
    if (!keyword.name.empty()) {
      arguments.keywords.push_back({keyword.name, std::move(value)});
      continue;
    }
    const Atom *atom = value.single();
    const Object *dict = atom ? lookAt(*atom, ObjectKind::Dict) : nullptr;
    if (dict) {
      for (const auto &[name, entry] : dict->fields)
        arguments.keywords.push_back({name, entry});
      if (!dict->rest.empty()) {
        arguments.hasRest = true;
        arguments.rest.add(dict->rest);
      }
    } else {
      arguments.hasRest = true;
      arguments.rest.add(iterate(value));
    }
  }
  return arguments;
}

Value Interpreter::evalCall(const ast::Call &expr) {
  Value callee = eval(*expr.callee);
  Arguments arguments = evalArguments(expr);
  return state.alive ? call(callee, arguments, {&expr, expr.callee}) : Value();
}

Value Interpreter::call(const Value &callee, const Arguments &arguments, Site site) {
  Nesting guard(*this);
  if (!step())
    return {};
  llvm::SmallVector<Atom, 2> atoms;
  for (const Atom &atom : callee.atoms)
    if (!atom.isNone() || callee.atoms.size() == 1)
      atoms.push_back(atom);
  bool hasEffects = llvm::any_of(atoms, [](const Atom &atom) {
    return atom.kind == AtomKind::Object || atom.kind == AtomKind::Kernel || atom.kind == AtomKind::Launcher;
  });
  if (atoms.size() == 1 || !hasEffects) {
    Value result;
    for (const Atom &atom : atoms)
      if (state.alive)
        result.add(callAtom(atom, arguments, site));
    return result;
  }
  State before = state, after;
  after.alive = false;
  Value result;
  for (const Atom &atom : atoms) {
    state = before;
    step(state.size() / 8);
    result.add(callAtom(atom, arguments, site));
    after.join(state);
  }
  enter(std::move(after));
  return result;
}

Value Interpreter::callAtom(const Atom &atom, const Arguments &arguments, Site site) {
  switch (atom.kind) {
  case AtomKind::Constant:
  case AtomKind::Host:
    if (holdsTensor(arguments.all())) {
      report(site, spellCall(site, "call", "(...)"), "calls something that cannot be resolved, with tensors");
      return computed(arguments.all());
    }
    callBack(arguments, site);
    return Value::host(atom.kind == AtomKind::Host ? atom.flags : 0);
  case AtomKind::Path:
    return callPath(atom.text, arguments, site);
  case AtomKind::Foreign:
    return callForeign(atom.text, arguments, site);
  case AtomKind::Kernel:
    return launch(atom.object, arguments, site);
  case AtomKind::Launcher:
    return atom.flags & Atom::Idle ? Value::none() : launch(atom.object, arguments, site);
  case AtomKind::Tensor:
    report(site, spellCall(site, "call", "(...)"), "calls something that cannot be resolved");
    return computed(arguments.all());
  case AtomKind::Object:
    return callObject(atom, arguments, site);
  }
  return {};
}

Value Interpreter::callObject(const Atom &atom, const Arguments &arguments, Site site) {
  const Object object = state.get(atom.object); // a copy: the call changes the state
  switch (object.kind) {
  case ObjectKind::Function:
    return callFunction(atom.object, arguments, site);
  case ObjectKind::Class:
    return callClass(atom.object, arguments, site);
  case ObjectKind::Instance:
    return callInstance(atom, arguments, site);
  case ObjectKind::Bound: {
    Arguments all;
    all.positional.assign(object.elements.begin(), object.elements.end());
    llvm::append_range(all.positional, arguments.positional);
    all.keywords = arguments.keywords;
    for (const auto &[name, value] : object.fields)
      if (!arguments.keyword(name))
        all.keywords.push_back({name, value});
    all.rest = arguments.rest;
    all.hasRest = arguments.hasRest;
    return call(object.callee, all, site);
  }
  case ObjectKind::Static:
  case ObjectKind::ClassMethod:
    return call(object.callee, arguments, site);
  case ObjectKind::Cached:
    return callCached(object.callee, arguments, site);
  case ObjectKind::Sequential: {
    Arguments next = arguments;
    Value value;
    for (const Value &module : object.elements) {
      value = call(module, next, site);
      next = Arguments();
      next.positional.push_back(value);
    }
    if (!object.isExact) {
      value = call(object.rest, next, site);
      value.add(arguments.all());
    }
    return value;
  }
  default:
    if (holdsTensor(arguments.all()))
      report(site, spellCall(site, "call", "(...)"), "calls something that cannot be resolved, with tensors");
    return Value::host();
  }
}

Value Interpreter::callCached(const Value &callee, const Arguments &arguments, Site site) {
  Value result = call(callee, arguments, site);
  bool keepsTensors = false;
  forEachTensor(
      result, [&](const Atom &tensor) { keepsTensors |= state.get(tensor.object).buffer.origin != Origin::Parameter; });
  if (keepsTensors && state.alive)
    report(site, spellCall(site, "cache", "(...)"), "keeps tensors from call to call");
  return result;
}

void Interpreter::bindParameters(const Object &function, const FunctionDef &node, const Arguments &arguments,
                                 Object &scope) {
  size_t next = 0;
  llvm::StringSet<> used;
  for (size_t i = 0; i != node.parameters.size(); ++i) {
    const Parameter &parameter = node.parameters[i];
    Value value;
    if (!parameter.isKeywordOnly && next < arguments.positional.size()) {
      value = arguments.positional[next++];
    } else if (const Value *given = arguments.keyword(parameter.name)) {
      value = *given;
      used.insert(parameter.name);
    } else {
      if (i < function.elements.size())
        value = function.elements[i];
      if (arguments.hasRest)
        value.add(arguments.rest);
      if (value.empty())
        value = Value::host(); // an argument is missing
    }
    scope.fields[parameter.name] = value;
  }
  if (!node.restName.empty()) {
    std::vector<Value> further(arguments.positional.begin() + next, arguments.positional.end());
    if (arguments.hasRest) {
      Value rest = arguments.rest;
      for (const Value &value : further)
        rest.add(value);
      scope.fields[node.restName] = makeSequenceOf(rest);
    } else {
      scope.fields[node.restName] = makeSequence(std::move(further));
    }
  }
  if (!node.keywordsName.empty()) {
    Object dict(ObjectKind::Dict);
    for (const auto &[name, value] : arguments.keywords)
      if (!used.contains(name))
        dict.fields[name] = value;
    if (arguments.hasRest)
      dict.rest = arguments.rest;
    scope.fields[node.keywordsName] = Value::object(make(std::move(dict)));
  }
}

Value Interpreter::callFunction(ObjectId id, const Arguments &arguments, Site site) {
  const Object function = state.get(id);
  auto &node = *llvm::cast<FunctionDef>(function.node);
  // A recursion adds nothing after its third level: its results come from the levels before.
  if (llvm::count_if(frames, [&](const Frame &frame) { return frame.function == &node; }) >= 3) {
    state.alive = false;
    return {};
  }
  if (frames.size() >= maxCalls) {
    giveUp();
    return {};
  }
  Object scope(ObjectKind::Scope);
  scope.parent = function.parent;
  bindParameters(function, node, arguments, scope);
  Frame inner;
  inner.function = &node;
  inner.owner = function.owner;
  if (!node.parameters.empty())
    inner.self = scope.fields[node.parameters[0].name];
  inner.scope = make(std::move(scope));
  std::vector<Loop> outerLoops = std::move(loops);
  loops.clear();
  frames.push_back(std::move(inner));
  exec(node.body);
  Frame done = std::move(frames.back());
  frames.pop_back();
  loops = std::move(outerLoops);

  if (state.alive)
    done.results.push_back({Value::none(), state, node.range, false});
  // What is returned for empty tensors does not stand for the function, unless there is nothing else.
  bool hasOthers = llvm::any_of(done.results, [](const Result &result) { return !result.isExempt; });
  state.alive = false;
  Value value;
  for (const Result &result : done.results) {
    if (hasOthers && result.isExempt)
      continue;
    value.add(result.value);
    state.join(result.state);
  }
  if (frames.size() == 1)
    forwardResults = std::move(done.results);
  if (done.hasYield && state.alive)
    return makeSequenceOf(done.yields);
  return value;
}

Value Interpreter::callClass(ObjectId cls, const Arguments &arguments, Site site) {
  if (isTensorClass(cls) && phase == Phase::Forward)
    report(site, spellCall(site, "tensor class", "(...)"), "makes an object that only looks like a tensor");
  if (const Value *maker = findInClass(cls, "__new__"); maker && frames.size() < maxCalls / 2) {
    Arguments all = arguments;
    all.positional.insert(all.positional.begin(), Value::object(cls));
    Value callee = *maker;
    for (const Atom &atom : callee.atoms)
      if (const Object *wrapped = lookAt(atom, ObjectKind::Static))
        callee = wrapped->callee;
    Value made = call(callee, all, site);
    // An object made by object.__new__ is foreign; anything else is what the class gives.
    if (!made.has(AtomKind::Foreign) || !state.alive)
      return made;
  }
  Object object(ObjectKind::Instance);
  object.parent = cls;
  Value instance = Value::object(make(std::move(object)));
  if (findInClass(cls, "__init__")) {
    call(attributeOf(instance.atoms[0], "__init__", site), arguments, site);
  } else { // a data class: fields in order of their annotations
    size_t next = 0;
    if (auto *node = llvm::dyn_cast_or_null<ClassDef>(state.get(cls).node))
      for (const Stmt *stmt : node->body)
        if (auto *field = llvm::dyn_cast<AnnAssign>(stmt))
          if (auto *name = llvm::dyn_cast<Name>(field->target); name && next < arguments.positional.size())
            setAttribute(instance, name->id, arguments.positional[next++], site);
    for (const auto &[name, value] : arguments.keywords)
      setAttribute(instance, name, value, site);
    if (findInClass(cls, "__post_init__"))
      call(attributeOf(instance.atoms[0], "__post_init__", site), {}, site);
  }
  return state.alive ? instance : Value();
}

Value Interpreter::callInstance(const Atom &atom, const Arguments &arguments, Site site) {
  ObjectId cls = state.get(atom.object).parent;
  if (findInClass(cls, "__call__"))
    return call(attributeOf(atom, "__call__", site), arguments, site);
  if (state.get(atom.object).fields.count("forward") || findInClass(cls, "forward"))
    return call(attributeOf(atom, "forward", site), arguments, site);
  for (const Atom &base : linearise(cls))
    if (base.kind == AtomKind::Path && base.text != "torch.nn.Module")
      return callForeign(base.text, arguments, site);
  return callUnknown("object", arguments, site);
}

// Functions handed to code we cannot see are called there, with the tensors that are handed over beside them.
void Interpreter::callBack(const Arguments &arguments, Site site) {
  Value tensors = tensorsIn(arguments.all());
  Arguments inner;
  inner.hasRest = true;
  inner.rest = tensors.empty() ? Value::host() : tensors;
  for (const Atom &atom : arguments.all().atoms) {
    bool isCallable =
        lookAt(atom, ObjectKind::Function) || lookAt(atom, ObjectKind::Bound) || lookAt(atom, ObjectKind::Cached);
    if (isCallable && state.alive && isJudged() && frames.size() < maxCalls / 2) {
      branch(Truth::Unknown, nullptr, [&] { call(atom, inner, site); }, [] {});
    }
  }
}

Value Interpreter::callForeign(llvm::StringRef path, const Arguments &arguments, Site site) {
  // What a decorator with options of another module wraps while the file is imported, it gives back.
  if (phase == Phase::Import && arguments.positional.size() == 1 && arguments.keywords.empty())
    for (const Atom &atom : arguments.positional[0].atoms)
      if (lookAt(atom, ObjectKind::Function) || lookAt(atom, ObjectKind::Class) || atom.kind == AtomKind::Kernel)
        return arguments.positional[0];
  if (path.starts_with("autograd.context"))
    return Value::foreign("autograd.context");
  bool readsFile = path.ends_with(".read_text") || path.ends_with(".read_bytes") || path.ends_with(".write_text") ||
                   path.ends_with(".write_bytes") || (path.starts_with("pathlib.") && path.ends_with(".open"));
  if (readsFile)
    report(site, spellCall(site, path, "(...)"), "reads files: the task, its reference or results may be among them",
           true);
  if (holdsTensor(arguments.all())) {
    bool isLayer = path.starts_with("torch.nn.");
    report(site, spellCall(site, path, "(...)"),
           isLayer ? "calls a layer of torch.nn" : "hands tensors to code that is not in this file");
    callBack(arguments, site);
    return computed(arguments.all());
  }
  callBack(arguments, site);
  return path == "asc.load_ascendc" ? Value::foreign("call") : Value::foreign(path);
}

} // namespace tilesmith::lint
