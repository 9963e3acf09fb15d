#include "Emitter.h"

using namespace mlir;

namespace tilesmith {

Emitter::Emitter(func::FuncOp kernel, isa::Arch arch)
    : b(kernel.getContext()), loc(kernel.getLoc()), arch(arch), entry(&kernel.getBody().front()) {}

//===-- Integers
//----------------------------------------------------------------------------------------------------===//

std::optional<int64_t> Emitter::get(Int integer) {
  if (auto attribute = dyn_cast<Attribute>(integer)) {
    IntegerAttr number = cast<IntegerAttr>(attribute);
    return number.getType().isInteger(1) ? int64_t(!number.getValue().isZero()) : number.getInt();
  }
  return std::nullopt;
}

Value Emitter::value(Int integer) {
  if (auto value = dyn_cast<Value>(integer))
    return value;
  auto attribute = cast<TypedAttr>(cast<Attribute>(integer));
  Value &constant = constants[attribute];
  if (!constant) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(entry);
    constant = arith::ConstantOp::create(b, loc, attribute);
  }
  return constant;
}

Int Emitter::widen(Value scalar) {
  IntegerAttr number;
  if (matchPattern(scalar, m_Constant(&number)))
    return known(number.getInt());
  if (scalar.getType().isInteger(64))
    return scalar;
  if (scalar.getType().isIndex())
    return arith::IndexCastOp::create(b, loc, b.getI64Type(), scalar).getResult();
  return arith::ExtSIOp::create(b, loc, b.getI64Type(), scalar).getResult();
}

Int Emitter::fold(Int a, Int b, function_ref<int64_t(int64_t, int64_t)> evaluate,
                  function_ref<Value(Value, Value)> build) {
  auto x = get(a), y = get(b);
  if (x && y)
    return known(evaluate(*x, *y));
  return build(value(a), value(b));
}

Int Emitter::add(Int x, Int y) {
  if (is(x, 0))
    return y;
  if (is(y, 0))
    return x;
  return fold(
      x, y, [](int64_t p, int64_t q) { return p + q; },
      [&](Value p, Value q) { return arith::AddIOp::create(b, loc, p, q).getResult(); });
}

Int Emitter::sub(Int x, Int y) {
  if (is(y, 0))
    return x;
  if (x == y)
    return known(0);
  return fold(
      x, y, [](int64_t p, int64_t q) { return p - q; },
      [&](Value p, Value q) { return arith::SubIOp::create(b, loc, p, q).getResult(); });
}

Int Emitter::mul(Int x, Int y) {
  if (is(x, 1) || is(y, 0))
    return y;
  if (is(y, 1) || is(x, 0))
    return x;
  return fold(
      x, y, [](int64_t p, int64_t q) { return p * q; },
      [&](Value p, Value q) { return arith::MulIOp::create(b, loc, p, q).getResult(); });
}

Int Emitter::div(Int x, Int y) {
  if (is(y, 1))
    return x;
  return fold(
      x, y, [](int64_t p, int64_t q) { return p / q; },
      [&](Value p, Value q) { return arith::DivUIOp::create(b, loc, p, q).getResult(); });
}

Int Emitter::rem(Int x, Int y) {
  if (is(y, 1))
    return known(0);
  return fold(
      x, y, [](int64_t p, int64_t q) { return p % q; },
      [&](Value p, Value q) { return arith::RemUIOp::create(b, loc, p, q).getResult(); });
}

Int Emitter::min(Int x, Int y) {
  if (x == y)
    return x;
  return fold(
      x, y, [](int64_t p, int64_t q) { return std::min(p, q); },
      [&](Value p, Value q) { return arith::MinSIOp::create(b, loc, p, q).getResult(); });
}

Int Emitter::max(Int x, Int y) {
  if (x == y)
    return x;
  return fold(
      x, y, [](int64_t p, int64_t q) { return std::max(p, q); },
      [&](Value p, Value q) { return arith::MaxSIOp::create(b, loc, p, q).getResult(); });
}

Int Emitter::less(Int x, Int y) {
  auto p = get(x), q = get(y);
  if (p && q)
    return truth(*p < *q);
  return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, value(x), value(y)).getResult();
}

Int Emitter::equal(Int x, Int y) {
  auto p = get(x), q = get(y);
  if (p && q)
    return truth(*p == *q);
  return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, value(x), value(y)).getResult();
}

