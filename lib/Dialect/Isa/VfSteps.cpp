#include "tilesmith/Dialect/Isa/VfSteps.h"

using namespace mlir;

namespace tilesmith::isa {

namespace {

Type elementOf(Value reg) { return mlir::cast<RegType>(reg.getType()).getElementType(); }

unsigned sizeOfElement(Type type) {
  std::optional<DType> dtype = getDType(type);
  return dtype ? sizeOf(*dtype) : 0;
}

bool isFree(VfComputeOp compute) {
  Type to = elementOf(compute.getResult());
  Family family = compute.getInfo().family;
  if (family != Family::Cast)
    return to.isInteger(1) && family != Family::Compare && family != Family::CompareScalar;
  Type from = elementOf(compute.getOperands()[0]);
  if (from == to)
    return mlir::isa<IntegerType>(to) || !compute.getRound() || compute.getRound()->getValue() == RoundMode::None;
  return mlir::isa<IntegerType>(from) && mlir::isa<IntegerType>(to) && sizeOfElement(from) == sizeOfElement(to);
}

class Steps {
public:
  explicit Steps(VfOp vf) : levels(vf) {
    for (Operation &op : vf.getBody().front())
      add(op);
  }

  std::vector<TsVfStep> steps;

private:
  static constexpr uint16_t call = 0, before = 1, inside = 2, after = 3; // sections of the only phase

  int16_t step(uint16_t section, uint8_t kind, Type element, ArrayRef<int16_t> operands, int16_t result) {
    TsVfStep &entry = steps.emplace_back();
    entry.kind = kind;
    entry.narrow = element && sizeOfElement(element) < 4;
    entry.section = section;
    entry.result = result;
    for (auto [i, place] : llvm::enumerate(entry.operands))
      place = i < operands.size() ? operands[i] : int16_t(-1);
    return result;
  }
  int16_t step(uint16_t section, VfStepKind kind, ArrayRef<int16_t> operands, int16_t result) {
    return step(section, uint8_t(kind), Type(), operands, result);
  }
  int16_t compute(uint16_t section, CostClass cost, Type element, ArrayRef<int16_t> operands) {
    return step(section, uint8_t(cost), element, operands, fresh());
  }
  int16_t fresh() { return numValues++; }
  int16_t valueOf(Value reg) const {
    auto found = values.find(reg);
    return found == values.end() ? int16_t(-1) : found->second;
  }
  uint16_t sectionOf(Operation &op) const {
    VfLevel level = levels.of(&op);
    return level == VfLevel::Call ? call : level == VfLevel::Row ? before : inside;
  }

  void add(Operation &op) {
    uint16_t section = sectionOf(op);
    if (auto load = dyn_cast<VfLoadOp>(op))
      values[load.getResult()] = step(section, VfStepKind::Load, {}, fresh());
    else if (auto store = dyn_cast<VfStoreOp>(op))
      step(section, VfStepKind::Store, {valueOf(store.getValue())}, -1);
    else if (auto compute = dyn_cast<VfComputeOp>(op))
      values[compute.getResult()] = addCompute(section, compute);
    else if (auto reduce = dyn_cast<VfReduceOp>(op))
      addReduce(reduce);
  }

  int16_t addCompute(uint16_t section, VfComputeOp op) {
    SmallVector<int16_t> operands;
    for (Value operand : op.getOperands())
      if (int16_t value = valueOf(operand); value >= 0)
        operands.push_back(value);
    if (isFree(op))
      return operands.empty() ? int16_t(-1) : step(section, VfStepKind::Join, operands, fresh());
    Type element = elementOf(op.getResult()), wide = Float32Type::get(op.getContext());
    switch (op.getInfo().opcode) {
    case Opcode::Reciprocal: // registers have no such instruction: a quotient, ...
      return compute(section, CostClass::Divide, element, operands);
    case Opcode::Rsqrt: { // ... of a root, rounded once
      bool widens = !element.isF32();
      if (widens)
        operands = {compute(section, CostClass::Convert, wide, operands)};
      int16_t root = compute(section, CostClass::Transcendental, wide, operands);
      int16_t quotient = compute(section, CostClass::Divide, wide, {root});
      return widens ? compute(section, CostClass::Convert, element, {quotient}) : quotient;
    }
    default:
      return compute(section, op.getInfo().cost, elementOf(op.getOperands()[0]), operands);
    }
  }

  // Narrow elements are accumulated in 32 bits, except where order alone matters.
  void addReduce(VfReduceOp op) {
    bool sum = op.getKind() == VfReduction::Sum;
    Type element = elementOf(op.getValue());
    unsigned size = sizeOfElement(element);
    bool widens = size < 4 && (sum || element.isBF16() || size == 1);
    int16_t value = valueOf(op.getValue());
    if (op.getWidth()) {
      if (widens)
        value = compute(inside, CostClass::Convert, element, {value});
      for (int64_t columns = op.getWidth(); columns > 1; columns /= 2)
        value = compute(inside, CostClass::TwoSource, Type(), {value});
      if (sum && mlir::isa<FloatType>(element)) // zeros of the lanes a row does not have
        value = compute(inside, CostClass::OneSource, Type(), {value});
      if (widens)
        value = compute(inside, CostClass::Convert, element, {value});
      step(inside, VfStepKind::Store, {value}, -1);
      return;
    }
    int16_t total = step(before, VfStepKind::Join, {}, fresh());
    if (widens)
      value = compute(inside, CostClass::Convert, element, {value});
    step(inside, uint8_t(CostClass::TwoSource), Type(), {total, value}, total);
    int16_t result = compute(after, sum ? CostClass::ReduceAdd : CostClass::ReduceMax, element, {total});
    if (widens)
      result = compute(after, CostClass::Convert, element, {result});
    step(after, VfStepKind::Store, {result}, -1);
  }

  VfLevels levels;
  llvm::DenseMap<Value, int16_t> values;
  int16_t numValues = 0;
};

} // namespace

std::vector<TsVfStep> stepsOf(VfOp vf) { return std::move(Steps(vf).steps); }

} // namespace tilesmith::isa
