#include "Accesses.h"

#include "Memories.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "tilesmith/Isa/Chip.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;
using namespace tilesmith::isa;

namespace tilesmith::plan {

//===- Where an address points
//----------------------------------------------------------------------------------------===//

namespace {
struct PlaceFinder {
  SmallVector<Place, 1> places;
  llvm::DenseSet<Value> visited;

  // `offset` is what was added to the value on the way from the use.
  void visit(Value value, std::optional<Linear> offset) {
    if (auto arg = dyn_cast<BlockArgument>(value)) {
      Operation *parent = arg.getOwner()->getParentOp();
      if (llvm::isa<func::FuncOp>(parent))
        return found({value, {}, offset});
      return visitMerge(value, [&] { visitBlockArgument(arg, parent); });
    }
    Operation *op = value.getDefiningOp();
    if (llvm::isa<AllocOp>(op))
      return found({value, {}, offset});
    if (auto slot = dyn_cast<SlotOp>(op))
      return found({slot.getRing(), slot.getIndex(), offset});
    if (auto view = dyn_cast<ViewOp>(op))
      return visit(view.getBase(), offset);
    if (auto move = dyn_cast<OffsetOp>(op)) {
      if (offset)
        offset->add(linearOf(move.getBytes()));
      return visit(move.getBase(), offset);
    }
    visitMerge(value, [&] { visitResult(cast<OpResult>(value), op); });
  }

  // Values that join several addresses: the offset on the way is forgotten, each value is visited once.
  void visitMerge(Value value, llvm::function_ref<void()> sources) {
    if (visited.insert(value).second)
      sources();
  }

  void visitBlockArgument(BlockArgument arg, Operation *parent) {
    if (auto loop = dyn_cast<scf::ForOp>(parent)) {
      unsigned i = arg.getArgNumber() - 1;
      visit(loop.getInitArgs()[i], std::nullopt);
      visit(loop.getYieldedValues()[i], std::nullopt);
    } else if (auto loop = dyn_cast<scf::WhileOp>(parent)) {
      if (arg.getOwner() == loop.getBeforeBody()) {
        visit(loop.getInits()[arg.getArgNumber()], std::nullopt);
        visit(loop.getYieldOp().getOperand(arg.getArgNumber()), std::nullopt);
      } else {
        visit(loop.getConditionOp().getArgs()[arg.getArgNumber()], std::nullopt);
      }
    } else {
      found({{}, {}, std::nullopt});
    }
  }

  void visitResult(OpResult result, Operation *op) {
    if (auto select = dyn_cast<arith::SelectOp>(op)) {
      visit(select.getTrueValue(), std::nullopt);
      visit(select.getFalseValue(), std::nullopt);
    } else if (auto branch = dyn_cast<scf::IfOp>(op)) {
      visit(branch.thenYield().getOperand(result.getResultNumber()), std::nullopt);
      visit(branch.elseYield().getOperand(result.getResultNumber()), std::nullopt);
    } else if (auto loop = dyn_cast<scf::ForOp>(op)) {
      visit(loop.getInitArgs()[result.getResultNumber()], std::nullopt);
      visit(loop.getYieldedValues()[result.getResultNumber()], std::nullopt);
    } else if (auto loop = dyn_cast<scf::WhileOp>(op)) {
      visit(loop.getConditionOp().getArgs()[result.getResultNumber()], std::nullopt);
    } else {
      found({{}, {}, std::nullopt});
    }
  }

  void found(Place place) { places.push_back(std::move(place)); }
};
} // namespace

SmallVector<Place, 1> placesOf(Value buffer) {
  PlaceFinder finder;
  finder.visit(buffer, Linear());
  return std::move(finder.places);
}

//===- How far an operand reaches
//-------------------------------------------------------------------------------------===//

static int64_t elementBytes(Value buffer) {
  std::optional<DType> dtype = getDType(cast<BufferType>(buffer.getType()).getElementType());
  return dtype ? std::max<int64_t>(1, sizeOf(*dtype)) : 8;
}

namespace {
// The operands of an instruction by their names in the table.
struct Operands {
  explicit Operands(InstructionOpInterface op) : info(op.getInfo()), op(op) {}

  Value operator[](std::string_view name) const {
    unsigned next = 0;
    for (unsigned i = 0; i < info.numOperands; ++i) {
      if (info.operands[i].kind == OperandKind::Attribute)
        continue;
      if (info.operands[i].name == name)
        return op->getOperand(next);
      ++next;
    }
    return {};
  }
  std::optional<int64_t> bound(std::string_view name) const {
    Value value = (*this)[name];
    return value ? upperBoundOf(value) : std::nullopt;
  }

