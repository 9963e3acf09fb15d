// The workspace of a kernel that runs on both kinds of cores: a ring of slots for each channel between them.
//
// A ring is a dictionary. `lower-channels` writes it on the channel's parameter of either half, `join-cores` makes one
// list of both on the kernel, and the kernel's metadata has it for profiles and messages.
//
//   offset          bytes from the begin of the block's workspace (on the kernel)
//   bytes, slots    of a slot, and how many take turns
//   name, shape     of the tile, as the source calls it
//   from            "AIC" or "AIV": who fills it
//   sent, received  lines of the source, where they are known
//
// A channel may have its slots in a memory of a core instead (`direct-channels`): in UB, where the cube core writes
// results, or in L1, where vector cores write factors. Its parameter then has `isa.direct` in both halves:
//
//   memory          "UB" or "L1", of the cores that receive
//   address         of the first slot, the same on every core
//   bytes, slots    of a slot, and how many take turns
//   axis, cores     along which vector cores share the tile (-1: each has all of it), and how many they are
//   name, shape     of the tile as it is received
//
// The module has the name, too, so that who compiles it knows that there are such channels.
#ifndef TILESMITH_DIALECT_ISA_WORKSPACE_H
#define TILESMITH_DIALECT_ISA_WORKSPACE_H

#include "mlir/IR/BuiltinAttributes.h"

namespace tilesmith::isa {

// On a parameter that is no argument of a launch, but part of the block's workspace: its bytes. Only the block itself
// reads what it has written there. join-cores puts it into the workspace. One that is shared is part of what all blocks
// have in common, which lies before the pieces of the blocks.
inline constexpr llvm::StringLiteral scratchAttrName = "isa.scratch";
inline constexpr llvm::StringLiteral sharedAttrName = "isa.shared";
inline constexpr llvm::StringLiteral sharedWorkspaceAttrName = "isa.shared_workspace"; // on a kernel: their bytes

inline constexpr llvm::StringLiteral ringAttrName = "isa.ring";     // on a parameter of a half
inline constexpr llvm::StringLiteral ringsAttrName = "isa.rings";   // on a kernel
inline constexpr llvm::StringLiteral directAttrName = "isa.direct"; // on a parameter of a half, and the module

// A number, or a word, of a ring; 0 or nothing where it does not say.
inline int64_t ringNumber(mlir::DictionaryAttr ring, llvm::StringRef name) {
  auto number = ring.getAs<mlir::IntegerAttr>(name);
  return number ? number.getInt() : 0;
}
inline llvm::StringRef ringWord(mlir::DictionaryAttr ring, llvm::StringRef name) {
  auto word = ring.getAs<mlir::StringAttr>(name);
  return word ? word.getValue() : llvm::StringRef();
}

} // namespace tilesmith::isa

#endif // TILESMITH_DIALECT_ISA_WORKSPACE_H
