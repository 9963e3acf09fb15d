#include "tilesmith/Dialect/Tile/Tile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/DialectImplementation.h"

using namespace mlir;
using namespace tilesmith::tile;

#include "tilesmith/Dialect/Tile/TileDialect.cpp.inc"
#include "tilesmith/Dialect/Tile/TileEnums.cpp.inc"

void TileDialect::initialize() {
  registerTypes();
  addOperations<
#define GET_OP_LIST
#include "tilesmith/Dialect/Tile/TileOps.cpp.inc"
      >();
}
