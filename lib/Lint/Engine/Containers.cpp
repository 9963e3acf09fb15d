// Methods of lists, tuples and dictionaries.
#include "Interpreter.h"

#include "llvm/ADT/StringMap.h"

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
    result.add(handler ? (this->*handler)(call) : Value::host());
  }
  return result.empty() ? Value::none() : result;
}

Value Containers::append(const MethodCall &call) {
  if (call.method == "append")
    notes.tell(call.site, notes.spellCall(call.site, "append", "()"), Append());
  Value added = call.method == "extend" && call.argument ? iterate(*call.argument) : call.arguments.positional.back();
  Object &list = state.change(call.storage);
  if (call.method == "append" && list.isExact && list.elements.size() < 64)
    list.elements.push_back(added);
  else
    blur(list, added);
  return {};
}

Value Containers::update(const MethodCall &call) {
  Value added = call.argument ? iterate(*call.argument) : Value();
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
  return world.makeSequenceOf(world.makeSequence({Value::host(), call.before.all()}));
}
Value Containers::values(const MethodCall &call) { return world.makeSequenceOf(call.before.all()); }
Value Containers::keys(const MethodCall &call) { return world.makeSequenceOf(Value::host()); }
Value Containers::copy(const MethodCall &call) { return Value::object(world.make(call.before)); }

Value Containers::clear(const MethodCall &call) {
  Object &object = state.change(call.storage);
  object.elements.clear();
  object.fields.clear();
  object.rest = {};
  return {};
}

Value Containers::sort(const MethodCall &call) {
  if (!buffers.holdsTensor(call.before.all()))
    return Value::host();
  notes.tell(call.site, notes.spellCall(call.site, "sort", "()"), HostCompute());
  return {};
}

Value Containers::setItem(const MethodCall &call) {
  if (call.arguments.positional.size() <= 2)
    return Value::host();
  state.change(call.storage).rest.add(call.arguments.positional[2]);
  return {};
}

} // namespace tilesmith::lint
