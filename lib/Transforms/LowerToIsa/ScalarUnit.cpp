// What no vector instruction computes: 64-bit integers, and exact quotients on C220. The scalar unit reads, computes
// and writes element after element.
//
// Integers wrap. By zero the quotient is 0 and the one that does not fit wraps, as in registers: padding is divided too
// and must not be a finding. A shift by the width or more shifts everything out.
#include "Lowering.h"

using namespace mlir;

namespace tilesmith {

static bool isTile(Value value) { return llvm::isa<tile::TileType>(value.getType()); }
static Type elementTypeOf(Value value) { return cast<tile::TileType>(value.getType()).getElementType(); }

Value Lowering::readElement(Value buffer, Int index) {
  Value at = offset(buffer, mul(index, known(sizeOfElement(buffer))));
  return emit("get_value", {at}, tile::scalarTypeOf(elementOf(buffer)))->getResult(0);
}

Value Lowering::scalarQuotient(Value lhs, Value rhs, bool isUnsigned) {
  Type type = lhs.getType();
  auto isEqual = [&](Value x, int64_t y) -> Value {
    Value number = value(Int(b.getIntegerAttr(type, y)));
    return b.createOrFold<arith::CmpIOp>(loc, arith::CmpIPredicate::eq, x, number);
  };
  Value byZero = isEqual(rhs, 0), special = byZero, one = scalar(type, 1);
  if (!isUnsigned) {
    Value least = isEqual(lhs, llvm::minIntN(type.getIntOrFloatBitWidth()));
    special = b.createOrFold<arith::OrIOp>(loc, byZero, b.createOrFold<arith::AndIOp>(loc, least, isEqual(rhs, -1)));
  }
  Value divisor = b.createOrFold<arith::SelectOp>(loc, special, one, rhs);
  Value quotient = isUnsigned ? arith::DivUIOp::create(b, loc, lhs, divisor).getResult()
                              : arith::DivSIOp::create(b, loc, lhs, divisor).getResult();
  return b.createOrFold<arith::SelectOp>(loc, byZero, scalar(type, 0), quotient);
}

Value Lowering::scalarBinary(tile::BinaryKind kind, Value lhs, Value rhs, bool isUnsigned) {
  using tile::BinaryKind;
  switch (kind) {
  case BinaryKind::Add:
    return arith::AddIOp::create(b, loc, lhs, rhs);
  case BinaryKind::Sub:
    return arith::SubIOp::create(b, loc, lhs, rhs);
  case BinaryKind::Mul:
    return arith::MulIOp::create(b, loc, lhs, rhs);
  case BinaryKind::Div:
    return scalarQuotient(lhs, rhs, isUnsigned);
  case BinaryKind::Max:
    return isUnsigned ? arith::MaxUIOp::create(b, loc, lhs, rhs).getResult()
                      : arith::MaxSIOp::create(b, loc, lhs, rhs).getResult();
  case BinaryKind::Min:
    return isUnsigned ? arith::MinUIOp::create(b, loc, lhs, rhs).getResult()
                      : arith::MinSIOp::create(b, loc, lhs, rhs).getResult();
  case BinaryKind::Shl:
  case BinaryKind::Shr: {
    Value most = scalar(lhs.getType(), lhs.getType().getIntOrFloatBitWidth() - 1);
    Value amount = arith::MinUIOp::create(b, loc, rhs, most);
    if (kind == BinaryKind::Shr && !isUnsigned)
      return arith::ShRSIOp::create(b, loc, lhs, amount);
    Value shifted = kind == BinaryKind::Shl ? arith::ShLIOp::create(b, loc, lhs, amount).getResult()
                                            : arith::ShRUIOp::create(b, loc, lhs, amount).getResult();
    Value inRange = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ule, rhs, most);
    return arith::SelectOp::create(b, loc, inRange, shifted, scalar(lhs.getType(), 0));
  }
  case BinaryKind::And:
  case BinaryKind::Or:
  case BinaryKind::Xor:
    break; // bits are bits: these have vector instructions
  case BinaryKind::Rem:
  case BinaryKind::Mod:
  case BinaryKind::Pow:
    break; // composed of others before they come here
  }
  return {};
}

LogicalResult Lowering::computeOnScalarUnit(Operation *op) {
  Value result = op->getResult(0);
  Type type = elementTypeOf(result), scalarType = tile::scalarTypeOf(type);
  auto unary = dyn_cast<tile::UnaryOp>(op);
  if (unary && unary.getKind() != tile::UnaryKind::Neg)
    return noInstruction(op, tile::stringifyUnaryKind(unary.getKind()), type, arch);
  SmallVector<Value> sources;
  bool sameSize = true;
  for (Value operand : op->getOperands()) {
    sources.push_back(isTile(operand) ? bufferOf(operand) : operand);
    sameSize &= !isTile(operand) || sizeOf(elementTypeOf(operand)) == sizeOf(type);
  }
  Value dst = destination(result, llvm::to_vector(op->getOperands()), sameSize);
  loop(known(0), known(cast<tile::TileType>(result.getType()).getNumElements()), [&](Int i) {
    SmallVector<Value> x;
    for (auto [operand, source] : llvm::zip(op->getOperands(), sources))
      x.push_back(isTile(operand) ? readElement(source, i) : source);
    Value element;
    if (auto binary = dyn_cast<tile::BinaryOp>(op))
      element = scalarBinary(binary.getKind(), x[0], x[1], type.isUnsignedInteger());
    else if (unary)
      element = arith::SubIOp::create(b, loc, scalar(type, 0), x[0]);
    else if (llvm::isa<FloatType>(type))
      element = arith::UIToFPOp::create(b, loc, scalarType, x[0]);
    else
      element = arith::FPToUIOp::create(b, loc, scalarType, x[0]);
    emit("set_value", {offset(dst, mul(i, known(sizeOf(type)))), element});
  });
  return success();
}

