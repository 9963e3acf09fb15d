// Types and conversions: numbers to scalars, scalars and tiles to other element types, the promotion rule of two
// operands.
#include "Lowering.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include <cmath>

namespace tilesmith::frontend {

namespace arith = mlir::arith;

std::string formatShape(llvm::ArrayRef<int64_t> shape) {
  std::string text = "[";
  for (auto [i, dim] : llvm::enumerate(shape))
    text += (i ? ", " : "") + std::to_string(dim);
  return text + "]";
}

// "a tile [4, 64] float16", "the int 3", "a runtime int32".
std::string Lowering::describe(const Value &value) {
  if (value.isHost() && !host.isNone(value.host))
    return "the " + host.typeName(value.host) + " " + host.repr(value.host);
  return describeShort(value);
}

std::string Lowering::describeShort(const Value &value) {
  switch (value.kind) {
  case Value::Invalid:
    return "nothing";
  case Value::Host: {
    if (host.isNone(value.host))
      return "None";
    std::string type = host.typeName(value.host);
    return (llvm::StringRef("aeiou").contains(llvm::toLower(type[0])) ? "an " : "a ") + type;
  }
  case Value::Scalar:
    return "a runtime " + name(value.dtype).str();
  case Value::Tile:
    return "a tile " + formatShape(value.tileType().getShape()) + " " + name(value.elementType()).str();
  case Value::Accumulator:
    return "an accumulator " + formatShape(read(value).tileType().getShape());
  case Value::Tensor:
    return "a tensor of " + name(value.dtype).str();
  case Value::Address:
    return "an address of " + name(value.dtype).str();
  case Value::Sequence:
    return (value.parts->isList ? "a list of " : "a tuple of ") + std::to_string(value.items().size());
  case Value::Method:
    return "the method " + value.parts->method;
  case Value::Range:
    return "a range";
  case Value::Slice:
    return "a slice";
  case Value::Mask:
    return "a mask";
  }
  return "a value";
}

bool Lowering::isNumber(const Value &value) {
  return value.isHost() && (host.isInt(value.host) || host.asBool(value.host) || host.asFloat(value.host));
}

DType Lowering::dtypeOf(const Value &value) {
  switch (value.kind) {
  case Value::Scalar:
  case Value::Tensor:
  case Value::Address:
    return value.dtype;
  case Value::Tile:
    return value.elementType();
  case Value::Accumulator:
    return DType::Float32;
  case Value::Host:
    return host.asBool(value.host)    ? DType::Int1
           : host.isInt(value.host)   ? DType::Int32
           : host.asFloat(value.host) ? DType::Float32
                                      : DType::Void;
  default:
    return DType::Void;
  }
}

mlir::Value Lowering::constant(DType dtype, int64_t value, const Range &range) {
  mlir::Type mlirType = type(dtype);
  mlir::TypedAttr attribute = isFloat(dtype) ? mlir::TypedAttr(builder.getFloatAttr(mlirType, double(value)))
                                             : mlir::TypedAttr(builder.getIntegerAttr(mlirType, value));
  return arith::ConstantOp::create(builder, loc(range), attribute);
}

mlir::Value Lowering::toScalar(const Value &value, DType dtype, const Range &range) {
  if (value.isScalar())
    return castScalar(value.ir, value.dtype, dtype, range);
  if (!isNumber(value)) {
    fail(range, "TypeError", "expected a number, got " + describe(value));
    return {};
  }
  std::optional<bool> boolean = host.asBool(value.host);
  std::optional<double> real = host.asFloat(value.host);
  std::optional<int64_t> integer = boolean ? std::optional<int64_t>(*boolean) : host.asInt(value.host);
  if (isFloat(dtype)) {
    if (!real && !integer) {
      fail(range, "OverflowError", "the int " + host.repr(value.host) + " is too large for " + name(dtype));
      return {};
    }
    llvm::APFloat number(real ? *real : 0.0);
    if (!real)
      number.convertFromAPInt(llvm::APInt(64, *integer, true), true, llvm::APFloat::rmNearestTiesToEven);
    bool lost;
    number.convert(llvm::cast<mlir::FloatType>(type(dtype)).getFloatSemantics(), llvm::APFloat::rmNearestTiesToEven,
                   &lost);
    return arith::ConstantOp::create(builder, loc(range), builder.getFloatAttr(type(dtype), number));
  }
  if (real) {
    if (std::trunc(*real) != *real || std::fabs(*real) >= 9.2e18) {
      fail(range, "TypeError", "the float " + host.repr(value.host) + " is not a value of " + name(dtype),
           "convert the other operand: .to(asc.float32) for a tile, .cast(asc.float32) for a scalar");
      return {};
    }
    integer = int64_t(*real);
  }
  unsigned width = bitWidth(dtype);
  if (!integer && dtype == DType::UInt64) { // the upper half of its range
    llvm::APInt number;
    if (!llvm::StringRef(host.repr(value.host)).getAsInteger(10, number) && number.getActiveBits() <= width)
      return arith::ConstantOp::create(builder, loc(range),
                                       builder.getIntegerAttr(type(dtype), number.zextOrTrunc(width)));
  }
  bool fits = integer && (dtype == DType::Int1     ? (*integer == 0 || *integer == 1)
                          : dtype == DType::UInt64 ? *integer >= 0
                          : isUnsigned(dtype)      ? llvm::isUIntN(width, *integer) && *integer >= 0
                                                   : llvm::isIntN(width, *integer));
  if (!fits) {
    fail(range, "OverflowError", host.repr(value.host) + " does not fit into " + name(dtype),
         dtype == DType::Int32 ? "asc.number(value, asc.int64) makes a wider scalar" : "");
    return {};
  }
  return constant(dtype, *integer, range);
}

Value Lowering::truncated(const Value &value, DType dtype, const Range &range) {
  std::optional<double> real = value.isHost() && !isFloat(dtype) ? host.asFloat(value.host) : std::nullopt;
  if (!real || !(std::fabs(*real) < 9.2e18)) // not a number, or too large: whoever converts it says so
    return value;
  double whole = std::trunc(*real);
  if (whole != *real) {
    std::string text = "the float " + host.repr(value.host) + " becomes the " + name(dtype).str() + " " +
                       std::to_string(int64_t(whole)) + " beside a runtime " + name(dtype).str() +
                       "; use .cast(asc.float32) on the other operand to compute with floats";
    std::string place = frame->file->name + ":" + std::to_string(range.line) + ":" + std::to_string(range.column);
    if (warned.insert(place + text).second && !host.warn(text, frame->file->name, range.line))
      return failHost(range);
  }
  return Value::ofHost(host.makeInt(int64_t(whole)));
}

mlir::Value Lowering::castScalar(mlir::Value value, DType from, DType to, const Range &range) {
  if (from == to)
    return value;
  mlir::Location at = loc(range);
  mlir::Type target = type(to);
  if (to == DType::Int1) {
    mlir::Value zero = constant(from, 0, range);
    if (isFloat(from))
      return arith::CmpFOp::create(builder, at, arith::CmpFPredicate::UNE, value, zero);
    return arith::CmpIOp::create(builder, at, arith::CmpIPredicate::ne, value, zero);
  }
  unsigned fromWidth = bitWidth(from), toWidth = bitWidth(to);
  if (isFloat(from) && isFloat(to)) {
    if (fromWidth == toWidth) { // float16 and bfloat16
      value = arith::ExtFOp::create(builder, at, type(DType::Float32), value);
      return arith::TruncFOp::create(builder, at, target, value);
    }
    if (fromWidth < toWidth)
      return arith::ExtFOp::create(builder, at, target, value);
    return arith::TruncFOp::create(builder, at, target, value);
  }
  bool isUnsignedSource = isUnsigned(from) || from == DType::Int1;
  if (isFloat(to)) {
    if (isUnsignedSource)
      return arith::UIToFPOp::create(builder, at, target, value);
    return arith::SIToFPOp::create(builder, at, target, value);
  }
  if (isFloat(from)) {
    if (isUnsigned(to))
      return arith::FPToUIOp::create(builder, at, target, value);
    return arith::FPToSIOp::create(builder, at, target, value);
  }
  if (fromWidth == toWidth)
    return value;
  if (fromWidth > toWidth)
    return arith::TruncIOp::create(builder, at, target, value);
  if (isUnsignedSource)
    return arith::ExtUIOp::create(builder, at, target, value);
  return arith::ExtSIOp::create(builder, at, target, value);
}

Value Lowering::castTile(const Value &tile, DType dtype, const Range &range) {
  if (tile.elementType() == dtype)
    return tile;
  return Value::ofTile(
      tile::CastOp::create(builder, loc(range), tile.tileType().withElementType(element(dtype)), tile.ir));
}

Value Lowering::toUB(const Value &tile, const Range &range) {
  if (tile.tileType().getMemory() == isa::Memory::UB)
    return tile;
  llvm::SmallVector<mlir::Value> offsets(tile.tileType().getRank(), nullptr);
  for (mlir::Value &offset : offsets)
    offset = i32(0, range);
  return Value::ofTile(
      tile::CopyOp::create(builder, loc(range), tile.tileType().withMemory(isa::Memory::UB), tile.ir, offsets));
}

std::optional<DType> Lowering::promote(DType lhs, DType rhs, llvm::StringRef what, const Range &range) {
  if (lhs == rhs)
    return lhs;
  if (isUnsigned(lhs) || isUnsigned(rhs)) {
    fail(range, "NotImplementedError", what + " of " + name(lhs) + " and " + name(rhs) + ": unsigned types do not mix",
         "convert one operand with .to(...)");
    return std::nullopt;
  }
  bool masks = lhs == DType::Int1 || rhs == DType::Int1;
  if (isFloat(lhs) == isFloat(rhs) && !masks)
    return bitWidth(lhs) >= bitWidth(rhs) ? lhs : rhs;
  if (bitWidth(lhs) == bitWidth(rhs))
    return isFloat(lhs) ? lhs : rhs;
  fail(range, "RuntimeError", what + " of " + name(lhs) + " and " + name(rhs) + " has no common type",
       "convert one operand with .to(...)");
  return std::nullopt;
}

HostRef Lowering::toHost(const Value &value) {
  if (value.isHost())
    return value.host;
  if (value.isSequence()) {
    llvm::SmallVector<HostRef> items;
    for (const Value &item : value.items()) {
      items.push_back(toHost(item));
      if (!items.back())
        return {};
    }
    return host.makeSequence(items, value.parts->isList);
  }
  if (value.kind == Value::Slice) {
    HostRef parts[3];
    for (auto [part, item] : llvm::zip_equal(parts, value.items()))
      if (!(part = toHost(item)))
        return {};
    return host.makeSlice(parts[0], parts[1], parts[2]);
  }
  return {};
}

bool Lowering::toSequence(const Value &value, llvm::SmallVectorImpl<Value> &items, const Range &range,
                          llvm::StringRef what) {
  if (value.isSequence()) {
    items.append(value.items().begin(), value.items().end());
    return true;
  }
  if (value.isHost() && (host.isSequence(value.host))) {
    llvm::SmallVector<HostRef> objects;
    if (!host.iterate(value.host, objects))
      return bool(failHost(range));
    for (HostRef &object : objects)
      items.push_back(Value::ofHost(std::move(object)));
    return true;
  }
  if (value.kind == Value::Range && llvm::all_of(value.items(), [](const Value &bound) { return bound.isHost(); })) {
    static constexpr int64_t mostItems = 1 << 16;
    auto [start, stop, step] = std::tuple(host.asInt(value.items()[0].host), host.asInt(value.items()[1].host),
                                          host.asInt(value.items()[2].host));
    if (start && stop && step && *step) {
      for (int64_t i = *start, left = mostItems; *step > 0 ? i < *stop : i > *stop;) {
        if (!left--)
          return bool(fail(range, "RuntimeError",
                           "a range of more than " + llvm::Twine(mostItems) + " numbers cannot become a sequence"));
        items.push_back(Value::ofHost(host.makeInt(i)));
        if (__builtin_add_overflow(i, *step, &i))
          break;
      }
      return true;
    }
  }
  return bool(fail(range, "TypeError", what + " must be a tuple or a list, not " + describe(value)));
}

Value Lowering::read(const Value &value) {
  return value.kind == Value::Accumulator ? Value::ofTile(cells[value.cell]) : value;
}

Lowering::Truth Lowering::truth(const Value &value, const Range &range) {
  Truth result;
  if (HostRef object = toHost(value)) {
    std::optional<bool> known = host.truth(object);
    if (!known) {
      failHost(range);
      return result;
    }
    result.valid = result.isKnown = true;
    result.known = *known;
    return result;
  }
  switch (value.kind) {
  case Value::Scalar:
    result.runtime = castScalar(value.ir, value.dtype, DType::Int1, range);
    result.valid = true;
    return result;
  case Value::Sequence:
    result.valid = result.isKnown = true;
    result.known = !value.items().empty();
    return result;
  case Value::Tile:
  case Value::Accumulator:
    fail(range, "TypeError", describeShort(read(value)) + " has no truth value",
         "reduce it first, or choose element by element with asc2.where");
    return result;
  default:
    fail(range, "TypeError", describe(value) + " has no truth value inside a kernel");
    return result;
  }
}

} // namespace tilesmith::frontend
