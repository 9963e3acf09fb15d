// Statements: variables, loops, branches. A value that a region carries is a variable that is assigned.
#include "Printer.h"
#include "Types.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "tilesmith/Dialect/Asc/SyncAll.h"

using namespace mlir;
using namespace tilesmith::isa;

namespace tilesmith::ascendc {

LogicalResult Printer::declare(Value value, const Twine &initialiser, bool isConst) {
  StringRef type = cppType(value.getType());
  if (type.empty())
    return emitError(value.getLoc()) << "a value of type " << value.getType() << " cannot be written as Ascend C";
  std::string name = values.name(value);
  text.line((isConst ? "const " : "") + type + " " + name + " = " + initialiser + ";");
  values.bind(value, name);
  return success();
}

LogicalResult Printer::declareMutable(Value value, Value initial, StringRef otherwise) {
  std::string type;
  auto tensor = dyn_cast<BufferType>(value.getType());
  if (tensor && !elementType(tensor.getElementType()).empty())
    type = tensorType(tensor);
  else if (!tensor)
    type = cppType(value.getType()).str();
  if (type.empty())
    return emitError(value.getLoc()) << "a value of type " << value.getType() << " cannot be written as Ascend C";
  std::string first = initial ? (tensor ? buffer(initial) : values.text(initial)) : "";
  std::string name = values.name(value, otherwise);
  text.line(type + " " + name + (initial ? " = " + first : "") + ";");
  values.bind(value, name);
  return success();
}

void Printer::assign(ValueRange targets, ValueRange sources) {
  struct Move {
    std::string target, source;
  };
  SmallVector<Move> moves;
  for (auto [target, source] : llvm::zip_equal(targets, sources)) {
    std::string value = mlir::isa<BufferType>(source.getType()) ? buffer(source) : values.text(source);
    std::string name = values.variable(target).str();
    if (value == name)
      continue;
    // A value made of variables may be made of one that is assigned before it.
    bool isConstant = matchPattern(source, m_Constant());
    if (!isConstant && targets.size() > 1) {
      std::string next = names.unique("next_" + name);
      std::string type = mlir::isa<BufferType>(source.getType()) ? tensorType(mlir::cast<BufferType>(source.getType()))
                                                                 : cppType(source.getType()).str();
      text.line("const " + type + " " + next + " = " + value + ";");
      value = next;
    }
    moves.push_back({name, value});
  }
  for (const Move &move : moves)
    text.line(move.target + " = " + move.source + ";");
}

LogicalResult Printer::printFor(scf::ForOp loop) {
  for (auto [argument, initial, result] :
       llvm::zip_equal(loop.getRegionIterArgs(), loop.getInitArgs(), loop.getResults())) {
    if (failed(declareMutable(argument, initial, "carried")))
      return failure();
    values.bind(result, values.variable(argument).str());
  }
  Value counter = loop.getInductionVar();
  Type type = counter.getType();
  Range step = values.ranges.of(loop.getStep()), last = values.ranges.of(loop.getUpperBound());
  std::string first = values.text(loop.getLowerBound()), end = values.operand(loop.getUpperBound());
  std::string by = values.operand(loop.getStep());
  std::string name = values.name(counter, "i");
  // A step below 1 makes no trip; a counter that reaches the end of its type wraps.
  std::string condition = (step.low < 1 ? by + " > 0 && " : "") + name + " < " + end;
  std::string next = name + " += " + by;
  if (step.isOne() && step.low == 1)
    next = "++" + name;
  else if (last.high - 1 + step.high > rangeOfType(type).high)
    next = name + " = " +
           unit.helpers.call("WrapAdd", type.isIndex() ? 64 : type.getIntOrFloatBitWidth(),
                             {name, values.text(loop.getStep())});
  text.open("for (" + cppType(type) + " " + name + " = " + first + "; " + condition + "; " + next + ")");
  values.bind(counter, name);
  if (failed(printBlock(*loop.getBody())))
    return failure();
  assign(loop.getRegionIterArgs(), loop.getBody()->getTerminator()->getOperands());
  text.close();
  return success();
}

// The variables of the condition's side are those of the loop; what it hands on is the body's and the loop's result.
LogicalResult Printer::printWhile(scf::WhileOp loop) {
  for (auto [argument, initial] : llvm::zip_equal(loop.getBeforeArguments(), loop.getInits()))
    if (failed(declareMutable(argument, initial, "carried")))
      return failure();
  scf::ConditionOp condition = loop.getConditionOp();
  SmallVector<Value> targets, sources;
  for (auto [argument, result, handed] :
       llvm::zip_equal(loop.getAfterArguments(), loop.getResults(), condition.getArgs())) {
    if (llvm::is_contained(loop.getBeforeArguments(), handed)) {
      values.bind(argument, values.variable(handed).str());
    } else {
      if (failed(declareMutable(argument, Value(), "carried")))
        return failure();
      targets.push_back(argument);
      sources.push_back(handed);
    }
    values.bind(result, values.variable(argument).str());
  }
  text.open("while (true)");
  if (failed(printBlock(*loop.getBeforeBody())))
    return failure();
  assign(targets, sources);
  text.open("if (!" + values.operand(condition.getCondition()) + ")");
  text.line("break;");
  text.close();
  if (failed(printBlock(*loop.getAfterBody())))
    return failure();
  assign(loop.getBeforeArguments(), loop.getAfterBody()->getTerminator()->getOperands());
  text.close();
  return success();
}

// Whether anything but branches that nobody asks for their results reads it.
static bool isRead(Value value) {
  return llvm::any_of(value.getUses(), [](OpOperand &use) {
    auto branch = dyn_cast<scf::IfOp>(use.getOwner()->getParentOp());
    if (!branch || !mlir::isa<scf::YieldOp>(use.getOwner()))
      return true;
    return isRead(branch.getResult(use.getOperandNumber()));
  });
}

LogicalResult Printer::printHalf(Region &half, StringRef condition) {
  text.open("if " + condition);
  if (failed(printAllocs(half)) || failed(printBlock(half.front())))
    return failure();
  text.close();
  return success();
}

LogicalResult Printer::printIf(scf::IfOp branch) {
  if (branch.getCondition().getDefiningOp<OnCubeOp>()) {
    if (failed(printHalf(branch.getThenRegion(), "ASCEND_IS_AIC")))
      return failure();
    return printHalf(branch.getElseRegion(), "ASCEND_IS_AIV");
  }
  std::string condition = values.text(branch.getCondition());
  // A result nobody reads would be a variable that is set and not used.
  SmallVector<Value> results;
  for (Value result : branch.getResults())
    if (isRead(result)) {
      if (failed(declareMutable(result, Value(), "chosen")))
        return failure();
      results.push_back(result);
    }
  auto choose = [&](scf::YieldOp yield) {
    SmallVector<Value> chosen;
    for (Value result : results)
      chosen.push_back(yield.getOperand(cast<OpResult>(result).getResultNumber()));
    assign(results, chosen);
  };
  text.open("if (" + condition + ")");
  if (failed(printBlock(*branch.thenBlock())))
    return failure();
  choose(branch.thenYield());
  if (Block *other = branch.elseBlock(); other && (!other->without_terminator().empty() || !results.empty())) {
    text.otherwise();
    if (failed(printBlock(*other)))
      return failure();
    choose(branch.elseYield());
  }
  text.close();
  return success();
}

LogicalResult Printer::printStatement(Operation &op) {
  if (mlir::isa<AllocOp, SlotOp, OffsetOp, ViewOp>(op))
    return printBuffer(op);
  if (auto piece = dyn_cast<asc::WriteOp>(op))
    return printWritten(piece);
  if (mlir::isa<KeepOp, ProbeOp, OnCubeOp>(op)) // a probe is for a debugger of the model, the core a matter of branches
    return success();
  if (asc::isSyncAll(&op)) {
    places.comment(text, op.getLoc());
    text.line(std::string("AscendC::SyncAll<") +
              (matchPattern(op.getOperand(0), mlir::m_NonZero()) ? "true" : "false") + ">();");
    return success();
  }
  if (auto assertion = dyn_cast<AssertOp>(op)) {
    places.comment(text, op.getLoc());
    std::string message; // an argument, not the format: compilers warn of one they cannot read
    for (char c : assertion.getMessage())
      message += c == '"' || c == '\\' ? std::string{'\\', c} : c == '\n' ? "\\n" : std::string(1, c);
    text.line("ascendc_assert(" + values.text(assertion.getCondition()) +
              (message.empty() ? "" : ", \"%s\", \"" + message + "\"") + ");");
    return success(!values.failed);
  }
  if (auto instruction = dyn_cast<InstructionOpInterface>(op)) {
    places.comment(text, op.getLoc());
    return printInstruction(instruction);
  }
  if (auto vf = dyn_cast<VfOp>(op)) {
    places.comment(text, op.getLoc());
    return printVectorFunction(vf);
  }
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    places.comment(text, op.getLoc());
    return printFor(loop);
  }
  if (auto loop = dyn_cast<scf::WhileOp>(op)) {
    places.comment(text, op.getLoc());
    return printWhile(loop);
  }
  if (auto branch = dyn_cast<scf::IfOp>(op)) {
    places.comment(text, op.getLoc());
    return printIf(branch);
  }
  if (auto choice = dyn_cast<arith::SelectOp>(op); choice && mlir::isa<BufferType>(choice.getType())) {
    Value tensor = choice.getResult();
    std::string name = values.name(tensor, "tensor");
    text.line(tensorType(mlir::cast<BufferType>(tensor.getType())) + " " + name + " = " + buffer(tensor) + ";");
    values.bind(tensor, name);
    return success(!values.failed);
  }
  if (!isa_and_nonnull<arith::ArithDialect>(op.getDialect()) || op.getNumResults() != 1)
    return op.emitOpError() << "cannot be written as Ascend C";
  if (op.use_empty() || values.isInlined(&op))
    return failure(values.failed);
  FailureOr<std::string> expression = values.compute(&op);
  if (failed(expression) || values.failed)
    return failure();
  if (Expressions::isNamed(op.getResult(0)))
    places.comment(text, op.getLoc());
  return declare(op.getResult(0), *expression);
}

LogicalResult Printer::printBlock(Block &block) {
  for (Operation &op : block)
    if (!op.hasTrait<OpTrait::IsTerminator>() && failed(printStatement(op)))
      return failure();
  return success();
}

} // namespace tilesmith::ascendc
