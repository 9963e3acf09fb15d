#include "Lowering.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace tilesmith::frontend {

struct Loops::Carried {
  struct Item {
    llvm::StringRef name;
    Value start; // at the beginning of the body
    Range range;
  };
  Env before;
  Cells::State cellsBefore;
  Cells::State cellsStart;                     // at the beginning of the body
  llvm::SmallVector<llvm::StringRef> assigned; // existing names the body may rebind
  llvm::SmallVector<Item> items;
  llvm::SmallVector<mlir::Value> inits;
  std::string where; // for names that end with the loop
};

bool Loops::startCarrying(Carried &carried, ast::Body body, llvm::StringRef target, const LoopPlan &plan) {
  carried.before = frame().env;
  carried.cellsBefore = l.cells.state();
  for (llvm::StringRef name : ast::collectAssignedNames(body)) {
    auto it = frame().env.find(name);
    if (name == target || it == frame().env.end() || !it->second.gone.empty() || plan.gone.count(name))
      continue;
    carried.assigned.push_back(name);
    Value value = it->second.value;
    if (auto promoted = plan.promoted.find(name); promoted != plan.promoted.end()) {
      if (Value converted = l.merge.convertTo(value, promoted->second, it->second.range))
        value = converted;
      else if (l.errors.hasFailed())
        return false;
    }
    value = l.merge.carried(value, it->second.range);
    size_t leaves = carried.inits.size();
    l.merge.flatten(value, carried.inits);
    if (carried.inits.size() != leaves)
      carried.items.push_back({name, value, it->second.range});
  }
  for (unsigned cell : plan.cells)
    carried.inits.push_back(l.cells.get(cell));
  return true;
}

void Loops::enterLoop(Carried &carried, const LoopPlan &plan, mlir::ValueRange arguments) {
  frame().env = carried.before;
  l.cells.restore(carried.cellsBefore);
  for (Carried::Item &item : carried.items) {
    item.start = l.merge.rebuild(item.start, arguments);
    frame().env[item.name].value = item.start;
  }
  for (unsigned cell : plan.cells) {
    l.cells.set(cell, arguments.front());
    arguments = arguments.drop_front();
  }
  for (const auto &[name, binding] : plan.gone)
    frame().env[name] = binding;
  carried.cellsStart = l.cells.state();
}

Loops::Attempt Loops::finishIteration(Carried &carried, LoopPlan &plan, llvm::SmallVectorImpl<mlir::Value> &yielded) {
  Attempt result = Attempt::Done;
  // A value that cannot be carried is an error only if the next iteration, or what follows the loop, reads it.
  auto mismatch = [&](llvm::StringRef name, const Binding &end, const Value &start) {
    fail(end.range, "TypeError",
         name + " is " + values.describeShort(start) + " before the loop and " + values.describeShort(end.value) +
             " after one iteration",
         "a runtime loop must keep the type of what it changes; convert it, or use another name");
    l.errors.addNote(carried.before[name].range, "bound here before the loop");
    plan.gone[name.str()] = Binding{{}, end.range, carried.where, std::make_shared<const Diagnostic>(l.errors.take())};
    result = Attempt::Retry;
  };
  for (llvm::StringRef name : carried.assigned) {
    const Binding &end = frame().env[name];
    if (!end.gone.empty()) {
      plan.gone[name.str()] = end;
      result = Attempt::Retry;
      continue;
    }
    const Value &before = carried.before[name].value;
    auto *item = llvm::find_if(carried.items, [&](const Carried::Item &item) { return item.name == name; });
    if (item != carried.items.end()) {
      Value value = l.merge.convertLike(end.value, item->start, end.range);
      if (l.errors.hasFailed())
        return Attempt::Failed;
      if (value)
        l.merge.flatten(value, yielded);
      else
        mismatch(name, end, item->start);
      continue;
    }
    if (l.merge.isSame(before, end.value))
      continue;
    Target target = l.merge.join(before, values.read(end.value));
    if (!target || plan.promoted.count(name)) {
      mismatch(name, end, before);
      continue;
    }
    plan.promoted[name.str()] = target;
    result = Attempt::Retry;
  }
  for (unsigned cell = 0; cell < carried.cellsBefore.size(); ++cell) {
    if (l.cells.state()[cell] == carried.cellsStart[cell] || llvm::is_contained(plan.cells, cell))
      continue;
    plan.cells.push_back(cell);
    result = Attempt::Retry;
  }
  for (unsigned cell : plan.cells)
    yielded.push_back(l.cells.get(cell));
  return result;
}

