// Split cores: makes two functions of a kernel that runs on both kinds of cores.
//
// The kernel keeps its name and becomes the cube half; the vector half stands behind it (`isa.half_of`). Each has the
// operations of its kind of core, and of scalars and control flow what these need. Both have the kernel's parameters,
// and behind them one for each channel (`isa.channel`): the bytes of the block's workspace that belong to it. What
// follows in the pipeline compiles the halves like any two kernels; `join-cores` puts them together again.
//
// A number that vector cores compute from a tile, or read from an array that the kernel writes, is not known on the
// cube core. Where it decides what is multiplied or loaded, it crosses through a channel of its own, as a tile of one
// element that the cube core reads on its scalar unit. What cannot cross (a truth value of a tile) is refused.
#include "Arrays.h"
#include "Matrices.h"
#include "mlir/IR/IRMapping.h"
#include "tilesmith/Isa/Chip.h"
#include "tilesmith/Transforms/Remarks.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"

namespace tilesmith {
#define GEN_PASS_DEF_SPLITCORES
#include "tilesmith/Transforms/Passes.h.inc"
} // namespace tilesmith

using namespace mlir;
using namespace tilesmith;
using isa::CoreKind;
using isa::Memory;

static bool isTile(Value value) { return llvm::isa<tile::TileType>(value.getType()); }
static CoreKind coreOf(Value tile) { return memoryOf(tile) == Memory::UB ? CoreKind::AIV : CoreKind::AIC; }

// On a read of an element that only vector cores may do, because the kernel writes the array.
static constexpr StringLiteral ofVectors = "of_vectors";

// Which kind of core does it; none: both.
static std::optional<CoreKind> coreOf(Operation *op) {
  if (!op->getDialect() || op->getDialect()->getNamespace() != tile::TileDialect::getDialectNamespace())
    return std::nullopt;
  for (Value value : llvm::concat<Value>(llvm::to_vector(op->getOperands()), llvm::to_vector(op->getResults())))
    if (isTile(value))
      return coreOf(value);
  if (llvm::isa<tile::SetOp, tile::PrintOp, tile::AssertOp>(op) || op->hasAttr(ofVectors))
    return CoreKind::AIV;
  return std::nullopt;
}

// The numbers a loop or branch depends on as a whole.
static SmallVector<Value> decidersOf(Operation *op) {
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return {loop.getLowerBound(), loop.getUpperBound(), loop.getStep()};
  if (auto loop = dyn_cast<scf::WhileOp>(op))
    return {loop.getConditionOp().getCondition()};
  return {op->getOperand(0)};
}

