// Find independent loops: those whose iterations could run in any order.
//
// A loop is independent if it carries nothing from one iteration to the next, and every array it writes has an axis
// along which iterations touch disjoint ranges: all accesses of the array begin there at `stride * i + c`, with one
// stride known while compiling and the same terms beside it, and end before the next iteration's range begins. An array
// that is only read does not matter, nor does one that an iteration makes for itself. Loops whose author promised it
// (tile.parallel) are believed.
#include "GraphBuilder.h"
#include "tilesmith/Dialect/Graph/Sum.h"
#include "tilesmith/Transforms/Graph/GraphPasses.h"

#include "llvm/ADT/MapVector.h"

namespace tilesmith {
#define GEN_PASS_DEF_FINDINDEPENDENT
#include "tilesmith/Transforms/Graph/GraphPasses.h.inc"
} // namespace tilesmith

using namespace mlir;
using namespace tilesmith;
using namespace tilesmith::graph;

namespace {

struct Access {
  Value memory;
  SmallVector<Value> offsets;
  SmallVector<int64_t> shape; // empty: nobody knows where it goes
  bool writes;
};

// Whether iterations of the loop touch disjoint ranges along the axis in all accesses of one array.
bool isDisjoint(scf::ForOp loop, ArrayRef<Access> accesses, size_t axis) {
  std::optional<int64_t> step = constantOf(loop.getStep());
  void *index = loop.getInductionVar().getAsOpaquePointer();
  std::optional<Sum> first;
  int64_t stride = 0, low = 0, high = 0;
  for (const Access &access : accesses) {
    if (axis >= access.shape.size() || ShapedType::isDynamic(access.shape[axis]) || !step)
      return false;
    Sum sum = Sum::of(access.offsets[axis]);
    int64_t factor = sum.terms[index];
    sum.terms.erase(index);
    // Any other term must be the same in all iterations.
    for (auto [term, count] : sum.terms)
      if (!loop.isDefinedOutsideOfLoop(Value::getFromOpaquePointer(term)))
        return false;
    int64_t begin = sum.constant, end = begin + access.shape[axis];
    if (!first) {
      first = sum;
      stride = factor * *step, low = begin, high = end;
      continue;
    }
    if (first->terms != sum.terms || stride != factor * *step)
      return false;
    low = std::min(low, begin), high = std::max(high, end);
  }
  return stride > 0 && high - low <= stride;
}

bool isIndependent(scf::ForOp loop) {
  if (loop.getNumResults())
    return false;
  if (loop->hasAttr(tile::parallelAttrName))
    return true;
  llvm::MapVector<Value, SmallVector<Access>> accesses;
  bool known = true;
  loop.walk([&](Operation *op) {
    auto [memory, writes] = accessOf(op);
    if (!memory) {
      known &= isMemoryEffectFree(op) || llvm::isa<scf::ForOp, scf::IfOp, scf::WhileOp, WorkspaceOp>(op);
      return;
    }
    Access access{memory, {}, {}, writes};
    if (auto view = dyn_cast<ViewOp>(op))
      access.offsets = view.getOffsets(), access.shape.assign(view.getResult().getType().getShape());
    else if (auto assemble = dyn_cast<AssembleOp>(op))
      access.offsets = assemble.getOffsets(), access.shape.assign(assemble.getValue().getType().getShape());
    // One line of the cache holds several elements: scalars written by different cores get lost.
    known &= !llvm::isa<tile::SetOp>(op);
    accesses[arrayOf(memory)].push_back(access);
  });
  if (!known)
    return false;
  for (auto &[array, list] : accesses) {
    if (llvm::none_of(list, [](const Access &access) { return access.writes; }))
      continue;
    Operation *made = array.getDefiningOp();
    if (made && loop->isAncestor(made)) // each iteration has its own
      continue;
    // Axes of different descriptions of an array do not compare.
    if (llvm::any_of(list, [&list = list](const Access &access) { return access.memory != list.front().memory; }))
      return false;
    bool found = false;
    for (size_t axis = 0; axis < list.front().offsets.size(); ++axis)
      found |= isDisjoint(loop, list, axis);
    if (!found)
      return false;
  }
  return true;
}

struct FindIndependentPass : tilesmith::impl::FindIndependentBase<FindIndependentPass> {
  void runOnOperation() override {
    getOperation().walk([&](scf::ForOp loop) {
      if (isIndependent(loop))
        loop->setAttr(independentAttrName, UnitAttr::get(&getContext()));
    });
  }
};

} // namespace
