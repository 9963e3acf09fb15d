//===- PlanPasses.td - From buffers without addresses to a kernel the chip can run -----------------------------------===//
//
// One record per pass, in the order they run. What each guarantees is in the header of its file and in its lit tests.
//
//===------------------------------------------------------------------------------------------------------------------===//
#ifndef TILESMITH_TRANSFORMS_PLANPASSES
#define TILESMITH_TRANSFORMS_PLANPASSES

include "tilesmith/Transforms/KernelOptions.td"

class Tilesmith_PlanPass<string mnemonic, list<Option> own = []> : Pass<mnemonic, "::mlir::func::FuncOp"> {
  let options = !listconcat(own, [KernelOptions]);
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect", "::tilesmith::isa::IsaDialect"];
}

def FlattenLoops : Tilesmith_PlanPass<"flatten-loops", [
    Option<"l0c", "l0c", "int64_t", /*default=*/"131072", "bytes of L0C">]> {
  let summary = "makes one loop of the loop over results that fill L0C and the loop over k inside it";
}
def PreloadTiles : Tilesmith_PlanPass<"preload-tiles", [
    Option<"l1", "l1", "int64_t", /*default=*/"524288", "bytes of L1">]> {
  let summary = "issues loads to L1 one iteration ahead where the copies to L0 would hold them back";
}
def PipelineLoops : Tilesmith_PlanPass<"pipeline-loops", [
    Option<"slots", "slots", "int64_t", /*default=*/"2", "buffers per ring; 1 leaves loops as they are">]> {
  let summary = "makes rings of the buffers that hand data from one pipe to another inside a loop";
}
def PlanMemory : Tilesmith_PlanPass<"plan-memory", [
    Option<"platform", "platform", "std::string", /*default=*/"\"\"", "name of the chip, for messages">,
    Option<"ub", "ub", "int64_t", /*default=*/"196608", "bytes of UB">,
    Option<"l1", "l1", "int64_t", /*default=*/"524288", "bytes of L1">,
    Option<"l0a", "l0a", "int64_t", /*default=*/"65536", "bytes of L0A">,
    Option<"l0b", "l0b", "int64_t", /*default=*/"65536", "bytes of L0B">,
    Option<"l0c", "l0c", "int64_t", /*default=*/"131072", "bytes of L0C">,
    Option<"bankGroups", "bank-groups", "int64_t", /*default=*/"0", "groups of banks of UB; 0: no matter">,
    Option<"bankBytes", "bank-bytes", "int64_t", /*default=*/"0", "bytes of UB that have one bank in each group; 0: no matter">]> {
  let summary = "gives every buffer an address";
}
def Synchronise : Tilesmith_PlanPass<"synchronise", [
    Option<"withinVector", "within-vector", "bool", /*default=*/"false", "only the barriers within the vector pipe">]> {
  let summary = "makes every dependency between pipes explicit";
}
def LeaveOutSync : Tilesmith_PlanPass<"leave-out-sync"> {
  let summary = "removes the token (all its sets and waits) or barrier that without_sync counts, to see what it was good for";
}
def VerifySynchronise : Tilesmith_PlanPass<"verify-synchronise"> {
  let summary = "replays a kernel's flags on short paths and reports accesses that are not ordered";
}
def JoinCores : Pass<"join-cores", "::mlir::ModuleOp"> {
  let summary = "makes one kernel of its cube half and its vector half";
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect", "::tilesmith::isa::IsaDialect"];
}
def VerifyCrossFlags : Tilesmith_PlanPass<"verify-cross-flags", [
    Option<"runs", "runs", "unsigned", /*default=*/"12", "launches that are made up">]> {
  let summary = "follows the flags between the cores of a block, and reports what cannot be right";
}

#endif // TILESMITH_TRANSFORMS_PLANPASSES
