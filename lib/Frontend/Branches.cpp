// if, the conditional expression, and `and`/`or`. A condition known while compiling leaves no trace in the IR.
#include "Lowering.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace tilesmith::frontend {

Lowering::Flow Lowering::lowerIf(const ast::If &stmt) {
  Value condition = lowerExpr(*stmt.condition);
  if (!condition)
    return Flow::Failed;
  Truth result = truth(condition, stmt.condition->range);
  if (!result.valid)
    return Flow::Failed;
  if (result.isKnown)
    return lowerBody(result.known ? stmt.body : stmt.orElse);
  return lowerRuntimeIf(stmt, result.runtime) ? Flow::Next : Flow::Failed;
}

// Both branches start from the same names. Names that exist before and differ afterwards become results of the scf.if.
bool Lowering::lowerRuntimeIf(const ast::If &stmt, mlir::Value condition) {
  if (!enterRegion(stmt.range))
    return false;
  struct Branch {
    std::unique_ptr<mlir::Region> body;
    Env env;
    llvm::SmallVector<mlir::Value> cells, leaves;
  } branches[2];
  Env before = frame->env;
  llvm::SmallVector<mlir::Value> cellsBefore = cells;
  auto plans = frame->plans;

  for (bool isThen : {true, false}) {
    Branch &branch = branches[isThen ? 0 : 1];
    frame->env = before;
    cells = cellsBefore;
    Flow flow = Flow::Next;
    branch.body = buildRegion([&] { flow = lowerBody(isThen ? stmt.body : stmt.orElse); });
    if (flow == Flow::Failed)
      return false;
    branch.env = std::move(frame->env);
    branch.cells = cells;
  }
  frame->env = std::move(before);

  // The leaves of `name` at the end of each branch; the value the name has afterwards.
  auto merge = [&](llvm::StringRef name, Value values[2], const Range ranges[2]) -> Value {
    if (isSame(values[0], values[1]))
      return values[0];
    Target target;
    bool sameKind = sameStructure(values[0], values[1]);
    for (int i : {0, 1}) {
      mlir::OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointToEnd(&branches[i].body->front());
      cells = branches[i].cells;
      if (!sameKind)
        values[i] = withOffset(read(values[i]), ranges[i]);
    }
    if (!sameKind && !sameStructure(values[0], values[1])) {
      target = join(values[0], values[1]);
      if (!target) {
        fail(ranges[0], "TypeError",
             name + " is " + describeShort(values[0]) + " in one branch of this if and " + describeShort(values[1]) +
                 " in the other",
             "both branches of a runtime if must leave the same type");
        addNote(ranges[1], "the other branch leaves it here");
        return {};
      }
    }
    for (int i : {0, 1}) {
      mlir::OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointToEnd(&branches[i].body->front());
      cells = branches[i].cells;
      if (target)
        values[i] = convertTo(values[i], target, ranges[i]);
      if (!values[i])
        return fail(ranges[i], "TypeError", name + " has different types in the branches of this if");
    }
    for (int i : {0, 1}) {
      cells = branches[i].cells;
      flatten(values[i], branches[i].leaves);
    }
    return values[0];
  };

  struct Merged {
    llvm::StringRef name;
    Value like;
    Range range;
    size_t begin, end; // leaves
  };
  llvm::SmallVector<Merged> merged;
  llvm::SmallVector<llvm::StringRef> names = ast::collectAssignedNames(stmt.body);
  for (llvm::StringRef name : ast::collectAssignedNames(stmt.orElse))
    if (!llvm::is_contained(names, name))
      names.push_back(name);
  for (llvm::StringRef name : names) {
    auto it = frame->env.find(name);
    if (it == frame->env.end() || !it->second.gone.empty())
      continue;
    Binding &one = branches[0].env[name], &other = branches[1].env[name];
    if (!one.gone.empty() || !other.gone.empty()) {
      it->second = one.gone.empty() ? other : one;
      continue;
    }
    Value values[2] = {one.value, other.value};
    Range ranges[2] = {one.range, other.range};
    size_t begin = branches[0].leaves.size();
    Value like = merge(name, values, ranges);
    if (!like) {
      it->second = Binding{{},
                           one.range,
                           "it differs in the branches of the if at line " + std::to_string(stmt.range.line),
                           takeConflict()};
      continue;
    }
    merged.push_back({name, like, ranges[0], begin, branches[0].leaves.size()});
  }
  llvm::SmallVector<unsigned> mergedCells;
  for (unsigned cell = 0; cell < cellsBefore.size(); ++cell) {
    if (branches[0].cells[cell] == cellsBefore[cell] && branches[1].cells[cell] == cellsBefore[cell])
      continue;
    mergedCells.push_back(cell);
    for (Branch &branch : branches)
      branch.leaves.push_back(branch.cells[cell]);
  }

  llvm::SmallVector<mlir::Type> types;
  for (auto [one, other] : llvm::zip_equal(branches[0].leaves, branches[1].leaves)) {
    types.push_back(one.getType());
    if (one.getType() != other.getType())
      return bool(fail(stmt.range, "TypeError", "an accumulator has different shapes in the branches of this if"));
  }
  mlir::Location at = loc(stmt.range);
  bool hasElse = !types.empty() || !branches[1].body->front().empty();
  auto op = mlir::scf::IfOp::create(builder, at, types, condition, /*addThenBlock=*/true, /*addElseBlock=*/hasElse);
  for (auto [branch, target] :
       llvm::zip(branches, llvm::ArrayRef<mlir::Region *>{&op.getThenRegion(), &op.getElseRegion()})) {
    if (target->empty())
      continue;
    mlir::Block &block = target->front();
    block.getOperations().splice(block.end(), branch.body->front().getOperations());
    mlir::OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToEnd(&block);
    mlir::scf::YieldOp::create(builder, at, branch.leaves);
  }

  cells = cellsBefore;
  mlir::ValueRange results = op.getResults();
  for (auto [cell, result] : llvm::zip_equal(mergedCells, results.take_back(mergedCells.size())))
    cells[cell] = result;
  for (const Merged &name : merged) {
    mlir::ValueRange leaves = results.slice(name.begin, name.end - name.begin);
    Range range = name.range;
    bind(name.name, leaves.empty() ? name.like : rebuild(name.like, leaves), range);
  }
  std::string where = "it was bound inside the runtime if at line " + std::to_string(stmt.range.line);
  for (Branch &branch : branches)
    expire(branch.env, where);
  frame->plans = std::move(plans);
  return true;
}

