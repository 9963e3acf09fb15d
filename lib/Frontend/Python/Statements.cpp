#include "Lowering.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/SaveAndRestore.h"

namespace tilesmith::frontend {

// Enough for any real kernel; stops a static_range over a billion elements before the machine does.
static constexpr unsigned maxSteps = 200000;

Flow Statements::lower(ast::Body body) {
  for (auto [i, stmt] : llvm::enumerate(body)) {
    auto *alone = llvm::dyn_cast<ast::ExprStmt>(stmt);
    if (alone && l.language.loopsByStatement() && llvm::isa<ast::Call>(alone->value)) {
      Value value = l.expressions.lower(*alone->value);
      if (!value)
        return Flow::Failed;
      if (value.is(kinds::range))
        return l.loops.lowerRest(*alone, value, body.drop_front(i + 1));
      continue;
    }
    Flow flow = lower(*stmt);
    if (flow != Flow::Next)
      return flow;
  }
  return Flow::Next;
}

Flow Statements::lower(const ast::Stmt &stmt) {
  if (++steps > maxSteps) {
    fail(stmt.range, "RuntimeError", "the kernel unrolls to more than " + llvm::Twine(maxSteps) + " statements",
         "use " + l.language.words().range + " instead of asc.static_range for long loops");
    return Flow::Failed;
  }
  l.probes.statement(stmt.range);
  auto next = [](bool ok) { return ok ? Flow::Next : Flow::Failed; };
  switch (stmt.kind) {
  case ast::Kind::Pass:
    return Flow::Next;
  case ast::Kind::ExprStmt:
    return next(bool(l.expressions.lower(*llvm::cast<ast::ExprStmt>(stmt).value)));
  case ast::Kind::Assign: {
    auto &node = llvm::cast<ast::Assign>(stmt);
    if (node.targets.size() != 1 && !l.language.runsWhileCompiling()) {
      fail(node.targets[1]->range, "UnsupportedSyntaxError", "chained assignment is not supported inside a kernel",
           "write one assignment per name");
      return Flow::Failed;
    }
    Value value = l.expressions.lower(*node.value);
    return next(value && llvm::all_of(node.targets, [&](const ast::Expr *target) {
                  return assign(*target, value, node.value->range);
                }));
  }
  case ast::Kind::AnnAssign: {
    auto &node = llvm::cast<ast::AnnAssign>(stmt);
    if (!node.value)
      return Flow::Next;
    Value value = l.expressions.lower(*node.value);
    return next(value && assign(*node.target, value, node.value->range));
  }
  case ast::Kind::AugAssign:
    return next(lowerAugAssign(llvm::cast<ast::AugAssign>(stmt)));
  case ast::Kind::Assert:
    return next(lowerAssert(llvm::cast<ast::Assert>(stmt)));
  case ast::Kind::If:
    return l.branches.lowerIf(llvm::cast<ast::If>(stmt));
  case ast::Kind::For:
    return l.loops.lowerFor(llvm::cast<ast::For>(stmt));
  case ast::Kind::While:
    return l.loops.lowerWhile(llvm::cast<ast::While>(stmt));
  case ast::Kind::Return:
    return lowerReturn(llvm::cast<ast::Return>(stmt));
  case ast::Kind::With:
    return lowerWith(llvm::cast<ast::With>(stmt));
  case ast::Kind::FunctionDef: {
    auto &node = llvm::cast<ast::FunctionDef>(stmt);
    Value function = l.expressions.lowerFunction(node);
    if (function)
      l.names.bind(node.name, function, node.nameRange);
    return next(bool(function));
  }
  default:
    return refuse(llvm::cast<ast::OtherStmt>(stmt));
  }
}

// What the kernel raises while it is compiled is the error of its compilation.
bool Statements::raises(const ast::OtherStmt &stmt) {
  auto *call = stmt.children.empty() ? nullptr : llvm::dyn_cast<ast::Call>(stmt.children[0]);
  if (stmt.className != "Raise" || !call || !l.language.runsWhileCompiling())
    return false;
  llvm::SaveAndRestore inMessage(l.expressions.inMessage, true);
  Value exception = l.expressions.lower(*call);
  if (!exception || !exception.isHost())
    return !exception;
  HostRef text = host.format(exception.host, 's', "");
  host.takeError();
  fail(stmt.range, host.typeName(exception.host), text ? host.asString(text).value_or("") : "");
  return true;
}

Flow Statements::refuse(const ast::OtherStmt &stmt) {
  if (raises(stmt))
    return Flow::Failed;
  llvm::StringRef help =
      llvm::StringSwitch<llvm::StringRef>(stmt.className)
          .Cases({"Try", "TryStar"}, "a kernel has no exceptions; check with assert while compiling")
          .Case("Raise", "check conditions known while compiling with assert or asc.static_assert")
          .Cases({"Import", "ImportFrom"}, "import at the top of the file")
          .Cases({"Global", "Nonlocal"}, "names of the module can be read, not written; return values instead")
          .Case("Match", "write if ... elif; conditions known while compiling are resolved then")
          .Case("Delete", "names need no deletion, memory is planned by the compiler")
          .Case("ClassDef", "define classes at module level")
          .Cases({"AsyncFunctionDef", "AsyncFor", "AsyncWith"}, "loads and stores overlap by themselves")
          .Default("");
  l.errors.failUnsupported(stmt.range, stmt.className, help);
  return Flow::Failed;
}

bool Statements::assign(const ast::Expr &target, Value value, const Range &valueRange) {
  if (auto *name = llvm::dyn_cast<ast::Name>(&target)) {
    // Later messages about this value (memory, hazards) call it by the user's name.
    mlir::Value ir = values.read(value).ir;
    if (mlir::Operation *op = ir ? ir.getDefiningOp() : nullptr)
      if (!llvm::isa<mlir::NameLoc>(op->getLoc()))
        op->setLoc(mlir::NameLoc::get(builder().getStringAttr(name->id), op->getLoc()));
    l.names.bind(name->id, std::move(value), target.range);
    return true;
  }
  if (auto *sequence = llvm::dyn_cast<ast::Sequence>(&target))
    return unpack(*sequence, value, valueRange);
  if (auto *subscript = llvm::dyn_cast<ast::Subscript>(&target))
    return assignItem(*subscript, value);
  if (auto *attribute = llvm::dyn_cast<ast::Attribute>(&target)) {
    Value base = l.expressions.lower(*attribute->value);
    if (!base)
      return false;
    if (base.kind->hasAttributes())
      return base.kind->setAttribute(l, base, attribute->name, value, target.range);
    return bool(fail(target.range, "AttributeError",
                     "attribute " + attribute->name + " cannot be assigned inside a kernel",
                     "values of a kernel are immutable; bind a name instead"));
  }
  if (auto *other = llvm::dyn_cast<ast::OtherExpr>(&target))
    return bool(l.errors.failUnsupported(target.range, other->className));
  return bool(fail(target.range, "UnsupportedSyntaxError", "cannot assign to this expression"));
}

bool Statements::unpack(const ast::Sequence &target, const Value &value, const Range &valueRange) {
  llvm::SmallVector<Value> items;
  if (!values.toSequence(value, items, valueRange, "the value"))
    return false;
  for (const ast::Expr *element : target.elements)
    if (llvm::isa<ast::Starred>(element))
      return bool(l.errors.failUnsupported(element->range, "Starred assignment"));
  if (items.size() != target.elements.size())
    return bool(fail(target.range, "ValueError",
                     "cannot unpack " + llvm::Twine(items.size()) + " values into " +
                         llvm::Twine(target.elements.size()) + " names"));
  for (auto [element, item] : llvm::zip_equal(target.elements, items))
    if (!assign(*element, item, valueRange))
      return false;
  return true;
}

bool Statements::assignItem(const ast::Subscript &target, const Value &value) {
  Value base = l.expressions.lower(*target.value);
  Value index = base ? l.expressions.lower(*target.index) : Value();
  return index && l.operators.setItem(base, index, value, target.range, target.index->range);
}

bool Statements::lowerAugAssign(const ast::AugAssign &stmt) {
  auto *field = llvm::dyn_cast<ast::Attribute>(stmt.target);
  Value record = field ? l.expressions.lower(*field->value) : Value();
  if (field && !record)
    return false;
  if (field ? !record.kind->hasAttributes() : !llvm::isa<ast::Name, ast::Subscript>(stmt.target))
    return bool(fail(stmt.target->range, "UnsupportedSyntaxError",
                     "augmented assignment needs a name or an item on its left inside a kernel"));
  Value old = l.expressions.lower(*stmt.target);
  Value operand = old ? l.expressions.lower(*stmt.value) : Value();
  if (!operand)
    return false;
  Value value = l.operators.binary(stmt.op, old, operand, stmt.range);
  return value && assign(*stmt.target, value, stmt.range);
}

bool Statements::lowerAssert(const ast::Assert &stmt) {
  Value condition = l.expressions.lower(*stmt.condition);
  if (!condition)
    return false;
  std::string message;
  if (stmt.message) {
    llvm::SaveAndRestore inMessage(l.expressions.inMessage, true);
    Value text = l.expressions.lower(*stmt.message);
    if (!text)
      return false;
    HostRef object = values.toHost(text);
    std::optional<std::string> string = object ? host.asString(object) : std::nullopt;
    message = string ? *string : object ? host.repr(object) : describe(text);
  }
  Truth result = values.truth(condition, stmt.condition->range);
  if (!result.valid)
    return false;
  if (!result.isKnown)
    return bool(fail(stmt.condition->range, "RuntimeError",
                     "an assert inside a kernel must be known while compiling, not " + describe(condition),
                     "check runtime values on the host before the launch"));
  if (!result.known)
    return bool(fail(stmt.range, "AssertionError", message));
  return true;
}

Flow Statements::lowerReturn(const ast::Return &stmt) {
  if (l.ir.region() != frame().region) {
    fail(stmt.range, "UnsupportedSyntaxError", "return inside a runtime loop or branch is not supported",
         stmt.value ? "bind the result to a name and return it at the end of the function"
                    : "put the rest of the function under an if with the opposite condition");
    return Flow::Failed;
  }
  if (stmt.value && !frame().caller) {
    bool isNone = llvm::isa<ast::Constant>(stmt.value) &&
                  llvm::cast<ast::Constant>(stmt.value)->constant == ast::ConstantKind::None;
    if (!isNone) {
      fail(stmt.range, "UnsupportedSyntaxError", "a kernel cannot return a value",
           l.language.words().results + "; only functions called from a kernel return values");
      return Flow::Failed;
    }
  }
  frame().returned = stmt.value ? l.expressions.lower(*stmt.value) : none();
  return frame().returned ? Flow::Returned : Flow::Failed;
}

Flow Statements::lowerWith(const ast::With &stmt) {
  if (stmt.contexts.size() != 1) {
    fail(stmt.contexts[1]->range, "UnsupportedSyntaxError", "a with statement takes one item inside a kernel",
         "nest two with statements");
    return Flow::Failed;
  }
  const Range &range = stmt.contexts[0]->range;
  Value context = l.expressions.lower(*stmt.contexts[0]);
  if (!context)
    return Flow::Failed;
  if (context.kind->isLoop())
    return l.loops.lowerWith(stmt, context);
  if (!context.kind->isContext())
    return lowerHostWith(stmt, context);
  if (!context.kind->enter(l, context, range))
    return Flow::Failed;
  Flow flow = lowerWithBody(stmt, none());
  context.kind->leave(l);
  return flow;
}

// A context manager of the host is entered and left while compiling.
Flow Statements::lowerHostWith(const ast::With &stmt, const Value &context) {
  const Range &range = stmt.contexts[0]->range;
  HostRef object = values.toHost(context);
  HostRef enter = object ? host.getAttr(object, "__enter__") : HostRef();
  HostRef exit = enter ? host.getAttr(object, "__exit__") : HostRef();
  if (!exit) {
    host.takeError();
    fail(range, "TypeError", describe(context) + " is not a context manager",
         "a with statement inside a kernel takes " + l.language.words().context + " or a context manager of the host");
    return Flow::Failed;
  }
  Value entered = Value::ofHost(host.call(enter, {}, {}));
  if (!entered) {
    failHost(range);
    return Flow::Failed;
  }
  Flow flow = lowerWithBody(stmt, entered);
  HostRef nothing[] = {host.makeNone(), host.makeNone(), host.makeNone()};
  if (!host.call(exit, nothing, {})) {
    failHost(range);
    return Flow::Failed;
  }
  return flow;
}

Flow Statements::lowerWithBody(const ast::With &stmt, const Value &entered) {
  Env before = frame().env;
  if (stmt.variables[0] && !assign(*stmt.variables[0], entered, stmt.contexts[0]->range))
    return Flow::Failed;
  Flow flow = lower(stmt.body);
  if (flow == Flow::Failed)
    return flow;
  // Names that existed keep what the body bound to them; new ones end here.
  Env after = std::move(frame().env);
  frame().env = std::move(before);
  for (auto &entry : frame().env)
    if (auto it = after.find(entry.first()); it != after.end())
      entry.second = it->second;
  l.names.expire(after, "it was bound inside the with at line " + std::to_string(stmt.range.line));
  return flow;
}

} // namespace tilesmith::frontend
