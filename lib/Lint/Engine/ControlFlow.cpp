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

void ControlFlow::branch(Truth truth, const Expr *condition, llvm::function_ref<void()> first,
                         llvm::function_ref<void()> second, bool mayFallThrough) {
  if (!state.alive)
    return;
  if (truth == Truth::True)
    return first();
  if (truth == Truth::False)
    return second();
  auto isNumber = [&](llvm::StringRef name) {
    Value value = scopes.lookUp(name);
    return llvm::all_of(value.atoms,
                        [](const Atom &atom) { return atom.kind == AtomKind::Host && !(atom.flags & Atom::Boolean); });
  };
  Emptiness test = condition ? emptinessOf(*condition, isNumber) : Emptiness::No;
  world.step(state.size() / 8);
  State before = state;
  auto run = [&](llvm::function_ref<void()> side, bool isForEmpty) {
    size_t depth = scopes.depth() - 1;
    scopes.frameAt(depth).emptyDepth += isForEmpty;
    side();
    scopes.frameAt(depth).emptyDepth -= isForEmpty;
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

Value ControlFlow::marked(const Value &value) {
  Value result;
  for (const Atom &atom : value.atoms) {
    bool isPlain = atom.kind == AtomKind::Host || (atom.kind == AtomKind::Constant && !atom.isNone());
    Atom host{AtomKind::Host, uint8_t(atom.kind == AtomKind::Host ? atom.flags : 0)};
    host.flags |= Atom::FromTensor | Atom::Computed;
    result.add(isPlain ? host : atom);
  }
  return result;
}

bool ControlFlow::isData(const Value &value) const { return buffers.hostFlags(value) & Atom::FromTensor; }

void ControlFlow::mayRaise() {
  if (!state.alive || tries.empty())
    return;
  world.step(state.size() / 16);
  for (State *handled : tries)
    handled->join(state);
}

void ControlFlow::keepRaised(const Value &value) {
  for (const Atom &atom : outside.mayGive(value).atoms)
    if (atom.kind != AtomKind::Host)
      raised.add(atom);
}

Value ControlFlow::raisedValue() const {
  Value result = Value::foreign("exception");
  result.add(raised);
  return result;
}

void ControlFlow::perhaps(llvm::function_ref<void()> side) {
  branch(Truth::Unknown, nullptr, side, [] {});
}

void ControlFlow::execIf(const If &stmt) {
  // A chain of tests without a last else is meant to be complete: the way past all of them is not followed.
  const If *last = &stmt;
  unsigned tests = 1;
  while (last->orElse.size() == 1 && llvm::isa<If>(last->orElse[0])) {
    last = llvm::cast<If>(last->orElse[0]);
    ++tests;
  }
  bool isOpenChain = tests > 1 && last->orElse.empty();
  Value condition = expressions.eval(*stmt.condition);
  if (!state.alive)
    return;
  Truth truth = operators.truthOf(condition);
  OnData guard(*this, isData(condition));
  branch(
      truth, stmt.condition, [&] { statements.exec(stmt.body); },
      [&] {
        auto *next = isOpenChain ? llvm::cast<If>(stmt.orElse[0]) : nullptr;
        if (next && next->orElse.empty()) {
          Value test = expressions.eval(*next->condition);
          if (state.alive)
            branch(
                operators.truthOf(test), next->condition, [&] { statements.exec(next->body); }, [] {},
                /*mayFallThrough=*/false);
          return;
        }
        statements.exec(stmt.orElse);
      });
}

void ControlFlow::loop(bool isEndless, llvm::function_ref<void()> body, Body orElse) {
  auto exits = [&]() -> Frame::Exits & { return scopes.frame().loops.back(); };
  scopes.frame().loops.emplace_back();
  exits().breaks.alive = exits().continues.alive = false;
  State after;
  after.alive = false;
  // Two rounds, and more as long as tensors reach further places: what is handed on from round to round.
  constexpr int mostRounds = 24;
  ObjectId known = state.size();
  size_t places = 0;
  for (int round = 0; state.alive; ++round) {
    size_t reached = countPlaces(known);
    if (round >= 2 && reached <= places)
      break;
    if (round == mostRounds) {
      world.giveUp();
      break;
    }
    places = reached;
    State before = state;
    world.step(state.size() / 8);
    body();
    state.join(exits().continues, State::Join::FirstWrites); // some round is complete
    exits().continues.alive = false;
    if (!state.alive)
      break;
    after = state; // of the last round: it began with everything the first one saw
    state.join(before, State::Join::FirstWrites);
  }
  State breaks = std::move(exits().breaks);
  scopes.frame().loops.pop_back();
  world.enter(std::move(after));
  if (isEndless)
    state.alive = false;
  if (state.alive)
    statements.exec(orElse);
  state.join(breaks);
}

size_t ControlFlow::countPlaces(ObjectId limit) const {
  size_t count = 0;
  for (ObjectId id = 1; id < limit; ++id) {
    const Object &object = state.get(id);
    for (const auto &[name, value] : object.fields)
      count += buffers.holdsTensor(value);
    for (const Value &element : object.elements)
      count += buffers.holdsTensor(element);
    count += buffers.holdsTensor(object.rest);
  }
  return count;
}

void ControlFlow::execFor(const For &stmt) {
  Value iterable = expressions.eval(*stmt.iterable);
  if (!state.alive)
    return;
  notes.tell(stmt.range, "for", Loop());
  if (const Object *sequence = world.lookAt(iterable, ObjectKind::Sequence))
    if (sequence->isExact && sequence->elements.empty())
      return statements.exec(stmt.orElse);
  OnData guard(*this, isData(iterable));
  loop(
      false,
      [&] {
        statements.assign(*stmt.target, containers.iterate(iterable));
        statements.exec(stmt.body);
      },
      stmt.orElse);
}

void ControlFlow::execWhile(const While &stmt) {
  Value condition = expressions.eval(*stmt.condition);
  Truth truth = operators.truthOf(condition);
  if (!state.alive)
    return;
  if (truth == Truth::False)
    return statements.exec(stmt.orElse);
  notes.tell(stmt.range, "while", Loop());
  auto *constant = llvm::dyn_cast<Constant>(stmt.condition);
  OnData guard(*this, isData(condition));
  loop(
      truth == Truth::True && constant,
      [&] {
        statements.exec(stmt.body);
        if (state.alive)
          expressions.eval(*stmt.condition);
      },
      stmt.orElse);
}

void ControlFlow::execTry(const Try &stmt) {
  State before = state;
  unsigned launchesBefore = launches.getCount();
  State thrown = before; // anywhere in the body
  tries.push_back(&thrown);
  scopes.frame().tryDepth += !stmt.handlers.empty();
  statements.exec(stmt.body);
  scopes.frame().tryDepth -= !stmt.handlers.empty();
  tries.pop_back();
  bool launched = launches.getCount() != launchesBefore;
  State after = std::move(state);
  thrown.join(after);
  bool swallows = false;
  State handled;
  handled.alive = false;
  for (const Handler &handler : stmt.handlers) {
    state = thrown;
    world.step(state.size() / 8);
    if (handler.type)
      expressions.eval(*handler.type);
    if (!handler.name.empty())
      scopes.assignName(handler.name, raisedValue());
    size_t results = scopes.frame().results.size();
    unsigned count = launches.getCount();
    statements.exec(handler.body);
    bool leaves = !state.alive && scopes.frame().results.size() == results;
    swallows |= !leaves && launches.getCount() == count;
    handled.join(state);
  }
  if (!stmt.handlers.empty()) {
    state.alive = true; // this is about the statement, not about one path
    HandlerRead read;
    read.isAroundLaunch = launched;
    read.isSwallowed = swallows;
    notes.tell(stmt.handlers[0].range, "except", read);
  }
  state = std::move(after);
  statements.exec(stmt.orElse);
  state.join(handled);
  if (!stmt.finally.empty()) {
    if (state.alive) {
      statements.exec(stmt.finally);
    } else { // on its way out
      state = thrown;
      statements.exec(stmt.finally);
      state.alive = false;
    }
  }
}

void ControlFlow::execWith(const With &stmt) {
  bool suppresses = false;
  llvm::SmallVector<Value> managers;
  for (size_t i = 0; i != stmt.contexts.size() && state.alive; ++i) {
    Value manager = expressions.eval(*stmt.contexts[i]);
    managers.push_back(manager);
    suppresses |= llvm::any_of(manager.atoms, [](const Atom &atom) {
      return atom.kind == AtomKind::Foreign && atom.text == "contextlib.suppress";
    });
    Value entered;
    for (const Atom &atom : manager.atoms) {
      if (world.lookAt(atom, ObjectKind::Instance))
        entered.add(calls.call(attributes.getOf(atom, "__enter__", {stmt.contexts[i]}), {}, {stmt.contexts[i]}));
      else if (world.lookAt(atom, ObjectKind::Sequence)) // a generator as context manager
        entered.add(containers.iterate(atom));
      else
        entered.add(atom);
    }
    if (stmt.variables[i] && state.alive)
      statements.assign(*stmt.variables[i], entered);
  }
  auto maySwallow = [&](const Atom &atom) {
    const Object *sequence = world.lookAt(atom, ObjectKind::Sequence);
    return sequence && !sequence->letsRaise;
  };
  bool mayCatch = suppresses; // in this function
  for (const Value &manager : managers)
    for (const Atom &atom : manager.atoms)
      mayCatch |= maySwallow(atom) || world.lookAt(atom, ObjectKind::Instance);
  State before = state, thrown = state;
  tries.push_back(&thrown);
  scopes.frame().tryDepth += mayCatch;
  statements.exec(stmt.body);
  scopes.frame().tryDepth -= mayCatch;
  tries.pop_back();
  bool mayGoOn = false; // after an exception
  for (const Value &manager : managers)
    for (const Atom &atom : manager.atoms) {
      mayGoOn |= maySwallow(atom);
      if (!world.lookAt(atom, ObjectKind::Instance))
        continue;
      State after = state;
      if (!state.alive)
        state = thrown;
      Value swallows = calls.call(attributes.getOf(atom, "__exit__", {stmt.contexts[0]}),
                                  {Value::host(), raisedValue(), Value::host()}, {stmt.contexts[0]});
      mayGoOn |= !swallows.empty() && operators.truthOf(swallows) != Truth::False;
      if (!after.alive)
        state = std::move(after);
    }
  if (mayGoOn)
    state.join(thrown, State::Join::FirstWrites);
  if (suppresses)
    state.join(before);
}

void ControlFlow::execMatch(const Match &stmt) {
  Value subject = expressions.eval(*stmt.subject);
  if (!state.alive)
    return;
  State before = state, after;
  after.alive = false;
  bool isComplete = false;
  for (const MatchCase &item : stmt.cases) {
    state = before;
    world.step(state.size() / 8);
    Value inner = subject;
    inner.add(containers.iterate(subject));
    if (subject.has(AtomKind::Object))
      inner.add(outside.mayGive(subject));
    inner.add(outside.handOver({subject}, {}));
    for (llvm::StringRef name : item.captures)
      scopes.assignName(name, inner);
    if (item.guard)
      expressions.eval(*item.guard);
    statements.exec(item.body);
    after.join(state);
    isComplete |= item.isIrrefutable;
  }
  world.enter(std::move(after));
  if (!isComplete && stmt.cases.size() < 2)
    state.join(before);
}

} // namespace tilesmith::lint
