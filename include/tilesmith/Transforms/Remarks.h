// What passes tell about their decisions: remarks of MLIR, in the category that has the pass's name.
//
//   tilesmith-opt kernel.mlir --tile-to-isa --remarks-filter=pipeline-loops
//
// `passed` and `missed` say what was done at one place, or why not; `analysis` counts. Remarks and not LLVM_DEBUG and
// Statistic, because packaged LLVM has neither: both are compiled out with NDEBUG. Where nobody asks for remarks, one
// costs the test of a pointer.
#ifndef TILESMITH_TRANSFORMS_REMARKS_H
#define TILESMITH_TRANSFORMS_REMARKS_H

#include "mlir/IR/Remarks.h"

namespace tilesmith {

inline mlir::remark::RemarkOpts remarkOf(llvm::StringRef pass, llvm::StringRef name) {
  return mlir::remark::RemarkOpts::name(name).category(pass);
}

} // namespace tilesmith

#endif // TILESMITH_TRANSFORMS_REMARKS_H
