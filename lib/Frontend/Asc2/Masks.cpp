#include "Tiles.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tilesmith::frontend::asc2 {

static constexpr unsigned maskBits = 128;

// A host int as 64 bits; nothing if it is negative or larger.
static std::optional<uint64_t> asWord(HostEval &host, const HostRef &object) {
  if (!host.isInt(object))
    return std::nullopt;
  HostRef high = host.binary(ast::Operator::RShift, object, host.makeInt(32));
  HostRef low = host.binary(ast::Operator::BitAnd, object, host.makeInt(0xffffffff));
  std::optional<int64_t> upper = high ? host.asInt(high) : std::nullopt, lower = low ? host.asInt(low) : std::nullopt;
  if (!upper || !lower || *upper < 0 || *upper > 0xffffffff)
    return std::nullopt;
  return uint64_t(*upper) << 32 | uint64_t(*lower);
}

// A Mask value: count or None, high and low word or None, other or None.
static Value mask(Tiles &t, const Arguments &args) {
  if (bool(args[0]) == bool(args[1]))
    return t.fail(args.range, "ValueError",
                  llvm::Twine("asc2.mask needs exactly one of count and bits") + (args[0] ? ", both were given" : ""));
  Value words = t.none();
  if (args[0]) {
    const Value &count = args[0].value;
    if (!t.values.isNumeric(count) || isFloat(t.values.dtypeOf(count)))
      return t.fail(args[0].range, "TypeError", "the count of a mask must be an integer, not " + t.describe(count));
    std::optional<int64_t> known = count.isHost() ? t.host.asInt(count.host) : 0;
    if (count.isHost() && !t.host.asBool(count.host) && (!known || *known < 0 || *known > INT32_MAX))
      return t.fail(args[0].range, "ValueError",
                    "the count of a mask must be between 0 and 2147483647, not " + t.host.repr(count.host));
  } else {
    llvm::SmallVector<Value> items;
    if (!t.values.toSequence(args[1].value, items, args[1].range, "the bits of a mask"))
      return {};
    if (items.size() != 2)
      return t.fail(args[1].range, "ValueError",
                    "the bits of a mask are two ints, high and low 64 bits, not " + llvm::Twine(items.size()) +
                        " values");
    for (const Value &item : items) {
      if (!item.isHost() || !t.host.isInt(item.host))
        return t.fail(args[1].range, "TypeError",
                      "the bits of a mask must be ints known while compiling, not " + t.describe(item));
      if (!asWord(t.host, item.host))
        return t.fail(args[1].range, "ValueError",
                      "the bits of a mask have 64 bits each and are not negative, not " + t.host.repr(item.host));
    }
    words = Value::ofSequence(items, false);
  }
  if (args[2] && !t.values.isNumeric(args[2].value))
    return t.fail(args[2].range, "TypeError", "other of a mask must be a number, not " + t.describe(args[2].value));
  Value parts[] = {args[0] ? args[0].value : t.none(), words, args[2] ? args[2].value : t.none()};
  return Value::ofItems(kinds::mask, parts);
}

// The mask inside the ones that hold already.
bool Masks::enter(const Value &value, const Range &range) {
  Mask mask = masks.empty() ? Mask() : masks.back();
  const Value &count = value.items()[0], &words = value.items()[1], &other = value.items()[2];
  bool isNone = t.values.isNone(other);
  mask.other = isNone ? t.number(0) : other;
  mask.otherRange = range;
  if (words.isSequence()) {
    uint64_t low = *asWord(t.host, words.items()[1].host), high = *asWord(t.host, words.items()[0].host);
    llvm::APInt bits(maskBits, {low, high});
    mask.bits = mask.bits ? *mask.bits & bits : bits;
  } else {
    mlir::Value number = t.scalars.convert(count, DType::I32, range);
    if (!number)
      return false;
    mask.count =
        mask.count ? mlir::arith::MinSIOp::create(t.builder(), t.loc(range), mask.count, number).getResult() : number;
  }
  masks.push_back(mask);
  return true;
}

mlir::DenseI64ArrayAttr Masks::words() const {
  if (masks.empty() || !masks.back().bits)
    return {};
  const llvm::APInt &bits = *masks.back().bits;
  return t.builder().getDenseI64ArrayAttr(
      {int64_t(bits.extractBitsAsZExtValue(64, 0)), int64_t(bits.extractBitsAsZExtValue(64, 64))});
}

Value Masks::apply(const Value &result, const Range &range) {
  if (masks.empty() || !result)
    return result;
  const Mask mask = masks.back();
  mlir::Location at = t.loc(range);
  tile::TileType lanesType = tileType(result).withElementType(t.builder().getI1Type());
  auto combine = [&](tile::BinaryKind kind, mlir::Value a, mlir::Value b) -> mlir::Value {
    return tile::BinaryOp::create(t.builder(), at, lanesType, kind, a, b);
  };
  mlir::Value lanes;
  if (mask.count)
    lanes = tile::LanesOp::create(t.builder(), at, lanesType, mask.count, mlir::DenseI64ArrayAttr());
  if (mask.bits) {
    mlir::Value chosen = tile::LanesOp::create(t.builder(), at, lanesType, mlir::Value(), words());
    lanes = lanes ? combine(tile::BinaryKind::And, lanes, chosen) : chosen;
  }
  DType dtype = elementType(result);
  if (dtype != DType::I1) {
    mlir::Value other = t.scalars.convert(mask.other, dtype, mask.otherRange);
    if (!other)
      return {};
    return ofTile(tile::SelectOp::create(t.builder(), at, tileType(result), lanes, result.ir, other));
  }
  mlir::Value chosen = combine(tile::BinaryKind::And, result.ir, lanes);
  Truth other = t.values.truth(mask.other, mask.otherRange);
  if (!other.valid || (other.isKnown && !other.known))
    return other.valid ? ofTile(chosen) : Value();
  mlir::Value rest = tile::UnaryOp::create(t.builder(), at, lanesType, tile::UnaryKind::Not, lanes);
  if (!other.isKnown)
    rest = combine(tile::BinaryKind::And, rest, tile::SplatOp::create(t.builder(), at, lanesType, other.runtime));
  return ofTile(combine(tile::BinaryKind::Or, chosen, rest));
}

// One number is the element 0 of its tile.
void Masks::whenFirstChosen(const Range &range, llvm::function_ref<void()> build) {
  if (masks.empty())
    return build();
  const Mask &mask = masks.back();
  if (mask.bits && !(*mask.bits)[0])
    return;
  if (!mask.count)
    return build();
  mlir::Location at = t.loc(range);
  mlir::Value some =
      mlir::arith::CmpIOp::create(t.builder(), at, mlir::arith::CmpIPredicate::sgt, mask.count, t.l.ir.i32(0, range));
  auto branch = mlir::scf::IfOp::create(t.builder(), at, some, /*withElseRegion=*/false);
  mlir::OpBuilder::InsertionGuard guard(t.builder());
  t.builder().setInsertionPointToStart(branch.thenBlock());
  build();
}

llvm::ArrayRef<Builtin::Row> maskBuiltins() {
  static constexpr Builtin::Row rows[] = {
      {"asc2.mask", on<mask>},
  };
  return rows;
}

} // namespace tilesmith::frontend::asc2
