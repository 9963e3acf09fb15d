//===- TritonPasses.td - From tiles of offsets to boxes of arrays ----------------------------------------------------===//
//
// One record per pass, in the order they run. What each guarantees is in the header of its file and in its lit tests.
//
//===------------------------------------------------------------------------------------------------------------------===//
#ifndef TILESMITH_TRANSFORMS_TRITONPASSES
#define TILESMITH_TRANSFORMS_TRITONPASSES

include "mlir/Pass/PassBase.td"

class Tilesmith_TritonPass<string mnemonic> : Pass<mnemonic, "::mlir::func::FuncOp"> {
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect", "::tilesmith::tile::TileDialect",
                           "::tilesmith::triton::TritonDialect"];
}

def VersionWraps : Tilesmith_TritonPass<"version-wraps"> {
  let summary = "programs whose ranges do not wrap around run code without the wrap";
}
def OrderPrograms : Tilesmith_TritonPass<"order-programs"> {
  let summary = "programs that read what atomics found run one after the other";
}
def CarryScalars : Tilesmith_TritonPass<"carry-scalars"> {
  let summary = "loops carry how far offsets have moved as a number, not tiles of offsets";
}
def LowerAccesses : Tilesmith_TritonPass<"lower-accesses"> {
  let summary = "makes boxes, rows or single elements of arrays of all accesses by offsets";
}
def FormAccumulators : Tilesmith_TritonPass<"form-accumulators"> {
  let summary = "sums of products that loops carry stay where products are made";
}

#endif // TILESMITH_TRANSFORMS_TRITONPASSES
