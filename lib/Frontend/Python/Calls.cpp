#include "Lowering.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/SaveAndRestore.h"

namespace tilesmith::frontend {

static constexpr unsigned maxCallDepth = 50;

template <typename Parameters> static auto namesOf(const Parameters &parameters) {
  return llvm::map_range(parameters, [](const auto &parameter) { return parameter.name; });
}

static std::string signatureOf(const ast::FunctionDef &function) {
  return (titleOf(function) + "(" + llvm::join(namesOf(function.parameters), ", ") + ")").str();
}

// "exp" of "pypto.exp".
static llvm::StringRef lastName(llvm::StringRef path) { return path.substr(path.rfind('.') + 1); }

Value Calls::lower(const ast::Call &node) {
  std::string path;
  bool hasPath = false;
  Value callee = l.expressions.lowerChain(*node.callee, path, hasPath);
  CallSite site;
  site.range = node.range;
  bool isAssert = callee && callee.isHost() && host.builtinName(callee.host) == "asc.static_assert";
  llvm::SaveAndRestore inMessage(l.expressions.inMessage, l.expressions.inMessage || isAssert);
  if (!callee || !addArguments(node, site))
    return {};
  if (callee.isHost() && l.language.followsFunctions())
    host.asFunction(callee.host, true); // from here on it has a fingerprint
  std::string builtin = callee.isHost() ? host.builtinName(callee.host) : "";
  // A builtin under its own name is what it is; under another one it may be another one tomorrow.
  if (callee.isHost() && hasPath && lastName(path) != lastName(builtin))
    host.noteRead(path, callee.host);
  return call(callee, path, site);
}

bool Calls::addArguments(const ast::Call &node, CallSite &site) {
  for (const ast::Expr *argument : node.arguments) {
    auto *starred = llvm::dyn_cast<ast::Starred>(argument);
    Value value = l.expressions.lower(starred ? *starred->value : *argument);
    if (!value)
      return false;
    if (!starred) {
      site.positional.push_back({value, argument->range});
      continue;
    }
    llvm::SmallVector<Value> items;
    if (!values.toSequence(value, items, argument->range, "what is unpacked with *"))
      return false;
    for (const Value &item : items)
      site.positional.push_back({item, argument->range});
  }
  for (const ast::Keyword &keyword : node.keywords) {
    if (keyword.name.empty())
      return bool(fail(keyword.range, "UnsupportedSyntaxError", "** in a call is not supported inside a kernel",
                       "write the keyword arguments out"));
    Value value = l.expressions.lower(*keyword.value);
    if (!value)
      return false;
    site.keywords.push_back({keyword.name, {value, keyword.value->range}});
  }
  return true;
}

Value Calls::call(const Value &callee, llvm::StringRef path, CallSite &site) {
  if (callee.is(kinds::method))
    return callMethod(callee, site);
  if (callee.is(kinds::function))
    return inlineNested(callee.function(), site);
  if (llvm::StringRef name = callee.kind->callee(); !name.empty()) {
    site.positional.insert(site.positional.begin(), {callee, site.range});
    return callBuiltin(name, site);
  }
  if (!callee.isHost())
    return fail(site.range, "TypeError", describe(callee) + " is not callable");
  if (std::string name = host.builtinName(callee.host); !name.empty()) {
    bool isPython = name.find('.') == std::string::npos;
    bool isKnown = llvm::all_of(site.positional, [&](const Argument &a) { return bool(values.toHost(a.value)); }) &&
                   llvm::all_of(site.keywords, [&](const auto &k) { return bool(values.toHost(k.second.value)); });
    // Iterators have no place in a kernel: these give tuples even of what is known.
    bool isIterator = name == "zip" || name == "enumerate" || name == "reversed" || name == "map";
    if (isPython && isKnown && name != "range" && !isIterator)
      return callHost(callee.host, site);
    return callBuiltin(name, site);
  }
  if (const HostFunction *function = host.asJitFunction(callee.host))
    return inlineCall(*function, path, site);
  if (HostError error = host.takeError(); !error.type.empty())
    return fail(site.range, error.type, error.message);
  if (!host.isCallable(callee.host))
    return fail(site.range, "TypeError", describe(callee) + " is not callable");
  if (l.language.followsFunctions()) {
    bool allKnown = llvm::all_of(site.positional, [&](const Argument &a) { return bool(values.toHost(a.value)); }) &&
                    llvm::all_of(site.keywords, [&](const auto &k) { return bool(values.toHost(k.second.value)); });
    // A method of an object of the host is its function, with the object first.
    bool isBound = host.typeName(callee.host) == "method";
    HostRef function = isBound ? host.getAttr(callee.host, "__func__") : callee.host;
    HostRef self = isBound ? host.getAttr(callee.host, "__self__") : HostRef();
    if (const HostFunction *followed = function ? host.asFunction(function, allKnown) : nullptr) {
      if (self)
        site.positional.insert(site.positional.begin(), {Value::ofHost(self), site.range});
      return inlineCall(*followed, path, site);
    }
    host.takeError();
  }
  return callHost(callee.host, site);
}

Value Calls::callMethod(const Value &method, CallSite &site) {
  const Value &receiver = method.items()[0];
  site.positional.insert(site.positional.begin(), {receiver, site.range});
  return callBuiltin(receiver.kind->method(receiver, method.method().name), site);
}

Value Calls::callHost(const HostRef &callee, CallSite &site) {
  llvm::SmallVector<HostRef> arguments;
  llvm::SmallVector<std::pair<llvm::StringRef, HostRef>> keywords;
  auto add = [&](const Argument &argument) -> HostRef {
    HostRef object = values.toHost(argument.value);
    if (!object)
      fail(argument.range, "TypeError",
           l.advice.nameOf(callee) + " is a Python function and cannot take " + describe(argument.value),
           l.advice.function(callee, argument.value));
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

bool Calls::mayInline(const ast::FunctionDef &tree, const CallSite &site) {
  for (Frame *f = &frame(); f; f = f->caller)
    if (f->function == &tree)
      return bool(fail(site.range, "RecursionError",
                       "recursive call of " + titleOf(tree) + ": functions are inlined into the kernel",
                       "write it as a loop"));
  if (l.names.depth() >= maxCallDepth)
    return bool(
        fail(site.range, "RecursionError", "calls are nested more than " + llvm::Twine(maxCallDepth) + " deep"));
  if (!tree.variadic.empty())
    return bool(fail(site.range, "UnsupportedSyntaxError",
                     titleOf(tree) + " takes " + tree.variadic + ", which is not supported inside a kernel",
                     "name each parameter"));
  return true;
}

Value Calls::inlineCall(const HostFunction &function, llvm::StringRef path, CallSite &site) {
  const ast::FunctionDef &tree = *function.tree;
  llvm::SmallVector<Argument> arguments;
  auto defaultOf = [&](unsigned index) {
    const HostRef &value = function.parameters[index].defaultValue;
    return value ? Value::ofHost(value) : Value();
  };
  if (!mayInline(tree, site) || !bindParameters(tree, defaultOf, site, arguments))
    return {};
  for (auto [index, argument] : llvm::enumerate(arguments))
    if (!checkParameter(function, index, argument))
      return {};
  Frame inner;
  inner.file = function.file;
  inner.scope = function.scope;
  inner.pathKnown = frame().pathKnown && !path.empty();
  inner.path = path.str() + ">";
  return inlineBody(tree, inner, arguments, site);
}

// Its arguments are what they are: numbers known while compiling stay known.
Value Calls::inlineNested(const FunctionParts &function, CallSite &site) {
  const ast::FunctionDef &tree = *function.tree;
  if (!l.names.isAlive(function))
    return fail(site.range, "RuntimeError",
                titleOf(tree) + " was defined in a call that has ended, and its names with it",
                "call it before, or define it in the function that calls it");
  llvm::SmallVector<Argument> arguments;
  auto defaultOf = [&](unsigned index) { return function.items[index]; };
  if (!mayInline(tree, site) || !bindParameters(tree, defaultOf, site, arguments))
    return {};
  Frame inner;
  inner.around = function.around;
  inner.file = inner.around->file;
  inner.scope = inner.around->scope;
  inner.pathKnown = inner.around->pathKnown;
  inner.path = inner.around->path;
  return inlineBody(tree, inner, arguments, site);
}

Value Calls::inlineBody(const ast::FunctionDef &tree, Frame &inner, llvm::ArrayRef<Argument> arguments,
                        const CallSite &site) {
  inner.function = &tree;
  inner.fileName = builder().getStringAttr(inner.file->name);
  inner.region = l.ir.region();
  inner.callRange = site.range;
  l.names.enter(inner);
  llvm::scope_exit leave([&] { l.names.leave(); });
  for (auto [parameter, argument] : llvm::zip_equal(tree.parameters, arguments))
    l.names.bind(parameter.name, argument.value, parameter.range);
  if (l.statements.lower(l.jumps.without(tree)) == Flow::Failed)
    return {};
  return inner.returned ? inner.returned : none();
}

// Distributes the arguments of a call over the parameters of a function.
bool Calls::bindParameters(const ast::FunctionDef &tree, DefaultOf defaultOf, CallSite &site,
                           llvm::SmallVectorImpl<Argument> &arguments) {
  llvm::StringRef title = titleOf(tree);
  arguments.resize(tree.parameters.size());
  if (site.positional.size() > arguments.size())
    return bool(fail(site.positional[arguments.size()].range, "TypeError",
                     title + " takes " + llvm::Twine(arguments.size()) + " arguments, " +
                         llvm::Twine(site.positional.size()) + " were given",
                     signatureOf(tree)));
  llvm::copy(site.positional, arguments.begin());
  for (auto &[name, argument] : site.keywords) {
    auto *it = llvm::find_if(tree.parameters, [&, &name = name](const ast::Parameter &p) { return p.name == name; });
    if (it == tree.parameters.end())
      return bool(fail(argument.range, "TypeError", title + " has no parameter " + name,
                       Advice::question(name, namesOf(tree.parameters)) + signatureOf(tree)));
    Argument &slot = arguments[it - tree.parameters.begin()];
    if (slot)
      return bool(fail(argument.range, "TypeError", title + " got two values for its parameter " + name));
    slot = argument;
  }
  for (auto [index, argument] : llvm::enumerate(arguments)) {
    if (argument)
      continue;
    argument = {defaultOf(index), site.range};
    if (!argument)
      return bool(fail(site.range, "TypeError", "missing argument " + tree.parameters[index].name + " of " + title,
                       signatureOf(tree)));
  }
  return true;
}

bool Calls::checkParameter(const HostFunction &function, unsigned index, Argument &argument) {
  const HostFunction::Parameter &parameter = function.parameters[index];
  const ast::FunctionDef &tree = *function.tree;
  llvm::StringRef name = tree.parameters[index].name;
  if (parameter.isConstExpr) {
    HostRef object = values.toHost(argument.value);
    if (!object)
      return bool(fail(argument.range, "TypeError",
                       "parameter " + name + " of " + tree.name + " is a ConstExpr and cannot take " +
                           describe(argument.value)));
    if (parameter.constExprType && !host.isInstance(object, parameter.constExprType))
      return bool(fail(argument.range, "RuntimeError",
                       "parameter " + name + " of " + tree.name + " must be " + host.repr(parameter.constExprType) +
                           ", not " + describe(argument.value)));
    argument.value = Value::ofHost(object);
    return true;
  }
  if (function.keepsNumbers || !values.isNumber(argument.value))
    return true;
  // Numbers become runtime values, so that the function means the same whoever calls it.
  DType dtype = values.dtypeOf(argument.value);
  mlir::Value ir = scalars.convert(argument.value, dtype, argument.range);
  argument.value = Value::ofScalar(ir, dtype);
  return bool(ir);
}

bool Calls::bindArguments(const Signature &signature, CallSite &site, Arguments &bound) {
  std::string help = (bound.name + "(" + signature.text + ")").str();
  bound.named.resize(signature.parameters.size());
  for (auto [index, argument] : llvm::enumerate(site.positional)) {
    if (index < signature.positional)
      bound.named[index] = argument;
    else if (signature.isVariadic)
      bound.rest.push_back(argument);
    else
      return bool(fail(argument.range, "TypeError",
                       bound.name + " takes at most " + llvm::Twine(signature.positional) + " positional arguments, " +
                           llvm::Twine(site.positional.size()) + " were given",
                       help));
  }
  for (auto &[name, argument] : site.keywords) {
    auto *it = llvm::find_if(signature.parameters,
                             [&, &name = name](const Signature::Parameter &p) { return p.name == name; });
    if (it == signature.parameters.end())
      return bool(fail(argument.range, "TypeError", bound.name + " has no parameter " + name,
                       Advice::question(name, namesOf(signature.parameters)) + help));
    Argument &slot = bound.named[it - signature.parameters.begin()];
    if (slot)
      return bool(fail(argument.range, "TypeError", bound.name + " got two values for its parameter " + name, help));
    slot = argument;
  }
  for (auto [parameter, argument] : llvm::zip_equal(signature.parameters, bound.named)) {
    if (parameter.required && !argument)
      return bool(fail(site.range, "TypeError", "missing argument " + parameter.name + " of " + bound.name, help));
    // An optional argument given as None is the same as not given.
    if (!parameter.required && values.isNone(argument.value))
      argument = {};
  }
  return true;
}

Value Calls::callBuiltin(llvm::StringRef name, CallSite &site) {
  if (std::optional<Value> result = l.language.call(l, name, site))
    return *result;
  const Builtin *builtin = l.language.builtins().find(name);
  if (!builtin)
    builtin = pythonBuiltins().find(name);
  if (!builtin) {
    auto [message, help] = l.language.missing(name);
    fail(site.range, "NotImplementedError", message, help);
    l.errors.noteMissing(name);
    return {};
  }
  Arguments bound;
  bound.range = site.range;
  bound.name = builtin->name;
  return bindArguments(builtin->signature, site, bound) ? builtin->lower(l, bound) : Value();
}

} // namespace tilesmith::frontend
