//===- Passes.td - From what the user wrote to what the chip does ----------------------------------------------------===//
//
// One record per pass, in the order they run. What each guarantees is in the header of its file and in its lit tests.
//
//===------------------------------------------------------------------------------------------------------------------===//
#ifndef TILESMITH_TRANSFORMS_PASSES
#define TILESMITH_TRANSFORMS_PASSES

include "tilesmith/Transforms/KernelOptions.td"

class Tilesmith_Pass<string mnemonic, list<Option> own = []> : Pass<mnemonic, "::mlir::func::FuncOp"> {
  let options = !listconcat(own, [KernelOptions]);
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect", "::tilesmith::tile::TileDialect",
                           "::tilesmith::isa::IsaDialect"];
}
defvar ArchOption = Option<"arch", "arch", "std::string", /*default=*/"\"\"", "C220 or C310; empty: the function's isa.arch">;

def InlineDeviceFunctions : Pass<"inline-device-functions", "::mlir::ModuleOp"> {
  let summary = "puts device functions where kernels call them; kernels are all that is left";
}
def UnrollLoops : Tilesmith_Pass<"unroll-loops"> {
  let summary = "unrolls loops that carry tile.unroll_factor";
}
def SplitBatches : Tilesmith_Pass<"split-batches"> {
  let summary = "writes products of several matrices as products of one each";
}
def ExpandIndices : Tilesmith_Pass<"expand-indices"> {
  let summary = "writes operations about positions of elements as gathers, comparisons and sums of rows";
}
def ExpandMath : Tilesmith_Pass<"expand-math"> {
  let summary = "writes composed and transcendental operations as sequences of basic ones";
}
def LegaliseDtypes : Tilesmith_Pass<"legalise-dtypes", [ArchOption]> {
  let summary = "widens operations whose element type the architecture does not compute in";
}
def HandOver : Tilesmith_Pass<"hand-over"> {
  let summary = "finds out which kind of core computes what, and makes explicit what goes from one to the other";
}
def SkewLoops : Tilesmith_Pass<"skew-loops", [
    Option<"ahead", "ahead", "bool", /*default=*/"false", "first products of an iteration come before the one before it">]> {
  let summary = "begins an iteration on one kind of core before the other one has ended the iteration before it";
}
def SplitCores : Pass<"split-cores", "::mlir::ModuleOp"> {
  let summary = "makes two functions of a kernel that runs on both kinds of cores";
  let options = [KernelOptions];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect", "::tilesmith::tile::TileDialect"];
}
def SplitRows : Tilesmith_Pass<"split-rows"> {
  let summary = "two vector cores share the tiles of a block";
}
def DirectChannels : Pass<"direct-channels", "::mlir::ModuleOp"> {
  let summary = "chooses what crosses from memory to memory of a block's cores, without global memory";
  let options = [ArchOption, Option<"ub", "ub", "int64_t", /*default=*/"253952", "bytes of UB">,
                 Option<"l1", "l1", "int64_t", /*default=*/"524288", "bytes of L1">, KernelOptions];
}
def LowerChannels : Tilesmith_Pass<"lower-channels", [ArchOption]> {
  let summary = "turns channels between cores into rings in the workspace with counted flags";
}
def ChunkTiles : Tilesmith_Pass<"chunk-tiles", [
    Option<"ub", "ub", "int64_t", /*default=*/"196608", "bytes of UB">]> {
  let summary = "does what vector cores do with a tile that UB does not hold part by part";
}
def Place : Tilesmith_Pass<"place", [ArchOption]> {
  let summary = "gives every tile its memory";
}
def DeepenLoads : Tilesmith_Pass<"deepen-loads", [ArchOption,
    Option<"l1", "l1", "int64_t", /*default=*/"524288", "bytes of L1">]> {
  let summary = "does several iterations of a loop over k in one where loads are short";
}
def DivideLoads : Tilesmith_Pass<"divide-loads", [ArchOption,
    Option<"l1", "l1", "int64_t", /*default=*/"524288", "bytes of L1">]> {
  let summary = "loads right operands that L1 does not hold twice in pieces along k";
}
def DivideResults : Tilesmith_Pass<"divide-results", [
    Option<"l0c", "l0c", "int64_t", /*default=*/"131072", "bytes of L0C">]> {
  let summary = "makes products that L0C does not hold by parts of their results";
}
def SplitProducts : Tilesmith_Pass<"split-products", [ArchOption,
    Option<"l0a", "l0a", "int64_t", /*default=*/"65536", "bytes of L0A">,
    Option<"l0b", "l0b", "int64_t", /*default=*/"65536", "bytes of L0B">,
    Option<"l0c", "l0c", "int64_t", /*default=*/"131072", "bytes of L0C">]> {
  let summary = "does products of tiles of any size in steps that L0 takes";
}
def AscToIsa : Tilesmith_Pass<"asc-to-isa", [ArchOption]> {
  let summary = "holds the instructions of an asc kernel against the table";
  let dependentDialects = ["::mlir::arith::ArithDialect", "::tilesmith::isa::IsaDialect", "::tilesmith::asc::AscDialect"];
}
def LowerToIsa : Tilesmith_Pass<"lower-to-isa", [ArchOption]> {
  let summary = "turns tile values into buffers and instructions";
}

#endif // TILESMITH_TRANSFORMS_PASSES
