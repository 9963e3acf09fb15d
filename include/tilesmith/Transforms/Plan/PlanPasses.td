//===- PlanPasses.td - From buffers without addresses to a kernel the chip can run -----------------------------------===//
//
// One record per pass, in the order they run. What each guarantees is in the header of its file and in its lit tests.
//
//===------------------------------------------------------------------------------------------------------------------===//
#ifndef TILESMITH_TRANSFORMS_PLANPASSES
#define TILESMITH_TRANSFORMS_PLANPASSES

include "mlir/Pass/PassBase.td"

class Tilesmith_PlanPass<string mnemonic> : Pass<mnemonic, "::mlir::func::FuncOp"> {
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect", "::tilesmith::isa::IsaDialect"];
}

defvar reuseValues = "llvm::cl::values(clEnumValN(::tilesmith::Reuse::Never, \"never\", \"own bytes for each\"), "
                     "clEnumValN(::tilesmith::Reuse::UnderPressure, \"pressure\", \"if they do not fit otherwise\"), "
                     "clEnumValN(::tilesmith::Reuse::Always, \"always\", \"as few bytes as possible\"))";

def PipelineLoops : Tilesmith_PlanPass<"pipeline-loops"> {
  let summary = "makes rings of the buffers that hand data from one pipe to another inside a loop";
  let options = [Option<"slots", "slots", "int64_t", /*default=*/"2", "buffers per ring; 1 leaves loops as they are">];
}
def PlanMemory : Tilesmith_PlanPass<"plan-memory"> {
  let summary = "gives every buffer an address";
  let options = [
    Option<"platform", "platform", "std::string", /*default=*/"\"\"", "name of the chip, for messages">,
    Option<"ub", "ub", "int64_t", /*default=*/"196608", "bytes of UB">,
    Option<"l1", "l1", "int64_t", /*default=*/"524288", "bytes of L1">,
    Option<"l0a", "l0a", "int64_t", /*default=*/"65536", "bytes of L0A">,
    Option<"l0b", "l0b", "int64_t", /*default=*/"65536", "bytes of L0B">,
    Option<"l0c", "l0c", "int64_t", /*default=*/"131072", "bytes of L0C">,
    Option<"reuse", "reuse", "::tilesmith::Reuse", /*default=*/"::tilesmith::Reuse::UnderPressure",
           "whether buffers in UB may have the same bytes", reuseValues>,
    Option<"reuseInOut", "reuse-in-out", "::tilesmith::Reuse", /*default=*/"::tilesmith::Reuse::UnderPressure",
           "the same for those that are loaded from or stored to global memory", reuseValues>];
}
def Synchronise : Tilesmith_PlanPass<"synchronise"> {
  let summary = "makes every dependency between pipes explicit";
  let options = [Option<"withinVector", "within-vector", "bool", /*default=*/"false",
                        "only the barriers within the vector pipe">];
}
def LeaveOutSync : Tilesmith_PlanPass<"leave-out-sync"> {
  let summary = "removes one token (all its sets and waits) or one barrier, to see what it was good for";
  let options = [Option<"index", "index", "int64_t", /*default=*/"0", "which one, in program order">];
}
def VerifySynchronise : Tilesmith_PlanPass<"verify-synchronise"> {
  let summary = "replays a kernel's flags on short paths and reports accesses that are not ordered";
}

#endif // TILESMITH_TRANSFORMS_PLANPASSES