void Loops::leaveLoop(Carried &carried, const LoopPlan &plan, mlir::ValueRange results) {
  Env after = std::move(frame().env);
  frame().env = std::move(carried.before);
  l.cells.restore(carried.cellsBefore);
  for (const Carried::Item &item : carried.items) {
    Range range = after[item.name].range;
    l.names.bind(item.name, l.merge.rebuild(item.start, results), range);
  }
  for (unsigned cell : plan.cells) {
    l.cells.set(cell, results.front());
    results = results.drop_front();
  }
  for (const auto &[name, binding] : plan.gone)
    frame().env[name] = binding;
  l.names.expire(after, carried.where);
}

// Repeats `attempt` until its plan is stable. An attempt that fails while Python numbers were assumed constant may fail
// only because of that (10 // n with n = 0 at first): it gets one more chance with all of them as runtime values.
Flow Loops::lowerLoop(const ast::Stmt &stmt, ast::Body body, llvm::function_ref<Attempt(LoopPlan &)> attempt) {
  if (!l.ir.canNest(stmt.range))
    return Flow::Failed;
  LoopPlan plan = frame().plans[&stmt];
  const Env env = frame().env;
  const Cells::State cellsBefore = l.cells.state();
  mlir::Block *block = builder().getInsertionBlock();
  mlir::Operation *last = block->empty() ? nullptr : &block->back();
  auto rollBack = [&] {
    builder().setInsertionPointToEnd(block);
    while (!block->empty() && &block->back() != last) {
      block->back().dropAllUses();
      block->back().erase();
    }
    frame().env = env;
    l.cells.restore(cellsBefore);
  };

  std::optional<Diagnostic> firstError;
  while (true) {
    Attempt result = Attempt::Failed;
    l.ir.inRegion([&] { result = attempt(plan); });
    if (result == Attempt::Done) {
      builder().setInsertionPointToEnd(block);
      frame().plans[&stmt] = std::move(plan);
      return Flow::Next;
    }
    if (result == Attempt::Failed) {
      if (firstError) {
        l.errors.take();
        l.errors.report(*firstError);
        return Flow::Failed;
      }
      if (!promoteAll(body, env, plan))
        return Flow::Failed;
      firstError = l.errors.take();
    }
    rollBack();
  }
}

// All numbers the body may change; false if there is none that was not promoted already.
bool Loops::promoteAll(ast::Body body, const Env &env, LoopPlan &plan) {
  bool extended = false;
  for (llvm::StringRef name : ast::collectAssignedNames(body)) {
    auto it = env.find(name);
    if (it == env.end() || !it->second.gone.empty() || !values.isNumber(it->second.value) || plan.promoted.count(name))
      continue;
    plan.promoted[name.str()] = l.merge.defaultTarget(it->second.value);
    extended = true;
  }
  return extended;
}

Flow Loops::lowerFor(const ast::For &stmt) {
  if (!stmt.orElse.empty()) {
    fail(stmt.orElse[0]->range, "UnsupportedSyntaxError", "for ... else is not supported inside a kernel",
         "write the statements after the loop: without break they always run");
    return Flow::Failed;
  }
  Value range = l.expressions.lower(*stmt.iterable);
  if (!range)
    return Flow::Failed;
  if (range.isSequence() || (range.isHost() && host.isSequence(range.host))) {
    llvm::SmallVector<Value> items;
    if (!values.toSequence(range, items, stmt.iterable->range, "what a loop runs over"))
      return Flow::Failed;
    return lowerForEach(stmt, items);
  }
  if (!range.is(kinds::range)) {
    fail(stmt.iterable->range, "UnsupportedSyntaxError",
         "a for loop inside a kernel runs over range, " + l.language.words().range +
             ", asc.static_range, a tuple or a list, not over " + describe(range),
         values.isInteger(range) ? "to count, write range(n)" : "");
    return Flow::Failed;
  }
  return range.range().isStatic ? lowerStaticFor(stmt, range) : lowerRuntimeFor(stmt, range);
}

