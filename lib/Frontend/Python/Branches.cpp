#include "Lowering.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace tilesmith::frontend {

// One side of a branch: its operations, what names and cells are at its end, and the leaves that leave it.
struct Branches::Branch {
  std::unique_ptr<mlir::Region> body;
  Env env;
  Cells::State cells;
  llvm::SmallVector<mlir::Value> leaves;

  mlir::Block &block() { return body->front(); }
};

// A name that both branches leave: `begin` and `end` delimit its leaves, `like` says what they make.
struct Branches::Merged {
  llvm::StringRef name;
  Value like;
  Range range;
  size_t begin, end;
};

Flow Branches::lowerIf(const ast::If &stmt) {
  Value condition = l.expressions.lower(*stmt.condition);
  if (!condition)
    return Flow::Failed;
  Truth result = values.truth(condition, stmt.condition->range);
  if (!result.valid)
    return Flow::Failed;
  if (result.isKnown)
    return l.statements.lower(result.known ? stmt.body : stmt.orElse);
  return lowerRuntimeIf(stmt, result.runtime) ? Flow::Next : Flow::Failed;
}

// Both branches start from the same names. Names that exist before and differ afterwards become results of the scf.if.
bool Branches::lowerRuntimeIf(const ast::If &stmt, mlir::Value condition) {
  if (!l.ir.canNest(stmt.range))
    return false;
  Branch branches[2];
  Env before = frame().env;
  const Cells::State cellsBefore = l.cells.state();
  auto plans = frame().plans;
  if (!lowerBranch(branches[0], stmt.body, before, cellsBefore) ||
      !lowerBranch(branches[1], stmt.orElse, before, cellsBefore))
    return false;
  frame().env = std::move(before);

  std::vector<Merged> merged = mergeNames(stmt, branches);
  size_t nameLeaves = branches[0].leaves.size();
  llvm::SmallVector<unsigned> mergedCells;
  for (unsigned cell = 0; cell < cellsBefore.size(); ++cell) {
    if (branches[0].cells[cell] == cellsBefore[cell] && branches[1].cells[cell] == cellsBefore[cell])
      continue;
    mergedCells.push_back(cell);
    for (Branch &branch : branches)
      branch.leaves.push_back(branch.cells[cell].value);
  }
  mlir::scf::IfOp op = buildIf(stmt, condition, branches);
  if (!op)
    return false;

  l.cells.restore(cellsBefore);
  mlir::ValueRange results = op.getResults();
  for (auto [cell, result] : llvm::zip_equal(mergedCells, results.drop_front(nameLeaves)))
    l.cells.set(cell, result);
  for (const Merged &name : merged) {
    mlir::ValueRange leaves = results.slice(name.begin, name.end - name.begin);
    l.names.bind(name.name, leaves.empty() ? name.like : l.merge.rebuild(name.like, leaves), name.range);
  }
  std::string where = "it was bound inside the runtime if at line " + std::to_string(stmt.range.line);
  for (Branch &branch : branches)
    l.names.expire(branch.env, where);
  frame().plans = std::move(plans);
  return true;
}

bool Branches::lowerBranch(Branch &branch, ast::Body body, const Env &before, const Cells::State &cells) {
  frame().env = before;
  l.cells.restore(cells);
  Flow flow = Flow::Next;
  branch.body = l.ir.buildRegion([&] { flow = l.statements.lower(body); });
  branch.env = std::move(frame().env);
  branch.cells = l.cells.state();
  return flow != Flow::Failed;
}

