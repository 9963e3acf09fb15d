#include "Accesses.h"
#include "tilesmith/Dialect/Asc/Asc.h"

#include "Bound.h"
#include "Memories.h"
#include "tilesmith/Isa/Chip.h"
#include "tilesmith/Isa/Layouts.h"

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

// Where the operands of an op stand among its record's: attributes are not operands of the op.
SmallVector<Value> valuesOf(InstructionOpInterface op) {
  SmallVector<Value> values;
  unsigned next = 0;
  for (const OperandInfo &operand : ArrayRef(op.getInfo().operands, op.getInfo().numOperands))
    values.push_back(operand.kind == OperandKind::Attribute ? Value() : op->getOperand(next++));
  return values;
}

// The layouts of an instruction's record (Isa/Layouts.h) over bounds of its operands: how far each buffer is touched,
// and which rows of GM. What the IR does not say is bounded by the record's limits.
class Reaches {
public:
  using Value = Bound;
  using Level = std::pair<Bound, Bound>; // count, stride

  struct Reach {
    std::optional<int64_t> size = 0;
    std::optional<Rows> rows;
    std::optional<Repeats> repeats; // of its only layout
    bool touched = false, repeated = false;
  };

  explicit Reaches(InstructionOpInterface op)
      : op(op), info(op.getInfo()), values(valuesOf(op)), limits(info.numOperands), reaches(info.numOperands) {
    for (const mlir::Value &value : values)
      movesGlobal |= value && isGlobal(value);
    visitLimits(info.opcode, *this);
    visitLayouts(info.opcode, *this);
  }

  mlir::Value value(unsigned operand) const { return values[operand]; }
  const Reach &of(unsigned operand) const { return reaches[operand]; }

  Bound arg(unsigned operand) const {
    if (!values[operand])
      return Bound(abiValueOf(op->getAttr(StringRef(info.operands[operand].name))));
    Bound bound = Bound::of(values[operand], movesGlobal);
    if (limits[operand] && (!bound.most || *bound.most > *limits[operand]))
      bound.most = limits[operand];
    return bound;
  }
  Bound size() const { return bytesOf(info.dtypeOperand); }
  Bound size2() const { return bytesOf(info.dtype2Operand); }
  Bound perElement() const { return Bound(1); } // tiles hold no values of four bits
  Bound c310() const {
    auto kernel = op->getParentOfType<func::FuncOp>();
    auto arch = kernel ? kernel->getAttrOfType<StringAttr>(archAttrName) : StringAttr();
    return arch ? Bound(arch.getValue() == "C310") : Bound::truth();
  }
  Bound perRepeat() const { return Bound(repeatBytes) / (info.dtype2Operand >= 0 ? max(size(), size2()) : size()); }
  Bound span(const Bound &) const { return perRepeat(); }
  Bound kept(const Bound &, const Bound &count) const { return count; }
  bool may(const Bound &condition) const { return condition.exact != 0; }

  void between(unsigned operand, const Bound &, const Bound &high) { limits[operand] = high.most; }
  void mask(unsigned operand, const Bound &lanes) { limits[operand] = lanes.most; }
  void multiple(unsigned, const Bound &) {}

  void run(isa::Access, unsigned operand, const Bound &offset, const Bound &length,
           std::initializer_list<Level> levels) {
    Bound reach = offset + length;
    for (const auto &[count, stride] : levels)
      reach = reach + again(count, stride);
    std::optional<Rows> rows;
    bool single = levels.size() > 0;
    for (const Level &level : llvm::drop_begin(levels, single))
      single &= level.first.most == 1;
    if (single && levels.begin()->first.most && length.form && levels.begin()->second.form)
      rows = Rows{*levels.begin()->first.most, *levels.begin()->second.form, *length.form};
    touch(operand, reach, rows);
  }
  // Whole blocks, whatever the mask: eight of them in every repeat.
  void lanes(isa::Access, unsigned operand, const Bound &, const Bound &, const Bound &repeat, const Bound &blk,
             const Bound &rep) {
    Bound block(blockBytes), reach = again(Bound(blocksPerRepeat), blk * block) + block;
    touch(operand, reach + again(repeat, rep * block));
    if (reach.exact && rep.exact && !reaches[operand].repeated)
      reaches[operand].repeats = Repeats{*rep.exact * blockBytes, *reach.exact};
    else
      reaches[operand].repeats = std::nullopt;
    reaches[operand].repeated = true;
  }
  void nz(isa::Access, unsigned operand, const Bound &rows, const Bound &rowBytes, const Bound &width,
          const Bound &pitch, const Level &outer) {
    touch(operand, again(ceil(rowBytes, width), pitch) + rows * width + again(outer.first, outer.second));
  }
  void zz(isa::Access, unsigned operand, const Bound &rows, const Bound &rowBytes) {
    touch(operand, ceil(rows, Bound(fractalRows)) * ceil(rowBytes, Bound(blockBytes)) * Bound(fractalBytes));
  }
  void results(isa::Access, unsigned operand, const Bound &, const Bound &repeat, const Bound &, const Bound &groups,
               const Bound &rep) {
    touch(operand, groups * size() + again(repeat, rep * groups * size()));
  }
  void packed(auto...) {} // the addresses are numbers: not a buffer

private:
  // What repeating something `count` times, `stride` bytes apart, adds to its length.
  static Bound again(const Bound &count, const Bound &stride) {
    return count.most && *count.most <= 1 ? Bound(0) : (count - Bound(1)) * stride;
  }

