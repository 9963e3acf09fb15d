#include "RowGroup.h"
#include "Arrays.h"
#include "DirectChannels.h"
#include "mlir/IR/Matchers.h"
#include "tilesmith/Dialect/Asc/SyncAll.h"

using namespace mlir;
using namespace tilesmith;

static constexpr int64_t blockBytes = 32; // of UB, where instructions begin

static bool isTile(Value value) { return llvm::isa<tile::TileType>(value.getType()); }
static tile::TileType typeOf(Value tile) { return cast<tile::TileType>(tile.getType()); }
static int64_t bytesOf(tile::TileType type) {
  return (type.getNumElements() * type.getElementType().getIntOrFloatBitWidth() + 7) / 8;
}
static int64_t bytesOf(Value tile) { return bytesOf(typeOf(tile)); }

// Whether the tensor is a channel.
static bool isChannel(Value tensor) {
  auto argument = dyn_cast<BlockArgument>(arrayOf(tensor));
  auto half = argument ? dyn_cast<func::FuncOp>(argument.getOwner()->getParentOp()) : func::FuncOp();
  return half && half.getArgAttr(argument.getArgNumber(), isa::channelAttrName);
}
bool tilesmith::isReceived(tile::LoadOp load) { return isChannel(load.getTensor()); }
static bool isSent(Operation *op) {
  auto store = dyn_cast<tile::StoreOp>(op);
  return store && isChannel(store.getTensor());
}
static bool talksInside(Operation *op) {
  return op->getNumRegions() && op->walk([](Operation *inner) {
                                    return llvm::isa<isa::CrossCoreSetOp, isa::CrossCoreWaitOp>(inner)
                                               ? WalkResult::interrupt()
                                               : WalkResult::advance();
                                  }).wasInterrupted();
}

namespace {
// The flags between the cores on the way from one operation to another. Where operations come together, they are waited
// for before all of them and set behind all: no tile may have to wait for a slot that another one of these gives back.
// Tiles of channels that share their flags may.
class FlagsOnTheWay {
public:
  // Whether the operation waits for what an earlier set leads to.
  bool waitsForAnswer(Operation *op) {
    if (llvm::isa<isa::CrossCoreSetOp>(op))
      asked.insert(channelOf(op));
    return llvm::isa<isa::CrossCoreWaitOp>(op) && asked.contains(channelOf(op));
  }

private:
  static int64_t channelOf(Operation *op) { // flags are pairs: full and empty
    APInt flag;
    return matchPattern(op->getOperand(1), m_ConstantInt(&flag)) ? flag.getSExtValue() / 2 : -1;
  }
  llvm::SmallDenseSet<int64_t> asked;
};
} // namespace

// Whether a row has more than one element.
static bool isWide(Value tile, int64_t axis) {
  return axis != Axes::whole && typeOf(tile).getNumElements() > typeOf(tile).getShape()[axis];
}
static bool touchesWide(Operation *op, const Axes &axes) {
  return llvm::any_of(llvm::concat<Value>(llvm::to_vector(op->getOperands()), llvm::to_vector(op->getResults())),
                      [&](Value value) { return isTile(value) && isWide(value, axes.of(value)); });
}

