#include "Interpreter.h"

#include "../Names/Names.h"

#include "llvm/ADT/StringMap.h"

namespace tilesmith::lint {

using namespace ast;

Builtins::Handler Builtins::find(llvm::StringRef name) {
  static const llvm::StringMap<Handler> handlers{
      {"getattr", &Builtins::getAttribute},
      {"setattr", &Builtins::setAttribute},
      {"delattr", &Builtins::setAttribute},
      {"globals", &Builtins::globals},
      {"locals", &Builtins::locals},
      {"vars", &Builtins::vars},
      {"__import__", &Builtins::import},
      {"super", &Builtins::super},
      {"property", &Builtins::wrap<ObjectKind::Property>},
      {"staticmethod", &Builtins::wrap<ObjectKind::Static>},
      {"classmethod", &Builtins::wrap<ObjectKind::ClassMethod>},
      {"range", &Builtins::range},
      {"len", &Builtins::length},
      {"isinstance", &Builtins::isInstance},
      {"type", &Builtins::type},
      {"int", &Builtins::integer},
      {"float", &Builtins::number},
      {"bool", &Builtins::number},
      {"complex", &Builtins::number},
      {"list", &Builtins::exactSequence},
      {"tuple", &Builtins::exactSequence},
      {"iter", &Builtins::iterator},
      {"set", &Builtins::sequence},
      {"frozenset", &Builtins::sequence},
      {"reversed", &Builtins::sequence},
      {"dict", &Builtins::dict},
      {"zip", &Builtins::zip},
      {"enumerate", &Builtins::enumerate},
      {"next", &Builtins::next},
      {"map", &Builtins::map},
      {"filter", &Builtins::filter},
      {"sum", &Builtins::reduce},
      {"max", &Builtins::reduce},
      {"min", &Builtins::reduce},
      {"abs", &Builtins::reduce},
      {"pow", &Builtins::reduce},
      {"round", &Builtins::reduce},
      {"divmod", &Builtins::reduce},
      {"any", &Builtins::reduce},
      {"all", &Builtins::reduce},
      {"sorted", &Builtins::sorted},
      {"str", &Builtins::text},
      {"format", &Builtins::text},
      {"repr", &Builtins::text},
  };
  return handlers.lookup(name);
}

Value Builtins::call(llvm::StringRef name, const Arguments &arguments, Site site) {
  if (Handler handler = find(name))
    if (std::optional<Value> result = (this->*handler)({name, name, arguments, site}))
      return *result;
  Value all = arguments.all();
  if (isHoldingBuiltin(name)) { // exceptions, slices: their attributes are what they were made of
    Value held = outside.mayGive(all);
    return held.single() && held.single()->kind == AtomKind::Host ? Value::host(buffers.hostFlags(all)) : held;
  }
  if (isHarmlessBuiltin(name)) {
    uint8_t flags = buffers.hostFlags(all) | buffers.hostFlags(outside.handOver(arguments, site));
    return Value::host(flags & Atom::FromTensor ? flags | Atom::Computed : 0);
  }
  if (isPlainBuiltin(name))
    return Value::host();
  auto [type, method] = name.split('.');
  // A method of every object that nothing in the file defines.
  if (type == "object" && !method.empty())
    return Value(outside.mayGive(all), outside.handOver(arguments.withoutFirst(), site));
  // A method called through its type (`str.join`, `list.append`), or a name that nothing in the file defines.
  if ((type == "list" || type == "dict" || type == "tuple") && name.contains('.'))
    return containers.call(method, arguments, site);
  return calls.callUnknown(world.save("builtins." + name), arguments, site);
}

std::optional<Value> Builtins::getAttribute(const LibraryCall &call) {
  llvm::ArrayRef<Value> given = call.arguments.positional;
  if (given.size() < 2)
    return std::nullopt;
  Value result = attributes.getNamed(given[0], given[1], call.site);
  if (given.size() > 2)
    result.add(given[2]);
  return result;
}

std::optional<Value> Builtins::setAttribute(const LibraryCall &call) {
  llvm::ArrayRef<Value> given = call.arguments.positional;
  if (given.size() < 2)
    return std::nullopt;
  attributes.setNamed(given[0], given[1], given.size() > 2 ? given[2] : Value::host(), call.site);
  return Value::none();
}

std::optional<Value> Builtins::globals(const LibraryCall &) { return Value::object(scopes.getModule()); }
std::optional<Value> Builtins::locals(const LibraryCall &) { return Value::object(scopes.frame().scope); }

std::optional<Value> Builtins::vars(const LibraryCall &call) {
  llvm::ArrayRef<Value> given = call.arguments.positional;
  return given.empty() ? Value::object(scopes.frame().scope) : attributes.get(given[0], "__dict__", call.site);
}

std::optional<Value> Builtins::import(const LibraryCall &call) {
  llvm::ArrayRef<Value> given = call.arguments.positional;
  if (given.empty())
    return std::nullopt;
  Value module = libraries.importByName(given[0], call.site);
  const Atom *atom = module.single();
  bool isTop = call.arguments.keywords.empty() && given.size() < 4; // without fromlist it gives the package
  return isTop && atom ? Value::path(atom->text.take_until([](char c) { return c == '.'; })) : module;
}

std::optional<Value> Builtins::super(const LibraryCall &call) {
  llvm::ArrayRef<Value> given = call.arguments.positional;
  Object object(ObjectKind::Super);
  object.owner = scopes.frame().owner;
  object.callee = scopes.frame().self;
  if (given.size() == 2) {
    if (world.lookAt(given[0], ObjectKind::Class))
      object.owner = given[0].single()->object;
    object.callee = given[1];
  }
  return Value::object(world.make(std::move(object)));
}

template <ObjectKind kind> std::optional<Value> Builtins::wrap(const LibraryCall &call) {
  llvm::ArrayRef<Value> given = call.arguments.positional;
  return given.empty() ? Value::host() : world.makeWrapper(kind, given[0]);
}

std::optional<Value> Builtins::range(const LibraryCall &call) {
  llvm::ArrayRef<Value> given = call.arguments.positional;
  buffers.useAsScalar(call.arguments.all());
  int64_t bounds[3] = {0, 0, 1};
  bool isKnown = !given.empty() && given.size() <= 3 && !call.arguments.hasRest;
  for (size_t i = 0; i != given.size() && isKnown; ++i) {
    const Atom *bound = given[i].single();
    isKnown = bound && bound->isInteger();
    if (isKnown)
      bounds[given.size() == 1 ? 1 : i] = bound->integer;
  }
  bool isEmpty = isKnown && (bounds[2] > 0 ? bounds[0] >= bounds[1] : bounds[0] <= bounds[1]);
  uint8_t flags = buffers.hostFlags(call.arguments.all()) & ~Atom::Many;
  return isEmpty ? world.makeSequence({}) : world.makeSequenceOf(Value::host(flags));
}

std::optional<Value> Builtins::length(const LibraryCall &call) {
  llvm::ArrayRef<Value> given = call.arguments.positional;
  const Object *sequence = given.empty() ? nullptr : world.lookAt(given[0], ObjectKind::Sequence);
  return sequence && sequence->isExact ? Value::integral(sequence->elements.size()) : Value::host();
}

std::optional<Value> Builtins::isInstance(const LibraryCall &call) {
  llvm::ArrayRef<Value> given = call.arguments.positional;
  if (given.size() != 2)
    return std::nullopt;
  const Atom *cls = given[1].single();
  // What forward is given may be something else.
  bool isTensor = !given[0].empty() && llvm::all_of(given[0].atoms, [&](const Atom &atom) {
    return atom.kind == AtomKind::Tensor && state.get(atom.object).buffer.inputs.empty();
  });
  if (isTensor && cls && cls->kind == AtomKind::Path && cls->text == "torch.Tensor" && world.phase == Phase::Forward)
    return Value::boolean(true);
  return Value::host(Atom::Boolean);
}

std::optional<Value> Builtins::type(const LibraryCall &call) {
  llvm::ArrayRef<Value> given = call.arguments.positional;
  if (given.size() != 1) { // a class that is put together: what it has can be any of these
    Value held = outside.mayGive(call.arguments.all());
    Value result = Value::foreign("class");
    for (const Atom &atom : held.atoms)
      if (atom.kind != AtomKind::Host)
        result.add(atom);
    return result;
  }
  Value result;
  for (const Atom &atom : given[0].atoms) {
    if (atom.kind == AtomKind::Tensor)
      result.add(Value::path("torch.Tensor"));
    else if (const Object *instance = world.lookAt(atom, ObjectKind::Instance))
      result.add(Value::object(instance->parent));
    else
      result.add(Value::host());
  }
  return result;
}

std::optional<Value> Builtins::integer(const LibraryCall &call) {
  Value all = call.arguments.all();
  if (const Atom *atom = all.single(); atom && atom->isInteger())
    return all;
  return number(call);
}

std::optional<Value> Builtins::number(const LibraryCall &call) {
  Value all = call.arguments.all();
  uint8_t flags = all.hasTensor() ? Atom::FromTensor : 0;
  for (const Atom &atom : all.atoms) {
    flags |= atom.kind == AtomKind::Host ? atom.flags : 0;
    for (llvm::StringRef method : {"__int__", "__float__", "__index__", "__bool__", "__complex__", "__trunc__"})
      if (std::optional<Value> number = outside.protocol(atom, method, {}, call.site))
        flags |= buffers.hostFlags(*number);
  }
  return Value::host(flags & ~Atom::Many);
}

std::optional<Value> Builtins::exactSequence(const LibraryCall &call) {
  const Object *source = world.lookAt(call.arguments.all(), ObjectKind::Sequence);
  bool isGiven = !call.arguments.positional.empty() || call.arguments.hasRest;
  return isGiven && source && source->isExact ? world.makeSequence(source->elements) : sequence(call);
}

std::optional<Value> Builtins::iterator(const LibraryCall &call) {
  std::optional<Value> result = exactSequence(call);
  if (call.arguments.positional.size() > 1) // called until it gives the other
    result->add(world.makeSequenceOf(calls.call(call.arguments.positional[0], {}, call.site)));
  return later(call, *result);
}

// Gives its elements when it is asked: of what its arguments hold then.
Value Builtins::later(const LibraryCall &call, Value sequence) {
  return containers.lazily(Value::path(world.save("builtins." + call.name)), call.arguments, sequence);
}

std::optional<Value> Builtins::sequence(const LibraryCall &call) {
  if (call.arguments.positional.empty() && !call.arguments.hasRest)
    return world.makeSequence({});
  return world.makeSequenceOf(containers.iterate(call.arguments.all()));
}

std::optional<Value> Builtins::dict(const LibraryCall &call) {
  llvm::ArrayRef<Value> given = call.arguments.positional;
  Object dict(ObjectKind::Dict);
  for (const auto &[key, value] : call.arguments.keywords)
    dict.fields[key] = value;
  if (!given.empty()) {
    if (const Object *source = world.lookAt(given[0], ObjectKind::Dict)) {
      for (const auto &[key, value] : source->fields)
        dict.fields.try_emplace(key, value);
      dict.rest = source->rest;
    } else {
      dict.rest = containers.iterate(containers.iterate(given[0]));
      dict.rest.add(outside.mayGive(given[0]));
    }
  }
  return Value::object(world.make(std::move(dict)));
}

Value Builtins::tuples(std::vector<Value> items, const Arguments &arguments) {
  if (arguments.hasRest)
    return world.makeSequenceOf(world.makeSequenceOf(containers.iterate(containers.iterate(arguments.all()))));
  return world.makeSequenceOf(world.makeSequence(std::move(items)));
}

std::optional<Value> Builtins::zip(const LibraryCall &call) {
  std::vector<Value> items;
  for (const Value &value : call.arguments.positional)
    items.push_back(containers.iterate(value));
  return later(call, tuples(std::move(items), call.arguments));
}

std::optional<Value> Builtins::enumerate(const LibraryCall &call) {
  std::vector<Value> items{Value::host()};
  if (!call.arguments.positional.empty())
    items.push_back(containers.iterate(call.arguments.positional[0]));
  return later(call, tuples(std::move(items), call.arguments));
}

std::optional<Value> Builtins::next(const LibraryCall &call) {
  llvm::ArrayRef<Value> given = call.arguments.positional;
  Value item = containers.iterate(given.empty() ? call.arguments.all() : given[0]);
  if (given.size() > 1)
    item.add(given[1]);
  return item;
}

std::optional<Value> Builtins::map(const LibraryCall &call) {
  llvm::ArrayRef<Value> given = call.arguments.positional;
  if (given.size() < 2)
    return std::nullopt;
  Arguments inner;
  for (const Value &value : given.drop_front())
    inner.positional.push_back(containers.iterate(value));
  return later(call, world.makeSequenceOf(calls.call(given[0], inner, call.site)));
}

std::optional<Value> Builtins::filter(const LibraryCall &call) {
  llvm::ArrayRef<Value> given = call.arguments.positional;
  if (given.size() < 2)
    return std::nullopt;
  Arguments inner;
  for (const Value &value : given.drop_front())
    inner.positional.push_back(containers.iterate(value));
  Value chosen = calls.call(given[0], inner, call.site);
  Value kept = control.isData(chosen) ? ControlFlow::marked(inner.positional[0]) : inner.positional[0];
  return later(call, world.makeSequenceOf(kept));
}

Value Builtins::reduced(const LibraryCall &call) {
  llvm::ArrayRef<Value> given = call.arguments.positional;
  Value all = call.arguments.all(), elements = all;
  for (const Atom &atom : all.atoms)
    if (atom.kind == AtomKind::Object && !world.lookAt(atom, ObjectKind::Function))
      elements.add(containers.iterate(atom));
  if (const Value *key = call.arguments.keyword("key"); key && call.name != "pow")
    calls.call(*key, {containers.iterate(given.empty() ? all : given[0])}, call.site);
  if (!elements.hasTensor())
    return elements;
  notes.tell(call.site, call.name.str(), HostCompute());
  return buffers.computed(elements);
}

std::optional<Value> Builtins::reduce(const LibraryCall &call) {
  Value elements = reduced(call);
  if (elements.hasTensor())
    return elements;
  return Value::host(buffers.hostFlags(elements) ? Atom::FromTensor | Atom::Computed : 0);
}

std::optional<Value> Builtins::sorted(const LibraryCall &call) {
  Value elements = reduced(call);
  if (elements.hasTensor())
    return elements;
  Value inner;
  for (const Atom &atom : elements.atoms)
    if (atom.kind != AtomKind::Object || !world.lookAt(atom, ObjectKind::Sequence))
      inner.add(atom);
  return world.makeSequenceOf(control.isData(inner) ? ControlFlow::marked(inner) : inner);
}

std::optional<Value> Builtins::text(const LibraryCall &call) {
  Value all = call.arguments.all();
  outside.handOver(call.arguments, call.site); // __str__ and the like
  const Atom *atom = all.single();
  return atom && atom->isString() ? all : Value::host(buffers.hostFlags(all));
}

} // namespace tilesmith::lint
