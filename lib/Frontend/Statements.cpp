// Statements without control flow of their own: assignments, assert, return; and those that are refused.
#include "Lowering.h"

#include "llvm/ADT/StringSwitch.h"

namespace tilesmith::frontend {

// Enough for any real kernel; stops a static_range over a billion elements before the machine does.
static constexpr unsigned maxSteps = 200000;

Lowering::Flow Lowering::lowerBody(ast::Body body) {
  for (const ast::Stmt *stmt : body) {
    Flow flow = lowerStmt(*stmt);
    if (flow != Flow::Next)
      return flow;
  }
  return Flow::Next;
}

Lowering::Flow Lowering::lowerStmt(const ast::Stmt &stmt) {
  if (++steps > maxSteps) {
    fail(stmt.range, "RuntimeError", "the kernel unrolls to more than " + llvm::Twine(maxSteps) + " statements",
         "use asc2.range instead of asc.static_range for long loops");
    return Flow::Failed;
  }
  auto next = [](bool ok) { return ok ? Flow::Next : Flow::Failed; };
  switch (stmt.kind) {
  case ast::Kind::Pass:
    return Flow::Next;
  case ast::Kind::ExprStmt:
    return next(bool(lowerExpr(*llvm::cast<ast::ExprStmt>(stmt).value)));
  case ast::Kind::Assign: {
    auto &node = llvm::cast<ast::Assign>(stmt);
    if (node.targets.size() != 1) {
      fail(node.targets[1]->range, "UnsupportedSyntaxError", "chained assignment is not supported inside a kernel",
           "write one assignment per name");
      return Flow::Failed;
    }
    Value value = lowerExpr(*node.value);
    return next(value && assign(*node.targets[0], value, node.value->range));
  }
  case ast::Kind::AnnAssign: {
    auto &node = llvm::cast<ast::AnnAssign>(stmt);
    if (!node.value)
      return Flow::Next;
    Value value = lowerExpr(*node.value);
    return next(value && assign(*node.target, value, node.value->range));
  }
  case ast::Kind::AugAssign:
    return next(lowerAugAssign(llvm::cast<ast::AugAssign>(stmt)));
  case ast::Kind::Assert:
    return next(lowerAssert(llvm::cast<ast::Assert>(stmt)));
  case ast::Kind::If:
    return lowerIf(llvm::cast<ast::If>(stmt));
  case ast::Kind::For:
    return lowerFor(llvm::cast<ast::For>(stmt));
  case ast::Kind::While:
    return lowerWhile(llvm::cast<ast::While>(stmt));
  case ast::Kind::Return:
    return lowerReturn(llvm::cast<ast::Return>(stmt));
  case ast::Kind::With:
    return lowerWith(llvm::cast<ast::With>(stmt));
  case ast::Kind::FunctionDef:
    fail(llvm::cast<ast::FunctionDef>(stmt).nameRange, "UnsupportedSyntaxError",
         "nested functions are not supported inside a kernel",
         "define it at module level with @asc2.jit and call it from here");
    return Flow::Failed;
  default:
    return refuse(llvm::cast<ast::OtherStmt>(stmt));
  }
}

Lowering::Flow Lowering::refuse(const ast::OtherStmt &stmt) {
  llvm::StringRef help =
      llvm::StringSwitch<llvm::StringRef>(stmt.className)
          .Cases({"Break", "Continue"}, "put the rest of the loop body under an if, or use a while loop with a flag")
          .Cases({"Try", "TryStar"}, "a kernel has no exceptions; check with assert while compiling")
          .Case("Raise", "check conditions known while compiling with assert or asc.static_assert")
          .Cases({"Import", "ImportFrom"}, "import at the top of the file")
          .Cases({"Global", "Nonlocal"}, "names of the module can be read, not written; return values instead")
          .Case("Match", "write if ... elif; conditions known while compiling are resolved then")
          .Case("Delete", "names need no deletion, memory is planned by the compiler")
          .Case("ClassDef", "define classes at module level")
          .Cases({"AsyncFunctionDef", "AsyncFor", "AsyncWith"}, "loads and stores overlap by themselves")
          .Default("");
  failUnsupported(stmt.range, stmt.className, help);
  return Flow::Failed;
}

void Lowering::bind(llvm::StringRef name, Value value, const Range &range) {
  frame->env[name] = Binding{std::move(value), range, "", nullptr};
}

bool Lowering::assign(const ast::Expr &target, Value value, const Range &valueRange) {
  if (auto *name = llvm::dyn_cast<ast::Name>(&target)) {
    // Later messages about this tile (memory, hazards) call it by the user's name.
    mlir::Value ir = read(value).ir;
    if (mlir::Operation *op = ir ? ir.getDefiningOp() : nullptr)
      if (!llvm::isa<mlir::NameLoc>(op->getLoc()))
        op->setLoc(mlir::NameLoc::get(builder.getStringAttr(name->id), op->getLoc()));
    bind(name->id, std::move(value), target.range);
    return true;
  }
  if (auto *sequence = llvm::dyn_cast<ast::Sequence>(&target)) {
    llvm::SmallVector<Value> items;
    if (!toSequence(value, items, valueRange, "the value"))
      return false;
    for (const ast::Expr *element : sequence->elements)
      if (llvm::isa<ast::Starred>(element))
        return bool(failUnsupported(element->range, "Starred assignment"));
    if (items.size() != sequence->elements.size())
      return bool(fail(target.range, "ValueError",
                       "cannot unpack " + llvm::Twine(items.size()) + " values into " +
                           llvm::Twine(sequence->elements.size()) + " names"));
    for (auto [element, item] : llvm::zip_equal(sequence->elements, items))
      if (!assign(*element, item, valueRange))
        return false;
    return true;
  }
  if (auto *subscript = llvm::dyn_cast<ast::Subscript>(&target))
    return assignItem(*subscript, value);
  if (auto *attribute = llvm::dyn_cast<ast::Attribute>(&target))
    return bool(fail(target.range, "AttributeError",
                     "attribute " + attribute->name + " cannot be assigned inside a kernel",
                     "values of a kernel are immutable; bind a name instead"));
  if (auto *other = llvm::dyn_cast<ast::OtherExpr>(&target))
    return bool(failUnsupported(target.range, other->className));
  return bool(fail(target.range, "UnsupportedSyntaxError", "cannot assign to this expression"));
}

bool Lowering::assignItem(const ast::Subscript &target, Value value) {
  Value base = lowerExpr(*target.value);
  Value index = base ? lowerExpr(*target.index) : Value();
  if (!index)
    return false;
  if (!base.isSequence())
    return bool(fail(
        target.range, "TypeError", "items of " + describeShort(base) + " cannot be assigned inside a kernel",
        base.isHost() ? "objects of the host are read-only in a kernel" : "use asc2.store to write into a tensor"));
  if (!base.parts->isList)
    return bool(fail(target.range, "TypeError", "a tuple does not support item assignment"));
  if (base.parts->region != region)
    return bool(fail(target.range, "RuntimeError", "a list cannot be changed inside a runtime loop or branch",
                     "bind the element to a name, or unroll the loop with asc.static_range"));
  DType arrayOf = base.parts->arrayOf;
  if (arrayOf != DType::Void && index.isScalar() && !isFloat(index.dtype))
    return assignArrayItem(base, index, value, target.range);
  std::optional<int64_t> at = index.isHost() ? host.asInt(index.host) : std::nullopt;
  if (!at)
    return bool(fail(target.index->range, "TypeError",
                     "a list index must be an int known while compiling, not " + describe(index)));
  int64_t size = base.items().size();
  if (*at < -size || *at >= size)
    return bool(fail(target.index->range, "IndexError",
                     "list index " + llvm::Twine(*at) + " is out of range for " + llvm::Twine(size) + " elements"));
  if (arrayOf != DType::Void) {
    mlir::Value ir = toScalar(value, arrayOf, target.range);
    if (!ir)
      return false;
    value = Value::ofScalar(ir, arrayOf);
  }
  base.parts->items[*at < 0 ? *at + size : *at] = value;
  return true;
}

bool Lowering::lowerAugAssign(const ast::AugAssign &stmt) {
  if (!llvm::isa<ast::Name, ast::Subscript>(stmt.target))
    return bool(fail(stmt.target->range, "UnsupportedSyntaxError",
                     "augmented assignment needs a name or an item on its left inside a kernel"));
  Value old = lowerExpr(*stmt.target);
  Value operand = old ? lowerExpr(*stmt.value) : Value();
  if (!operand)
    return false;
  Value value = binary(stmt.op, old, operand, stmt.range);
  return value && assign(*stmt.target, value, stmt.range);
}

bool Lowering::lowerAssert(const ast::Assert &stmt) {
  Value condition = lowerExpr(*stmt.condition);
  if (!condition)
    return false;
  std::string message;
  if (stmt.message) {
    Value text = lowerExpr(*stmt.message);
    if (!text)
      return false;
    HostRef object = toHost(text);
    std::optional<std::string> string = object ? host.asString(object) : std::nullopt;
    message = string ? *string : object ? host.repr(object) : describe(text);
  }
  Truth result = truth(condition, stmt.condition->range);
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

Lowering::Flow Lowering::lowerReturn(const ast::Return &stmt) {
  if (region != frame->region) {
    fail(stmt.range, "UnsupportedSyntaxError", "return inside a runtime loop or branch is not supported",
         "bind the result to a name and return it at the end of the function");
    return Flow::Failed;
  }
  if (stmt.value && !frame->caller) {
    bool isNone = llvm::isa<ast::Constant>(stmt.value) &&
                  llvm::cast<ast::Constant>(stmt.value)->constant == ast::ConstantKind::None;
    if (!isNone) {
      fail(stmt.range, "UnsupportedSyntaxError", "a kernel cannot return a value",
           "store results into a tensor; only functions called from a kernel return values");
      return Flow::Failed;
    }
  }
  frame->returned = stmt.value ? lowerExpr(*stmt.value) : none();
  return frame->returned ? Flow::Returned : Flow::Failed;
}

} // namespace tilesmith::frontend
