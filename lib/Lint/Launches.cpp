// Kernels: how they are made and launched, and where their results go.
#include "Interpreter.h"

namespace tilesmith::lint {

using namespace ast;

unsigned Interpreter::kernelOf(const FunctionDef *function, llvm::StringRef name, const Range &range, Dsl dsl) {
  for (unsigned i = 0; i != kernels.size(); ++i)
    if (function ? kernels[i].function == function : !kernels[i].function && kernels[i].name == name)
      return i;
  kernels.push_back({function, name.str(), range, dsl});
  return kernels.size() - 1;
}

Value Interpreter::makeKernel(const Value &function, Dsl dsl, llvm::StringRef path) {
  Value result;
  for (const Atom &atom : function.atoms) {
    if (const Object *object = lookAt(atom, ObjectKind::Function)) {
      auto *node = llvm::cast<FunctionDef>(object->node);
      result.add(Value::kernel(kernelOf(node, node->name.empty() ? "lambda" : node->name, node->range, dsl)));
    } else if (atom.kind == AtomKind::Kernel) {
      result.add(atom);
    }
  }
  return result.empty() ? Value::path(path) : result; // without a function: the decorator with its options
}

Value Interpreter::makeLauncher(unsigned kernel, const Value &grid, Site site) {
  bool isIdle = false;
  for (const Atom &atom : grid.atoms) {
    if (lookAt(atom, ObjectKind::Function) || lookAt(atom, ObjectKind::Bound)) {
      Arguments arguments; // the meta parameters
      arguments.positional.push_back(makeDictOf(Value::host()));
      call(atom, arguments, site);
    }
    if (const Object *sizes = lookAt(atom, ObjectKind::Sequence))
      for (const Value &size : sizes->elements)
        if (const Atom *number = size.single())
          isIdle |= number->isInteger() && number->integer == 0;
    isIdle |= atom.isInteger() && atom.integer == 0;
  }
  useAsScalar(grid);
  return Value::of(AtomKind::Launcher, kernel, isIdle && grid.single() ? uint8_t(Atom::Idle) : uint8_t(0));
}

Value Interpreter::launch(unsigned kernel, const Arguments &arguments, Site site) {
  const KernelInfo info = kernels[kernel]; // a copy: hooks may make kernels
  callHooks(info, arguments, site);
  ++launchCount;
  if (isJudged() && state.alive) {
    wasLaunched = true;
    bool isNew = phase == Phase::Forward && launches.insert(site.expr).second;
    if (options.strictLaunches && isNew && launches.size() > 1)
      report(site, info.name, "a second launch is not allowed by --strict-launches");
  }
  Value tensors = tensorsIn(arguments.all());
  llvm::SmallVector<unsigned, 2> sources{kernel};
  for (const Atom &tensor : tensors.atoms)
    llvm::append_range(sources, state.get(tensor.object).buffer.kernels);
  // Whether there was anything to write. Through addresses that are loaded: only into what they point to.
  auto write = [&](const Value &value, bool throughAddresses = false) {
    llvm::SmallVector<ObjectId> targets;
    forEachTensor(value, [&](const Atom &tensor) { targets.push_back(tensor.object); });
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
  };
  if (!info.function) {
    // Which arguments an Ascend C kernel writes is not in this file: those that were made for it, else all.
    Value made;
    for (const Atom &tensor : tensors.atoms) {
      Origin origin = state.get(tensor.object).buffer.origin;
      if (origin == Origin::Fresh || origin == Origin::Stale)
        made.add(tensor);
    }
    write(made.empty() ? arguments.all() : made);
    return Value::none();
  }
  KernelFacts facts = reader.read(*info.function);
  if (!facts.stores)
    return Value::none();
  llvm::ArrayRef<Parameter> parameters = info.function->parameters;
  bool wrote = false;
  for (unsigned i = 0; i != parameters.size(); ++i)
    if (const Value *given = facts.written[i] ? arguments.get(i, parameters[i].name) : nullptr)
      wrote |= write(*given);
  for (unsigned i = 0; i != parameters.size() && !wrote; ++i)
    if (const Value *given = facts.loaded[i] ? arguments.get(i, parameters[i].name) : nullptr)
      write(*given, /*throughAddresses=*/true);
  return Value::none();
}

void Interpreter::collectHooks(const Value &value, unsigned depth) {
  for (const Atom &atom : value.atoms) {
    if (lookAt(atom, ObjectKind::Function) || lookAt(atom, ObjectKind::Bound)) {
      if (launchHooks.atoms.size() < 64)
        launchHooks.add(atom);
    } else if (lookAt(atom, ObjectKind::Sequence) || lookAt(atom, ObjectKind::Dict)) {
      if (depth < 3)
        collectHooks(state.get(atom.object).all(), depth + 1);
    }
  }
}

// Heuristics and hooks see the arguments of a launch by name.
void Interpreter::callHooks(const KernelInfo &kernel, const Arguments &arguments, Site site) {
  if (launchHooks.empty() || isInHook || !kernel.function)
    return;
  isInHook = true;
  Object named(ObjectKind::Dict);
  named.rest = Value::host();
  named.isExact = false;
  for (unsigned i = 0; i != kernel.function->parameters.size(); ++i)
    if (const Value *given = arguments.get(i, kernel.function->parameters[i].name))
      named.fields[kernel.function->parameters[i].name] = *given;
  Arguments inner;
  inner.positional.push_back(Value::object(make(std::move(named))));
  for (const Atom &hook : Value(launchHooks).atoms)
    if (state.alive)
      branch(Truth::Unknown, nullptr, [&] { call(hook, inner, site); }, [] {});
  isInHook = false;
}

} // namespace tilesmith::lint
