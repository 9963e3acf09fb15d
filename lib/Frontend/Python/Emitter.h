// Where IR is built: the builder, places, constants, and the regions that control flow at run time opens.
#ifndef TILESMITH_LIB_FRONTEND_PYTHON_EMITTER_H
#define TILESMITH_LIB_FRONTEND_PYTHON_EMITTER_H

#include "Part.h"

#include "mlir/IR/Region.h"

namespace tilesmith::frontend {

class Emitter : public Part {
public:
  Emitter(Lowering &lowering, mlir::MLIRContext &context) : Part(lowering), context(context), opBuilder(&context) {}

  mlir::OpBuilder &builder() { return opBuilder; }
  mlir::Location loc(const Range &range);
  mlir::Type type(DType dtype) { return toMlir(&context, dtype); } // of a scalar
  mlir::Type element(DType dtype) { return toElement(&context, dtype); }
  mlir::Value constant(DType dtype, int64_t value, const Range &range);
  mlir::Value i32(int64_t value, const Range &range) { return constant(DType::I32, value, range); }

  // Number of the innermost runtime region; 0: the kernel's top level.
  unsigned region() const { return innermost; }
  // False, with an error, if regions are nested too deep for another one.
  bool canNest(const Range &range);
  // Runs `body` in a new region.
  void inRegion(llvm::function_ref<void()> body);
  // Runs `build` with the builder at the end of a new block; the block is returned detached.
  std::unique_ptr<mlir::Region> buildRegion(llvm::function_ref<void()> build);

  mlir::MLIRContext &context;

private:
  mlir::OpBuilder opBuilder;
  unsigned innermost = 0, last = 0, depth = 0;
};

} // namespace tilesmith::frontend

#endif // TILESMITH_LIB_FRONTEND_PYTHON_EMITTER_H
