// Tensors: what torch, NumPy and methods do to them, and which inputs of forward are some.
#include "Interpreter.h"

namespace tilesmith::lint {

using namespace ast;

static constexpr llvm::StringLiteral computesOutside = "computes on tensors outside the kernels";
static constexpr llvm::StringLiteral computedOnHost = "makes a tensor of values computed on the host from tensor data";

bool Interpreter::hasTensor(const Value &value) const { return value.has(AtomKind::Tensor); }

void Interpreter::forEachTensor(const Value &value, llvm::function_ref<void(const Atom &)> visit) const {
  llvm::SmallVector<Atom, 8> pending(value.atoms.begin(), value.atoms.end());
  llvm::DenseSet<ObjectId> seen;
  while (!pending.empty()) {
    Atom atom = pending.pop_back_val();
    if (atom.kind == AtomKind::Tensor) {
      if (state.exists(atom.object) && seen.insert(atom.object).second)
        visit(atom);
      continue;
    }
    if (atom.kind != AtomKind::Object || !state.exists(atom.object) || seen.size() > 512 ||
        !seen.insert(atom.object).second)
      continue;
    const Object &object = state.get(atom.object);
    switch (object.kind) {
    case ObjectKind::Sequence:
    case ObjectKind::Dict:
    case ObjectKind::Instance:
    case ObjectKind::Bound: {
      Value all = object.all();
      pending.append(all.atoms.begin(), all.atoms.end());
      break;
    }
    default:
      break;
    }
  }
}

bool Interpreter::holdsTensor(const Value &value) const {
  bool result = false;
  for (const Atom &atom : value.atoms) {
    // An instance that is handed over, such as self, is not a tensor for the weights in it.
    if (!lookAt(atom, ObjectKind::Instance) && !lookAt(atom, ObjectKind::Bound))
      forEachTensor(atom, [&](const Atom &) { result = true; });
  }
  return result;
}

bool Interpreter::holdsStale(const Value &value) const {
  bool result = false;
  forEachTensor(value, [&](const Atom &tensor) {
    const Buffer &buffer = state.get(tensor.object).buffer;
    result |= buffer.origin == Origin::Stale && !buffer.isWritten;
  });
  return result;
}

uint8_t Interpreter::hostFlags(const Value &value, unsigned depth) const {
  uint8_t flags = 0;
  for (const Atom &atom : value.atoms) {
    if (atom.kind == AtomKind::Host)
      flags |= atom.flags & (Atom::FromTensor | Atom::Computed);
    else if (const Object *sequence = depth < 4 ? lookAt(atom, ObjectKind::Sequence) : nullptr)
      flags |= hostFlags(sequence->all(), depth + 1);
  }
  return flags;
}

Value Interpreter::tensorsIn(const Value &value, uint8_t flags) const {
  Value result;
  forEachTensor(value, [&](const Atom &tensor) { result.add(Value::tensor(tensor.object, tensor.flags | flags)); });
  return result;
}

// The result of a computation on the host: kernels that contributed to its operands contributed to it.
Value Interpreter::computed(const Value &from) {
  Value result = makeTensor(isJudged() ? Origin::Computed : Origin::Parameter);
  Buffer &buffer = state.change(result.atoms[0].object).buffer;
  forEachTensor(from, [&](const Atom &tensor) {
    if (tensor.object == result.atoms[0].object)
      return;
    const Buffer &operand = state.get(tensor.object).buffer;
    buffer.addKernels(operand.kernels);
    for (unsigned input : operand.inputs)
      if (!llvm::is_contained(buffer.inputs, input))
        buffer.inputs.push_back(input);
  });
  return result;
}

Value Interpreter::copyOf(const Value &value) {
  Value result;
  for (const Atom &atom : value.atoms) {
    if (atom.kind != AtomKind::Tensor) {
      result.add(atom);
      continue;
    }
    Object copy(ObjectKind::Buffer);
    copy.buffer = state.get(atom.object).buffer;
    result.add(Value::tensor(make(std::move(copy))));
  }
  return result;
}

void Interpreter::copyInto(const Value &target, const Value &source) {
  Buffer contents;
  bool isFirst = true;
  forEachTensor(source, [&](const Atom &tensor) {
    const Buffer &buffer = state.get(tensor.object).buffer;
    contents.addKernels(buffer.kernels);
    contents.isWritten = isFirst ? buffer.isWritten : contents.isWritten && buffer.isWritten;
    contents.origin = isFirst ? buffer.origin : std::max(contents.origin, buffer.origin);
    isFirst = false;
  });
  for (const Atom &atom : target.atoms) {
    if (atom.kind != AtomKind::Tensor)
      continue;
    Buffer &buffer = state.change(atom.object).buffer;
    bool isPart = atom.flags & Atom::Part || target.atoms.size() > 1;
    buffer.addKernels(contents.kernels);
    buffer.isWritten = isPart ? buffer.isWritten || contents.isWritten : contents.isWritten;
    if (!isPart) {
      buffer.kernels.assign(contents.kernels.begin(), contents.kernels.end());
      buffer.origin = isFirst ? Origin::Fresh : contents.origin;
    }
  }
}

void Interpreter::useAsTensor(const Value &value) {
  for (const Atom &atom : value.atoms)
    if (atom.kind == AtomKind::Tensor)
      for (unsigned input : state.get(atom.object).buffer.inputs)
        inputs[input].isTensor = true;
}

void Interpreter::useAsScalar(const Value &value) {
  forEachTensor(value, [&](const Atom &tensor) {
    for (unsigned input : state.get(tensor.object).buffer.inputs)
      inputs[input].isScalar = true;
  });
}

Value Interpreter::allocate(llvm::StringRef name, const Arguments &arguments, Site site) {
  bool isLike = name.ends_with("_like") || name.starts_with("new_");
  bool copies =
      name == "tensor" || name == "as_tensor" || name == "asarray" || name == "from_numpy" || name == "new_tensor";
  // Sizes may be computed from what a tensor holds, contents may not.
  const Value *contents = copies || name == "array" ? arguments.get(name == "new_tensor" ? 1 : 0, "data")
                          : name.contains("full")   ? arguments.get(name == "new_full" ? 2 : 1, "fill_value")
                                                    : nullptr;
  if (contents && isComputedOnHost(*contents))
    report(site, spellCall(site, name, "()"), computedOnHost);
  size_t firstSize = isLike ? 1 : 0;
  if (isLike && !arguments.positional.empty())
    useAsTensor(arguments.positional[0]);
  if (!copies)
    for (size_t i = firstSize; i < arguments.positional.size(); ++i)
      useAsScalar(arguments.positional[i]);
  Value source =
      arguments.positional.size() > (name == "new_tensor") ? arguments.positional[name == "new_tensor"] : Value();
  if (copies && holdsTensor(source)) {
    useAsTensor(source);
    return name == "tensor" || name == "new_tensor" ? copyOf(tensorsIn(source)) : tensorsIn(source);
  }
  Value result = makeTensor(isJudged() ? Origin::Fresh : Origin::Parameter);
  // A tensor of addresses.
  llvm::SmallVector<ObjectId, 2> pointees;
  Value elements = source;
  for (const Atom &atom : source.atoms)
    if (const Object *sequence = lookAt(atom, ObjectKind::Sequence))
      elements.add(sequence->all());
  for (const Atom &atom : elements.atoms)
    if (atom.kind == AtomKind::Host && atom.object)
      pointees.push_back(atom.object);
  if (!pointees.empty())
    state.change(result.atoms[0].object).buffer.pointees.assign(pointees.begin(), pointees.end());
  return result;
}

// What something with tensors does. The tensor is the first argument.
Value Interpreter::apply(Effect effect, llvm::StringRef path, const Arguments &arguments, Site site) {
  Value self = arguments.get(0, "input") ? *arguments.get(0, "input") : Value();
  switch (effect) {
  case Effect::Compute:
    break;
  case Effect::Allocate:
    return allocate(path.substr(path.rfind('.') + 1), arguments, site);
  case Effect::View: {
    useAsTensor(self);
    for (size_t i = 1; i < arguments.positional.size(); ++i)
      useAsScalar(arguments.positional[i]);
    if (!hasTensor(self) && !holdsTensor(arguments.all()))
      return Value::host();
    Value tensors = tensorsIn(hasTensor(self) ? self : arguments.all());
    return path.ends_with("broadcast_tensors") ? makeSequenceOf(tensorsIn(arguments.all())) : tensors;
  }
  case Effect::Part:
    useAsTensor(self);
    return tensorsIn(self, Atom::Part);
  case Effect::Copy:
    useAsTensor(self);
    return copyOf(holdsTensor(self) ? tensorsIn(self) : self);
  case Effect::Host:
    useAsTensor(self);
    return Value::host();
  case Effect::Read:
    useAsTensor(self);
    return Value::host(Atom::FromTensor);
  case Effect::Address: {
    useAsTensor(self);
    Value result;
    for (const Atom &atom : self.atoms)
      if (atom.kind == AtomKind::Tensor)
        result.add(Value::of(AtomKind::Host, atom.object));
    return result.empty() ? Value::host() : result;
  }
  case Effect::Fill:
    useAsTensor(self);
    if (isComputedOnHost(arguments.all()))
      report(site, spellCall(site, path, "()"), computedOnHost);
    copyInto(self, {});
    return self;
  case Effect::CopyInto:
    useAsTensor(self);
    if (arguments.positional.size() > 1)
      copyInto(self, arguments.positional[1]);
    return self;
  case Effect::Self:
    return self;
  }
  report(site, path.str(), computesOutside);
  callBack(arguments, site);
  return computed(arguments.all());
}

Value Interpreter::callMethod(llvm::StringRef name, const Arguments &arguments, Site site) {
  Effect effect = effectOfMethod(name);
  Value self = arguments.get(0, "self") ? *arguments.get(0, "self") : Value();
  static const llvm::StringSet<> ofContainers{"append", "items", "keys", "values", "get", "index", "pop", "extend"};
  if (ofContainers.contains(name)) // an input may be a list or a dictionary of tensors
    return tensorsIn(self, Atom::Part);
  useAsTensor(self);
  if (effect == Effect::Compute) {
    bool isWritten = llvm::isa_and_nonnull<Attribute>(site.callee); // as a method of something
    report(site, isWritten ? textOf(*site.callee) + "()" : ("Tensor." + name + "()").str(), computesOutside);
    callBack(arguments, site);
    Value result = computed(arguments.all());
    if (name.ends_with("_") && !name.starts_with("__"))
      copyInto(self, result);
    return result;
  }
  if (effect == Effect::Host || effect == Effect::Part)
    for (size_t i = 1; i < arguments.positional.size(); ++i)
      useAsScalar(arguments.positional[i]);
  // Asked for without an argument it is a conversion that may be the tensor itself: `type()` gives a name.
  if (name == "type" && arguments.positional.size() == 1 && arguments.keywords.empty())
    return Value::host();
  return apply(effect, name, arguments, site);
}

} // namespace tilesmith::lint
