#include "VectorCode.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace tilesmith::isa;

namespace tilesmith::host {

constexpr int64_t lanes = TS_VF_LANES;

std::string LaneType::name() const { return StringRef(stringify(dtype)).lower(); }

std::optional<LaneType> laneTypeOf(Type element) {
  std::optional<DType> dtype = getDType(element);
  if (!dtype || infoOf(*dtype).use != DTypeUse::Tiles || sizeOf(*dtype) > 4)
    return std::nullopt;
  return LaneType{*dtype};
}

VectorCode::VectorCode(Block *entry, Lowering &lowering)
    : b(OpBuilder::atBlockEnd(entry)), loc(lowering.module.getLoc()), entry(entry), lowering(lowering) {}

Type VectorCode::laneScalar(LaneType type) { return type.isFloat() ? Type(b.getF32Type()) : Type(b.getI32Type()); }
Type VectorCode::vectorType(LaneType type) { return VectorType::get({lanes}, laneScalar(type)); }

Value VectorCode::reserve(LaneType type) {
  OpBuilder head = OpBuilder::atBlockBegin(entry);
  return LLVM::AllocaOp::create(head, loc, LLVM::LLVMPointerType::get(b.getContext()), vectorType(type),
                                constant(head, loc, 1), /*alignment=*/64);
}

Value VectorCode::vector(Value reg, LaneType type) {
  return LLVM::LoadOp::create(b, loc, vectorType(type), reg, /*alignment=*/64);
}

Value VectorCode::call(Twine name, ValueRange args, Type result) {
  auto call = lowering.call(b, loc, ("ts_el_" + name).str(), result, args);
  return result ? call.getResult() : Value();
}

Value VectorCode::offset(Value pointer, Value bytes) {
  return LLVM::GEPOp::create(b, loc, pointer.getType(), b.getI8Type(), pointer, ArrayRef<LLVM::GEPArg>{bytes});
}

void VectorCode::splat(Value scalar, Value reg) {
  call(mlir::isa<FloatType>(scalar.getType()) ? "splat" : "splat_i32", {reg, scalar});
}

void VectorCode::setConstant(TypedAttr value, LaneType type, Value reg) {
  Attribute lane;
  if (auto number = dyn_cast<FloatAttr>(value)) {
    APFloat wide = number.getValue();
    bool inexact;
    wide.convert(APFloat::IEEEsingle(), APFloat::rmNearestTiesToEven, &inexact);
    lane = b.getFloatAttr(b.getF32Type(), wide);
  } else {
    APInt bits = mlir::cast<IntegerAttr>(value).getValue();
    lane = b.getIntegerAttr(b.getI32Type(), type.isUnsigned() ? bits.zextOrTrunc(32) : bits.sextOrTrunc(32));
  }
  auto constants = DenseElementsAttr::get(mlir::cast<VectorType>(vectorType(type)), lane);
  LLVM::StoreOp::create(b, loc, LLVM::ConstantOp::create(b, loc, constants), reg, /*alignment=*/64);
}

// Memory.

void VectorCode::load(Value at, int64_t count, LaneType type, Value reg) {
  if (type.isMask())
    return loadBits(at, count, reg);
  call("load_" + type.name(), {reg, at, constant(b, loc, count)});
}

void VectorCode::store(Value at, int64_t count, LaneType type, Value reg) {
  if (type.isMask())
    return storeBits(at, count, reg);
  call("store_" + type.name(), {at, reg, constant(b, loc, count)});
}

// Whole bytes only; the last one of a partial chunk is filled up with zero bits.
void VectorCode::loadBits(Value at, int64_t count, Value reg) {
  Value bits;
  if (count == lanes) {
    bits = LLVM::LoadOp::create(b, loc, b.getI64Type(), at, /*alignment=*/1);
  } else {
    bits = constant(b, loc, 0);
    for (int64_t byte = 0; byte * 8 < count; ++byte) {
      Value one = LLVM::LoadOp::create(b, loc, b.getI8Type(), offset(at, constant(b, loc, byte)), /*alignment=*/1);
      one = LLVM::ZExtOp::create(b, loc, b.getI64Type(), one);
      bits = LLVM::OrOp::create(b, loc, bits, LLVM::ShlOp::create(b, loc, one, constant(b, loc, byte * 8)));
    }
  }
  Value mask = LLVM::BitcastOp::create(b, loc, VectorType::get({lanes}, b.getI1Type()), bits);
  LLVM::StoreOp::create(b, loc, LLVM::SExtOp::create(b, loc, vectorType({DType::I1}), mask), reg, /*alignment=*/64);
}

void VectorCode::storeBits(Value at, int64_t count, Value reg) {
  Type type = vectorType({DType::I1});
  Value zero = LLVM::ConstantOp::create(b, loc, b.getZeroAttr(type));
  Value mask = LLVM::ICmpOp::create(b, loc, LLVM::ICmpPredicate::ne, vector(reg, {DType::I1}), zero);
  Value bits = LLVM::BitcastOp::create(b, loc, b.getI64Type(), mask);
  if (count == lanes) {
    LLVM::StoreOp::create(b, loc, bits, at, /*alignment=*/1);
    return;
  }
  bits = LLVM::AndOp::create(b, loc, bits, constant(b, loc, (int64_t(1) << count) - 1));
  for (int64_t byte = 0; byte * 8 < count; ++byte) {
    Value one = LLVM::LShrOp::create(b, loc, bits, constant(b, loc, byte * 8));
    one = LLVM::TruncOp::create(b, loc, b.getI8Type(), one);
    LLVM::StoreOp::create(b, loc, one, offset(at, constant(b, loc, byte)), /*alignment=*/1);
  }
}

Value VectorCode::toLane(Value scalar, LaneType type) {
  if (type.dtype == DType::F32 || scalar.getType() == b.getI32Type())
    return scalar;
  if (type.dtype == DType::F16)
    return LLVM::FPExtOp::create(b, loc, b.getF32Type(), scalar);
  if (type.dtype == DType::BF16) {
    Value bits = LLVM::BitcastOp::create(b, loc, b.getI16Type(), scalar);
    bits = LLVM::ZExtOp::create(b, loc, b.getI32Type(), bits);
    bits = LLVM::ShlOp::create(b, loc, bits, constant(b, loc, 16, 32));
    return LLVM::BitcastOp::create(b, loc, b.getF32Type(), bits);
  }
  if (type.isUnsigned())
    return LLVM::ZExtOp::create(b, loc, b.getI32Type(), scalar);
  return LLVM::SExtOp::create(b, loc, b.getI32Type(), scalar);
}

void VectorCode::loadOne(Value at, LaneType type, Value reg) {
  Type memory = getElementType(b.getContext(), type.dtype);
  if (auto integer = dyn_cast<IntegerType>(memory))
    memory = b.getIntegerType(integer.getWidth());
  Value scalar = LLVM::LoadOp::create(b, loc, memory, at, /*alignment=*/1);
  splat(toLane(scalar, type), reg);
}

// Arithmetic.

void VectorCode::narrowToBits(LaneType type, Value reg, Value bits) { call("bits_" + type.name(), {bits, reg}); }
void VectorCode::selectBits(Value mask, Value a, Value b, Value result) { call("select_i32", {result, mask, a, b}); }

// Operations whose results are values of the narrow type again without rounding or wrapping.
static bool isExact(StringRef element) {
  return llvm::StringSwitch<bool>(element)
      .Cases({"max", "min", "and", "or", "select", "compare", "relu"}, true)
      .Default(false);
}
static bool isExactOnFloats(StringRef element) { return isExact(element) || element == "abs" || element == "neg"; }

// Element functions that exist apart for unsigned lanes.
static bool hasUnsigned(StringRef element) {
  return llvm::StringSwitch<bool>(element)
      .Cases({"div", "max", "min", "shr", "lt", "gt", "le", "ge", "tree_max", "tree_min"}, true)
      .Default(false);
}

static std::string functionOf(StringRef element, LaneType type) {
  if (type.isFloat())
    return element.str();
  return (element + (type.isUnsigned() && hasUnsigned(element) ? "_u32" : "_i32")).str();
}

LogicalResult VectorCode::compute(VfComputeOp op, ValueRange operands, Value result, bool canonical) {
  const InstructionInfo &info = op.getInfo();
  std::optional<LaneType> to = laneTypeOf(op.getResult().getType().getElementType());
  SmallVector<LaneType> from;
  for (Value operand : op.getOperands()) {
    std::optional<LaneType> type = laneTypeOf(mlir::cast<RegType>(operand.getType()).getElementType());
    if (!type)
      return op.emitOpError() << "64-bit elements do not fit into the lanes of a vector function";
    from.push_back(*type);
  }
  if (!to)
    return op.emitOpError() << "64-bit elements do not fit into the lanes of a vector function";
  if (info.family == Family::Cast) {
    if (from.size() != 1)
      return op.emitOpError() << "takes one operand";
    return cast(op, from[0], *to, operands[0], result, canonical);
  }

  // Results first, sources in the record's order; an operand that is also the destination comes as the first source.
  StringRef element = info.element;
  std::string function;
  SmallVector<Value> args = {result};
  args.append(operands.begin(), operands.end());
  unsigned expected = 0;
  for (unsigned i = 0; i < info.numOperands; ++i) {
    const OperandInfo &operand = info.operands[i];
    expected +=
        (operand.kind == OperandKind::Buffer && operand.access != Access::Write) || operand.kind == OperandKind::Scalar;
  }
  if (operands.size() != expected)
    return op.emitOpError() << "'" << op.getInstruction() << "' takes " << expected << " operands, got "
                            << operands.size();
  if (info.family == Family::Compare || info.family == Family::CompareScalar) {
    if (!op.getMode())
      return op.emitOpError() << "needs a mode";
    CmpMode mode = op.getMode()->getValue();
    function = functionOf(StringRef(stringify(mode)).lower(), from[0]);
  } else if (element == "mul_add_dst") {
    function = functionOf("fma", *to);
    args = {result, operands[1], operands[2], operands[0]};
  } else {
    function = functionOf(element, *to);
  }
  call(function, args);
  if (canonical)
    call("canonical", {result, result});
  bool exact = to->isWide() || to->isMask() || (to->isFloat() ? isExactOnFloats(element) : isExact(element));
  if (!exact)
    call((to->isFloat() ? "round_" : "wrap_") + to->name(), {result, result});
  return success();
}

static StringRef suffixOf(RoundMode mode) {
  switch (mode) {
  case RoundMode::None:
  case RoundMode::Rint:
    return "rint";
  case RoundMode::Floor:
    return "floor";
  case RoundMode::Ceil:
    return "ceil";
  case RoundMode::Round:
    return "round";
  case RoundMode::Trunc:
    return "trunc";
  case RoundMode::Odd:
    return "";
  }
  return "";
}

// Float types convert through f32 lanes, which hold every narrow value exactly, so one rounding happens. Integers
// narrow by dropping bits, as the truncating stores do.
LogicalResult VectorCode::cast(VfComputeOp op, LaneType from, LaneType to, Value source, Value result, bool canonical) {
  RoundMode round = op.getRound() ? op.getRound()->getValue() : RoundMode::None;
  std::string mode = suffixOf(round).str();
  if (mode.empty())
    return op.emitOpError() << "rounding to odd is not supported in vector functions";
  auto copy = [&] { LLVM::StoreOp::create(b, loc, vector(source, from), result, /*alignment=*/64); };
  auto narrowFloat = [&](Value lanes) {
    if (to.dtype == DType::F32)
      return;
    // Nearest even has its own, shorter function.
    call("round_" + to.name() + (mode == "rint" ? "" : "_" + mode), {result, lanes});
  };
  if (from.isMask() && !to.isMask()) {
    Value one = reserve(to), zero = reserve(to);
    if (to.isFloat()) {
      setConstant(b.getF32FloatAttr(1.0f), to, one);
      setConstant(b.getF32FloatAttr(0.0f), to, zero);
    } else {
      setConstant(b.getI32IntegerAttr(1), to, one);
      setConstant(b.getI32IntegerAttr(0), to, zero);
    }
    call(to.isFloat() ? "select" : "select_i32", {result, source, one, zero});
  } else if (to.isMask() && !from.isMask()) {
    Value zero = reserve(from);
    setConstant(from.isFloat() ? TypedAttr(b.getF32FloatAttr(0.0f)) : TypedAttr(b.getI32IntegerAttr(0)), from, zero);
    call(from.isFloat() ? "ne" : "ne_i32", {result, source, zero});
  } else if (from.isFloat() && to.isFloat()) {
    Value lanes = source;
    if (canonical)
      call("canonical", {lanes = result, source});
    if (from.dtype == to.dtype && round != RoundMode::None)
      call("integral_" + mode, {result, lanes});
    else if (to.dtype != DType::F32)
      narrowFloat(lanes);
    else if (!canonical)
      copy();
  } else if (from.isFloat()) {
    call("f32_to_" + to.name() + "_" + mode, {result, source});
  } else if (to.isFloat()) {
    if (from.dtype == DType::U32)
      call("u32_to_f32", {result, source});
    else
      call("i32_to_f32_" + mode, {result, source});
    narrowFloat(result);
  } else if (to.isWide() || to.isMask()) {
    copy();
  } else {
    call("wrap_" + to.name(), {result, source});
  }
  return success();
}

// Reductions.

static Attribute neutralOf(OpBuilder &b, VfReduction kind, LaneType type) {
  if (type.isFloat()) {
    APFloat zero = APFloat::getZero(APFloat::IEEEsingle());
    APFloat infinity = APFloat::getInf(APFloat::IEEEsingle(), /*Negative=*/kind == VfReduction::Max);
    return b.getFloatAttr(b.getF32Type(), kind == VfReduction::Sum ? zero : infinity);
  }
  unsigned width = type.isMask() ? 32 : 8 * sizeOf(type.dtype);
  APInt value(width, 0);
  if (kind == VfReduction::Max)
    value = type.isUnsigned() ? APInt::getMinValue(width) : APInt::getSignedMinValue(width);
  if (kind == VfReduction::Min)
    value = type.isUnsigned() ? APInt::getMaxValue(width) : APInt::getSignedMaxValue(width);
  return b.getIntegerAttr(b.getI32Type(), type.isUnsigned() ? value.zext(32) : value.sext(32));
}

// The first chunk is to initialise its lanes and the others hold the neutral element. Minus zero is what a sum can
// start from without changing the first addend (+0 would turn -0 into +0); for max, min and integers the neutral
// element is.
void VectorCode::startReduction(VfReduction kind, LaneType type, int64_t cols, Value accumulator) {
  Attribute neutral = neutralOf(b, kind, type);
  SmallVector<Attribute> values(lanes, neutral);
  if (type.isFloat() && kind == VfReduction::Sum)
    for (int64_t lane = 0; lane < std::min(cols, lanes); ++lane)
      values[lane] = b.getFloatAttr(b.getF32Type(), APFloat::getZero(APFloat::IEEEsingle(), /*Negative=*/true));
  auto constants = DenseElementsAttr::get(mlir::cast<VectorType>(vectorType(type)), values);
  LLVM::StoreOp::create(b, loc, LLVM::ConstantOp::create(b, loc, constants), accumulator, /*alignment=*/64);
}

void VectorCode::accumulate(VfReduction kind, LaneType type, Value reg, int64_t count, Value accumulator) {
  std::string function = functionOf(kind == VfReduction::Sum ? "add" : stringifyVfReduction(kind), type);
  if (count == lanes) {
    call(function, {accumulator, accumulator, reg});
    return;
  }
  Value combined = reserve(type);
  call(function, {combined, accumulator, reg});
  SmallVector<int32_t> pick(lanes);
  for (int64_t lane = 0; lane < lanes; ++lane)
    pick[lane] = lane < count ? lane : lane + lanes;
  Value kept = LLVM::ShuffleVectorOp::create(b, loc, vector(combined, type), vector(accumulator, type), pick);
  LLVM::StoreOp::create(b, loc, kept, accumulator, /*alignment=*/64);
}

void VectorCode::finishReduction(VfReduction kind, LaneType type, Value accumulator, Value at) {
  Value scalar = call(functionOf(("tree_" + stringifyVfReduction(kind)).str(), type), {accumulator}, laneScalar(type));
  if (type.isWide()) {
    LLVM::StoreOp::create(b, loc, scalar, at, /*alignment=*/1);
    return;
  }
  Value rounded = reserve(type);
  splat(scalar, rounded);
  store(at, 1, type, rounded);
}

// The tree over neighbours of many short rows at once. A row has no lanes beyond its end here, whose zeros would turn a
// sum of -0 into +0.
void VectorCode::reduceGroups(VfReduction kind, LaneType type, Value reg, int64_t width, int64_t results, Value at) {
  std::string function = functionOf(kind == VfReduction::Sum ? "add" : stringifyVfReduction(kind), type);
  Value even = reserve(type), odd = reserve(type);
  auto pick = [&](Value from, int64_t first, Value into) {
    SmallVector<int32_t> which(lanes, -1);
    for (int64_t lane = 0; lane < lanes / 2; ++lane)
      which[lane] = 2 * lane + first;
    Value whole = vector(from, type);
    LLVM::StoreOp::create(b, loc, LLVM::ShuffleVectorOp::create(b, loc, whole, whole, which), into, /*alignment=*/64);
  };
  for (int64_t columns = width; columns > 1; columns /= 2) {
    pick(reg, 1, odd);
    pick(reg, 0, even);
    call(function, {even, even, odd});
    reg = even;
  }
  if (type.isFloat()) {
    if (kind == VfReduction::Sum) {
      setConstant(b.getF32FloatAttr(0.0f), {DType::F32}, odd);
      call("add", {even, even, odd});
    }
    call("canonical", {even, even});
  }
  store(at, results, type, even);
}

} // namespace tilesmith::host
