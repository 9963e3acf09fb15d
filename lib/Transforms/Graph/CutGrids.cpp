// Cut grids: operations of one block that share axes become one loop over tiles.
//
// A group is what hangs together by tensors within a block. Its axes fall into classes: axes that are cut together,
// because operations go through them element by element. A class is cut into pieces of the smallest tile any operation
// of the group asks for, if every result of the group has it and no operation needs all of it at once (a reduced axis,
// the inner axis of a product). All classes of a group make one loop, marked as independent; intermediate results stay
// on the chip, and each element of an array is moved once.
//
// With `open`, only axes whose size the launch tells are cut, of groups that reduce another such axis: what is left of
// these has one axis of unknown size, and chunk-reductions goes on with it.
//
// A group stays whole if one of its tensors lives outside its block (carried by a loop, chosen by a branch), or if
// operations beside it touch an array it writes. Values do not change: pieces beyond the valid extent are left out, the
// last one is clipped.
#include "GraphBuilder.h"
#include "tilesmith/Transforms/Graph/GraphPasses.h"

#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

namespace tilesmith {
#define GEN_PASS_DEF_CUTGRIDS
#include "tilesmith/Transforms/Graph/GraphPasses.h.inc"
} // namespace tilesmith

using namespace mlir;
using namespace tilesmith;
using namespace tilesmith::graph;

namespace {

constexpr int64_t chunkOfOpen = 256; // elements of a chunk along a reduced axis, where another size is unknown, too

bool isGraph(Operation *op) { return llvm::isa_and_present<GraphDialect>(op->getDialect()); }

// An axis of a tensor.
using Axis = std::pair<void *, int64_t>;
Axis axisOf(Value tensor, int64_t axis) { return {tensor.getAsOpaquePointer(), axis}; }

struct Group {
  SmallVector<Operation *> ops; // in program order
  bool staysWhole = false;
};

// A class that is cut: how long its pieces are, how many elements it has, and what number a piece has.
struct Cut {
  int64_t size;
  Value extent;
  Value piece = {};
};

class Cutter {
public:
  Cutter(Group &group, const std::set<void *> &written, bool open) : group(group), written(written), open(open) {}

  bool run() {
    findSinks();
    if (group.staysWhole || sinks.empty() || (open && !reducesOpen()))
      return false;
    joinAxes();
    chooseCuts();
    if (cuts.empty())
      return false;
    emit();
    return true;
  }

private:
  void findSinks() {
    for (Operation *op : group.ops)
      if (auto sink = dyn_cast<AssembleOp>(op))
        sinks.push_back(sink);
  }

  // Whether it reduces an axis of unknown size and has another one. The chunks of the first do not depend on tiles
  // then.
  bool reducesOpen() const {
    bool any = false;
    for (Operation *op : group.ops)
      if (auto reduce = dyn_cast<ReduceOp>(op)) {
        ArrayRef<int64_t> shape = reduce.getOperand().getType().getShape();
        if (!ShapedType::isDynamic(shape[reduce.getAxis()]) || llvm::count_if(shape, ShapedType::isDynamic) < 2)
          continue;
        reduce->setAttr(chunkAttrName, Builder(op->getContext()).getI64IntegerAttr(chunkOfOpen));
        any = true;
      }
    return any;
  }

  void needWhole(Value tensor, int64_t axis) { whole.insert(axisOf(tensor, axis)); }

  void joinAxes() {
    for (Operation *op : group.ops) {
      Value result = op->getNumResults() ? op->getResult(0) : Value();
      for (auto [index, operand] : llvm::enumerate(op->getOperands())) {
        auto type = dyn_cast<WholeTensorType>(operand.getType());
        if (!type)
          continue;
        for (int64_t axis = 0; axis < type.getRank(); ++axis)
          axes.insert(axisOf(operand, axis));
        if (!result)
          continue;
        for (auto [axis, to] : llvm::enumerate(axesOf(op, index))) {
          if (to >= 0)
            axes.unionSets(axisOf(operand, axis), axisOf(result, to));
          else if (to == isWhole)
            needWhole(operand, axis);
        }
      }
      if (!result)
        continue;
      for (int64_t axis = 0; axis < GraphBuilder::typeOf(result).getRank(); ++axis) {
        axes.insert(axisOf(result, axis));
        if (!canCut(op, axis))
          needWhole(result, axis);
      }
    }
  }

