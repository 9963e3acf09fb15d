// Direct channels: chooses what crosses from memory to memory of a block's cores, without global memory.
//
// On the 950 results of products go from L0C straight into UB, and what vector cores make for products from UB into L1.
// A channel whose tiles can takes this way: its slots then have places in UB, or L1, at the end of the memory and at
// the same address on every core. Who receives a tile reads it where it lies, and its slot is empty behind the last
// operation that does.
//
// That needs to be known: tiles that loops carry on, or that leave the vector cores as they came, cross through the
// workspace, and so does what has rows that do not end with blocks. Of what is left, the largest tiles go through the
// workspace until the others fit into a part of the memory. Then large ones get a second slot, as long as there is
// room; one slot is enough where no tile waits in its channel while another one is sent (skew-loops says where).
#include "DirectChannels.h"
#include "Arrays.h"
#include "LowerToIsa/Lowering.h"
#include "Matrices.h"
#include "mlir/IR/Matchers.h"
#include "tilesmith/Dialect/Isa/Workspace.h"
#include "tilesmith/Isa/Chip.h"
#include "tilesmith/Transforms/Remarks.h"
#include "llvm/Support/MathExtras.h"
#include <set>

namespace tilesmith {
#define GEN_PASS_DEF_DIRECTCHANNELS
#include "tilesmith/Transforms/Passes.h.inc"
} // namespace tilesmith

using namespace mlir;
using namespace tilesmith;
using isa::Memory;

//===- What is said of a channel
//------------------------------------------------------------------------------------------===//

std::optional<DirectWay> tilesmith::directWayOf(Value array) {
  auto argument = dyn_cast<BlockArgument>(array);
  auto half = argument ? dyn_cast<func::FuncOp>(argument.getOwner()->getParentOp()) : func::FuncOp();
  auto said =
      half ? half.getArgAttrOfType<DictionaryAttr>(argument.getArgNumber(), isa::directAttrName) : DictionaryAttr();
  if (!said)
    return std::nullopt;
  return DirectWay{isa::ringWord(said, "memory") == "UB" ? Memory::UB : Memory::L1,
                   isa::ringNumber(said, "address"),
                   isa::ringNumber(said, "bytes"),
                   isa::ringNumber(said, "slots"),
                   isa::ringNumber(said, "axis"),
                   isa::ringNumber(said, "cores"),
                   isa::ringWord(said, "name"),
                   isa::ringWord(said, "shape")};
}

bool tilesmith::isDirect(tile::LoadOp load) { return directWayOf(arrayOf(load.getTensor())).has_value(); }

int64_t tilesmith::directBytes(func::FuncOp half, Memory memory) {
  int64_t bytes = 0;
  for (BlockArgument argument : half.getArguments())
    if (auto way = directWayOf(argument); way && way->memory == memory)
      bytes += way->slots * way->bytes;
  return bytes;
}

// Whether the result is the operand's bytes, read by whoever reads it.
static bool isView(Operation *op) {
  auto reduce = dyn_cast<tile::ReduceOp>(op);
  return llvm::isa<tile::ReshapeOp, tile::BroadcastOp, tile::BitcastOp>(op) ||
         (reduce && reduce.getType().getNumElements() == reduce.getOperand().getType().getNumElements());
}

// Adds the operations that read the tile's bytes; false: one that is not of the pipe for them may.
static bool collectReaders(Value tile, SmallVectorImpl<Operation *> &readers) {
  bool inUb = memoryOf(tile) == Memory::UB;
  for (Operation *user : tile.getUsers()) {
    bool goesOn = inUb ? isView(user) : isSameMatrix(user);
    bool reads =
        inUb ? llvm::isa<tile::UnaryOp, tile::BinaryOp, tile::CompareOp, tile::SelectOp, tile::CastOp, tile::ReduceOp>(
                   user)
             : llvm::isa<tile::MatmulOp>(user);
    if (!goesOn && !reads)
      return false;
    readers.push_back(user);
    if (goesOn && !collectReaders(user->getResult(0), readers))
      return false;
  }
  return true;
}

Operation *tilesmith::lastUseOf(Value received) {
  SmallVector<Operation *> readers;
  if (!collectReaders(received, readers))
    return nullptr;
  Block *block = received.getParentBlock();
  Operation *last = received.getDefiningOp();
  for (Operation *reader : readers) {
    Operation *here = block->findAncestorOpInBlock(*reader);
    last = last->isBeforeInBlock(here) ? here : last;
  }
  return last;
}

