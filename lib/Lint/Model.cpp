// The life of a candidate: import, construction, two calls of forward; and where its kernels are.
#include "Interpreter.h"

namespace tilesmith::lint {

using namespace ast;

// Dotted path of a name inside a kernel, as the module has it once it is imported.
std::string Interpreter::pathInKernel(const Expr &expr) const {
  if (auto *attribute = llvm::dyn_cast<Attribute>(&expr)) {
    std::string base = pathInKernel(*attribute->value);
    return base.empty() ? base : base + "." + attribute->name.str();
  }
  auto *name = llvm::dyn_cast<Name>(&expr);
  if (!name)
    return "";
  const Object &module = state.get(moduleScope);
  if (auto at = module.fields.find(name->id); at != module.fields.end()) {
    for (const Atom &atom : at->second.atoms)
      if (atom.kind == AtomKind::Path)
        return atom.text.str();
    return "";
  }
  if (auto at = staticNames.find(name->id); at != staticNames.end())
    return at->second;
  for (llvm::StringRef star : starModules)
    if (isKernelLanguage(star) || dslOfJit((star + "." + name->id).str()))
      return (star + "." + name->id).str();
  return "";
}

const FunctionDef *Interpreter::functionInKernel(const Expr &expr) const {
  auto *name = llvm::dyn_cast<Name>(&expr);
  if (!name)
    return nullptr;
  const Object &module = state.get(moduleScope);
  if (auto at = module.fields.find(name->id); at != module.fields.end())
    for (const Atom &atom : at->second.atoms) {
      if (atom.kind == AtomKind::Kernel)
        return kernels[atom.object].function;
      if (const Object *function = lookAt(atom, ObjectKind::Function))
        return llvm::cast<FunctionDef>(function->node);
    }
  for (const KernelInfo &kernel : kernels)
    if (kernel.function && kernel.name == name->id)
      return kernel.function;
  return nullptr;
}

// Kernels anywhere in the tree, also those in functions that are never called, and imports that explain their names.
void Interpreter::collectKernels(Body body) {
  Nesting guard(*this);
  if (gaveUp)
    return;
  for (const Stmt *stmt : body)
    collectKernelsIn(*stmt);
}

void Interpreter::collectKernelsIn(const Node &node) {
  if (auto *function = llvm::dyn_cast<FunctionDef>(&node)) {
    collectKernels(function->body); // first: its imports
    for (const Expr *decorator : function->decorators) {
      auto *call = llvm::dyn_cast<Call>(decorator);
      if (std::optional<Dsl> dsl = dslOfJit(pathInKernel(call ? *call->callee : *decorator)))
        kernelOf(function, function->name, function->range, *dsl);
    }
  } else if (auto *loop = llvm::dyn_cast<For>(&node)) {
    collectKernels(loop->body);
    collectKernels(loop->orElse);
  } else if (auto *loop = llvm::dyn_cast<While>(&node)) {
    collectKernels(loop->body);
    collectKernels(loop->orElse);
  } else if (auto *choice = llvm::dyn_cast<If>(&node)) {
    collectKernels(choice->body);
    collectKernels(choice->orElse);
  } else if (auto *with = llvm::dyn_cast<With>(&node)) {
    collectKernels(with->body);
  } else if (auto *cls = llvm::dyn_cast<ClassDef>(&node)) {
    collectKernels(cls->body);
  } else if (auto *handled = llvm::dyn_cast<Try>(&node)) {
    for (Body body : {handled->body, handled->orElse, handled->finally})
      collectKernels(body);
    for (const Handler &handler : handled->handlers)
      collectKernels(handler.body);
  } else if (auto *match = llvm::dyn_cast<Match>(&node)) {
    for (const MatchCase &item : match->cases)
      collectKernels(item.body);
  } else if (auto *async = llvm::dyn_cast<AsyncStmt>(&node)) {
    collectKernelsIn(*async->stmt);
  } else if (auto *import = llvm::dyn_cast<Import>(&node)) {
    for (const ImportedName &name : import->names) {
      if (!import->isFrom && name.alias.empty()) {
        llvm::StringRef top = name.name.take_until([](char c) { return c == '.'; });
        staticNames.try_emplace(top, top.str());
      } else {
        std::string path = (import->isFrom ? import->module + "." + name.name : name.name).str();
        staticNames.try_emplace(name.alias.empty() ? name.name : name.alias, path);
      }
    }
  }
}

void Interpreter::importModule() {
  phase = Phase::Import;
  exec(tree.module);
  state.alive = !gaveUp; // a module that raises at its end is still looked at
  collectKernels(tree.module);
}

bool Interpreter::hasForward() {
  const Object &module = state.get(moduleScope);
  auto at = module.fields.find("ModelNew");
  if (at == module.fields.end())
    return false;
  model = at->second;
  bool result = false;
  for (const Atom &atom : model.atoms)
    if (const Object *cls = lookAt(atom, ObjectKind::Class)) {
      modelRange = cls->node->range;
      result |= findInClass(atom.object, "forward") != nullptr;
      if (findInClass(atom.object, "__getattribute__"))
        report(modelRange, "__getattribute__", "replaces how attributes of ModelNew are found", /*always=*/true);
    }
  return result;
}

// Whether an annotation or a default says that an input is no tensor. How the input is used has the last word.
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

void Interpreter::makeInputs(const FunctionDef *forward, bool isMethod, Arguments &arguments) {
  auto makeInput = [&](size_t number) {
    Value tensor = makeTensor(Origin::Input);
    state.change(tensor.atoms[0].object).buffer.inputs = {unsigned(number)};
    return tensor;
  };
  size_t count = forward ? forward->parameters.size() : 0;
  inputs.resize(count + 1);
  arguments.hasRest = !forward || !forward->restName.empty() || !forward->keywordsName.empty();
  if (arguments.hasRest)
    arguments.rest = makeInput(count);
  for (size_t i = isMethod ? 1 : 0; i < count; ++i) {
    const Parameter &parameter = forward->parameters[i];
    if (phase == Phase::Probe)
      inputs[i].isScalar |= looksScalar(parameter, parameter.annotation ? textOf(*parameter.annotation) : "");
    bool isScalar = phase == Phase::Forward && inputs[i].isScalar && !inputs[i].isTensor;
    Value value = isScalar ? Value::host() : makeInput(i);
    if (auto *constant = llvm::dyn_cast_or_null<Constant>(parameter.defaultValue);
        constant && constant->constant == ConstantKind::None)
      value.add(Value::none());
    arguments.keywords.push_back({parameter.name, value});
  }
}

Value Interpreter::callForward(const Atom &instance) {
  // The function behind `model(...)`, for the names of its parameters.
  ObjectId cls = state.get(instance.object).parent;
  Value entry = attributeOf(instance, findInClass(cls, "__call__") ? "__call__" : "forward", {});
  const FunctionDef *forward = nullptr;
  bool isMethod = false;
  if (const Atom *atom = entry.single()) {
    Value callee = *atom;
    if (const Object *bound = lookAt(*atom, ObjectKind::Bound)) {
      isMethod = true;
      callee = bound->callee;
    }
    if (const Atom *function = callee.single())
      if (const Object *object = lookAt(*function, ObjectKind::Function))
        forward = llvm::cast<FunctionDef>(object->node);
  }
  Arguments arguments;
  makeInputs(forward, isMethod, arguments);
  return callInstance(instance, arguments, {});
}

// Python calls some methods without a call in the source: when an object is measured, tested, printed, looked up or
// freed.
void Interpreter::callProtocols() {
  static constexpr llvm::StringLiteral protocols[] = {
      "__len__",     "__bool__",  "__hash__",   "__int__",        "__float__",   "__index__",
      "__str__",     "__repr__",  "__format__", "__contains__",   "__del__",     "__next__",
      "__missing__", "__get__",   "__set__",    "__delattr__",    "__delitem__", "__reversed__",
      "__bytes__",   "__round__", "__abs__",    "__length_hint__"};
  llvm::DenseSet<ObjectId> seen;
  size_t count = state.size();
  for (ObjectId id = 1; id < count && state.alive; ++id) {
    if (!state.exists(id) || state.get(id).kind != ObjectKind::Instance || !seen.insert(state.get(id).parent).second)
      continue;
    for (llvm::StringRef name : protocols)
      if (findInClass(state.get(id).parent, name)) {
        Arguments arguments;
        arguments.hasRest = true;
        arguments.rest = Value::host();
        Atom instance = Value::object(id).atoms[0];
        branch(Truth::Unknown, nullptr, [&] { call(attributeOf(instance, name, {}), arguments, {}); }, [] {});
      }
  }
}

void Interpreter::followModel() {
  phase = Phase::Construct;
  Value instances;
  for (const Atom &atom : Value(model).atoms)
    if (lookAt(atom, ObjectKind::Class) && state.alive) {
      Arguments arguments;
      arguments.hasRest = true;
      arguments.rest = Value::host();
      instances.add(callClass(atom.object, arguments, {}));
    }
  state.alive = !gaveUp;
  State constructed = state;
  for (Phase next : {Phase::Probe, Phase::Forward}) {
    phase = next;
    Value result;
    State before = state, after;
    after.alive = false;
    for (const Atom &atom : instances.atoms)
      if (lookAt(atom, ObjectKind::Instance)) {
        state = before;
        result.add(callForward(atom));
        after.join(state);
      }
    enter(std::move(after));
    if (gaveUp)
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
      judge(result);
      callProtocols();
    }
  }
  if (gaveUp) {
    state.alive = true;
    phase = Phase::Forward;
    report(modelRange, "ModelNew", "the code is too large or too deeply nested to be followed");
  }
  llvm::sort(violations, [](const Violation &a, const Violation &b) {
    return std::tie(a.range.line, a.range.column, a.call) < std::tie(b.range.line, b.range.column, b.call);
  });
}

