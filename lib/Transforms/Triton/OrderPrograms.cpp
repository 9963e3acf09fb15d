// Order programs: the chip adds to memory, or leaves the larger or smaller number there, but never says what was there.
//
// Guarantees
//  - where nobody reads what updates found and the chip has all of them, they are `triton.atomic`, and nothing else
//    changes
//  - otherwise each update reads, combines and writes; and the first block runs all programs one after the other, in
//    the order of their numbers, while the others have nothing to do. So no update is lost, results are the same each
//    time, and a program sees all that earlier ones have written
//  - updates whose elements lie apart are made at once, others element by element in row-major order
//  - afterwards there is no `triton.update`
#include "Pointers.h"

namespace tilesmith {
#define GEN_PASS_DEF_ORDERPROGRAMS
#include "tilesmith/Transforms/Triton/TritonPasses.h.inc"
} // namespace tilesmith

using namespace mlir;
using namespace tilesmith;
using namespace tilesmith::triton;

namespace {

// What the chip does by itself.
std::optional<tile::AtomicKind> atomicOf(UpdateOp op) {
  Type element = op.getValue().getType().getElementType();
  if (element.isUnsignedInteger() || element.getIntOrFloatBitWidth() > 32)
    return std::nullopt;
  return tile::symbolizeAtomicKind(stringifyUpdateKind(op.getKind()));
}

// Whether no two elements have one position.
bool areApart(const Positions &positions, ArrayRef<int64_t> shape) {
  SmallVector<std::pair<int64_t, int64_t>> steps; // stride and size
  for (auto [stride, size] : llvm::zip_equal(positions.strides, shape)) {
    if (size == 1)
      continue;
    if (!stride.isKnown() || stride.number <= 0)
      return false;
    steps.emplace_back(stride.number, size);
  }
  llvm::sort(steps);
  int64_t reach = 1;
  for (auto [stride, size] : steps) {
    if (stride < reach)
      return false;
    reach = stride * size;
  }
  return steps.empty() || positions.rest.empty();
}

class Update {
public:
  explicit Update(UpdateOp op) : op(op), b(op), loc(op.getLoc()), type(op.getValue().getType()) {}

  void expand() {
    Reader reader(b, loc);
    if (areApart(reader.positions(op.getOffsets()), type.getShape())) {
      Value old = access(op.getOffsets(), op.getMask(), op.getValue(), op.getExpected());
      op.getResult().replaceAllUsesWith(old);
    } else {
      byElements();
    }
    op.erase();
  }

private:
  tile::TileType ofShape(ArrayRef<int64_t> shape, Type of) {
    return tile::TileType::get(b.getContext(), shape, of, isa::Memory::UB);
  }
  Value number(int64_t value) { return arith::ConstantOp::create(b, loc, b.getI32IntegerAttr(value)); }

  // Reads, combines and writes; what was there.
  Value access(Value offsets, Value mask, Value value, Value expected) {
    Value old = LoadOp::create(b, loc, value.getType(), op.getBase(), offsets, mask, Value());
    StoreOp::create(b, loc, combined(old, value, expected), op.getBase(), offsets, mask);
    return old;
  }

  Value bitsOf(Value tile) {
    auto own = cast<tile::TileType>(tile.getType());
    if (!llvm::isa<FloatType>(own.getElementType()))
      return tile;
    Type bits = b.getIntegerType(own.getElementType().getIntOrFloatBitWidth());
    return tile::BitcastOp::create(b, loc, own.withElementType(bits), tile);
  }

  Value combined(Value old, Value value, Value expected) {
    auto own = cast<tile::TileType>(old.getType());
    if (op.getKind() == UpdateKind::Xchg)
      return value;
    if (op.getKind() == UpdateKind::Cas) {
      Value found = tile::CompareOp::create(b, loc, own.withElementType(b.getI1Type()), tile::CompareKind::EQ,
                                            bitsOf(old), bitsOf(expected));
      return tile::SelectOp::create(b, loc, own, found, value, old);
    }
    tile::BinaryKind kind = *tile::symbolizeBinaryKind(stringifyUpdateKind(op.getKind()));
    return tile::BinaryOp::create(b, loc, own, kind, old, value);
  }

  // An element of a tile of one dimension, as a tile. Bytes go as 16-bit numbers.
  Value elementOf(Value tile, Value at) {
    Type own = cast<tile::TileType>(tile.getType()).getElementType();
    bool isNarrow = own.getIntOrFloatBitWidth() < 16;
    Type as = isNarrow ? Type(b.getI16Type()) : own;
    if (isNarrow)
      tile = tile::CastOp::create(b, loc, cast<tile::TileType>(tile.getType()).withElementType(as), tile);
    Value result = tile::GatherOp::create(b, loc, ofShape({1}, as), tile, at, /*inside=*/true);
    return isNarrow ? tile::CastOp::create(b, loc, ofShape({1}, own), result).getResult() : result;
  }

