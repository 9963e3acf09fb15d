// Calls: builtins by name, methods, other jit functions (inlined and specialised per call), host functions (evaluated
// while compiling).
#include "Lowering.h"

#include "llvm/ADT/ScopeExit.h"

namespace tilesmith::frontend {

static constexpr unsigned maxCallDepth = 50;

Value Lowering::lowerCall(const ast::Call &call) {
  std::string path;
  bool hasPath = false;
  Value callee = lowerChain(*call.callee, path, hasPath);
  if (!callee)
    return {};
  CallSite site;
  site.range = call.range;
  for (const ast::Expr *argument : call.arguments) {
    auto *starred = llvm::dyn_cast<ast::Starred>(argument);
    Value value = lowerExpr(starred ? *starred->value : *argument);
    if (!value)
      return {};
    if (!starred) {
      site.positional.push_back({value, argument->range});
      continue;
    }
    llvm::SmallVector<Value> items;
    if (!toSequence(value, items, argument->range, "what is unpacked with *"))
      return {};
    for (const Value &item : items)
      site.positional.push_back({item, argument->range});
  }
  for (const ast::Keyword &keyword : call.keywords) {
    if (keyword.name.empty())
      return fail(keyword.range, "UnsupportedSyntaxError", "** in a call is not supported inside a kernel",
                  "write the keyword arguments out");
    Value value = lowerExpr(*keyword.value);
    if (!value)
      return {};
    site.keywords.push_back({keyword.name, {value, keyword.value->range}});
  }
  if (callee.isHost() && hasPath && host.builtinName(callee.host).empty())
    host.noteRead(path, callee.host);
  return callValue(callee, path, site);
}

Value Lowering::callValue(const Value &callee, llvm::StringRef path, CallSite &site) {
  if (callee.kind == Value::Method)
    return callMethod(callee, site);
  if (!callee.isHost())
    return fail(site.range, "TypeError", describe(callee) + " is not callable");
  if (std::string name = host.builtinName(callee.host); !name.empty()) {
    bool isPython = name.find('.') == std::string::npos;
    bool isKnown = llvm::all_of(site.positional, [&](const Argument &a) { return bool(toHost(a.value)); }) &&
                   llvm::all_of(site.keywords, [&](const auto &k) { return bool(toHost(k.second.value)); });
    // Iterators have no place in a kernel: these give tuples even of what is known.
    bool isIterator = name == "zip" || name == "enumerate" || name == "reversed" || name == "map";
    if (isPython && isKnown && name != "range" && !isIterator)
      return callHost(callee.host, site);
    return callBuiltin(name, site);
  }
  if (const HostFunction *function = host.asJitFunction(callee.host))
    return inlineCall(callee.host, *function, path, site);
  if (HostError error = host.takeError(); !error.type.empty())
    return fail(site.range, error.type, error.message);
  if (!host.isCallable(callee.host))
    return fail(site.range, "TypeError", describe(callee) + " is not callable");
  return callHost(callee.host, site);
}

Value Lowering::callMethod(const Value &method, CallSite &site) {
  const Value &receiver = method.items()[0];
  llvm::StringRef builtin = findMethod(receiver, method.parts->method);
  site.positional.insert(site.positional.begin(), {receiver, site.range});
  site.name = method.parts->method;
  return callBuiltin(builtin, site);
}

Value Lowering::callHost(const HostRef &callee, CallSite &site) {
  llvm::SmallVector<HostRef> arguments;
  llvm::SmallVector<std::pair<llvm::StringRef, HostRef>> keywords;
  auto add = [&](const Argument &argument) -> HostRef {
    HostRef object = toHost(argument.value);
    if (!object)
      fail(argument.range, "TypeError",
           host.repr(callee) + " is a Python function and cannot take " + describe(argument.value),
           "only functions decorated with @asc2.jit work on runtime values");
    return object;
  };
  for (const Argument &argument : site.positional) {
    arguments.push_back(add(argument));
    if (!arguments.back())
      return {};
  }
  for (auto &[name, argument] : site.keywords) {
    keywords.push_back({name, add(argument)});
    if (!keywords.back().second)
      return {};
  }
  Value result = Value::ofHost(host.call(callee, arguments, keywords));
  return result ? result : failHost(site.range);
}

Value Lowering::inlineCall(const HostRef &callee, const HostFunction &function, llvm::StringRef path, CallSite &site) {
  const ast::FunctionDef &tree = *function.tree;
  for (Frame *f = frame; f; f = f->caller)
    if (f->function == &tree)
      return fail(site.range, "RecursionError",
                  "recursive call of " + tree.name + ": functions are inlined into the kernel", "write it as a loop");
  if (callDepth >= maxCallDepth)
    return fail(site.range, "RecursionError", "calls are nested more than " + llvm::Twine(maxCallDepth) + " deep");
  if (!tree.variadic.empty())
    return fail(site.range, "UnsupportedSyntaxError",
                tree.name + " takes " + tree.variadic + ", which is not supported inside a kernel",
                "name each parameter");

  llvm::SmallVector<Argument> arguments(tree.parameters.size());
  if (site.positional.size() > arguments.size())
    return fail(site.positional[arguments.size()].range, "TypeError",
                tree.name + " takes " + llvm::Twine(arguments.size()) + " arguments, " +
                    llvm::Twine(site.positional.size()) + " were given");
  llvm::copy(site.positional, arguments.begin());
  for (auto &[name, argument] : site.keywords) {
    auto *it = llvm::find_if(tree.parameters, [&, &name = name](const ast::Parameter &p) { return p.name == name; });
    if (it == tree.parameters.end())
      return fail(argument.range, "TypeError", tree.name + " has no parameter " + name);
    Argument &slot = arguments[it - tree.parameters.begin()];
    if (slot)
      return fail(argument.range, "TypeError", tree.name + " got two values for its parameter " + name);
    slot = argument;
  }
  for (auto [index, argument] : llvm::enumerate(arguments)) {
    const HostFunction::Parameter &parameter = function.parameters[index];
    llvm::StringRef name = tree.parameters[index].name;
    if (!argument) {
      if (!parameter.defaultValue)
        return fail(site.range, "TypeError", "missing argument " + name + " of " + tree.name);
      argument = {Value::ofHost(parameter.defaultValue), site.range};
    }
    if (parameter.isConstExpr) {
      HostRef object = toHost(argument.value);
      if (!object)
        return fail(argument.range, "TypeError",
                    "parameter " + name + " of " + tree.name + " is a ConstExpr and cannot take " +
                        describe(argument.value));
      if (parameter.constExprType && !host.isInstance(object, parameter.constExprType))
        return fail(argument.range, "RuntimeError",
                    "parameter " + name + " of " + tree.name + " must be " + host.repr(parameter.constExprType) +
                        ", not " + describe(argument.value));
      argument.value = Value::ofHost(object);
    } else if (isNumber(argument.value)) {
      // Numbers become runtime values, so that the function means the same whoever calls it.
      DType dtype = dtypeOf(argument.value);
      mlir::Value ir = toScalar(argument.value, dtype, argument.range);
      if (!ir)
        return {};
      argument.value = Value::ofScalar(ir, dtype);
    }
  }

  Frame inner;
  inner.function = &tree;
  inner.file = function.file;
  inner.fileName = mlir::StringAttr::get(&context, function.file->name);
  inner.scope = function.scope;
  inner.pathKnown = frame->pathKnown && !path.empty();
  inner.path = path.str() + ">";
  inner.region = region;
  inner.caller = frame;
  inner.callRange = site.range;
  frame = &inner;
  ++callDepth;
  llvm::scope_exit leave([&] {
    frame = inner.caller;
    --callDepth;
  });
  for (auto [parameter, argument] : llvm::zip_equal(tree.parameters, arguments))
    bind(parameter.name, argument.value, parameter.range);
  if (lowerBody(tree.body) == Flow::Failed)
    return {};
  return inner.returned ? inner.returned : none();
}

// Distributes arguments over a signature such as "tensor, shape=None, *, tile_id=None" or "input, *dims,
// keep_dims=False".
bool Lowering::bindArguments(llvm::StringRef signature, CallSite &site, Arguments &bound) {
  struct Parameter {
    llvm::StringRef name;
    bool required;
  };
  llvm::SmallVector<Parameter, 6> parameters;
  size_t positional = 0;
  bool keywordOnly = false, variadic = false;
  llvm::SmallVector<llvm::StringRef> pieces;
  signature.split(pieces, ", ", -1, false);
  for (llvm::StringRef piece : pieces) {
    if (piece.consume_front("*")) {
      keywordOnly = true;
      variadic |= !piece.empty();
      continue;
    }
    auto [name, otherwise] = piece.split('=');
    parameters.push_back({name, otherwise.empty()});
    positional += !keywordOnly;
  }
  std::string help = (bound.name + "(" + signature + ")").str();
  bound.named.resize(parameters.size());
  for (auto [index, argument] : llvm::enumerate(site.positional)) {
    if (index < positional)
      bound.named[index] = argument;
    else if (variadic)
      bound.rest.push_back(argument);
    else
      return bool(fail(argument.range, "TypeError",
                       bound.name + " takes at most " + llvm::Twine(positional) + " positional arguments, " +
                           llvm::Twine(site.positional.size()) + " were given",
                       help));
  }
  for (auto &[name, argument] : site.keywords) {
    auto *it = llvm::find_if(parameters, [&, &name = name](const Parameter &p) { return p.name == name; });
    if (it == parameters.end())
      return bool(fail(argument.range, "TypeError", bound.name + " has no parameter " + name, help));
    Argument &slot = bound.named[it - parameters.begin()];
    if (slot)
      return bool(fail(argument.range, "TypeError", bound.name + " got two values for its parameter " + name, help));
    slot = argument;
  }
  for (auto [parameter, argument] : llvm::zip_equal(parameters, bound.named)) {
    if (parameter.required && !argument)
      return bool(fail(site.range, "TypeError", "missing argument " + parameter.name + " of " + bound.name, help));
    // An optional argument given as None is the same as not given.
    if (!parameter.required && argument && argument.value.isHost() && host.isNone(argument.value.host))
      argument = {};
  }
  return true;
}

Value Lowering::callBuiltin(llvm::StringRef name, CallSite &site) {
  const BuiltinEntry *entry = findBuiltin(name);
  if (!entry && name.starts_with("asc.basic."))
    return fail(site.range, "NotImplementedError",
                "the instruction language of asc is not there yet: " + name + " cannot be used",
                "write the kernel with asc2 tiles, or in Ascend C (asc.load_ascendc)");
  if (!entry)
    return fail(site.range, "NotImplementedError", name + " is not supported inside a kernel");
  Arguments bound;
  bound.range = site.range;
  bound.name = entry->name;
  if (!bindArguments(entry->signature, site, bound))
    return {};
  return entry->lower(*this, bound);
}

const BuiltinEntry *findBuiltin(llvm::StringRef name) {
  static const llvm::StringMap<const BuiltinEntry *> table = [] {
    llvm::StringMap<const BuiltinEntry *> map;
    for (auto family : {memoryBuiltins(), elementwiseBuiltins(), reduceBuiltins(), shapeBuiltins(), matmulBuiltins(),
                        scalarBuiltins(), sequenceBuiltins(), maskBuiltins(), printBuiltins()})
      for (const BuiltinEntry &entry : family)
        map[entry.name] = &entry;
    return map;
  }();
  return table.lookup(name);
}

llvm::StringRef findMethod(const Value &receiver, llvm::StringRef name) {
  struct Method {
    llvm::StringLiteral name, builtin;
  };
  static constexpr Method tile[] = {
      {"to", "Tile.to"},           {"sum", "asc2.reduce_sum"},   {"max", "asc2.reduce_max"},
      {"min", "asc2.reduce_min"},  {"prod", "asc2.reduce_prod"}, {"sin", "asc2.sin"},
      {"cos", "asc2.cos"},         {"tan", "asc2.tan"},          {"sinh", "asc2.sinh"},
      {"cosh", "asc2.cosh"},       {"tanh", "asc2.tanh"},        {"exp", "asc2.exp"},
      {"log", "asc2.log"},         {"log2", "asc2.log2"},        {"floor", "asc2.floor"},
      {"ceil", "asc2.ceil"},       {"abs", "asc2.abs"},          {"erf", "asc2.erf"},
      {"exp2", "asc2.exp2"},       {"sqrt", "asc2.sqrt"},        {"rsqrt", "asc2.rsqrt"},
      {"relu", "asc2.relu"},       {"softmax", "asc2.softmax"},  {"broadcast_to", "asc2.broadcast_to"},
      {"reshape", "asc2.reshape"}, {"ravel", "asc2.ravel"},      {"expand_dims", "asc2.expand_dims"},
      {"squeeze", "asc2.squeeze"}};
  static constexpr Method scalar[] = {{"cast", "PlainValue.cast"}, {"ceildiv", "asc.ceildiv"}};
  static constexpr Method shape[] = {{"is_static", "Shape.is_static"}, {"is_dynamic_dim", "Shape.is_dynamic_dim"}};
  static constexpr Method list[] = {{"append", "list.append"}};
  llvm::ArrayRef<Method> methods;
  if (receiver.isTile() || receiver.kind == Value::Accumulator)
    methods = tile;
  else if (receiver.isScalar())
    methods = scalar;
  else if (receiver.isSequence() && receiver.parts->isShape)
    methods = shape;
  else if (receiver.isSequence() && receiver.parts->isList)
    methods = list;
  for (const Method &method : methods)
    if (method.name == name)
      return method.builtin;
  return {};
}

} // namespace tilesmith::frontend
