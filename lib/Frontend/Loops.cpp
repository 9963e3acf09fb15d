// for and while.
//
// Names bound before the loop and rebound in its body are carried. Runtime values are carried at once; a Python number
// is assumed constant first, and if the body turns out to change it, the loop is built again with the number as a
// runtime value. The same happens when the body writes an accumulator. Each repetition adds to the loop's plan, so it
// ends.
#include "Lowering.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tilesmith::frontend {

struct Lowering::Carried {
  struct Item {
    llvm::StringRef name;
    Value start; // at the beginning of the body
    Range range;
  };
  Env before;
  llvm::SmallVector<mlir::Value> cellsBefore;
  llvm::SmallVector<mlir::Value> cellsStart;
  llvm::SmallVector<llvm::StringRef> assigned; // existing names the body may rebind
  llvm::SmallVector<Item> items;
  llvm::SmallVector<mlir::Value> inits;
  std::string where; // for names that end with the loop
};

bool Lowering::startCarrying(Carried &carried, ast::Body body, llvm::StringRef target, const LoopPlan &plan,
                             const Range &range) {
  carried.before = frame->env;
  carried.cellsBefore = cells;
  for (llvm::StringRef name : ast::collectAssignedNames(body)) {
    auto it = frame->env.find(name);
    if (name == target || it == frame->env.end() || !it->second.gone.empty() || plan.gone.count(name))
      continue;
    carried.assigned.push_back(name);
    Value value = it->second.value;
    if (auto promoted = plan.promoted.find(name); promoted != plan.promoted.end()) {
      if (Value converted = convertTo(value, promoted->second, it->second.range))
        value = converted;
      else if (hasFailed())
        return false;
    }
    value = withOffset(value, it->second.range);
    size_t leaves = carried.inits.size();
    flatten(value, carried.inits);
    if (carried.inits.size() != leaves)
      carried.items.push_back({name, value, it->second.range});
  }
  for (unsigned cell : plan.cells)
    carried.inits.push_back(cells[cell]);
  return true;
}

void Lowering::enterLoop(Carried &carried, const LoopPlan &plan, mlir::ValueRange arguments) {
  frame->env = carried.before;
  cells = carried.cellsBefore;
  for (Carried::Item &item : carried.items) {
    item.start = rebuild(item.start, arguments);
    frame->env[item.name].value = item.start;
  }
  for (unsigned cell : plan.cells) {
    cells[cell] = arguments.front();
    arguments = arguments.drop_front();
  }
  for (const auto &[name, binding] : plan.gone)
    frame->env[name] = binding;
  carried.cellsStart = cells;
}

Lowering::Attempt Lowering::finishIteration(Carried &carried, LoopPlan &plan, const Range &range,
                                            llvm::SmallVectorImpl<mlir::Value> &yielded) {
  Attempt result = Attempt::Done;
  // A value that cannot be carried is an error only if the next iteration, or what follows the loop, reads it.
  auto mismatch = [&](llvm::StringRef name, const Binding &end, const Value &start) {
    fail(end.range, "TypeError",
         name + " is " + describeShort(start) + " before the loop and " + describeShort(end.value) +
             " after one iteration",
         "a runtime loop must keep the type of what it changes; convert it, or use another name");
    addNote(carried.before[name].range, "bound here before the loop");
    plan.gone[name.str()] = Binding{{}, end.range, carried.where, takeConflict()};
    result = Attempt::Retry;
  };
  for (llvm::StringRef name : carried.assigned) {
    const Binding &end = frame->env[name];
    if (!end.gone.empty()) {
      plan.gone[name.str()] = end;
      result = Attempt::Retry;
      continue;
    }
    const Value &before = carried.before[name].value;
    auto *item = llvm::find_if(carried.items, [&](const Carried::Item &item) { return item.name == name; });
    if (item != carried.items.end()) {
      Value value = convertLike(end.value, item->start, end.range);
      if (hasFailed())
        return Attempt::Failed;
      if (value)
        flatten(value, yielded);
      else
        mismatch(name, end, item->start);
      continue;
    }
    if (isSame(before, end.value))
      continue;
    Target target = join(before, read(end.value));
    if (!target || plan.promoted.count(name)) {
      mismatch(name, end, before);
      continue;
    }
    plan.promoted[name.str()] = target;
    result = Attempt::Retry;
  }
  for (unsigned cell = 0; cell < carried.cellsBefore.size(); ++cell) {
    if (cells[cell] == carried.cellsStart[cell] || llvm::is_contained(plan.cells, cell))
      continue;
    plan.cells.push_back(cell);
    result = Attempt::Retry;
  }
  for (unsigned cell : plan.cells)
    yielded.push_back(cells[cell]);
  return result;
}