// The name of the index: the target, or its first element where the loop gives more. Null: it is something else.
static const ast::Name *indexOf(const ast::For &stmt, const Value &range) {
  size_t beside = range.range().beside.size();
  if (!beside)
    return llvm::dyn_cast<ast::Name>(stmt.target);
  auto *names = llvm::dyn_cast<ast::Sequence>(stmt.target);
  if (!names || names->elements.size() != beside + 1)
    return nullptr;
  bool allNames = llvm::all_of(names->elements, [](const ast::Expr *element) { return llvm::isa<ast::Name>(element); });
  return allNames ? llvm::cast<ast::Name>(names->elements[0]) : nullptr;
}

Flow Loops::lowerRuntimeFor(const ast::For &stmt, const Value &range) {
  if (!indexOf(stmt, range)) {
    fail(stmt.target->range, "UnsupportedSyntaxError", "the variable of a runtime loop must be one name",
         "a range gives one number; enumerate and zip work on tuples and lists");
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
    if (isFloat(values.dtypeOf(bound))) {
      fail(stmt.iterable->range, "TypeError", what[index] + " of a loop must be an integer, not " + describe(bound));
      return Flow::Failed;
    }
    bounds.push_back(scalars.convert(bound, DType::I32, stmt.iterable->range));
    if (!bounds.back())
      return Flow::Failed;
  }
  return lowerLoop(stmt, stmt.body, [&](LoopPlan &plan) { return tryFor(stmt, range, bounds, plan); });
}

Loops::Attempt Loops::tryFor(const ast::For &stmt, const Value &range, llvm::ArrayRef<mlir::Value> bounds,
                             LoopPlan &plan) {
  const ast::Name *target = indexOf(stmt, range);
  Carried carried;
  carried.where = "its value ends with the loop at line " + std::to_string(stmt.range.line);
  if (!startCarrying(carried, stmt.body, target->id, plan))
    return Attempt::Failed;
  mlir::Location at = loc(stmt.range);
  auto loop = mlir::scf::ForOp::create(builder(), at, bounds[0], bounds[1], bounds[2], carried.inits,
                                       [](mlir::OpBuilder &, mlir::Location, mlir::Value, mlir::ValueRange) {});
  for (mlir::NamedAttribute attribute : range.range().attributes)
    loop->setAttr(attribute.getName(), attribute.getValue());

  builder().setInsertionPointToEnd(loop.getBody());
  enterLoop(carried, plan, loop.getRegionIterArgs());
  loop.getInductionVar().setLoc(mlir::NameLoc::get(builder().getStringAttr(target->id), loc(target->range)));
  l.names.bind(target->id, Value::ofScalar(loop.getInductionVar(), DType::I32), target->range);
  for (auto [i, value] : llvm::enumerate(range.range().beside)) {
    auto *name = llvm::cast<ast::Name>(llvm::cast<ast::Sequence>(stmt.target)->elements[i + 1]);
    l.names.bind(name->id, value, name->range);
  }
  if (l.statements.lower(stmt.body) != Flow::Next)
    return Attempt::Failed;
  llvm::SmallVector<mlir::Value> yielded;
  Attempt result = finishIteration(carried, plan, yielded);
  if (result != Attempt::Done)
    return result;
  mlir::scf::YieldOp::create(builder(), at, yielded);
  // The loop's variable hides a name of before, and takes it along when it ends.
  if (auto it = carried.before.find(target->id); it != carried.before.end())
    it->second.gone = carried.where;
  leaveLoop(carried, plan, loop.getResults());
  return Attempt::Done;
}