void Interpreter::judge(const Value &result) {
  llvm::SmallVector<unsigned> reached;
  forEachTensor(result,
                [&](const Atom &tensor) { llvm::append_range(reached, state.get(tensor.object).buffer.kernels); });
  llvm::sort(reached);
  reached.erase(llvm::unique(reached), reached.end());
  called.assign(reached.begin(), reached.end());

  for (const Atom &atom : result.atoms) {
    Range range = modelRange;
    for (const Result &returned : forwardResults)
      if (llvm::is_contained(returned.value.atoms, atom)) {
        range = returned.range;
        break;
      }
    if (atom.kind == AtomKind::Foreign || atom.kind == AtomKind::Path)
      report(range, "return", "returns something that does not come from this file");
    if (const Object *instance = lookAt(atom, ObjectKind::Instance); instance && isTensorClass(instance->parent))
      report(range, "return", "returns an object that only looks like a tensor");
    bool isEarned = false, isStale = false, hasTensors = false;
    forEachTensor(atom, [&](const Atom &tensor) {
      const Buffer &buffer = state.get(tensor.object).buffer;
      hasTensors = true;
      isEarned |= buffer.isWritten || buffer.origin == Origin::Computed; // what was computed is reported where it was
      isStale |= buffer.origin == Origin::Stale && !buffer.isWritten;
    });
    if (isStale)
      report(range, "return", "returns a tensor kept from an earlier call");
    else if (hasTensors && !isEarned)
      report(range, "return", "returns a tensor that no kernel has written on this path");
  }
}

} // namespace tilesmith::lint
