#include "Interpreter.h"

namespace tilesmith::lint {

using namespace ast;

void Model::importModule(const Tree &tree) {
  world.phase = Phase::Import;
  statements.exec(tree.module);
  state.alive = !world.hasGivenUp(); // a module that raises at its end is still looked at
  kernels.collect(tree.module);
}

bool Model::hasForward() {
  const Object &module = state.get(scopes.getModule());
  if (auto at = module.fields.find("ModelNew"); at != module.fields.end())
    model = at->second;
  ModelRead read;
  for (const Atom &atom : model.atoms)
    if (const Object *cls = world.lookAt(atom, ObjectKind::Class)) {
      range = cls->node->range;
      read.hasClass = true;
      read.hasForward |= classes.find(atom.object, "forward") != nullptr;
      if (classes.find(atom.object, "__getattribute__")) {
        Replaced replaced;
        replaced.what = Replaced::What::AttributeLookup;
        notes.tell(range, "__getattribute__", replaced);
      }
    }
  notes.tellAlways(range, "", read);
  return read.hasForward;
}

// Whether an annotation or a default says that an input is not a tensor. How the input is used has the last word.
static bool looksScalar(const Parameter &parameter, llvm::StringRef annotation) {
  if (auto *constant = llvm::dyn_cast_or_null<Constant>(parameter.defaultValue))
    if (constant->constant != ConstantKind::None)
      return true;
  if (llvm::isa_and_nonnull<Sequence>(parameter.defaultValue) || llvm::isa_and_nonnull<UnaryOp>(parameter.defaultValue))
    return true;
  if (annotation.empty() || annotation.contains("Tensor"))
    return false;
  return annotation.contains("int") || annotation.contains("float") || annotation.contains("bool") ||
         annotation.contains("str") || annotation.contains("Size") || annotation.contains("dtype") ||
         annotation.contains("device");
}

void Model::makeInputs(const FunctionDef *forward, bool isMethod, Arguments &arguments) {
  auto makeInput = [&](size_t number) {
    Value tensor = world.makeTensor(Origin::Input);
    state.change(tensor.atoms[0].object).buffer.inputs = {unsigned(number)};
    return tensor;
  };
  size_t count = forward ? forward->parameters.size() : 0;
  buffers.resizeInputs(count + 1);
  arguments.hasRest = !forward || !forward->restName.empty() || !forward->keywordsName.empty();
  if (arguments.hasRest)
    arguments.rest = makeInput(count);
  for (size_t i = isMethod ? 1 : 0; i < count; ++i) {
    const Parameter &parameter = forward->parameters[i];
    if (world.phase == Phase::Probe)
      buffers.input(i).isScalar |=
          looksScalar(parameter, parameter.annotation ? notes.textOf(*parameter.annotation) : "");
    bool isScalar = world.phase == Phase::Forward && buffers.input(i).isScalar && !buffers.input(i).isTensor;
    Value value = isScalar ? Value::host() : makeInput(i);
    if (auto *constant = llvm::dyn_cast_or_null<Constant>(parameter.defaultValue);
        constant && constant->constant == ConstantKind::None)
      value.add(Value::none());
    arguments.keywords.push_back({parameter.name, value});
  }
}

Value Model::callForward(const Atom &instance) {
  // The function behind `model(...)`, for the names of its parameters.
  ObjectId cls = state.get(instance.object).parent;
  Value entry = attributes.getOf(instance, classes.find(cls, "__call__") ? "__call__" : "forward", {});
  const FunctionDef *forward = nullptr;
  bool isMethod = false;
  if (const Atom *atom = entry.single()) {
    Value callee = *atom;
    if (const Object *bound = world.lookAt(*atom, ObjectKind::Bound)) {
      isMethod = true;
      callee = bound->callee;
    }
    if (const Atom *function = callee.single())
      if (const Object *object = world.lookAt(*function, ObjectKind::Function))
        forward = llvm::cast<FunctionDef>(object->node);
  }
  Arguments arguments;
  makeInputs(forward, isMethod, arguments);
  return calls.callInstance(instance, arguments, {});
}

Value Model::construct() {
  world.phase = Phase::Construct;
  Value instances;
  for (const Atom &atom : Value(model).atoms)
    if (world.lookAt(atom, ObjectKind::Class) && state.alive)
      instances.add(calls.callClass(atom.object, Arguments::anyOf(Value::host()), {}));
  state.alive = !world.hasGivenUp();
  return instances;
}

void Model::follow() {
  const Value instances = construct();
  State constructed = state;
  for (Phase next : {Phase::Probe, Phase::Forward}) {
    world.phase = next;
    Value result;
    State before = state, after;
    after.alive = false;
    for (const Atom &atom : instances.atoms)
      if (world.lookAt(atom, ObjectKind::Instance)) {
        state = before;
        result.add(callForward(atom));
        after.join(state);
      }
    world.enter(std::move(after));
    if (world.hasGivenUp())
      break;
    if (next == Phase::Probe) {
      // What the next call finds is what construction made or any earlier call left.
      State between = constructed;
      between.join(state, State::Join::Widen);
      state = std::move(between);
      state.alive = true;
      state.age();
      continue;
    }
    if (state.alive) {
      tellReturned(result);
      outside.callProtocols();
    }
  }
  world.phase = Phase::Forward;
  if (world.hasGivenUp())
    notes.tellAlways(range, "ModelNew", GaveUp());
}

void Model::tellReturned(const Value &result) {
  buffers.forEachTensor(
      result, [&](const Atom &tensor) { llvm::append_range(called, state.get(tensor.object).buffer.kernels); });
  llvm::sort(called);
  called.erase(llvm::unique(called), called.end());

  for (const Atom &atom : result.atoms) {
    Range at = range;
    for (const Result &way : calls.getOutermostResults())
      if (llvm::is_contained(way.value.atoms, atom)) {
        at = way.range;
        break;
      }
    Returned returned;
    returned.isForeign = atom.kind == AtomKind::Foreign || atom.kind == AtomKind::Path;
    const Object *instance = world.lookAt(atom, ObjectKind::Instance);
    returned.looksLikeTensor = instance && classes.isTensorClass(instance->parent);
    buffers.forEachTensor(atom, [&](const Atom &tensor) {
      const Buffer &buffer = state.get(tensor.object).buffer;
      returned.hasTensors = true;
      returned.isEarned |= buffer.isWritten || buffer.origin == Origin::Computed;
      returned.isStale |= buffer.origin == Origin::Stale && !buffer.isWritten;
    });
    notes.tell(at, "return", returned);
  }
}

void Model::tellKernels(std::optional<Dsl> dsl) {
  KernelsRead read;
  for (const KernelInfo &kernel : kernels.all()) {
    if (dsl && kernel.dsl != *dsl)
      continue;
    KernelFact fact{kernel.name, kernel.range.line, true, true};
    if (kernel.function) {
      const KernelFacts &facts = kernels.factsOf(*kernel.function);
      fact.usesLanguage = facts.usesLanguage;
      fact.stores = facts.stores;
    }
    read.kernels.push_back(std::move(fact));
  }
  llvm::sort(read.kernels, [](const KernelFact &a, const KernelFact &b) {
    return std::tie(a.line, a.name) < std::tie(b.line, b.name);
  });
  notes.tellAlways({}, "", read);
}

void Model::tellForward(std::optional<Dsl> dsl) {
  ForwardFollowed followed;
  followed.launches = launches.hasAny();
  followed.isComplete = !world.hasGivenUp();
  for (unsigned kernel : called)
    if (!dsl || kernels.get(kernel).dsl == *dsl)
      followed.called.push_back(kernels.get(kernel).name);
  llvm::sort(followed.called);
  followed.called.erase(llvm::unique(followed.called), followed.called.end());
  notes.tellAlways(range, "", followed);
}

} // namespace tilesmith::lint