  Axis classOf(Value tensor, int64_t axis) const { return axes.getLeaderValue(axisOf(tensor, axis)); }

  // The axis at which a tensor has the class; nothing if it has none. Two of them: the class cannot be cut.
  std::optional<int64_t> axisWith(Value tensor, Axis wanted) const {
    for (int64_t axis = 0; axis < GraphBuilder::typeOf(tensor).getRank(); ++axis)
      if (classOf(tensor, axis) == wanted)
        return axis;
    return std::nullopt;
  }

  void chooseCuts() {
    std::set<Axis> never;
    for (Axis axis : whole)
      if (axes.contains(axis))
        never.insert(axes.getLeaderValue(axis));
    llvm::MapVector<Value, char> tensors;
    for (Operation *op : group.ops)
      for (Value value : llvm::concat<Value>(llvm::to_vector(op->getOperands()), llvm::to_vector(op->getResults())))
        if (llvm::isa<WholeTensorType>(value.getType()))
          tensors[value] = 0;
    for (auto &entry : tensors) { // a tensor and its transpose: the same class twice
      std::set<Axis> seen;
      for (int64_t axis = 0; axis < GraphBuilder::typeOf(entry.first).getRank(); ++axis)
        if (!seen.insert(classOf(entry.first, axis)).second)
          never.insert(classOf(entry.first, axis));
    }
    AssembleOp first = sinks.front();
    WholeTensorType type = first.getValue().getType();
    for (int64_t axis = 0; axis < type.getRank(); ++axis) {
      Axis wanted = classOf(first.getValue(), axis);
      bool everywhere = llvm::all_of(sinks, [&](AssembleOp sink) { return bool(axisWith(sink.getValue(), wanted)); });
      std::optional<int64_t> size = pieceOf(wanted);
      if (open && !ShapedType::isDynamic(type.getShape()[axis]))
        continue;
      if (never.count(wanted) || !everywhere || !size || type.getShape()[axis] <= *size)
        if (!(ShapedType::isDynamic(type.getShape()[axis]) && size && everywhere && !never.count(wanted)))
          continue;
      cuts.insert({wanted, Cut{*size, {}}});
    }
  }

  std::optional<int64_t> pieceOf(Axis wanted) const {
    std::optional<int64_t> piece;
    for (Operation *op : group.ops) {
      Value shaped =
          llvm::isa<ReduceOp, TransposeOp, ArgOp, SortOp, AssembleOp>(op) ? op->getOperand(0) : Value(op->getResult(0));
      std::optional<int64_t> axis = axisWith(shaped, wanted);
      std::optional<int64_t> tile = axis ? tileOf(op, *axis) : std::nullopt;
      if (tile && (!piece || *tile < *piece))
        piece = tile;
    }
    return piece;
  }

  // The number of elements of a class that any result has.
  Value extentOf(GraphBuilder &g, Axis wanted) const {
    Value most;
    for (AssembleOp sink : sinks) {
      Value extent = sink.getValid()[*axisWith(sink.getValue(), wanted)];
      most = !most || most == extent ? extent : g.atLeast(most, extent);
    }
    return most;
  }

  void emit() {
    OpBuilder b(group.ops.back());
    GraphBuilder g(b, sinks.front().getLoc());
    Value total = g.i32(1);
    SmallVector<Value> counts;
    for (auto &[key, cut] : cuts) {
      cut.extent = extentOf(g, key);
      counts.push_back(g.dividedUp(cut.extent, cut.size));
      total = g.scalar<arith::MulIOp>(total, counts.back(), [](int64_t x, int64_t y) { return x * y; });
    }
    auto loop = scf::ForOp::create(b, g.loc, g.i32(0), total, g.i32(1));
    loop->setAttr(independentAttrName, b.getUnitAttr());
    b.setInsertionPointToStart(loop.getBody());
    // The last axis runs fastest.
    Value rest = loop.getInductionVar();
    for (size_t i = cuts.size(); i-- > 0;) {
      Cut &cut = (cuts.begin() + i)->second;
      cut.piece = i ? arith::RemSIOp::create(b, g.loc, rest, counts[i]).getResult() : rest;
      if (i)
        rest = arith::DivSIOp::create(b, g.loc, rest, counts[i]);
    }
    for (Operation *op : group.ops)
      copy(b, op);
    for (Operation *op : llvm::reverse(group.ops))
      op->erase();
  }

