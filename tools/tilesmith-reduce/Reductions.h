// Ways to make a kernel smaller, each at one op.
//
// What the kernel computes need not stay: the tester says whether the rest is still interesting. A reduction leaves the
// op alone, or makes the kernel simpler in a way that none of the others takes back, so trying again and again comes to
// an end. It erases or moves no op but its own and those inside it.
#ifndef TILESMITH_TOOLS_REDUCE_REDUCTIONS_H
#define TILESMITH_TOOLS_REDUCE_REDUCTIONS_H

#include "mlir/IR/Operation.h"

namespace tilesmith::reduce {

struct Reduction {
  llvm::StringLiteral name;
  bool (*apply)(mlir::Operation *op); // whether anything changed
};

// What removes most comes first.
llvm::ArrayRef<Reduction> reductions();

} // namespace tilesmith::reduce

#endif // TILESMITH_TOOLS_REDUCE_REDUCTIONS_H
