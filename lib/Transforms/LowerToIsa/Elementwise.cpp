// Element-wise operations as instructions through UB (C220).
//
// Where the chip has no instruction of the right shape, an exact sequence takes its place: subtracting a scalar is
// adding its negative, dividing by one divides by a filled register, integer comparisons other than equality ask which
// of the two the maximum is. Bits and types of other widths are seen as types of the same width that the instruction
// takes.
#include "VectorGroups.h"

using namespace mlir;

namespace tilesmith {

Value Lowering::splatTemporary(Value scalar, int64_t elements) {
  Value buffer = temporary(scalar.getType(), elements);
  // A register's worth that no iteration changes is filled once.
  Operation *loop = outermostLoop();
  bool isFixed = isConstant(scalar) || (loop && scalar.getParentBlock() == loop->getBlock());
  if (isFixed && elements <= lanesOf(scalar.getType()))
    beforeLoops(buffer.getDefiningOp<isa::AllocOp>(), [&] {
      bool isInside = loop && isConstant(scalar) && scalar.getParentBlock() != loop->getBlock();
      fill(buffer, isInside ? b.clone(*scalar.getDefiningOp())->getResult(0) : scalar, elements);
    });
  else
    fill(buffer, scalar, elements);
  return buffer;
}

// How many elements an operation computes: those of its result, and those behind its end that all operands have.
int64_t Lowering::countOf(Value result, ArrayRef<Value> operands) {
  auto type = cast<tile::TileType>(result.getType());
  int64_t count = type.getNumElements(), most = roundUp(count, blockBytes / sizeOf(type.getElementType()));
  for (Value operand : operands)
    if (isTile(operand))
      most = std::min(most, defined.lookup(operand));
  if (most <= count)
    return count;
  defined[result] = most;
  return most;
}

LogicalResult Lowering::lowerSplat(tile::SplatOp op) {
  fill(destination(op.getResult(), {}, false), op.getValue(), op.getType().getNumElements());
  return success();
}

// Bits are bits: any width goes through 16-bit elements. Of an odd number of bytes the last one is the scalar unit's,
// because nothing has written the byte after it.
void Lowering::onBits(Type type, int64_t count, function_ref<void(int64_t halves)> body,
                      function_ref<void(Int last)> lastByte) {
  if (type.isInteger(1))
    return body(divideUp(count, 16));
  int64_t bytes = count * sizeOf(type);
  if (bytes > 1)
    body(bytes / 2);
  if (bytes % 2)
    lastByte(known(bytes - 1));
}

LogicalResult Lowering::lowerUnary(tile::UnaryOp op) {
  Type type = op.getType().getElementType();
  int64_t count = op.getType().getNumElements();
  Value src = bufferOf(op.getOperand());
  if (op.getKind() == tile::UnaryKind::Not) {
    Value dst = destination(op.getResult(), {op.getOperand()}, !type.isInteger(1));
    onBits(
        type, count,
        [&](int64_t halves) { emit("not", {view(dst, b.getI16Type()), view(src, b.getI16Type()), halves}); },
        [&](Int last) {
          Value flipped = arith::XOrIOp::create(b, loc, readElement(src, last), scalar(type, -1));
          emit("set_value", {offset(dst, last), flipped});
        });
    return success();
  }
  if (type.isInteger(64))
    return computeOnScalarUnit(op);
  StringRef mnemonic;
  switch (op.getKind()) {
  case tile::UnaryKind::Abs:
    mnemonic = "abs";
    break;
  case tile::UnaryKind::Exp:
    mnemonic = "exp";
    break;
  case tile::UnaryKind::Log:
    mnemonic = "ln";
    break;
  case tile::UnaryKind::Sqrt:
    mnemonic = "sqrt";
    break;
  case tile::UnaryKind::Relu:
    mnemonic = "relu";
    break;
  case tile::UnaryKind::Reciprocal:
    mnemonic = "reciprocal";
    break;
  case tile::UnaryKind::Neg:
    mnemonic = supports("neg", type) ? "neg" : "muls";
    break;
  case tile::UnaryKind::Floor:
  case tile::UnaryKind::Ceil:
    mnemonic = "cast";
    break;
  default:
    return op.emitError() << "'" << tile::stringifyUnaryKind(op.getKind()) << "' must be expanded before lower-to-isa";
  }
  if (!supports(mnemonic, type))
    return noInstruction(op, tile::stringifyUnaryKind(op.getKind()), type, arch);
  Value dst = destination(op.getResult(), {op.getOperand()}, true);
  count = countOf(op.getResult(), {op.getOperand()});
  if (mnemonic == "cast")
    emit("cast",
         {dst, src, op.getKind() == tile::UnaryKind::Floor ? isa::RoundMode::Floor : isa::RoundMode::Ceil, count});
  else if (mnemonic == "muls")
    emit("muls", {dst, src, scalar(type, -1), count});
  else
    emit(mnemonic, {dst, src, count});
  return success();
}

void Lowering::emitXor(Value dst, Value lhs, Value rhs, int64_t count) {
  Value neither = temporary(b.getI16Type(), count);
  emit("and", {neither, lhs, rhs, count});
  emit("not", {neither, neither, count});
  emit("or", {dst, lhs, rhs, count});
  emit("and", {dst, dst, neither, count});
}

// A power of two and its reciprocal are both exact, so multiplying is dividing.
static std::optional<double> exactReciprocal(Value scalar) {
  FloatAttr constant;
  if (!matchPattern(scalar, m_Constant(&constant)))
    return std::nullopt;
  APFloat inverse(constant.getValue().getSemantics());
  if (!constant.getValue().getExactInverse(&inverse))
    return std::nullopt;
  return inverse.convertToDouble();
}

LogicalResult Lowering::lowerBinary(tile::BinaryOp op) {
  using tile::BinaryKind;
  Value lhs = op.getLhs(), rhs = op.getRhs();
  Type type = op.getType().getElementType();
  int64_t count = op.getType().getNumElements();
  BinaryKind kind = op.getKind();
  StringRef name = tile::stringifyBinaryKind(kind);

  if (kind == BinaryKind::And || kind == BinaryKind::Or || kind == BinaryKind::Xor) {
    if (type.isF16() || type.isBF16() || type.isF32())
      return noInstruction(op, name, type, arch);
    auto bits = [&](Value operand) {
      return view(isTile(operand) ? bufferOf(operand) : splatTemporary(operand, count), b.getI16Type());
    };
    Value left = bits(lhs), right = bits(rhs);
    Value dst = view(destination(op.getResult(), {lhs, rhs}, false), b.getI16Type());
    onBits(
        type, count,
        [&](int64_t halves) {
          if (kind == BinaryKind::Xor)
            emitXor(dst, left, right, halves);
          else
            emit(name, {dst, left, right, halves});
        },
        [&](Int last) {
          Value x = readElement(view(left, type), last), y = readElement(view(right, type), last);
          Value byte = kind == BinaryKind::And  ? arith::AndIOp::create(b, loc, x, y).getResult()
                       : kind == BinaryKind::Or ? arith::OrIOp::create(b, loc, x, y).getResult()
                                                : arith::XOrIOp::create(b, loc, x, y).getResult();
          emit("set_value", {offset(view(dst, type), last), byte});
        });
    return success();
  }

  // Integers of 64 bits, and exact quotients, exist only on the scalar unit.
  if (type.isInteger(64) || (kind == BinaryKind::Div && llvm::isa<IntegerType>(type)))
    return computeOnScalarUnit(op);

  if (kind == BinaryKind::Shl || kind == BinaryKind::Shr) {
    StringRef mnemonic = kind == BinaryKind::Shl ? "shift_left" : "shift_right";
    if (!isTile(lhs) || isTile(rhs))
      return op.emitError() << "a tile is shifted by a scalar; shifting by a tile has no instruction on "
                            << isa::stringify(arch);
    if (!supports(mnemonic, type))
      return noInstruction(op, name, type, arch);
    Value src = bufferOf(lhs);
    emit(mnemonic, {destination(op.getResult(), {lhs}, true), src, rhs, count});
    return success();
  }

  if (!supports(name, type))
    return noInstruction(op, name, type, arch);

  if (isTile(lhs) && isTile(rhs)) {
    auto shape = repeated.find(repeated.contains(lhs) ? lhs : rhs);
    if (shape != repeated.end()) {
      SmallVector<Value> whole;
      for (Value operand : {lhs, rhs})
        if (!repeated.contains(operand))
          whole.push_back(operand);
      auto [source, rows, cols] = shape->second;
      Source left = sourceOf(lhs), right = sourceOf(rhs);
      emitRows(name, destination(op.getResult(), whole, true), {left, right}, rows, cols);
      return success();
    }
    Value left = bufferOf(lhs), right = bufferOf(rhs);
    count = countOf(op.getResult(), {lhs, rhs});
    emit(name, {destination(op.getResult(), {lhs, rhs}, true), left, right, count});
    return success();
  }

  // A tile and a scalar.
  bool scalarRight = isTile(lhs);
  Value tile = scalarRight ? lhs : rhs, other = scalarRight ? rhs : lhs;
  Value src = bufferOf(tile);
  count = countOf(op.getResult(), {tile});
  if (kind == BinaryKind::Div) {
    if (auto inverse = scalarRight ? exactReciprocal(other) : std::nullopt) {
      emit("muls", {destination(op.getResult(), {tile}, true), src, scalar(type, *inverse), count});
      return success();
    }
    Source left = sourceOf(lhs), right = sourceOf(rhs);
    emitRows("div", destination(op.getResult(), {tile}, true), {left, right}, 1, count);
    return success();
  }
  Value dst = destination(op.getResult(), {tile}, true);
  if (kind == BinaryKind::Sub && scalarRight) {
    Value negative = llvm::isa<FloatType>(type) ? arith::NegFOp::create(b, loc, other).getResult()
                                                : arith::SubIOp::create(b, loc, scalar(type, 0), other).getResult();
    emit("adds", {dst, src, negative, count});
  } else if (kind == BinaryKind::Sub) {
    emit("muls", {dst, src, scalar(type, -1), count});
    emit("adds", {dst, dst, other, count});
  } else {
    emit((name + "s").str(), {dst, src, other, count});
  }
  return success();
}

// The buffer, or a copy of it, with the rest of its last repeat defined: comparisons work on whole repeats.
Value Lowering::wholeRepeats(Value buffer, int64_t elements) {
  int64_t lanes = lanesOf(elementOf(buffer)), whole = roundUp(elements, lanes);
  if (whole == elements)
    return buffer;
  Value padded = temporary(elementOf(buffer), whole);
  fill(padded, scalar(elementOf(buffer), 0), whole);
  copyElements(padded, buffer, elements);
  return padded;
}

// i32 has only equality. a >= b is max(a, b) == a, a <= b is min(a, b) == a; the others are their complements.
void Lowering::compareIntegers(Value dst, Value lhs, Value rhs, isa::CmpMode mode, int64_t count) {
  using isa::CmpMode;
  bool complement = mode == CmpMode::LT || mode == CmpMode::GT || mode == CmpMode::NE;
  Value right = rhs;
  if (mode != CmpMode::EQ && mode != CmpMode::NE) {
    right = temporary(elementOf(lhs), count);
    emit(mode == CmpMode::GE || mode == CmpMode::LT ? "max" : "min", {right, lhs, rhs, count});
  }
  emit("compare", {dst, lhs, right, CmpMode::EQ, count});
  if (complement) {
    Value bits = view(dst, b.getI16Type());
    emit("not", {bits, bits, divideUp(count, 16)});
  }
}

LogicalResult Lowering::lowerCompare(tile::CompareOp op) {
  Type type = op.getLhs().getType().getElementType();
  int64_t elements = op.getType().getNumElements();
  if (type.isInteger(64))
    return compareOnScalarUnit(op);
  if (!supports("compare", type))
    return noInstruction(op, "comparing", type, arch);
  int64_t count = roundUp(elements, lanesOf(type));
  auto mode = isa::CmpMode(int64_t(op.getKind()));
  Value lhs = wholeRepeats(bufferOf(op.getLhs()), elements);
  bool integers = llvm::isa<IntegerType>(type);
  if (!isTile(op.getRhs()) && !integers) {
    emit("compare_scalar", {destination(op.getResult(), {}, false), lhs, op.getRhs(), mode, count});
    return success();
  }
  Value rhs = isTile(op.getRhs()) ? wholeRepeats(bufferOf(op.getRhs()), elements) : splatTemporary(op.getRhs(), count);
  Value dst = destination(op.getResult(), {}, false);
  if (integers)
    compareIntegers(dst, lhs, rhs, mode, count);
  else
    emit("compare", {dst, lhs, rhs, mode, count});
  return success();
}

LogicalResult Lowering::lowerSelect(tile::SelectOp op) {
  Type type = op.getType().getElementType();
  int64_t count = op.getType().getNumElements();
  if (type.isInteger(64))
    return selectOnScalarUnit(op);
  // Selection moves bits: any type of 16 or 32 bits is chosen as a float of that width.
  Type as = type;
  if (!supports("select", as))
    as = sizeOf(type) == 2 ? Type(b.getF16Type()) : sizeOf(type) == 4 ? Type(b.getF32Type()) : Type();
  if (!as)
    return noInstruction(op, "selecting", type, arch);
  // A scalar is one filled register where repeats come out even: the mask of a rest would start off 32 bytes.
  bool even = count % lanesOf(as) == 0;
  auto source = [&](Value operand) -> Source {
    return even || isTile(operand) ? sourceOf(operand) : Source{splatTemporary(operand, count), Source::Whole};
  };
  Value mask = bufferOf(op.getMask());
  Source lhs = source(op.getLhs()), rhs = source(op.getRhs());
  Value dst = view(destination(op.getResult(), {op.getLhs(), op.getRhs()}, true), as);
  lhs.buffer = view(lhs.buffer, as), rhs.buffer = view(rhs.buffer, as);
  if (lhs.walk == Source::Whole && rhs.walk == Source::Whole)
    emit("select", {dst, mask, lhs.buffer, rhs.buffer, count});
  else
    emitRows("select", dst, {lhs, rhs}, 1, count, mask);
  return success();
}

LogicalResult Lowering::lowerCast(tile::CastOp op) {
  Type from = op.getOperand().getType().getElementType(), to = op.getType().getElementType();
  auto isUnsigned64 = [](Type type) { return type.isInteger(64) && type.isUnsignedInteger(); };
  if ((isUnsigned64(from) && to.isF32()) || (from.isF32() && isUnsigned64(to)))
    return computeOnScalarUnit(op);
  if (from.isInteger(1) || to.isInteger(1) || !supports("cast", to) || !supports("cast", from))
    return op.emitError() << "converting " << describe(from) << " to " << describe(to) << " has no instruction on "
                          << isa::stringify(arch);
  Value src = bufferOf(op.getOperand());
  // Narrowing and widening move elements: only equal widths may share a buffer.
  Value dst = destination(op.getResult(), {op.getOperand()}, sizeOf(from) == sizeOf(to));
  emit("cast", {dst, src, roundingOf(from, to), countOf(op.getResult(), {op.getOperand()})});
  return success();
}

isa::RoundMode roundingOf(Type from, Type to) {
  if (llvm::isa<FloatType>(from) && llvm::isa<IntegerType>(to))
    return isa::RoundMode::Trunc;
  bool exact = from.getIntOrFloatBitWidth() < to.getIntOrFloatBitWidth() ||
               (llvm::isa<IntegerType>(from) && llvm::isa<IntegerType>(to)) || (from.isInteger(8) && to.isF16());
  return exact ? isa::RoundMode::None : isa::RoundMode::Rint;
}

} // namespace tilesmith
