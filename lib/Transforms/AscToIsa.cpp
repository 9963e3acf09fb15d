// Asc to isa: instructions of an asc kernel become ops of the isa dialect.
//
// The kernel gets the architecture it is compiled for. An instruction whose operands lie in memories it does not reach,
// or whose element type the architecture does not have, is as its author wrote it: a warning at its line, and a call of
// the Machine that reports it when it runs. After the pass no asc.issue is left.
#include "mlir/IR/Diagnostics.h"
#include "tilesmith/Dialect/Asc/Asc.h"
#include "tilesmith/Transforms/Passes.h"

namespace tilesmith {
#define GEN_PASS_DEF_ASCTOISA
#include "tilesmith/Transforms/Passes.h.inc"
} // namespace tilesmith

using namespace mlir;

namespace tilesmith {
namespace {

// The attribute of a number of an enumeration; null if it has no such number.
Attribute enumeratorOf(MLIRContext *context, std::string_view enumeration, int64_t number) {
#define TILESMITH_ENUM_ATTRIBUTE(Name)                                                                                 \
  if (enumeration == #Name)                                                                                            \
    return isa::stringify(isa::Name(number)) == "?" ? Attribute() : isa::Name##Attr::get(context, isa::Name(number));
#include "tilesmith/Dialect/Isa/EnumAttributes.inc"
#undef TILESMITH_ENUM_ATTRIBUTE
  return {};
}

// The op of the isa dialect, or null with the reason.
Operation *toInstruction(OpBuilder &builder, asc::IssueOp issue, std::string &reason) {
  const isa::InstructionInfo &info = *isa::findInstruction(std::string_view(issue.getInstruction()));
  OperationState state(issue.getLoc(), ("isa." + issue.getInstruction()).str());
  state.addOperands(issue.getOperands());
  state.addTypes(issue->getResultTypes());
  for (unsigned i = 0; i < info.numOperands; ++i) {
    const isa::OperandInfo &operand = info.operands[i];
    if (operand.kind != isa::OperandKind::Attribute)
      continue;
    int64_t number = issue.getChoices().getAs<IntegerAttr>(StringRef(operand.name)).getInt();
    Attribute attribute = enumeratorOf(issue.getContext(), operand.enumeration, number);
    if (!attribute) {
      reason = ("operand '" + StringRef(operand.name) + "' cannot be " + Twine(number)).str();
      return nullptr;
    }
    state.addAttribute(StringRef(operand.name), attribute);
  }
  Operation *op = builder.create(state);
  ScopedDiagnosticHandler handler(issue.getContext(), [&](Diagnostic &diagnostic) {
    reason = diagnostic.str();
    return success();
  });
  if (succeeded(isa::verifyInstruction(op)))
    return op;
  op->erase();
  return nullptr;
}

// The call of the Machine's entry, with dtypes and enumerators as numbers.
void toCall(OpBuilder &builder, asc::IssueOp issue) {
  const isa::InstructionInfo &info = *isa::findInstruction(std::string_view(issue.getInstruction()));
  Location loc = issue.getLoc();
  SmallVector<Value> args;
  auto number = [&](int64_t value) {
    args.push_back(arith::ConstantOp::create(builder, loc, builder.getI64IntegerAttr(value)));
  };
  SmallVector<unsigned> position(info.numOperands, 0);
  for (unsigned i = 0, next = 0; i < info.numOperands; ++i)
    if (info.operands[i].kind != isa::OperandKind::Attribute)
      position[i] = next++;
  for (int8_t carrier : {info.dtypeOperand, info.dtype2Operand})
    if (carrier >= 0) {
      auto type = cast<isa::BufferType>(issue.getOperands()[position[carrier]].getType());
      number(int64_t(isa::getDType(type.getElementType()).value_or(isa::DType::Void)));
    }
  for (unsigned i = 0; i < info.numOperands; ++i)
    if (info.operands[i].kind == isa::OperandKind::Attribute)
      number(issue.getChoices().getAs<IntegerAttr>(StringRef(info.operands[i].name)).getInt());
    else
      args.push_back(issue.getOperands()[position[i]]);
  Type result = issue.getResult() ? builder.getI64Type() : Type();
  auto call =
      asc::CallOp::create(builder, loc, result, issue.getInstructionAttr(), builder.getUnitAttr(), StringAttr(), args);
  if (!issue.getResult())
    return;
  Value bits = call.getResult();
  Type wanted = issue.getResult().getType();
  if (wanted.getIntOrFloatBitWidth() < 64)
    bits = arith::TruncIOp::create(builder, loc, builder.getIntegerType(wanted.getIntOrFloatBitWidth()), bits);
  if (mlir::isa<FloatType>(wanted))
    bits = arith::BitcastOp::create(builder, loc, wanted, bits);
  issue.getResult().replaceAllUsesWith(bits);
}

struct AscToIsaPass : impl::AscToIsaBase<AscToIsaPass> {
  using AscToIsaBase::AscToIsaBase;

  void runOnOperation() override {
    func::FuncOp kernel = getOperation();
    FailureOr<isa::Arch> target = getArch(kernel, arch);
    if (failed(target))
      return signalPassFailure();
    kernel->setAttr(isa::archAttrName, StringAttr::get(&getContext(), StringRef(isa::stringify(*target))));
    if (kernel->hasAttr(asc::matmulAttrName)) {
      isa::KernelType type = asc::typeWithMatmul(kernelOptions.kernelType, kernelOptions.matmulCubeOnly);
      kernel->setAttr(isa::kernelTypeAttrName, StringAttr::get(&getContext(), StringRef(isa::stringify(type))));
    }
    SmallVector<asc::IssueOp> issues;
    kernel.walk([&](asc::IssueOp op) { issues.push_back(op); });
    OpBuilder builder(&getContext());
    for (asc::IssueOp issue : issues) {
      builder.setInsertionPoint(issue);
      std::string reason;
      if (Operation *op = toInstruction(builder, issue, reason)) {
        if (issue.getResult())
          issue.getResult().replaceAllUsesWith(op->getResult(0));
      } else {
        const isa::InstructionInfo &info = *isa::findInstruction(std::string_view(issue.getInstruction()));
        StringRef words(reason);
        size_t quoted = words.find("op "); // 'isa.add' op operand ...
        issue.emitWarning() << StringRef(info.ascendName) << ": "
                            << (quoted == StringRef::npos ? words : words.drop_front(quoted + 3))
                            << "; running it is a finding";
        toCall(builder, issue);
      }
      issue.erase();
    }
  }
};

} // namespace
} // namespace tilesmith