// What each name that existed before is after the branches. One whose values do not go together is out of reach.
std::vector<Branches::Merged> Branches::mergeNames(const ast::If &stmt, Branch (&branches)[2]) {
  llvm::SmallVector<llvm::StringRef> names = ast::collectAssignedNames(stmt.body);
  for (llvm::StringRef name : ast::collectAssignedNames(stmt.orElse))
    if (!llvm::is_contained(names, name))
      names.push_back(name);
  std::vector<Merged> merged;
  for (llvm::StringRef name : names) {
    auto it = frame().env.find(name);
    if (it == frame().env.end() && l.language.joinsNewNames() && branches[0].env.count(name) &&
        branches[1].env.count(name))
      it = frame().env.try_emplace(name).first;
    if (it == frame().env.end() || !it->second.gone.empty())
      continue;
    Binding &one = branches[0].env[name], &other = branches[1].env[name];
    if (!one.gone.empty() || !other.gone.empty()) {
      it->second = one.gone.empty() ? other : one;
      continue;
    }
    Value sides[2] = {one.value, other.value};
    const Range ranges[2] = {one.range, other.range};
    size_t begin = branches[0].leaves.size();
    if (Value like = mergeValues(name, sides, ranges, branches)) {
      merged.push_back({name, like, ranges[0], begin, branches[0].leaves.size()});
      continue;
    }
    it->second = Binding{{},
                         one.range,
                         "it differs in the branches of the if at line " + std::to_string(stmt.range.line),
                         std::make_shared<const Diagnostic>(l.errors.take())};
  }
  return merged;
}

// Adds the leaves of `name` at the end of each branch, and returns what they make; invalid if there is no such value.
Value Branches::mergeValues(llvm::StringRef name, Value (&sides)[2], const Range (&ranges)[2], Branch (&branches)[2]) {
  if (l.merge.isSame(sides[0], sides[1]))
    return sides[0];
  auto atEnd = [&](int i, llvm::function_ref<void()> build) {
    mlir::OpBuilder::InsertionGuard guard(builder());
    builder().setInsertionPointToEnd(&branches[i].block());
    l.cells.restore(branches[i].cells);
    build();
  };
  if (!l.merge.sameStructure(sides[0], sides[1])) {
    for (int i : {0, 1})
      atEnd(i, [&] { sides[i] = l.merge.carried(values.read(sides[i]), ranges[i]); });
    if (!l.merge.sameStructure(sides[0], sides[1])) {
      Target target = l.merge.join(sides[0], sides[1]);
      if (!target) {
        fail(ranges[0], "TypeError",
             name + " is " + values.describeShort(sides[0]) + " in one branch of this if and " +
                 values.describeShort(sides[1]) + " in the other",
             "both branches of a runtime if must leave the same type");
        l.errors.addNote(ranges[1], "the other branch leaves it here");
        return {};
      }
      for (int i : {0, 1}) {
        atEnd(i, [&] { sides[i] = l.merge.convertTo(sides[i], target, ranges[i]); });
        if (!sides[i])
          return fail(ranges[i], "TypeError", name + " has different types in the branches of this if");
      }
    }
  }
  for (int i : {0, 1})
    atEnd(i, [&] { l.merge.flatten(sides[i], branches[i].leaves); });
  return sides[0];
}

// The statement's scf.if; none, with an error, if a cell has another type in each branch.
mlir::scf::IfOp Branches::buildIf(const ast::If &stmt, mlir::Value condition, Branch (&branches)[2]) {
  for (auto [one, other] : llvm::zip_equal(branches[0].leaves, branches[1].leaves)) {
    if (one.getType() == other.getType())
      continue;
    auto *cell = llvm::find_if(branches[0].cells, [&, leaf = one](const Cells::Cell &c) { return c.value == leaf; });
    llvm::StringRef noun = cell == branches[0].cells.end() ? "a value" : cell->noun;
    fail(stmt.range, "TypeError", noun + " has different shapes in the branches of this if");
    return {};
  }
  mlir::TypeRange types = mlir::ValueRange(branches[0].leaves).getTypes();
  bool hasElse = !types.empty() || !branches[1].block().empty();
  return buildIf(loc(stmt.range), types, condition, branches, hasElse);
}