void Lowering::leaveLoop(Carried &carried, const LoopPlan &plan, mlir::ValueRange results) {
  Env after = std::move(frame->env);
  frame->env = std::move(carried.before);
  cells = carried.cellsBefore;
  for (const Carried::Item &item : carried.items) {
    Range range = after[item.name].range;
    bind(item.name, rebuild(item.start, results), range);
  }
  for (unsigned cell : plan.cells) {
    cells[cell] = results.front();
    results = results.drop_front();
  }
  for (const auto &[name, binding] : plan.gone)
    frame->env[name] = binding;
  expire(after, carried.where);
}

// Repeats `attempt` until its plan is stable. An attempt that fails while Python numbers were assumed constant may fail
// only because of that (10 // n with n = 0 at first): it gets one more chance with all of them as runtime values.
Lowering::Flow Lowering::lowerLoop(const ast::Stmt &stmt, ast::Body body,
                                   llvm::function_ref<Attempt(LoopPlan &)> attempt) {
  if (!enterRegion(stmt.range))
    return Flow::Failed;
  LoopPlan plan = frame->plans[&stmt];
  const Env env = frame->env;
  const llvm::SmallVector<mlir::Value> cellsBefore = cells;
  mlir::Block *block = builder.getInsertionBlock();
  mlir::Operation *last = block->empty() ? nullptr : &block->back();
  auto rollBack = [&] {
    builder.setInsertionPointToEnd(block);
    while (!block->empty() && &block->back() != last) {
      block->back().dropAllUses();
      block->back().erase();
    }
    frame->env = env;
    cells = cellsBefore;
  };

  std::optional<Diagnostic> firstError;
  unsigned outer = region;
  while (true) {
    region = ++lastRegion;
    ++regionDepth;
    Attempt result = attempt(plan);
    --regionDepth;
    region = outer;
    if (result == Attempt::Done) {
      builder.setInsertionPointToEnd(block);
      frame->plans[&stmt] = std::move(plan);
      return Flow::Next;
    }
    if (result == Attempt::Failed) {
      if (firstError) {
        diagnostic = *firstError;
        return Flow::Failed;
      }
      bool extended = false;
      for (llvm::StringRef name : ast::collectAssignedNames(body)) {
        auto it = env.find(name);
        if (it == env.end() || !it->second.gone.empty() || !isNumber(it->second.value) || plan.promoted.count(name))
          continue;
        plan.promoted[name.str()] = defaultTarget(it->second.value);
        extended = true;
      }
      if (!extended)
        return Flow::Failed;
      firstError = diagnostic;
      diagnostic = Diagnostic();
    }
    rollBack();
  }
}

