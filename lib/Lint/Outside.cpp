// What calls into other modules do: dispatch by path, builtins, functools, imports by name.
#include "Interpreter.h"

namespace tilesmith::lint {

using namespace ast;

static constexpr llvm::StringLiteral notInFile = "hands tensors to code that is not in this file";

static const Value *first(const Arguments &arguments) {
  return !arguments.positional.empty() ? &arguments.positional[0] : arguments.hasRest ? &arguments.rest : nullptr;
}

Value Interpreter::callPath(llvm::StringRef path, const Arguments &arguments, Site site) {
  if (!state.alive)
    return {};
  bool always = false;
  if (llvm::StringRef why = whyForbidden(path, always); !why.empty()) {
    llvm::StringRef shown = path;
    shown.consume_front("builtins.");
    report(site, shown.str(), why, always);
    callBack(arguments, site);
    return holdsTensor(arguments.all()) ? computed(arguments.all()) : Value::foreign(path);
  }
  if (std::optional<Dsl> dsl = dslOfJit(path))
    return makeKernel(arguments.positional.empty() ? Value() : arguments.positional[0], *dsl, path);
  if (path == "autograd.apply") {
    Value cls = *first(arguments);
    Arguments inner = arguments;
    inner.positional.erase(inner.positional.begin());
    const Atom *atom = cls.single();
    if (!atom || !findInClass(atom->object, "setup_context"))
      inner.positional.insert(inner.positional.begin(), Value::foreign("autograd.context"));
    return call(attribute(cls, "forward", site), inner, site);
  }
  if (path.consume_front("kernel.")) {
    Value kernel = *first(arguments);
    Arguments inner = arguments;
    inner.positional.erase(inner.positional.begin());
    Value result;
    for (const Atom &atom : kernel.atoms) {
      if (path == "__getitem__")
        result.add(makeLauncher(atom.object, inner.all(), site));
      else if (path == "warmup")
        result.add(atom); // compiled only: launched later
      else
        result.add(launch(atom.object, inner, site));
    }
    return result;
  }
  if (path.consume_front("container."))
    return callContainer(path, arguments, site);
  if (path == "property.setter")
    return arguments.positional.size() > 1 ? arguments.positional[0] : Value::path("property.setter");
  if (path == "identity")
    return first(arguments) ? *first(arguments) : Value::host();
  if (path.starts_with("triton."))
    collectHooks(arguments.all());
  if (path == "typing.cast" && arguments.positional.size() > 1)
    return arguments.positional[1];
  if (isPassThrough(path) && !holdsTensor(arguments.all())) {
    // A decorator, or one with options; a context otherwise.
    if (!arguments.positional.empty())
      for (const Atom &atom : arguments.positional[0].atoms) {
        bool isOptions = lookAt(atom, ObjectKind::Sequence) || lookAt(atom, ObjectKind::Dict);
        if (atom.kind != AtomKind::Constant && atom.kind != AtomKind::Host && !isOptions)
          return arguments.positional[0];
      }
    return Value::path(path);
  }
  llvm::StringRef name = path;
  if (name.consume_front("torch.Tensor."))
    return callMethod(name, arguments, site);
  name = path;
  if (name.consume_front("torch.nn.Module."))
    return callModule(name, arguments, site);
  if (path.ends_with(".__setattr__") && arguments.positional.size() >= 3) {
    const Atom *key = arguments.positional[1].single();
    if (key && key->isString())
      setAttribute(arguments.positional[0], key->text, arguments.positional[2], site);
    else
      setAnyAttribute(arguments.positional[0], arguments.positional[2], site);
    return Value::none();
  }
  if (path.ends_with(".__init__"))
    return Value::none();
  if (path.ends_with(".__getattribute__") || path.ends_with(".__getattr__")) {
    Arguments inner = arguments;
    return callBuiltin("getattr", inner, site);
  }
  if (path.ends_with(".__new__"))
    return Value::foreign("object");
  name = path;
  if (name.consume_front("builtins."))
    return callBuiltin(name, arguments, site);
  if (name == "torch_npu" || name.consume_front("torch_npu.npu."))
    return callTorch(save("npu." + name), arguments, site);
  if (name.consume_front("torch."))
    return callTorch(name, arguments, site);
  if (name.consume_front("numpy."))
    return callNumpy(name, arguments, site);
  if (name.consume_front("functools."))
    return callFunctools(name, arguments, site);
  if (path == "asc.load_ascendc" || path == "asc.runtime.ascendc.load_ascendc")
    return Value::foreign("asc.load_ascendc");
  if (path.starts_with("asc.") || path.starts_with("asc2.")) {
    useAsScalar(arguments.all());
    callBack(arguments, site);
    return holdsTensor(arguments.all()) ? arguments.all() : Value::host();
  }
  if (path == "importlib.import_module" || path == "importlib.__import__")
    return first(arguments) ? importByName(*first(arguments), site) : Value::host();
  if (path == "sys.modules.get" || path == "sys.modules.__getitem__" || path == "sys.modules.pop") {
    const Atom *key = first(arguments) ? first(arguments)->single() : nullptr;
    return moduleOf(key && key->isString() ? key->text : llvm::StringRef(), site);
  }
  if (path.starts_with("copy.") && first(arguments))
    return holdsTensor(*first(arguments)) ? copyOf(tensorsIn(*first(arguments))) : *first(arguments);
  if (path.contains("TensorDescriptor") && first(arguments))
    return tensorsIn(*first(arguments));
  if (path == "triton.cdiv" || path == "triton.next_power_of_2")
    useAsScalar(arguments.all());
  if (path == "types.SimpleNamespace" || path == "argparse.Namespace" || path == "namedtuple.object") {
    Object object(ObjectKind::Instance);
    for (const auto &[key, value] : arguments.keywords)
      object.fields[key] = value;
    for (const Value &value : arguments.positional)
      object.rest.add(value);
    object.rest.add(arguments.rest);
    return Value::object(make(std::move(object)));
  }
  if (path == "collections.namedtuple" || path == "typing.NamedTuple")
    return Value::path("namedtuple.object");
  if (path.starts_with("itertools.") || path.starts_with("collections.")) {
    if (path == "collections.OrderedDict" || path == "collections.defaultdict")
      return callBuiltin("dict", arguments, site);
    bool reduces = path == "itertools.accumulate" || path == "itertools.starmap";
    if (!reduces) {
      Value elements;
      for (const Value &argument : arguments.positional)
        elements.add(iterate(argument));
      return makeSequenceOf(makeSequenceOf(elements));
    }
  }
  if (path.starts_with("math.") && hostFlags(arguments.all())) {
    static const llvm::StringSet<> sizes{"math.floor", "math.ceil", "math.prod", "math.gcd",
                                         "math.lcm",   "math.log2", "math.isqrt"};
    if (!sizes.contains(path))
      report(site, path.str(), "computes on values of a tensor on the host");
    return Value::host(Atom::FromTensor | Atom::Computed);
  }
  if (path == "warnings.warn" || path.starts_with("logging.") || path == "contextlib.suppress")
    return Value::foreign(path);
  return callUnknown(path, arguments, site);
}

Value Interpreter::callUnknown(llvm::StringRef path, const Arguments &arguments, Site site) {
  Value all = arguments.all();
  // A decorator of another module, applied while the file is imported, is taken to give back what it wraps.
  if (phase == Phase::Import && arguments.positional.size() == 1 && arguments.keywords.empty())
    for (const Atom &atom : arguments.positional[0].atoms)
      if (lookAt(atom, ObjectKind::Function) || lookAt(atom, ObjectKind::Class) || atom.kind == AtomKind::Kernel)
        return arguments.positional[0];
  callBack(arguments, site);
  if (holdsTensor(all)) {
    llvm::StringRef shown = path;
    shown.consume_front("builtins.");
    report(site, shown.str(), notInFile);
    return computed(all);
  }
  bool readsTensor = hostFlags(all) != 0;
  if (readsTensor)
    return Value::host(Atom::FromTensor | Atom::Computed);
  return isHostModule(path) ? Value::host() : Value::foreign(path);
}

Value Interpreter::importByName(const Value &name, Site site) {
  const Atom *atom = name.single();
  if (!atom || !atom->isString()) {
    report(site, "import_module", "imports a module whose name is not in the source");
    return Value::path("unknown module");
  }
  if (isReferenceModule(atom->text))
    report(site, atom->text.str(), "imports the reference of the task", /*always=*/true);
  return Value::path(atom->text);
}

Value Interpreter::moduleOf(llvm::StringRef name, Site site) {
  if (name == "candidate")
    return Value::object(moduleScope);
  static const llvm::StringSet<> known{"torch", "numpy", "triton", "torch_npu", "asc", "asc2", "math"};
  llvm::StringRef root = name.take_until([](char c) { return c == '.'; });
  if (known.contains(root))
    return Value::path(name);
  report(site, "sys.modules", "reaches other modules of the process through sys.modules", /*always=*/true);
  return Value::path(name.empty() ? "unknown module" : name);
}

Value Interpreter::callFunctools(llvm::StringRef name, const Arguments &arguments, Site site) {
  if (name == "wraps")
    return Value::path("identity");
  const Value *callee = first(arguments);
  if (name == "lru_cache" || name == "cache" || name == "cached_property") {
    bool isCallable = callee && (callee->has(AtomKind::Object) || callee->has(AtomKind::Path));
    if (!isCallable)
      return Value::path(save("functools." + name));
    Value wrapped = makeWrapper(name == "cached_property" ? ObjectKind::Property : ObjectKind::Cached, *callee);
    if (name == "cached_property")
      state.change(wrapped.atoms[0].object).isExact = false;
    return wrapped;
  }
  if (name == "partial" || name == "partialmethod") {
    if (!callee)
      return Value::host();
    Object bound(ObjectKind::Bound);
    bound.callee = *callee;
    bound.elements.assign(arguments.positional.begin() + 1, arguments.positional.end());
    for (const auto &[key, value] : arguments.keywords)
      bound.fields[key] = value;
    return Value::object(make(std::move(bound)));
  }
  if (name == "reduce" && arguments.positional.size() >= 2) {
    Value element = iterate(arguments.positional[1]), folded = element;
    if (arguments.positional.size() > 2)
      folded.add(arguments.positional[2]);
    for (int round = 0; round != 2 && state.alive; ++round) {
      Arguments inner;
      inner.positional = {folded, element};
      folded.add(call(arguments.positional[0], inner, site));
    }
    return folded;
  }
  return callUnknown(save("functools." + name), arguments, site);
}

// Methods of lists, tuples and dictionaries.
Value Interpreter::callContainer(llvm::StringRef method, const Arguments &arguments, Site site) {
  if (arguments.positional.empty())
    return Value::host();
  Value result;
  for (const Atom &atom : Value(arguments.positional[0]).atoms) {
    if (atom.kind != AtomKind::Object)
      continue;
    ObjectId storage = storageOf(atom);
    const Object before = state.get(storage);
    const Value *argument = arguments.positional.size() > 1 ? &arguments.positional[1] : nullptr;
    if (method == "append" || method == "add" || method == "appendleft" || method == "insert" || method == "extend") {
      if (method == "append" && options.strictLoops)
        report(site, spellCall(site, "append", "()"), "append is not allowed by --strict-loops");
      Value added = method == "extend" && argument ? iterate(*argument) : arguments.positional.back();
      Object &list = state.change(storage);
      if (method == "append" && list.isExact && list.elements.size() < 64) {
        list.elements.push_back(added);
      } else {
        list.rest = list.all();
        list.rest.add(added);
        list.elements.clear();
        list.isExact = false;
      }
    } else if (method == "update" || method == "setdefault") {
      Object &dict = state.change(storage);
      if (method == "setdefault" && arguments.positional.size() > 2) {
        llvm::StringRef key = keyOf(*argument);
        if (key.empty())
          dict.rest.add(arguments.positional[2]);
        else
          dict.fields.try_emplace(key, arguments.positional[2]);
        result.add(entry(state.get(storage), *argument));
        continue;
      }
      if (argument)
        dict.rest.add(iterate(*argument));
      for (const auto &[name, value] : arguments.keywords)
        dict.fields[name] = value;
    } else if (method == "get" || method == "pop" || method == "popleft" || method == "popitem" ||
               method == "__getitem__") {
      if (before.kind == ObjectKind::Sequence) {
        result.add(before.all());
        if (method != "__getitem__" && before.isExact) {
          Object &list = state.change(storage);
          list.rest = before.all();
          list.elements.clear();
          list.isExact = false;
        }
        continue;
      }
      if (argument)
        result.add(entry(before, *argument));
      else
        result.add(before.all());
      if (method == "get" && argument && keyOf(*argument).empty()) // may be there or not
        result.add(arguments.positional.size() > 2 ? arguments.positional[2] : Value::none());
      else if (arguments.positional.size() > 2)
        result.add(arguments.positional[2]);
      else if (method == "get" && argument && !before.fields.count(keyOf(*argument)))
        result.add(Value::none());
    } else if (method == "items") {
      result.add(makeSequenceOf(makeSequence({Value::host(), before.all()})));
    } else if (method == "values") {
      result.add(makeSequenceOf(before.all()));
    } else if (method == "keys") {
      result.add(makeSequenceOf(Value::host()));
    } else if (method == "copy") {
      result.add(Value::object(make(before)));
    } else if (method == "clear") {
      Object &object = state.change(storage);
      object.elements.clear();
      object.fields.clear();
      object.rest = {};
    } else if (method == "sort" && holdsTensor(before.all())) {
      report(site, spellCall(site, "sort", "()"), "computes on tensors outside the kernels");
    } else if (method == "__setitem__" && arguments.positional.size() > 2) {
      state.change(storage).rest.add(arguments.positional[2]);
    } else {
      result.add(Value::host());
    }
  }
  return result.empty() ? Value::none() : result;
}

} // namespace tilesmith::lint
