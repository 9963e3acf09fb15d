#include "Interpreter.h"

#include "../Names/Names.h"

#include "llvm/ADT/StringSet.h"

namespace tilesmith::lint {

using namespace ast;

Value Launches::makeKernel(const Value &function, Dsl dsl, llvm::StringRef path) {
  Value result;
  for (const Atom &atom : function.atoms) {
    if (const Object *object = world.lookAt(atom, ObjectKind::Function)) {
      auto *node = llvm::cast<FunctionDef>(object->node);
      result.add(Value::kernel(
          kernels.add(node, node->name.empty() ? "lambda" : node->name, node->range, dsl, object->parent)));
    } else if (atom.kind == AtomKind::Kernel) {
      result.add(atom);
    }
  }
  return result.empty() ? Value::path(path) : result; // without a function: the decorator with its options
}

Value Launches::makeLauncher(unsigned kernel, const Value &grid, Site site) {
  bool isIdle = false;
  for (const Atom &atom : grid.atoms) {
    if (world.isAny(atom, {ObjectKind::Function, ObjectKind::Bound})) {
      calls.call(atom, {world.makeDictOf(Value::host())}, site); // of meta parameters
    }
    if (const Object *sizes = world.lookAt(atom, ObjectKind::Sequence))
      for (const Value &size : sizes->elements)
        if (const Atom *number = size.single())
          isIdle |= number->isInteger() && number->integer == 0;
    isIdle |= atom.isInteger() && atom.integer == 0;
  }
  buffers.useAsScalar(grid);
  return Value::of(AtomKind::Launcher, kernel, isIdle && grid.single() ? uint8_t(Atom::Idle) : uint8_t(0));
}

Value Launches::callPlainly(unsigned kernel, const Arguments &arguments, Site site) {
  const KernelInfo info = kernels.get(kernel);
  if (!info.function)
    return Value::host();
  Object function(ObjectKind::Function);
  function.node = info.function;
  function.parent = info.scope ? info.scope : scopes.getModule();
  return calls.call(Value::object(world.make(std::move(function))), arguments, site);
}

Value Launches::launch(unsigned kernel, const Arguments &arguments, Site site) {
  const KernelInfo info = kernels.get(kernel); // a copy: hooks may make kernels
  callHooks(info, arguments, site);
  ++count;
  any |= world.isJudged() && state.alive;
  Launch launch;
  launch.call = site.expr;
  notes.tell(site, info.name, launch);
  Value tensors = buffers.tensorsIn(arguments.all());
  llvm::SmallVector<unsigned, 2> sources{kernel};
  for (const Atom &tensor : tensors.atoms)
    llvm::append_range(sources, state.get(tensor.object).buffer.kernels);
  if (!info.function) {
    // Which arguments an Ascend C kernel writes is not in this file: those that were made for it, else all.
    Value made;
    for (const Atom &tensor : tensors.atoms) {
      Origin origin = state.get(tensor.object).buffer.origin;
      if (origin == Origin::Fresh || origin == Origin::Stale)
        made.add(tensor);
    }
    write(made.empty() ? arguments.all() : made, sources);
    return Value::none();
  }
  const KernelFacts facts = kernels.factsOf(*info.function);
  checkBody(info, facts);
  if (!facts.stores)
    return Value::none();
  llvm::ArrayRef<Parameter> parameters = info.function->parameters;
  bool wrote = false;
  for (unsigned i = 0; i != parameters.size(); ++i)
    if (const Value *given = facts.written[i] ? arguments.get(i, parameters[i].name) : nullptr)
      wrote |= write(*given, sources);
  for (unsigned i = 0; i != parameters.size() && !wrote; ++i)
    if (const Value *given = facts.loaded[i] ? arguments.get(i, parameters[i].name) : nullptr)
      write(*given, sources, /*throughAddresses=*/true);
  return Value::none();
}

// What a kernel may call that is not of its language: arithmetic of Python and other things that make no work.
static bool isInKernels(llvm::StringRef path) {
  static const llvm::StringSet<> refused{"eval",   "exec",  "compile", "open",    "__import__", "globals",
                                         "locals", "vars",  "setattr", "delattr", "getattr",    "input",
                                         "?",      "map",   "filter",  "sorted",  "breakpoint", "next",
                                         "iter",   "super", "type"};
  if (path.consume_front("builtins."))
    return !refused.contains(path);
  static const llvm::StringSet<> dtypes{"int8",   "int16",   "int32",   "int64",   "uint8",    "uint16", "uint32",
                                        "uint64", "float16", "float32", "float64", "bfloat16", "bool_",  "dtype"};
  if (path.consume_front("numpy.") || path.consume_front("torch."))
    return dtypes.contains(path);
  return path.starts_with("math.") || path.starts_with("typing.") || path.starts_with("triton.") ||
         isKernelLanguage(path);
}

// Names of the body that are not its own: what they are where the kernel was made.
void Launches::checkBody(const KernelInfo &kernel, const KernelFacts &facts) {
  if (!world.isJudged() || !kernel.scope || isInBody)
    return;
  isInBody = true;
  ObjectId outer = scopes.frame().scope;
  for (const KernelFacts::Outer &read : facts.outer) {
    if (!state.alive)
      break;
    scopes.frame().scope = kernel.scope;
    KernelHostCode code;
    bool isWrong = false;
    llvm::SmallVector<Atom> functions;
    std::function<Value(const Expr &)> resolve = [&](const Expr &expr) -> Value {
      if (auto *name = llvm::dyn_cast<Name>(&expr))
        return scopes.lookUp(name->id);
      auto &attribute = llvm::cast<Attribute>(expr);
      return attributes.get(resolve(*attribute.value), attribute.name, {&expr});
    };
    for (const Atom &atom : resolve(*read.expr).atoms) {
      const Object *object =
          atom.kind == AtomKind::Object && state.exists(atom.object) ? &state.get(atom.object) : nullptr;
      if (atom.kind == AtomKind::Tensor ||
          (object && object->kind == ObjectKind::Sequence && buffers.holdsTensor(atom)))
        isWrong = code.isTensor = true;
      else if (read.call && atom.kind == AtomKind::Path)
        isWrong |= !isInKernels(atom.text);
      else if (read.call && atom.kind == AtomKind::Foreign)
        isWrong = true;
      else if (read.call && object &&
               (object->kind == ObjectKind::Function || object->kind == ObjectKind::Bound ||
                object->kind == ObjectKind::Static || object->kind == ObjectKind::Cached))
        functions.push_back(atom);
      else if (read.call && object && object->kind != ObjectKind::Class)
        isWrong = true;
    }
    scopes.frame().scope = outer;
    if (isWrong)
      notes.tell({read.expr}, notes.textOf(*read.expr), code);
    for (const Atom &function : functions) // plain functions: followed as what they are
      control.perhaps([&] { calls.call(function, Arguments::anyOf(Value::host()), {read.call, read.expr}); });
  }
  isInBody = false;
}

bool Launches::write(const Value &value, llvm::ArrayRef<unsigned> sources, bool throughAddresses) {
  llvm::SmallVector<ObjectId> targets;
  buffers.forEachTensor(value, [&](const Atom &tensor) { targets.push_back(tensor.object); });
  size_t own = throughAddresses ? targets.size() : 0;
  for (const Atom &atom : value.atoms)
    if (atom.kind == AtomKind::Host && atom.object)
      targets.push_back(atom.object);
  for (size_t i = 0; i != targets.size() && targets.size() < 256; ++i)
    for (ObjectId pointee : state.get(targets[i]).buffer.pointees)
      if (!llvm::is_contained(targets, pointee))
        targets.push_back(pointee);
  for (ObjectId target : llvm::ArrayRef(targets).drop_front(own)) {
    Buffer &buffer = state.change(target).buffer;
    buffer.isWritten = true;
    buffer.addKernels(sources);
  }
  return targets.size() > own;
}

void Launches::collectHooks(const Value &value, unsigned depth) {
  for (const Atom &atom : value.atoms) {
    if (world.isAny(atom, {ObjectKind::Function, ObjectKind::Bound})) {
      if (hooks.atoms.size() < 64)
        hooks.add(atom);
    } else if (world.isAny(atom, {ObjectKind::Sequence, ObjectKind::Dict})) {
      if (depth < 3)
        collectHooks(state.get(atom.object).all(), depth + 1);
    }
  }
}

// Heuristics and hooks see the arguments of a launch by name.
void Launches::callHooks(const KernelInfo &kernel, const Arguments &arguments, Site site) {
  if (hooks.empty() || isInHook || !kernel.function)
    return;
  isInHook = true;
  Object named(ObjectKind::Dict);
  named.rest = Value::host();
  named.isExact = false;
  for (unsigned i = 0; i != kernel.function->parameters.size(); ++i)
    if (const Value *given = arguments.get(i, kernel.function->parameters[i].name))
      named.fields[kernel.function->parameters[i].name] = *given;
  Arguments inner{Value::object(world.make(std::move(named)))};
  for (const Atom &hook : Value(hooks).atoms) {
    // What chooses among configurations has these in front.
    const Object *function = world.lookAt(hook, ObjectKind::Function);
    auto *node = function ? llvm::cast<FunctionDef>(function->node) : nullptr;
    bool takesConfigs = node && !node->parameters.empty() && node->parameters[0].name.starts_with("config");
    Arguments given = inner;
    if (takesConfigs)
      given.positional.insert(given.positional.begin(), world.makeSequenceOf(Value::foreign("triton.Config")));
    if (state.alive)
      control.perhaps([&] { calls.call(hook, given, site); });
  }
  isInHook = false;
}

} // namespace tilesmith::lint
