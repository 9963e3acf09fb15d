#include "Interpreter.h"

namespace tilesmith::lint {

using namespace ast;

// What only code outside of the file can make something of: methods, functions, objects of other classes, with tensors.
bool Operators::isUnresolved(const Value &value) const {
  for (const Atom &atom : value.atoms) {
    const Object *instance = world.lookAt(atom, ObjectKind::Instance);
    bool isOpaque = instance ? classes.hasForeignBase(instance->parent)
                             : world.isAny(atom, {ObjectKind::Bound, ObjectKind::Function, ObjectKind::Cached});
    if (isOpaque && buffers.holdsTensor(outside.mayGive(atom)))
      return true;
  }
  return false;
}

Value Operators::unresolved(const Value &operands, const Expr &site, llvm::StringRef spelled) {
  notes.tell({&site}, spelled.str(), UnresolvedOperator());
  return buffers.computed(outside.mayGive(operands));
}

// A method that implements an operator, of an object of the file.
Value Operators::operate(llvm::StringRef method, const Value &lhs, const Value &rhs, Site site) {
  Value result;
  for (const Atom &atom : lhs.atoms)
    if (const Object *instance = world.lookAt(atom, ObjectKind::Instance))
      if (classes.find(instance->parent, method)) {
        Arguments arguments;
        arguments.positional.push_back(rhs);
        result.add(calls.call(attributes.getOf(atom, method, site), arguments, site));
      }
  return result;
}

static llvm::StringRef methodOf(Operator op) {
  static constexpr llvm::StringLiteral names[] = {"add",    "sub",    "mul", "matmul", "truediv", "mod",     "pow",
                                                  "lshift", "rshift", "or",  "xor",    "and",     "floordiv"};
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

Value Operators::computed(const Value &lhs, const Value &rhs, const Expr &site, llvm::StringRef spelled) {
  notes.tell({&site}, spelled.str(), HostCompute());
  Value both = lhs;
  both.add(rhs);
  return buffers.computed(both);
}

// What an operation gives that no method implements: sequences are concatenated and repeated, all else is host data.
Value Operators::combine(Operator op, const Value &lhs, const Value &rhs) {
  Value elements;
  std::vector<Value> exact;
  Value others;
  bool isSequence = false, isOther = false, isExact = op == Operator::Add && lhs.single() && rhs.single();
  Atom host{AtomKind::Host};
  for (const Value *side : {&lhs, &rhs})
    for (const Atom &atom : side->atoms) {
      if (const Object *sequence = world.lookAt(atom, ObjectKind::Sequence)) {
        isSequence = true;
        elements.add(sequence->all());
        isExact &= sequence->isExact;
        llvm::append_range(exact, sequence->elements);
      } else if (atom.kind == AtomKind::Object) {
        isOther |= buffers.holdsTensor(outside.mayGive(atom)) || world.lookAt(atom, ObjectKind::Dict);
        others.add(atom);
      }
      if (atom.kind == AtomKind::Host) {
        if (atom.flags & Atom::FromTensor)
          host.flags |= Atom::FromTensor | Atom::Computed;
        host.object = atom.object ? atom.object : host.object;
      }
    }
  if (isOther) {
    others.add(elements);
    return outside.mayGive(others);
  }
  if (!isSequence)
    return host;
  return isExact ? world.makeSequence(std::move(exact)) : world.makeSequenceOf(elements);
}

Value Operators::binary(Operator op, const Value &lhs, const Value &rhs, const Expr &site, llvm::StringRef spelled) {
  if (!state.alive)
    return {};
  if (lhs.hasTensor() || rhs.hasTensor())
    return computed(lhs, rhs, site, spelled);
  const Atom *left = lhs.single(), *right = rhs.single();
  if (left && right && left->isInteger() && right->isInteger())
    if (std::optional<int64_t> folded = fold(op, left->integer, right->integer))
      return Value::integral(*folded);
  if (left && right && left->isString() && right->isString() && op == Operator::Add &&
      left->text.size() + right->text.size() <= World::maxText)
    return Value::string(world.save(left->text + right->text));
  Value result;
  if (spelled.ends_with("=")) // in place
    result = operate(world.save("__i" + methodOf(op) + "__"), lhs, rhs, {&site});
  result.add(operate(world.save("__" + methodOf(op) + "__"), lhs, rhs, {&site}));
  result.add(operate(world.save("__r" + methodOf(op) + "__"), rhs, lhs, {&site}));
  if (result.empty() && (isUnresolved(lhs) || isUnresolved(rhs)))
    return unresolved(Value(lhs, rhs), site, spelled);
  Value combined = combine(op, lhs, rhs);
  if (result.empty() || !combined.has(AtomKind::Host))
    result.add(combined);
  return result;
}

Value Operators::unary(UnaryOperator op, const Value &operand, const Expr &site) {
  if (!state.alive)
    return {};
  if (op == UnaryOperator::Not) {
    Truth truth = truthOf(operand);
    bool isData = control.isData(operand);
    return truth != Truth::Unknown ? Value::boolean(truth == Truth::False)
           : isData                ? Value::host(Atom::Boolean | Atom::FromTensor | Atom::Computed)
                                   : Value::host(Atom::Boolean);
  }
  if (operand.hasTensor()) {
    notes.tell({&site}, spelling(op).str(), HostCompute());
    return buffers.computed(operand);
  }
  if (const Atom *atom = operand.single(); atom && atom->isInteger()) {
    if (op == UnaryOperator::USub && atom->integer != INT64_MIN)
      return Value::integral(-atom->integer);
    if (op == UnaryOperator::UAdd)
      return Value::integral(atom->integer);
    if (op == UnaryOperator::Invert)
      return Value::integral(~atom->integer);
  }
  llvm::StringRef method = op == UnaryOperator::Invert ? "__invert__"
                           : op == UnaryOperator::USub ? "__neg__"
                                                       : "__pos__";
  Value result;
  for (const Atom &atom : operand.atoms)
    if (const Object *instance = world.lookAt(atom, ObjectKind::Instance);
        instance && classes.find(instance->parent, method))
      result.add(calls.call(attributes.getOf(atom, method, {&site}), {}, {&site}));
  return result.empty() ? binary(Operator::Add, operand, Value::integral(0), site, spelling(op)) : result;
}

// Whether the name of the file is compared with that of a script.
static bool isOwnName(const Value &name, const Value &text) {
  const Atom *left = name.single(), *right = text.single();
  return left && right && left->kind == AtomKind::Path && left->text == Scopes::ownName && right->isString() &&
         right->text == "__main__";
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

// `is`, `is not`.
Value Operators::identity(bool isNot, const Value &lhs, const Value &rhs) {
  const Atom *left = lhs.single(), *right = rhs.single();
  if (right && right->isNone()) {
    bool all = llvm::all_of(lhs.atoms, [](const Atom &atom) { return atom.isNone(); });
    bool any = llvm::any_of(lhs.atoms, [&](const Atom &atom) {
      bool isGiven = atom.kind == AtomKind::Tensor && !state.get(atom.object).buffer.inputs.empty();
      return atom.isNone() || atom.kind == AtomKind::Host || atom.kind == AtomKind::Foreign || isGiven;
    });
    if (all || !any)
      return Value::boolean(all != isNot);
  } else if (left && right && left->isInteger() && right->isInteger()) {
    // Only small numbers are the same object whenever they are equal.
    bool isSmall = left->constant == right->constant && left->integer >= -5 && left->integer <= 256 &&
                   right->integer >= -5 && right->integer <= 256;
    if (isSmall)
      return Value::boolean((left->integer == right->integer) != isNot);
  }
  return Value::host(Atom::Boolean);
}

// `in`, `not in`.
Value Operators::membership(CompareOperator op, const Value &item, const Value &container, const Expr &site) {
  bool compares = container.hasTensor() ||
                  (!world.lookAt(container, ObjectKind::Dict) && (item.hasTensor() || buffers.holdsTensor(container)));
  if (compares)
    notes.tell({&site}, spelling(op).str(), HostCompute());
  if (const Object *dict = world.lookAt(container, ObjectKind::Dict))
    if (dict->fields.empty() && dict->rest.empty())
      return Value::boolean(op == CompareOperator::NotIn);
  return Value::host(Atom::Boolean);
}

Value Operators::compare(CompareOperator op, const Value &lhs, const Value &rhs, const Expr &site) {
  if (op == CompareOperator::Is || op == CompareOperator::IsNot)
    return identity(op == CompareOperator::IsNot, lhs, rhs);
  if (op == CompareOperator::In || op == CompareOperator::NotIn)
    return membership(op, lhs, rhs, site);
  if (lhs.hasTensor() || rhs.hasTensor() || (buffers.holdsTensor(lhs) && buffers.holdsTensor(rhs)))
    return computed(lhs, rhs, site, spelling(op));
  if (isOwnName(lhs, rhs) || isOwnName(rhs, lhs))
    return op == CompareOperator::Eq      ? Value::boolean(false)
           : op == CompareOperator::NotEq ? Value::boolean(true)
                                          : Value::host(Atom::Boolean);
  if (const Atom *left = lhs.single(), *right = rhs.single(); left && right) {
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
  static constexpr llvm::StringLiteral reflected[] = {"__eq__", "__ne__", "__gt__", "__ge__", "__lt__", "__le__"};
  Value result = operate(names[unsigned(op)], lhs, rhs, {&site});
  result.add(operate(reflected[unsigned(op)], rhs, lhs, {&site}));
  if (result.empty() && (isUnresolved(lhs) || isUnresolved(rhs)))
    return unresolved(Value(lhs, rhs), site, spelling(op));
  if (!result.empty())
    return result;
  bool isData = control.isData(lhs) || control.isData(rhs);
  return Value::host(isData ? Atom::Boolean | Atom::FromTensor | Atom::Computed : Atom::Boolean);
}

Truth Operators::truthOf(const Value &value) const {
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
      else if (object.kind == ObjectKind::Sequence || object.kind == ObjectKind::Dict ||
               object.kind == ObjectKind::Instance)
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
