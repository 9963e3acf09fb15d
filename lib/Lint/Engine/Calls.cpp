#include "Interpreter.h"

#include "../Names/Names.h"

#include "llvm/ADT/StringSet.h"

namespace tilesmith::lint {

using namespace ast;

Value Calls::call(const Value &callee, const Arguments &arguments, Site site) {
  World::Nesting guard(world);
  if (!world.step())
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
    world.step(state.size() / 8);
    result.add(callAtom(atom, arguments, site));
    after.join(state);
  }
  world.enter(std::move(after));
  return result;
}

Value Calls::callAtom(const Atom &atom, const Arguments &arguments, Site site) {
  switch (atom.kind) {
  case AtomKind::Constant:
  case AtomKind::Host:
    tellUnresolved(UnresolvedCall::Callee::Value, arguments, site);
    return opaque(arguments, site, atom.kind == AtomKind::Host ? Value(atom) : Value::host());
  case AtomKind::Path:
    return libraries.call(atom.text, arguments, site);
  case AtomKind::Foreign:
    return callForeign(atom.text, arguments, site);
  case AtomKind::Kernel:
    return launches.launch(atom.object, arguments, site);
  case AtomKind::Launcher:
    return atom.flags & Atom::Idle ? Value::none() : launches.launch(atom.object, arguments, site);
  case AtomKind::Tensor:
    tellUnresolved(UnresolvedCall::Callee::Tensor, arguments, site);
    return buffers.computed(arguments.all());
  case AtomKind::Object:
    return callObject(atom, arguments, site);
  }
  return {};
}

Value Calls::callObject(const Atom &atom, const Arguments &arguments, Site site) {
  const Object object = state.get(atom.object); // a copy: the call changes the state
  switch (object.kind) {
  case ObjectKind::Function:
    return callFunction(atom.object, arguments, site);
  case ObjectKind::Class:
    return callClass(atom.object, arguments, site);
  case ObjectKind::Instance:
    return callInstance(atom, arguments, site);
  case ObjectKind::Bound:
    return callBound(object, arguments, site);
  case ObjectKind::Static:
  case ObjectKind::ClassMethod:
    return call(object.callee, arguments, site);
  case ObjectKind::Cached:
    return callCached(object.callee, arguments, site);
  case ObjectKind::Sequential:
    return callSequential(object, arguments, site);
  default:
    tellUnresolved(UnresolvedCall::Callee::Value, arguments, site);
    return Value::host();
  }
}

Value Calls::callBound(const Object &bound, const Arguments &arguments, Site site) {
  Arguments all = arguments;
  all.positional.insert(all.positional.begin(), bound.elements.begin(), bound.elements.end());
  for (const auto &[name, value] : bound.fields)
    if (!arguments.keyword(name))
      all.keywords.push_back({name, value});
  return call(bound.callee, all, site);
}

Value Calls::callSequential(const Object &modules, const Arguments &arguments, Site site) {
  Arguments next = arguments;
  Value value;
  for (const Value &module : modules.elements) {
    value = call(module, next, site);
    next = {value};
  }
  if (!modules.isExact) {
    value = call(modules.rest, next, site);
    value.add(arguments.all());
  }
  return value;
}

void Calls::tellUnresolved(UnresolvedCall::Callee callee, const Arguments &arguments, Site site) {
  UnresolvedCall unresolved;
  unresolved.callee = callee;
  unresolved.handsTensors = handsTensors(arguments);
  notes.tell(site, notes.spellCall(site, "call", "(...)"), unresolved);
}

bool Calls::handsTensors(const Arguments &arguments) const {
  Value all = arguments.all();
  bool isAddress =
      llvm::any_of(all.atoms, [](const Atom &atom) { return atom.kind == AtomKind::Host && atom.object != 0; });
  return isAddress || buffers.holdsTensor(all) || outside.holdsData(all);
}

// What a call gives that cannot be followed. `plain`: if no tensor is about.
Value Calls::opaque(const Arguments &arguments, Site site, const Value &plain) {
  bool hands = handsTensors(arguments);
  outside.remember(arguments);
  Value all = arguments.all(), given = outside.mayGive(all), result = outside.handOver(arguments, site);
  uint8_t flags = buffers.hostFlags(given) | buffers.hostFlags(result) | buffers.hostFlags(plain);
  if (hands)
    result.add(buffers.computed(given));
  else
    result.add(Value(buffers.tensorsIn(given, Atom::Part), plain));
  return flags & Atom::FromTensor ? ControlFlow::marked(result) : result;
}