  // Several shapes of an operand: as far as the furthest, and no rows.
  void touch(unsigned operand, const Bound &reach, std::optional<Rows> rows = {}) {
    Reach &known = reaches[operand];
    known.rows = known.touched || !isGlobal(values[operand]) ? std::nullopt : rows;
    known.size = known.size && reach.most && isPlannedInPieces(operand)
                     ? std::optional(std::max(*known.size, *reach.most))
                     : std::nullopt;
    known.touched = true;
  }

  // Tiles of the matrix unit's own memories are read as wholes: an access counts as the whole buffer. Those of L0A and
  // L0B are written by several moves.
  bool isPlannedInPieces(unsigned operand) const {
    return info.operands[operand].memories &
           (memoryBit(Memory::GM) | memoryBit(Memory::UB) | memoryBit(Memory::L0A) | memoryBit(Memory::L0B));
  }
  static bool isGlobal(mlir::Value value) {
    auto buffer = dyn_cast<BufferType>(value.getType());
    return buffer && buffer.getMemory() == Memory::GM;
  }
  Bound bytesOf(int8_t carrier) const { return Bound(carrier < 0 ? 1 : elementBytes(values[carrier])); }

  InstructionOpInterface op;
  const InstructionInfo &info;
  SmallVector<mlir::Value> values;
  SmallVector<std::optional<int64_t>> limits;
  SmallVector<Reach> reaches;
  bool movesGlobal = false; // rows are of interest
};

} // namespace

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
    else if (walk == VfWalk::Group)
      size = cols / pitch * element;
    accesses.push_back({buffer, size, write, {}});
  };
  for (Operation &op : vf.getBody().front()) {
    if (auto load = dyn_cast<VfLoadOp>(op))
      touch(load.getBuffer(), load.getWalk(), load.getPitch(), false);
    else if (auto store = dyn_cast<VfStoreOp>(op))
      touch(store.getBuffer(), store.getWalk(), store.getPitch(), true);
    else if (auto reduce = dyn_cast<VfReduceOp>(op))
      touch(reduce.getBuffer(), reduce.getWalk(), reduce.getWidth(), true);
  }
}

// Calls of Ascend C that are several vector instructions (Isa/Services.td, Compositions and Library): what they do with
// each tensor is not known here, so they read and write all of it.
static bool isVectorComposition(Operation *op) {
  auto call = dyn_cast<asc::CallOp>(op);
  return call && (call.getEntry().starts_with("library_") || call.getEntry() == "sort" || call.getEntry() == "extract");
}
// The buffer an address is of, or lies in.
static Value bufferOf(Value address) {
  for (Operation *op = address.getDefiningOp(); op; op = address.getDefiningOp()) {
    if (auto of = dyn_cast<asc::AddressOp>(op))
      return of.getBuffer();
    if (!llvm::isa<arith::AddIOp>(op))
      return {};
    Value other = op->getOperand(1);
    address = other.getDefiningOp<asc::AddressOp>() ? other : op->getOperand(0);
  }
  return {};
}

std::optional<Pipe> pipeOf(Operation *op) {
  if (llvm::isa<VfOp>(op) || isVectorComposition(op))
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
  if (isVectorComposition(op)) {
    for (Value address : cast<asc::CallOp>(op).getArgs())
      if (Value buffer = bufferOf(address))
        for (bool write : {false, true})
          accesses.push_back({buffer, std::nullopt, write, {}});
    return accesses;
  }
  if (auto probe = dyn_cast<ProbeOp>(op)) // not an instruction: nothing waits for it, but what it shows must be there
    for (Value shown : probe.getValues())
      if (auto buffer = dyn_cast<BufferType>(shown.getType()); buffer && buffer.getMemory() != Memory::GM)
        accesses.push_back({shown, std::nullopt, /*write=*/false, {}});
  auto instruction = dyn_cast<InstructionOpInterface>(op);
  if (!instruction)
    return accesses;
  const InstructionInfo &info = instruction.getInfo();
  Reaches reaches(instruction);
  for (unsigned i = 0; i < info.numOperands; ++i) {
    if (info.operands[i].kind != OperandKind::Buffer)
      continue;
    const Reaches::Reach &reach = reaches.of(i);
    for (bool write : {false, true})
      if (unsigned(info.operands[i].access) & unsigned(write ? isa::Access::Write : isa::Access::Read))
        accesses.push_back({reaches.value(i), reach.size, write, reach.rows, reach.repeats});
  }
  return accesses;
}

SmallVector<Access, 4> accessesOf(Operation *op) {
  SmallVector<Access, 4> accesses;
  for (const OperandAccess &operand : operandAccessesOf(op))
    for (Place &place : placesOf(operand.buffer))
      accesses.push_back({cast<BufferType>(operand.buffer.getType()).getMemory(), std::move(place), operand.size,
                          operand.write, operand.rows, operand.repeats});
  return accesses;
}

} // namespace tilesmith::plan
