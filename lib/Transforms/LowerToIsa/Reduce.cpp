// Reductions, as instructions through UB.
//
// One canonical order. Along the last axis 64 lanes accumulate element j into lane j % 64, chunk after chunk, then one
// tree over neighbouring lanes. Along any other axis rows are combined lane by lane: the later half onto the earlier
// half until one row is left. What has no tree instruction (products; integers on C220) folds its 64 lanes by halves.
// Largest and smallest elements and sums of integers, which are the same in any order, take the chunks in pairs.
#include "Lowering.h"

using namespace mlir;

namespace tilesmith {

static StringRef combiner(tile::ReduceKind kind) {
  switch (kind) {
  case tile::ReduceKind::Sum:
    return "add";
  case tile::ReduceKind::Max:
    return "max";
  case tile::ReduceKind::Min:
    return "min";
  case tile::ReduceKind::Prod:
    return "mul";
  }
  return {};
}

static Value neutral(Emitter &e, tile::ReduceKind kind, Type type) {
  double infinity = std::numeric_limits<double>::infinity();
  bool isFloat = llvm::isa<FloatType>(type), isUnsigned = type.isUnsignedInteger();
  double half = isFloat ? 0 : double(int64_t(1) << (type.getIntOrFloatBitWidth() - 1));
  switch (kind) {
  case tile::ReduceKind::Sum:
    return e.scalar(type, 0);
  case tile::ReduceKind::Prod:
    return e.scalar(type, 1);
  case tile::ReduceKind::Max:
    return e.scalar(type, isFloat ? -infinity : isUnsigned ? 0 : -half);
  case tile::ReduceKind::Min:
    return e.scalar(type, isFloat ? infinity : isUnsigned ? -1 : half - 1); // -1: all bits
  }
  return {};
}

// Accumulators of each row, of a few instructions that need not wait for each other; more rows keep V at work anyway.
static int64_t accumulatorsFor(int64_t rows, int64_t wholeChunks) {
  constexpr int64_t mostBytes = 16384; // of all rows
  int64_t width = 4;
  while (width > 1 && (2 * width > wholeChunks || rows * width * repeatBytes > mostBytes))
    width /= 2;
  return width;
}

// Whether the last `chunks` of some short rows are sooner added by an instruction for each row than by one for each
// chunk, which waits for the one before. About half the repeats of either find both sources in one group of banks.
static bool isQuickerAlongRows(int64_t rows, int64_t chunks) {
  constexpr int64_t mostRows = 16, begin = 3, whole = 26; // cycles of an instruction among others, and of one alone
  return chunks > 1 && rows > 1 && rows <= mostRows &&
         whole + rows * (begin + chunks * 3 / 2) < chunks * (whole + rows * 3 / 2);
}

// Lanes as accumulateLanes makes them, in an order of its own. Both sources of an instruction are neighbours, or an
// even and an odd one, so that they lie in different groups of banks.
Value Lowering::accumulateInPairs(StringRef instruction, Value src, int64_t rows, int64_t cols, int64_t pitchBlocks,
                                  int64_t width) {
  Type type = elementOf(src);
  int64_t lanes = lanesOf(type), wide = 8 * width;
  Value accumulators = temporary(type, rows * width * lanes), acc = temporary(type, rows * lanes);
  auto own = [&](int64_t index) { return offset(accumulators, known(index * repeatBytes)); };
  auto chunk = [&](int64_t index) { return offset(src, known(index * repeatBytes)); };
  for (int64_t i = 0; i < width; ++i)
    emit(instruction, {own(i), chunk(2 * i), chunk(2 * i + 1), lanes, rows, 1, 1, 1, wide, pitchBlocks, pitchBlocks});
  for (int64_t i = 2 * width; i * lanes < cols; ++i) {
    Value to = own((i + 1) % width);
    emit(instruction, {to, to, chunk(i), std::min(lanes, cols - i * lanes), rows, 1, 1, 1, wide, wide, pitchBlocks});
  }
  if (width == 4) {
    emit(instruction, {own(0), own(0), own(1), lanes, rows, 1, 1, 1, wide, wide, wide});
    emit(instruction, {own(3), own(2), own(3), lanes, rows, 1, 1, 1, wide, wide, wide});
  }
  emit(instruction, {acc, own(0), own(width - 1), lanes, rows, 1, 1, 1, 8, wide, wide});
  return acc;
}

// Lane l of row r holds the elements l, l + lanes, l + 2 * lanes ... of the row, combined in that order. Rows of `src`
// start on 32 bytes, `pitch` elements apart and are longer than one repeat.
Value Lowering::accumulateLanes(tile::ReduceKind kind, Value src, int64_t rows, int64_t cols, int64_t pitch) {
  Type type = elementOf(src);
  StringRef op = combiner(kind);
  std::string instruction = (op + "_r").str();
  int64_t lanes = lanesOf(type), chunks = divideUp(cols, lanes), pitchBlocks = pitch * sizeOf(type) / blockBytes;
  int64_t rowBytes = pitch * sizeOf(type);
  bool down = rows >= chunks && pitchBlocks <= 255;
  bool anyOrder = !llvm::isa<FloatType>(type) || kind == tile::ReduceKind::Max || kind == tile::ReduceKind::Min;
  if (int64_t width = accumulatorsFor(rows, cols / lanes); down && anyOrder && width > 1)
    return accumulateInPairs(instruction, src, rows, cols, pitchBlocks, width);
  Value acc = temporary(type, rows * lanes);
  if (down) {
    int64_t along = cols / lanes - 2; // chunks that are taken row by row
    if (!isQuickerAlongRows(rows, along))
      along = 0;
    forRepeats(rows, 255, [&](int64_t row, int64_t repeats) {
      Value to = offset(acc, known(row * repeatBytes)), from = offset(src, known(row * rowBytes));
      int64_t chunk = 1;
      if (cols >= 2 * lanes) {
        emit(instruction,
             {to, from, offset(from, known(repeatBytes)), lanes, repeats, 1, 1, 1, 8, pitchBlocks, pitchBlocks});
        chunk = 2;
      } else {
        emit("copy_r", {to, from, lanes, repeats, 1, 1, 8, pitchBlocks});
      }
      for (int64_t each = 0; along && each < repeats; ++each) {
        Value lane = offset(to, known(each * repeatBytes));
        emit(instruction,
             {lane, lane, offset(from, known(each * rowBytes + chunk * repeatBytes)), lanes, along, 1, 1, 1, 0, 0, 8});
      }
      for (chunk += along; chunk < chunks; ++chunk)
        emit(instruction, {to, to, offset(from, known(chunk * repeatBytes)), std::min(lanes, cols - chunk * lanes),
                           repeats, 1, 1, 1, 8, 8, pitchBlocks});
    });
    return acc;
  }
  // Few long rows: one instruction walks along the row and comes back to the same lanes each time. What the rows begin
  // with is copied for all of them at once.
  int64_t whole = cols / lanes;
  auto ofRow = [&](Int row, function_ref<void(Value to, Value from)> body) {
    body(offset(acc, mul(row, known(repeatBytes))), offset(src, mul(row, known(rowBytes))));
  };
  forRepeats(rows, 255, [&](int64_t row, int64_t repeats) {
    emit("copy_r", {offset(acc, known(row * repeatBytes)), offset(src, known(row * rowBytes)), lanes, repeats, 1, 1, 8,
                    pitchBlocks});
  });
  if (whole > 1)
    repeat(rows, [&](Int row) {
      ofRow(row, [&](Value to, Value from) {
        forRepeats(whole - 1, 255, [&](int64_t chunk, int64_t repeats) {
          emit(instruction, {to, to, offset(from, known((chunk + 1) * repeatBytes)), lanes, repeats, 1, 1, 1, 0, 0, 8});
        });
      });
    });
  if (cols % lanes)
    repeat(rows, [&](Int row) {
      ofRow(row, [&](Value to, Value from) {
        emit(instruction, {to, to, offset(from, known(whole * repeatBytes)), cols % lanes, 1, 1, 1, 1, 8, 8, 8});
      });
    });
  return acc;
}

// Rows that start on 32 bytes: the tile itself, or a copy with rows spaced out.
Value Lowering::alignRows(Value src, int64_t rows, int64_t cols, int64_t &pitch) {
  int64_t perBlock = blockBytes / sizeOfElement(src);
  pitch = rows == 1 ? cols : roundUp(cols, perBlock);
  if (pitch == cols)
    return src;
  Value spaced = temporary(elementOf(src), rows * pitch);
  fill(spaced, scalar(elementOf(src), 0), rows * pitch); // whole blocks are read
  repack(spaced, pitch, src, cols, rows, cols);
  return spaced;
}

// Rows that fill a power of two of the lanes of a repeat, side by side: eight blocks at a time, then pairs. The tree
// over neighbours is the same. False: they are not that short, or no instruction has it.
bool Lowering::reduceShortRows(tile::ReduceKind kind, Value dst, Value src, int64_t rows, int64_t cols) {
  Type type = elementOf(src);
  int64_t size = sizeOf(type), lanes = lanesOf(type), inBlock = blockBytes / size;
  bool sum = kind == tile::ReduceKind::Sum;
  if (rows == 1 || cols < 2 || cols > lanes || !llvm::isPowerOf2_64(cols) || (sum && !type.isF32()) ||
      (!sum && cols < inBlock))
    return false;
  // One whole repeat per row takes three cycles for a sum of floats and seven for a maximum, two rounds of blocks
  // little more than one, but start twice.
  bool roundsOfBlocks = lanes == inBlock * inBlock;
  if (cols == lanes && (sum ? rows < 24 : rows < 8 || !roundsOfBlocks))
    return false;
  std::string blocks = sum                             ? "block_reduce_sum"
                       : kind == tile::ReduceKind::Max ? "block_reduce_max"
                                                       : "block_reduce_min";
  if (!supports(blocks, type))
    return false;
  // Whole repeats, then the lanes that are left.
  auto inRepeats = [&](int64_t elements, function_ref<void(int64_t repeat, int64_t mask, int64_t repeats)> call) {
    forRepeats(elements / lanes, 240, [&](int64_t first, int64_t repeats) { call(first, lanes, repeats); });
    if (elements % lanes)
      call(elements / lanes, elements % lanes, 1);
  };
  int64_t left = cols;
  auto round = [&](const std::string &instruction, int64_t by) {
    left /= by;
    Value to = left == 1 ? dst : temporary(type, roundUp(rows * left, inBlock));
    inRepeats(rows * left * by, [&](int64_t repeat, int64_t mask, int64_t repeats) {
      emit(instruction, {offset(to, known(repeat * repeatBytes / by)), offset(src, known(repeat * repeatBytes)), mask,
                         repeats, 1, 1, 8});
    });
    src = to;
  };
  if (sum) {
    while (left > 1)
      left >= inBlock ? round(blocks, inBlock) : round("pair_reduce_sum", 2);
    return true;
  }
  if (left == lanes)
    round(blocks, inBlock);
  // Even blocks meet odd ones until each row has one.
  while (left > inBlock) {
    left /= 2;
    Value to = temporary(type, rows * left);
    inRepeats(rows * left, [&](int64_t repeat, int64_t mask, int64_t repeats) {
      Value from = offset(src, known(2 * repeat * repeatBytes));
      emit((combiner(kind) + "_r").str(), {offset(to, known(repeat * repeatBytes)), from,
                                           offset(from, known(blockBytes)), mask, repeats, 1, 2, 2, 8, 16, 16});
    });
    src = to;
  }
  round(blocks, inBlock);
  return true;
}

void Lowering::reduceRows(tile::ReduceKind kind, Value dst, Value src, int64_t rows, int64_t cols) {
  Type type = elementOf(src);
  std::string tree = kind == tile::ReduceKind::Sum   ? "whole_reduce_sum"
                     : kind == tile::ReduceKind::Max ? "whole_reduce_max"
                                                     : "whole_reduce_min";
  if (kind == tile::ReduceKind::Prod || !supports(tree, type)) {
    reduceRowsByHalving(kind, dst, src, rows, cols);
    return;
  }
  int64_t pitch, lanes = lanesOf(type);
  if (reduceShortRows(kind, dst, src, rows, cols))
    return;
  src = alignRows(src, rows, cols, pitch);
  int64_t pitchBlocks = divideUp(pitch * sizeOf(type), blockBytes);
  if (cols > lanes) {
    src = accumulateLanes(kind, src, rows, cols, pitch);
    if (reduceShortRows(kind, dst, src, rows, lanes))
      return;
    cols = pitch = lanes;
    pitchBlocks = 8;
  }
  // 240 results keep the next one on 32 bytes.
  forRepeats(rows, 240, [&](int64_t row, int64_t repeats) {
    emit(tree, {offset(dst, known(row * sizeOf(type))), offset(src, known(row * pitch * sizeOf(type))), cols, repeats,
                1, 1, pitchBlocks});
  });
}

// For 32-bit types. 64 lanes fold to one 32-byte block; Brcb turns its eight elements into eight blocks, which fold
// again, so that every lane of the first block holds the result.
void Lowering::reduceRowsByHalving(tile::ReduceKind kind, Value dst, Value src, int64_t rows, int64_t cols) {
  Type type = elementOf(src);
  std::string instruction = (combiner(kind) + "_r").str();
  int64_t pitch;
  src = alignRows(src, rows, cols, pitch);
  Value lanes;
  if (cols > 64) {
    lanes = accumulateLanes(kind, src, rows, cols, pitch);
  } else {
    lanes = temporary(type, rows * 64);
    if (cols < 64)
      fill(lanes, neutral(*this, kind, type), rows * 64);
    forRepeats(rows, 255, [&](int64_t row, int64_t repeats) {
      emit("copy_r", {offset(lanes, known(row * repeatBytes)), offset(src, known(row * pitch * 4)), cols, repeats, 1, 1,
                      8, divideUp(pitch, 8)});
    });
  }
  auto foldToBlock = [&](Value buffer) {
    for (int64_t half : {32, 16, 8})
      forRepeats(rows, 255, [&](int64_t row, int64_t repeats) {
        Value at = offset(buffer, known(row * repeatBytes));
        emit(instruction, {at, at, offset(at, known(half * 4)), half, repeats, 1, 1, 1, 8, 8, 8});
      });
  };
  foldToBlock(lanes);
  Value eight = temporary(type, rows * 8), blocks = temporary(type, rows * 64);
  forRepeats(rows, 240, [&](int64_t row, int64_t repeats) {
    emit("copy_r",
         {offset(eight, known(row * blockBytes)), offset(lanes, known(row * repeatBytes)), 8, repeats, 1, 1, 1, 8});
    emit("brcb", {offset(blocks, known(row * repeatBytes)), offset(eight, known(row * blockBytes)), repeats, 1, 8});
  });
  foldToBlock(blocks);
  if (!supports("whole_reduce_max", type)) {
    repack(dst, 1, blocks, 64, rows, 1);
    return;
  }
  forRepeats(rows, 240, [&](int64_t row, int64_t repeats) {
    emit("whole_reduce_max",
         {offset(dst, known(row * 4)), offset(blocks, known(row * repeatBytes)), 1, repeats, 1, 1, 8});
  });
}

// Rows of `cols` elements, each starting on 32 bytes, combined into one.
void Lowering::reduceOuter(tile::ReduceKind kind, Value dst, Value src, int64_t rows, int64_t cols) {
  Type type = elementOf(src);
  int64_t rowBytes = cols * sizeOf(type);
  if (rows == 1) {
    copyElements(dst, src, cols);
    return;
  }
  Value partial = rows > 2 ? temporary(type, (rows + 1) / 2 * cols) : Value();
  for (Value from = src; rows > 1; from = partial) {
    int64_t half = (rows + 1) / 2, pairs = rows - half;
    emit(combiner(kind), {half == 1 ? dst : partial, from, offset(from, known(half * rowBytes)), pairs * cols});
    if (from == src && pairs < half)
      copyElements(offset(partial, known(pairs * rowBytes)), offset(from, known(pairs * rowBytes)), cols);
    rows = half;
  }
}

// Whether the tile, or what is computed from it element by element, is repeated along rows: eight elements are then
// read at a time.
static bool feedsBroadcast(Value tile) {
  return llvm::any_of(tile.getUsers(), [&](Operation *user) {
    if (llvm::isa<tile::BroadcastOp>(user))
      return true;
    return llvm::isa<tile::UnaryOp, tile::BinaryOp, tile::CastOp>(user) && user->getBlock() == tile.getParentBlock() &&
           feedsBroadcast(user->getResult(0));
  });
}

// Whether the tile itself is stored or leaves its region: its buffer then belongs to an iteration.
static bool leavesIteration(Value tile) {
  SmallVector<Operation *> users;
  collectUsers(tile, users);
  return llvm::any_of(users, [](Operation *user) {
    return llvm::isa<tile::StoreOp, tile::AtomicOp>(user) || user->hasTrait<OpTrait::IsTerminator>();
  });
}

LogicalResult Lowering::lowerReduce(tile::ReduceOp op) {
  tile::TileType from = op.getOperand().getType();
  Type type = from.getElementType();
  bool onScalarUnit = type.isInteger(64);
  if (!onScalarUnit && (type.isInteger(1) || !supports(combiner(op.getKind()), type)))
    return noInstruction(op, (tile::stringifyReduceKind(op.getKind()) + " reduction").str(), type, arch);
  // Runs of neighbouring reduced axes, innermost first; axes of size 1 belong to any run.
  SmallVector<std::array<int64_t, 3>> steps; // outer, reduced, inner
  ArrayRef<int64_t> shape = from.getShape();
  auto isReduced = [&](int64_t axis) { return shape[axis] == 1 || llvm::is_contained(op.getDims(), axis); };
  int64_t inner = 1;
  for (int64_t axis = shape.size() - 1; axis >= 0; --axis) {
    int64_t reduced = 1, outer = 1;
    for (; axis >= 0 && isReduced(axis); --axis)
      reduced *= shape[axis];
    for (int64_t i = axis; i >= 0; --i)
      outer *= shape[i];
    if (reduced > 1)
      steps.push_back({outer, reduced, inner});
    if (axis >= 0)
      inner *= shape[axis];
  }
  Value src = bufferOf(op.getOperand());
  if (steps.empty()) {
    buffers[op.getResult()] = src;
    return success();
  }
  int64_t size = sizeOf(type);
  for (auto [index, step] : llvm::enumerate(steps)) {
    auto [outer, reduced, inner] = step;
    bool last = index + 1 == steps.size();
    Value dst = last ? destination(op.getResult(), {op.getOperand()}, false) : temporary(type, outer * inner);
    int64_t whole = roundUp(outer * inner, blockBytes / size);
    if (last && whole != outer * inner && arch == isa::Arch::C220 && feedsBroadcast(op.getResult())) {
      auto fillUp = [&, dst = dst] { fill(dst, scalar(type, 0), whole); };
      auto own = dst.getDefiningOp<isa::AllocOp>();
      if (own && outermostLoop() && owned.contains(op.getResult()) && !leavesIteration(op.getResult())) {
        owned.erase(op.getResult()); // what is behind the end stays, so nothing else may be put there
        beforeLoops(own, fillUp);
      } else {
        fillUp();
      }
      defined[op.getResult()] = whole;
    }
    if (onScalarUnit) {
      reduceOnScalarUnit(op.getKind(), dst, src, outer, reduced, inner);
    } else if (inner == 1) {
      reduceRows(op.getKind(), dst, src, outer, reduced);
    } else {
      int64_t pitch;
      src = alignRows(src, outer * reduced, inner, pitch);
      Value target = pitch == inner ? dst : temporary(type, outer * pitch);
      loop(known(0), known(outer), [&, reduced = reduced](Int o) {
        reduceOuter(op.getKind(), offset(target, mul(o, known(pitch * size))),
                    offset(src, mul(o, known(reduced * pitch * size))), reduced, pitch);
      });
      if (target != dst)
        repack(dst, inner, target, pitch, outer, inner);
    }
    src = dst;
  }
  return success();
}

} // namespace tilesmith
