#include "Lifetimes.h"

#include "Conflicts.h"

using namespace mlir;
using namespace tilesmith::isa;

namespace tilesmith::plan {

namespace {
class Finder {
public:
  explicit Finder(func::FuncOp func) : func(func) {
    int64_t next = 0;
    number(func, next);
  }

  llvm::DenseMap<Value, Lifetime> run() {
    func.walk([&](Operation *op) {
      if (auto alloc = dyn_cast<AllocOp>(op))
        lives.try_emplace(alloc.getResult(), nowhere);
      for (const plan::Access &access : accessesOf(op))
        if (access.place.root && access.place.root.getDefiningOp<AllocOp>())
          use(access.place, op);
      keepYielded(op);
    });
    for (auto &[value, life] : lives)
      if (life.ring.end < 0)
        life.ring = life.one = ranges[value.getDefiningOp()];
    return std::move(lives);
  }

private:
  void number(Operation *op, int64_t &next) {
    int64_t begin = next++;
    if (!llvm::isa<VfOp>(op))
      for (Region &region : op->getRegions())
        for (Block &block : region)
          for (Operation &inner : block)
            number(&inner, next);
    ranges[op] = {begin, next++};
  }

  void extend(Value root, Operation *over, bool oneToo = true) {
    Lifetime &life = lives.try_emplace(root, nowhere).first->second;
    const Interval &range = ranges[over];
    for (Interval *each : {&life.ring, oneToo ? &life.one : &life.ring}) {
      each->begin = std::min(each->begin, range.begin);
      each->end = std::max(each->end, range.end);
    }
  }

  void use(const Place &place, Operation *op) {
    extend(place.root, op);
    Operation *alloc = place.root.getDefiningOp();
    scf::ForOp counted = place.slot ? countedLoop(place.slot) : scf::ForOp();
    for (Operation *parent = op->getParentOp(); parent && !parent->isAncestor(alloc); parent = parent->getParentOp()) {
      bool isCounted = counted && parent == counted.getOperation();
      if (llvm::isa<scf::ForOp, scf::WhileOp>(parent))
        extend(place.root, parent, /*oneToo=*/!isCounted);
      if (isCounted)
        break;
    }
  }

  // A buffer handed to the next iteration lives through the loop, wherever it was allocated.
  void keepYielded(Operation *op) {
    if (!llvm::isa<scf::YieldOp, scf::ConditionOp>(op) || !llvm::isa<scf::ForOp, scf::WhileOp>(op->getParentOp()))
      return;
    for (Value yielded : op->getOperands())
      if (llvm::isa<BufferType>(yielded.getType()))
        for (const Place &place : placesOf(yielded))
          if (place.root && place.root.getDefiningOp<AllocOp>())
            extend(place.root, op->getParentOp());
  }

  func::FuncOp func;
  llvm::DenseMap<Operation *, Interval> ranges;
  static constexpr Lifetime nowhere = {{INT64_MAX, -1}, {INT64_MAX, -1}};
  llvm::DenseMap<Value, Lifetime> lives;
};
} // namespace

llvm::DenseMap<Value, Lifetime> lifetimesOf(func::FuncOp func) { return Finder(func).run(); }

} // namespace tilesmith::plan