  const InstructionInfo &info;
  Operation *op;
};
} // namespace

// `count` pieces of `length` bytes, `stride` bytes from start to start.
static std::optional<int64_t> strided(std::optional<int64_t> count, std::optional<int64_t> stride, int64_t length) {
  if (count && *count <= 1)
    return length;
  if (!count || !stride)
    return std::nullopt;
  return (*count - 1) * *stride + length;
}

static std::optional<int64_t> plus(std::optional<int64_t> a, std::optional<int64_t> b) {
  return a && b ? std::optional(*a + *b) : std::nullopt;
}
static std::optional<int64_t> times(std::optional<int64_t> a, int64_t b) {
  return a ? std::optional(*a * b) : std::nullopt;
}

static bool isPackedBits(const InstructionInfo &info, std::string_view name) {
  return ((info.family == Family::Compare || info.family == Family::CompareScalar) && name == "dst") ||
         (info.family == Family::Select && name == "mask");
}

static std::optional<int64_t> countReach(const Operands &operands, std::string_view name) {
  std::optional<int64_t> count = operands.bound("count");
  if (!count)
    return std::nullopt;
  if (isPackedBits(operands.info, name))
    return alignUp((*count + 7) / 8, blockBytes);
  int64_t bytes = *count * elementBytes(operands[name]);
  return operands.info.family == Family::Copy ? alignUp(bytes, blockBytes) : bytes;
}

static std::optional<int64_t> repeatReach(const Operands &operands, std::string_view name) {
  const InstructionInfo &info = operands.info;
  std::optional<int64_t> repeat = operands.bound("repeat");
  if (isPackedBits(info, name)) // at most one bit for each byte of a repeat
    return times(repeat, repeatBytes / 8);
  if (info.family == Family::WholeReduce && name == "dst")
    return strided(repeat, times(operands.bound("dstRep"), elementBytes(operands[name])), elementBytes(operands[name]));
  if (info.family == Family::Brcb && name == "src")
    return times(repeat, 8 * elementBytes(operands[name]));
  std::string prefix(name);
  std::optional<int64_t> blocks = operands.bound(prefix + "Blk"), repeats = operands.bound(prefix + "Rep");
  if (!blocks)
    return std::nullopt;
  return strided(repeat, times(repeats, blockBytes), 7 * *blocks * blockBytes + blockBytes);
}

static std::optional<int64_t> moveReach(const Operands &operands, std::string_view name) {
  std::optional<int64_t> count = operands.bound("blockCount"), length = operands.bound("blockLen");
  if (!length)
    return std::nullopt;
  bool in = operands.info.family == Family::MoveIn, isGm = (name == "src") == in;
  std::optional<int64_t> gap = operands.bound(in == isGm ? "srcStride" : "dstStride");
  int64_t bytes = *length;
  if (!isGm) {
    if (in) // pads of at most 32 bytes on either side
      bytes += constantOf(operands["leftPad"]) == 0 && constantOf(operands["rightPad"]) == 0 ? 0 : 2 * blockBytes;
    bytes = alignUp(bytes, blockBytes);
    gap = times(gap, blockBytes);
  }
  return strided(count, plus(bytes, gap), bytes);
}

static std::optional<int64_t> reachOf(const Operands &operands, std::string_view name) {
  const InstructionInfo &info = operands.info;
  int64_t element = elementBytes(operands[name]);
  switch (info.family) {
  case Family::MoveIn:
  case Family::MoveOut:
    return moveReach(operands, name);
  case Family::MoveNz:
    if (name != "src" || operands.bound("ndNum") != 1 || !operands.bound("dValue"))
      return std::nullopt;
    return strided(operands.bound("nValue"), times(operands.bound("srcDValue"), element),
                   *operands.bound("dValue") * element);
  case Family::Fixpipe:
    if (info.opcode != Opcode::FixpipeToGm || name != "dst" || !operands.bound("nSize"))
      return std::nullopt;
    return strided(operands.bound("mSize"), times(operands.bound("dstStride"), element),
                   *operands.bound("nSize") * element);
  case Family::ScalarAccess:
    return element;
  default:
    if (info.form == Form::Count)
      return countReach(operands, name);
    if (info.form == Form::Repeat)
      return repeatReach(operands, name);
    return std::nullopt;
  }
}

// The rows of a move between GM and the core.
static std::optional<Rows> rowsOf(const Operands &operands, std::string_view name) {
  if (cast<BufferType>(operands[name].getType()).getMemory() != Memory::GM)
    return std::nullopt;
  auto form = [&](std::string_view operand, int64_t factor) {
    Linear scaled;
    scaled.add(linearOf(operands[operand]), factor);
    return scaled;
  };
  int64_t element = elementBytes(operands[name]);
  std::optional<int64_t> count;
  Rows rows;
  switch (operands.info.family) {
  case Family::MoveIn:
  case Family::MoveOut:
    count = operands.bound("blockCount");
    rows.length = rows.pitch = form("blockLen", 1);
    rows.pitch.add(form(operands.info.family == Family::MoveIn ? "srcStride" : "dstStride", 1));
    break;
  case Family::MoveNz:
    count = operands.bound("ndNum") == 1 ? operands.bound("nValue") : std::nullopt;
    rows.length = form("dValue", element);
    rows.pitch = form("srcDValue", element);
    break;
  case Family::Fixpipe:
    count = operands.bound("mSize");
    rows.length = form("nSize", element);
    rows.pitch = form("dstStride", element);
    break;
  default:
    break;
  }
  if (!count)
    return std::nullopt;
  rows.count = *count;
  return rows;
}

//===- Accesses of an op
//----------------------------------------------------------------------------------------------===//

static void vfAccesses(VfOp vf, SmallVectorImpl<OperandAccess> &accesses) {
  int64_t rows = vf.getRows(), cols = vf.getCols();
  auto touch = [&](Value inside, VfWalk walk, int64_t pitch, bool write) {
    Value buffer = vf.getArgs()[cast<BlockArgument>(inside).getArgNumber()];
    int64_t element = elementBytes(buffer), size = element;
    if (walk == VfWalk::Full)
      size = (rows - 1) * std::max(pitch, cols * element) + cols * element;
    else if (walk == VfWalk::Row)
      size = cols * element;
    else if (walk == VfWalk::Element)
      size = rows * element;
    else if (walk == VfWalk::Bits)
      size = (rows * cols + 7) / 8;
    accesses.push_back({buffer, size, write, {}});
  };
  for (Operation &op : vf.getBody().front()) {
    if (auto load = dyn_cast<VfLoadOp>(op))
      touch(load.getBuffer(), load.getWalk(), load.getPitch(), false);
    else if (auto store = dyn_cast<VfStoreOp>(op))
      touch(store.getBuffer(), store.getWalk(), store.getPitch(), true);
    else if (auto reduce = dyn_cast<VfReduceOp>(op))
      touch(reduce.getBuffer(), reduce.getWalk(), 0, true);
  }
}

std::optional<Pipe> pipeOf(Operation *op) {
  if (llvm::isa<VfOp>(op))
    return Pipe::V;
  if (auto instruction = dyn_cast<InstructionOpInterface>(op))
    return instruction.getInfo().pipe;
  return std::nullopt;
}

SmallVector<OperandAccess, 4> operandAccessesOf(Operation *op) {
  SmallVector<OperandAccess, 4> accesses;
  if (auto vf = dyn_cast<VfOp>(op)) {
    vfAccesses(vf, accesses);
    return accesses;
  }
  auto instruction = dyn_cast<InstructionOpInterface>(op);
  if (!instruction)
    return accesses;
  Operands operands(instruction);
  for (unsigned i = 0; i < operands.info.numOperands; ++i) {
    const OperandInfo &operand = operands.info.operands[i];
    if (operand.kind != OperandKind::Buffer)
      continue;
    std::optional<int64_t> size = reachOf(operands, operand.name);
    std::optional<Rows> rows = rowsOf(operands, operand.name);
    if (unsigned(operand.access) & unsigned(isa::Access::Read))
      accesses.push_back({operands[operand.name], size, false, rows});
    if (unsigned(operand.access) & unsigned(isa::Access::Write))
      accesses.push_back({operands[operand.name], size, true, rows});
  }
  return accesses;
}

SmallVector<Access, 4> accessesOf(Operation *op) {
  SmallVector<Access, 4> accesses;
  for (const OperandAccess &operand : operandAccessesOf(op))
    for (Place &place : placesOf(operand.buffer))
      accesses.push_back({cast<BufferType>(operand.buffer.getType()).getMemory(), std::move(place), operand.size,
                          operand.write, operand.rows});
  return accesses;
}

} // namespace tilesmith::plan