Value Calls::callCached(const Value &callee, const Arguments &arguments, Site site) {
  Value result = call(callee, arguments, site);
  bool keepsTensors = false;
  buffers.forEachTensor(
      result, [&](const Atom &tensor) { keepsTensors |= state.get(tensor.object).buffer.origin != Origin::Parameter; });
  if (keepsTensors) {
    TensorKept kept;
    kept.inCache = true;
    notes.tell(site, notes.spellCall(site, "cache", "(...)"), kept);
  }
  return result;
}

void Calls::bindParameters(const Object &function, const FunctionDef &node, const Arguments &arguments, Object &scope) {
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
      scope.fields[node.restName] = world.makeSequenceOf(rest);
    } else {
      scope.fields[node.restName] = world.makeSequence(std::move(further));
    }
  }
  if (!node.keywordsName.empty()) {
    Object dict(ObjectKind::Dict);
    for (const auto &[name, value] : arguments.keywords)
      if (!used.contains(name))
        dict.fields[name] = value;
    if (arguments.hasRest)
      dict.rest = arguments.rest;
    scope.fields[node.keywordsName] = Value::object(world.make(std::move(dict)));
  }
}

Value Calls::callFunction(ObjectId id, const Arguments &arguments, Site site) {
  const Object function = state.get(id);
  auto &node = *llvm::cast<FunctionDef>(function.node);
  // A recursion adds nothing after its third level: its results come from the levels before.
  constexpr unsigned mostLevels = 3;
  unsigned levels = scopes.callsOf(node);
  if (levels >= mostLevels) {
    wasCut.insert(&node);
    state.alive = false;
    return {};
  }
  if (scopes.depth() >= maxCalls) {
    world.giveUp();
    return {};
  }
  Object scope(ObjectKind::Scope);
  scope.parent = function.parent;
  bindParameters(function, node, arguments, scope);
  if (levels + 1 == mostLevels) { // whatever deeper levels hand on
    Value any = outside.mayGive(arguments.all());
    for (auto &[name, value] : scope.fields)
      value.add(any);
  }
  Frame inner;
  inner.function = &node;
  inner.owner = function.owner;
  if (!node.parameters.empty())
    inner.self = scope.fields[node.parameters[0].name];
  inner.scope = world.make(std::move(scope));
  scopes.push(std::move(inner));
  statements.exec(node.body);
  Frame done = scopes.pop();
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
  if (!state.alive && levels == 0 && wasCut.erase(&node))
    world.giveUp(); // what it gives, it gives at a depth that was not followed
  if (scopes.depth() == 1)
    outermost = std::move(done.results);
  if (done.hasYield && state.alive) {
    for (const Atom &atom : value.atoms)
      if (!atom.isNone())
        done.yields.add(atom); // to whom it yields from there
    control.keepRaised(value); // as StopIteration
    Value sequence = containers.lazily(Value::object(id), arguments, world.makeSequenceOf(done.yields));
    for (const Atom &atom : sequence.atoms)
      if (world.lookAt(atom, ObjectKind::Sequence))
        state.change(atom.object).letsRaise = !done.yieldsInTry;
    return sequence;
  }
  return value;
}

Value Calls::callClass(ObjectId cls, const Arguments &arguments, Site site) {
  ObjectMade made;
  Value kept; // by a base outside of the file
  made.looksLikeTensor = classes.isTensorClass(cls);
  notes.tell(site, notes.spellCall(site, "tensor class", "(...)"), made);
  if (const Value *maker = classes.find(cls, "__new__"); maker && scopes.depth() < maxCalls / 2) {
    Arguments all = arguments;
    all.positional.insert(all.positional.begin(), Value::object(cls));
    Value callee = *maker;
    for (const Atom &atom : callee.atoms)
      if (const Object *wrapped = world.lookAt(atom, ObjectKind::Static))
        callee = wrapped->callee;
    Value result = call(callee, all, site);
    // An object made by object.__new__ is foreign; anything else is what the class gives.
    if (!result.has(AtomKind::Foreign) || !state.alive)
      return result;
    kept.add(buffers.tensorsIn(result));
  }
  if (classes.hasForeignBase(cls))
    kept.add(outside.mayGive(arguments.all()));
  Object object(ObjectKind::Instance);
  object.parent = cls;
  if (buffers.holdsTensor(kept) || kept.has(AtomKind::Object))
    object.rest = kept;
  Value instance = Value::object(world.make(std::move(object)));
  if (classes.find(cls, "__init__"))
    call(attributes.getOf(instance.atoms[0], "__init__", site), arguments, site);
  else
    initDataClass(cls, instance, arguments, site);
  return state.alive ? instance : Value();
}

