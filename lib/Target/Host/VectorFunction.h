// What is known about a vector function before its code is written.
#ifndef TILESMITH_LIB_TARGET_HOST_VECTORFUNCTION_H
#define TILESMITH_LIB_TARGET_HOST_VECTORFUNCTION_H

#include "Lowering.h"
#include "tilesmith/Dialect/Isa/VfLevels.h"
#include "tilesmith/Machine/VectorFunction.h"

namespace tilesmith::host {

using isa::VfLevel;

// The Machine's name of a walk.
constexpr TsVfWalk walkOf(isa::VfWalk walk) { return TsVfWalk(walk); }

// The iteration space and walks as the machine code runs them. Where the result is the same the space is made simpler
// than the one written: one long row instead of many contiguous ones, so that only its very end is a partial chunk. The
// descriptor keeps the space as written: time does not depend on how the host runs it.
class VfShape {
public:
  explicit VfShape(isa::VfOp vf);

  int64_t rows, cols;

  int64_t fullChunks() const { return cols / TS_VF_LANES; }
  int64_t tail() const { return cols % TS_VF_LANES; }
  // Whole chunks that have nothing to do with each other.
  bool hasParts() const;

  // Of a vf_load, vf_store or vf_reduce.
  TsVfWalk walk(mlir::Operation *op) const { return walkOf(walks.lookup(op).walk); }
  int64_t pitch(mlir::Operation *op) const { return walks.lookup(op).pitch; }

  isa::VfLevels levels; // with these walks

private:
  struct Walk {
    isa::VfWalk walk = isa::VfWalk::Full;
    int64_t pitch = 0;
  };
  llvm::DenseMap<mlir::Operation *, Walk> walks;
};

// The native body, `void @name(ptr ub, ptr args)`, and if it can be run in parts a TsVfPartFn.
struct VfBody {
  mlir::LLVM::LLVMFuncOp whole, part;
};
mlir::FailureOr<VfBody> emitBody(isa::VfOp vf, llvm::StringRef name, Lowering &lowering);

// The accesses and instructions of the function as written. A global constant; the result is its address.
mlir::LLVM::GlobalOp emitDescriptor(isa::VfOp vf, llvm::StringRef name, const VfBody &body, Lowering &lowering);

// Parts of an access op that loads, stores and reductions share.
struct VfAccessView {
  mlir::Operation *op = nullptr;
  mlir::Value buffer; // null: the op accesses nothing
  isa::VfWalk walk = isa::VfWalk::Full;
  int64_t pitch = 0; // as written; 0: rows follow each other. Of a group: its columns
  bool write = false;

  explicit VfAccessView(mlir::Operation *op);
  mlir::Type elementType() const { return llvm::cast<isa::BufferType>(buffer.getType()).getElementType(); }
  unsigned argument() const { return llvm::cast<mlir::BlockArgument>(buffer).getArgNumber(); }
  explicit operator bool() const { return bool(buffer); }
};

} // namespace tilesmith::host

#endif // TILESMITH_LIB_TARGET_HOST_VECTORFUNCTION_H
