// Loads and stores of vector functions.
#include "VectorBody.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "tilesmith/Isa/Chip.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;
using namespace tilesmith::isa;

namespace tilesmith::ascendc {

static Type elementOf(Value buffer) { return mlir::cast<BufferType>(buffer.getType()).getElementType(); }

// Whether a number of elements is known to be a whole number of 32-byte blocks.
static bool isWholeBlocks(Value elements, int64_t size) {
  APInt number;
  if (matchPattern(elements, m_ConstantInt(&number)))
    return number.getSExtValue() * size % isa::blockBytes == 0;
  Operation *op = elements.getDefiningOp();
  if (auto product = dyn_cast_or_null<arith::MulIOp>(op))
    return isWholeBlocks(product.getLhs(), size) || isWholeBlocks(product.getRhs(), size);
  if (op && mlir::isa<arith::AddIOp, arith::SubIOp>(op))
    return isWholeBlocks(op->getOperand(0), size) && isWholeBlocks(op->getOperand(1), size);
  return false;
}

// Offsets count elements here, see prepare().
static bool startsOnBlock(Value buffer) {
  if (auto offset = buffer.getDefiningOp<OffsetOp>())
    return startsOnBlock(offset.getBase()) &&
           isWholeBlocks(offset.getBytes(), elementSize(elementOf(offset.getBase())));
  if (auto view = buffer.getDefiningOp<ViewOp>())
    return startsOnBlock(view.getBase());
  if (auto slot = buffer.getDefiningOp<SlotOp>())
    return slot.getAlloc().getBytes() % isa::blockBytes == 0 && startsOnBlock(slot.getRing());
  if (auto alloc = buffer.getDefiningOp<AllocOp>())
    return alloc.getAddress() && *alloc.getAddress() % isa::blockBytes == 0;
  return false;
}

bool VectorBody::isAligned(Value buffer, VfWalk walk) {
  int64_t size = elementSize(elementOf(buffer));
  if (walk == VfWalk::Full && rows > 1 && cols * size % isa::blockBytes)
    return false;
  return startsOnBlock(vf.getArgs()[mlir::cast<BlockArgument>(buffer).getArgNumber()]);
}

std::string VectorBody::address(Value buffer, VfWalk walk, int64_t pitch) {
  Type element = elementOf(buffer);
  int64_t size = elementSize(element), chunk = 64;
  int64_t row = pitch ? pitch / size : cols;
  if (walk == VfWalk::Bits) {
    row = cols / 8;
    chunk = 8;
  }
  std::string pointer = registers[buffer];
  auto advance = [&](StringRef index, int64_t stride) {
    pointer += (" + " + index).str() + (stride == 1 ? "" : " * " + std::to_string(stride));
  };
  if (rows > 1 && (walk == VfWalk::Full || walk == VfWalk::Bits))
    advance("r", row);
  if (rows > 1 && walk == VfWalk::Element)
    advance("r", 1);
  if (cols > 64 && (walk == VfWalk::Full || walk == VfWalk::Row || walk == VfWalk::Bits))
    advance("i", chunk);
  return pointer;
}

static std::string width(int64_t size) { return "B" + std::to_string(8 * size); }

// 64 bits from eight bytes at any place.
void VectorBody::loadBits(VfLoadOp load) {
  std::string bits = temporary(IntegerType::get(vf.getContext(), 8, IntegerType::Unsigned), "bits");
  call("Load", {bits, address(load.getBuffer(), VfWalk::Bits, 0)});
  call("MaskGenWithRegTensor<uint32_t, 0>", {registers[load.getResult()], bits});
}

// A mask of 32-bit lanes is packed to one bit for each, eight bytes at any place. The bytes past the row's end belong
// to the next row, which comes later, or to nobody: masks are allocated in whole groups of 64.
void VectorBody::storeBits(VfStoreOp store) {
  std::string pointer = names.unique("to"), unaligned = names.unique("unaligned");
  text.line("__ubuf__ uint32_t *" + pointer + " = (__ubuf__ uint32_t *)(" +
            address(store.getBuffer(), VfWalk::Bits, 0) + ");");
  text.line("Reg::UnalignRegForStore " + unaligned + ";");
  call("StoreUnAlign", {pointer, registers[store.getValue()], unaligned});
  call("StoreUnAlignPost", {pointer, unaligned, "0"});
}

LogicalResult VectorBody::printLoad(VfLoadOp load) {
  Value buffer = load.getBuffer();
  VfWalk walk = load.getWalk();
  Type element = elementOf(buffer);
  if (element.isInteger(1) != (walk == VfWalk::Bits))
    return load.emitOpError() << "masks, and only masks, are walked as bits";
  if (walk == VfWalk::Bits) {
    if (rows > 1 && cols % 8)
      return load.emitOpError() << "rows of " << cols << " bits do not start on whole bytes";
    loadBits(load);
    return success();
  }
  int64_t size = elementSize(element);
  std::string reg = registers[load.getResult()], from = address(buffer, walk, load.getPitch());
  std::string type = cppType(element).str();
  auto distributed = [&](const std::string &distribution) {
    call("LoadAlign<" + type + ", Reg::LoadDist::" + distribution + ">", {reg, from});
  };
  if (walk == VfWalk::One || walk == VfWalk::Element) {
    distributed("DIST_BRC_" + width(size));
    return success();
  }
  if (isAligned(buffer, walk)) {
    distributed(size == 4 ? "DIST_NORM" : size == 2 ? "DIST_UNPACK_B16" : "DIST_UNPACK4_B8");
    return success();
  }
  call("Load", {reg, from});
  std::string as = "&)" + reg;
  if (size == 1)
    call("UnPack", {"(Reg::RegTensor<uint16_t> " + as, "(Reg::RegTensor<uint8_t> " + as});
  if (size <= 2)
    call("UnPack", {"(Reg::RegTensor<uint32_t> " + as, "(Reg::RegTensor<uint16_t> " + as});
  return success();
}

void VectorBody::storeFirst(Value buffer, VfWalk walk, StringRef reg) {
  Type element = elementOf(buffer);
  call("StoreAlign<" + cppType(element) + ", Reg::StoreDist::DIST_FIRST_ELEMENT_" + width(elementSize(element)) + ">",
       {address(buffer, walk, 0), reg.str(), "all"});
}

// Whether two arguments may share bytes. The planner gives buffers addresses of their own or the same ones.
bool VectorBody::mayOverlap(Value one, Value other) {
  auto allocOf = [&](Value argument) -> AllocOp {
    Value buffer = vf.getArgs()[mlir::cast<BlockArgument>(argument).getArgNumber()];
    while (Operation *op = buffer.getDefiningOp()) {
      if (auto alloc = dyn_cast<AllocOp>(op))
        return alloc;
      buffer = op->getOperand(0);
    }
    return {};
  };
  AllocOp a = allocOf(one), b = allocOf(other);
  if (!a || !b)
    return true;
  int64_t aEnd = *a.getAddress() + a.getBytes() * a.getSlots(), bEnd = *b.getAddress() + b.getBytes() * b.getSlots();
  return int64_t(*a.getAddress()) < bEnd && int64_t(*b.getAddress()) < aEnd;
}

// Accesses of a vector function are ordered by registers only. A store into bytes that a load reads, with a value that
// does not come from this load, could be done before it.
bool VectorBody::overtakesLoad(VfStoreOp store) {
  llvm::SmallPtrSet<Operation *, 16> sources;
  SmallVector<Value> work{store.getValue()};
  while (!work.empty())
    if (Operation *op = work.pop_back_val().getDefiningOp(); op && sources.insert(op).second)
      llvm::append_range(work, op->getOperands());
  return llvm::any_of(vf.getBody().front().getOps<VfLoadOp>(), [&](VfLoadOp load) {
    return !sources.contains(load) && mayOverlap(store.getBuffer(), load.getBuffer());
  });
}

LogicalResult VectorBody::printStore(VfStoreOp store) {
  Value buffer = store.getBuffer();
  VfWalk walk = store.getWalk();
  Type element = elementOf(buffer);
  if (element.isInteger(1) != (walk == VfWalk::Bits))
    return store.emitOpError() << "masks, and only masks, are walked as bits";
  if (overtakesLoad(store))
    call("LocalMemBar<Reg::MemType::VEC_LOAD, Reg::MemType::VEC_STORE>", {});
  std::string reg = registers[store.getValue()];
  if (walk == VfWalk::Bits) {
    if (rows > 1 && cols % 8)
      return store.emitOpError() << "rows of " << cols << " bits do not start on whole bytes";
    bool inPlace = llvm::any_of(vf.getBody().front().getOps<VfLoadOp>(), [&](VfLoadOp load) {
      return load.getWalk() == VfWalk::Bits && mayOverlap(load.getBuffer(), buffer);
    });
    if (rows > 1 && cols % 64 && inPlace)
      return store.emitOpError() << "rows of " << cols
                                 << " bits cannot be replaced where they are read: 64 are written at once";
    storeBits(store);
    return success();
  }
  if (walk == VfWalk::One || walk == VfWalk::Element) {
    storeFirst(buffer, walk, reg);
    return success();
  }
  int64_t size = elementSize(element);
  std::string to = address(buffer, walk, store.getPitch()), type = cppType(element).str();
  if (isAligned(buffer, walk)) {
    StringRef distribution = size == 4 ? "DIST_NORM_B32" : size == 2 ? "DIST_PACK_B32" : "DIST_PACK4_B32";
    call("StoreAlign<" + type + ", Reg::StoreDist::" + distribution + ">", {to, reg, mask});
    return success();
  }
  storeAnywhere(to, element, reg, cols <= 64 ? std::to_string(cols) : cols % 64 ? "n" : "64");
  return success();
}

void VectorBody::storeAnywhere(const std::string &to, Type element, const std::string &reg, const std::string &count) {
  std::string packed = reg;
  if (elementSize(element) < 4) {
    packed = temporary(element, "packed");
    call("Pack", {"(Reg::RegTensor<uint16_t> &)" + packed, "(Reg::RegTensor<uint32_t> &)" + reg});
  }
  if (elementSize(element) == 1)
    call("Pack", {"(Reg::RegTensor<uint8_t> &)" + packed, "(Reg::RegTensor<uint16_t> &)" + packed});
  call("Store", {to, packed, count});
}

} // namespace tilesmith::ascendc
