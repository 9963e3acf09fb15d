// Register operations of vector functions.
#include "CallTable.h"
#include "VectorBody.h"
#include "mlir/IR/Matchers.h"
#include "tilesmith/Isa/Chip.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace tilesmith::isa;

namespace tilesmith::ascendc {

static Type elementOf(Value reg) { return mlir::cast<RegType>(reg.getType()).getElementType(); }

void VectorBody::call(const Twine &function, ArrayRef<std::string> arguments) {
  text.line("Reg::" + function + "(" + llvm::join(arguments, ", ") + ");");
}

std::string VectorBody::temporary(Type element, StringRef name) {
  std::string unique = names.unique(name);
  text.line("Reg::RegTensor<" + cppType(element) + "> " + unique + ";");
  return unique;
}

std::optional<std::string> VectorBody::scalarOf(Value reg) {
  if (auto constant = reg.getDefiningOp<VfConstantOp>())
    return literal(constant.getValue());
  if (auto scalar = reg.getDefiningOp<VfScalarOp>())
    return registers[scalar.getValue()];
  return std::nullopt;
}

LogicalResult VectorBody::printOp(Operation &op) {
  if (auto load = dyn_cast<VfLoadOp>(op))
    return printLoad(load);
  if (auto store = dyn_cast<VfStoreOp>(op))
    return printStore(store);
  if (auto reduce = dyn_cast<VfReduceOp>(op))
    return accumulate(reduce);
  if (auto compute = dyn_cast<VfComputeOp>(op))
    return printCompute(compute);
  std::string reg = registers[op.getResult(0)];
  if (auto constant = dyn_cast<VfConstantOp>(op)) {
    if (elementOf(constant.getResult()).isInteger(1)) {
      bool set = !mlir::cast<IntegerAttr>(constant.getValue()).getValue().isZero();
      text.line(reg + " = Reg::CreateMask<uint32_t" + (set ? "" : ", Reg::MaskPattern::ALLF") + ">();");
      return success();
    }
    // The literal has the register's type, so that nothing is converted on the way.
    std::string value = literal(constant.getValue());
    if (StringRef(value).contains("FloatOf"))
      return op.emitOpError() << "a NaN with bits of its own cannot be written as Ascend C";
    if (mlir::isa<IntegerType>(elementOf(constant.getResult())))
      value = ("static_cast<" + cppType(elementOf(constant.getResult())) + ">(" + value + ")").str();
    call("Duplicate", {reg, value});
    return success();
  }
  auto scalar = mlir::cast<VfScalarOp>(op);
  if (elementOf(scalar.getResult()).isInteger(1)) {
    text.line(reg + " = Reg::CreateMask<uint32_t, Reg::MaskPattern::ALLF>();");
    text.open("for (uint16_t k = 0; k < uint16_t(" + registers[scalar.getValue()] + "); ++k)");
    text.line(reg + " = Reg::CreateMask<uint32_t>();");
    text.close();
    return success();
  }
  std::string value = registers[scalar.getValue()];
  if (cppType(scalar.getValue().getType()) != cppType(elementOf(scalar.getResult())))
    value = ("static_cast<" + cppType(elementOf(scalar.getResult())) + ">(" + value + ")").str();
  call("Duplicate", {reg, value});
  return success();
}

// Integers keep their low bits, floats become infinite, floats to integers saturate.
std::string VectorBody::castCall(Type to, Type from, RoundMode round) {
  bool fromFloat = mlir::isa<FloatType>(from), toFloat = mlir::isa<FloatType>(to);
  unsigned fromSize = elementSize(from), toSize = elementSize(to);
  StringRef layout = fromSize == toSize ? "UNKNOWN" : "ZERO";
  bool exact = fromFloat == toFloat ? toSize > fromSize : toFloat && toSize > fromSize;
  if (!fromFloat && !toFloat)
    exact = toSize > fromSize;
  StringRef saturation = exact || (!fromFloat && toFloat) ? "UNKNOWN" : fromFloat && !toFloat ? "SAT" : "NO_SAT";
  StringRef mode = "UNKNOWN";
  if (!exact && (fromFloat || toFloat)) {
    RoundMode lossy = round == RoundMode::None ? RoundMode::Rint : round;
    std::string_view name = enumeratorOf("RoundMode", int64_t(lossy));
    mode = StringRef(name.data(), name.size()).rsplit("::").second;
  }
  std::string trait = functions.castTrait(layout, saturation, mode);
  return ("Cast<" + cppType(to) + ", " + cppType(from) + ", " + trait + ">").str();
}

// What one register instruction converts: registers hold elements of up to 32 bits.
static bool isOneCast(DType from, DType to) {
  return from != to && sizeOf(from) <= 4 && sizeOf(to) <= 4 && castTargets(Arch::C310, from) & dtypeBit(to);
}

LogicalResult VectorBody::printCast(VfComputeOp op) {
  Value source = op.getOperands()[0];
  Type from = elementOf(source), to = elementOf(op.getResult());
  RoundMode round = op.getRound() ? op.getRound()->getValue() : RoundMode::None;
  std::string result = registers[op.getResult()], value = registers[source];
  if (from == to) {
    if (round == RoundMode::None || mlir::isa<IntegerType>(from)) {
      call("Move", {result, value});
      return success();
    }
    std::string_view mode = enumeratorOf("RoundMode", int64_t(round));
    call("Truncate<" + cppType(to) + ", " + StringRef(mode.data(), mode.size()) + ">", {result, value, mask});
    return success();
  }
  // The same bits with another sign.
  if (mlir::isa<IntegerType>(from) && mlir::isa<IntegerType>(to) && elementSize(from) == elementSize(to) &&
      !from.isInteger(1) && !to.isInteger(1)) {
    call("Move", {result, ("(Reg::RegTensor<" + cppType(to) + "> &)" + value).str()});
    return success();
  }
  if (from.isInteger(1) || to.isInteger(1) || !isOneCast(*getDType(from), *getDType(to)))
    return op.emitOpError() << "no register instruction converts " << from << " to " << to;
  call(castCall(to, from, round), {result, value, mask});
  return success();
}

// There is no instruction for either: a quotient, whose divisor is the square root for rsqrt. Both are rounded, so a
// narrow rsqrt is computed in float, to be rounded to its type once.
LogicalResult VectorBody::printReciprocal(VfComputeOp op, bool ofSquareRoot) {
  Type type = elementOf(op.getResult()), wide = type;
  std::string result = registers[op.getResult()], value = registers[op.getOperands()[0]], divisor = value,
              quotient = result;
  if (ofSquareRoot && !type.isF32()) {
    wide = Float32Type::get(vf.getContext());
    divisor = temporary(wide, "root");
    quotient = divisor;
    call(castCall(wide, type, RoundMode::None), {divisor, value, mask});
    value = divisor;
  }
  std::string one = temporary(wide, "one");
  call("Duplicate", {one, narrowFloat("0x1p+0f", wide)});
  if (ofSquareRoot) {
    if (divisor == registers[op.getOperands()[0]])
      divisor = temporary(wide, "root");
    call("Sqrt", {divisor, value, mask});
  }
  call("Div", {quotient, one, divisor, mask});
  if (wide != type)
    call(castCall(type, wide, RoundMode::Rint), {result, quotient, mask});
  return success();
}

LogicalResult VectorBody::printMaskLogic(VfComputeOp op) {
  std::string result = registers[op.getResult()];
  Opcode opcode = op.getInfo().opcode;
  std::string function = opcode == Opcode::And ? "And" : opcode == Opcode::Or ? "Or" : "Not";
  if (opcode != Opcode::And && opcode != Opcode::Or && opcode != Opcode::Not)
    return op.emitOpError() << "'" << op.getInstruction() << "' does not work on masks";
  SmallVector<std::string> arguments{result};
  for (Value operand : op.getOperands())
    arguments.push_back(registers[operand]);
  arguments.push_back(mask);
  call(function, arguments);
  return success();
}

LogicalResult VectorBody::printCompute(VfComputeOp op) {
  StringRef instruction = op.getInstruction();
  const InstructionInfo &info = op.getInfo();
  std::string result = registers[op.getResult()];
  SmallVector<std::string> operands;
  for (Value operand : op.getOperands())
    operands.push_back(registers[operand]);
  auto takes = [&](unsigned count) {
    if (operands.size() != count)
      op.emitOpError() << "'" << instruction << "' takes " << count << " operands, got " << operands.size();
    return operands.size() == count;
  };
  std::string function = std::string(info.ascendName);
  switch (info.family) {
  case Family::Cast:
    return takes(1) ? printCast(op) : failure();
  case Family::Compare:
  case Family::CompareScalar: {
    if (!takes(2))
      return failure();
    if (!op.getMode())
      return op.emitOpError() << "needs a mode";
    std::string_view mode = enumeratorOf("CmpMode", int64_t(op.getMode()->getValue()));
    call("Compare<" + cppType(elementOf(op.getOperands()[0])) + ", " + StringRef(mode.data(), mode.size()) + ">",
         {result, operands[0], operands[1], mask});
    return success();
  }
  case Family::Select: // the mask of the choice takes the place of the lanes' mask
    if (!takes(3))
      return failure();
    call("Select", {result, operands[1], operands[2], operands[0]});
    return success();
  default:
    break;
  }
  if (elementOf(op.getResult()).isInteger(1))
    return printMaskLogic(op);
  if (info.opcode == Opcode::Rsqrt || info.opcode == Opcode::Reciprocal)
    return takes(1) ? printReciprocal(op, info.opcode == Opcode::Rsqrt) : failure();
  if (info.opcode == Opcode::MulAddDst) {
    if (!takes(3))
      return failure();
    call("Move", {result, operands[0]});
    call(function, {result, operands[1], operands[2], mask});
    return success();
  }
  if (info.family == Family::VectorScalar) {
    if (!takes(2))
      return failure();
    std::optional<std::string> scalar = scalarOf(op.getOperands()[1]);
    bool shifts = info.opcode == Opcode::ShiftLeft || info.opcode == Opcode::ShiftRight;
    if (scalar && shifts)
      call(function + "s", {result, operands[0], "static_cast<int16_t>(" + *scalar + ")", mask});
    else if (shifts) {
      std::string amount = "int" + std::to_string(8 * elementSize(elementOf(op.getResult()))) + "_t";
      call(function, {result, operands[0], "(Reg::RegTensor<" + amount + "> &)" + operands[1], mask});
    } else if (scalar)
      call(function, {result, operands[0], *scalar, mask});
    else
      return op.emitOpError() << "'" << instruction << "' takes one number for all lanes";
    return success();
  }
  operands.insert(operands.begin(), result);
  operands.push_back(mask);
  call(function, operands);
  return success();
}

// Reductions. Narrow types are accumulated in 32 bits, except where order alone matters.

Type VectorBody::accumulatorType(VfReduceOp op) {
  Type type = elementOf(op.getValue());
  MLIRContext *context = vf.getContext();
  if (elementSize(type) == 4 || (op.getKind() != VfReduction::Sum && !type.isBF16() && elementSize(type) == 2))
    return type;
  if (mlir::isa<FloatType>(type))
    return Float32Type::get(context);
  return IntegerType::get(context, 32, type.isUnsignedInteger() ? IntegerType::Unsigned : IntegerType::Signless);
}

std::string VectorBody::neutralOf(VfReduceOp op) {
  Type type = accumulatorType(op);
  VfReduction kind = op.getKind();
  if (mlir::isa<FloatType>(type))
    return narrowFloat(kind == VfReduction::Sum   ? "-0x0p+0f"
                       : kind == VfReduction::Max ? "-__builtin_inff()"
                                                  : "__builtin_inff()",
                       type);
  unsigned width = type.getIntOrFloatBitWidth();
  std::string cast = ("static_cast<" + cppType(type) + ">(").str();
  if (kind == VfReduction::Sum)
    return cast + "0)";
  bool isUnsigned = type.isUnsignedInteger();
  if (kind == VfReduction::Max)
    return cast + (isUnsigned ? "0" : literal(-(int64_t(1) << (width - 1)), width)) + ")";
  return cast + std::to_string((uint64_t(1) << (isUnsigned ? width : width - 1)) - 1) +
         (width == 32 && isUnsigned ? "u)" : ")");
}

LogicalResult VectorBody::accumulate(VfReduceOp op) {
  if (op.getWidth())
    return reduceGroups(op);
  std::string value = registers[op.getValue()], into = accumulators[op];
  Type type = elementOf(op.getValue()), wide = accumulatorType(op);
  if (type != wide) {
    if (!isOneCast(*getDType(type), *getDType(wide)))
      return op.emitOpError() << "no register instruction converts " << type << " to " << wide;
    std::string widened = temporary(wide, "wide");
    call(castCall(wide, type, RoundMode::None), {widened, value, mask});
    value = widened;
  }
  StringRef function = op.getKind() == VfReduction::Sum ? "Add" : op.getKind() == VfReduction::Max ? "Max" : "Min";
  // Lanes past the row's end keep what they have.
  call(function + "<" + cppType(wide) + ", Reg::MaskMergeMode::MERGING>", {into, into, value, mask});
  return success();
}

LogicalResult VectorBody::finishReduction(VfReduceOp op) {
  places.comment(text, op.getLoc());
  std::string into = accumulators[op];
  Type type = elementOf(op.getValue()), wide = accumulatorType(op);
  std::string kind = stringifyVfReduction(op.getKind()).upper();
  // Only lanes that elements reached hold sums; of one short trip these are the mask's.
  bool isPartial = cols < 64 && op.getKind() == VfReduction::Sum;
  call("Reduce<AscendC::ReduceType::" + kind + ">", {into, into, isPartial ? "m" : "all"});
  std::string result = into;
  if (type != wide) {
    if (!isOneCast(*getDType(wide), *getDType(type)))
      return op.emitOpError() << "no register instruction converts " << wide << " to " << type;
    result = temporary(type, "narrow");
    call(castCall(type, wide, RoundMode::Rint), {result, into, "all"});
  }
  storeFirst(op.getBuffer(), op.getWalk(), result);
  return success();
}

// Even lanes meet odd ones until one is left of each short row. Whole registers are read, so lanes past the end, which
// were not loaded, are cleared first.
LogicalResult VectorBody::reduceGroups(VfReduceOp op) {
  std::string value = registers[op.getValue()], into = accumulators[op];
  Type type = elementOf(op.getValue()), wide = accumulatorType(op);
  int64_t width = op.getWidth();
  auto cannotConvert = [&](Type from, Type to) {
    return op.emitOpError() << "no register instruction converts " << from << " to " << to;
  };
  if (type != wide) {
    if (!isOneCast(*getDType(type), *getDType(wide)))
      return cannotConvert(type, wide);
    call(castCall(wide, type, RoundMode::None), {into, value, mask});
  } else {
    call("Move", {into, value, mask});
  }
  StringRef function = op.getKind() == VfReduction::Sum ? "Add" : op.getKind() == VfReduction::Max ? "Max" : "Min";
  std::string odd = temporary(wide, "odd");
  auto asLanes = [&](const std::string &reg) {
    return elementSize(wide) == 4 ? reg : "(Reg::RegTensor<uint32_t> &)" + reg;
  };
  for (int64_t columns = width; columns > 1; columns /= 2) {
    call("DeInterleave", {asLanes(into), asLanes(odd), asLanes(into), asLanes(into)});
    call(function, {into, into, odd, "all"});
  }
  if (op.getKind() == VfReduction::Sum && mlir::isa<FloatType>(wide))
    call("Adds", {into, into, "0x0p+0f", "all"}); // a sum of -0 is +0, as with the lanes of a longer row
  std::string result = into;
  if (type != wide) {
    if (!isOneCast(*getDType(wide), *getDType(type)))
      return cannotConvert(wide, type);
    result = temporary(type, "narrow");
    call(castCall(type, wide, RoundMode::Rint), {result, into, "all"});
  }
  std::string to = registers[op.getBuffer()], by = std::to_string(width), perChunk = std::to_string(64 / width);
  if (cols > 64)
    to += " + i * " + perChunk;
  storeAnywhere(to, type, result, cols <= 64 ? std::to_string(cols / width) : cols % 64 ? "n / " + by : perChunk);
  return success();
}

} // namespace tilesmith::ascendc
