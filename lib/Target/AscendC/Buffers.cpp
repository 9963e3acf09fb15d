// Buffers: tensors, slots of rings, views further on or of another element type.
#include "Printer.h"
#include "Types.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/StringExtras.h"
#include <functional>

using namespace mlir;
using namespace tilesmith::isa;

namespace tilesmith::ascendc {

// `bytes` divided by `size`, without a remainder by construction: through products and sums where that can be seen.
static Value divideExactly(OpBuilder &b, Location loc, Value bytes, int64_t size) {
  if (size == 1)
    return bytes;
  auto constant = [&](int64_t value) -> Value { return arith::ConstantOp::create(b, loc, b.getI64IntegerAttr(value)); };
  std::function<Value(Value)> divide = [&](Value value) -> Value {
    APInt number;
    if (matchPattern(value, m_ConstantInt(&number)))
      return number.getSExtValue() % size ? Value() : constant(number.getSExtValue() / size);
    Operation *op = value.getDefiningOp();
    if (!op)
      return {};
    if (auto product = dyn_cast<arith::MulIOp>(op)) {
      for (auto [factor, other] :
           {std::pair(product.getRhs(), product.getLhs()), std::pair(product.getLhs(), product.getRhs())})
        if (matchPattern(factor, m_ConstantInt(&number)) && number.getSExtValue() % size == 0) {
          int64_t rest = number.getSExtValue() / size;
          return rest == 1 ? other : arith::MulIOp::create(b, loc, other, constant(rest)).getResult();
        }
      return {};
    }
    if (!mlir::isa<arith::AddIOp, arith::SubIOp>(op))
      return {};
    Value left = divide(op->getOperand(0)), right = left ? divide(op->getOperand(1)) : Value();
    if (!right)
      return {};
    if (mlir::isa<arith::AddIOp>(op))
      return arith::AddIOp::create(b, loc, left, right);
    return arith::SubIOp::create(b, loc, left, right);
  };
  if (Value elements = divide(bytes))
    return elements;
  return arith::DivSIOp::create(b, loc, bytes, constant(size));
}

// Users come after what they use, so one walk backwards erases all that is left over. Vector functions stay as they
// are: what they hold is counted.
static void eraseUnusedScalars(func::FuncOp kernel) {
  SmallVector<Operation *> scalars;
  kernel.walk([&](Operation *op) {
    if (isa_and_nonnull<arith::ArithDialect>(op->getDialect()))
      scalars.push_back(op);
  });
  for (Operation *op : llvm::reverse(scalars))
    if (op->use_empty())
      op->erase();
}

// A variable that branches set and nobody reads would be a warning of the C++ compiler. Returns whether there was one.
static bool dropUnusedResults(func::FuncOp kernel) {
  SmallVector<scf::IfOp> branches;
  kernel.walk([&](scf::IfOp branch) {
    if (llvm::any_of(branch.getResults(), [](Value result) { return result.use_empty(); }))
      branches.push_back(branch);
  });
  for (scf::IfOp branch : branches) {
    OpBuilder b(branch);
    SmallVector<Value> used =
        llvm::filter_to_vector(ValueRange(branch.getResults()), [](Value v) { return !v.use_empty(); });
    auto smaller =
        scf::IfOp::create(b, branch.getLoc(), ValueRange(used).getTypes(), branch.getCondition(), false, false);
    for (auto [to, from] : llvm::zip_equal(smaller->getRegions(), branch->getRegions())) {
      to.takeBody(from);
      if (to.empty())
        continue;
      Operation *yield = to.front().getTerminator();
      SmallVector<Value> kept;
      for (auto [result, value] : llvm::zip_equal(branch.getResults(), yield->getOperands()))
        if (!result.use_empty())
          kept.push_back(value);
      yield->setOperands(kept);
    }
    for (auto [value, with] : llvm::zip_equal(used, smaller.getResults()))
      value.replaceAllUsesWith(with);
    branch.erase();
  }
  return !branches.empty();
}

void prepare(func::FuncOp kernel) {
  kernel.walk([](OffsetOp offset) {
    OpBuilder b(offset);
    int64_t size = elementSize(offset.getBase().getType().getElementType());
    offset.getBytesMutable().assign(divideExactly(b, offset.getLoc(), offset.getBytes(), size));
  });
  do
    eraseUnusedScalars(kernel);
  while (dropUnusedResults(kernel));
}

std::string Printer::tensorType(BufferType type) {
  StringRef kind = type.getMemory() == Memory::GM ? "GlobalTensor" : "LocalTensor";
  return ("AscendC::" + kind + "<" + elementType(type.getElementType()) + ">").str();
}

// A view that is used once, by an instruction beside it, is written there.
bool Printer::isInlinedBuffer(Operation *op) {
  if (!mlir::isa<OffsetOp, ViewOp>(op) || !op->getResult(0).hasOneUse())
    return false;
  if (mlir::isa<ViewOp>(op) && mlir::cast<BufferType>(op->getResult(0).getType()).getMemory() == Memory::GM)
    return false;
  return (*op->getResult(0).user_begin())->getBlock() == op->getBlock();
}

std::pair<std::string, std::string> Printer::bufferAndIndex(Value value) {
  auto offset = value.getDefiningOp<OffsetOp>();
  if (values.isBound(value) || !offset)
    return {buffer(value), "0"};
  return {buffer(offset.getBase()), values.text(offset.getBytes())};
}

std::string Printer::buffer(Value value) {
  if (values.isBound(value))
    return values.variable(value).str();
  if (auto piece = value.getDefiningOp<asc::WriteOp>())
    return written(piece);
  if (auto choice = value.getDefiningOp<arith::SelectOp>())
    return "(" + values.operand(choice.getCondition()) + " ? " + buffer(choice.getTrueValue()) + " : " +
           buffer(choice.getFalseValue()) + ")";
  if (auto offset = value.getDefiningOp<OffsetOp>())
    return buffer(offset.getBase()) + "[" + values.text(offset.getBytes()) + "]";
  auto view = mlir::cast<ViewOp>(value.getDefiningOp());
  StringRef element = elementType(view.getResult().getType().getElementType());
  if (elementType(view.getBase().getType().getElementType()) == element)
    return buffer(view.getBase());
  return buffer(view.getBase()) + ".ReinterpretCast<" + element.str() + ">()";
}

LogicalResult Printer::printBuffer(Operation &op) {
  if (mlir::isa<AllocOp>(op) || op.getResult(0).use_empty() || isInlinedBuffer(&op))
    return success();
  Value result = op.getResult(0);
  auto type = mlir::cast<BufferType>(result.getType());
  if (elementType(type.getElementType()).empty())
    return op.emitOpError() << "has elements of type " << type.getElementType() << ", which Ascend C has no name for";
  if (auto slot = dyn_cast<SlotOp>(op)) {
    AllocOp alloc = slot.getAlloc();
    std::string name = names.unique(values.variable(alloc.getResult()));
    std::string address = *alloc.getAddress() || alloc.getSlots() == 1 ? std::to_string(*alloc.getAddress()) : "";
    if (alloc.getSlots() > 1) {
      std::string index = values.ranges.of(slot.getIndex()).low >= 0
                              ? values.operand(slot.getIndex())
                              : "static_cast<uint64_t>(" + values.text(slot.getIndex()) + ")";
      address += (address.empty() ? "" : " + ") + index + " % " + std::to_string(alloc.getSlots()) + " * " +
                 std::to_string(alloc.getBytes());
    }
    text.line(tensorType(type) + " " + name + "(" + positionOf(type.getMemory()) + ", " + address + ", " +
              Twine(alloc.getBytes() / elementSize(type.getElementType())) + ");");
    values.bind(result, name);
    return success();
  }
  std::string base = buffer(op.getOperand(0));
  std::string name = names.unique(StringRef(base).take_while([](char c) { return llvm::isAlnum(c) || c == '_'; }));
  if (mlir::isa<ViewOp>(op) && type.getMemory() == Memory::GM) {
    text.line(tensorType(type) + " " + name + ";");
    text.line(name + ".SetGlobalBuffer((__gm__ " + elementType(type.getElementType()) + " *)" + base +
              ".GetPhyAddr());");
  } else {
    text.line(tensorType(type) + " " + name + " = " + buffer(result) + ";");
  }
  values.bind(result, name);
  return success();
}

} // namespace tilesmith::ascendc
