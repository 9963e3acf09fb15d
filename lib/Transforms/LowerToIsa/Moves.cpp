// Loads, stores and single elements of global memory.
//
// A tile is clipped to the tensor in every dimension, on both sides. Dimensions that the tile spans completely merge
// into one, so full rows travel as one block; where only the launch knows that they do, a test decides. A tile that is
// known to lie inside needs no test. One that can be partial is loaded under a test: whole tiles take the plain copy,
// partial ones are filled with the padding first. Stores need no test, only sizes computed at run time; a move of
// nothing is no move.
#include "Lowering.h"
#include "tilesmith/Dialect/Isa/Ranges.h"

using namespace mlir;

namespace tilesmith {

static constexpr int64_t maxBlocks = 4095; // of one DataCopyPad

LogicalResult Lowering::lowerTensor(tile::TensorOp op) {
  GlobalTensor tensor;
  int64_t size = sizeOf(op.getType().getElementType());
  if (size == 0)
    return op.emitError() << "a tensor of i1 cannot be read or written; use int8";
  Value slot = slots.lookup(op.getBase()), base = slot ? slot : Value(op.getBase());
  tensor.base = op.getOffset() ? offset(base, mul(widen(op.getOffset()), known(size))) : base;
  auto dynamic = op.getDims().begin();
  for (int64_t dim : op.getType().getShape())
    tensor.dims.push_back(ShapedType::isDynamic(dim) ? widen(*dynamic++) : known(dim));
  tensor.isDense = op.getStrides().empty();
  for (Value stride : op.getStrides())
    tensor.strides.push_back(widen(stride));
  if (!tensor.isDense && !is(tensor.strides.back(), 1))
    return op.emitError() << "the last dimension of a tensor must have stride 1 here";
  Int stride = known(1);
  if (tensor.isDense)
    tensor.strides.resize(tensor.dims.size());
  for (size_t i = tensor.dims.size(); tensor.isDense && i-- > 0;) {
    tensor.strides[i] = stride;
    if (i)
      stride = mul(stride, tensor.dims[i]);
  }
  tensors[op.getResult()] = tensor;
  return success();
}

LogicalResult Lowering::lowerLimit(tile::LimitOp op) {
  GlobalTensor tensor = tensors.find(op.getTensor())->second;
  Int &extent = tensor.dims[op.getAxis()];
  extent = min(extent, widen(op.getEnd()));
  tensor.isDense &= op.getAxis() == 0; // rows are as long as before
  tensors[op.getResult()] = tensor;
  return success();
}

Axis Lowering::clipAxis(Int extent, Int stride, Value start, int64_t tile) {
  Axis axis{extent, stride, widen(start), tile, known(0), known(tile)};
  isa::Range range = isa::rangeOf(start, isa::Arithmetic::IsExact);
  if (range.low < 0)
    axis.low = clamp(sub(known(0), axis.start), known(0), known(tile));
  auto knownExtent = get(extent);
  if (!knownExtent || range.high > *knownExtent - tile)
    axis.high = clamp(sub(extent, axis.start), known(0), known(tile));
  return axis;
}

SmallVector<Axis> Lowering::clip(const GlobalTensor &tensor, ValueRange offsets, ArrayRef<int64_t> shape) {
  SmallVector<Axis> axes;
  for (auto [extent, stride, start, tile] : llvm::zip(tensor.dims, tensor.strides, offsets, shape))
    axes.push_back(clipAxis(extent, stride, start, tile));
  // A dimension the tile spans completely continues the one before it.
  while (tensor.isDense && axes.size() > 1) {
    Axis &last = axes.back(), &before = axes[axes.size() - 2];
    if (!is(last.start, 0) || !is(last.extent, last.tile))
      break;
    Int factor = known(last.tile);
    before = {mul(before.extent, factor), last.stride,
              mul(before.start, factor),  before.tile * last.tile,
              mul(before.low, factor),    mul(before.high, factor)};
    axes.pop_back();
  }
  return axes;
}

static Int isPartial(Emitter &e, ArrayRef<Axis> axes) {
  Int partial = e.truth(false);
  for (const Axis &axis : axes) {
    partial = e.either(partial, e.less(e.known(0), axis.low));
    partial = e.either(partial, e.less(axis.high, e.known(axis.tile)));
  }
  return partial;
}

// How many indices are inside.
Int Lowering::extentOf(const Axis &axis) {
  return is(axis.low, 0) ? axis.high : max(sub(axis.high, axis.low), known(0));
}

// Whether rows follow each other without gaps both in GM and, `pitch` elements apart, in UB: they can then travel as
// one piece, and memory is paid for each piece.
Int Lowering::isOneRun(Int count, Int length, Int rowStride, int64_t pitch) {
  if (is(count, 1) || is(rowStride, 0))
    return truth(false);
  return both(equal(length, known(pitch)), equal(rowStride, known(pitch)));
}

// Calls `copy` for every plane of rows and columns: loops over the dimensions before the last two.
void Lowering::forEachPlane(const GlobalTensor &tensor, ArrayRef<Axis> axes, int64_t pitch, bool whole,
                            CopyBlocks copy) {
  int64_t size = sizeOfElement(tensor.base);
  auto low = [&](const Axis &axis) { return whole ? known(0) : axis.low; };
  auto high = [&](const Axis &axis) { return whole ? known(axis.tile) : axis.high; };
  auto stride = [&](size_t i) { return axes[i].stride; }; // merged dimensions have that of the one they ended with
  Axis cols = axes.back();
  cols.low = low(cols), cols.high = high(cols);
  std::function<void(size_t, Int, Int, Int)> descend = [&](size_t i, Int gm, Int row, Int present) {
    if (axes.size() >= 2 && i + 2 < axes.size()) {
      const Axis &axis = axes[i];
      auto step = [&](Int index, Int here) {
        descend(i + 1, add(gm, mul(add(axis.start, index), stride(i))), add(mul(row, known(axis.tile)), index), here);
      };
      if (axis.tile == 1)
        step(known(0), mul(present, sub(high(axis), low(axis))));
      else
        loop(low(axis), high(axis), [&](Int index) { step(index, present); });
      return;
    }
    // The last two dimensions; a tile of one dimension is one row.
    Axis rows{known(1), known(0), known(0), 1, known(0), known(1)};
    Int rowStride = known(0);
    if (axes.size() >= 2) {
      rows = axes[i];
      rowStride = stride(i);
    }
    Int first = axes.size() >= 2 ? low(rows) : known(0), end = axes.size() >= 2 ? high(rows) : known(1);
    Int gmRow = axes.size() >= 2 ? add(gm, mul(add(rows.start, first), rowStride)) : gm;
    Int count = mul(is(first, 0) ? end : max(sub(end, first), known(0)), present);
    Int ubRow = add(mul(row, known(rows.tile)), first);
    Int gmBytes = mul(add(gmRow, add(cols.start, cols.low)), known(size));
    // More rows than one call takes: pieces of maxBlocks.
    for (int64_t done = 0; done < rows.tile; done += maxBlocks) {
      Int piece = rows.tile <= maxBlocks ? count : clamp(sub(count, known(done)), known(0), known(maxBlocks));
      copy(add(gmBytes, mul(known(done * size), rowStride)), mul(add(ubRow, known(done)), known(pitch)), piece, cols,
           rowStride);
    }
  };
  descend(0, known(0), known(0), known(1));
}

LogicalResult Lowering::lowerLoad(tile::LoadOp op) {
  tile::TileType type = op.getType();
  const GlobalTensor &tensor = tensors.find(op.getTensor())->second;
  int64_t size = sizeOf(type.getElementType()), perBlock = blockBytes / size;
  Value dst = wanted.lookup(op.getResult());
  if (!dst)
    dst = allocFor(op.getResult(), "load");
  buffers[op.getResult()] = dst;

  SmallVector<Axis> axes = clip(tensor, op.getOffsets(), type.getShape());
  // Each row starts on 32 bytes: rows of another length travel through a buffer that spaces them out.
  int64_t rowLength = axes.back().tile, rows = type.getNumElements() / rowLength;
  int64_t pitch = rows == 1 ? rowLength : roundUp(rowLength, perBlock);
  Value target = pitch == rowLength ? dst : temporary(type.getElementType(), rows * pitch);

  // 64-bit elements can be padded with zero alone; another value takes its place afterwards.
  bool padsByElement = size == 8 && !matchPattern(op.getPad(), m_Zero());
  Value pad = padsByElement ? scalar(type.getElementType(), 0) : op.getPad();

  auto copyIn = [&](bool whole) {
    forEachPlane(
        tensor, axes, pitch, whole, [&](Int gmBytes, Int ubElements, Int count, const Axis &cols, Int rowStride) {
          // Columns before the tensor: whole blocks are skipped, the rest is left padding of the first block.
          Int skipped = mul(div(cols.low, known(perBlock)), known(perBlock));
          Int leftPad = sub(cols.low, skipped), length = extentOf(cols);
          Int used = add(leftPad, length),
              rounded = mul(div(add(used, known(perBlock - 1)), known(perBlock)), known(perBlock));
          Int rightPad = whole ? known(0) : sub(rounded, used);
          Int srcGap = known(0), dstGap = known(0);
          if (!is(count, 1) && axes.size() >= 2) {
            srcGap = mul(sub(rowStride, length), known(size));
            dstGap = div(mul(max(sub(known(pitch), rounded), known(0)), known(size)), known(blockBytes));
          }
          Value from = offset(tensor.base, gmBytes);
          auto rowByRow = [&] {
            emit("copy_gm_to_ub", {offset(target, mul(add(ubElements, skipped), known(size))), from, count,
                                   mul(length, known(size)), srcGap, dstGap, whole ? 0 : 1, leftPad, rightPad, pad});
          };
          when(
              isOneRun(count, length, rowStride, pitch),
              [&] {
                emit("copy_gm_to_ub", {offset(target, mul(ubElements, known(size))), from, 1,
                                       mul(count, known(pitch * size)), 0, 0, 0, 0, 0, pad});
              },
              rowByRow);
          if (whole || !padsByElement)
            return;
          auto padElements = [&](Int row, Int first, Int end) {
            loop(first, end, [&](Int column) {
              Int element = add(add(ubElements, mul(row, known(pitch))), column);
              emit("set_value", {offset(target, mul(element, known(size))), op.getPad()});
            });
          };
          loop(known(0), count, [&](Int row) {
            padElements(row, skipped, cols.low);
            padElements(row, add(skipped, used), add(skipped, rounded));
          });
        });
  };
  when(
      isPartial(*this, axes),
      [&] {
        fill(target, op.getPad(), rows * pitch);
        copyIn(/*whole=*/false);
      },
      [&] { copyIn(/*whole=*/true); });
  if (target != dst)
    repack(dst, rowLength, target, pitch, rows, rowLength);
  return success();
}

LogicalResult Lowering::lowerStore(Operation *op, Value stored, Value target, ValueRange offsets,
                                   const Choice &choice) {
  auto type = cast<tile::TileType>(stored.getType());
  if (type.getMemory() != isa::Memory::UB) {
    if (!choice.isAll())
      return op->emitError() << "the result of a matrix product can only be stored as a whole";
    return lowerCubeStore(op, stored, target, offsets);
  }
  const GlobalTensor &tensor = tensors.find(target)->second;
  int64_t perBlock = blockBytes / sizeOf(type.getElementType());
  Value src = bufferOf(stored);
  if (cast<isa::BufferType>(tensor.base.getType()).getMemory() == isa::Memory::L1)
    return storeToL1(tensor, src, type, offsets), success();
  SmallVector<Axis> axes = clip(tensor, offsets, type.getShape());
  int64_t rowLength = axes.back().tile, rows = type.getNumElements() / rowLength;
  int64_t pitch = rows == 1 ? rowLength : roundUp(rowLength, perBlock);
  if (pitch != rowLength) {
    Value spaced = temporary(type.getElementType(), rows * pitch);
    repack(spaced, pitch, src, rowLength, rows, rowLength);
    src = spaced;
  }
  for (ArrayRef<Axis> box : boxesOf(axes, choice))
    storeBox(tensor, box, src, pitch);
  return success();
}

void Lowering::storeBox(const GlobalTensor &tensor, ArrayRef<Axis> axes, Value src, int64_t pitch) {
  int64_t size = sizeOfElement(src), perBlock = blockBytes / size;
  forEachPlane(
      tensor, axes, pitch, false, [&](Int gmBytes, Int ubElements, Int count, const Axis &cols, Int rowStride) {
        Int length = extentOf(cols);
        if (is(length, 0))
          return; // all of it lies outside the tensor
        Value to = offset(tensor.base, gmBytes), from = offset(src, mul(add(ubElements, cols.low), known(size)));
        auto rowByRow = [&] {
          Int srcGap = known(0), dstGap = known(0);
          if (!is(count, 1) && axes.size() >= 2) {
            Int rounded = mul(div(add(length, known(perBlock - 1)), known(perBlock)), known(perBlock));
            srcGap = div(mul(max(sub(known(pitch), rounded), known(0)), known(size)), known(blockBytes));
            dstGap = mul(sub(rowStride, length), known(size));
          }
          emit("copy_ub_to_gm", {to, from, count, mul(length, known(size)), srcGap, dstGap});
        };
        auto blocks = [&] {
          when(
              isOneRun(count, length, rowStride, pitch),
              [&] { emit("copy_ub_to_gm", {to, from, 1, mul(count, known(pitch * size)), 0, 0}); }, rowByRow);
        };
        // Blocks start on 32 bytes of UB. Columns cut off on the left can break that; then each row moves to such a
        // place first.
        Int aligned = is(cols.low, 0) ? truth(true) : equal(rem(cols.low, known(perBlock)), known(0));
        when(aligned, blocks, [&] {
          Value row = temporary(elementOf(src), get(length).value_or(cols.tile));
          loop(known(0), count, [&](Int index) {
            loop(known(0), length, [&](Int col) {
              Value at = offset(from, mul(add(mul(index, known(pitch)), col), known(size)));
              Value element = emit("get_value", {at}, tile::scalarTypeOf(elementOf(src)))->getResult(0);
              emit("set_value", {offset(row, mul(col, known(size))), element});
            });
            emit("copy_ub_to_gm",
                 {offset(to, mul(mul(index, rowStride), known(size))), row, 1, mul(length, known(size)), 0, 0});
          });
        });
      });
}

LogicalResult Lowering::lowerAtomic(tile::AtomicOp op) {
  Type type = op.getValue().getType().getElementType();
  if (type.isUnsignedInteger() || type.isInteger(64))
    return noInstruction(op, ("atomic " + tile::stringifyAtomicKind(op.getKind())).str(), type, arch);
  emit("set_atomic", {isa::AtomicOp(int64_t(op.getKind()))});
  if (failed(lowerStore(op, op.getValue(), op.getTensor(), op.getOffsets(), Choice(op.getCount(), op.getBits()))))
    return failure();
  emit("set_atomic", {isa::AtomicOp::None});
  return success();
}

// Bytes from the tensor's start to one element; `inside` says whether it exists.
Int Lowering::elementAddress(const GlobalTensor &tensor, ValueRange offsets, Int &inside) {
  inside = truth(true);
  Int element = known(0);
  for (auto [extent, stride, start] : llvm::zip(tensor.dims, tensor.strides, offsets)) {
    Int index = widen(start);
    isa::Range range = isa::rangeOf(start, isa::Arithmetic::IsExact);
    if (range.low < 0)
      inside = both(inside, less(known(-1), index));
    auto knownExtent = get(extent);
    if (!knownExtent || range.high >= *knownExtent)
      inside = both(inside, less(index, extent));
    element = add(element, mul(index, stride));
  }
  return mul(element, known(sizeOfElement(tensor.base)));
}

LogicalResult Lowering::lowerGet(tile::GetOp op) {
  const GlobalTensor &tensor = tensors.find(op.getTensor())->second;
  Int inside;
  Value at = offset(tensor.base, elementAddress(tensor, op.getOffsets(), inside));
  op.getResult().replaceAllUsesWith(emit("get_value", {at}, op.getResult().getType())->getResult(0));
  return success();
}

LogicalResult Lowering::lowerSet(tile::SetOp op) {
  const GlobalTensor &tensor = tensors.find(op.getTensor())->second;
  Int inside;
  Int bytes = elementAddress(tensor, op.getOffsets(), inside);
  when(inside, [&] { emit("set_value", {offset(tensor.base, bytes), op.getValue()}); });
  return success();
}

} // namespace tilesmith