mlir::scf::IfOp Branches::buildIf(mlir::Location at, mlir::TypeRange types, mlir::Value condition,
                                  Branch (&branches)[2], bool hasElse) {
  auto op = mlir::scf::IfOp::create(builder(), at, types, condition, /*addThenBlock=*/true, /*addElseBlock=*/hasElse);
  for (auto [branch, region] : llvm::zip(branches, op->getRegions())) {
    if (region.empty())
      continue;
    mlir::Block &block = region.front();
    if (branch.body)
      block.getOperations().splice(block.end(), branch.block().getOperations());
    mlir::OpBuilder::InsertionGuard guard(builder());
    builder().setInsertionPointToEnd(&block);
    mlir::scf::YieldOp::create(builder(), at, branch.leaves);
  }
  return op;
}

static bool isPure(mlir::Block &block) {
  return llvm::all_of(block, [](mlir::Operation &op) { return op.getNumRegions() == 0 && mlir::isPure(&op); });
}

// The operations of a branch, where the builder stands.
void Branches::inlineHere(Branch &branch) {
  builder().getInsertionBlock()->getOperations().splice(builder().getInsertionPoint(), branch.block().getOperations());
}

Value Branches::lowerIfExp(const ast::IfExp &expr) {
  Value condition = l.expressions.lower(*expr.condition);
  if (!condition)
    return {};
  Truth result = values.truth(condition, expr.condition->range);
  if (!result.valid)
    return {};
  if (result.isKnown)
    return l.expressions.lower(result.known ? *expr.body : *expr.orElse);
  return l.ir.canNest(expr.range) ? lowerRuntimeIfExp(expr, result.runtime) : Value();
}

// Both sides are lowered into the branches of an scf.if. Scalars that cost nothing to compute become a select instead.
Value Branches::lowerRuntimeIfExp(const ast::IfExp &expr, mlir::Value condition) {
  const ast::Expr *nodes[2] = {expr.body, expr.orElse};
  Branch branches[2];
  Value sides[2];
  const Cells::State cellsBefore = l.cells.state();
  for (int i : {0, 1}) {
    branches[i].body = l.ir.buildRegion([&] { sides[i] = values.read(l.expressions.lower(*nodes[i])); });
    if (!sides[i])
      return {};
    if (unsigned cell = l.cells.firstChanged(cellsBefore); cell != cellsBefore.size())
      return fail(nodes[i]->range, "RuntimeError",
                  l.cells.noun(cell) + " cannot be written inside a conditional expression", "use an if statement");
    l.cells.restore(cellsBefore);
  }
  if (l.merge.isSame(sides[0], sides[1]))
    return sides[0];
  if (!l.merge.sameStructure(sides[0], sides[1]) && !unify(expr, sides, branches))
    return {};
  if (sides[0].isScalar() && isPure(branches[0].block()) && isPure(branches[1].block())) {
    for (Branch &branch : branches)
      inlineHere(branch);
    return scalars.choose(condition, sides[0], sides[1], expr.range);
  }
  for (int i : {0, 1})
    l.merge.flatten(sides[i], branches[i].leaves);
  mlir::TypeRange types = mlir::ValueRange(branches[0].leaves).getTypes();
  mlir::ValueRange results = buildIf(loc(expr.range), types, condition, branches, /*hasElse=*/true).getResults();
  return l.merge.rebuild(sides[0], results);
}

// Brings the sides to one type.
bool Branches::unify(const ast::IfExp &expr, Value (&sides)[2], Branch (&branches)[2]) {
  Target target = l.merge.join(sides[0], sides[1]);
  for (int i : {0, 1}) {
    mlir::OpBuilder::InsertionGuard guard(builder());
    builder().setInsertionPointToEnd(&branches[i].block());
    const Range &range = (i == 0 ? expr.body : expr.orElse)->range;
    Value converted = target ? l.merge.convertTo(sides[i], target, range) : Value();
    if (!converted)
      return bool(fail(expr.range, "TypeError",
                       "the sides of this conditional expression have different types: " +
                           values.describeShort(sides[0]) + " and " + values.describeShort(sides[1])));
    sides[i] = converted;
  }
  return true;
}

