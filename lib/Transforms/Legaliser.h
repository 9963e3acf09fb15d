// The rewriting behind legalise-dtypes: one function for each kind of operation.
//
// A rewrite may create operations that are not legal either; they are looked at again. Null means: legal as it is, or
// nothing of the kind exists, which lower-to-isa says with the operation, the type and the architecture.
#ifndef TILESMITH_TRANSFORMS_LEGALISER_H
#define TILESMITH_TRANSFORMS_LEGALISER_H

#include "TileBuilder.h"

namespace tilesmith {

class Legaliser : mlir::OpBuilder::Listener {
public:
  Legaliser(mlir::func::FuncOp kernel, isa::Arch arch) : kernel(kernel), arch(arch), b(kernel.getContext(), this) {}
  void run();

  // What run() did.
  size_t rewritten = 0, casts = 0; // operations; those of them that convert

private:
  void notifyOperationInserted(mlir::Operation *op, mlir::OpBuilder::InsertPoint) override { worklist.push_back(op); }
  void legalise(mlir::Operation *op);

  // Signed integers and floats (LegaliseDtypes.cpp).
  mlir::Value legaliseUnary(TileBuilder &t, tile::UnaryOp op);
  mlir::Value legaliseBinary(TileBuilder &t, tile::BinaryOp op);
  mlir::Value legaliseCompare(TileBuilder &t, tile::CompareOp op);
  mlir::Value legaliseSelect(TileBuilder &t, tile::SelectOp op);
  mlir::Value legaliseReduce(TileBuilder &t, tile::ReduceOp op);
  mlir::Value legaliseBroadcast(TileBuilder &t, tile::BroadcastOp op);
  mlir::Value legaliseCopy(TileBuilder &t, tile::CopyOp op);
  mlir::Value divideThroughFloat(TileBuilder &t, tile::BinaryOp op);

  // Unsigned integers of at most 32 bits (LegaliseUnsigned.cpp).
  mlir::Value unsignedUnary(TileBuilder &t, tile::UnaryOp op);
  mlir::Value unsignedBinary(TileBuilder &t, tile::BinaryOp op);
  mlir::Value unsignedCompare(TileBuilder &t, tile::CompareOp op);
  mlir::Value unsignedReduce(TileBuilder &t, tile::ReduceOp op);
  // The signed integer that lies in its range as the unsigned one lies in its own: the top bit turned.
  mlir::Value bias(TileBuilder &t, mlir::Value operand, mlir::Type type);

  // Conversions (LegaliseCasts.cpp).
  mlir::Value legaliseCast(TileBuilder &t, tile::CastOp op);
  mlir::Value fromUnsigned(TileBuilder &t, mlir::Value x, mlir::Type to);
  mlir::Value toUnsigned(TileBuilder &t, mlir::Value x, mlir::Type to);
  mlir::Value castWide(TileBuilder &t, mlir::Value x, mlir::Type to);
  bool isOneCast(mlir::Type from, mlir::Type to);

  bool supports(llvm::StringRef mnemonic, mlir::Type type);
  // A tile, or a scalar of element type `from`, in another element type.
  mlir::Value convert(TileBuilder &t, mlir::Value operand, mlir::Type from, mlir::Type to);
  mlir::Type signedOf(mlir::Type type) { return tile::scalarTypeOf(type); }
  mlir::Type unsignedOf(unsigned width) {
    return mlir::IntegerType::get(b.getContext(), width, mlir::IntegerType::Unsigned);
  }

  mlir::func::FuncOp kernel;
  isa::Arch arch;
  mlir::OpBuilder b;
  llvm::SmallVector<mlir::Operation *> worklist;
};

// The table's name for an operation.
llvm::StringRef mnemonicOf(tile::BinaryKind kind);

} // namespace tilesmith

#endif // TILESMITH_TRANSFORMS_LEGALISER_H