  void byElements() {
    int64_t count = type.getNumElements();
    Type i32 = b.getI32Type();
    auto flat = [&](Value tile) {
      auto own = cast<tile::TileType>(tile.getType());
      return tile::ReshapeOp::create(b, loc, own.withShape({count}), tile).getResult();
    };
    Value offsets = flat(op.getOffsets()), value = flat(op.getValue()), mask, expected;
    if (op.getExpected())
      expected = flat(op.getExpected());
    if (Value given = op.getMask()) // truth values cannot be taken out of a tile
      mask = flat(tile::SelectOp::create(b, loc, op.getOffsets().getType(), given, number(1), number(0)));
    Type scalar = tile::scalarTypeOf(type.getElementType());
    SmallVector<Value> carried;
    bool isRead = !op.getResult().use_empty();
    if (isRead) {
      Value zero = arith::ConstantOp::create(b, loc, b.getZeroAttr(scalar));
      carried.push_back(tile::SplatOp::create(b, loc, ofShape({count}, type.getElementType()), zero));
    }
    auto loop = scf::ForOp::create(b, loc, number(0), number(count), number(1), carried);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    Value at = tile::SplatOp::create(b, loc, ofShape({1}, i32), loop.getInductionVar());
    auto numberAt = [&](Value tile) { return tile::ExtractOp::create(b, loc, i32, elementOf(tile, at)).getResult(); };
    scf::IfOp branch;
    if (mask) {
      Value chosen = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne, numberAt(mask), number(0));
      branch = isRead ? scf::IfOp::create(b, loc, TypeRange(carried), chosen, true)
                      : scf::IfOp::create(b, loc, chosen, /*withElseRegion=*/false);
      if (isRead) {
        b.setInsertionPointToEnd(branch.elseBlock());
        scf::YieldOp::create(b, loc, loop.getRegionIterArgs());
        b.setInsertionPointToEnd(branch.thenBlock());
      } else {
        b.setInsertionPoint(branch.thenBlock()->getTerminator());
      }
    }
    Value place = tile::SplatOp::create(b, loc, ofShape({1}, i32), numberAt(offsets));
    Value old = access(place, Value(), elementOf(value, at), expected ? elementOf(expected, at) : Value());
    if (isRead) {
      Value found = tile::ExtractOp::create(b, loc, scalar, old);
      Value counted = tile::ArangeOp::create(b, loc, ofShape({count}, i32));
      Value here = tile::CompareOp::create(b, loc, ofShape({count}, b.getI1Type()), tile::CompareKind::EQ, counted,
                                           loop.getInductionVar());
      Value all = tile::SelectOp::create(b, loc, carried[0].getType(), here, found, loop.getRegionIterArg(0));
      scf::YieldOp::create(b, loc, all);
      if (branch) {
        b.setInsertionPointToEnd(loop.getBody());
        scf::YieldOp::create(b, loc, branch.getResults());
      }
      b.setInsertionPointAfter(loop);
      op.getResult().replaceAllUsesWith(tile::ReshapeOp::create(b, loc, type, loop.getResult(0)));
    }
  }

  UpdateOp op;
  OpBuilder b;
  Location loc;
  tile::TileType type;
};

// The body once for each program, in the first block.
void runInOrder(func::FuncOp kernel) {
  Block &body = kernel.getBody().front();
  OpBuilder b(&body, body.begin());
  Location loc = kernel.getLoc();
  Value zero = arith::ConstantOp::create(b, loc, b.getI32IntegerAttr(0));
  Value one = arith::ConstantOp::create(b, loc, b.getI32IntegerAttr(1));
  Value count = tile::BlockNumOp::create(b, loc), index = tile::BlockIdxOp::create(b, loc);
  Value isFirst = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, index, zero);
  Value begin = arith::SelectOp::create(b, loc, isFirst, zero, count);
  auto loop = scf::ForOp::create(b, loc, begin, count, one);
  Block *inner = loop.getBody();
  inner->getOperations().splice(inner->begin(), body.getOperations(), std::next(loop->getIterator()),
                                body.getTerminator()->getIterator());
  loop.walk([&](tile::BlockIdxOp op) {
    op.getResult().replaceAllUsesWith(loop.getInductionVar());
    op.erase();
  });
}

struct OrderPrograms final : tilesmith::impl::OrderProgramsBase<OrderPrograms> {
  void runOnOperation() override {
    SmallVector<UpdateOp> updates;
    getOperation().walk([&](UpdateOp op) { updates.push_back(op); });
    bool isPlain = llvm::all_of(updates, [](UpdateOp op) { return op.getResult().use_empty() && atomicOf(op); });
    for (UpdateOp op : updates) {
      if (!isPlain) {
        Update(op).expand();
        continue;
      }
      OpBuilder b(op);
      AtomicOp::create(b, op.getLoc(), *atomicOf(op), op.getValue(), op.getBase(), op.getOffsets(), op.getMask());
      op.erase();
    }
    if (!isPlain)
      runInOrder(getOperation());
  }
};

} // namespace
