// Version wraps: programs whose ranges do not wrap around run code without the wrap.
//
// Kernels write `offsets % m`, or the offset where it is below m and 0 elsewhere, so that tiles which hang over the end
// of an array read something that is there. A range that does wrap is no box. Guarantee: what follows such an
// expression in its block stands twice, under a condition that all these ranges lie below their ends: once with the
// range itself, once as it was.
#include "Pointers.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

namespace tilesmith {
#define GEN_PASS_DEF_VERSIONWRAPS
#include "tilesmith/Transforms/Triton/TritonPasses.h.inc"
} // namespace tilesmith

using namespace mlir;
using namespace tilesmith;
using namespace tilesmith::triton;

namespace {

// The range an expression is where it does not wrap, and the number it has to stay below.
struct Wrap {
  Value range;
  Value end;
};

std::optional<Wrap> wrapOf(Operation *op) {
  if (auto binary = dyn_cast<tile::BinaryOp>(op))
    if (binary.getKind() == tile::BinaryKind::Rem && llvm::isa<tile::TileType>(binary.getLhs().getType()) &&
        binary.getRhs().getType().isSignlessInteger())
      return Wrap{binary.getLhs(), binary.getRhs()};
  if (auto select = dyn_cast<tile::SelectOp>(op))
    if (auto compare = select.getMask().getDefiningOp<tile::CompareOp>())
      if (compare.getKind() == tile::CompareKind::LT && compare.getLhs() == select.getLhs() &&
          compare.getRhs().getType().isSignlessInteger())
        return Wrap{compare.getLhs(), compare.getRhs()};
  return std::nullopt;
}

// Whether all of the range lies between 0 and its end; nothing if it is not a range.
Value staysInside(OpBuilder &b, Location loc, const Wrap &wrap) {
  auto type = cast<tile::TileType>(wrap.range.getType());
  auto element = dyn_cast<IntegerType>(type.getElementType());
  if (!element || element.isUnsigned() || element.getWidth() < 32)
    return {};
  Reader reader(b, loc);
  Positions positions = reader.positions(wrap.range);
  int64_t size = 0;
  for (auto [stride, extent] : llvm::zip_equal(positions.strides, type.getShape())) {
    if (extent == 1 || stride.is(0))
      continue;
    if (!stride.is(1) || size)
      return {};
    size = extent;
  }
  if (!positions.rest.empty() || size < 2)
    return {};
  Numbers &n = reader.n;
  Int start = n.wide(positions.start);
  Value above = n.compare(arith::CmpIPredicate::sge, start, Int(0));
  Value below = n.compare(arith::CmpIPredicate::sle, n.add(start, Int(size)), n.wide(Int(wrap.end)));
  return arith::AndIOp::create(b, loc, above, below);
}

struct VersionWraps final : tilesmith::impl::VersionWrapsBase<VersionWraps> {
  void runOnOperation() override {
    llvm::MapVector<Block *, SmallVector<Operation *>> found;
    getOperation().walk([&](Operation *op) {
      if (wrapOf(op))
        found[op->getBlock()].push_back(op);
    });
    for (auto &[block, wraps] : found)
      version(block, wraps);
  }

  static void version(Block *block, ArrayRef<Operation *> wraps) {
    // What depends on a wrap comes behind the last one.
    llvm::SetVector<Operation *> dependent;
    Operation *last = wraps.back();
    for (Operation *op = wraps.front(); op != last->getNextNode(); op = op->getNextNode()) {
      bool depends = llvm::is_contained(wraps, op) || llvm::any_of(op->getOperands(), [&](Value operand) {
                       return operand.getDefiningOp() && dependent.contains(operand.getDefiningOp());
                     });
      if (!depends)
        continue;
      if (!isPure(op) || op->getNumRegions())
        return;
      dependent.insert(op);
    }
    Operation *terminator = block->getTerminator();
    bool hasAccess = false;
    for (Operation *op = last->getNextNode(); op != terminator; op = op->getNextNode()) {
      for (Operation *user : op->getUsers())
        if (user == terminator)
          return;
      op->walk([&](Operation *inner) { hasAccess |= llvm::isa<LoadOp>(inner); });
    }
    for (Operation *op : dependent)
      for (Operation *user : op->getUsers())
        if (user == terminator)
          return;
    if (!hasAccess)
      return;

    OpBuilder b(last->getContext());
    b.setInsertionPointAfter(last);
    Value inside;
    SmallVector<Operation *> replaced;
    for (Operation *op : wraps) {
      Wrap wrap = *wrapOf(op);
      Operation *range = wrap.range.getDefiningOp();
      if (range && dependent.contains(range))
        continue;
      Value one = staysInside(b, op->getLoc(), wrap);
      if (!one)
        continue;
      inside = inside ? arith::AndIOp::create(b, op->getLoc(), inside, one).getResult() : one;
      replaced.push_back(op);
    }
    if (!inside)
      return;
    SmallVector<Operation *> rest(dependent.begin(), dependent.end());
    for (Operation *op = inside.getDefiningOp()->getNextNode(); op != terminator; op = op->getNextNode())
      rest.push_back(op);
    b.setInsertionPoint(terminator);
    auto branch = scf::IfOp::create(b, last->getLoc(), inside, /*withElseRegion=*/true);
    IRMapping mapping;
    OpBuilder fast(branch.thenBlock()->getTerminator());
    for (Operation *op : rest) {
      if (llvm::is_contained(replaced, op))
        mapping.map(op->getResult(0), mapping.lookupOrDefault(wrapOf(op)->range));
      else
        fast.clone(*op, mapping);
    }
    for (Operation *op : rest)
      op->moveBefore(branch.elseBlock()->getTerminator());
  }
};

} // namespace
