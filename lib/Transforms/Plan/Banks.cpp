#include "Banks.h"

#include "Accesses.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace tilesmith::isa;

namespace tilesmith::plan {

namespace {

// Buffers in two halves. Those that are tied to each other form a tree; each knows whether it lies in its parent's
// half.
class Halves {
public:
  struct Found {
    Value top;
    bool other; // whether it is in the half that its top is not in
  };

  Found find(Value buffer) {
    Found found{buffer, false};
    for (auto up = parents.find(buffer); up != parents.end(); up = parents.find(found.top))
      found = {up->second.top, found.other != up->second.other};
    return found;
  }

  // Puts `a` and `b` into different halves, or into the same one; if they are not tied already.
  void tie(Value a, Value b, bool different) {
    Found first = find(a), second = find(b);
    if (first.top != second.top)
      parents[second.top] = {first.top, (first.other != second.other) != different};
  }

private:
  llvm::DenseMap<Value, Found> parents;
};

// Two sources of an instruction.
struct Pair {
  Value first, second;
  bool different; // they are read from their starts, or both half a turn on; otherwise one is half a turn on
  int64_t bytes;  // read, more for inner loops
};

class PairFinder {
public:
  explicit PairFinder(int64_t turn) : turn(turn) {}

  std::vector<Pair> pairs;

  void visit(Operation *op) {
    if (pipeOf(op) != Pipe::V)
      return;
    SmallVector<Source, 2> sources;
    for (const plan::Access &access : accessesOf(op))
      if (!access.write && access.memory == Memory::UB && access.size.value_or(0) >= turn)
        if (std::optional<Source> source = sourceOf(access))
          sources.push_back(*source);
    if (sources.size() != 2 || sources[0].root == sources[1].root)
      return;
    int64_t bytes = std::min(sources[0].bytes, sources[1].bytes);
    for (Operation *parent = op->getParentOp(); parent; parent = parent->getParentOp())
      if (llvm::isa<scf::ForOp, scf::WhileOp>(parent))
        bytes = std::min<int64_t>(bytes * 8, int64_t(1) << 40);
    pairs.push_back({sources[0].root, sources[1].root, sources[0].half == sources[1].half, bytes});
  }

private:
  struct Source {
    Value root;
    bool half;
    int64_t bytes;
  };

  // A source that starts at a known half of its buffer.
  std::optional<Source> sourceOf(const plan::Access &access) const {
    const Place &place = access.place;
    if (!place.root || !place.root.getDefiningOp<AllocOp>() || !place.offset || place.offset->constant % (turn / 2))
      return std::nullopt;
    for (const Term &term : place.offset->terms)
      if (term.coefficient % turn)
        return std::nullopt;
    return Source{place.root, place.offset->constant / (turn / 2) % 2 != 0, *access.size};
  }

  int64_t turn;
};

} // namespace

llvm::DenseMap<Value, Start> startsOf(func::FuncOp func, int64_t turn) {
  PairFinder finder(turn);
  func.walk([&](Operation *op) { finder.visit(op); });
  llvm::stable_sort(finder.pairs, [](const Pair &a, const Pair &b) { return a.bytes > b.bytes; });
  Halves halves;
  llvm::DenseSet<Value> tied;
  for (const Pair &pair : finder.pairs) {
    halves.tie(pair.first, pair.second, pair.different);
    tied.insert_range(std::array{pair.first, pair.second});
  }
  llvm::DenseMap<Value, Start> starts;
  func.walk([&](AllocOp alloc) {
    Value buffer = alloc.getResult();
    if (alloc.getResult().getType().getMemory() != Memory::UB || int64_t(alloc.getBytes()) < turn)
      return;
    // What is not read with another long source still starts with a repeat: writes then run beside reads.
    starts[buffer] = tied.contains(buffer) ? Start{turn, halves.find(buffer).other ? turn / 2 : 0} : Start{turn / 2, 0};
  });
  return starts;
}

} // namespace tilesmith::plan
