// Instructions whose operands repeat: a scalar, one row for all rows, one element for each row (C220).
//
// In the repeat form a source may stand still: stride 0 between repeats repeats a row or a filled register, stride 0
// between blocks repeats one block across the lanes. So a broadcast that only feeds arithmetic never becomes a tile.
#include "Lowering.h"

using namespace mlir;

namespace tilesmith {

static constexpr int64_t mostRepeats = 240; // of one instruction; keeps masks of what follows on 32 bytes

Lowering::Source Lowering::sourceOf(Value operand) {
  if (auto found = repeated.find(operand); found != repeated.end())
    return found->second.source;
  if (llvm::isa<tile::TileType>(operand.getType()))
    return {bufferOf(operand), Source::Whole};
  return {splatTemporary(operand, lanesOf(operand.getType())), Source::One};
}

void Lowering::emitRows(StringRef mnemonic, Value dst, ArrayRef<Source> sources, int64_t rows, int64_t cols,
                        Value mask) {
  Type type = elementOf(dst);
  int64_t size = sizeOf(type), lanes = lanesOf(type), rowBlocks = divideUp(cols * size, blockBytes),
          chunks = divideUp(cols, lanes);
  std::string instruction = (mnemonic + "_r").str();
  // One call: `count` lanes of each of `repeats` repeats, which go down the rows or along one row.
  auto call = [&](Int row, int64_t chunk, int64_t count, int64_t repeats, bool down) {
    Int rowBytes = mul(row, known(cols * size)), within = known(chunk * repeatBytes);
    SmallVector<Operand> operands = {offset(dst, add(rowBytes, within))};
    if (mask)
      operands.push_back(offset(mask, known(chunk * lanes / 8)));
    SmallVector<int64_t> blocks = {1}, steps = {down ? rowBlocks : 8};
    for (const Source &source : sources) {
      Int start = known(0);
      int64_t block = 1, step = 0;
      switch (source.walk) {
      case Source::Whole:
        start = add(rowBytes, within);
        step = down ? rowBlocks : 8;
        break;
      case Source::Row:
        start = within;
        step = down ? 0 : 8;
        break;
      case Source::Element:
        start = mul(row, known(blockBytes));
        block = 0;
        step = down ? 1 : 0;
        break;
      case Source::One:
        break;
      }
      operands.push_back(offset(source.buffer, start));
      blocks.push_back(block);
      steps.push_back(step);
    }
    operands.push_back(count);
    operands.push_back(repeats);
    llvm::append_range(operands, blocks);
    llvm::append_range(operands, steps);
    emit(instruction, operands);
  };
  if (rows > 1 && rows >= chunks && rowBlocks <= 255) {
    for (int64_t chunk = 0; chunk < chunks; ++chunk)
      forRepeats(rows, mostRepeats, [&](int64_t row, int64_t repeats) {
        call(known(row), chunk, std::min(lanes, cols - chunk * lanes), repeats, /*down=*/true);
      });
    return;
  }
  repeat(rows, [&](Int row) {
    forRepeats(cols / lanes, mostRepeats,
               [&](int64_t chunk, int64_t repeats) { call(row, chunk, lanes, repeats, /*down=*/false); });
    if (cols % lanes)
      call(row, cols / lanes, cols % lanes, 1, /*down=*/false);
  });
}

// Rows and columns of a broadcast that repeats elements along rows, or a row over rows.
static std::optional<std::pair<int64_t, int64_t>> rowsAndColumns(tile::BroadcastOp op, bool &isRow) {
  ArrayRef<int64_t> from = op.getOperand().getType().getShape(), to = op.getType().getShape();
  int64_t missing = to.size() - from.size(), outer = 1, special = 1, inner = 1;
  for (int64_t axis = 0; axis < int64_t(to.size()); ++axis) {
    if (to[axis] == 1)
      continue;
    bool isRepeated = axis < missing || from[axis - missing] == 1;
    if (isRepeated && inner > 1)
      return std::nullopt;
    (isRepeated ? special : special == 1 ? outer : inner) *= to[axis];
  }
  if (special == 1 || (outer > 1 && inner > 1))
    return std::nullopt;
  isRow = inner > 1;
  return isRow ? std::pair(special, inner) : std::pair(outer, special);
}

bool Lowering::foldsBroadcast(tile::BroadcastOp op) {
  bool isRow;
  auto shape = rowsAndColumns(op, isRow);
  Type type = op.getType().getElementType();
  if (!shape || (shape->first > 1 && shape->second * sizeOf(type) % blockBytes))
    return false;
  for (Operation *user : op.getResult().getUsers()) {
    auto binary = dyn_cast<tile::BinaryOp>(user);
    if (!binary || !supports(tile::stringifyBinaryKind(binary.getKind()), type) || llvm::isa<IntegerType>(type) ||
        !llvm::isa<tile::TileType>(binary.getLhs().getType()) || !llvm::isa<tile::TileType>(binary.getRhs().getType()))
      return false;
    Value other = binary.getLhs() == op.getResult() ? binary.getRhs() : binary.getLhs();
    bool otherIsRow;
    if (auto broadcast = other.getDefiningOp<tile::BroadcastOp>();
        broadcast && rowsAndColumns(broadcast, otherIsRow) != shape)
      return false;
  }
  Value src = bufferOf(op.getOperand());
  Source source{isRow ? src : broadcastElements(src, shape->first, defined.lookup(op.getOperand())),
                isRow ? Source::Row : Source::Element};
  repeated[op.getResult()] = {source, shape->first, shape->second};
  return true;
}

} // namespace tilesmith