RowGroup::RowGroup(tile::LoadOp load, const Axes &axes, int64_t parts) : load(load), parts(parts) {
  if (axes.of(load.getResult()) == Axes::whole)
    return;
  llvm::SetVector<Operation *> reached = reach(axes);
  for (Operation *op : llvm::reverse(reached)) // what lies between operations on wide tiles belongs to them
    if (touchesWide(op, axes) || llvm::any_of(op->getUsers(), [&](Operation *user) { return ops.contains(user); }))
      ops.insert(op);
  takeOperands(axes);
  auto inOrder = ops.takeVector();
  llvm::sort(inOrder, [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  ops.insert(inOrder.begin(), inOrder.end());
  for (Operation *op : ops)
    for (Value value : llvm::concat<Value>(llvm::to_vector(op->getOperands()), llvm::to_vector(op->getResults())))
      if (isTile(value) && axes.of(value) != Axes::whole)
        axisOf[value] = axes.of(value);
  possible = ops.size() > 1 && isApart() && borderIsOfRows();
}

bool RowGroup::sharesWith(const RowGroup &other) const {
  return llvm::any_of(ops, [&](Operation *op) { return other.contains(op); });
}

//===- Bytes
//----------------------------------------------------------------------------------------------------------===//

// Repeated rows are not there as such: instructions repeat on the way.
static bool hasNoBytes(Operation *op) { return llvm::isa<tile::BroadcastOp, tile::ReshapeOp>(op); }

// Whether values between element-wise operations stay in registers (the 950).
static bool computesInRegisters(tile::LoadOp load) {
  auto arch = load->getParentOfType<func::FuncOp>()->getAttrOfType<StringAttr>(isa::archAttrName);
  return arch && arch.getValue() == StringRef(isa::stringify(isa::Arch::C310));
}

// Whether the result lies where an operand was. Loaded tiles keep their bytes, so that the next ones can come; a vector
// function never writes what it reads.
bool RowGroup::takesPlace(Operation *op, const llvm::DenseMap<Value, Operation *> &last) const {
  if (hasNoBytes(op))
    return true;
  if (computesInRegisters(load))
    return false;
  return llvm::any_of(op->getOperands(), [&](Value operand) {
    Operation *made = operand.getDefiningOp();
    return op->getNumResults() && isInside(operand) && last.lookup(operand) == op && !llvm::isa<tile::LoadOp>(made) &&
           !hasNoBytes(made) && bytesOf(operand) == bytesOf(op->getResult(0));
  });
}

// Bytes of a tile that is made for it: what lies in a slot of a channel has its own.
static int64_t ownBytes(Value tile) {
  auto load = tile.getDefiningOp<tile::LoadOp>();
  return load && isDirect(load) ? 0 : bytesOf(tile);
}

// Tiles that only exist in registers. Operations become vector functions one after the other; a new one
// begins where values of rows are needed, which are complete only at the end of a row.
llvm::DenseSet<Value> RowGroup::inRegisters() const {
  llvm::DenseSet<Value> values;
  if (!computesInRegisters(load))
    return values;
  llvm::DenseMap<Operation *, int64_t> function;
  for (Operation *op : ops)
    for (Value operand : op->getOperands()) {
      Operation *made = operand.getDefiningOp();
      if (!made || !ops.contains(made))
        continue;
      bool isApart =
          llvm::isa<tile::ReduceOp>(made) || (llvm::isa<tile::BroadcastOp>(op) && !llvm::isa<tile::SplatOp>(made));
      function[op] = std::max(function[op], function.lookup(made) + isApart);
    }
  auto isFused = [](Operation *op) {
    return llvm::isa<tile::UnaryOp, tile::BinaryOp, tile::CompareOp, tile::SelectOp, tile::CastOp, tile::ReduceOp>(op);
  };
  for (Operation *op : ops)
    if (isFused(op) && !llvm::isa<tile::ReduceOp>(op) && llvm::all_of(op->getUsers(), [&](Operation *user) {
          return ops.contains(user) && isFused(user) && function.lookup(user) == function.lookup(op);
        }))
      values.insert(op->getResult(0));
  return values;
}

int64_t RowGroup::live() const {
  int64_t most = 0, now = 0;
  llvm::DenseSet<Value> fused = inRegisters();
  llvm::DenseMap<Value, Operation *> last;
  for (Operation *op : ops)
    for (Value operand : op->getOperands())
      if (isInside(operand))
        last[operand] = op;
  for (Operation *op : ops) {
    for (Value result : op->getResults())
      now += isInside(result) && !fused.contains(result) && !takesPlace(op, last) ? ownBytes(result) / parts : 0;
    most = std::max(most, now);
    for (auto [tile, reader] : last)
      if (reader == op && !fused.contains(tile) && !hasNoBytes(tile.getDefiningOp()) && !takesPlace(op, last))
        now -= ownBytes(tile) / parts;
  }
  return most;
}

int64_t RowGroup::rings() const {
  int64_t bytes = 0;
  for (Operation *op : ops)
    if (llvm::isa<tile::LoadOp>(op))
      bytes += ownBytes(op->getResult(0)) / parts;
    else if (llvm::isa<tile::StoreOp, tile::AtomicOp>(op))
      bytes += bytesOf(op->getOperand(0)) / parts;
  return bytes;
}

int64_t RowGroup::kept() const {
  int64_t bytes = 0;
  Border border = borderOf();
  for (Value tile : border.leaving)
    bytes += border.place.contains(tile) ? 0 : bytesOf(tile);
  return bytes;
}

//===- What belongs to it
//---------------------------------------------------------------------------------------------===//

// What the tile's rows go to, as long as nobody waits for an answer to what was sent of them.
llvm::SetVector<Operation *> RowGroup::reach(const Axes &axes) const {
  llvm::SetVector<Operation *> reached;
  reached.insert(load);
  bool sent = false;
  FlagsOnTheWay flags;
  for (Operation *op = load->getNextNode(); op; op = op->getNextNode()) {
    if (flags.waitsForAnswer(op) ||
        (sent && (talksInside(op) || (llvm::isa<tile::LoadOp>(op) && isReceived(cast<tile::LoadOp>(op))))))
      break;
    bool reads = llvm::any_of(op->getOperands(), [&](Value operand) {
      return operand.getDefiningOp() && reached.contains(operand.getDefiningOp()) && isTile(operand) &&
             axes.of(operand) != Axes::whole;
    });
    if (!reads || op->getNumRegions() || op->hasTrait<OpTrait::IsTerminator>())
      continue;
    reached.insert(op);
    sent |= isSent(op);
  }
  return reached;
}

// Wide tiles that only these operations read are made in parts, too.
void RowGroup::takeOperands(const Axes &axes) {
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t i = 0; i < ops.size(); ++i)
      for (Value operand : ops[i]->getOperands()) {
        Operation *op = operand.getDefiningOp();
        if (!op || !isTile(operand) || ops.contains(op) || op->getBlock() != load->getBlock() || op->getNumRegions() ||
            op->getNumResults() != 1 || !isWide(operand, axes.of(operand)))
          continue;
        bool movable = llvm::isa<tile::LoadOp>(op) || isMemoryEffectFree(op);
        if (movable && llvm::all_of(op->getUsers(), [&](Operation *user) { return ops.contains(user); }))
          changed |= ops.insert(op);
      }
  }
}

