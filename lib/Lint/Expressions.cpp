// Expressions of candidates: names, displays, comprehensions, conditions.
#include "Interpreter.h"

namespace tilesmith::lint {

using namespace ast;

Value Interpreter::eval(const Expr &expr) {
  Nesting guard(*this);
  if (!step())
    return {};
  here = expr.range;
  return evalDeeper(expr);
}

Value Interpreter::evalDeeper(const Expr &expr) {
  switch (expr.kind) {
  case Kind::Name:
    return lookUp(llvm::cast<Name>(expr).id);
  case Kind::Constant:
    return evalConstant(llvm::cast<Constant>(expr));
  case Kind::BinOp: {
    auto &operation = llvm::cast<BinOp>(expr);
    Value lhs = eval(*operation.lhs), rhs = eval(*operation.rhs);
    return binary(operation.op, lhs, rhs, expr, spelling(operation.op));
  }
  case Kind::UnaryOp:
    return unary(llvm::cast<UnaryOp>(expr).op, eval(*llvm::cast<UnaryOp>(expr).operand), expr);
  case Kind::BoolOp:
    return evalBoolOp(llvm::cast<BoolOp>(expr));
  case Kind::Compare:
    return evalCompare(llvm::cast<Compare>(expr));
  case Kind::Call:
    return evalCall(llvm::cast<Call>(expr));
  case Kind::Attribute:
    return attribute(eval(*llvm::cast<Attribute>(expr).value), llvm::cast<Attribute>(expr).name, {&expr});
  case Kind::Subscript:
    return evalSubscript(llvm::cast<Subscript>(expr));
  case Kind::Slice: {
    auto &slice = llvm::cast<Slice>(expr);
    for (const Expr *part : {slice.lower, slice.upper, slice.step})
      if (part)
        eval(*part);
    return Value::host();
  }
  case Kind::Sequence:
    return evalSequence(llvm::cast<Sequence>(expr));
  case Kind::Starred:
    return eval(*llvm::cast<Starred>(expr).value);
  case Kind::IfExp:
    return evalIfExp(llvm::cast<IfExp>(expr));
  case Kind::JoinedStr:
    return evalFString(llvm::cast<JoinedStr>(expr));
  case Kind::FormattedValue:
    return eval(*llvm::cast<FormattedValue>(expr).value);
  case Kind::OtherExpr:
    return evalOther(llvm::cast<OtherExpr>(expr));
  default:
    return Value::host();
  }
}

Value Interpreter::evalOther(const OtherExpr &expr) {
  if (auto *lambda = llvm::dyn_cast<Lambda>(&expr))
    return defineFunction(*lambda->function);
  if (auto *dict = llvm::dyn_cast<Dict>(&expr))
    return evalDict(*dict);
  if (auto *comprehension = llvm::dyn_cast<Comprehension>(&expr))
    return evalComprehension(*comprehension);
  if (auto *named = llvm::dyn_cast<NamedExpr>(&expr)) {
    Value value = eval(*named->value);
    if (state.alive)
      assign(*named->target, value);
    return value;
  }
  Value all;
  for (const Node *child : expr.children)
    if (auto *inner = llvm::dyn_cast<Expr>(child))
      all.add(eval(*inner));
  if (expr.className == "Yield" || expr.className == "YieldFrom") {
    frame().yields.add(expr.className == "Yield" ? all : iterate(all));
    frame().hasYield = true;
    return Value::host();
  }
  if (expr.className == "Set")
    return makeSequenceOf(all);
  return all.empty() ? Value::host() : all; // await
}

Value Interpreter::evalConstant(const Constant &constant) {
  if (constant.constant == ConstantKind::BigInt || constant.constant == ConstantKind::Complex ||
      constant.constant == ConstantKind::Bytes)
    return Value::host();
  Atom atom{AtomKind::Constant, 0, constant.constant};
  atom.integer = constant.integer;
  atom.number = constant.number;
  atom.text = constant.text;
  return atom;
}

Value Interpreter::evalFString(const JoinedStr &expr) {
  std::string text;
  bool isKnown = true;
  for (const Expr *part : expr.parts) {
    Value value = eval(*part);
    const Atom *atom = value.single();
    if (atom && atom->isString() && text.size() + atom->text.size() <= maxText)
      text += atom->text;
    else
      isKnown = false;
  }
  return isKnown ? Value::string(save(text)) : Value::host();
}

Value Interpreter::lookUp(llvm::StringRef name) {
  bool isInnermost = true;
  for (ObjectId scope = frame().scope; scope && state.exists(scope); scope = state.get(scope).parent) {
    const Object &names = state.get(scope);
    if (isInnermost || !names.isClassScope) {
      if (auto at = names.elsewhere.find(name); at != names.elsewhere.end()) {
        scope = at->second;
        if (auto found = state.get(scope).fields.find(name); found != state.get(scope).fields.end())
          return found->second;
        continue;
      }
      if (auto found = names.fields.find(name); found != names.fields.end())
        return found->second;
    }
    isInnermost = false;
  }
  if (name == "__name__")
    return Value::string("candidate");
  if (name == "__builtins__")
    return Value::path("builtins");
  if (name == "__file__")
    return Value::host();
  if (name == "__debug__")
    return Value::boolean(true);
  if (starModules.empty() || isHarmlessBuiltin(name))
    return Value::path(save("builtins." + name));
  Value result;
  for (llvm::StringRef module : starModules)
    result.add(Value::path(save(module + "." + name)));
  return result;
}

Value Interpreter::evalBoolOp(const BoolOp &expr) {
  Value result;
  std::function<void(size_t)> from = [&](size_t i) {
    Value value = eval(*expr.operands[i]);
    if (!state.alive)
      return;
    Truth truth = truthOf(value);
    bool isLast = i + 1 == expr.operands.size();
    bool decides = truth == (expr.isAnd ? Truth::False : Truth::True);
    if (isLast || decides || truth == Truth::Unknown)
      result.add(value);
    if (isLast || decides)
      return;
    if (truth != Truth::Unknown)
      return from(i + 1);
    branch(Truth::Unknown, nullptr, [&] { from(i + 1); }, [] {});
  };
  from(0);
  return result;
}

Value Interpreter::evalIfExp(const IfExp &expr) {
  Value condition = eval(*expr.condition), result;
  if (!state.alive)
    return {};
  branch(
      truthOf(condition), expr.condition, [&] { result.add(eval(*expr.body)); },
      [&] { result.add(eval(*expr.orElse)); });
  return result;
}

Value Interpreter::evalCompare(const Compare &expr) {
  llvm::SmallVector<Value> operands;
  for (const Expr *operand : expr.operands)
    operands.push_back(eval(*operand));
  if (!state.alive)
    return {};
  Value result;
  bool isTrue = true;
  for (size_t i = 0; i != expr.operators.size(); ++i) {
    Value part = compare(expr.operators[i], operands[i], operands[i + 1], expr);
    Truth truth = truthOf(part);
    if (truth == Truth::False)
      return Value::boolean(false);
    isTrue &= truth == Truth::True;
    result.add(part);
  }
  return isTrue ? Value::boolean(true) : result;
}

Value Interpreter::evalSequence(const Sequence &expr) {
  std::vector<Value> elements;
  Value rest;
  bool isExact = true;
  for (const Expr *element : expr.elements) {
    Value value = eval(*element);
    if (!llvm::isa<Starred>(element)) {
      elements.push_back(std::move(value));
      continue;
    }
    const Atom *atom = value.single();
    const Object *sequence = atom ? lookAt(*atom, ObjectKind::Sequence) : nullptr;
    if (sequence && sequence->isExact) {
      llvm::append_range(elements, sequence->elements);
    } else {
      isExact = false;
      rest.add(iterate(value));
    }
  }
  if (isExact)
    return makeSequence(std::move(elements));
  for (const Value &element : elements)
    rest.add(element);
  return makeSequenceOf(std::move(rest));
}

Value Interpreter::evalDict(const Dict &expr) {
  Object dict(ObjectKind::Dict);
  for (size_t i = 0; i != expr.values.size(); ++i) {
    Value key = expr.keys[i] ? eval(*expr.keys[i]) : Value(), value = eval(*expr.values[i]);
    llvm::StringRef name = expr.keys[i] ? keyOf(key) : llvm::StringRef();
    if (!expr.keys[i])
      dict.rest.add(iterate(value));
    else if (name.empty())
      dict.rest.add(value);
    else
      dict.fields[name] = value;
  }
  return Value::object(make(std::move(dict)));
}

Value Interpreter::evalComprehension(const Comprehension &expr) {
  Object scope(ObjectKind::Scope);
  scope.parent = frame().scope;
  ObjectId inner = make(std::move(scope)), outer = frame().scope;
  Value element, key;
  bool isEmpty = false;
  for (const Generator &generator : expr.generators) {
    Value iterable = eval(*generator.iterable);
    frame().scope = inner;
    const Atom *atom = iterable.single();
    const Object *sequence = atom ? lookAt(*atom, ObjectKind::Sequence) : nullptr;
    isEmpty |= sequence && sequence->isExact && sequence->elements.empty();
    if (state.alive && !isEmpty)
      assign(*generator.target, iterate(iterable));
    for (const Expr *condition : generator.conditions)
      if (state.alive && !isEmpty)
        isEmpty |= truthOf(eval(*condition)) == Truth::False;
  }
  if (state.alive && !isEmpty) {
    if (expr.key)
      key = eval(*expr.key);
    element = eval(*expr.element);
  }
  frame().scope = outer;
  if (!state.alive)
    return {};
  if (isEmpty)
    return expr.key ? makeDictOf({}) : makeSequence({});
  return expr.key ? makeDictOf(element) : makeSequenceOf(element);
}

} // namespace tilesmith::lint