Lowering::Flow Lowering::lowerFor(const ast::For &stmt) {
  if (!stmt.orElse.empty()) {
    fail(stmt.orElse[0]->range, "UnsupportedSyntaxError", "for ... else is not supported inside a kernel");
    return Flow::Failed;
  }
  Value range = lowerExpr(*stmt.iterable);
  if (!range)
    return Flow::Failed;
  if (range.isSequence() || (range.isHost() && host.isSequence(range.host))) {
    llvm::SmallVector<Value> items;
    if (!toSequence(range, items, stmt.iterable->range, "what a loop runs over"))
      return Flow::Failed;
    return lowerForEach(stmt, items);
  }
  if (range.kind != Value::Range) {
    fail(stmt.iterable->range, "UnsupportedSyntaxError",
         "a for loop inside a kernel runs over range, asc2.range, "
         "asc.static_range, a tuple or a list, not over " +
             describe(range));
    return Flow::Failed;
  }
  if (range.parts->isStatic)
    return lowerStaticFor(stmt, range);
  if (!llvm::isa<ast::Name>(stmt.target)) {
    fail(stmt.target->range, "UnsupportedSyntaxError", "the variable of a runtime loop must be one name");
    return Flow::Failed;
  }
  static constexpr llvm::StringLiteral what[] = {"start", "stop", "step"};
  llvm::SmallVector<mlir::Value> bounds;
  for (auto [index, bound] : llvm::enumerate(range.items())) {
    if (index == 2 && bound.isHost() && host.asInt(bound.host).value_or(1) <= 0) {
      fail(stmt.iterable->range, "ValueError",
           "the step of a runtime loop must be positive, not " + host.repr(bound.host),
           "count upwards and compute the index from the loop variable");
      return Flow::Failed;
    }
    if (isFloat(dtypeOf(bound))) {
      fail(stmt.iterable->range, "TypeError", what[index] + " of a loop must be an integer, not " + describe(bound));
      return Flow::Failed;
    }
    bounds.push_back(toScalar(bound, DType::Int32, stmt.iterable->range));
    if (!bounds.back())
      return Flow::Failed;
  }
  return lowerLoop(stmt, stmt.body, [&](LoopPlan &plan) { return tryFor(stmt, range, bounds, plan); });
}

Lowering::Attempt Lowering::tryFor(const ast::For &stmt, const Value &range, llvm::ArrayRef<mlir::Value> bounds,
                                   LoopPlan &plan) {
  auto *target = llvm::cast<ast::Name>(stmt.target);
  Carried carried;
  carried.where = "its value ends with the loop at line " + std::to_string(stmt.range.line);
  if (!startCarrying(carried, stmt.body, target->id, plan, stmt.range))
    return Attempt::Failed;
  mlir::Location at = loc(stmt.range);
  auto loop = mlir::scf::ForOp::create(builder, at, bounds[0], bounds[1], bounds[2], carried.inits,
                                       [](mlir::OpBuilder &, mlir::Location, mlir::Value, mlir::ValueRange) {});
  if (range.parts->unrollFactor != 1)
    loop->setAttr(tile::unrollFactorAttrName, builder.getI64IntegerAttr(range.parts->unrollFactor));
  if (range.parts->parallel)
    loop->setAttr(tile::parallelAttrName, builder.getUnitAttr());

  builder.setInsertionPointToEnd(loop.getBody());
  enterLoop(carried, plan, loop.getRegionIterArgs());
  loop.getInductionVar().setLoc(mlir::NameLoc::get(builder.getStringAttr(target->id), loc(target->range)));
  bind(target->id, Value::ofScalar(loop.getInductionVar(), DType::Int32), target->range);
  if (lowerBody(stmt.body) != Flow::Next)
    return Attempt::Failed;
  llvm::SmallVector<mlir::Value> yielded;
  Attempt result = finishIteration(carried, plan, stmt.range, yielded);
  if (result != Attempt::Done)
    return result;
  mlir::scf::YieldOp::create(builder, at, yielded);
  // The loop's variable hides a name of before, and takes it along when it ends.
  if (auto it = carried.before.find(target->id); it != carried.before.end())
    it->second.gone = carried.where;
  leaveLoop(carried, plan, loop.getResults());
  return Attempt::Done;
}

Lowering::Flow Lowering::lowerStaticFor(const ast::For &stmt, const Value &range) {
  int64_t bounds[3];
  for (auto [bound, item] : llvm::zip_equal(bounds, range.items()))
    bound = *host.asInt(item.host);
  auto [start, stop, step] = bounds;
  for (int64_t i = start; step > 0 ? i < stop : i > stop;) {
    if (Flow flow = lowerForEach(stmt, Value::ofHost(host.makeInt(i))); flow != Flow::Next)
      return flow;
    if (__builtin_add_overflow(i, step, &i))
      break;
  }
  return Flow::Next;
}