Int Emitter::both(Int x, Int y) {
  if (is(x, 0) || is(y, 1))
    return x;
  if (is(y, 0) || is(x, 1))
    return y;
  return arith::AndIOp::create(b, loc, value(x), value(y)).getResult();
}

Int Emitter::either(Int x, Int y) {
  if (is(x, 1) || is(y, 0))
    return x;
  if (is(y, 1) || is(x, 0))
    return y;
  return arith::OrIOp::create(b, loc, value(x), value(y)).getResult();
}

Value Emitter::scalar(Type type, double number) {
  if (llvm::isa<FloatType>(type))
    return value(Int(b.getFloatAttr(type, number)));
  return value(Int(IntegerAttr::get(tile::scalarTypeOf(type), int64_t(number))));
}

//===-- Buffers
//-----------------------------------------------------------------------------------------------------===//

Value Emitter::alloc(isa::Memory memory, Type elementType, int64_t bytes, StringRef source, StringRef shape) {
  auto type = isa::BufferType::get(b.getContext(), memory, elementType);
  auto text = [&](StringRef s) { return s.empty() ? StringAttr() : b.getStringAttr(s); };
  return isa::AllocOp::create(b, loc, Type(type), uint64_t(roundUp(bytes, blockBytes)), uint64_t(1), IntegerAttr(),
                              text(source), text(shape));
}

Value Emitter::offset(Value buffer, Int bytes) {
  return is(bytes, 0) ? buffer : isa::OffsetOp::create(b, loc, buffer.getType(), buffer, value(bytes)).getResult();
}

Value Emitter::view(Value buffer, Type elementType) {
  auto type = cast<isa::BufferType>(buffer.getType());
  if (type.getElementType() == elementType)
    return buffer;
  return isa::ViewOp::create(b, loc, isa::BufferType::get(b.getContext(), type.getMemory(), elementType), buffer);
}

Type Emitter::elementOf(Value buffer) { return cast<isa::BufferType>(buffer.getType()).getElementType(); }

int64_t Emitter::sizeOf(Type elementType) { return isa::sizeOf(*isa::getDType(elementType)); }

//===-- Instructions
//------------------------------------------------------------------------------------------------===//

Attribute Emitter::attribute(std::string_view enumeration, int64_t number) {
  MLIRContext *context = b.getContext();
  if (enumeration == "RoundMode")
    return isa::RoundModeAttr::get(context, isa::RoundMode(number));
  if (enumeration == "CmpMode")
    return isa::CmpModeAttr::get(context, isa::CmpMode(number));
  if (enumeration == "AtomicOp")
    return isa::AtomicOpAttr::get(context, isa::AtomicOp(number));
  if (enumeration == "QuantMode")
    return isa::QuantModeAttr::get(context, isa::QuantMode(number));
  return isa::PipeAttr::get(context, isa::Pipe(number));
}

Operation *Emitter::emit(StringRef mnemonic, ArrayRef<Operand> operands, Type result) {
  const isa::InstructionInfo *info = isa::findInstruction(std::string_view(mnemonic.data(), mnemonic.size()));
  assert(info && info->numOperands == operands.size());
  OperationState state(loc, ("isa." + mnemonic).str());
  for (auto [i, operand] : llvm::enumerate(operands)) {
    const isa::OperandInfo &record = info->operands[i];
    if (record.kind == isa::OperandKind::Attribute)
      state.addAttribute(StringRef(record.name.data(), record.name.size()),
                         attribute(record.enumeration, operand.number));
    else if (operand.value)
      state.addOperands(operand.value);
    else
      state.addOperands(value(operand.integer ? operand.integer : known(operand.number)));
  }
  if (result)
    state.addTypes(result);
  return b.create(state);
}

bool Emitter::supports(StringRef mnemonic, Type elementType) const {
  const isa::InstructionInfo *info = isa::findInstruction(std::string_view(mnemonic.data(), mnemonic.size()));
  std::optional<isa::DType> dtype = isa::getDType(elementType);
  return info && dtype && info->supports(arch, *dtype);
}

//===-- Control flow
//------------------------------------------------------------------------------------------------===//

void Emitter::when(Int condition, function_ref<void()> body, function_ref<void()> otherwise) {
  if (auto truth = get(condition)) {
    if (*truth)
      body();
    else if (otherwise)
      otherwise();
    return;
  }
  auto branch = scf::IfOp::create(b, loc, value(condition), bool(otherwise));
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(branch.thenBlock());
  body();
  if (!otherwise)
    return;
  b.setInsertionPointToStart(branch.elseBlock());
  otherwise();
}