// Fields in order of their annotations.
void Calls::initDataClass(ObjectId cls, const Value &instance, const Arguments &arguments, Site site) {
  size_t next = 0;
  if (auto *node = llvm::dyn_cast_or_null<ClassDef>(state.get(cls).node))
    for (const Stmt *stmt : node->body)
      if (auto *field = llvm::dyn_cast<AnnAssign>(stmt))
        if (auto *name = llvm::dyn_cast<Name>(field->target); name && next < arguments.positional.size())
          attributes.set(instance, name->id, arguments.positional[next++], site);
  for (const auto &[name, value] : arguments.keywords)
    attributes.set(instance, name, value, site);
  Value others = arguments.rest;
  for (; next < arguments.positional.size(); ++next)
    others.add(arguments.positional[next]);
  if (!others.empty() && (buffers.holdsTensor(others) || others.has(AtomKind::Object)))
    state.change(instance.atoms[0].object).rest.add(others);
  if (classes.find(cls, "__post_init__"))
    call(attributes.getOf(instance.atoms[0], "__post_init__", site), {}, site);
}

Value Calls::callInstance(const Atom &atom, const Arguments &arguments, Site site) {
  ObjectId cls = state.get(atom.object).parent;
  if (classes.find(cls, "__call__"))
    return call(attributes.getOf(atom, "__call__", site), arguments, site);
  if (state.get(atom.object).fields.count("forward") || classes.find(cls, "forward"))
    return call(attributes.getOf(atom, "forward", site), arguments, site);
  for (const Atom &base : classes.linearise(cls))
    if (base.kind == AtomKind::Path && base.text != "torch.nn.Module")
      return callForeign(base.text, arguments, site);
  return callUnknown("object", arguments, site);
}

// Methods of paths and open files.
static bool isFileMethod(llvm::StringRef path) {
  return path.ends_with(".read_text") || path.ends_with(".read_bytes") || path.ends_with(".write_text") ||
         path.ends_with(".write_bytes") || (path.starts_with("pathlib.") && path.ends_with(".open"));
}

const Value *Calls::decorated(const Arguments &arguments) const {
  if (world.phase != Phase::Import || arguments.positional.size() != 1 || !arguments.keywords.empty())
    return nullptr;
  bool isDefinition = llvm::any_of(arguments.positional[0].atoms, [&](const Atom &atom) {
    return atom.kind == AtomKind::Kernel || world.isAny(atom, {ObjectKind::Function, ObjectKind::Class});
  });
  return isDefinition ? &arguments.positional[0] : nullptr;
}

// Something that code outside made.
Value Calls::callForeign(llvm::StringRef path, const Arguments &arguments, Site site) {
  if (const Value *definition = decorated(arguments)) // a decorator with options is taken to give back what it wraps
    return *definition;
  if (path.starts_with("<autograd>.context"))
    return Value::foreign("<autograd>.context");
  ForeignCall foreign;
  foreign.path = path.str();
  foreign.handsTensors = handsTensors(arguments);
  if (isFileMethod(path)) {
    foreign.conduct = Conduct::ReadsFiles;
    notes.tell(site, notes.spellCall(site, path, "(...)"), foreign);
    foreign.conduct = Conduct::Unknown;
  }
  if (foreign.handsTensors && path.starts_with("torch.nn.")) {
    LayerUse layer;
    layer.isCalled = true;
    notes.tell(site, notes.spellCall(site, path, "(...)"), layer);
  } else {
    notes.tell(site, notes.spellCall(site, path, "(...)"), foreign);
  }
  return opaque(arguments, site, path == "asc.load_ascendc" ? Value::foreign("call") : Value::foreign(path));
}

Value Calls::callUnknown(llvm::StringRef path, const Arguments &arguments, Site site) {
  if (const Value *definition = decorated(arguments)) // a decorator is taken to give back what it wraps
    return *definition;
  llvm::StringRef shown = path;
  shown.consume_front("builtins.");
  ForeignCall foreign;
  foreign.path = path.str();
  foreign.handsTensors = handsTensors(arguments);
  notes.tell(site, shown.str(), foreign);
  bool isPlain = isHostModule(path) || buffers.hostFlags(arguments.all());
  return opaque(arguments, site, isPlain ? Value::host() : Value::foreign(path));
}

} // namespace tilesmith::lint