namespace {
// Numbers of the vector cores that cross to the cube core, with their channels.
using SharedNumbers = llvm::MapVector<Value, uint64_t>;
static bool isShared(Operation *op, const SharedNumbers &shared) {
  return op->getNumResults() == 1 && shared.contains(op->getResult(0));
}

// Whether a kind of core has anything to do in it.
bool hasWork(Operation *op, CoreKind kind, const SharedNumbers &shared) {
  return op
      ->walk([&](Operation *inner) {
        return coreOf(inner) == kind || isShared(inner, shared) ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

// What one kind of core cannot know: numbers that come from the other one's tiles, through scalar code.
class Unknown {
public:
  Unknown(func::FuncOp kernel, CoreKind kind, const SharedNumbers &shared) : kind(kind), shared(shared) {
    size_t before;
    do {
      before = values.size();
      kernel.walk([&](Operation *op) { visit(op); });
    } while (values.size() != before);
  }
  bool contains(Value value) const { return values.contains(value); }
  bool anyOf(ValueRange range) const {
    return llvm::any_of(range, [&](Value value) { return contains(value); });
  }

private:
  void add(ValueRange range) {
    for (Value value : range)
      if (!isTile(value))
        values.insert(value);
  }
  void add(Value value, bool isUnknown) {
    if (isUnknown)
      add(value);
  }

  void visit(Operation *op) {
    std::optional<CoreKind> core = coreOf(op);
    if (core)
      return *core != kind && !isShared(op, shared) ? add(op->getResults()) : void();
    if (!op->getNumRegions())
      return anyOf(op->getOperands()) && !op->hasTrait<OpTrait::IsTerminator>() ? add(op->getResults()) : void();
    if (llvm::isa<func::FuncOp>(op))
      return;
    if (anyOf(decidersOf(op)))
      add(op->getResults());
    if (auto loop = dyn_cast<scf::ForOp>(op)) {
      for (auto [init, argument, yielded, result] :
           llvm::zip_equal(loop.getInitArgs(), loop.getRegionIterArgs(), loop.getYieldedValues(), loop.getResults())) {
        add(argument, contains(init) || contains(yielded));
        add(result, contains(argument));
      }
    } else if (auto loop = dyn_cast<scf::WhileOp>(op)) {
      for (auto [init, argument, yielded] :
           llvm::zip_equal(loop.getInits(), loop.getBeforeArguments(), loop.getYieldOp()->getOperands()))
        add(argument, contains(init) || contains(yielded));
      for (auto [handed, argument, result] :
           llvm::zip_equal(loop.getConditionOp().getArgs(), loop.getAfterArguments(), loop.getResults())) {
        add(argument, contains(handed));
        add(result, contains(handed));
      }
    } else {
      for (Region &region : op->getRegions())
        if (!region.empty())
          for (auto [yielded, result] :
               llvm::zip_equal(region.front().getTerminator()->getOperands(), op->getResults()))
            add(result, contains(yielded));
    }
  }

  CoreKind kind;
  const SharedNumbers &shared;
  llvm::DenseSet<Value> values;
};

// Finds the numbers that have to cross.
class Sharing {
public:
  Sharing(func::FuncOp kernel, uint64_t firstChannel) : kernel(kernel), next(firstChannel) {
    size_t before;
    do {
      before = shared.size();
      Unknown unknown(kernel, CoreKind::AIC, shared);
      kernel.walk([&](Operation *op) {
        if (op->getNumRegions() && !llvm::isa<func::FuncOp>(op)) {
          if (hasWork(op, CoreKind::AIC, shared))
            share(decidersOf(op), unknown);
        } else if (coreOf(op) == CoreKind::AIC) {
          share(llvm::to_vector(op->getOperands()), unknown);
        }
      });
    } while (shared.size() != before);
  }

  SharedNumbers shared;

private:
  // What the numbers come from, as far as it can cross.
  void share(SmallVector<Value> open, const Unknown &unknown) {
    llvm::DenseSet<Value> seen;
    while (!open.empty()) {
      Value value = open.pop_back_val();
      if (!unknown.contains(value) || !seen.insert(value).second)
        continue;
      Operation *op = value.getDefiningOp();
      if (op && coreOf(op)) {
        if (llvm::isa<tile::ExtractOp, tile::GetOp>(op) && !value.getType().isInteger(1) &&
            shared.try_emplace(value, next).second)
          ++next;
        continue;
      }
      if (!op)
        op = cast<BlockArgument>(value).getOwner()->getParentOp();
      llvm::append_range(open, op->getOperands());
      for (Region &region : op->getRegions())
        for (Block &block : region) // of loops and branches: all that they carry
          llvm::append_range(open, block.getTerminator()->getOperands());
    }
  }

  func::FuncOp kernel;
  uint64_t next;
};

// Clones what one kind of core does.
class Half {
public:
  Half(func::FuncOp kernel, CoreKind kind, const SharedNumbers &shared, IRMapping &map)
      : kind(kind), shared(shared), map(map), unknown(kernel, kind, shared) {}

  LogicalResult clone(Block &from, OpBuilder &b) {
    for (Operation &op : from)
      if (failed(clone(&op, b)))
        return failure();
    return success();
  }

  // The tile of one element that a number crosses as.
  static tile::TileType typeOfNumber(Operation *op) {
    if (auto extract = dyn_cast<tile::ExtractOp>(op))
      return extract.getOperand().getType();
    Type element = cast<tile::GlobalTensorType>(cast<tile::GetOp>(op).getTensor().getType()).getElementType();
    return tile::TileType::get(op->getContext(), {1}, element, Memory::UB);
  }

private:
  bool isOurs(Value value) const { return isTile(value) ? coreOf(value) == kind : !unknown.contains(value); }
  SmallVector<Value> ours(ValueRange values) const {
    return llvm::to_vector(llvm::make_filter_range(values, [&](Value value) { return isOurs(value); }));
  }

  void sendNumber(Operation *op, OpBuilder &b) {
    Value tile = map.lookup(op->getResult(0));
    auto extract = dyn_cast<tile::ExtractOp>(op);
    tile = extract ? map.lookup(extract.getOperand())
                   : tile::SplatOp::create(b, op->getLoc(), typeOfNumber(op), tile).getResult();
    tile::SendOp::create(b, op->getLoc(), tile, shared.lookup(op->getResult(0)));
  }
  void receiveNumber(Operation *op, OpBuilder &b) {
    Value number = op->getResult(0);
    Value tile = tile::ReceiveOp::create(b, op->getLoc(), typeOfNumber(op), shared.lookup(number));
    map.map(number, tile::ExtractOp::create(b, op->getLoc(), number.getType(), tile).getResult());
  }

  // A number this half needs and cannot know.
  LogicalResult refuse(Operation *op, Value missing) {
    while (Operation *definition = missing.getDefiningOp()) {
      if (coreOf(definition) || definition->getNumRegions())
        break;
      missing = *llvm::find_if(definition->getOperands(), [&](Value operand) { return unknown.contains(operand); });
    }
    bool isCube = kind == CoreKind::AIC;
    InFlightDiagnostic error = op->emitError() << "the " << (isCube ? "cube core" : "vector cores")
                                               << " of the block would need a number here that only the "
                                               << (isCube ? "vector cores know" : "cube core knows");
    error.attachNote(missing.getLoc()) << "the number is computed from a tile here";
    error.attachNote(op->getLoc())
        << "help: compare numbers and not tiles, or compute it in a kernel before this one and pass it as an argument";
    return error;
  }

  LogicalResult clone(Operation *op, OpBuilder &b) {
    std::optional<CoreKind> core = coreOf(op);
    bool crosses = isShared(op, shared);
    if (core && *core != kind) {
      if (crosses)
        receiveNumber(op, b);
      return success();
    }
    bool compound = op->getNumRegions(), terminator = op->hasTrait<OpTrait::IsTerminator>();
    SmallVector<Value> needed;
    if (compound)
      needed = decidersOf(op);
    else if (!terminator)
      needed = llvm::to_vector(op->getOperands());
    for (Value value : needed)
      if (unknown.contains(value))
        return core || (compound && hasWork(op, kind, shared)) ? refuse(op, value) : success();
    SmallVector<Value> operands = ours(op->getOperands());
    if (!compound && operands.size() == op->getNumOperands()) {
      b.clone(*op, map)->removeAttr(ofVectors);
      if (crosses)
        sendNumber(op, b);
      return success();
    }
    return cloneFiltered(op, operands, b);
  }

  // Loops and branches, without the tiles of the other half and the numbers this one cannot know.
  LogicalResult cloneFiltered(Operation *op, ArrayRef<Value> operands, OpBuilder &b) {
    OperationState state(op->getLoc(), op->getName());
    for (Value operand : operands)
      state.addOperands(map.lookup(operand));
    SmallVector<Value> results = ours(op->getResults());
    state.addTypes(ValueRange(results).getTypes());
    state.addAttributes(llvm::to_vector(op->getDiscardableAttrs()));
    if (op->getPropertiesStorageSize())
      state.propertiesAttr = op->getPropertiesAsAttribute();
    for (unsigned i = 0; i < op->getNumRegions(); ++i)
      state.addRegion();
    Operation *copy = b.create(state);
    for (auto [from, to] : llvm::zip_equal(op->getRegions(), copy->getRegions())) {
      if (from.empty())
        continue;
      Block &block = to.emplaceBlock();
      for (BlockArgument argument : from.getArguments())
        if (isOurs(argument))
          map.map(argument, block.addArgument(argument.getType(), argument.getLoc()));
      OpBuilder inside = OpBuilder::atBlockEnd(&block);
      if (failed(clone(from.front(), inside)))
        return failure();
    }
    for (auto [result, replacement] : llvm::zip_equal(results, copy->getResults()))
      map.map(result, replacement);
    return success();
  }

  CoreKind kind;
  const SharedNumbers &shared;
  IRMapping &map;
  Unknown unknown;
};

struct Channel {
  tile::TileType type;
  bool toCube = false;
};

// Removes scalars and control flow that nothing needs.
void removeDead(func::FuncOp half) {
  SmallVector<Operation *> ops;
  half.walk([&](Operation *op) { ops.push_back(op); }); // inner ones first
  for (Operation *op : llvm::reverse(ops))
    if (op && op != half && isOpTriviallyDead(op)) {
      op->walk([&](Operation *inner) { llvm::replace(ops, inner, (Operation *)nullptr); });
      op->erase();
    }
}

struct SplitCoresPass : tilesmith::impl::SplitCoresBase<SplitCoresPass> {
  using SplitCoresBase::SplitCoresBase;
  void runOnOperation() override {
    SmallVector<func::FuncOp> kernels;
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (function->hasAttr(tile::mixedAttrName))
        kernels.push_back(function);
    for (func::FuncOp kernel : kernels)
      if (failed(split(kernel)))
        return signalPassFailure();
  }

private:
  LogicalResult split(func::FuncOp kernel) {
    std::map<uint64_t, Channel> channels;
    kernel.walk([&](Operation *op) {
      if (auto send = dyn_cast<tile::SendOp>(op))
        channels[send.getChannel()] = {send.getValue().getType(), coreOf(send.getValue()) == CoreKind::AIV};
    });
    readWrittenOnVectors(kernel);
    Sharing sharing(kernel, channels.empty() ? 0 : channels.rbegin()->first + 1);
    for (auto [number, channel] : sharing.shared)
      channels[channel] = {Half::typeOfNumber(number.getDefiningOp()), true};
    MLIRContext *context = kernel.getContext();
    SmallVector<func::FuncOp> halves;
    for (CoreKind kind : {CoreKind::AIC, CoreKind::AIV}) {
      OpBuilder b(context);
      b.setInsertionPoint(kernel);
      bool isCube = kind == CoreKind::AIC;
      std::string name = kernel.getName().str() + (isCube ? "" : ".vector");
      SmallVector<Type> types(kernel.getArgumentTypes());
      for (auto &[number, channel] : channels)
        types.push_back(tile::PtrType::get(context, channel.type.getElementType()));
      auto half = func::FuncOp::create(b, kernel.getLoc(), name, b.getFunctionType(types, {}));
      half->setDiscardableAttrs(kernel->getDiscardableAttrDictionary());
      half->removeAttr(tile::mixedAttrName);
      half->setAttr(isa::coreAttrName, b.getStringAttr(StringRef(isa::stringify(kind))));
      half->setAttr(isa::vectorCoresAttrName, b.getI64IntegerAttr(1));
      if (!isCube)
        half->setAttr(isa::halfOfAttrName, b.getStringAttr(kernel.getName()));
      Block *body = half.addEntryBlock();
      IRMapping map;
      for (auto [index, argument] : llvm::enumerate(kernel.getArguments())) {
        body->getArgument(index).setLoc(argument.getLoc());
        map.map(argument, body->getArgument(index));
        if (DictionaryAttr attributes = kernel.getArgAttrDict(index))
          half.setArgAttrs(index, attributes);
      }
      for (auto [index, entry] : llvm::enumerate(channels)) {
        unsigned argument = kernel.getNumArguments() + index;
        body->getArgument(argument).setLoc(NameLoc::get(b.getStringAttr("workspace"), kernel.getLoc()));
        half.setArgAttr(argument, isa::noaliasAttrName, b.getUnitAttr());
        half.setArgAttr(argument, isa::channelAttrName, b.getI64IntegerAttr(0));
      }
      OpBuilder inside = OpBuilder::atBlockEnd(body);
      if (failed(Half(kernel, kind, sharing.shared, map).clone(kernel.getBody().front(), inside)))
        return failure();
      removeDead(half);
      number(half, kernel.getNumArguments(), channels);
      halves.push_back(half);
    }
    remark::passed(kernel.getLoc(), remarkOf(getArgument(), "kernel")) << remark::metric("channels", channels.size());
    kernel.erase();
    return success();
  }

  // An array that the kernel writes belongs to the vector cores (hand-over), and so do reads of its elements.
  static void readWrittenOnVectors(func::FuncOp kernel) {
    llvm::DenseSet<Value> written;
    kernel.walk([&](Operation *op) {
      if (Value tensor = tensorOf(op); tensor && writesTensor(op))
        written.insert(arrayOf(tensor));
    });
    kernel.walk([&](tile::GetOp get) {
      if (written.contains(arrayOf(get.getTensor())))
        get->setAttr(ofVectors, UnitAttr::get(kernel.getContext()));
    });
  }

  // Says of sends and receives which parameter their channel has, and which flag. Where there are not two flags for
  // each channel, those of one direction share theirs: tiles are received in the order they are sent in.
  static void number(func::FuncOp half, unsigned first, const std::map<uint64_t, Channel> &channels) {
    bool share = int64_t(2 * channels.size()) > isa::userCrossFlagIds;
    Builder b(half.getContext());
    half.walk([&](Operation *op) {
      if (!llvm::isa<tile::SendOp, tile::ReceiveOp>(op))
        return;
      uint64_t channel = cast<IntegerAttr>(op->getAttr("channel")).getInt();
      auto entry = channels.find(channel);
      int64_t index = std::distance(channels.begin(), entry);
      op->setAttr("argument", b.getI64IntegerAttr(first + index));
      op->setAttr("flag", b.getI64IntegerAttr(share ? 2 * entry->second.toCube : 2 * index));
    });
  }
};
} // namespace
