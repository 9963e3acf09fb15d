#include "Lowering.h"
using namespace mlir;
namespace tilesmith {
LogicalResult Lowering::lowerCubeLoad(tile::LoadOp op) { return op.emitError() << "matrices are not lowered"; }
LogicalResult Lowering::lowerCubeCopy(tile::CopyOp op) { return op.emitError() << "matrices are not lowered"; }
LogicalResult Lowering::lowerZerosAcc(tile::ZerosAccOp op) { return op.emitError() << "matrices are not lowered"; }
LogicalResult Lowering::lowerMatmul(tile::MatmulOp op) { return op.emitError() << "matrices are not lowered"; }
LogicalResult Lowering::lowerCubeStore(Value, Value, ValueRange) { return failure(); }
} // namespace tilesmith