Value Lowering::chooseScalar(mlir::Value condition, const Value &lhs, const Value &rhs, const Range &range) {
  return Value::ofScalar(mlir::arith::SelectOp::create(builder, loc(range), condition, lhs.ir, rhs.ir), lhs.dtype);
}

static bool isPure(mlir::Block &block) {
  return llvm::all_of(block, [](mlir::Operation &op) { return op.getNumRegions() == 0 && mlir::isPure(&op); });
}

// Both sides are lowered into the branches of an scf.if. Scalars that cost nothing to compute become a select instead.
Value Lowering::lowerIfExp(const ast::IfExp &expr) {
  Value condition = lowerExpr(*expr.condition);
  if (!condition)
    return {};
  Truth result = truth(condition, expr.condition->range);
  if (!result.valid)
    return {};
  if (result.isKnown)
    return lowerExpr(result.known ? *expr.body : *expr.orElse);
  if (!enterRegion(expr.range))
    return {};

  const ast::Expr *sides[2] = {expr.body, expr.orElse};
  std::unique_ptr<mlir::Region> bodies[2];
  Value values[2];
  llvm::SmallVector<mlir::Value> cellsBefore = cells;
  for (int i : {0, 1}) {
    bodies[i] = buildRegion([&] {
      values[i] = lowerExpr(*sides[i]);
      if (values[i])
        values[i] = read(values[i]);
    });
    if (!values[i])
      return {};
    cells.resize(cellsBefore.size());
    if (cells != cellsBefore)
      return fail(sides[i]->range, "RuntimeError", "an accumulator cannot be written inside a conditional expression",
                  "use an if statement");
  }
  if (isSame(values[0], values[1]))
    return values[0];
  if (!sameStructure(values[0], values[1])) {
    Target target = join(values[0], values[1]);
    for (int i : {0, 1}) {
      mlir::OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointToEnd(&bodies[i]->front());
      Value converted = target ? convertTo(values[i], target, sides[i]->range) : Value();
      if (!converted)
        return fail(expr.range, "TypeError",
                    "the sides of this conditional expression have different types: " + describeShort(values[0]) +
                        " and " + describeShort(values[1]));
      values[i] = converted;
    }
  }
  if (values[0].isScalar() && isPure(bodies[0]->front()) && isPure(bodies[1]->front())) {
    mlir::Block *block = builder.getInsertionBlock();
    for (auto &body : bodies)
      block->getOperations().splice(builder.getInsertionPoint(), body->front().getOperations());
    return chooseScalar(result.runtime, values[0], values[1], expr.range);
  }
  llvm::SmallVector<mlir::Value> leaves[2];
  for (int i : {0, 1})
    flatten(values[i], leaves[i]);
  mlir::Location at = loc(expr.range);
  auto op = mlir::scf::IfOp::create(builder, at, mlir::ValueRange(leaves[0]).getTypes(), result.runtime, true, true);
  for (int i : {0, 1}) {
    mlir::Block &block = op->getRegion(i).front();
    block.getOperations().splice(block.end(), bodies[i]->front().getOperations());
    mlir::OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToEnd(&block);
    mlir::scf::YieldOp::create(builder, at, leaves[i]);
  }
  mlir::ValueRange results = op.getResults();
  return rebuild(values[0], results);
}