//===- Choosing
//-------------------------------------------------------------------------------------------------------------===//

namespace {
bool isEnd(Operation *op) { return llvm::isa<tile::SendOp, tile::ReceiveOp>(op); }
int64_t numberOf(Operation *op, StringRef name) { return cast<IntegerAttr>(op->getAttr(name)).getInt(); }
tile::TileType typeOf(Operation *end) {
  return cast<tile::TileType>((llvm::isa<tile::SendOp>(end) ? end->getOperand(0) : end->getResult(0)).getType());
}

// A channel of a kernel: where it is used in both halves.
struct Channel {
  SmallVector<Operation *> cube, vectors;

  bool isToCube() const { return llvm::isa<tile::SendOp>(vectors.front()); }
  ArrayRef<Operation *> receiving() const { return isToCube() ? cube : vectors; }
  bool waits() const {
    return llvm::any_of(cube, [](Operation *end) { return end->hasAttr(waitsAttrName); });
  }
};

class Ways {
public:
  Ways(func::FuncOp cube, func::FuncOp vectors, int64_t ub, int64_t l1) : cube(cube), vectors(vectors), ub(ub), l1(l1) {
    cores = cast<IntegerAttr>(vectors->getAttr(isa::vectorCoresAttrName)).getInt();
    cube.walk([&](Operation *op) { isEnd(op) ? channels[numberOf(op, "argument")].cube.push_back(op) : void(); });
    vectors.walk([&](Operation *op) { isEnd(op) ? channels[numberOf(op, "argument")].vectors.push_back(op) : void(); });
  }

  void choose() {
    std::set<int64_t> flags;
    for (auto &[argument, channel] : channels) {
      if (channel.cube.empty() || channel.vectors.empty())
        continue;
      if (!flags.insert(numberOf(channel.cube.front(), "flag")).second)
        return; // channels that share flags have as many slots as these let be in use
      if (std::optional<DirectWay> way = wayOf(channel))
        ways[argument] = *way;
    }
    // What is not for others: they need the rest.
    fit(Memory::UB, ub / 3 * 2);
    fit(Memory::L1, l1 / 3);
    lay(Memory::UB, ub);
    lay(Memory::L1, l1);
    Builder b(cube.getContext());
    if (!ways.empty())
      cube->getParentOp()->setAttr(isa::directAttrName, b.getUnitAttr());
    for (auto &[argument, way] : ways) {
      NamedAttrList said;
      said.set("memory", b.getStringAttr(StringRef(isa::stringify(way.memory))));
      for (auto [name, number] : std::initializer_list<std::pair<StringRef, int64_t>>{{"address", way.address},
                                                                                      {"bytes", way.bytes},
                                                                                      {"slots", way.slots},
                                                                                      {"axis", way.axis},
                                                                                      {"cores", way.cores}})
        said.set(name, b.getI64IntegerAttr(number));
      Operation *receiving = channels[argument].receiving().front();
      said.set("shape", b.getStringAttr(describe(typeOf(receiving))));
      if (auto name = dyn_cast<NameLoc>(receiving->getLoc()))
        said.set("name", name.getName());
      for (func::FuncOp half : {cube, vectors})
        half.setArgAttr(argument, isa::directAttrName, said.getDictionary(b.getContext()));
      remark::passed(channels[argument].cube.front()->getLoc(), remarkOf("direct-channels", "channel"))
          << remark::metric("memory", std::string(isa::stringify(way.memory))) << remark::metric("bytes", way.bytes)
          << remark::metric("slots", way.slots);
    }
  }

private:
  std::optional<DirectWay> wayOf(const Channel &channel) const {
    if (!isAlike(channel.cube) || !isAlike(channel.vectors) || !isReadInPlace(channel))
      return std::nullopt;
    Operation *end = channel.vectors.front();
    tile::TileType part = typeOf(end), whole = typeOf(channel.cube.front());
    int64_t size = part.getElementType().getIntOrFloatBitWidth() / 8;
    DirectWay way;
    way.axis = end->hasAttr("axis") ? numberOf(end, "axis") : -1;
    way.cores = cores;
    way.slots = channel.waits() ? 2 : 1;
    if (part.getRank() != 2 || part.getShape()[1] * size % isa::blockBytes || part.getShape()[1] % isa::fractalRows)
      return std::nullopt;
    if (channel.isToCube()) {
      int64_t unit = matrixUnit(whole.getElementType());
      if (whole.getShape()[0] % unit || whole.getShape()[1] % unit || size > 4)
        return std::nullopt;
      way.memory = Memory::L1;
      way.bytes = bytesInL1(whole) + unit * isa::blockBytes; // parts may be copied with rows behind them
    } else {
      Type element = whole.getElementType();
      if (!element.isF32() && !element.isF16() && !element.isBF16())
        return std::nullopt;
      way.memory = Memory::UB;
      way.bytes = part.getNumElements() * size;
    }
    way.bytes = llvm::alignTo(way.bytes, slotAlignment);
    return way;
  }