// Bits of masks, word by word: in bytes they can be read whoever wrote them, in words of 16 bits everybody can read
// them. `step` sees each element's index, the word and the element's bit in it, and returns the word.
void Lowering::forEachBit(int64_t count, int64_t width, StartWord start, StepWord step, FinishWord finish) {
  loop(known(0), known(divideUp(count, width)), [&](Int word) {
    Int first = mul(word, known(width)), length = min(sub(known(count), first), known(width));
    auto bits = scf::ForOp::create(b, loc, value(0), value(length), value(1), ValueRange{start(word), value(1)});
    {
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(bits.getBody());
      Value bit = bits.getRegionIterArg(1);
      Value next = step(add(first, Int(bits.getInductionVar())), bits.getRegionIterArg(0), bit);
      Value nextBit = arith::AddIOp::create(b, loc, bit, bit);
      scf::YieldOp::create(b, loc, ValueRange{next, nextBit});
    }
    finish(word, bits.getResult(0));
  });
}

LogicalResult Lowering::compareOnScalarUnit(tile::CompareOp op) {
  using arith::CmpIPredicate;
  static constexpr CmpIPredicate isSigned[] = {CmpIPredicate::slt, CmpIPredicate::sgt, CmpIPredicate::eq,
                                               CmpIPredicate::sle, CmpIPredicate::sge, CmpIPredicate::ne};
  static constexpr CmpIPredicate isUnsigned[] = {CmpIPredicate::ult, CmpIPredicate::ugt, CmpIPredicate::eq,
                                                 CmpIPredicate::ule, CmpIPredicate::uge, CmpIPredicate::ne};
  bool natural = elementTypeOf(op.getLhs()).isUnsignedInteger();
  CmpIPredicate predicate = (natural ? isUnsigned : isSigned)[unsigned(op.getKind())];
  Value lhs = bufferOf(op.getLhs()), rhs = isTile(op.getRhs()) ? bufferOf(op.getRhs()) : op.getRhs();
  Value dst = view(destination(op.getResult(), {}, false), b.getI16Type());
  forEachBit(
      op.getType().getNumElements(), 16, [&](Int) { return value(0); },
      [&](Int index, Value bits, Value bit) -> Value {
        Value right = isTile(op.getRhs()) ? readElement(rhs, index) : rhs;
        Value holds = arith::CmpIOp::create(b, loc, predicate, readElement(lhs, index), right);
        return arith::OrIOp::create(b, loc, bits, arith::SelectOp::create(b, loc, holds, bit, value(0)));
      },
      [&](Int word, Value bits) {
        Value half = arith::TruncIOp::create(b, loc, b.getI16Type(), bits);
        emit("set_value", {offset(dst, mul(word, known(2))), half});
      });
  return success();
}

LogicalResult Lowering::selectOnScalarUnit(tile::SelectOp op) {
  Value mask = view(bufferOf(op.getMask()), b.getI8Type());
  Value lhs = isTile(op.getLhs()) ? bufferOf(op.getLhs()) : op.getLhs();
  Value rhs = isTile(op.getRhs()) ? bufferOf(op.getRhs()) : op.getRhs();
  Value dst = destination(op.getResult(), {op.getLhs(), op.getRhs()}, true);
  forEachBit(
      op.getType().getNumElements(), 8,
      [&](Int word) -> Value { return arith::ExtUIOp::create(b, loc, b.getI64Type(), readElement(mask, word)); },
      [&](Int index, Value bits, Value bit) {
        Value own = arith::AndIOp::create(b, loc, bits, bit);
        Value isSet = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne, own, value(0));
        Value left = isTile(op.getLhs()) ? readElement(lhs, index) : lhs;
        Value right = isTile(op.getRhs()) ? readElement(rhs, index) : rhs;
        Value chosen = arith::SelectOp::create(b, loc, isSet, left, right);
        emit("set_value", {offset(dst, mul(index, known(sizeOfElement(dst)))), chosen});
        return bits;
      },
      [](Int, Value) {});
  return success();
}

void Lowering::reduceOnScalarUnit(tile::ReduceKind kind, Value dst, Value src, int64_t outer, int64_t reduced,
                                  int64_t inner) {
  using tile::BinaryKind;
  using tile::ReduceKind;
  BinaryKind combine = kind == ReduceKind::Sum   ? BinaryKind::Add
                       : kind == ReduceKind::Max ? BinaryKind::Max
                       : kind == ReduceKind::Min ? BinaryKind::Min
                                                 : BinaryKind::Mul;
  bool isUnsigned = elementOf(src).isUnsignedInteger();
  loop(known(0), known(outer), [&](Int o) {
    loop(known(0), known(inner), [&](Int i) {
      Int first = add(mul(o, known(reduced * inner)), i);
      auto fold = scf::ForOp::create(b, loc, value(1), value(reduced), value(1), ValueRange{readElement(src, first)});
      {
        OpBuilder::InsertionGuard guard(b);
        b.setInsertionPointToStart(fold.getBody());
        Value next = readElement(src, add(first, mul(Int(fold.getInductionVar()), known(inner))));
        scf::YieldOp::create(b, loc, scalarBinary(combine, fold.getRegionIterArg(0), next, isUnsigned));
      }
      Int at = mul(add(mul(o, known(inner)), i), known(sizeOfElement(dst)));
      emit("set_value", {offset(dst, at), fold.getResult(0)});
    });
  });
}

} // namespace tilesmith
