// Explains why buffers do not fit into a memory, in the words of the person who wrote the kernel.
#ifndef TILESMITH_LIB_TRANSFORMS_PLAN_OVERFLOW_H
#define TILESMITH_LIB_TRANSFORMS_PLAN_OVERFLOW_H

#include "Planner.h"
#include "tilesmith/Dialect/Isa/IsaDialect.h"
#include <string>

namespace tilesmith::plan {

struct MemoryLimit {
  isa::Memory memory;
  std::string platform; // may be empty
  int64_t capacity;
};

// Reports an error at the first buffer that makes the peak overflow, with the buffers live there and a way out: the
// given one, or smaller tiles. Always returns failure.
mlir::LogicalResult explainOverflow(const MemoryLimit &limit, llvm::ArrayRef<isa::AllocOp> allocs,
                                    llvm::ArrayRef<Item> items, llvm::StringRef wayOut = "");

} // namespace tilesmith::plan

#endif // TILESMITH_LIB_TRANSFORMS_PLAN_OVERFLOW_H
