// Channels whose slots lie in a memory of a core of the block.
#ifndef TILESMITH_TRANSFORMS_DIRECTCHANNELS_H
#define TILESMITH_TRANSFORMS_DIRECTCHANNELS_H

#include "tilesmith/Transforms/Passes.h"

namespace tilesmith {

// On the ends of a channel in which a tile waits while the next one is sent.
inline constexpr llvm::StringLiteral waitsAttrName = "tile.waits";

// What `isa.direct` says of a channel (Dialect/Isa/Workspace.h).
struct DirectWay {
  isa::Memory memory = isa::Memory::UB;
  int64_t address = 0, bytes = 0, slots = 0;
  int64_t axis = -1, cores = 1;
  llvm::StringRef name, shape; // of a tile, in messages
};

// Of a parameter of a half; none: it is no channel, or one through the workspace.
std::optional<DirectWay> directWayOf(mlir::Value array);
// Whether the tile lies in a slot and need not be loaded.
bool isDirect(tile::LoadOp load);
// Bytes of a memory of the half's cores that channels have.
int64_t directBytes(mlir::func::FuncOp half, isa::Memory memory);

// The last operation in a received tile's block that it is needed for, itself if there is none; null: that is not
// known, or something else than the pipe that takes tiles from this memory reads it.
mlir::Operation *lastUseOf(mlir::Value received);

} // namespace tilesmith

#endif // TILESMITH_TRANSFORMS_DIRECTCHANNELS_H
