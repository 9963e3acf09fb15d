// Channels whose slots are in a memory of the block's cores: from L0C to UB, from UB to L1.
//
// A slot is a buffer at an address that both halves know (`direct-channels`). What is received lies there and is read
// as it is, rows of it from where they begin. Results leave L0C for both vector cores at once where these share all of
// its rows; a part of the rows or columns goes to whoever has it. In L1 a matrix lies in NZ: each row is a copy that
// spreads its blocks over the columns, or each column of blocks one that gathers the rows, whichever are fewer.
#include "../Arrays.h"
#include "../DirectChannels.h"
#include "../Matrices.h"
#include "Lowering.h"
#include "tilesmith/Dialect/Isa/Ranges.h"

using namespace mlir;

namespace tilesmith {

using isa::Memory;

static Memory memoryOfBase(const GlobalTensor &tensor) {
  return cast<isa::BufferType>(tensor.base.getType()).getMemory();
}

void Lowering::allocSlots() {
  b.setInsertionPointToStart(&kernel.getBody().front());
  for (BlockArgument argument : kernel.getArguments()) {
    std::optional<DirectWay> way = directWayOf(argument);
    if (!way || argument.use_empty())
      continue;
    Type element = cast<isa::BufferType>(argument.getType()).getElementType();
    auto slot =
        alloc(way->memory, element, way->slots * way->bytes, way->name, way->shape).getDefiningOp<isa::AllocOp>();
    slot.setAddress(way->address);
    slots[argument] = slot;
  }
}

bool Lowering::isInSlot(tile::LoadOp op) { return memoryOfBase(tensors.find(op.getTensor())->second) != Memory::GM; }

void Lowering::lieInSlot(tile::LoadOp op) {
  const GlobalTensor &tensor = tensors.find(op.getTensor())->second;
  Int first = known(0);
  for (auto [start, stride] : llvm::zip(op.getOffsets(), tensor.strides))
    first = add(first, mul(widen(start), stride));
  buffers[op.getResult()] = offset(tensor.base, mul(first, known(sizeOf(op.getType().getElementType()))));
}

void Lowering::storeToL1(const GlobalTensor &tensor, Value src, tile::TileType type, ValueRange offsets) {
  int64_t rows = type.getShape()[0], columns = type.getShape()[1], size = sizeOf(type.getElementType());
  int64_t perBlock = blockBytes / size, blocks = columns / perBlock, high = *get(tensor.dims[0]);
  auto place = [&](Int row, Int column) { // of a row of the matrix, and a column that begins a block
    return offset(tensor.base,
                  add(mul(div(column, known(perBlock)), known(high * blockBytes)), mul(row, known(blockBytes))));
  };
  Int row = widen(offsets[0]), column = widen(offsets[1]);
  if (rows <= blocks) {
    for (int64_t i = 0; i < rows; ++i)
      emit("copy_ub_to_l1",
           {place(add(row, known(i)), column), offset(src, known(i * columns * size)), blocks, 1, 0, high - 1});
    return;
  }
  for (int64_t i = 0; i < blocks; ++i)
    emit("copy_ub_to_l1",
         {place(row, add(column, known(i * perBlock))), offset(src, known(i * blockBytes)), rows, 1, blocks - 1, 0});
}

LogicalResult Lowering::storeToUb(Operation *op, Value stored, Value target, ValueRange offsets) {
  auto type = cast<tile::TileType>(stored.getType());
  bool relu = false;
  Value acc = accumulatorOf(stored, relu);
  FailureOr<isa::QuantMode> quant = quantOf(op, type.getElementType());
  if (failed(quant))
    return failure();
  settle(acc);
  const GlobalTensor &tensor = tensors.find(target)->second;
  DirectWay way = *directWayOf(arrayOf(target));
  // What of the whole tile this is; each core has `share` along the axis.
  int64_t first[2], count[2], share[2];
  for (int i : {0, 1}) {
    isa::Range at = isa::rangeOf(offsets[i], isa::Arithmetic::IsExact);
    if (!at.isOne())
      return op->emitError() << "a part of a result goes to the vector cores from a place that is not known";
    first[i] = int64_t(at.low);
    count[i] = type.getShape()[i];
    share[i] = *get(tensor.dims[i]) / (i == way.axis ? way.cores : 1);
  }
  int64_t size = sizeOf(type.getElementType()), high = roundUp(count[0], fractalRows), pitch = share[1];
  auto write = [&](int64_t row, int64_t column, int64_t rows, int64_t columns, int64_t core, int64_t dual) {
    int64_t inUb = (row % share[0] * pitch + column % share[1]) * size;
    int64_t inL0c = ((column - first[1]) / fractalRows * high + (row - first[0])) * fractalRows * 4;
    emit("fixpipe_to_ub", {offset(tensor.base, known(inUb)), offset(bufferOf(acc), known(inL0c)), columns, rows, high,
                           pitch, *quant, relu ? 1 : 0, 0, core, dual, 0});
  };
  if (way.cores > 1 && way.axis == 0 && count[0] == way.cores * share[0]) {
    write(first[0], first[1], count[0], count[1], 0, 1);
    return success();
  }
  for (int64_t core = 0; core < way.cores; ++core) {
    int64_t begin[2], end[2];
    for (int i : {0, 1}) {
      int64_t from = i == way.axis ? core * share[i] : 0;
      begin[i] = std::max(first[i], from);
      end[i] = std::min(first[i] + count[i], from + share[i]);
    }
    if (begin[0] < end[0] && begin[1] < end[1])
      write(begin[0], begin[1], end[0] - begin[0], end[1] - begin[1], core, 0);
  }
  return success();
}

} // namespace tilesmith