void Emitter::loop(Int from, Int to, function_ref<void(Int)> body) {
  auto first = get(from), last = get(to);
  if (first && last && *last - *first <= 1) {
    if (*first < *last)
      body(from);
    return;
  }
  auto loop = scf::ForOp::create(b, loc, value(from), value(to), value(1));
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  body(loop.getInductionVar());
}

void Emitter::repeat(int64_t times, function_ref<void(Int)> body) {
  constexpr int64_t few = 8;
  if (times > few)
    return loop(known(0), known(times), body);
  for (int64_t i = 0; i < times; ++i)
    body(known(i));
}

//===-- UB to UB
//----------------------------------------------------------------------------------------------------===//

void Emitter::copyElements(Value dst, Value src, int64_t count) {
  int64_t size = sizeOfElement(dst);
  if (size == 0) { // packed bits, in the words that comparisons write
    Type word = supports("copy", b.getI8Type()) ? b.getI8Type() : b.getI16Type();
    count = divideUp(count, word.getIntOrFloatBitWidth());
    dst = view(dst, word), src = view(src, word);
  } else if (!supports("copy", elementOf(dst))) {
    Type wider = size == 1 ? b.getI16Type() : b.getI32Type();
    if (int64_t last = count * size - 1; size == 1 && last % 2 == 0)
      repack(offset(dst, known(last)), 1, offset(src, known(last)), 1, 1, 1);
    count = count * size / sizeOf(wider);
    dst = view(dst, wider), src = view(src, wider);
  }
  int64_t lanes = lanesOf(elementOf(dst));
  for (int64_t done = 0; done < count;) {
    int64_t left = count - done, repeats = std::min<int64_t>(left / lanes, 255);
    int64_t mask = repeats ? lanes : left;
    Int bytes = known(done * sizeOfElement(dst));
    emit("copy_r", {offset(dst, bytes), offset(src, bytes), mask, std::max<int64_t>(repeats, 1), 1, 1, 8, 8});
    done += repeats ? repeats * lanes : left;
  }
}

void Emitter::repack(Value dst, int64_t dstPitch, Value src, int64_t srcPitch, int64_t rows, int64_t cols) {
  Int size = known(sizeOfElement(dst));
  loop(known(0), known(rows), [&](Int row) {
    loop(known(0), known(cols), [&](Int col) {
      Value from = offset(src, mul(add(mul(row, known(srcPitch)), col), size));
      Value to = offset(dst, mul(add(mul(row, known(dstPitch)), col), size));
      Value element = emit("get_value", {from}, tile::scalarTypeOf(elementOf(src)))->getResult(0);
      emit("set_value", {to, element});
    });
  });
}

void Emitter::fill(Value dst, Value scalar, int64_t count) {
  Type type = elementOf(dst);
  if (type.isInteger(1)) {
    Value bits = arith::ExtSIOp::create(b, loc, b.getI16Type(), scalar);
    emit("duplicate", {view(dst, b.getI16Type()), bits, divideUp(count, 16)});
    return;
  }
  if (sizeOf(type) == 1 && !supports("duplicate", type)) {
    // Two bytes at once: value * 0x0101 on the low byte.
    Value wide = arith::ExtUIOp::create(b, loc, b.getI16Type(), scalar);
    Value pattern = arith::MulIOp::create(b, loc, wide, this->scalar(b.getI16Type(), 0x0101));
    emit("duplicate", {view(dst, b.getI16Type()), pattern, divideUp(count, 2)});
    return;
  }
  if (!supports("duplicate", type)) {
    // Four elements of 64 bits make a block, which copies stand still on.
    Value block = alloc(isa::Memory::UB, type, blockBytes);
    for (int64_t bytes = 0; bytes < blockBytes; bytes += 8)
      emit("set_value", {offset(block, known(bytes)), scalar});
    Value to = view(dst, b.getI32Type()), from = view(block, b.getI32Type());
    for (int64_t done = 0, words = 2 * count; done < words;) {
      int64_t repeats = std::min<int64_t>((words - done) / 64, 255), mask = repeats ? 64 : words - done;
      emit("copy_r", {offset(to, known(done * 4)), from, mask, std::max<int64_t>(repeats, 1), 1, 0, 8, 0});
      done += std::max<int64_t>(repeats, 1) * mask;
    }
    return;
  }
  emit("duplicate", {dst, scalar, count});
}

} // namespace tilesmith
