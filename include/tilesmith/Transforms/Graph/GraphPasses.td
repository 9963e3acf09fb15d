//===- GraphPasses.td - From whole tensors to tiles ------------------------------------------------------------------===//
//
// One record per pass, in the order they run. What each guarantees is in the header of its file and in its lit tests.
//
//===------------------------------------------------------------------------------------------------------------------===//
#ifndef TILESMITH_TRANSFORMS_GRAPHPASSES
#define TILESMITH_TRANSFORMS_GRAPHPASSES

include "mlir/Pass/PassBase.td"

class Tilesmith_GraphPass<string mnemonic> : Pass<mnemonic, "::mlir::func::FuncOp"> {
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect", "::tilesmith::tile::TileDialect",
                           "::tilesmith::graph::GraphDialect"];
}

def CheckWritten : Tilesmith_GraphPass<"check-written"> {
  let summary = "reports tensors of the kernel itself that are read before anything is written into them";
}
def ExpandComposites : Tilesmith_GraphPass<"expand-composites"> {
  let summary = "writes composed operations on tensors as chains of basic ones";
}
def ChunkReductions : Tilesmith_GraphPass<"chunk-reductions"> {
  let summary = "reduces an axis whose size only the launch tells in a loop over chunks of it";
}
def SpillTensors : Tilesmith_GraphPass<"spill-tensors"> {
  let summary = "writes tensors that do not fit on the chip to the workspace, and reads them where they are needed";
  let options = [Option<"products", "products", "bool", /*default=*/"false", "those that are operands of products">,
                 Option<"most", "most", "int64_t", /*default=*/"65536", "bytes of a tensor that stays on the chip">];
}
def FindIndependent : Tilesmith_GraphPass<"find-independent"> {
  let summary = "marks loops whose iterations write disjoint parts of arrays and read nothing that another one writes";
}
def CutGrids : Tilesmith_GraphPass<"cut-grids"> {
  let summary = "cuts groups of operations that share axes into loops over tiles, by the shapes in force";
  let options = [Option<"open", "open", "bool", /*default=*/"false",
                        "only axes of unknown size, where another one of them is reduced">];
}
def Distribute : Tilesmith_GraphPass<"distribute"> {
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect", "::tilesmith::tile::TileDialect",
                           "::tilesmith::graph::GraphDialect", "::tilesmith::asc::AscDialect"];
  let summary = "deals independent iterations to the cores, which wait for each other where one part needs what another wrote";
}
def GraphToTile : Tilesmith_GraphPass<"graph-to-tile"> {
  let summary = "makes a tile of every tensor";
}

#endif // TILESMITH_TRANSFORMS_GRAPHPASSES