// The body once for each item, while compiling.
Lowering::Flow Lowering::lowerForEach(const ast::For &stmt, llvm::ArrayRef<Value> items) {
  // What an inner loop had to promote in one iteration says nothing about the next.
  const auto plans = frame->plans;
  for (const Value &item : items) {
    if (!assign(*stmt.target, item, stmt.iterable->range))
      return Flow::Failed;
    Flow flow = lowerBody(stmt.body);
    if (flow != Flow::Next)
      return flow;
    frame->plans = plans;
  }
  return Flow::Next;
}

Lowering::Flow Lowering::lowerWhile(const ast::While &stmt) {
  if (!stmt.orElse.empty()) {
    fail(stmt.orElse[0]->range, "UnsupportedSyntaxError", "while ... else is not supported inside a kernel");
    return Flow::Failed;
  }
  return lowerLoop(stmt, stmt.body, [&](LoopPlan &plan) { return tryWhile(stmt, plan); });
}

Lowering::Attempt Lowering::tryWhile(const ast::While &stmt, LoopPlan &plan) {
  mlir::Block *block = builder.getInsertionBlock();
  Carried carried;
  carried.where = "its value ends with the loop at line " + std::to_string(stmt.range.line);
  if (!startCarrying(carried, stmt.body, "", plan, stmt.range))
    return Attempt::Failed;
  mlir::Location at = loc(stmt.range);
  auto nothing = [](mlir::OpBuilder &, mlir::Location, mlir::ValueRange) {};
  auto loop = mlir::scf::WhileOp::create(builder, at, mlir::ValueRange(carried.inits).getTypes(), carried.inits,
                                         nothing, nothing);

  llvm::SmallVector<Value> initial;
  for (const Carried::Item &item : carried.items)
    initial.push_back(item.start);
  builder.setInsertionPointToEnd(loop.getBeforeBody());
  enterLoop(carried, plan, loop.getBeforeArguments());
  Value condition = lowerExpr(*stmt.condition);
  if (!condition)
    return Attempt::Failed;
  Truth result = truth(condition, stmt.condition->range);
  if (!result.valid)
    return Attempt::Failed;
  for (unsigned cell = 0; cell < carried.cellsStart.size(); ++cell)
    if (cells[cell] != carried.cellsStart[cell]) {
      fail(stmt.condition->range, "RuntimeError", "the condition of a loop cannot write an accumulator");
      return Attempt::Failed;
    }
  if (result.isKnown && !result.known) { // never entered
    loop.erase();
    frame->env = std::move(carried.before);
    cells = carried.cellsBefore;
    builder.setInsertionPointToEnd(block);
    return Attempt::Done;
  }
  mlir::Value goOn = result.isKnown ? constant(DType::Int1, 1, stmt.condition->range) : result.runtime;
  mlir::scf::ConditionOp::create(builder, at, goOn, loop.getBeforeArguments());

  builder.setInsertionPointToEnd(loop.getAfterBody());
  for (auto [item, start] : llvm::zip_equal(carried.items, initial))
    item.start = start;
  enterLoop(carried, plan, loop.getAfterArguments());
  if (lowerBody(stmt.body) != Flow::Next)
    return Attempt::Failed;
  llvm::SmallVector<mlir::Value> yielded;
  Attempt attempt = finishIteration(carried, plan, stmt.range, yielded);
  if (attempt != Attempt::Done)
    return attempt;
  if (result.isKnown) {
    fail(stmt.condition->range, "RuntimeError",
         "this loop never ends: its condition is true while compiling and the body "
         "does not change it");
    return Attempt::Failed;
  }
  mlir::scf::YieldOp::create(builder, at, yielded);
  leaveLoop(carried, plan, loop.getResults());
  return Attempt::Done;
}

} // namespace tilesmith::frontend
