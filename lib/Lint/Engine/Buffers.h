// The memory of tensors: who holds which, where contents come from, and which inputs of forward are tensors.
#ifndef TILESMITH_LINT_ENGINE_BUFFERS_H
#define TILESMITH_LINT_ENGINE_BUFFERS_H

#include "Part.h"

namespace tilesmith::lint {

class Buffers : public Part {
public:
  // How an input of forward is used.
  struct Input {
    bool isTensor = false, isScalar = false;
  };

  explicit Buffers(Interpreter &interpreter) : Part(interpreter) {}

  bool holdsTensor(const Value &value) const; // the value itself or something in it
  bool holdsBits(const Value &value) const;   // a tensor whose bits are read as numbers
  bool holdsStale(const Value &value) const;  // a tensor kept from an earlier call
  // Flags of host data in the value and in sequences in it: whether it was read from tensors, and computed from that.
  uint8_t hostFlags(const Value &value, unsigned depth = 0) const;
  bool isComputedOnHost(const Value &value) const { return hostFlags(value) & Atom::Computed; }
  void forEachTensor(const Value &value, llvm::function_ref<void(const Atom &)> visit) const;
  Value tensorsIn(const Value &value, uint8_t flags = 0) const;

  // The result of a computation on the host: kernels that contributed to its operands contributed to it.
  Value computed(const Value &from);
  Value copyOf(const Value &value);
  void copyInto(const Value &target, const Value &source);

  void resizeInputs(size_t count) { inputs.resize(count); }
  Input &input(size_t number) { return inputs[number]; }
  void useAsTensor(const Value &value);
  void useAsScalar(const Value &value);
  // All but the first so many arguments are numbers.
  void useAsScalars(const Arguments &arguments, size_t from);

private:
  std::vector<Input> inputs;
};

} // namespace tilesmith::lint

#endif // TILESMITH_LINT_ENGINE_BUFFERS_H