Flow Loops::lowerStaticFor(const ast::For &stmt, const Value &range) {
  int64_t bounds[3];
  for (auto [bound, item] : llvm::zip_equal(bounds, range.items()))
    bound = *host.asInt(item.host);
  auto [start, stop, step] = bounds;
  for (int64_t i = start; step > 0 ? i < stop : i > stop;) {
    if (Flow flow = lowerForEach(stmt, number(i)); flow != Flow::Next)
      return flow;
    if (__builtin_add_overflow(i, step, &i))
      break;
  }
  return Flow::Next;
}

// The body once for each item, while compiling.
Flow Loops::lowerForEach(const ast::For &stmt, llvm::ArrayRef<Value> items) {
  // What an inner loop had to promote in one iteration says nothing about the next.
  const auto plans = frame().plans;
  for (const Value &item : items) {
    if (!l.statements.assign(*stmt.target, item, stmt.iterable->range))
      return Flow::Failed;
    Flow flow = l.statements.lower(stmt.body);
    if (flow != Flow::Next)
      return flow;
    frame().plans = plans;
  }
  return Flow::Next;
}

// Whether nothing that the condition reads changes from one iteration to the next.
static bool endsNever(mlir::scf::WhileOp loop) {
  llvm::SmallVector<mlir::Value> work{loop.getConditionOp().getCondition()};
  while (!work.empty()) {
    mlir::Value value = work.pop_back_val();
    if (auto argument = llvm::dyn_cast<mlir::BlockArgument>(value)) {
      if (argument.getOwner() != loop.getBeforeBody())
        continue; // of a loop around this one
      unsigned index = argument.getArgNumber();
      if (loop.getYieldedValues()[index] != loop.getAfterArguments()[index])
        return false;
      continue;
    }
    mlir::Operation *op = value.getDefiningOp();
    if (op->getBlock() != loop.getBeforeBody())
      continue;
    if (!mlir::isPure(op) || op->getNumRegions())
      return false;
    llvm::append_range(work, op->getOperands());
  }
  return true;
}

Flow Loops::lowerRest(const ast::ExprStmt &stmt, const Value &range, ast::Body rest) {
  Rest &made = rests[&stmt];
  if (made.name.empty()) {
    made.name =
        "index of the loop at line " + std::to_string(stmt.range.line) + ":" + std::to_string(stmt.range.column);
    made.index.kind = ast::Kind::Name;
    made.index.range = made.loop.range = stmt.range;
    made.index.id = made.name;
    made.loop.kind = ast::Kind::For;
    made.loop.target = &made.index;
    made.loop.iterable = stmt.value;
    made.loop.body = rest;
  }
  indices.push_back(made.name);
  Flow flow = lowerRuntimeFor(made.loop, range);
  indices.pop_back();
  return flow;
}

Value Loops::innermostIndex() {
  if (indices.empty())
    return {};
  for (Frame *at = &frame(); at; at = at->caller)
    if (auto it = at->env.find(indices.back()); it != at->env.end())
      return it->second.value;
  return {};
}

Flow Loops::lowerWhile(const ast::While &stmt) {
  if (!stmt.orElse.empty()) {
    fail(stmt.orElse[0]->range, "UnsupportedSyntaxError", "while ... else is not supported inside a kernel",
         "write the statements after the loop: without break they always run");
    return Flow::Failed;
  }
  auto condition = [&] { return l.expressions.lower(*stmt.condition); };
  auto begin = [] { return true; };
  Conditional loop{stmt, stmt.body, stmt.condition->range, "", condition, begin};
  return lowerLoop(stmt, stmt.body, [&](LoopPlan &plan) { return tryWhile(loop, plan); });
}

