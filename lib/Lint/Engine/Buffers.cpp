#include "Interpreter.h"

#include "llvm/ADT/DenseSet.h"

namespace tilesmith::lint {

using namespace ast;

void Buffers::forEachTensor(const Value &value, llvm::function_ref<void(const Atom &)> visit) const {
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

bool Buffers::holdsTensor(const Value &value) const {
  bool result = false;
  for (const Atom &atom : value.atoms) {
    // An instance that is handed over, such as self, is not a tensor for the weights in it.
    if (!world.lookAt(atom, ObjectKind::Instance) && !world.lookAt(atom, ObjectKind::Bound))
      forEachTensor(atom, [&](const Atom &) { result = true; });
  }
  return result;
}

bool Buffers::holdsBits(const Value &value) const {
  bool result = false;
  forEachTensor(value, [&](const Atom &tensor) { result |= (tensor.flags & Atom::Bits) != 0; });
  return result;
}

bool Buffers::holdsStale(const Value &value) const {
  bool result = false;
  forEachTensor(value, [&](const Atom &tensor) {
    const Buffer &buffer = state.get(tensor.object).buffer;
    result |= buffer.origin == Origin::Stale && !buffer.isWritten;
  });
  return result;
}

uint8_t Buffers::hostFlags(const Value &value, unsigned depth) const {
  uint8_t flags = 0;
  for (const Atom &atom : value.atoms) {
    if (atom.kind == AtomKind::Host)
      flags |= atom.flags & (Atom::FromTensor | Atom::Computed | Atom::Many);
    else if (const Object *sequence = depth < 4 ? world.lookAt(atom, ObjectKind::Sequence) : nullptr)
      flags |= hostFlags(sequence->all(), depth + 1);
  }
  return flags;
}

Value Buffers::tensorsIn(const Value &value, uint8_t flags) const {
  Value result;
  forEachTensor(value, [&](const Atom &tensor) { result.add(Value::tensor(tensor.object, tensor.flags | flags)); });
  return result;
}

Value Buffers::computed(const Value &from) {
  Value result = world.makeTensor(world.isJudged() ? Origin::Computed : Origin::Parameter);
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

Value Buffers::copyOf(const Value &value) {
  Value result;
  for (const Atom &atom : value.atoms) {
    if (atom.kind != AtomKind::Tensor) {
      result.add(atom);
      continue;
    }
    Object copy(ObjectKind::Buffer);
    copy.buffer = state.get(atom.object).buffer;
    result.add(Value::tensor(world.make(std::move(copy)), atom.flags & Atom::Bits));
  }
  return result;
}

void Buffers::copyInto(const Value &target, const Value &source) {
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

void Buffers::useAsTensor(const Value &value) {
  for (const Atom &atom : value.atoms)
    if (atom.kind == AtomKind::Tensor)
      for (unsigned input : state.get(atom.object).buffer.inputs)
        inputs[input].isTensor = true;
}

void Buffers::useAsScalar(const Value &value) {
  forEachTensor(value, [&](const Atom &tensor) {
    for (unsigned input : state.get(tensor.object).buffer.inputs)
      inputs[input].isScalar = true;
  });
}

void Buffers::useAsScalars(const Arguments &arguments, size_t from) {
  for (size_t i = from; i < arguments.positional.size(); ++i)
    useAsScalar(arguments.positional[i]);
}

} // namespace tilesmith::lint
