#include "Lowering.h"

#include "llvm/ADT/StringSwitch.h"

namespace tilesmith::frontend {

static constexpr unsigned maxExprDepth = 400;

Value Expressions::lower(const ast::Expr &expr) {
  if (depth >= maxExprDepth)
    return fail(expr.range, "RecursionError",
                "the expression is nested more than " + llvm::Twine(maxExprDepth) + " deep", "split it with names");
  struct Depth {
    unsigned &depth;
    explicit Depth(unsigned &depth) : depth(depth) { ++depth; }
    ~Depth() { --depth; }
  } guard(depth);

  switch (expr.kind) {
  case ast::Kind::Name:
  case ast::Kind::Attribute: {
    std::string path;
    bool hasPath = false;
    Value value = lowerChain(expr, path, hasPath);
    // Objects are looked through: only what was taken from them counts as read. Constants of the kernel itself are part
    // of the specialisation, so only their attributes count, and what a function among them reads.
    bool isParameter = llvm::StringRef(path).starts_with("$") && llvm::StringRef(path).find_first_of(".>") == path.npos;
    if (value.isHost() && hasPath && !isParameter)
      host.noteRead(path, value.host);
    return value;
  }
  case ast::Kind::Constant:
    return lowerConstant(llvm::cast<ast::Constant>(expr));
  case ast::Kind::BinOp: {
    auto &node = llvm::cast<ast::BinOp>(expr);
    Value lhs = lower(*node.lhs);
    Value rhs = lhs ? lower(*node.rhs) : Value();
    return rhs ? l.operators.binary(node.op, lhs, rhs, expr.range) : Value();
  }
  case ast::Kind::UnaryOp: {
    auto &node = llvm::cast<ast::UnaryOp>(expr);
    Value operand = lower(*node.operand);
    return operand ? l.operators.unary(node.op, operand, expr.range) : Value();
  }
  case ast::Kind::BoolOp:
    return l.branches.lowerBoolOp(llvm::cast<ast::BoolOp>(expr));
  case ast::Kind::Compare:
    return lowerCompare(llvm::cast<ast::Compare>(expr));
  case ast::Kind::Call:
    return l.calls.lower(llvm::cast<ast::Call>(expr));
  case ast::Kind::Subscript: {
    auto &node = llvm::cast<ast::Subscript>(expr);
    Value base = lower(*node.value);
    Value index = base ? lower(*node.index) : Value();
    return index ? l.operators.getItem(base, index, expr.range) : Value();
  }
  case ast::Kind::Slice:
    return lowerSlice(llvm::cast<ast::Slice>(expr));
  case ast::Kind::Sequence:
    return lowerSequence(llvm::cast<ast::Sequence>(expr));
  case ast::Kind::IfExp:
    return l.branches.lowerIfExp(llvm::cast<ast::IfExp>(expr));
  case ast::Kind::JoinedStr:
    return lowerJoinedStr(llvm::cast<ast::JoinedStr>(expr));
  case ast::Kind::Starred:
    return fail(expr.range, "UnsupportedSyntaxError", "a starred expression is only supported in calls and displays");
  case ast::Kind::OtherExpr:
    if (auto *comprehension = llvm::dyn_cast<ast::Comprehension>(&expr);
        comprehension && (comprehension->className == "ListComp" || comprehension->className == "GeneratorExp"))
      return lowerComprehension(*comprehension);
    if (auto *lambda = llvm::dyn_cast<ast::Lambda>(&expr))
      return lowerFunction(*lambda->function);
    if (auto *dict = llvm::dyn_cast<ast::Dict>(&expr); dict && l.language.runsWhileCompiling())
      return lowerDict(*dict);
    return refuse(llvm::cast<ast::OtherExpr>(expr));
  default:
    return fail(expr.range, "UnsupportedSyntaxError", "this expression is not supported inside a kernel");
  }
}

Value Expressions::refuse(const ast::OtherExpr &expr) {
  const Words &words = l.language.words();
  std::string help =
      llvm::StringSwitch<std::string>(expr.className)
          .Cases({"SetComp", "DictComp"}, "write a list comprehension, or compute it outside")
          .Cases({"Dict", "Set"}, "make it outside the kernel and use it here, or pass it as asc.ConstExpr")
          .Case("NamedExpr", "write the assignment as a statement of its own")
          .Cases({"Yield", "YieldFrom", "Await"}, ("a kernel runs to its end; " + words.results).str())
          .Default("");
  return l.errors.failUnsupported(expr.range, expr.className, help);
}

Value Expressions::lowerFunction(const ast::FunctionDef &function) {
  if (!function.decorators.empty())
    return fail(function.decorators.front()->range, "UnsupportedSyntaxError",
                "a function inside a kernel cannot have a decorator",
                "leave it out: the function is compiled with the kernel around it");
  llvm::SmallVector<Value> defaults;
  for (const ast::Parameter &parameter : function.parameters) {
    defaults.push_back(parameter.defaultValue ? lower(*parameter.defaultValue) : Value());
    if (parameter.defaultValue && !defaults.back())
      return {};
  }
  return Value::ofFunction(function, frame(), defaults);
}

// Unrolled while compiling, into a list. Its names end with it.
Value Expressions::lowerComprehension(const ast::Comprehension &expr) {
  Env before = frame().env;
  llvm::SmallVector<Value> items;
  bool ok = addItems(expr, 0, items);
  frame().env = std::move(before);
  return ok ? Value::ofSequence(items, /*isList=*/true, l.ir.region()) : Value();
}

bool Expressions::addItems(const ast::Comprehension &expr, size_t depth, llvm::SmallVectorImpl<Value> &items) {
  static constexpr size_t most = 1 << 16; // more than a kernel can hold, and a stop for endless ones
  if (depth == expr.generators.size()) {
    if (items.size() == most)
      return bool(fail(expr.range, "RuntimeError", "a comprehension has more than " + llvm::Twine(most) + " items"));
    items.push_back(lower(*expr.element));
    return bool(items.back());
  }
  const ast::Generator &generator = expr.generators[depth];
  Value iterable = lower(*generator.iterable);
  if (!iterable)
    return false;
  llvm::SmallVector<Value> each;
  if (iterable.is(kinds::range)) {
    int64_t bounds[3];
    for (auto [bound, item] : llvm::zip_equal(bounds, iterable.items())) {
      std::optional<int64_t> known = item.isHost() ? host.asInt(item.host) : std::nullopt;
      if (!known || (&bound == &bounds[2] && *known == 0))
        return bool(fail(generator.iterable->range, "TypeError",
                         "a comprehension is unrolled while compiling: its range cannot have " + describe(item),
                         "write a loop for what is known only when the kernel runs"));
      bound = *known;
    }
    auto [start, stop, step] = bounds;
    for (int64_t i = start; (step > 0 ? i < stop : i > stop) && each.size() <= most;) {
      each.push_back(number(i));
      if (__builtin_add_overflow(i, step, &i))
        break;
    }
  } else if (!values.toSequence(iterable, each, generator.iterable->range, "what a comprehension runs over")) {
    return false;
  }
  for (const Value &item : each) {
    if (!l.statements.assign(*generator.target, item, generator.iterable->range))
      return false;
    bool chosen = true;
    for (const ast::Expr *condition : generator.conditions) {
      Value value = lower(*condition);
      Truth truth = value ? values.truth(value, condition->range) : Truth();
      if (!truth.valid)
        return false;
      if (!truth.isKnown)
        return bool(fail(condition->range, "TypeError",
                         "the condition of a comprehension must be known while compiling, not " + describe(value)));
      chosen = chosen && truth.known;
      if (!chosen)
        break;
    }
    if (chosen && !addItems(expr, depth + 1, items))
      return false;
  }
  return true;
}

Value Expressions::lowerChain(const ast::Expr &expr, std::string &path, bool &hasPath) {
  if (auto *name = llvm::dyn_cast<ast::Name>(&expr))
    return lowerName(*name, "", path, hasPath);
  auto *attribute = llvm::dyn_cast<ast::Attribute>(&expr);
  if (!attribute)
    return lower(expr);
  if (depth >= maxExprDepth)
    return fail(expr.range, "RecursionError", "the expression is nested too deep");
  ++depth;
  auto *root = llvm::dyn_cast<ast::Name>(attribute->value);
  Value base = root ? lowerName(*root, attribute->name, path, hasPath) : lowerChain(*attribute->value, path, hasPath);
  --depth;
  if (!base)
    return {};
  if (hasPath)
    path += "." + attribute->name.str();
  return l.operators.getAttribute(base, attribute->name, expr.range);
}

Value Expressions::lowerName(const ast::Name &name, llvm::StringRef attribute, std::string &path, bool &hasPath) {
  for (Frame *at = &frame(); at; at = at->around) {
    auto it = at->env.find(name.id);
    if (it == at->env.end()) {
      if (at->around && llvm::is_contained(ast::collectAssignedNames(at->function->body), name.id))
        return fail(name.range, "NameError",
                    name.id + " has no value yet: " + titleOf(*at->function) +
                        " assigns it, so it is a name of its own",
                    "pass it as an argument, and return what becomes of it");
      continue;
    }
    const Binding &binding = it->second;
    if (binding.gone.empty()) {
      if (binding.value.isHost() && !at->caller && llvm::any_of(at->function->parameters, [&](const ast::Parameter &p) {
            return p.name == name.id && p.range == binding.range;
          })) {
        path = "$" + name.id.str();
        hasPath = true;
      }
      return binding.value;
    }
    if (binding.conflict) {
      l.errors.report(*binding.conflict);
      return {};
    }
    Range range = binding.range;
    fail(name.range, "NameError", name.id + " is not defined here: " + binding.gone,
         "bind " + name.id + " before the loop or branch to carry its value out");
    l.errors.addNote(range, "bound here");
    return {};
  }
  HostRef object = host.lookup(frame().scope, name.id);
  if (!object)
    return fail(name.range, "NameError", name.id + " is not defined", l.advice.undefined(name.id, attribute));
  path = frame().pathKnown ? frame().path + name.id.str() : "";
  hasPath = true;
  return Value::ofHost(object);
}

Value Expressions::lowerConstant(const ast::Constant &constant) {
  switch (constant.constant) {
  case ast::ConstantKind::None:
    return none();
  case ast::ConstantKind::Bool:
    return Value::ofHost(host.makeBool(constant.integer));
  case ast::ConstantKind::Int:
    return Value::ofHost(host.makeInt(constant.integer));
  case ast::ConstantKind::BigInt: {
    Value value = Value::ofHost(host.makeBigInt(constant.text));
    return value ? value : failHost(constant.range);
  }
  case ast::ConstantKind::Float:
    return Value::ofHost(host.makeFloat(constant.number));
  case ast::ConstantKind::String:
    return Value::ofHost(host.makeString(constant.text));
  case ast::ConstantKind::Bytes:
    return Value::ofHost(host.makeBytes(constant.text));
  case ast::ConstantKind::Ellipsis:
    return Value::ofHost(host.makeEllipsis());
  case ast::ConstantKind::Complex:
    return fail(constant.range, "UnsupportedSyntaxError", "complex numbers are not supported inside a kernel",
                "compute with the real and the imaginary part");
  }
  return {};
}

// a < b < c is (a < b) and (b < c), each operand evaluated once.
Value Expressions::lowerCompare(const ast::Compare &expr) {
  Value lhs = lower(*expr.operands[0]);
  Value all;
  for (auto [index, op] : llvm::enumerate(expr.operators)) {
    if (all && all.isHost()) {
      Truth before = values.truth(all, expr.range);
      if (!before.valid || !before.known)
        return before.valid ? all : Value();
    }
    const ast::Expr &node = *expr.operands[index + 1];
    Value rhs = lhs ? lower(node) : Value();
    if (!rhs)
      return {};
    Value result = l.operators.compare(op, lhs, rhs, expr.range);
    if (!result)
      return {};
    if (!result.isHost() && !result.isScalar() && expr.operators.size() > 1)
      return fail(expr.range, "UnsupportedSyntaxError", result.kind->plural() + " cannot be compared in a chain",
                  "combine two comparisons with &");
    if (!all || all.isHost()) {
      all = result;
    } else if (result.isHost()) {
      Truth after = values.truth(result, expr.range);
      if (!after.valid)
        return {};
      if (!after.known)
        return result;
    } else {
      all = scalars.binary(ast::Operator::BitAnd, all, result, expr.range);
    }
    lhs = rhs;
  }
  return all;
}

Value Expressions::lowerSequence(const ast::Sequence &expr) {
  llvm::SmallVector<Value> items;
  for (const ast::Expr *element : expr.elements) {
    auto *starred = llvm::dyn_cast<ast::Starred>(element);
    Value item = lower(starred ? *starred->value : *element);
    if (!item)
      return {};
    if (!starred)
      items.push_back(item);
    else if (!values.toSequence(item, items, element->range, "what is unpacked with *"))
      return {};
  }
  return Value::ofSequence(items, expr.isList, l.ir.region());
}

Value Expressions::lowerSlice(const ast::Slice &expr) {
  llvm::SmallVector<Value, 3> bounds;
  for (const ast::Expr *part : {expr.lower, expr.upper, expr.step}) {
    bounds.push_back(part ? lower(*part) : none());
    if (!bounds.back())
      return {};
  }
  return Value::ofSlice(bounds);
}

// The call that prints what the f-string was meant to show.
Value Expressions::refuseRuntimeText(const ast::JoinedStr &expr, const Value &value) {
  std::string format, arguments;
  for (const ast::Expr *part : expr.parts) {
    if (auto *formatted = llvm::dyn_cast<ast::FormattedValue>(part)) {
      const Range &range = formatted->value->range;
      llvm::StringRef line = range.line == range.endLine ? frame().file->getLine(range.line) : "";
      llvm::StringRef source = line.slice(range.column, range.endColumn);
      format += "{}";
      arguments += ", " + (source.empty() ? "..." : source.str());
    } else if (auto *constant = llvm::dyn_cast<ast::Constant>(part)) {
      format += constant->text;
    }
  }
  llvm::StringRef print = l.language.words().print;
  return fail(expr.range, "TypeError",
              "an f-string cannot show " + describe(value) + ": it becomes text while the kernel is compiled",
              "inside a kernel: " + print.take_front(print.find('(')) + "(\"" + format + "\"" + arguments + ")");
}

Value Expressions::lowerJoinedStr(const ast::JoinedStr &expr) {
  std::string text;
  for (const ast::Expr *part : expr.parts) {
    if (auto *formatted = llvm::dyn_cast<ast::FormattedValue>(part)) {
      Value value = lower(*formatted->value);
      Value spec = value && formatted->format ? lower(*formatted->format) : none();
      if (!value || !spec)
        return {};
      HostRef object = values.toHost(value);
      if (!object && !inMessage)
        return refuseRuntimeText(expr, value);
      if (!object) {
        text += "<" + describe(value) + ">";
        continue;
      }
      HostRef string = host.format(object, formatted->conversion, host.asString(spec.host).value_or(""));
      if (!string)
        return failHost(part->range);
      text += host.asString(string).value_or("");
      continue;
    }
    Value value = lower(*part);
    if (!value)
      return {};
    text += value.isHost() ? host.asString(value.host).value_or("") : "";
  }
  return Value::ofHost(host.makeString(text));
}

} // namespace tilesmith::frontend
