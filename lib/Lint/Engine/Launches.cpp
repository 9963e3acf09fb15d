#include "Interpreter.h"

namespace tilesmith::lint {

using namespace ast;

Value Launches::makeKernel(const Value &function, Dsl dsl, llvm::StringRef path) {
  Value result;
  for (const Atom &atom : function.atoms) {
    if (const Object *object = world.lookAt(atom, ObjectKind::Function)) {
      auto *node = llvm::cast<FunctionDef>(object->node);
      result.add(Value::kernel(kernels.add(node, node->name.empty() ? "lambda" : node->name, node->range, dsl)));
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
  for (const Atom &hook : Value(hooks).atoms)
    if (state.alive)
      control.perhaps([&] { calls.call(hook, inner, site); });
  isInHook = false;
}

} // namespace tilesmith::lint
