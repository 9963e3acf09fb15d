// tilesmith-opt: runs passes on tile and isa IR given as text.
#include "../Registration.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  tilesmith::registerTilesmith(registry);
  return mlir::asMainReturnCode(mlir::MlirOptMain(argc, argv, "Tilesmith optimizer driver\n", registry));
}
