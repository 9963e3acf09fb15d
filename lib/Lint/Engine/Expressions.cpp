#include "Interpreter.h"

namespace tilesmith::lint {

using namespace ast;

Value Expressions::eval(const Expr &expr) {
  World::Nesting guard(world);
  if (!world.step())
    return {};
  notes.setHere(expr.range);
  return evalDeeper(expr);
}

Value Expressions::evalDeeper(const Expr &expr) {
  switch (expr.kind) {
  case Kind::Name:
    return scopes.lookUp(llvm::cast<Name>(expr).id);
  case Kind::Constant:
    return evalConstant(llvm::cast<Constant>(expr));
  case Kind::BinOp: {
    auto &operation = llvm::cast<BinOp>(expr);
    Value lhs = eval(*operation.lhs), rhs = eval(*operation.rhs);
    return operators.binary(operation.op, lhs, rhs, expr, spelling(operation.op));
  }
  case Kind::UnaryOp:
    return operators.unary(llvm::cast<UnaryOp>(expr).op, eval(*llvm::cast<UnaryOp>(expr).operand), expr);
  case Kind::BoolOp:
    return evalBoolOp(llvm::cast<BoolOp>(expr));
  case Kind::Compare:
    return evalCompare(llvm::cast<Compare>(expr));
  case Kind::Call:
    return evalCall(llvm::cast<Call>(expr));
  case Kind::Attribute:
    return attributes.get(eval(*llvm::cast<Attribute>(expr).value), llvm::cast<Attribute>(expr).name, {&expr});
  case Kind::Subscript:
    return evalSubscript(llvm::cast<Subscript>(expr));
  case Kind::Slice: {
    auto &slice = llvm::cast<Slice>(expr);
    Value parts = Value::host();
    for (const Expr *part : {slice.lower, slice.upper, slice.step})
      if (part)
        parts.add(eval(*part));
    return buffers.holdsTensor(parts) ? parts : Value::host();
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

Value Expressions::evalOther(const OtherExpr &expr) {
  if (auto *lambda = llvm::dyn_cast<Lambda>(&expr))
    return statements.defineFunction(*lambda->function);
  if (auto *dict = llvm::dyn_cast<Dict>(&expr))
    return evalDict(*dict);
  if (auto *comprehension = llvm::dyn_cast<Comprehension>(&expr))
    return evalComprehension(*comprehension);
  if (auto *named = llvm::dyn_cast<NamedExpr>(&expr)) {
    Value value = eval(*named->value);
    if (state.alive)
      statements.assign(*named->target, value);
    return value;
  }
  Value all;
  for (const Node *child : expr.children)
    if (auto *inner = llvm::dyn_cast<Expr>(child))
      all.add(eval(*inner));
  if (expr.className == "Yield" || expr.className == "YieldFrom") {
    bool isOne = expr.className == "Yield";
    Value given = isOne ? all : containers.iterate(all);
    scopes.frame().yields.add(given);
    scopes.frame().hasYield = true;
    scopes.frame().yieldsInTry |= scopes.frame().tryDepth > 0 || !isOne;
    return isOne || given.empty() ? Value::host() : given; // of what is yielded from: what it returns
  }
  if (expr.className == "Set")
    return world.makeSequenceOf(all);
  return all.empty() ? Value::host() : all; // await
}

Value Expressions::evalConstant(const Constant &constant) {
  if (constant.constant == ConstantKind::BigInt || constant.constant == ConstantKind::Complex ||
      constant.constant == ConstantKind::Bytes)
    return Value::host();
  Atom atom{AtomKind::Constant, 0, constant.constant};
  atom.integer = constant.integer;
  atom.number = constant.number;
  atom.text = constant.text;
  return atom;
}

Value Expressions::evalFString(const JoinedStr &expr) {
  std::string text;
  bool isKnown = true;
  for (const Expr *part : expr.parts) {
    Value value = eval(*part);
    const Atom *atom = value.single();
    if (atom && atom->isString() && text.size() + atom->text.size() <= World::maxText)
      text += atom->text;
    else
      isKnown = false;
  }
  return isKnown ? Value::string(world.save(text)) : Value::host();
}

Value Expressions::evalBoolOp(const BoolOp &expr) {
  Value result;
  bool isOnData = false;
  std::function<void(size_t)> from = [&](size_t i) {
    Value value = eval(*expr.operands[i]);
    if (!state.alive)
      return;
    Truth truth = operators.truthOf(value);
    bool isLast = i + 1 == expr.operands.size();
    bool decides = truth == (expr.isAnd ? Truth::False : Truth::True);
    if (isLast || decides || truth == Truth::Unknown)
      result.add(value);
    if (isLast || decides)
      return;
    isOnData |= control.isData(value);
    if (truth != Truth::Unknown)
      return from(i + 1);
    control.perhaps([&] { from(i + 1); });
  };
  from(0);
  return isOnData ? ControlFlow::marked(result) : result;
}

Value Expressions::evalIfExp(const IfExp &expr) {
  Value condition = eval(*expr.condition), result;
  if (!state.alive)
    return {};
  control.branch(
      operators.truthOf(condition), expr.condition, [&] { result.add(eval(*expr.body)); },
      [&] { result.add(eval(*expr.orElse)); });
  return control.isData(condition) ? ControlFlow::marked(result) : result;
}

Value Expressions::evalCompare(const Compare &expr) {
  llvm::SmallVector<Value> operands;
  for (const Expr *operand : expr.operands)
    operands.push_back(eval(*operand));
  if (!state.alive)
    return {};
  Value result;
  bool isTrue = true;
  for (size_t i = 0; i != expr.operators.size(); ++i) {
    Value part = operators.compare(expr.operators[i], operands[i], operands[i + 1], expr);
    Truth truth = operators.truthOf(part);
    if (truth == Truth::False)
      return Value::boolean(false);
    isTrue &= truth == Truth::True;
    result.add(part);
  }
  return isTrue ? Value::boolean(true) : result;
}

Value Expressions::evalSubscript(const Subscript &expr) {
  Value value = eval(*expr.value), index = eval(*expr.index);
  return state.alive ? containers.subscript(value, index, {&expr, expr.value}) : Value();
}

Value Expressions::evalSequence(const Sequence &expr) {
  std::vector<Value> elements;
  Value rest;
  bool isExact = true;
  for (const Expr *element : expr.elements) {
    Value value = eval(*element);
    if (!llvm::isa<Starred>(element)) {
      elements.push_back(std::move(value));
      continue;
    }
    const Object *sequence = world.lookAt(value, ObjectKind::Sequence);
    if (sequence && sequence->isExact) {
      llvm::append_range(elements, sequence->elements);
    } else {
      isExact = false;
      rest.add(containers.iterate(value));
    }
  }
  if (isExact)
    return world.makeSequence(std::move(elements));
  for (const Value &element : elements)
    rest.add(element);
  return world.makeSequenceOf(std::move(rest));
}

Value Expressions::evalDict(const Dict &expr) {
  Object dict(ObjectKind::Dict);
  for (size_t i = 0; i != expr.values.size(); ++i) {
    Value key = expr.keys[i] ? eval(*expr.keys[i]) : Value(), value = eval(*expr.values[i]);
    llvm::StringRef name = expr.keys[i] ? containers.keyOf(key) : llvm::StringRef();
    if (!expr.keys[i])
      dict.rest.add(containers.iterate(value));
    else if (name.empty())
      dict.rest.add(value);
    else
      dict.fields[name] = value;
    if (value.empty())
      continue;
    // Keys are asked for, too: d.keys(), iter(d).
    if (Value held = outside.mayGive(key); buffers.holdsTensor(held))
      dict.rest.add(held);
  }
  return Value::object(world.make(std::move(dict)));
}

Value Expressions::evalComprehension(const Comprehension &expr) {
  Value result = evalComprehension(expr, scopes.frame().scope);
  if (expr.className != "GeneratorExp" || !state.alive)
    return result;
  Object &generator = state.change(result.atoms[0].object);
  generator.node = &expr; // evaluated when it is asked for its elements
  generator.parent = scopes.frame().scope;
  return result;
}

Value Expressions::evalComprehension(const Comprehension &expr, ObjectId around) {
  Object scope(ObjectKind::Scope);
  scope.parent = around;
  ObjectId inner = world.make(std::move(scope)), outer = scopes.frame().scope;
  scopes.frame().scope = around;
  Value element, key;
  bool isEmpty = false, isOnData = false;
  for (const Generator &generator : expr.generators) {
    Value iterable = eval(*generator.iterable);
    scopes.frame().scope = inner;
    const Object *sequence = world.lookAt(iterable, ObjectKind::Sequence);
    isEmpty |= sequence && sequence->isExact && sequence->elements.empty();
    if (state.alive && !isEmpty)
      statements.assign(*generator.target, containers.iterate(iterable));
    for (const Expr *condition : generator.conditions)
      if (state.alive && !isEmpty) {
        Value chosen = eval(*condition);
        isOnData |= control.isData(chosen);
        isEmpty |= operators.truthOf(chosen) == Truth::False;
      }
  }
  if (state.alive && !isEmpty) {
    if (expr.key)
      key = eval(*expr.key);
    element = eval(*expr.element);
    if (state.alive) // once more: what one round makes is not what the next one makes
      element.add(eval(*expr.element));
    if (isOnData)
      element = ControlFlow::marked(element);
    if (Value held = outside.mayGive(key); expr.key && buffers.holdsTensor(held))
      element.add(held);
  }
  scopes.frame().scope = outer;
  if (!state.alive)
    return {};
  if (isEmpty)
    return expr.key ? world.makeDictOf({}) : world.makeSequence({});
  return expr.key ? world.makeDictOf(element) : world.makeSequenceOf(element);
}

Arguments Expressions::evalArguments(const Call &call) {
  Arguments arguments;
  for (const Expr *argument : call.arguments) {
    Value value = eval(*argument);
    if (!llvm::isa<Starred>(argument)) {
      if (arguments.hasRest)
        arguments.rest.add(value); // its position is not known any more
      else
        arguments.positional.push_back(std::move(value));
      continue;
    }
    const Object *sequence = world.lookAt(value, ObjectKind::Sequence);
    if (sequence && sequence->isExact && !arguments.hasRest) {
      llvm::append_range(arguments.positional, sequence->elements);
    } else {
      arguments.hasRest = true;
      arguments.rest.add(containers.iterate(value));
    }
  }
  for (const Keyword &keyword : call.keywords) {
    Value value = eval(*keyword.value);
    if (!keyword.name.empty()) {
      arguments.keywords.push_back({keyword.name, std::move(value)});
      continue;
    }
    if (const Object *dict = world.lookAt(value, ObjectKind::Dict)) {
      for (const auto &[name, entry] : dict->fields)
        arguments.keywords.push_back({name, entry});
      if (!dict->rest.empty()) {
        arguments.hasRest = true;
        arguments.rest.add(dict->rest);
      }
    } else {
      arguments.hasRest = true;
      arguments.rest.add(containers.iterate(value));
    }
  }
  return arguments;
}

Value Expressions::evalCall(const ast::Call &expr) {
  Value callee = eval(*expr.callee);
  Arguments arguments = evalArguments(expr);
  return state.alive ? calls.call(callee, arguments, {&expr, expr.callee}) : Value();
}

} // namespace tilesmith::lint
