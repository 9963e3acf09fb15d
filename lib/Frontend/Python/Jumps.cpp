#include "Jumps.h"

#include "llvm/ADT/STLExtras.h"

namespace tilesmith::frontend {

using namespace ast;

// Where jumps go: the flags of the loop around and of the function; empty where there is none.
struct Jumps::Scope {
  llvm::StringRef broken, continued, returned;
};

static bool isJump(const Stmt &stmt, llvm::StringRef className) {
  auto *other = llvm::dyn_cast<OtherStmt>(&stmt);
  return other && other->className == className;
}

// Statements directly inside a statement, of the loop's own level where `intoLoops` is false.
static void forEachBody(const Stmt &stmt, bool intoLoops, llvm::function_ref<void(Body)> visit) {
  if (auto *branch = llvm::dyn_cast<If>(&stmt)) {
    visit(branch->body);
    visit(branch->orElse);
  } else if (auto *with = llvm::dyn_cast<With>(&stmt)) {
    visit(with->body);
  } else if (auto *loop = llvm::dyn_cast<For>(&stmt); loop && intoLoops) {
    visit(loop->body);
  } else if (auto *loop = llvm::dyn_cast<While>(&stmt); loop && intoLoops) {
    visit(loop->body);
  }
}

static bool contains(Body body, bool intoLoops, llvm::function_ref<bool(const Stmt &)> wanted) {
  return llvm::any_of(body, [&](const Stmt *stmt) {
    bool found = wanted(*stmt);
    forEachBody(*stmt, intoLoops, [&](Body inner) { found = found || contains(inner, intoLoops, wanted); });
    return found;
  });
}

static bool hasJump(Body loopBody, llvm::StringRef className) {
  return contains(loopBody, /*intoLoops=*/false, [&](const Stmt &stmt) { return isJump(stmt, className); });
}

static bool isNone(const Expr *value) {
  auto *constant = llvm::dyn_cast_or_null<Constant>(value);
  return !value || (constant && constant->constant == ConstantKind::None);
}

const Stmt *Jumps::set(llvm::StringRef flag, bool value, const Range &range) {
  auto *target = tree.make<Name>(range);
  target->id = flag;
  auto *truth = tree.make<Constant>(range);
  truth->constant = ConstantKind::Bool;
  truth->integer = value;
  auto *assign = tree.make<Assign>(range);
  const Expr *targets[] = {target};
  assign->targets = tree.copy(llvm::ArrayRef(targets));
  assign->value = truth;
  return assign;
}

const Expr *Jumps::noneOf(llvm::ArrayRef<llvm::StringRef> flags, const Range &range) {
  llvm::SmallVector<const Expr *> clear;
  for (llvm::StringRef flag : flags) {
    auto *name = tree.make<Name>(range);
    name->id = flag;
    auto *negated = tree.make<UnaryOp>(range);
    negated->op = UnaryOperator::Not;
    negated->operand = name;
    clear.push_back(negated);
  }
  if (clear.size() == 1)
    return clear.front();
  auto *all = tree.make<BoolOp>(range);
  all->isAnd = true;
  all->operands = tree.copy(llvm::ArrayRef(clear));
  return all;
}

// What follows a statement that may have jumped runs only if it has not.
Body Jumps::rewrite(Body body, const Scope &scope, Flags &left) {
  llvm::SmallVector<const Stmt *> result;
  for (auto [i, stmt] : llvm::enumerate(body)) {
    llvm::StringRef flag = isJump(*stmt, "Break")      ? scope.broken
                           : isJump(*stmt, "Continue") ? scope.continued
                           : llvm::isa<Return>(stmt)   ? scope.returned
                                                       : llvm::StringRef();
    if (!flag.empty()) { // nothing after it is reached
      result.push_back(set(flag, true, stmt->range));
      if (!llvm::is_contained(left, flag))
        left.push_back(flag);
      break;
    }
    Flags jumped;
    if (auto *loop = llvm::dyn_cast<For>(stmt)) {
      auto *copy = tree.make<For>(loop->range);
      *copy = *loop;
      llvm::StringRef broken;
      copy->body = rewriteLoop(loop->body, *stmt, scope, jumped, result, broken);
      if (!broken.empty() || !jumped.empty()) { // the trips after the jump do nothing
        Flags over(jumped);
        if (!broken.empty())
          over.push_back(broken);
        auto *unless = tree.make<If>(loop->range);
        unless->condition = noneOf(over, loop->range);
        unless->body = copy->body;
        const Stmt *only[] = {unless};
        copy->body = tree.copy(llvm::ArrayRef(only));
      }
      result.push_back(copy);
    } else if (auto *loop = llvm::dyn_cast<While>(stmt)) {
      auto *copy = tree.make<While>(loop->range);
      *copy = *loop;
      llvm::StringRef broken;
      copy->body = rewriteLoop(loop->body, *stmt, scope, jumped, result, broken);
      Flags over(jumped);
      if (!broken.empty())
        over.push_back(broken);
      if (!over.empty()) {
        auto *both = tree.make<BoolOp>(loop->condition->range);
        both->isAnd = true;
        const Expr *conditions[] = {noneOf(over, loop->condition->range), loop->condition};
        both->operands = tree.copy(llvm::ArrayRef(conditions));
        copy->condition = both;
      }
      result.push_back(copy);
    } else {
      result.push_back(rewrite(*stmt, scope, jumped));
    }
    for (llvm::StringRef flag : jumped)
      if (!llvm::is_contained(left, flag))
        left.push_back(flag);
    if (jumped.empty() || i + 1 == body.size())
      continue;
    auto *rest = tree.make<If>(body[i + 1]->range);
    rest->condition = noneOf(jumped, stmt->range);
    rest->body = rewrite(body.drop_front(i + 1), scope, left);
    result.push_back(rest);
    break;
  }
  return tree.copy(llvm::ArrayRef(result));
}

// A loop has flags of its own; those of the function pass through it.
Body Jumps::rewriteLoop(Body body, const Stmt &loop, const Scope &scope, Flags &left,
                        llvm::SmallVectorImpl<const Stmt *> &before, llvm::StringRef &broken) {
  Scope inner;
  inner.returned = scope.returned;
  std::string number = std::to_string(count++);
  if (hasJump(body, "Break")) {
    inner.broken = broken = tree.copy("%break" + number);
    before.push_back(set(broken, false, loop.range));
  }
  if (hasJump(body, "Continue"))
    inner.continued = tree.copy("%continue" + number);
  Flags jumped;
  Body result = rewrite(body, inner, jumped);
  if (llvm::is_contained(jumped, inner.returned) && !inner.returned.empty())
    left.push_back(inner.returned);
  if (inner.continued.empty())
    return result;
  llvm::SmallVector<const Stmt *> fresh = {set(inner.continued, false, loop.range)};
  llvm::append_range(fresh, result);
  return tree.copy(llvm::ArrayRef(fresh));
}

const Stmt *Jumps::rewrite(const Stmt &stmt, const Scope &scope, Flags &left) {
  if (auto *branch = llvm::dyn_cast<If>(&stmt)) {
    auto *copy = tree.make<If>(branch->range);
    *copy = *branch;
    copy->body = rewrite(branch->body, scope, left);
    copy->orElse = rewrite(branch->orElse, scope, left);
    if (copy->body.empty()) {
      const Stmt *nothing[] = {tree.make<Pass>(branch->range)};
      copy->body = tree.copy(llvm::ArrayRef(nothing));
    }
    return copy;
  }
  if (auto *with = llvm::dyn_cast<With>(&stmt)) {
    auto *copy = tree.make<With>(with->range);
    *copy = *with;
    copy->body = rewrite(with->body, scope, left);
    return copy;
  }
  return &stmt;
}

Body Jumps::without(const FunctionDef &function) {
  auto [entry, isNew] = made.try_emplace(&function, function.body);
  if (!isNew)
    return entry->second;
  auto isReturn = [](const Stmt &stmt) { return llvm::isa<Return>(stmt); };
  auto isLoopJump = [](const Stmt &stmt) { return isJump(stmt, "Break") || isJump(stmt, "Continue"); };
  auto hasValue = [](const Stmt &stmt) {
    auto *back = llvm::dyn_cast<Return>(&stmt);
    return back && !isNone(back->value);
  };
  // A return at the end, or one after which nothing comes, is none in the middle.
  bool returnsInside = llvm::any_of(function.body, [&](const Stmt *stmt) {
    bool found = false;
    forEachBody(*stmt, true, [&](Body inner) { found = found || contains(inner, true, isReturn); });
    return found;
  });
  bool returns = returnsInside && !contains(function.body, true, hasValue);
  if (!returns && !contains(function.body, true, isLoopJump))
    return function.body;
  Scope scope;
  llvm::SmallVector<const Stmt *> result;
  if (returns) {
    scope.returned = "%return";
    result.push_back(set(scope.returned, false, function.nameRange));
  }
  Flags left;
  llvm::append_range(result, rewrite(function.body, scope, left));
  return made[&function] = tree.copy(llvm::ArrayRef(result));
}

} // namespace tilesmith::frontend