bool RowGroup::isInside(Value value) const {
  return value.getDefiningOp() && ops.contains(value.getDefiningOp()) && axisOf.contains(value);
}

// Operations between those of the group that read what it makes, in order.
SmallVector<Operation *> RowGroup::behind() const {
  SmallVector<Operation *> later;
  for (Operation *op = ops.front(); op != ops.back(); op = op->getNextNode())
    if (!ops.contains(op) && llvm::any_of(op->getOperands(), [&](Value operand) {
          Operation *made = operand.getDefiningOp();
          return made && (ops.contains(made) || llvm::is_contained(later, made));
        }))
      later.push_back(op);
  return later;
}

// Whether the operations may be done later, behind what stands between them.
bool RowGroup::isApart() const {
  for (Operation *op : behind())
    if (!isMemoryEffectFree(op) || op->getNumRegions())
      return false;
  FlagsOnTheWay flags;
  for (Operation *op = ops.front(); op != ops.back(); op = op->getNextNode()) {
    if (ops.contains(op))
      continue;
    bool touches = talksInside(op) || flags.waitsForAnswer(op);
    op->walk([&](Operation *inner) {
      Value tensor = tensorOf(inner);
      touches |= llvm::isa<tile::PrintOp>(inner) || asc::isSyncAll(inner) || (tensor && writesTensor(inner));
      touches |= tensor && llvm::any_of(ops, [&](Operation *own) {
                   Value written = tensorOf(own);
                   return written && writesTensor(own) && arrayOf(written) == arrayOf(tensor);
                 });
    });
    if (touches)
      return false;
  }
  return true;
}