Flow Loops::lowerWith(const ast::With &stmt, const Value &context) {
  const Range &range = stmt.contexts[0]->range;
  const ast::Expr *variable = stmt.variables[0];
  if (variable && !llvm::isa<ast::Name>(variable)) {
    fail(variable->range, "UnsupportedSyntaxError", "the variable of a runtime loop must be one name");
    return Flow::Failed;
  }
  auto condition = [&] { return context; };
  auto begin = [&] {
    Value value = context.kind->next(l, context, range);
    if (value && variable)
      l.names.bind(llvm::cast<ast::Name>(variable)->id, value, variable->range);
    return bool(value);
  };
  llvm::StringRef target = variable ? llvm::StringRef(llvm::cast<ast::Name>(variable)->id) : "";
  Conditional loop{stmt, stmt.body, range, target, condition, begin};
  return lowerLoop(stmt, stmt.body, [&](LoopPlan &plan) { return tryWhile(loop, plan); });
}

Loops::Attempt Loops::tryWhile(const Conditional &given, LoopPlan &plan) {
  const ast::Stmt &stmt = given.stmt;
  mlir::Block *block = builder().getInsertionBlock();
  Carried carried;
  carried.where = "its value ends with the loop at line " + std::to_string(stmt.range.line);
  if (!startCarrying(carried, given.body, given.target, plan))
    return Attempt::Failed;
  mlir::Location at = loc(stmt.range);
  auto nothing = [](mlir::OpBuilder &, mlir::Location, mlir::ValueRange) {};
  auto loop = mlir::scf::WhileOp::create(builder(), at, mlir::ValueRange(carried.inits).getTypes(), carried.inits,
                                         nothing, nothing);

  llvm::SmallVector<Value> initial;
  for (const Carried::Item &item : carried.items)
    initial.push_back(item.start);
  builder().setInsertionPointToEnd(loop.getBeforeBody());
  enterLoop(carried, plan, loop.getBeforeArguments());
  Value condition = given.condition();
  if (!condition)
    return Attempt::Failed;
  Truth result = values.truth(condition, given.where);
  if (!result.valid)
    return Attempt::Failed;
  if (unsigned cell = l.cells.firstChanged(carried.cellsStart); cell != carried.cellsStart.size()) {
    fail(given.where, "RuntimeError", "the condition of a loop cannot write " + l.cells.noun(cell));
    return Attempt::Failed;
  }
  if (result.isKnown && !result.known) { // never entered
    loop.erase();
    frame().env = std::move(carried.before);
    l.cells.restore(carried.cellsBefore);
    builder().setInsertionPointToEnd(block);
    return Attempt::Done;
  }
  mlir::Value goOn = result.isKnown ? l.ir.constant(DType::I1, 1, given.where) : result.runtime;
  mlir::scf::ConditionOp::create(builder(), at, goOn, loop.getBeforeArguments());

  builder().setInsertionPointToEnd(loop.getAfterBody());
  for (auto [item, start] : llvm::zip_equal(carried.items, initial))
    item.start = start;
  enterLoop(carried, plan, loop.getAfterArguments());
  if (!given.begin() || l.statements.lower(given.body) != Flow::Next)
    return Attempt::Failed;
  llvm::SmallVector<mlir::Value> yielded;
  Attempt attempt = finishIteration(carried, plan, yielded);
  if (attempt != Attempt::Done)
    return attempt;
  if (result.isKnown) {
    fail(given.where, "RuntimeError",
         "this loop never ends: its condition is true while compiling and the body "
         "does not change it",
         "let the condition depend on a name that the body changes");
    return Attempt::Failed;
  }
  mlir::scf::YieldOp::create(builder(), at, yielded);
  if (mlir::isMemoryEffectFree(loop)) { // nobody would miss it, but for the time it takes
    builder().setInsertionPointToStart(loop.getAfterBody());
    l.language.keepLoop(builder(), at);
  }
  if (endsNever(loop) && !warnEndless(given.where))
    return Attempt::Failed;
  leaveLoop(carried, plan, loop.getResults());
  return Attempt::Done;
}

bool Loops::warnEndless(const Range &condition) {
  std::string text = "this loop never ends once it is entered: the body changes nothing that its condition reads";
  return host.warn(text, frame().file->name, condition.line) || failHost(condition);
}

} // namespace tilesmith::frontend
