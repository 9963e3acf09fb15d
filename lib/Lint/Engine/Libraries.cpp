#include "Interpreter.h"

#include "../Names/Names.h"

namespace tilesmith::lint {

using namespace ast;

// `a.b` is a path, `a.*` everything below it, `*.b` what ends so, `*b*` what has it in it, `*` anything. Handlers that
// give nothing leave the call to the rows after them.
struct Libraries::Row {
  llvm::StringLiteral pattern;
  Handler handler;

  // What the pattern leaves open, if the path fits.
  std::optional<llvm::StringRef> match(llvm::StringRef path) const {
    llvm::StringRef text = pattern;
    bool isOpenAtFront = text.consume_front("*"), isOpenAtBack = text.consume_back("*");
    if (isOpenAtFront)
      return (isOpenAtBack ? path.contains(text) : path.ends_with(text)) ? std::optional(path) : std::nullopt;
    if (isOpenAtBack)
      return path.consume_front(text) ? std::optional(path) : std::nullopt;
    return path == text ? std::optional(path) : std::nullopt;
  }
};

const Libraries::Row Libraries::rows[] = {
    // What the engine itself puts into values: methods of what it models. No module can have such a name.
    {"<autograd>.apply", &Libraries::applyAutograd},
    {"<kernel>.*", &Libraries::ofKernel},
    {"<container>.*", &Libraries::ofContainer},
    {"<property>.setter", &Libraries::propertySetter},
    {"<identity>", &Libraries::identity},
    // Decorators and wrappers.
    {"triton.testing.perf_report", &Libraries::wraps}, // runs nothing before it is asked to
    {"triton.*", &Libraries::noteHooks},
    {"typing.cast", &Libraries::cast},
    {"*", &Libraries::passThrough},
    // Methods called through their class.
    {"torch.Tensor.*", &Libraries::ofTensor},
    {"torch.nn.Module.*", &Libraries::ofModule},
    {"*.__setattr__", &Libraries::setAttribute},
    {"*.__init__", &Libraries::initBase},
    {"*.__getattribute__", &Libraries::getAttribute},
    {"*.__getattr__", &Libraries::getAttribute},
    {"*.__new__", &Libraries::makeObject},
    // Modules.
    {"builtins.*", &Libraries::ofBuiltins},
    {"torch_npu", &Libraries::ofTorchNpu},
    {"torch_npu.npu.*", &Libraries::ofTorchNpu},
    {"torch.*", &Libraries::ofTorch},
    {"numpy.*", &Libraries::ofNumpy},
    {"functools.wraps", &Libraries::wraps},
    {"functools.lru_cache", &Libraries::cache},
    {"functools.cache", &Libraries::cache},
    {"functools.cached_property", &Libraries::cachedProperty},
    {"functools.partial", &Libraries::partial},
    {"functools.partialmethod", &Libraries::partial},
    {"functools.reduce", &Libraries::reduce},
    {"functools.*", &Libraries::unknown},
    {"asc.load_ascendc", &Libraries::loadAscendC},
    {"asc.runtime.ascendc.load_ascendc", &Libraries::loadAscendC},
    {"asc.*", &Libraries::ofAsc},
    {"asc2.*", &Libraries::ofAsc},
    {"importlib.import_module", &Libraries::importModule},
    {"importlib.__import__", &Libraries::importModule},
    {"sys.modules.get", &Libraries::sysModules},
    {"sys.modules.__getitem__", &Libraries::sysModules},
    {"sys.modules.pop", &Libraries::sysModules},
    {"copy.*", &Libraries::copy},
    {"*TensorDescriptor*", &Libraries::tensorDescriptor},
    {"triton.cdiv", &Libraries::useAsScalars},
    {"triton.next_power_of_2", &Libraries::useAsScalars},
    {"types.SimpleNamespace", &Libraries::nameSpace},
    {"argparse.Namespace", &Libraries::nameSpace},
    {"<namedtuple>", &Libraries::nameSpace},
    {"collections.namedtuple", &Libraries::namedTuple},
    {"typing.NamedTuple", &Libraries::namedTuple},
    {"collections.OrderedDict", &Libraries::dict},
    {"collections.defaultdict", &Libraries::defaultDict},
    {"collections.deque", &Libraries::deque},
    {"itertools.accumulate", &Libraries::unknown},
    {"itertools.starmap", &Libraries::unknown},
    {"itertools.*", &Libraries::rearrange},
    {"collections.*", &Libraries::rearrange},
    {"math.*", &Libraries::ofMath},
    {"warnings.warn", &Libraries::foreign},
    {"logging.*", &Libraries::foreign},
    {"contextlib.suppress", &Libraries::foreign},
};

Value Libraries::call(llvm::StringRef path, const Arguments &arguments, Site site) {
  if (!state.alive)
    return {};
  if (Conduct conduct = conductOf(path); conduct != Conduct::Unknown)
    return callOpaque(path, conduct, arguments, site);
  if (std::optional<Dsl> dsl = dslOfJit(path))
    return launches.makeKernel(arguments.positional.empty() ? Value() : arguments.positional[0], *dsl, path);
  for (const Row &row : rows)
    if (std::optional<llvm::StringRef> name = row.match(path))
      if (std::optional<Value> result = (this->*row.handler)({path, *name, arguments, site}))
        return *result;
  return calls.callUnknown(path, arguments, site);
}

// Of which no more is known than its conduct.
Value Libraries::callOpaque(llvm::StringRef path, Conduct conduct, const Arguments &arguments, Site site) {
  llvm::StringRef shown = path;
  shown.consume_front("builtins.");
  ForeignCall foreign;
  foreign.path = path.str();
  foreign.conduct = conduct;
  foreign.handsTensors = calls.handsTensors(arguments);
  notes.tell(site, shown.str(), foreign);
  Value results = outside.handOver(arguments, site);
  if (foreign.handsTensors)
    return buffers.computed(arguments.all());
  results.add(Value::foreign(path));
  return results;
}

Value Libraries::importByName(const Value &name, Site site) {
  const Atom *atom = name.single();
  if (atom && atom->kind == AtomKind::Path && atom->text == Scopes::ownName)
    return Value::object(scopes.getModule());
  Imported imported;
  imported.isNamed = atom && atom->isString();
  if (imported.isNamed)
    imported.module = atom->text.str();
  notes.tell(site, imported.isNamed ? imported.module : "import_module", imported);
  return Value::path(imported.isNamed ? atom->text : llvm::StringRef("unknown module"));
}

Value Libraries::moduleOf(llvm::StringRef name, Site site) {
  ModuleReached reached;
  reached.module = name.str();
  notes.tell(site, "sys.modules", reached);
  return Value::path(name.empty() ? llvm::StringRef("unknown module") : name);
}

std::optional<Value> Libraries::applyAutograd(const LibraryCall &call) {
  Value cls = *call.arguments.first();
  Arguments inner = call.arguments.withoutFirst();
  const Atom *atom = cls.single();
  if (!atom || !classes.find(atom->object, "setup_context"))
    inner.positional.insert(inner.positional.begin(), Value::foreign("<autograd>.context"));
  return calls.call(attributes.get(cls, "forward", call.site), inner, call.site);
}

std::optional<Value> Libraries::ofKernel(const LibraryCall &call) {
  Arguments inner = call.arguments.withoutFirst();
  Value result;
  for (const Atom &atom : Value(*call.arguments.first()).atoms) {
    if (call.name == "__getitem__")
      result.add(launches.makeLauncher(atom.object, inner.all(), call.site));
    else if (call.name == "warmup")
      result.add(atom); // compiled only: launched later
    else if (call.name == "fn" && !llvm::isa_and_nonnull<Subscript>(call.site.callee))
      result.add(launches.callPlainly(atom.object, inner, call.site));
    else
      result.add(launches.launch(atom.object, inner, call.site));
  }
  return result;
}

std::optional<Value> Libraries::ofContainer(const LibraryCall &call) {
  return containers.call(call.name, call.arguments, call.site);
}

std::optional<Value> Libraries::propertySetter(const LibraryCall &call) {
  llvm::ArrayRef<Value> given = call.arguments.positional;
  if (given.size() < 2)
    return Value::path("<property>.setter");
  for (const Atom &atom : given[0].atoms) // called when the attribute is assigned
    if (world.lookAt(atom, ObjectKind::Property))
      state.change(atom.object).rest.add(given[1]);
  return given[0];
}

std::optional<Value> Libraries::identity(const LibraryCall &call) {
  const Value *given = call.arguments.first();
  return given ? *given : Value::host();
}

std::optional<Value> Libraries::noteHooks(const LibraryCall &call) {
  launches.collectHooks(call.arguments.all());
  return std::nullopt;
}

std::optional<Value> Libraries::cast(const LibraryCall &call) {
  llvm::ArrayRef<Value> given = call.arguments.positional;
  return given.size() > 1 ? std::optional(given[1]) : std::nullopt;
}

// A decorator, or one with options; a context otherwise.
std::optional<Value> Libraries::passThrough(const LibraryCall &call) {
  if (!isPassThrough(call.path) || buffers.holdsTensor(call.arguments.all()))
    return std::nullopt;
  llvm::ArrayRef<Value> given = call.arguments.positional;
  if (const Value *backend = call.arguments.keyword("backend"); backend && backend->has(AtomKind::Object)) {
    ForeignCall foreign; // a compiler of the candidate's own
    foreign.path = call.path.str();
    foreign.conduct = Conduct::ReplacesLibrary;
    notes.tell(call.site, call.path.str(), foreign);
  }
  bool wraps = !given.empty() && llvm::any_of(given[0].atoms, [&](const Atom &atom) {
    bool isOptions = world.isAny(atom, {ObjectKind::Sequence, ObjectKind::Dict});
    return atom.kind != AtomKind::Constant && atom.kind != AtomKind::Host && !isOptions;
  });
  llvm::StringRef path = call.path;
  bool named = path.consume_front("torch.library.custom_op") || path.consume_front("torch.library.triton_op");
  if (!named)
    return wraps ? given[0] : Value::path(call.path);
  if (!wraps) { // the decorator of an operator with a name
    const Atom *name = given.empty() ? nullptr : given[0].single();
    auto [space, member] =
        name && name->isString() ? name->text.split("::") : std::pair<llvm::StringRef, llvm::StringRef>();
    return member.empty() ? Value::path(call.path) : Value::path(world.save(call.path + "." + space + "." + member));
  }
  if (path.consume_front("."))
    world.operators[world.save("torch.ops." + path)].add(given[0]);
  return given[0];
}

std::optional<Value> Libraries::ofTensor(const LibraryCall &call) {
  return torch.callMethod(call.name, call.arguments, call.site);
}
std::optional<Value> Libraries::ofModule(const LibraryCall &call) {
  return modules.call(call.name, call.arguments, call.site);
}
std::optional<Value> Libraries::ofBuiltins(const LibraryCall &call) {
  return builtins.call(call.name, call.arguments, call.site);
}
std::optional<Value> Libraries::ofTorchNpu(const LibraryCall &call) {
  return torch.callFunction(world.save("npu." + call.name), call.arguments, call.site);
}
std::optional<Value> Libraries::ofTorch(const LibraryCall &call) {
  return torch.callFunction(call.name, call.arguments, call.site);
}
std::optional<Value> Libraries::ofNumpy(const LibraryCall &call) {
  return torch.callNumpy(call.name, call.arguments, call.site);
}

std::optional<Value> Libraries::setAttribute(const LibraryCall &call) {
  llvm::ArrayRef<Value> given = call.arguments.positional;
  if (given.size() < 3)
    return std::nullopt;
  attributes.setNamed(given[0], given[1], given[2], call.site);
  return Value::none();
}

std::optional<Value> Libraries::getAttribute(const LibraryCall &call) {
  return builtins.call("getattr", call.arguments, call.site);
}

// A base outside of the file keeps what its constructor is given.
std::optional<Value> Libraries::initBase(const LibraryCall &call) {
  const Value *self = call.arguments.first();
  Value given = outside.mayGive(call.arguments.withoutFirst().all());
  bool isKept = buffers.holdsTensor(given) || given.has(AtomKind::Object);
  for (const Atom &atom : self &&isKept ? Value(*self).atoms : llvm::SmallVector<Atom, 1>())
    if (const Object *instance = world.lookAt(atom, ObjectKind::Instance);
        instance && !classes.isModule(instance->parent))
      state.change(atom.object).rest.add(given);
    else if (world.isAny(atom, {ObjectKind::Sequence, ObjectKind::Dict}))
      outside.handOver(call.arguments, call.site);
  return Value::none();
}

std::optional<Value> Libraries::makeObject(const LibraryCall &call) {
  Value result = Value::foreign("object");
  result.add(buffers.tensorsIn(call.arguments.withoutFirst().all(), Atom::Part));
  return result;
}
std::optional<Value> Libraries::wraps(const LibraryCall &) { return Value::path("<identity>"); }
std::optional<Value> Libraries::loadAscendC(const LibraryCall &) { return Value::foreign("asc.load_ascendc"); }
std::optional<Value> Libraries::namedTuple(const LibraryCall &) { return Value::path("<namedtuple>"); }
std::optional<Value> Libraries::foreign(const LibraryCall &call) { return Value::foreign(call.path); }
std::optional<Value> Libraries::unknown(const LibraryCall &call) {
  return calls.callUnknown(call.path, call.arguments, call.site);
}

// What is wrapped by a decorator of functools; null: it is called with its options first.
static const Value *wrappedBy(const LibraryCall &call) {
  const Value *callee = call.arguments.first();
  return callee && (callee->has(AtomKind::Object) || callee->has(AtomKind::Path)) ? callee : nullptr;
}

std::optional<Value> Libraries::cache(const LibraryCall &call) {
  const Value *callee = wrappedBy(call);
  return callee ? world.makeWrapper(ObjectKind::Cached, *callee) : Value::path(call.path);
}

std::optional<Value> Libraries::cachedProperty(const LibraryCall &call) {
  const Value *callee = wrappedBy(call);
  if (!callee)
    return Value::path(call.path);
  Value property = world.makeWrapper(ObjectKind::Property, *callee);
  state.change(property.atoms[0].object).isExact = false;
  return property;
}

std::optional<Value> Libraries::partial(const LibraryCall &call) {
  const Value *callee = call.arguments.first();
  if (!callee)
    return Value::host();
  llvm::ArrayRef<Value> given = call.arguments.positional;
  Object bound(ObjectKind::Bound);
  bound.callee = *callee;
  bound.elements.assign(given.begin() + !given.empty(), given.end());
  for (const auto &[key, value] : call.arguments.keywords)
    bound.fields[key] = value;
  return Value::object(world.make(std::move(bound)));
}

std::optional<Value> Libraries::reduce(const LibraryCall &call) {
  llvm::ArrayRef<Value> given = call.arguments.positional;
  if (given.size() < 2)
    return std::nullopt;
  Value element = containers.iterate(given[1]), folded = element;
  if (control.isData(element))
    folded = ControlFlow::marked(folded);
  if (given.size() > 2)
    folded.add(given[2]);
  for (int round = 0; round != 2 && state.alive; ++round)
    folded.add(calls.call(given[0], {folded, element}, call.site));
  return folded;
}

std::optional<Value> Libraries::ofAsc(const LibraryCall &call) {
  Value all = call.arguments.all();
  buffers.useAsScalar(all);
  outside.handOver(call.arguments, call.site);
  return buffers.holdsTensor(all) ? all : Value::host();
}

std::optional<Value> Libraries::importModule(const LibraryCall &call) {
  const Value *name = call.arguments.first();
  return name ? importByName(*name, call.site) : Value::host();
}

std::optional<Value> Libraries::sysModules(const LibraryCall &call) {
  const Value *name = call.arguments.first();
  const Atom *key = name ? name->single() : nullptr;
  if (key && key->kind == AtomKind::Path && key->text == Scopes::ownName)
    return Value::object(scopes.getModule());
  return moduleOf(key && key->isString() ? key->text : llvm::StringRef(), call.site);
}

std::optional<Value> Libraries::copy(const LibraryCall &call) {
  const Value *given = call.arguments.first();
  if (!given)
    return std::nullopt;
  Value made = outside.handOver(call.arguments, call.site); // __copy__ and the like
  made.add(buffers.holdsTensor(*given) ? buffers.copyOf(buffers.tensorsIn(*given)) : *given);
  return made;
}

std::optional<Value> Libraries::tensorDescriptor(const LibraryCall &call) {
  const Value *given = call.arguments.first();
  return given ? std::optional(buffers.tensorsIn(*given)) : std::nullopt;
}

std::optional<Value> Libraries::useAsScalars(const LibraryCall &call) {
  buffers.useAsScalar(call.arguments.all());
  return std::nullopt;
}

std::optional<Value> Libraries::nameSpace(const LibraryCall &call) {
  Object object(ObjectKind::Instance);
  for (const auto &[key, value] : call.arguments.keywords)
    object.fields[key] = value;
  for (const Value &value : call.arguments.positional)
    object.rest.add(value);
  object.rest.add(call.arguments.rest);
  return Value::object(world.make(std::move(object)));
}

std::optional<Value> Libraries::dict(const LibraryCall &call) {
  return builtins.call("dict", call.arguments, call.site);
}

std::optional<Value> Libraries::rearrange(const LibraryCall &call) {
  Value elements = outside.handOver(call.arguments, call.site);
  for (const Value &argument : call.arguments.positional)
    elements.add(containers.iterate(argument));
  elements.add(outside.mayGive(call.arguments.all()));
  if (!buffers.holdsTensor(elements) && !elements.has(AtomKind::Object))
    return world.makeSequenceOf(world.makeSequenceOf(elements));
  // At whatever depth a tensor is asked for, it is one.
  elements.add(world.makeSequenceOf(elements));
  return containers.lazily(Value::path(call.path), call.arguments, world.makeSequenceOf(elements));
}

// A dictionary that makes what is missing.
std::optional<Value> Libraries::defaultDict(const LibraryCall &call) {
  Arguments others = call.arguments.withoutFirst();
  std::optional<Value> result = builtins.call("dict", others, call.site);
  const Value *maker = call.arguments.positional.empty() ? nullptr : &call.arguments.positional[0];
  if (!maker || maker->single() == nullptr || maker->single()->isNone())
    return result;
  Value made = calls.call(*maker, {}, call.site);
  if (made.has(AtomKind::Object) || made.hasTensor())
    state.change(result->atoms[0].object).rest.add(made);
  return result;
}

std::optional<Value> Libraries::deque(const LibraryCall &call) {
  Arguments contents;
  if (const Value *given = call.arguments.get(0, "iterable"))
    contents.positional.push_back(*given);
  return builtins.call("set", contents, call.site); // a sequence that has lost count
}

std::optional<Value> Libraries::ofMath(const LibraryCall &call) {
  if (!buffers.hostFlags(call.arguments.all()))
    return std::nullopt;
  HostValue value;
  value.function = call.path.str();
  notes.tell(call.site, call.path.str(), value);
  return Value::host(Atom::FromTensor | Atom::Computed);
}

} // namespace tilesmith::lint