// `a and b` is b if a is true, else a; b is only evaluated if it decides (Python's meaning).
Value Lowering::lowerBoolOp(const ast::BoolOp &expr, unsigned index) {
  const ast::Expr &node = *expr.operands[index];
  Value lhs = lowerExpr(node);
  if (!lhs || index + 1 == expr.operands.size())
    return lhs;
  Truth first = truth(lhs, node.range);
  if (!first.valid)
    return {};
  if (first.isKnown)
    return first.known == expr.isAnd ? lowerBoolOp(expr, index + 1) : lhs;
  if (!enterRegion(expr.range))
    return {};

  Value rhs;
  llvm::SmallVector<mlir::Value> cellsBefore = cells;
  std::unique_ptr<mlir::Region> body = buildRegion([&] { rhs = lowerBoolOp(expr, index + 1); });
  if (!rhs)
    return {};
  const Range &rhsRange = expr.operands[index + 1]->range;
  cells.resize(cellsBefore.size());
  if (cells != cellsBefore || !isNumeric(rhs))
    return fail(rhsRange, "TypeError",
                "the right side of `" + llvm::Twine(expr.isAnd ? "and" : "or") + "` must be a number, not " +
                    describe(rhs));
  {
    mlir::OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToEnd(&body->front());
    // A number beside a comparison is only asked for its truth.
    bool onlyTruth = lhs.dtype == DType::Int1 || dtypeOf(rhs) == DType::Int1;
    if (onlyTruth && !rhs.isScalar()) {
      Truth known = truth(rhs, rhsRange);
      rhs = Value::ofScalar(constant(DType::Int1, known.known, rhsRange), DType::Int1);
    } else if (onlyTruth && rhs.dtype != DType::Int1) {
      rhs = Value::ofScalar(truth(rhs, rhsRange).runtime, DType::Int1);
    } else {
      mlir::Value converted = toScalar(rhs, lhs.dtype, rhsRange);
      if (!converted)
        return {};
      rhs = Value::ofScalar(converted, lhs.dtype);
    }
  }
  Value left = rhs.dtype == lhs.dtype ? lhs : Value::ofScalar(first.runtime, DType::Int1);
  mlir::Location at = loc(expr.range);
  if (!isPure(body->front())) {
    auto op = mlir::scf::IfOp::create(builder, at, rhs.ir.getType(), first.runtime, true, true);
    for (bool isThen : {true, false}) {
      mlir::Block &block = op->getRegion(isThen ? 0 : 1).front();
      if (isThen == expr.isAnd)
        block.getOperations().splice(block.end(), body->front().getOperations());
      mlir::OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointToEnd(&block);
      mlir::scf::YieldOp::create(builder, at, isThen == expr.isAnd ? rhs.ir : left.ir);
    }
    return Value::ofScalar(op.getResult(0), rhs.dtype);
  }
  builder.getInsertionBlock()->getOperations().splice(builder.getInsertionPoint(), body->front().getOperations());
  if (rhs.dtype == DType::Int1) {
    mlir::Value both = expr.isAnd ? mlir::arith::AndIOp::create(builder, at, left.ir, rhs.ir).getResult()
                                  : mlir::arith::OrIOp::create(builder, at, left.ir, rhs.ir).getResult();
    return Value::ofScalar(both, DType::Int1);
  }
  return expr.isAnd ? chooseScalar(first.runtime, rhs, left, expr.range)
                    : chooseScalar(first.runtime, left, rhs, expr.range);
}

} // namespace tilesmith::frontend