  const Cut *cutOf(Value tensor, int64_t axis) const {
    auto found = cuts.find(classOf(tensor, axis));
    return found == cuts.end() ? nullptr : &found->second;
  }

  // How many of the `extent` elements along an axis are in this piece.
  static Value within(GraphBuilder &g, Value extent, const Cut &cut) {
    std::optional<int64_t> known = constantOf(extent);
    if (known && *known % cut.size == 0 && extent == cut.extent)
      return g.i32(cut.size);
    Value left = g.minus(extent, g.times(cut.piece, cut.size));
    return g.atMost(g.atLeast(left, g.i32(0)), g.i32(cut.size));
  }

  // The last piece of a view ends where the view does: what lies behind, another iteration may write meanwhile.
  void limit(GraphBuilder &g, ViewOp view, Value tensor) {
    for (auto [axis, size] : llvm::enumerate(GraphBuilder::typeOf(tensor).getShape())) {
      const Cut *cut = cutOf(tensor, axis);
      if (!cut || ShapedType::isDynamic(size) || size % cut->size == 0)
        continue;
      auto memory = view.getMemory().getType();
      SmallVector<int64_t> shape(memory.getShape());
      shape[axis] = ShapedType::kDynamic;
      auto type = tile::GlobalTensorType::get(memory.getContext(), shape, memory.getElementType());
      Value end = g.plus(view.getOffsets()[axis], g.i32(size));
      view.getMemoryMutable().set(tile::LimitOp::create(g.b, g.loc, type, view.getMemory(), axis, end));
    }
  }

  void copy(OpBuilder &b, Operation *op) {
    GraphBuilder g(b, op->getLoc());
    Operation *made = b.clone(*op, pieces);
    Value tensor = op->getNumResults() ? op->getResult(0) : op->getOperand(0);
    b.setInsertionPoint(made);
    auto shift = [&](MutableOperandRange offsets) {
      for (auto [axis, offset] : llvm::enumerate(offsets))
        if (const Cut *cut = cutOf(tensor, axis))
          offset.set(g.plus(offset.get(), g.times(cut->piece, cut->size)));
    };
    if (auto view = dyn_cast<ViewOp>(made)) {
      if (written.count(arrayOf(view.getMemory()).getAsOpaquePointer()))
        limit(g, view, tensor);
      shift(view.getOffsetsMutable());
    }
    auto shiftOne = [&](OpOperand &number, int64_t axis) {
      if (const Cut *cut = cutOf(tensor, axis))
        number.set(g.plus(number.get(), g.times(cut->piece, cut->size)));
    };
    if (auto iota = dyn_cast<IotaOp>(made))
      shiftOne(iota.getStartMutable(), iota.getAxis());
    if (auto rows = dyn_cast<GatherRowsOp>(made))
      shiftOne(rows.getColumnMutable(), 1);
    if (auto assemble = dyn_cast<AssembleOp>(made)) {
      shift(assemble.getOffsetsMutable());
      for (auto [axis, valid] : llvm::enumerate(assemble.getValidMutable()))
        if (const Cut *cut = cutOf(tensor, axis))
          valid.set(within(g, valid.get(), *cut));
    }
    b.setInsertionPointAfter(made);
    if (made->getNumResults()) {
      SmallVector<int64_t> shape(GraphBuilder::typeOf(tensor).getShape());
      for (auto [axis, size] : llvm::enumerate(shape))
        if (const Cut *cut = cutOf(tensor, axis))
          size = cut->size;
      made->getResult(0).setType(GraphBuilder::typeOf(tensor).withShape(shape));
    }
  }

  Group &group;
  const std::set<void *> &written; // arrays
  bool open;
  SmallVector<AssembleOp> sinks;
  llvm::EquivalenceClasses<Axis> axes;
  std::set<Axis> whole;
  llvm::MapVector<Axis, Cut> cuts;
  IRMapping pieces;
};

struct CutGridsPass : tilesmith::impl::CutGridsBase<CutGridsPass> {
  using CutGridsBase::CutGridsBase;

