// with statements, and asc2.mask: element-wise operations on some elements of a tile.
//
// Inside a mask the result of an element-wise operation is selected: elements the mask does not choose become `other`.
// Stores carry the choice themselves, as an element that is not chosen must not even be written with what it was. Masks
// inside masks choose what all of them choose; the innermost `other` counts.
#include "Lowering.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include "llvm/ADT/ScopeExit.h"

namespace tilesmith::frontend {

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
static Value mask(Lowering &l, const Arguments &args) {
  if (bool(args[0]) == bool(args[1]))
    return l.fail(args.range, "ValueError",
                  llvm::Twine("asc2.mask needs exactly one of count and bits") + (args[0] ? ", both were given" : ""));
  Value words = l.none();
  if (args[0]) {
    const Value &count = args[0].value;
    if (!l.isNumeric(count) || isFloat(l.dtypeOf(count)))
      return l.fail(args[0].range, "TypeError", "the count of a mask must be an integer, not " + l.describe(count));
    std::optional<int64_t> known = count.isHost() ? l.host.asInt(count.host) : 0;
    if (count.isHost() && !l.host.asBool(count.host) && (!known || *known < 0 || *known > INT32_MAX))
      return l.fail(args[0].range, "ValueError",
                    "the count of a mask must be between 0 and 2147483647, not " + l.host.repr(count.host));
  } else {
    llvm::SmallVector<Value> items;
    if (!l.toSequence(args[1].value, items, args[1].range, "the bits of a mask"))
      return {};
    if (items.size() != 2)
      return l.fail(args[1].range, "ValueError",
                    "the bits of a mask are two ints, high and low 64 bits, not " + llvm::Twine(items.size()) +
                        " values");
    for (const Value &item : items) {
      if (!item.isHost() || !l.host.isInt(item.host))
        return l.fail(args[1].range, "TypeError",
                      "the bits of a mask must be ints known while compiling, not " + l.describe(item));
      if (!asWord(l.host, item.host))
        return l.fail(args[1].range, "ValueError",
                      "the bits of a mask have 64 bits each and are not negative, not " + l.host.repr(item.host));
    }
    words = Value::ofSequence(items, false);
  }
  if (args[2] && !l.isNumeric(args[2].value))
    return l.fail(args[2].range, "TypeError", "other of a mask must be a number, not " + l.describe(args[2].value));
  Value parts[] = {args[0] ? args[0].value : l.none(), words, args[2] ? args[2].value : l.none()};
  Value value = Value::ofSequence(parts, false);
  value.kind = Value::Mask;
  return value;
}

// The mask inside the ones that hold already.
bool Lowering::enterMask(const Value &value, const Range &range) {
  Mask mask = masks.empty() ? Mask() : masks.back();
  const Value &count = value.items()[0], &words = value.items()[1], &other = value.items()[2];
  bool isNone = other.isHost() && host.isNone(other.host);
  mask.other = isNone ? Value::ofHost(host.makeInt(0)) : other;
  mask.otherRange = range;
  if (words.isSequence()) {
    uint64_t low = *asWord(host, words.items()[1].host), high = *asWord(host, words.items()[0].host);
    llvm::APInt bits(maskBits, {low, high});
    mask.bits = mask.bits ? *mask.bits & bits : bits;
  } else {
    mlir::Value number = toScalar(count, DType::Int32, range);
    if (!number)
      return false;
    mask.count =
        mask.count ? mlir::arith::MinSIOp::create(builder, loc(range), mask.count, number).getResult() : number;
  }
  masks.push_back(mask);
  return true;
}

mlir::DenseI64ArrayAttr Lowering::maskWords() {
  if (masks.empty() || !masks.back().bits)
    return {};
  const llvm::APInt &bits = *masks.back().bits;
  return builder.getDenseI64ArrayAttr(
      {int64_t(bits.extractBitsAsZExtValue(64, 0)), int64_t(bits.extractBitsAsZExtValue(64, 64))});
}

Value Lowering::applyMask(const Value &result, const Range &range) {
  if (masks.empty() || !result)
    return result;
  const Mask mask = masks.back();
  mlir::Location at = loc(range);
  tile::TileType lanesType = result.tileType().withElementType(builder.getI1Type());
  auto combine = [&](tile::BinaryKind kind, mlir::Value a, mlir::Value b) -> mlir::Value {
    return tile::BinaryOp::create(builder, at, lanesType, kind, a, b);
  };
  mlir::Value lanes;
  if (mask.count)
    lanes = tile::LanesOp::create(builder, at, lanesType, mask.count, mlir::DenseI64ArrayAttr());
  if (mask.bits) {
    mlir::Value chosen = tile::LanesOp::create(builder, at, lanesType, mlir::Value(), maskWords());
    lanes = lanes ? combine(tile::BinaryKind::And, lanes, chosen) : chosen;
  }
  DType dtype = result.elementType();
  if (dtype != DType::Int1) {
    mlir::Value other = toScalar(mask.other, dtype, mask.otherRange);
    if (!other)
      return {};
    return Value::ofTile(tile::SelectOp::create(builder, at, result.tileType(), lanes, result.ir, other));
  }
  mlir::Value chosen = combine(tile::BinaryKind::And, result.ir, lanes);
  Truth other = truth(mask.other, mask.otherRange);
  if (!other.valid || (other.isKnown && !other.known))
    return other.valid ? Value::ofTile(chosen) : Value();
  mlir::Value rest = tile::UnaryOp::create(builder, at, lanesType, tile::UnaryKind::Not, lanes);
  if (!other.isKnown)
    rest = combine(tile::BinaryKind::And, rest, tile::SplatOp::create(builder, at, lanesType, other.runtime));
  return Value::ofTile(combine(tile::BinaryKind::Or, chosen, rest));
}

// One number is the element 0 of its tile.
void Lowering::whenFirstChosen(const Range &range, llvm::function_ref<void()> build) {
  if (masks.empty())
    return build();
  const Mask &mask = masks.back();
  if (mask.bits && !(*mask.bits)[0])
    return;
  if (!mask.count)
    return build();
  mlir::Location at = loc(range);
  mlir::Value some =
      mlir::arith::CmpIOp::create(builder, at, mlir::arith::CmpIPredicate::sgt, mask.count, i32(0, range));
  auto branch = mlir::scf::IfOp::create(builder, at, some, /*withElseRegion=*/false);
  mlir::OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  build();
}

Lowering::Flow Lowering::lowerWith(const ast::With &stmt) {
  if (stmt.contexts.size() != 1) {
    fail(stmt.contexts[1]->range, "UnsupportedSyntaxError", "a with statement takes one item inside a kernel",
         "nest two with statements");
    return Flow::Failed;
  }
  const Range &range = stmt.contexts[0]->range;
  Value context = lowerExpr(*stmt.contexts[0]);
  if (!context)
    return Flow::Failed;
  Env before = frame->env;
  size_t depth = masks.size();
  llvm::scope_exit leave([&] { masks.resize(depth); });
  HostRef exit;
  Value entered = none();
  if (context.kind == Value::Mask) {
    if (!enterMask(context, range))
      return Flow::Failed;
  } else {
    // Any other context manager is the host's: it is entered and left while compiling.
    HostRef object = toHost(context);
    HostRef enter = object ? host.getAttr(object, "__enter__") : HostRef();
    exit = enter ? host.getAttr(object, "__exit__") : HostRef();
    if (!exit) {
      host.takeError();
      fail(range, "TypeError", describe(context) + " is not a context manager",
           "a with statement inside a kernel takes asc2.mask(...) or a context manager of the host");
      return Flow::Failed;
    }
    entered = Value::ofHost(host.call(enter, {}, {}));
    if (!entered) {
      failHost(range);
      return Flow::Failed;
    }
  }
  bool bound = !stmt.variables[0] || assign(*stmt.variables[0], entered, range);
  Flow flow = bound ? lowerBody(stmt.body) : Flow::Failed;
  if (exit) {
    HostRef nothing[] = {host.makeNone(), host.makeNone(), host.makeNone()};
    if (!host.call(exit, nothing, {})) {
      failHost(range);
      return Flow::Failed;
    }
  }
  if (flow == Flow::Failed)
    return flow;
  // Names that existed keep what the body bound to them; new ones end here.
  Env after = std::move(frame->env);
  frame->env = std::move(before);
  for (auto &entry : frame->env)
    if (auto it = after.find(entry.first()); it != after.end())
      entry.second = it->second;
  expire(after, "it was bound inside the with at line " + std::to_string(stmt.range.line));
  return flow;
}

llvm::ArrayRef<BuiltinEntry> maskBuiltins() {
  static constexpr BuiltinEntry entries[] = {
      {"asc2.mask", "*, count=None, bits=None, other=None", mask},
  };
  return entries;
}

} // namespace tilesmith::frontend