//===- What enters and leaves
//-----------------------------------------------------------------------------------------===//

RowGroup::Border RowGroup::borderOf() const {
  Border border;
  for (Operation *op : ops) {
    for (Value operand : op->getOperands())
      if (axisOf.contains(operand) && !isInside(operand))
        border.entering.insert(operand);
    for (Value result : op->getResults())
      if (llvm::any_of(result.getUsers(), [&](Operation *user) { return !ops.contains(user); }))
        border.leaving.insert(result);
  }
  // A tile that ends here leaves its place to one that is made.
  for (Value made : border.leaving)
    for (Value old : border.entering)
      if (old.getType() == made.getType() && old.getParentBlock() == load->getBlock() &&
          llvm::all_of(old.getUsers(), [&](Operation *user) { return ops.contains(user); }) &&
          llvm::none_of(border.place, [&](auto &taken) { return taken.second == old; })) {
        border.place[made] = old;
        break;
      }
  return border;
}

// Whether parts of what comes from outside, or goes there, are neighbouring rows that start and end with blocks.
bool RowGroup::borderIsOfRows() const {
  Border border = borderOf();
  auto isOfRows = [&](Value tile) {
    auto axis = axisOf.find(tile);
    ArrayRef<int64_t> shape = typeOf(tile).getShape();
    return axis != axisOf.end() && !typeOf(tile).getElementType().isInteger(1) &&
           llvm::all_of(shape.take_front(axis->second), [](int64_t dim) { return dim == 1; }) &&
           bytesOf(tile) / parts % blockBytes == 0;
  };
  return llvm::all_of(border.entering, isOfRows) && llvm::all_of(border.leaving, isOfRows);
}

