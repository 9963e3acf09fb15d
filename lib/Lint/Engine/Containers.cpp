// Methods of lists, tuples and dictionaries.
#include "Interpreter.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

namespace tilesmith::lint {

using namespace ast;

void Containers::blur(Object &sequence, const Value &added) {
  sequence.rest = sequence.all();
  sequence.rest.add(added);
  sequence.elements.clear();
  sequence.isExact = false;
}

Containers::Method Containers::findMethod(llvm::StringRef name) {
  static const llvm::StringMap<Method> methods{
      {"append", &Containers::append},
      {"add", &Containers::append},
      {"appendleft", &Containers::append},
      {"insert", &Containers::append},
      {"extend", &Containers::append},
      {"update", &Containers::update},
      {"setdefault", &Containers::setDefault},
      {"get", &Containers::get},
      {"pop", &Containers::get},
      {"popleft", &Containers::get},
      {"popitem", &Containers::get},
      {"__getitem__", &Containers::get},
      {"items", &Containers::items},
      {"values", &Containers::values},
      {"keys", &Containers::keys},
      {"copy", &Containers::copy},
      {"clear", &Containers::clear},
      {"sort", &Containers::sort},
      {"__setitem__", &Containers::setItem},
  };
  return methods.lookup(name);
}

Value Containers::call(llvm::StringRef method, const Arguments &arguments, Site site) {
  if (arguments.positional.empty())
    return Value::host();
  Method handler = findMethod(method);
  Value result;
  for (const Atom &atom : Value(arguments.positional[0]).atoms) {
    if (atom.kind != AtomKind::Object)
      continue;
    ObjectId storage = world.storageOf(atom);
    const Value *argument = arguments.positional.size() > 1 ? &arguments.positional[1] : nullptr;
    MethodCall call{method, arguments, site, storage, state.get(storage), argument};
    result.add(handler ? (this->*handler)(call) : other(call));
  }
  if (control.isData(arguments.withoutFirst().all())) // a place that was computed from data
    result = ControlFlow::marked(result);
  return result.empty() ? Value::none() : result;
}

// A method of which no more is known: it may give and keep everything.
Value Containers::other(const MethodCall &call) {
  static const llvm::StringSet<> comparing{"index",  "count",  "remove", "__contains__", "__eq__",
                                           "__ne__", "__lt__", "__le__", "__gt__",       "__ge__"};
  Value all = outside.mayGive(call.arguments.all());
  bool hasTensors = buffers.holdsTensor(all);
  if (comparing.contains(call.method)) {
    if (hasTensors && call.before.kind == ObjectKind::Sequence)
      notes.tell(call.site, notes.spellCall(call.site, call.method, "()"), HostCompute());
    return Value::host(buffers.hostFlags(all));
  }
  if (hasTensors && (call.method == "send" || call.method == "throw" || call.method == "asend")) {
    UnresolvedCall unresolved;
    unresolved.handsTensors = true;
    notes.tell(call.site, notes.spellCall(call.site, call.method, "(...)"), unresolved);
  }
  if (call.argument) {
    Value given = outside.mayGive(call.arguments.withoutFirst().all());
    Object &object = state.change(call.storage);
    if (object.kind == ObjectKind::Sequence)
      blur(object, given);
    else
      object.rest.add(given);
  }
  Value results = outside.handOver(call.arguments.withoutFirst(), call.site);
  return Value(all, results);
}

Value Containers::lazily(const Value &callee, const Arguments &arguments, Value sequence) {
  const Atom *atom = sequence.single();
  if (!atom || !world.lookAt(*atom, ObjectKind::Sequence) || !world.isJudged())
    return sequence;
  Object bound(ObjectKind::Bound);
  bound.callee = callee;
  bound.elements.assign(arguments.positional.begin(), arguments.positional.end());
  for (const auto &[name, value] : arguments.keywords)
    bound.fields[name] = value;
  if (arguments.hasRest)
    bound.elements.push_back(arguments.rest);
  Value later = Value::object(world.make(std::move(bound)));
  Object &object = state.change(atom->object);
  if (object.isExact)
    blur(object);
  object.callee = later;
  return sequence;
}

Value Containers::again(const Atom &sequence) {
  const Object object = state.get(sequence.object);
  Value result;
  if (asked.contains(sequence.object) || !state.alive)
    return result;
  asked.insert(sequence.object);
  auto take = [&](const Value &given) {
    for (const Atom &atom : given.atoms)
      if (const Object *fresh = world.lookAt(atom, ObjectKind::Sequence))
        result.add(fresh->all());
  };
  if (auto *comprehension = llvm::dyn_cast_or_null<Comprehension>(static_cast<const Expr *>(object.node)))
    control.perhaps([&] { take(expressions.evalComprehension(*comprehension, object.parent)); });
  if (!object.callee.empty())
    control.perhaps([&] { take(calls.call(object.callee, {}, {})); });
  asked.erase(sequence.object);
  return result;
}

void Containers::growInPlace(const Value &container, const Value &value) {
  Value given = iterate(value);
  for (const Atom &atom : container.atoms) {
    if (world.lookAt(atom, ObjectKind::Sequence) && value.has(AtomKind::Object))
      blur(state.change(atom.object), given);
    else if (world.lookAt(atom, ObjectKind::Dict))
      state.change(atom.object).rest.add(given);
  }
}

Value Containers::append(const MethodCall &call) {
  if (call.method == "append")
    notes.tell(call.site, notes.spellCall(call.site, "append", "()"), Append());
  Value added = call.method == "extend" && call.argument ? iterate(*call.argument) : call.arguments.positional.back();
  added = control.mark(added);
  Object &list = state.change(call.storage);
  if (call.method == "append" && list.isExact && list.elements.size() < 64)
    list.elements.push_back(added);
  else
    blur(list, added);
  return {};
}

Value Containers::update(const MethodCall &call) {
  Value added = control.mark(call.argument ? Value(iterate(*call.argument), outside.mayGive(*call.argument)) : Value());
  Object &dict = state.change(call.storage);
  dict.rest.add(added);
  for (const auto &[name, value] : call.arguments.keywords)
    dict.fields[name] = value;
  return {};
}

Value Containers::setDefault(const MethodCall &call) {
  if (call.arguments.positional.size() <= 2)
    return update(call);
  const Value &value = call.arguments.positional[2];
  llvm::StringRef key = keyOf(*call.argument);
  Object &dict = state.change(call.storage);
  if (key.empty())
    dict.rest.add(value);
  else
    dict.fields.try_emplace(key, value);
  return entry(dict, *call.argument);
}

// Also pop and its like.
Value Containers::get(const MethodCall &call) {
  const Object &before = call.before;
  if (before.kind == ObjectKind::Sequence) {
    if (call.method != "__getitem__" && before.isExact)
      blur(state.change(call.storage));
    return before.all();
  }
  Value result = call.argument ? entry(before, *call.argument) : before.all();
  llvm::StringRef key = call.argument ? keyOf(*call.argument) : llvm::StringRef();
  bool isGet = call.method == "get" && call.argument;
  if (call.arguments.positional.size() > 2)
    result.add(call.arguments.positional[2]);
  else if (isGet && (key.empty() || !before.fields.count(key))) // may be there or not
    result.add(Value::none());
  return result;
}

Value Containers::items(const MethodCall &call) {
  Value key = Value::host();
  if (call.before.kind == ObjectKind::Dict && buffers.holdsTensor(call.before.rest))
    key.add(call.before.rest); // a key may be anything
  return later(call, world.makeSequenceOf(world.makeSequence({key, call.before.all()})));
}
Value Containers::values(const MethodCall &call) { return later(call, world.makeSequenceOf(call.before.all())); }
Value Containers::keys(const MethodCall &call) {
  Value keys = Value::host();
  if (buffers.holdsTensor(call.before.rest))
    keys.add(call.before.rest);
  return later(call, world.makeSequenceOf(keys));
}
// Views of dictionaries show what is put into them later.
Value Containers::later(const MethodCall &call, Value view) {
  return lazily(Value::path(world.save("<container>." + call.method)), call.arguments, view);
}
Value Containers::copy(const MethodCall &call) { return Value::object(world.make(call.before)); }

Value Containers::clear(const MethodCall &call) {
  // What code beside this one may have seen before is kept: the container is empty, or not.
  Object &object = state.change(call.storage);
  object.rest = object.all();
  object.elements.clear();
  if (object.kind == ObjectKind::Sequence)
    object.isExact = false;
  else
    object.fields.clear();
  return {};
}

Value Containers::sort(const MethodCall &call) {
  if (const Value *key = call.arguments.keyword("key"))
    calls.call(*key, {call.before.all()}, call.site);
  if (control.isData(call.before.all())) {
    Object &list = state.change(call.storage);
    list.rest = ControlFlow::marked(list.all());
    list.elements.clear();
    list.isExact = false;
  }
  if (!buffers.holdsTensor(call.before.all()))
    return Value::host();
  notes.tell(call.site, notes.spellCall(call.site, "sort", "()"), HostCompute());
  return {};
}

Value Containers::setItem(const MethodCall &call) {
  if (call.arguments.positional.size() <= 2)
    return Value::host();
  Value stored = control.isData(call.arguments.positional[1]) ? ControlFlow::marked(call.arguments.positional[2])
                                                              : control.mark(call.arguments.positional[2]);
  Object &object = state.change(call.storage);
  if (object.kind == ObjectKind::Sequence)
    blur(object, stored);
  else
    object.rest.add(stored);
  return {};
}

} // namespace tilesmith::lint