  void runOnOperation() override {
    std::set<void *> written;
    getOperation().walk([&](Operation *op) {
      if (MemoryAccess access = accessOf(op); access.writes)
        written.insert(arrayOf(access.memory).getAsOpaquePointer());
    });
    SmallVector<Block *> blocks;
    getOperation().walk([&](Block *block) { blocks.push_back(block); });
    for (Block *block : blocks)
      for (Group &group : groupsOf(*block))
        Cutter(group, written, open).run();
  }

  static SmallVector<Group> groupsOf(Block &block) {
    llvm::EquivalenceClasses<Operation *> connected;
    std::set<Operation *> tied; // to a value of another block
    for (Operation &op : block) {
      if (!isGraph(&op))
        continue;
      connected.insert(&op);
      for (Value operand : op.getOperands())
        if (llvm::isa<WholeTensorType>(operand.getType())) {
          Operation *from = operand.getDefiningOp();
          if (from && from->getBlock() == &block && isGraph(from))
            connected.unionSets(&op, from);
          else
            tied.insert(&op);
        }
      for (Operation *user : op.getUsers())
        if (user->getBlock() != &block || !isGraph(user))
          tied.insert(&op);
    }
    llvm::MapVector<Operation *, Group> groups;
    for (Operation &op : block)
      if (isGraph(&op)) {
        Group &group = groups[connected.getLeaderValue(&op)];
        group.ops.push_back(&op);
        group.staysWhole |= tied.count(&op) || llvm::isa<ScatterRowsOp>(op);
      }
    SmallVector<Group> result;
    for (auto &[leader, group] : groups) {
      group.staysWhole |= !canMove(group);
      result.push_back(std::move(group));
    }
    return result;
  }

  static Value memoryOf(Operation *op) { return accessOf(op).memory; }

  // Whether the group can be done at once, piece by piece: nothing between its first and last operation, and nothing of
  // its own, touches an array in a way that would be in another order then.
  static bool canMove(const Group &group) {
    std::set<Operation *> own(group.ops.begin(), group.ops.end());
    llvm::MapVector<Value, SmallVector<Operation *>> accesses; // of an array
    for (Operation *op : group.ops)
      if (Value memory = memoryOf(op))
        accesses[arrayOf(memory)].push_back(op);
    for (Operation *op = group.ops.front(); op != group.ops.back(); op = op->getNextNode()) {
      if (own.count(op))
        continue;
      bool conflict = false;
      op->walk([&](Operation *inner) {
        auto [memory, writes] = accessOf(inner);
        auto found = memory ? accesses.find(arrayOf(memory)) : accesses.end();
        if (found == accesses.end())
          return;
        conflict |= writes || llvm::any_of(found->second, [](Operation *access) { return accessOf(access).writes; });
      });
      if (conflict)
        return false;
    }
    for (auto &[array, list] : accesses) {
      if (list.size() == 1 || llvm::none_of(list, [](Operation *op) { return accessOf(op).writes; }))
        continue;
      if (llvm::any_of(list, [&](Operation *op) {
            return !llvm::isa<ViewOp, AssembleOp>(op) || memoryOf(op) != memoryOf(list.front());
          }))
        return false;
      // In place: each piece is read and written by the same iteration.
      for (Operation *op : list) {
        auto offsets = [](Operation *access) {
          if (auto view = dyn_cast<ViewOp>(access))
            return SmallVector<Value>(view.getOffsets());
          return SmallVector<Value>(cast<AssembleOp>(access).getOffsets());
        };
        auto shape = [](Operation *access) {
          Value tensor = access->getNumResults() ? Value(access->getResult(0)) : access->getOperand(0);
          return GraphBuilder::typeOf(tensor).getShape();
        };
        if (offsets(op) != offsets(list.front()) || shape(op) != shape(list.front()))
          return false;
      }
      // The same piece only if axes have not changed places on the way.
      if (llvm::any_of(group.ops,
                       [](Operation *op) { return llvm::isa<TransposeOp, MatmulOp, ReshapeOp, ExpandOp>(op); }))
        return false;
    }
    return true;
  }
};
} // namespace
