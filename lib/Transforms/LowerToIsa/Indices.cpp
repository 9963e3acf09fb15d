// Elements by their positions: counting, gathering, scattering, turning squares, sums of beginnings, sorting.
//
// Positions count elements and instructions bytes, so positions are multiplied first. What an architecture has no
// instruction for, and rows that do not start on 32 bytes, the scalar unit does element by element.
#include "Lowering.h"

using namespace mlir;

namespace tilesmith {

static tile::TileType typeOf(Value tile) { return cast<tile::TileType>(tile.getType()); }

LogicalResult Lowering::lowerArange(tile::ArangeOp op) {
  Type type = op.getType().getElementType();
  if (!supports("arange", type))
    return noInstruction(op, "counting", type, arch);
  emit("arange",
       {destination(op.getResult(), {}, false), scalar(type, 0), scalar(type, 1), op.getType().getNumElements()});
  return success();
}

static int64_t bytesOf(tile::TileType type) { return type.getNumElements() * Emitter::sizeOf(type.getElementType()); }

// Positions as offsets in bytes.
Value Lowering::offsetsOf(Value index, int64_t count, int64_t size) {
  Value bytes = temporary(b.getI32Type(), count);
  emit("muls", {bytes, index, scalar(b.getI32Type(), double(size)), count});
  return view(bytes, b.getIntegerType(32, /*isSigned=*/false));
}

LogicalResult Lowering::lowerGather(tile::GatherOp op) {
  Type type = op.getType().getElementType();
  if (!supports("gather", type))
    return noInstruction(op, "gathering", type, arch);
  if (!op.getInside())
    return op.emitError() << "expand-indices must run before lower-to-isa: positions may lie outside the tile";
  tile::TileType from = op.getOperand().getType();
  int64_t count = op.getType().getNumElements();
  Value offsets = offsetsOf(bufferOf(op.getIndex()), count, sizeOf(type)), src = bufferOf(op.getOperand());
  Value dst = destination(op.getResult(), {op.getOperand(), op.getIndex()}, false);
  emit("gather", {dst, src, offsets, 0, bytesOf(from), count});
  return success();
}

LogicalResult Lowering::lowerScatter(tile::ScatterOp op) {
  tile::TileType type = op.getType();
  Type element = type.getElementType(), natural = b.getIntegerType(32, /*isSigned=*/false);
  int64_t elements = type.getNumElements(), count = op.getSource().getType().getNumElements(), size = sizeOf(element);
  Value into = bufferOf(op.getOperand()), from = bufferOf(op.getSource()), index = bufferOf(op.getIndex());
  Value dst = destination(op.getResult(), {op.getOperand(), op.getSource(), op.getIndex()}, false);
  if (supports("scatter", element) && supports("mins", natural)) {
    // What lies outside, negative numbers too, goes to an element behind the tile that nobody reads.
    Value room = temporary(element, elements + 1), inside = temporary(b.getI32Type(), count);
    fill(room, scalar(element, 0), elements + 1);
    copyElements(room, into, elements);
    emit("mins", {view(inside, natural), view(index, natural), scalar(natural, double(elements)), count});
    emit("scatter", {room, from, offsetsOf(inside, count, size), 0, (elements + 1) * size, count});
    copyElements(dst, room, elements);
    return success();
  }
  copyElements(dst, into, elements);
  loop(known(0), known(count), [&](Int i) {
    Int at = widen(readElement(index, i));
    when(both(less(known(-1), at), less(at, known(elements))),
         [&] { emit("set_value", {offset(dst, mul(at, known(size))), readElement(from, i)}); });
  });
  return success();
}

//===- Squares
//--------------------------------------------------------------------------------------------------------===//

// Squares of 16 x 16 elements of 16 bits. The instruction takes one whose rows follow each other, so those of a strip
// are packed first and put in their places afterwards.
LogicalResult Lowering::lowerTranspose(tile::TransposeOp op) {
  tile::TileType type = op.getOperand().getType();
  Type element = type.getElementType(), half = b.getI16Type();
  int64_t rank = type.getRank(), rows = type.getShape()[rank - 2], cols = type.getShape()[rank - 1];
  if (sizeOf(element) != 2 || rows % fractalRows || cols % fractalRows)
    return op.emitError() << "expand-indices must run before lower-to-isa: only squares of 16 bits are turned";
  int64_t count = type.getNumElements() / (rows * cols), squares = cols / fractalRows;
  Value src = view(bufferOf(op.getOperand()), half);
  Value dst = view(destination(op.getResult(), {op.getOperand()}, false), half);
  bool packs = cols != fractalRows, spreads = rows != fractalRows;
  Value packed = packs ? temporary(half, fractalRows * cols) : Value();
  Value turned = spreads ? temporary(half, fractalRows * cols) : Value();
  // Sixteen rows of 32 bytes, `toBlocks` and `fromBlocks` blocks apart.
  auto copyRows = [&](Value to, int64_t toBlocks, Value from, int64_t fromBlocks) {
    emit("copy_r", {to, from, lanesOf(half), 2, toBlocks, fromBlocks, 8 * toBlocks, 8 * fromBlocks});
  };
  loop(known(0), known(count), [&](Int matrix) {
    Int start = mul(matrix, known(rows * cols * 2));
    repeat(rows / fractalRows, [&](Int strip) {
      Value strips = offset(src, add(start, mul(strip, known(fractalRows * cols * 2))));
      for (int64_t square = 0; packs && square < squares; ++square)
        copyRows(offset(packed, known(square * fractalBytes)), 1, offset(strips, known(square * blockBytes)), squares);
      Value from = packs ? packed : strips, to = spreads ? turned : offset(dst, start);
      for (int64_t square = 0; square < squares; ++square)
        emit("transpose", {offset(to, known(square * fractalBytes)), offset(from, known(square * fractalBytes))});
      Value target = offset(dst, add(start, mul(strip, known(blockBytes))));
      for (int64_t square = 0; spreads && square < squares; ++square)
        copyRows(offset(target, known(square * fractalRows * rows * 2)), rows / fractalRows,
                 offset(turned, known(square * fractalBytes)), 1);
    });
  });
  return success();
}

//===- Sums of beginnings
//---------------------------------------------------------------------------------------------===//

LogicalResult Lowering::lowerCumsum(tile::CumsumOp op) {
  tile::TileType type = op.getType();
  Type element = type.getElementType();
  int64_t axis = op.getAxis(), outer = 1, length = type.getShape()[axis], inner = 1, size = sizeOf(element);
  for (int64_t i = 0; i < type.getRank(); ++i)
    (i < axis ? outer : i > axis ? inner : length) *= i == axis ? 1 : type.getShape()[i];
  Value src = bufferOf(op.getOperand()), dst = destination(op.getResult(), {op.getOperand()}, true);
  if (supports("add", element) && inner * size % blockBytes == 0) {
    loop(known(0), known(outer), [&](Int o) {
      Int start = mul(o, known(length * inner * size));
      auto row = [&](Value buffer, Int i) { return offset(buffer, add(start, mul(i, known(inner * size)))); };
      if (src != dst)
        copyElements(row(dst, known(0)), row(src, known(0)), inner);
      repeat(length - 1, [&](Int i) {
        Int next = add(i, known(1));
        emit("add", {row(dst, next), row(dst, i), row(src, next), inner});
      });
    });
    return success();
  }
  bool isFloat = llvm::isa<FloatType>(element);
  loop(known(0), known(outer), [&](Int o) {
    loop(known(0), known(inner), [&](Int column) {
      Int first = add(mul(o, known(length * inner)), column);
      Value zero = scalar(element, 0);
      auto sums = scf::ForOp::create(b, loc, value(0), value(length), value(1), ValueRange{zero});
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(sums.getBody());
      Int at = add(first, mul(Int(sums.getInductionVar()), known(inner)));
      Value before = sums.getRegionIterArg(0), next = readElement(src, at);
      Value sum = isFloat ? arith::AddFOp::create(b, loc, before, next).getResult()
                          : arith::AddIOp::create(b, loc, before, next).getResult();
      emit("set_value", {offset(dst, mul(at, known(size))), sum});
      scf::YieldOp::create(b, loc, sum);
    });
  });
  return success();
}

//===- Sorting
//--------------------------------------------------------------------------------------------------------===//

// Records of a score and its position, 8 bytes each, in sorted lists that are merged four by four.
LogicalResult Lowering::lowerSort(tile::SortOp op) {
  static constexpr int64_t list = 32, record = 8, mostLists = 4, longestList = 4095, mostRepeats = 255;
  tile::TileType type = op.getOperand().getType();
  Type element = type.getElementType(), word = b.getI32Type();
  int64_t length = type.getShape().back(), kept = op.getValues().getType().getShape().back(), size = sizeOf(element);
  int64_t rows = type.getNumElements() / length, padded = roundUp(length, list);
  if (padded > mostLists * longestList)
    return op.emitError() << "rows of at most " << mostLists * longestList / list * list
                          << " elements are sorted, not of " << length;
  Value src = bufferOf(op.getOperand());
  Value values = destination(op.getValues(), {op.getOperand()}, false);
  Value positions = destination(op.getPositions(), {op.getOperand()}, false);
  // Scores as the instructions take them: records of halves are four of them long.
  Value lists[2] = {temporary(element, padded * record / size), temporary(element, padded * record / size)};
  Value index = temporary(word, padded);
  emit("arange", {index, scalar(word, 0), scalar(word, 1), padded});
  index = view(index, b.getIntegerType(32, /*isSigned=*/false));
  bool aligned = rows == 1 || length * size % blockBytes == 0;
  Value scores = padded == length && aligned ? Value() : temporary(element, padded);
  bool spaced = rows > 1 && (kept * size % blockBytes || kept * 4 % blockBytes);
  Value valueRow = spaced ? temporary(element, kept) : Value(), positionRow = spaced ? temporary(word, kept) : Value();

  loop(known(0), known(rows), [&](Int row) {
    Value from = offset(src, mul(row, known(length * size)));
    if (scores) {
      if (padded != length) // what is added comes last, behind elements of the same value
        fill(scores, scalar(element, -std::numeric_limits<double>::infinity()), padded);
      if (aligned)
        copyElements(scores, from, length);
      else
        repack(scores, length, from, length, 1, length);
      from = scores;
    }
    forRepeats(padded / list, mostRepeats, [&](int64_t first, int64_t repeats) {
      emit("sort32", {offset(lists[0], known(first * list * record)), offset(from, known(first * list * size)),
                      offset(index, known(first * list * 4)), repeats});
    });
    int current = 0;
    SmallVector<int64_t> lengths(padded / list, list);
    while (lengths.size() > 1) {
      SmallVector<int64_t> merged;
      int64_t done = 0; // records
      for (size_t i = 0; i < lengths.size();) {
        // Groups of four equal lists that follow each other are one instruction.
        auto isWhole = [&](size_t at) {
          return at + mostLists <= lengths.size() &&
                 llvm::all_of(ArrayRef(lengths).slice(at, mostLists), [&](int64_t n) { return n == lengths[i]; });
        };
        int64_t repeats = 0;
        while (repeats < mostRepeats && isWhole(i + repeats * mostLists))
          ++repeats;
        size_t count = repeats ? mostLists : std::min<size_t>(mostLists, lengths.size() - i);
        repeats = std::max<int64_t>(repeats, 1);
        auto at = [&](int64_t records) { return offset(lists[current], known(records * record)); };
        SmallVector<Operand> sources;
        SmallVector<int64_t> counts(mostLists, 0);
        int64_t total = 0;
        for (size_t k = 0; k < mostLists; ++k) {
          sources.push_back(at(k < count ? done + total : done));
          counts[k] = k < count ? lengths[i + k] : 0;
          total += counts[k];
        }
        SmallVector<Operand> operands = {offset(lists[1 - current], known(done * record))};
        llvm::append_range(operands, sources);
        llvm::append_range(operands, counts);
        operands.push_back(repeats);
        operands.push_back(0);
        emit("mrg_sort", operands);
        for (int64_t r = 0; r < repeats; ++r)
          merged.push_back(total);
        done += repeats * total;
        i += repeats * count;
      }
      lengths = merged;
      current = 1 - current;
    }
    // Of every record the score: every second word, or every fourth half. The position is the other word.
    Value records = lists[current];
    Value toValues = spaced ? valueRow : offset(values, mul(row, known(kept * size)));
    Value toPositions = spaced ? positionRow : offset(positions, mul(row, known(kept * 4)));
    emit("gather_mask", {toValues, records, size == 4 ? 1 : 3, kept * record / size, 1, 1, 0});
    emit("gather_mask", {toPositions, view(records, word), 2, kept * 2, 1, 1, 0});
    if (spaced) {
      repack(offset(values, mul(row, known(kept * size))), kept, valueRow, kept, 1, kept);
      repack(offset(positions, mul(row, known(kept * 4))), kept, positionRow, kept, 1, kept);
    }
  });
  return success();
}

//===- Rows of global memory
//------------------------------------------------------------------------------------------===//

// One row of a tensor for each number: body(row of the tile, where the row of the tensor is, columns).
void Lowering::forNumberedRows(const GlobalTensor &tensor, Value rows, Value column, int64_t columns,
                               llvm::function_ref<void(Int row, Value at, const Axis &cols)> body) {
  int64_t size = sizeOfElement(tensor.base);
  Value numbers = bufferOf(rows);
  Axis cols = clipAxis(tensor.dims[1], known(1), column, columns);
  Int length = extentOf(cols);
  loop(known(0), known(typeOf(rows).getNumElements()), [&](Int row) {
    Int number = widen(readElement(numbers, row));
    Int inside = both(both(less(known(-1), number), less(number, tensor.dims[0])), less(known(0), length));
    when(inside, [&] {
      Int element = add(mul(number, tensor.strides[0]), add(cols.start, cols.low));
      body(row, offset(tensor.base, mul(element, known(size))), cols);
    });
  });
}

LogicalResult Lowering::lowerGatherRows(tile::GatherRowsOp op) {
  tile::TileType type = op.getType();
  int64_t size = sizeOf(type.getElementType()), columns = type.getShape()[1], perBlock = blockBytes / size;
  if (columns * size % blockBytes && type.getShape()[0] > 1)
    return op.emitError() << "rows of " << columns << " elements do not start on " << blockBytes << " bytes";
  Value dst = allocFor(op.getResult(), "load");
  buffers[op.getResult()] = dst;
  fill(dst, op.getPad(), type.getNumElements());
  Value pad = size == 8 ? scalar(type.getElementType(), 0) : op.getPad();
  forNumberedRows(
      tensors.find(op.getTensor())->second, op.getRows(), op.getColumn(), columns,
      [&](Int row, Value at, const Axis &cols) {
        Int length = extentOf(cols);
        Int skipped = mul(div(cols.low, known(perBlock)), known(perBlock)), left = sub(cols.low, skipped);
        Int used = add(left, length);
        Int rounded = mul(div(add(used, known(perBlock - 1)), known(perBlock)), known(perBlock));
        Value to = offset(dst, mul(add(mul(row, known(columns)), skipped), known(size)));
        Int right = sub(rounded, used);
        emit("copy_gm_to_ub",
             {to, at, 1, mul(length, known(size)), 0, 0, is(left, 0) && is(right, 0) ? 0 : 1, left, right, pad});
        if (size != 8 || matchPattern(op.getPad(), m_Zero()))
          return;
        auto padElements = [&](Int first, Int end) {
          loop(first, end, [&](Int i) { emit("set_value", {offset(to, mul(i, known(size))), op.getPad()}); });
        };
        padElements(known(0), left);
        padElements(used, rounded);
      });
  return success();
}

LogicalResult Lowering::lowerScatterRows(tile::ScatterRowsOp op) {
  tile::TileType type = op.getValue().getType();
  int64_t size = sizeOf(type.getElementType()), columns = type.getShape()[1], perBlock = blockBytes / size;
  if (columns * size % blockBytes && type.getShape()[0] > 1)
    return op.emitError() << "rows of " << columns << " elements do not start on " << blockBytes << " bytes";
  Value src = bufferOf(op.getValue());
  forNumberedRows(
      tensors.find(op.getTensor())->second, op.getRows(), op.getColumn(), columns,
      [&](Int row, Value at, const Axis &cols) {
        Int length = extentOf(cols), first = add(mul(row, known(columns)), cols.low);
        Value from = offset(src, mul(first, known(size)));
        auto store = [&](Value start) { emit("copy_ub_to_gm", {at, start, 1, mul(length, known(size)), 0, 0}); };
        // Columns cut off on the left may leave a start inside a block, which moves first.
        when(
            is(cols.low, 0) ? truth(true) : equal(rem(cols.low, known(perBlock)), known(0)), [&] { store(from); },
            [&] {
              Value moved = temporary(elementOf(src), columns);
              loop(known(0), length,
                   [&](Int i) { emit("set_value", {offset(moved, mul(i, known(size))), readElement(from, i)}); });
              store(moved);
            });
      });
  return success();
}

} // namespace tilesmith
