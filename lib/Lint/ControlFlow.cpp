// Branches, loops, handlers, contexts and matches.
#include "Interpreter.h"

namespace tilesmith::lint {

using namespace ast;

namespace {

enum class Emptiness : uint8_t { No, Empty, NonEmpty };

Emptiness opposite(Emptiness test) {
  return test == Emptiness::Empty ? Emptiness::NonEmpty : test == Emptiness::NonEmpty ? Emptiness::Empty : test;
}

std::optional<double> numberOf(const Expr &expr) {
  auto *constant = llvm::dyn_cast<Constant>(&expr);
  if (!constant)
    return std::nullopt;
  if (constant->constant == ConstantKind::Int)
    return double(constant->integer);
  if (constant->constant == ConstantKind::Float)
    return constant->number;
  return std::nullopt;
}

// Whether a condition asks if there is anything to do: `n == 0`, `x.numel() > 0`, `0 in x.shape`, `not self.training`.
// Host code may answer without a kernel when there is not.
Emptiness emptinessOf(const Expr &expr, llvm::function_ref<bool(llvm::StringRef)> isNumber) {
  if (auto *compare = llvm::dyn_cast<Compare>(&expr)) {
    if (compare->operators.size() != 1)
      return Emptiness::No;
    CompareOperator op = compare->operators[0];
    std::optional<double> left = numberOf(*compare->operands[0]), right = numberOf(*compare->operands[1]);
    if (left == 0 && op == CompareOperator::In)
      return Emptiness::Empty;
    if (left == 0 && op == CompareOperator::NotIn)
      return Emptiness::NonEmpty;
    if (left && !right) { // 0 == n
      std::swap(left, right);
      op = op == CompareOperator::Lt    ? CompareOperator::Gt
           : op == CompareOperator::Gt  ? CompareOperator::Lt
           : op == CompareOperator::LtE ? CompareOperator::GtE
           : op == CompareOperator::GtE ? CompareOperator::LtE
                                        : op;
    }
    if ((right == 0 && (op == CompareOperator::Eq || op == CompareOperator::LtE)) ||
        (right == 1 && op == CompareOperator::Lt))
      return Emptiness::Empty;
    if ((right == 0 && (op == CompareOperator::NotEq || op == CompareOperator::Gt)) ||
        (right == 1 && op == CompareOperator::GtE))
      return Emptiness::NonEmpty;
    return Emptiness::No;
  }
  if (auto *unary = llvm::dyn_cast<UnaryOp>(&expr))
    return unary->op == UnaryOperator::Not ? opposite(emptinessOf(*unary->operand, isNumber)) : Emptiness::No;
  if (auto *logical = llvm::dyn_cast<BoolOp>(&expr)) {
    Emptiness first = emptinessOf(*logical->operands[0], isNumber);
    for (const Expr *operand : logical->operands)
      if (emptinessOf(*operand, isNumber) != first)
        return Emptiness::No;
    return first;
  }
  if (auto *call = llvm::dyn_cast<Call>(&expr)) { // `if x.numel():`
    auto *method = llvm::dyn_cast<Attribute>(call->callee);
    return method && (method->name == "numel" || method->name == "nelement") ? Emptiness::NonEmpty : Emptiness::No;
  }
  if (auto *name = llvm::dyn_cast<Name>(&expr)) // `if size:`
    return isNumber(name->id) ? Emptiness::NonEmpty : Emptiness::No;
  if (auto *attribute = llvm::dyn_cast<Attribute>(&expr))
    return attribute->name == "training" ? Emptiness::NonEmpty : Emptiness::No;
  return Emptiness::No;
}

} // namespace

// Runs both sides of a branch from the same state and joins what is left of them.
void Interpreter::branch(Truth truth, const Expr *condition, llvm::function_ref<void()> first,
                         llvm::function_ref<void()> second, bool mayFallThrough) {
  if (!state.alive)
    return;
  if (truth == Truth::True)
    return first();
  if (truth == Truth::False)
    return second();
  auto isNumber = [&](llvm::StringRef name) {
    Value value = lookUp(name);
    return llvm::all_of(value.atoms,
                        [](const Atom &atom) { return atom.kind == AtomKind::Host && !(atom.flags & Atom::Boolean); });
  };
  Emptiness test = condition ? emptinessOf(*condition, isNumber) : Emptiness::No;
  step(state.size() / 8);
  State before = state;
  auto run = [&](llvm::function_ref<void()> side, bool isForEmpty) {
    size_t depth = frames.size() - 1;
    frames[depth].emptyDepth += isForEmpty;
    side();
    frames[depth].emptyDepth -= isForEmpty;
  };
  run(first, test == Emptiness::Empty);
  State after = std::move(state);
  state = std::move(before);
  run(second, test == Emptiness::NonEmpty);
  if (!mayFallThrough && after.alive) {
    state = std::move(after);
    return;
  }
  if (test == Emptiness::Empty) {
    state.join(after, State::Join::FirstWrites);
  } else {
    after.join(state, test == Emptiness::NonEmpty ? State::Join::FirstWrites : State::Join::Plain);
    state = std::move(after);
  }
}

void Interpreter::execIf(const If &stmt) {
  // A chain of tests without a last else is meant to be complete: the way past all of them is not followed.
  const If *last = &stmt;
  unsigned tests = 1;
  while (last->orElse.size() == 1 && llvm::isa<If>(last->orElse[0])) {
    last = llvm::cast<If>(last->orElse[0]);
    ++tests;
  }
  bool isOpenChain = tests > 1 && last->orElse.empty();
  Value condition = eval(*stmt.condition);
  if (!state.alive)
    return;
  Truth truth = truthOf(condition);
  branch(
      truth, stmt.condition, [&] { exec(stmt.body); },
      [&] {
        auto *next = isOpenChain ? llvm::cast<If>(stmt.orElse[0]) : nullptr;
        if (next && next->orElse.empty()) {
          Value test = eval(*next->condition);
          if (state.alive)
            branch(truthOf(test), next->condition, [&] { exec(next->body); }, [] {}, /*mayFallThrough=*/false);
          return;
        }
        exec(stmt.orElse);
      });
}

// A body that runs at least once; the second round sees what the first left.
void Interpreter::loop(bool isEndless, llvm::function_ref<void()> body, Body orElse) {
  loops.emplace_back();
  loops.back().breaks.alive = loops.back().continues.alive = false;
  State after;
  after.alive = false;
  for (int round = 0; round != 2 && state.alive; ++round) {
    State before = state;
    step(state.size() / 8);
    body();
    state.join(loops.back().continues, State::Join::FirstWrites); // some round is complete
    loops.back().continues.alive = false;
    if (!state.alive)
      break;
    after = state; // of the last round: it began with everything the first one saw
    if (round == 0)
      state.join(before, State::Join::FirstWrites);
  }
  State breaks = std::move(loops.back().breaks);
  loops.pop_back();
  enter(std::move(after));
  if (isEndless)
    state.alive = false;
  if (state.alive)
    exec(orElse);
  state.join(breaks);
}

void Interpreter::execFor(const For &stmt) {
  Value iterable = eval(*stmt.iterable);
  if (!state.alive)
    return;
  if (isJudged() && options.strictLoops)
    report(stmt.range, "for", "Python loops are not allowed by --strict-loops");
  if (const Atom *atom = iterable.single())
    if (const Object *sequence = lookAt(*atom, ObjectKind::Sequence))
      if (sequence->isExact && sequence->elements.empty())
        return exec(stmt.orElse);
  loop(
      false,
      [&] {
        assign(*stmt.target, iterate(iterable));
        exec(stmt.body);
      },
      stmt.orElse);
}

void Interpreter::execWhile(const While &stmt) {
  Truth truth = truthOf(eval(*stmt.condition));
  if (!state.alive)
    return;
  if (truth == Truth::False)
    return exec(stmt.orElse);
  if (isJudged() && options.strictLoops)
    report(stmt.range, "while", "Python loops are not allowed by --strict-loops");
  auto *constant = llvm::dyn_cast<Constant>(stmt.condition);
  loop(
      truth == Truth::True && constant,
      [&] {
        exec(stmt.body);
        if (state.alive)
          eval(*stmt.condition);
      },
      stmt.orElse);
}

void Interpreter::execTry(const Try &stmt) {
  State before = state;
  unsigned launchesBefore = launchCount;
  exec(stmt.body);
  bool launched = launchCount != launchesBefore;
  State after = std::move(state);
  State raised = before; // anywhere in the body
  raised.join(after);
  bool swallows = false;
  State handled;
  handled.alive = false;
  for (const Handler &handler : stmt.handlers) {
    state = raised;
    step(state.size() / 8);
    if (handler.type)
      eval(*handler.type);
    if (!handler.name.empty())
      assignName(handler.name, Value::foreign("exception"));
    size_t results = frame().results.size();
    unsigned count = launchCount;
    exec(handler.body);
    bool leaves = !state.alive && frame().results.size() == results;
    swallows |= !leaves && launchCount == count;
    handled.join(state);
  }
  if (launched && swallows && isJudged()) {
    state.alive = true; // the report is about the statement, not about one path
    report(stmt.handlers[0].range, "except", "a failing launch is answered by other code instead of an error");
  }
  state = std::move(after);
  exec(stmt.orElse);
  state.join(handled);
  if (!stmt.finally.empty()) {
    if (state.alive) {
      exec(stmt.finally);
    } else { // on its way out
      state = raised;
      exec(stmt.finally);
      state.alive = false;
    }
  }
}

void Interpreter::execWith(const With &stmt) {
  bool suppresses = false;
  llvm::SmallVector<Value> managers;
  for (size_t i = 0; i != stmt.contexts.size() && state.alive; ++i) {
    Value manager = eval(*stmt.contexts[i]);
    managers.push_back(manager);
    suppresses |= llvm::any_of(manager.atoms, [](const Atom &atom) {
      return atom.kind == AtomKind::Foreign && atom.text == "contextlib.suppress";
    });
    Value entered;
    for (const Atom &atom : manager.atoms) {
      if (lookAt(atom, ObjectKind::Instance))
        entered.add(call(attributeOf(atom, "__enter__", {stmt.contexts[i]}), {}, {stmt.contexts[i]}));
      else if (lookAt(atom, ObjectKind::Sequence)) // a generator as context manager
        entered.add(iterate(atom));
      else
        entered.add(atom);
    }
    if (stmt.variables[i] && state.alive)
      assign(*stmt.variables[i], entered);
  }
  State before = state;
  exec(stmt.body);
  for (const Value &manager : managers)
    for (const Atom &atom : manager.atoms)
      if (state.alive && lookAt(atom, ObjectKind::Instance)) {
        Arguments arguments;
        arguments.positional.assign(3, Value::none());
        call(attributeOf(atom, "__exit__", {stmt.contexts[0]}), arguments, {stmt.contexts[0]});
      }
  if (suppresses)
    state.join(before);
}

void Interpreter::execMatch(const Match &stmt) {
  Value subject = eval(*stmt.subject);
  if (!state.alive)
    return;
  State before = state, after;
  after.alive = false;
  bool isComplete = false;
  for (const MatchCase &item : stmt.cases) {
    state = before;
    step(state.size() / 8);
    Value inner = subject;
    inner.add(iterate(subject));
    for (llvm::StringRef name : item.captures)
      assignName(name, inner);
    if (item.guard)
      eval(*item.guard);
    exec(item.body);
    after.join(state);
    isComplete |= item.isIrrefutable;
  }
  enter(std::move(after));
  if (!isComplete && stmt.cases.size() < 2)
    state.join(before);
}

} // namespace tilesmith::lint