  // Whether all tiles of the channel are of one shape and shared in one way.
  static bool isAlike(ArrayRef<Operation *> ends) {
    return llvm::all_of(ends, [&](Operation *end) {
      return typeOf(end) == typeOf(ends.front()) && end->getAttr("axis") == ends.front()->getAttr("axis");
    });
  }

  // Whether what is received is read where it lies, and is over before the next one comes.
  static bool isReadInPlace(const Channel &channel) {
    return llvm::all_of(channel.receiving(), [&](Operation *end) {
      Operation *last = lastUseOf(end->getResult(0));
      return last && llvm::none_of(channel.receiving(), [&](Operation *other) {
               Operation *here = end->getBlock()->findAncestorOpInBlock(*other);
               return here && end->isBeforeInBlock(here) && !last->isBeforeInBlock(here);
             });
    });
  }

  void fit(Memory memory, int64_t room) {
    auto bytes = [&] {
      int64_t sum = 0;
      for (auto &[argument, way] : ways)
        sum += way.memory == memory ? way.slots * way.bytes : 0;
      return sum;
    };
    auto largest = [&](auto counts) {
      auto best = ways.end();
      for (auto each = ways.begin(); each != ways.end(); ++each)
        if (each->second.memory == memory && counts(each->second) &&
            (best == ways.end() || each->second.bytes > best->second.bytes))
          best = each;
      return best;
    };
    while (bytes() > room)
      ways.erase(largest([](const DirectWay &) { return true; }));
    for (int64_t left = room - bytes();;) {
      auto next = largest([&](const DirectWay &way) { return way.slots == 1 && way.bytes <= left; });
      if (next == ways.end())
        return;
      ++next->second.slots;
      left -= next->second.bytes;
    }
  }

  void lay(Memory memory, int64_t end) {
    end = end / slotAlignment * slotAlignment;
    for (auto &[argument, way] : ways)
      if (way.memory == memory)
        way.address = end -= way.slots * way.bytes;
  }

  static constexpr int64_t slotAlignment = 512; // bytes

  func::FuncOp cube, vectors;
  int64_t ub, l1, cores = 1;
  std::map<int64_t, Channel> channels; // by parameter
  std::map<int64_t, DirectWay> ways;
};

struct DirectChannelsPass : tilesmith::impl::DirectChannelsBase<DirectChannelsPass> {
  using DirectChannelsBase::DirectChannelsBase;
  void runOnOperation() override {
    // Without flags within the cores a wait would hold back a whole core, and not just who reads the tile.
    if (!kernelOptions.insertSync.value_or(true) || kernelOptions.optLevel < 2)
      return;
    for (auto vectors : getOperation().getOps<func::FuncOp>()) {
      auto name = vectors->getAttrOfType<StringAttr>(isa::halfOfAttrName);
      auto cube = name ? getOperation().lookupSymbol<func::FuncOp>(name) : func::FuncOp();
      if (!cube)
        continue;
      FailureOr<isa::Arch> target = getArch(cube, arch);
      if (failed(target))
        return signalPassFailure();
      for (func::FuncOp half : {cube, vectors}) // what follows may ask
        half->setAttr(isa::archAttrName, StringAttr::get(&getContext(), StringRef(isa::stringify(*target))));
      if (*target == isa::Arch::C310)
        Ways(cube, vectors, ub, l1).choose();
    }
  }
};
} // namespace