// `a and b` is b if a is true, else a; b is only evaluated if it decides (Python's meaning).
Value Branches::lowerBoolOp(const ast::BoolOp &expr, unsigned index) {
  const ast::Expr &node = *expr.operands[index];
  Value lhs = l.expressions.lower(node);
  if (!lhs || index + 1 == expr.operands.size())
    return lhs;
  Truth first = values.truth(lhs, node.range);
  if (!first.valid)
    return {};
  if (first.isKnown)
    return first.known == expr.isAnd ? lowerBoolOp(expr, index + 1) : lhs;
  return l.ir.canNest(expr.range) ? lowerRuntimeBoolOp(expr, index, lhs, first.runtime) : Value();
}

Value Branches::lowerRuntimeBoolOp(const ast::BoolOp &expr, unsigned index, const Value &lhs, mlir::Value condition) {
  Value rhs;
  Branch right, other;
  const Cells::State cellsBefore = l.cells.state();
  right.body = l.ir.buildRegion([&] { rhs = lowerBoolOp(expr, index + 1); });
  if (!rhs)
    return {};
  const Range &rhsRange = expr.operands[index + 1]->range;
  bool changed = l.cells.firstChanged(cellsBefore) != cellsBefore.size();
  l.cells.restore(cellsBefore);
  if (changed || !values.isNumeric(rhs))
    return fail(rhsRange, "TypeError",
                "the right side of `" + llvm::Twine(expr.isAnd ? "and" : "or") + "` must be a number, not " +
                    describe(rhs));
  {
    mlir::OpBuilder::InsertionGuard guard(builder());
    builder().setInsertionPointToEnd(&right.block());
    rhs = beside(lhs, rhs, rhsRange);
    if (!rhs)
      return {};
  }
  Value left = rhs.dtype == lhs.dtype ? lhs : Value::ofScalar(condition, DType::I1);
  mlir::Location at = loc(expr.range);
  if (!isPure(right.block())) {
    right.leaves = {rhs.ir};
    other.leaves = {left.ir};
    Branch branches[2] = {std::move(expr.isAnd ? right : other), std::move(expr.isAnd ? other : right)};
    return Value::ofScalar(buildIf(at, rhs.ir.getType(), condition, branches, /*hasElse=*/true).getResult(0),
                           rhs.dtype);
  }
  inlineHere(right);
  if (rhs.dtype == DType::I1) {
    mlir::Value both = expr.isAnd ? mlir::arith::AndIOp::create(builder(), at, left.ir, rhs.ir).getResult()
                                  : mlir::arith::OrIOp::create(builder(), at, left.ir, rhs.ir).getResult();
    return Value::ofScalar(both, DType::I1);
  }
  return expr.isAnd ? scalars.choose(condition, rhs, left, expr.range)
                    : scalars.choose(condition, left, rhs, expr.range);
}

// The right side of `and` and `or` as a scalar. A number beside a comparison is only asked for its truth.
Value Branches::beside(const Value &lhs, const Value &rhs, const Range &range) {
  bool onlyTruth = lhs.dtype == DType::I1 || values.dtypeOf(rhs) == DType::I1;
  if (onlyTruth && !rhs.isScalar())
    return Value::ofScalar(l.ir.constant(DType::I1, values.truth(rhs, range).known, range), DType::I1);
  if (onlyTruth && rhs.dtype != DType::I1)
    return Value::ofScalar(values.truth(rhs, range).runtime, DType::I1);
  mlir::Value converted = scalars.convert(rhs, lhs.dtype, range);
  return converted ? Value::ofScalar(converted, lhs.dtype) : Value();
}

} // namespace tilesmith::frontend
