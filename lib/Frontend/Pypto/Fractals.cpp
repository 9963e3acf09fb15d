// A matrix in fractals of 16 rows of 32 bytes, column of fractals after column, is columns of 32 bytes one after the
// other, each with all rows. They are moved to where rows of elements have them, by all cores, before anything reads.
#include "Fractals.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "tilesmith/Isa/Chip.h"

namespace tilesmith::frontend::pypto {

namespace arith = mlir::arith;

static constexpr llvm::StringLiteral fractalsAttrName = "pypto.fractals"; // on the workspace of a copy
static constexpr int64_t rowsAtOnce = 1024;

Value unpackFractals(Operator &o, const Value &memory, const Range &range) {
  mlir::OpBuilder &b = o.builder();
  mlir::Location at = o.loc(range);
  auto described = memory.ir.getDefiningOp<tile::TensorOp>();
  mlir::Type element = described.getType().getElementType();
  llvm::ArrayRef<int64_t> shape = described.getType().getShape();
  int64_t width = isa::blockBytes * 8 / element.getIntOrFloatBitWidth();
  int64_t rows = shape[shape.size() - 2], columns = shape.back(), wide = columns / width;
  int64_t matrices = llvm::product_of(shape.drop_back(2));
  int64_t bytes = llvm::product_of(shape) * element.getIntOrFloatBitWidth() / 8;
  auto array = [&](mlir::Value base, llvm::ArrayRef<int64_t> sizes) -> mlir::Value {
    auto type = tile::GlobalTensorType::get(b.getContext(), sizes, element);
    return tile::TensorOp::create(b, at, type, base, mlir::Value(), mlir::ValueRange(), mlir::ValueRange());
  };
  auto workspace = graph::WorkspaceOp::create(b, at, tile::PtrType::get(b.getContext(), element), bytes);
  workspace->setAttr(fractalsAttrName, b.getUnitAttr());
  mlir::Value from = array(described.getBase(), {matrices * wide * rows, width});
  mlir::Value to = array(workspace, {matrices * rows, columns});
  auto number = [&](int64_t value) -> mlir::Value { return arith::ConstantIntOp::create(b, at, value, 32); };
  mlir::Value zero = number(0), all = number(rows);
  auto loop = mlir::scf::ForOp::create(b, at, zero, number(matrices * wide), number(1));
  loop->setAttr(tile::parallelAttrName, b.getUnitAttr());
  {
    mlir::OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    mlir::Value column = loop.getInductionVar(), widths = number(wide);
    mlir::Value matrix = arith::DivSIOp::create(b, at, column, widths);
    mlir::Value within = arith::RemSIOp::create(b, at, column, widths);
    mlir::Value first = arith::MulIOp::create(b, at, column, all), row = arith::MulIOp::create(b, at, matrix, all);
    mlir::Value begin = arith::MulIOp::create(b, at, within, number(width));
    auto type = graph::WholeTensorType::get(b.getContext(), {rows, width}, element);
    auto part = graph::ViewOp::create(b, at, type, from, mlir::ValueRange{first, zero});
    graph::AssembleOp::create(b, at, part, to, mlir::ValueRange{row, begin}, mlir::ValueRange{all, number(width)},
                              b.getDenseI64ArrayAttr({rowsAtOnce, width}), mlir::UnitAttr());
  }
  Value made = memory;
  made.ir = array(workspace, shape);
  return made;
}

bool mayWrite(Operator &o, const Value &memory, const Range &range) {
  auto described = memory.ir ? memory.ir.getDefiningOp<tile::TensorOp>() : tile::TensorOp();
  auto workspace = described ? described.getBase().getDefiningOp<graph::WorkspaceOp>() : graph::WorkspaceOp();
  if (!workspace || !workspace->hasAttr(fractalsAttrName))
    return true;
  return bool(
      o.fail(range, "NotImplementedError", "a tensor in TILEOP_NZ is only read here", "write into one in TILEOP_ND"));
}

} // namespace tilesmith::frontend::pypto
