// Waiting of all cores for each other, in kernels of any language: the service sync_all of the Machine
// (Isa/Services.td).
//
// It holds a barrier of all pipes of a core, so what places flags within a core need not know it; what moves accesses
// of global memory must not move them across. All cores of a launch come to it equally often.
#ifndef TILESMITH_DIALECT_ASC_SYNCALL_H
#define TILESMITH_DIALECT_ASC_SYNCALL_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "tilesmith/Dialect/Asc/Asc.h"

namespace tilesmith::asc {

inline constexpr llvm::StringLiteral syncAllEntry = "sync_all";

inline bool isSyncAll(mlir::Operation *op) {
  auto call = llvm::dyn_cast<CallOp>(op);
  return call && call.getEntry() == syncAllEntry;
}

// `onlyVector`: the kernel runs on vector cores alone. The kernel says that its cores wait.
inline void createSyncAll(mlir::OpBuilder &b, mlir::Location loc, mlir::func::FuncOp kernel, bool onlyVector) {
  kernel->setAttr(waitsAttrName, b.getUnitAttr());
  mlir::Value kind = mlir::arith::ConstantIntOp::create(b, loc, onlyVector, 64);
  CallOp::create(b, loc, mlir::Type(), b.getStringAttr(syncAllEntry), b.getUnitAttr(), mlir::StringAttr(),
                 mlir::ValueRange(kind));
}

} // namespace tilesmith::asc

#endif // TILESMITH_DIALECT_ASC_SYNCALL_H
