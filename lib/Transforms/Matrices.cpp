#include "Matrices.h"

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

Operation *readerBesidesProducts(Value tile) {
  for (Operation *user : tile.getUsers()) {
    if (llvm::isa<tile::ReshapeOp>(user)) {
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

void moveTo(Value tile, Memory memory) {
  tile.setType(cast<tile::TileType>(tile.getType()).withMemory(memory));
  for (Operation *user : tile.getUsers())
    if (llvm::isa<tile::ReshapeOp>(user))
      moveTo(user->getResult(0), memory);
}

} // namespace tilesmith
