// Repeating, cutting and joining tiles, as instructions through UB.
#include "Lowering.h"

using namespace mlir;

namespace tilesmith {

LogicalResult Lowering::lowerExtract(tile::ExtractOp op) {
  Type type = op.getResult().getType();
  if (arch == isa::Arch::C310 && !isScalarNeeded(op))
    return success(); // vector functions read the tile itself
  if (type.isInteger(1))
    return op.emitError() << "one bit of a mask cannot be read as a scalar";
  op.getResult().replaceAllUsesWith(emit("get_value", {bufferOf(op.getOperand())}, type)->getResult(0));
  return success();
}

//===-- Broadcast
//---------------------------------------------------------------------------------------------------===//

void forRepeats(int64_t repeats, int64_t most, llvm::function_ref<void(int64_t, int64_t)> body) {
  for (int64_t done = 0; done < repeats; done += most)
    body(done, std::min(most, repeats - done));
}

// One 32-byte block for each element, filled with it. `available`: how many elements can be read, if more than that.
Value Lowering::broadcastElements(Value src, int64_t elements, int64_t available) {
  Type type = elementOf(src);
  int64_t whole = roundUp(elements, 8);
  if (whole > std::max(elements, available)) { // Brcb reads eight at a time
    Value padded = temporary(type, whole);
    fill(padded, scalar(type, 0), whole);
    copyElements(padded, src, elements);
    src = padded;
  }
  Value blocks = alloc(isa::Memory::UB, type, whole * blockBytes);
  forRepeats(whole / 8, 240, [&](int64_t done, int64_t repeats) {
    emit("brcb",
         {offset(blocks, known(done * repeatBytes)), offset(src, known(done * 8 * sizeOf(type))), repeats, 1, 8});
  });
  return blocks;
}

void Lowering::repeatElements(Value dst, Value src, int64_t rows, int64_t cols) {
  Type type = elementOf(src);
  int64_t size = sizeOf(type), lanes = lanesOf(type), perBlock = blockBytes / size;
  if (cols % perBlock && rows > 1) {
    int64_t pitch = roundUp(cols, perBlock);
    Value spaced = temporary(type, rows * pitch);
    repeatElements(spaced, src, rows, pitch);
    repack(dst, cols, spaced, pitch, rows, cols);
    return;
  }
  Value blocks = broadcastElements(src, rows);
  int64_t rowBlocks = divideUp(cols, perBlock), chunks = divideUp(cols, lanes);
  if (rows >= chunks && rowBlocks <= 255) {
    for (int64_t chunk = 0; chunk < chunks; ++chunk)
      forRepeats(rows, 255, [&](int64_t row, int64_t repeats) {
        emit("copy_r",
             {offset(dst, known(row * cols * size + chunk * repeatBytes)), offset(blocks, known(row * blockBytes)),
              std::min(lanes, cols - chunk * lanes), repeats, 1, 0, rowBlocks, 1});
      });
    return;
  }
  loop(known(0), known(rows), [&](Int row) {
    Value to = offset(dst, mul(row, known(cols * size))), from = offset(blocks, mul(row, known(blockBytes)));
    forRepeats(cols / lanes, 255, [&](int64_t done, int64_t repeats) {
      emit("copy_r", {offset(to, known(done * repeatBytes)), from, lanes, repeats, 1, 0, 8, 0});
    });
    if (cols % lanes)
      emit("copy_r", {offset(to, known(cols / lanes * repeatBytes)), from, cols % lanes, 1, 1, 0, 8, 0});
  });
}

void Lowering::repeatRow(Value dst, Value src, int64_t rows, int64_t cols) {
  Type type = elementOf(src);
  int64_t size = sizeOf(type), lanes = lanesOf(type), perBlock = blockBytes / size;
  if (cols % perBlock && rows > 1) {
    repack(dst, cols, src, 0, rows, cols);
    return;
  }
  int64_t rowBlocks = divideUp(cols, perBlock), chunks = divideUp(cols, lanes);
  if (rows >= chunks && rowBlocks <= 255) {
    for (int64_t chunk = 0; chunk < chunks; ++chunk)
      forRepeats(rows, 255, [&](int64_t row, int64_t repeats) {
        emit("copy_r",
             {offset(dst, known(row * cols * size + chunk * repeatBytes)), offset(src, known(chunk * repeatBytes)),
              std::min(lanes, cols - chunk * lanes), repeats, 1, 1, rowBlocks, 0});
      });
    return;
  }
  loop(known(0), known(rows), [&](Int row) { copyElements(offset(dst, mul(row, known(cols * size))), src, cols); });
}

LogicalResult Lowering::lowerBroadcast(tile::BroadcastOp op) {
  ArrayRef<int64_t> to = op.getType().getShape();
  Type type = op.getType().getElementType();
  if (type.isInteger(1) || !supports("brcb", type))
    return noInstruction(op, "broadcasting", type, arch);
  if (arch == isa::Arch::C220 && foldsBroadcast(op))
    return success();
  SmallVector<int64_t> from(to.size() - op.getOperand().getType().getRank(), 1);
  llvm::append_range(from, op.getOperand().getType().getShape());
  // Runs of neighbouring repeated axes, innermost first; each step repeats one run.
  SmallVector<std::array<int64_t, 3>> steps; // outer, repeated, inner
  int64_t inner = 1;
  for (int64_t axis = to.size() - 1; axis >= 0; --axis) {
    int64_t repeated = 1;
    for (; axis >= 0 && from[axis] == 1; --axis)
      repeated *= to[axis];
    int64_t outer = 1;
    for (int64_t i = axis; i >= 0; --i)
      outer *= from[i];
    if (repeated > 1)
      steps.push_back({outer, repeated, inner});
    inner *= repeated * (axis >= 0 ? to[axis] : 1);
  }
  Value src = bufferOf(op.getOperand());
  if (steps.empty()) {
    buffers[op.getResult()] = src;
    return success();
  }
  int64_t size = sizeOf(type);
  for (auto [index, step] : llvm::enumerate(steps)) {
    auto [outer, repeated, inner] = step;
    bool last = index + 1 == steps.size();
    Value dst =
        last ? destination(op.getResult(), {op.getOperand()}, false) : temporary(type, outer * repeated * inner);
    if (inner == 1)
      repeatElements(dst, src, outer, repeated);
    else if (outer == 1)
      repeatRow(dst, src, repeated, inner);
    else if (inner * size % blockBytes)
      loop(known(0), known(outer), [&, inner = inner, repeated = repeated](Int o) {
        repack(offset(dst, mul(o, known(repeated * inner * size))), inner, offset(src, mul(o, known(inner * size))), 0,
               repeated, inner);
      });
    else
      loop(known(0), known(outer), [&, inner = inner, repeated = repeated](Int o) {
        repeatRow(offset(dst, mul(o, known(repeated * inner * size))), offset(src, mul(o, known(inner * size))),
                  repeated, inner);
      });
    src = dst;
  }
  return success();
}

//===-- Copy and concat
//---------------------------------------------------------------------------------------------===//

LogicalResult Lowering::lowerCopy(tile::CopyOp op) {
  tile::TileType from = op.getOperand().getType(), to = op.getType();
  Type type = to.getElementType();
  if (from.getMemory() != isa::Memory::UB)
    return op.emitError() << "a tile in " << isa::stringify(from.getMemory()) << " cannot be copied to UB on "
                          << isa::stringify(arch);
  if (type.isInteger(1))
    return op.emitError() << "legalise-dtypes must run before lower-to-isa: masks are not copied in parts";
  int64_t rank = to.getRank(), size = sizeOf(type);
  SmallVector<Int> starts;
  for (Value start : op.getOffsets())
    starts.push_back(widen(start));
  for (int64_t i = 0; i < rank; ++i)
    if (auto start = get(starts[i]); start && (*start < 0 || *start + to.getShape()[i] > from.getShape()[i]))
      return op.emitError() << "the copied part ends at " << *start + to.getShape()[i] << " in dimension " << i
                            << ", outside the tile of size " << from.getShape()[i];
  if (seeRows(op))
    return success();
  Value src = bufferOf(op.getOperand()), dst = destination(op.getResult(), {op.getOperand()}, false);
  int64_t cols = to.getShape().back(), fromCols = from.getShape().back();
  bool aligned = cols * size % blockBytes == 0 && fromCols * size % blockBytes == 0 && get(starts.back()) &&
                 *get(starts.back()) * size % blockBytes == 0;
  bool oneRow = to.getNumElements() == cols;
  aligned |= oneRow && get(starts.back()) && *get(starts.back()) * size % blockBytes == 0 &&
             (fromCols * size % blockBytes == 0 || from.getNumElements() == fromCols);
  std::function<void(int64_t, Int, Int)> descend = [&](int64_t i, Int srcElement, Int dstElement) {
    if (i + 1 < rank) {
      loop(known(0), known(to.getShape()[i]), [&](Int index) {
        descend(i + 1, mul(add(srcElement, add(starts[i], index)), known(from.getShape()[i + 1])),
                mul(add(dstElement, index), known(to.getShape()[i + 1])));
      });
      return;
    }
    Value source = offset(src, mul(add(srcElement, starts[i]), known(size))),
          target = offset(dst, mul(dstElement, known(size)));
    if (aligned)
      copyElements(target, source, cols);
    else
      repack(target, cols, source, cols, 1, cols);
  };
  descend(0, known(0), known(0));
  return success();
}

LogicalResult Lowering::lowerConcat(tile::ConcatOp op) {
  Type type = op.getType().getElementType();
  if (type.isInteger(1))
    return op.emitError() << "masks cannot be joined";
  Value dst = destination(op.getResult(), llvm::to_vector(op.getOperands()), false);
  int64_t done = 0;
  for (Value operand : op.getOperands()) {
    int64_t count = cast<tile::TileType>(operand.getType()).getNumElements(), bytes = done * sizeOf(type);
    if (bytes % blockBytes)
      repack(offset(dst, known(bytes)), count, bufferOf(operand), count, 1, count);
    else
      copyElements(offset(dst, known(bytes)), bufferOf(operand), count);
    done += count;
  }
  return success();
}

} // namespace tilesmith
