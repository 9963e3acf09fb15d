#include "Matrices.h"
#include "mlir/IR/Matchers.h"
#include "tilesmith/Isa/Chip.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using tilesmith::isa::Memory;

namespace tilesmith {

bool isMatrixView(tile::ReshapeOp op) {
  auto last = [](Value tile) { return cast<tile::TileType>(tile.getType()).getShape().take_back(2); };
  return op.getType().getRank() >= 2 && op.getOperand().getType().getRank() >= 2 && last(op) == last(op.getOperand());
}

Value behindViews(Value tile) {
  while (auto view = tile.getDefiningOp<tile::ReshapeOp>()) {
    if (!isMatrixView(view))
      break;
    tile = view.getOperand();
  }
  return tile;
}

bool turnsMatrix(tile::TransposeOp op) {
  ArrayRef<int64_t> axes = op.getAxes();
  size_t rank = axes.size();
  return rank >= 2 && axes[rank - 2] == int64_t(rank) - 1 && axes[rank - 1] == int64_t(rank) - 2 &&
         llvm::is_sorted(axes.drop_back(2));
}

std::pair<Value, bool> behindTurns(Value tile) {
  bool turned = false;
  for (tile = behindViews(tile); auto turn = tile.getDefiningOp<tile::TransposeOp>();
       tile = behindViews(turn.getOperand())) {
    if (!turnsMatrix(turn))
      break;
    turned = !turned;
  }
  return {tile, turned};
}

bool isSameMatrix(Operation *op) {
  auto turn = dyn_cast<tile::TransposeOp>(op);
  return llvm::isa<tile::ReshapeOp>(op) || (turn && turnsMatrix(turn));
}

Operation *readerBesidesProducts(Value tile) {
  for (Operation *user : tile.getUsers()) {
    if (isSameMatrix(user)) {
      if (readerBesidesProducts(user->getResult(0)))
        return user;
      continue;
    }
    if (!llvm::isa<tile::MatmulOp, tile::ProbeOp>(user) &&
        !(llvm::isa<tile::CopyOp>(user) && memoryOf(user->getResult(0)) != Memory::UB))
      return user;
  }
  return nullptr;
}

bool feedsOnlyProducts(Value tile) { return !readerBesidesProducts(tile); }

bool padsWithZero(tile::LoadOp load) {
  return matchPattern(load.getPad(), m_AnyZeroFloat()) || matchPattern(load.getPad(), m_Zero());
}

static int64_t sizeOf(Type element) { return element.getIntOrFloatBitWidth() / 8; }

int64_t matrixUnit(Type element) { return std::max(isa::fractalRows, isa::blockBytes / sizeOf(element)); }

int64_t bytesInL1(tile::TileType type) {
  int64_t unit = matrixUnit(type.getElementType());
  auto size = type.getShape().take_back(2);
  return llvm::alignTo(size[0], unit) * llvm::alignTo(size[1], unit) * sizeOf(type.getElementType());
}

void moveTo(Value tile, Memory memory) {
  tile.setType(cast<tile::TileType>(tile.getType()).withMemory(memory));
  for (Operation *user : tile.getUsers())
    if (isSameMatrix(user))
      moveTo(user->getResult(0), memory);
}

} // namespace tilesmith
