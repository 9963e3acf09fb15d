// Expressions of candidates: names, operators, displays, subscripts.
#include "Interpreter.h"

namespace tilesmith::lint {

using namespace ast;

static constexpr llvm::StringLiteral computesOutside = "computes on tensors outside the kernels";

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
    if (atom && atom->isString())
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
  branch(truthOf(condition), expr.condition, [&] { result.add(eval(*expr.body)); }, [&] { result.add(eval(*expr.orElse)); });
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

// A method that implements an operator, of an object of the file.
Value Interpreter::operate(llvm::StringRef method, const Value &lhs, const Value &rhs, Site site) {
  Value result;
  for (const Atom &atom : lhs.atoms)
    if (const Object *instance = lookAt(atom, ObjectKind::Instance))
      if (findInClass(instance->parent, method)) {
        Arguments arguments;
        arguments.positional.push_back(rhs);
        result.add(call(attributeOf(atom, method, site), arguments, site));
      }
  return result;
}

static llvm::StringRef methodOf(Operator op) {
  static constexpr llvm::StringLiteral names[] = {"add", "sub", "mul", "matmul", "truediv", "mod", "pow",
                                                  "lshift", "rshift", "or", "xor", "and", "floordiv"};
  return names[unsigned(op)];
}

static std::optional<int64_t> fold(Operator op, int64_t lhs, int64_t rhs) {
  int64_t result = 0;
  switch (op) {
  case Operator::Add:
    return __builtin_add_overflow(lhs, rhs, &result) ? std::nullopt : std::optional(result);
  case Operator::Sub:
    return __builtin_sub_overflow(lhs, rhs, &result) ? std::nullopt : std::optional(result);
  case Operator::Mul:
    return __builtin_mul_overflow(lhs, rhs, &result) ? std::nullopt : std::optional(result);
  case Operator::BitAnd:
    return lhs & rhs;
  case Operator::BitOr:
    return lhs | rhs;
  case Operator::BitXor:
    return lhs ^ rhs;
  default:
    return std::nullopt;
  }
}

Value Interpreter::binary(Operator op, const Value &lhs, const Value &rhs, const Expr &site, llvm::StringRef spelled) {
  if (!state.alive)
    return {};
  if (hasTensor(lhs) || hasTensor(rhs)) {
    report({&site}, spelled.str(), computesOutside);
    Value both = lhs;
    both.add(rhs);
    return computed(both);
  }
  const Atom *left = lhs.single(), *right = rhs.single();
  if (left && right && left->isInteger() && right->isInteger())
    if (std::optional<int64_t> folded = fold(op, left->integer, right->integer))
      return Value::integral(*folded);
  if (left && right && left->isString() && right->isString() && op == Operator::Add)
    return Value::string(save(left->text + right->text));
  Value result = operate(save("__" + methodOf(op) + "__"), lhs, rhs, {&site});
  result.add(operate(save("__r" + methodOf(op) + "__"), rhs, lhs, {&site}));
  // Sequences: concatenation and repetition.
  Value elements;
  bool isSequence = false;
  std::vector<Value> exact;
  bool isExact = op == Operator::Add;
  uint8_t flags = 0;
  ObjectId address = 0;
  for (const Value *side : {&lhs, &rhs})
    for (const Atom &atom : side->atoms) {
      if (const Object *sequence = lookAt(atom, ObjectKind::Sequence)) {
        isSequence = true;
        elements.add(sequence->all());
        isExact &= sequence->isExact && side->single();
        llvm::append_range(exact, sequence->elements);
      }
      if (atom.kind == AtomKind::Host) {
        flags |= atom.flags & Atom::FromTensor ? Atom::FromTensor | Atom::Computed : 0;
        address = atom.object ? atom.object : address;
      }
    }
  if (isSequence)
    result.add(isExact && left && right ? makeSequence(std::move(exact)) : makeSequenceOf(elements));
  if (result.empty()) {
    Atom host{AtomKind::Host, flags};
    host.object = address;
    result.add(host);
  }
  return result;
}

Value Interpreter::unary(UnaryOperator op, const Value &operand, const Expr &site) {
  if (!state.alive)
    return {};
  if (op == UnaryOperator::Not) {
    Truth truth = truthOf(operand);
    return truth == Truth::Unknown ? Value::host(Atom::Boolean) : Value::boolean(truth == Truth::False);
  }
  if (hasTensor(operand)) {
    report({&site}, spelling(op).str(), computesOutside);
    return computed(operand);
  }
  if (const Atom *atom = operand.single(); atom && atom->isInteger()) {
    if (op == UnaryOperator::USub && atom->integer != INT64_MIN)
      return Value::integral(-atom->integer);
    if (op == UnaryOperator::UAdd)
      return Value::integral(atom->integer);
    if (op == UnaryOperator::Invert)
      return Value::integral(~atom->integer);
  }
  llvm::StringRef method = op == UnaryOperator::Invert ? "__invert__" : op == UnaryOperator::USub ? "__neg__" : "__pos__";
  Value result;
  for (const Atom &atom : operand.atoms)
    if (const Object *instance = lookAt(atom, ObjectKind::Instance); instance && findInClass(instance->parent, method))
      result.add(call(attributeOf(atom, method, {&site}), {}, {&site}));
  return result.empty() ? binary(Operator::Add, operand, Value::integral(0), site, spelling(op)) : result;
}

static std::optional<bool> foldCompare(CompareOperator op, int order) {
  switch (op) {
  case CompareOperator::Eq:
    return order == 0;
  case CompareOperator::NotEq:
    return order != 0;
  case CompareOperator::Lt:
    return order < 0;
  case CompareOperator::LtE:
    return order <= 0;
  case CompareOperator::Gt:
    return order > 0;
  case CompareOperator::GtE:
    return order >= 0;
  default:
    return std::nullopt;
  }
}

Value Interpreter::compare(CompareOperator op, const Value &lhs, const Value &rhs, const Expr &site) {
  const Atom *left = lhs.single(), *right = rhs.single();
  if (op == CompareOperator::Is || op == CompareOperator::IsNot) {
    bool isNot = op == CompareOperator::IsNot;
    if (right && right->isNone()) {
      bool all = llvm::all_of(lhs.atoms, [](const Atom &atom) { return atom.isNone(); });
      bool any = llvm::any_of(lhs.atoms, [](const Atom &atom) {
        return atom.isNone() || atom.kind == AtomKind::Host || atom.kind == AtomKind::Foreign;
      });
      if (all || !any)
        return Value::boolean(all != isNot);
    } else if (left && right && left->isInteger() && right->isInteger()) {
      return Value::boolean((left->integer == right->integer) != isNot);
    }
    return Value::host(Atom::Boolean);
  }
  if (op == CompareOperator::In || op == CompareOperator::NotIn) {
    if (hasTensor(rhs))
      report({&site}, spelling(op).str(), computesOutside);
    if (const Object *dict = right ? lookAt(*right, ObjectKind::Dict) : nullptr)
      if (dict->fields.empty() && dict->rest.empty())
        return Value::boolean(op == CompareOperator::NotIn);
    return Value::host(Atom::Boolean);
  }
  if (hasTensor(lhs) || hasTensor(rhs)) {
    report({&site}, spelling(op).str(), computesOutside);
    Value both = lhs;
    both.add(rhs);
    return computed(both);
  }
  if (left && right) {
    std::optional<bool> folded;
    if (left->isInteger() && right->isInteger())
      folded = foldCompare(op, left->integer < right->integer ? -1 : left->integer > right->integer);
    else if (left->isString() && right->isString())
      folded = foldCompare(op, left->text.compare(right->text));
    else if (left->isNone() && right->isNone())
      folded = foldCompare(op, 0);
    if (folded)
      return Value::boolean(*folded);
  }
  static constexpr llvm::StringLiteral names[] = {"__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__"};
  Value result = operate(names[unsigned(op)], lhs, rhs, {&site});
  return result.empty() ? Value::host(Atom::Boolean) : result;
}

Value Interpreter::evalSubscript(const Subscript &expr) {
  Value value = eval(*expr.value), index = eval(*expr.index);
  return state.alive ? subscript(value, index, {&expr, expr.value}) : Value();
}

Value Interpreter::subscript(const Value &value, const Value &index, Site site) {
  Value result;
  for (const Atom &atom : value.atoms)
    result.add(subscriptAtom(atom, index, site));
  return result;
}

Value Interpreter::subscriptAtom(const Atom &atom, const Value &index, Site site) {
  switch (atom.kind) {
  case AtomKind::Constant:
    return atom.isNone() ? Value() : Value::host();
  case AtomKind::Kernel:
    return makeLauncher(atom.object, index, site);
  case AtomKind::Tensor:
    return Value::tensor(atom.object, atom.flags | Atom::Part);
  case AtomKind::Host:
    useAsScalar(index);
    return Value::host(atom.flags);
  case AtomKind::Path: {
    llvm::StringRef path = atom.text;
    const Atom *key = index.single();
    if (path == "builtins")
      return key && key->isString() ? Value::path(save("builtins." + key->text)) : Value::path("builtins.?");
    if (path == "sys.modules")
      return key && key->isString() ? moduleOf(key->text, site) : moduleOf("", site);
    if (path.consume_back(".__dict__"))
      return key && key->isString() ? attribute(Value::path(path), key->text, site) : Value::path(save(path + ".?"));
    return path.starts_with("os.environ") ? Value::host() : Value(atom); // List[int] and the like
  }
  case AtomKind::Foreign:
    if (atom.text == "asc.load_ascendc") {
      const Atom *name = index.single();
      llvm::StringRef text = name && name->isString() ? name->text : llvm::StringRef("kernel");
      return Value::kernel(kernelOf(nullptr, text, rangeOf(site), Dsl::AscendC));
    }
    return atom;
  case AtomKind::Object:
    break;
  default:
    return Value::host();
  }
  const Object &object = state.get(storageOf(atom));
  if (lookAt(atom, ObjectKind::Attributes))
    return entry(object, index);
  switch (object.kind) {
  case ObjectKind::Sequence:
  case ObjectKind::Sequential: {
    const Atom *position = index.single();
    if (object.isExact && position && position->isInteger()) {
      int64_t count = object.elements.size(), at = position->integer < 0 ? position->integer + count : position->integer;
      return at >= 0 && at < count ? object.elements[at] : Value();
    }
    Value all = object.all();
    if (index.has(AtomKind::Host)) // an index, or a slice
      return object.kind == ObjectKind::Sequence && site.expr && llvm::isa<Subscript>(site.expr) &&
                     llvm::isa<Slice>(llvm::cast<Subscript>(site.expr)->index)
                 ? makeSequenceOf(all)
                 : all;
    return all;
  }
  case ObjectKind::Dict:
  case ObjectKind::Scope:
    return entry(object, index);
  case ObjectKind::Instance:
    if (findInClass(object.parent, "__getitem__")) {
      Arguments arguments;
      arguments.positional.push_back(index);
      return call(attributeOf(atom, "__getitem__", site), arguments, site);
    }
    return object.all();
  case ObjectKind::Class:
    return atom; // Generic[T]
  default:
    return atom; // a function with a grid is still a function
  }
}

llvm::StringRef Interpreter::keyOf(const Value &key) {
  const Atom *atom = key.single();
  if (!atom)
    return {};
  if (atom->isString())
    return atom->text.empty() ? "#empty" : atom->text;
  if (atom->isInteger())
    return save("#" + llvm::Twine(atom->integer));
  if (atom->isNone())
    return "#None";
  if (atom->kind == AtomKind::Path)
    return save("@" + atom->text);
  return {};
}

Value Interpreter::entry(const Object &dict, const Value &key) {
  llvm::StringRef name = keyOf(key);
  if (name.empty())
    return dict.all();
  Value result = dict.rest;
  if (auto at = dict.fields.find(name); at != dict.fields.end())
    result.add(at->second);
  else if (dict.rest.empty())
    return dict.all();
  return result;
}

Value Interpreter::iterate(const Value &value) {
  Value result;
  for (const Atom &atom : value.atoms) {
    if (atom.kind == AtomKind::Tensor) {
      result.add(Value::tensor(atom.object, atom.flags | Atom::Part));
    } else if (atom.kind == AtomKind::Host) {
      result.add(atom);
    } else if (atom.kind == AtomKind::Foreign) {
      result.add(atom);
    } else if (atom.kind == AtomKind::Object) {
      const Object &object = state.get(atom.object);
      if (object.kind == ObjectKind::Instance && findInClass(object.parent, "__iter__"))
        result.add(iterate(call(attributeOf(atom, "__iter__", {}), {}, {})));
      else if (object.kind == ObjectKind::Dict) {
        result.add(object.all()); // of items() and values(); keys are host data
        result.add(Value::host());
      } else if (object.kind != ObjectKind::Function && object.kind != ObjectKind::Class)
        result.add(object.all());
    } else {
      result.add(Value::host());
    }
  }
  return result.empty() ? Value::host() : result;
}

Truth Interpreter::truthOf(const Value &value) const {
  std::optional<bool> all;
  for (const Atom &atom : value.atoms) {
    bool truth = true;
    if (atom.kind == AtomKind::Constant) {
      switch (atom.constant) {
      case ConstantKind::None:
        truth = false;
        break;
      case ConstantKind::Bool:
      case ConstantKind::Int:
        truth = atom.integer != 0;
        break;
      case ConstantKind::Float:
        truth = atom.number != 0;
        break;
      case ConstantKind::String:
        truth = !atom.text.empty();
        break;
      default:
        truth = true;
      }
    } else if (atom.kind == AtomKind::Path) {
      if (atom.text != "typing.TYPE_CHECKING")
        return Truth::Unknown;
      truth = false;
    } else if (atom.kind == AtomKind::Object) {
      const Object &object = state.get(atom.object);
      if (object.kind == ObjectKind::Sequence && object.isExact)
        truth = !object.elements.empty();
      else if (object.kind == ObjectKind::Sequence || object.kind == ObjectKind::Dict || object.kind == ObjectKind::Instance)
        return Truth::Unknown;
    } else if (atom.kind != AtomKind::Kernel) {
      return Truth::Unknown;
    }
    if (all && *all != truth)
      return Truth::Unknown;
    all = truth;
  }
  return !all ? Truth::Unknown : *all ? Truth::True : Truth::False;
}

} // namespace tilesmith::lint
