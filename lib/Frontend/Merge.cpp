// Values through control flow: a Value is taken apart into the IR values it holds (its leaves), these pass through
// block arguments and results, and a Value of the same structure is put together on the other side.
#include "Lowering.h"

namespace tilesmith::frontend {

// What has no leaves passes only if it does not change.
bool Lowering::flatten(const Value &value, llvm::SmallVectorImpl<mlir::Value> &leaves) {
  switch (value.kind) {
  case Value::Scalar:
  case Value::Tile:
    leaves.push_back(value.ir);
    return true;
  case Value::Accumulator:
    leaves.push_back(cells[value.cell]);
    return true;
  case Value::Sequence:
  case Value::Address:
    for (const Value &item : value.items())
      flatten(item, leaves);
    return true;
  default:
    return false;
  }
}

Value Lowering::rebuild(const Value &like, mlir::ValueRange &leaves) {
  auto take = [&] {
    mlir::Value leaf = leaves.front();
    leaves = leaves.drop_front();
    return leaf;
  };
  switch (like.kind) {
  case Value::Scalar:
    return Value::ofScalar(take(), like.dtype);
  case Value::Tile:
    return Value::ofTile(take());
  case Value::Accumulator:
    cells.push_back(take());
    return Value::ofAccumulator(cells.size() - 1);
  case Value::Address:
    if (like.items().empty())
      return like;
    return Value::ofAddress(like.ir, like.dtype, rebuild(like.items()[0], leaves));
  case Value::Sequence: {
    llvm::SmallVector<Value> items;
    for (const Value &item : like.items())
      items.push_back(rebuild(item, leaves));
    Value value = Value::ofSequence(items, like.parts->isList, region);
    value.parts->isShape = like.parts->isShape;
    value.parts->arrayOf = like.parts->arrayOf;
    return value;
  }
  default:
    return like;
  }
}

// Equal host values: the same object, or equal ones of one type (1 and True are not the same, nor are 0.0 and -0.0).
bool Lowering::sameHost(const HostRef &a, const HostRef &b) {
  if (a == b)
    return true;
  if (host.typeName(a) != host.typeName(b))
    return false;
  std::optional<std::string> first = host.fingerprint(a), second = host.fingerprint(b);
  return first && second && *first == *second;
}

// True if both can stand for one another without any carried IR.
bool Lowering::isSame(const Value &a, const Value &b) {
  if (a.kind != b.kind || a.ir != b.ir || a.cell != b.cell || a.dtype != b.dtype)
    return false;
  if (a.isHost())
    return sameHost(a.host, b.host);
  if (a.parts == b.parts)
    return true;
  if (!a.parts || !b.parts || a.items().size() != b.items().size() || a.parts->isList != b.parts->isList ||
      a.parts->method != b.parts->method || a.parts->isStatic != b.parts->isStatic ||
      a.parts->unrollFactor != b.parts->unrollFactor || a.parts->parallel != b.parts->parallel)
    return false;
  for (auto [x, y] : llvm::zip_equal(a.items(), b.items()))
    if (!isSame(x, y))
      return false;
  return true;
}

// True if a and b differ only in their leaves.
bool Lowering::sameStructure(const Value &a, const Value &b) {
  if (a.kind != b.kind)
    return false;
  switch (a.kind) {
  case Value::Scalar:
    return a.dtype == b.dtype;
  case Value::Tile:
    return a.ir.getType() == b.ir.getType();
  case Value::Accumulator:
    return true; // flattened where its cell is known; types are compared there
  case Value::Address:
    if (a.ir != b.ir)
      return false;
    [[fallthrough]];
  case Value::Sequence:
    if (a.items().size() != b.items().size() || (a.parts && b.parts && a.parts->isList != b.parts->isList))
      return false;
    for (auto [x, y] : llvm::zip_equal(a.items(), b.items()))
      if (!sameStructure(x, y))
        return false;
    return true;
  default:
    return isSame(a, b);
  }
}

// int32 for an int, float32 for a float, int1 for a bool: what a Python number becomes without further hints.
Target Lowering::defaultTarget(const Value &number) { return Target{dtypeOf(number), {}}; }

Target Lowering::join(const Value &a, const Value &b) {
  auto ofRuntime = [](const Value &value) {
    return value.isScalar() ? Target{value.dtype, {}}
           : value.isTile() ? Target{DType::Void, value.tileType()}
                            : Target{};
  };
  if (isNumber(a) && isNumber(b)) {
    Target x = defaultTarget(a), y = defaultTarget(b);
    if (x.dtype == y.dtype)
      return x;
    return isFloat(x.dtype) ? x : isFloat(y.dtype) ? y : Target{DType::Int32, {}};
  }
  if (isNumber(a))
    return ofRuntime(b);
  if (isNumber(b))
    return ofRuntime(a);
  return {};
}

Value Lowering::convertTo(const Value &value, const Target &target, const Range &range) {
  if (target.tile) {
    if (value.isTile() && value.tileType() == target.tile)
      return value;
    if (!isNumber(value) || target.tile.getMemory() != isa::Memory::UB)
      return {};
    mlir::Value scalar = toScalar(value, fromMlir(target.tile.getElementType()), range);
    return scalar ? Value::ofTile(tile::SplatOp::create(builder, loc(range), target.tile, scalar)) : Value();
  }
  if (value.isScalar())
    return value.dtype == target.dtype ? value : Value();
  if (!isNumber(value))
    return {};
  mlir::Value scalar = toScalar(value, target.dtype, range);
  return scalar ? Value::ofScalar(scalar, target.dtype) : Value();
}

Value Lowering::convertLike(const Value &value, const Value &like, const Range &range) {
  if (value.kind == Value::Accumulator && like.kind == Value::Accumulator &&
      cells[value.cell].getType() != cells[like.cell].getType())
    return {};
  if (sameStructure(value, like))
    return value;
  if (like.isScalar())
    return convertTo(value, Target{like.dtype, {}}, range);
  if (like.isTile())
    return convertTo(read(value), Target{DType::Void, like.tileType()}, range);
  return {};
}

Value Lowering::withOffset(const Value &value, const Range &range) {
  if (value.kind != Value::Address || !value.items().empty())
    return value;
  return Value::ofAddress(value.ir, value.dtype, Value::ofScalar(i32(0, range), DType::Int32));
}

void Lowering::expire(const Env &after, llvm::StringRef where) {
  for (const auto &entry : after) {
    const Binding &binding = entry.second;
    auto it = frame->env.find(entry.first());
    if (it != frame->env.end() && (it->second.gone.empty() || it->second.conflict))
      continue;
    Binding &old = frame->env[entry.first()];
    old.value = {};
    old.range = binding.range;
    old.gone = binding.gone.empty() ? where.str() : binding.gone;
    old.conflict = binding.conflict;
  }
}

bool Lowering::enterRegion(const Range &range) {
  static constexpr unsigned maxDepth = 64;
  if (regionDepth >= maxDepth)
    return bool(fail(range, "RuntimeError",
                     "runtime loops and branches are nested more than " + llvm::Twine(maxDepth) + " deep"));
  return true;
}

std::unique_ptr<mlir::Region> Lowering::buildRegion(llvm::function_ref<void()> build) {
  mlir::OpBuilder::InsertionGuard guard(builder);
  auto body = std::make_unique<mlir::Region>();
  builder.setInsertionPointToEnd(&body->emplaceBlock());
  unsigned outer = region;
  region = ++lastRegion;
  ++regionDepth;
  build();
  --regionDepth;
  region = outer;
  return body;
}

} // namespace tilesmith::frontend