// What goes behind the operations when they come together. Flags that say what is behind them is over go, too.
SmallVector<Operation *> RowGroup::movingBehind() const {
  SmallVector<Operation *> later = behind();
  for (Operation *op = ops.front(); op != ops.back(); op = op->getNextNode())
    if (llvm::isa<isa::CrossCoreSetOp>(op))
      later.push_back(op);
  llvm::sort(later, [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  return later;
}

void RowGroup::gather() {
  if (!computesInRegisters(load))
    return;
  SmallVector<Operation *> later = movingBehind();
  Operation *last = ops.back();
  for (Operation *op : ops)
    if (op != last)
      op->moveBefore(last);
  for (Operation *op : later) {
    op->moveAfter(last);
    last = op;
  }
}

void RowGroup::rewrite(ArrayRef<std::unique_ptr<RowGroup>> groups) {
  Operation *first = ops.front(), *last = ops.back();
  Border border = borderOf();
  SmallVector<Operation *> later = movingBehind();
  OpBuilder b(last);
  Location loc = first->getLoc();
  auto number = [&](int64_t value) -> Value { return arith::ConstantOp::create(b, loc, b.getI32IntegerAttr(value)); };
  SmallVector<Value> inits;
  for (Value made : border.leaving) {
    Value init = border.place.lookup(made);
    Type element = typeOf(made).getElementType();
    inits.push_back(
        init ? init
             : tile::SplatOp::create(b, loc, made.getType(),
                                     arith::ConstantOp::create(b, loc, cast<TypedAttr>(b.getZeroAttr(element))))
                   .getResult());
  }
  Value zero = number(0);
  auto loop = scf::ForOp::create(b, loc, zero, number(parts), number(1), inits);
  Operation *behindLoop = loop;
  for (Operation *op : later) {
    op->moveAfter(behindLoop);
    behindLoop = op;
  }
  // The body: parts of what enters, the operations, and what leaves put into its place.
  Block *body = loop.getBody();
  if (inits.empty())
    body->getTerminator()->erase();
  b.setInsertionPointToEnd(body);
  auto rowOf = [&](int64_t rows) -> Value {
    Value count = arith::ConstantOp::create(b, loc, b.getI32IntegerAttr(rows / parts));
    return arith::MulIOp::create(b, loc, loop.getInductionVar(), count);
  };
  auto partOf = [&](Value tile) {
    SmallVector<int64_t> shape(typeOf(tile).getShape());
    shape[axisOf.lookup(tile)] /= parts;
    return typeOf(tile).withShape(shape);
  };
  SmallVector<Value> rows; // where parts of what leaves begin
  for (Value made : border.leaving)
    rows.push_back(rowOf(typeOf(made).getShape()[axisOf.lookup(made)]));
  llvm::DenseMap<Value, Value> slices;
  for (Value tile : border.entering) {
    Value from = tile;
    for (auto [made, argument] : llvm::zip(border.leaving, loop.getRegionIterArgs()))
      if (border.place.lookup(made) == tile)
        from = argument;
    SmallVector<Value> offsets(typeOf(tile).getRank(), zero);
    int64_t axis = axisOf.lookup(tile);
    offsets[axis] = rowOf(typeOf(tile).getShape()[axis]);
    slices[tile] = tile::CopyOp::create(b, tile.getLoc(), partOf(tile), from, offsets);
  }
  for (Operation *op : ops)
    op->moveBefore(body, body->end());
  for (auto [index, each] : llvm::enumerate(border.leaving)) {
    Value made = each;
    made.replaceUsesWithIf(loop.getResult(index), [&](OpOperand &use) { return !ops.contains(use.getOwner()); });
    for (const std::unique_ptr<RowGroup> &other : groups)
      if (auto axis = other->axisOf.find(made); axis != other->axisOf.end())
        other->axisOf[loop.getResult(index)] = axis->second;
  }
  auto moveOn = [&](Operation *op, MutableOperandRange offsets, Value tile) {
    b.setInsertionPoint(op);
    if (auto axis = axisOf.find(tile); axis != axisOf.end()) {
      Value further = rowOf(typeOf(tile).getShape()[axis->second]);
      offsets[axis->second].set(arith::AddIOp::create(b, op->getLoc(), offsets[axis->second].get(), further));
    }
  };
  for (Operation *op : ops) {
    if (auto load = dyn_cast<tile::LoadOp>(op))
      moveOn(op, load.getOffsetsMutable(), load.getResult());
    else if (auto store = dyn_cast<tile::StoreOp>(op))
      moveOn(op, store.getOffsetsMutable(), store.getValue());
    else if (auto atomic = dyn_cast<tile::AtomicOp>(op))
      moveOn(op, atomic.getOffsetsMutable(), atomic.getValue());
    for (OpOperand &operand : op->getOpOperands())
      if (Value slice = slices.lookup(operand.get()))
        operand.set(slice);
  }
  SmallVector<tile::TileType> whole;
  for (Value made : border.leaving)
    whole.push_back(typeOf(made));
  for (Operation *op : ops)
    for (Value result : op->getResults())
      if (axisOf.contains(result))
        result.setType(partOf(result));
  b.setInsertionPointToEnd(body);
  SmallVector<Value> yielded;
  for (auto [index, made] : llvm::enumerate(border.leaving))
    yielded.push_back(
        tile::InsertOp::create(b, loc, whole[index], made, loop.getRegionIterArg(index), rows[index]).getResult());
  scf::YieldOp::create(b, loc, yielded);
}
