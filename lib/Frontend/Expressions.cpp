// Expressions: names, constants, attributes, items, displays, f-strings; operators and calls are in their own files.
#include "Lowering.h"

#include "llvm/ADT/StringSwitch.h"

namespace tilesmith::frontend {

static constexpr unsigned maxExprDepth = 400;

Value Lowering::lowerExpr(const ast::Expr &expr) {
  if (exprDepth >= maxExprDepth)
    return fail(expr.range, "RecursionError",
                "the expression is nested more than " + llvm::Twine(maxExprDepth) + " deep", "split it with names");
  struct Depth {
    unsigned &depth;
    explicit Depth(unsigned &depth) : depth(depth) { ++depth; }
    ~Depth() { --depth; }
  } guard(exprDepth);

  switch (expr.kind) {
  case ast::Kind::Name:
  case ast::Kind::Attribute: {
    std::string path;
    bool hasPath = false;
    Value value = lowerChain(expr, path, hasPath);
    // Objects are looked through: only what was taken from them counts as read. Constants of the kernel itself are part
    // of the specialisation, so only their attributes count.
    bool isParameter = llvm::StringRef(path).starts_with("$") && !llvm::StringRef(path).contains('.');
    if (value.isHost() && hasPath && !isParameter)
      host.noteRead(path, value.host);
    return value;
  }
  case ast::Kind::Constant:
    return lowerConstant(llvm::cast<ast::Constant>(expr));
  case ast::Kind::BinOp: {
    auto &node = llvm::cast<ast::BinOp>(expr);
    Value lhs = lowerExpr(*node.lhs);
    Value rhs = lhs ? lowerExpr(*node.rhs) : Value();
    return rhs ? binary(node.op, lhs, rhs, expr.range) : Value();
  }
  case ast::Kind::UnaryOp: {
    auto &node = llvm::cast<ast::UnaryOp>(expr);
    Value operand = lowerExpr(*node.operand);
    return operand ? unary(node.op, operand, expr.range) : Value();
  }
  case ast::Kind::BoolOp:
    return lowerBoolOp(llvm::cast<ast::BoolOp>(expr), 0);
  case ast::Kind::Compare:
    return lowerCompare(llvm::cast<ast::Compare>(expr));
  case ast::Kind::Call:
    return lowerCall(llvm::cast<ast::Call>(expr));
  case ast::Kind::Subscript: {
    auto &node = llvm::cast<ast::Subscript>(expr);
    Value base = lowerExpr(*node.value);
    Value index = base ? lowerExpr(*node.index) : Value();
    return index ? getItem(base, index, expr.range) : Value();
  }
  case ast::Kind::Slice:
    return lowerSlice(llvm::cast<ast::Slice>(expr));
  case ast::Kind::Sequence:
    return lowerSequence(llvm::cast<ast::Sequence>(expr));
  case ast::Kind::IfExp:
    return lowerIfExp(llvm::cast<ast::IfExp>(expr));
  case ast::Kind::JoinedStr:
    return lowerJoinedStr(llvm::cast<ast::JoinedStr>(expr));
  case ast::Kind::Starred:
    return fail(expr.range, "UnsupportedSyntaxError", "a starred expression is only supported in calls and displays");
  case ast::Kind::OtherExpr: {
    llvm::StringRef name = llvm::cast<ast::OtherExpr>(expr).className;
    llvm::StringRef help =
        llvm::StringSwitch<llvm::StringRef>(name)
            .Cases({"ListComp", "SetComp", "GeneratorExp", "DictComp"},
                   "write a loop over asc.static_range, or compute it outside")
            .Cases({"Dict", "Set"}, "make it outside the kernel and use it here, or pass it as asc.ConstExpr")
            .Case("Lambda", "define a function with @asc2.jit and call it")
            .Case("NamedExpr", "write the assignment as a statement of its own")
            .Cases({"Yield", "YieldFrom", "Await"}, "a kernel runs to its end; store results into a tensor")
            .Default("");
    return failUnsupported(expr.range, name, help);
  }
  default:
    return fail(expr.range, "UnsupportedSyntaxError", "this expression is not supported inside a kernel");
  }
}

// A name followed by attributes. `path` leads to the value from the kernel, so that a cache can look at it again.
Value Lowering::lowerChain(const ast::Expr &expr, std::string &path, bool &hasPath) {
  if (auto *name = llvm::dyn_cast<ast::Name>(&expr))
    return lowerName(*name, path, hasPath);
  auto *attribute = llvm::dyn_cast<ast::Attribute>(&expr);
  if (!attribute)
    return lowerExpr(expr);
  if (exprDepth >= maxExprDepth)
    return fail(expr.range, "RecursionError", "the expression is nested too deep");
  ++exprDepth;
  Value base = lowerChain(*attribute->value, path, hasPath);
  --exprDepth;
  if (!base)
    return {};
  if (hasPath)
    path += "." + attribute->name.str();
  return getAttribute(base, attribute->name, expr.range);
}

Value Lowering::lowerName(const ast::Name &name, std::string &path, bool &hasPath) {
  if (auto it = frame->env.find(name.id); it != frame->env.end()) {
    const Binding &binding = it->second;
    if (binding.gone.empty()) {
      if (binding.value.isHost() && !frame->caller &&
          llvm::any_of(frame->function->parameters,
                       [&](const ast::Parameter &p) { return p.name == name.id && p.range == binding.range; })) {
        path = "$" + name.id.str();
        hasPath = true;
      }
      return binding.value;
    }
    if (binding.conflict) {
      if (!diagnostic.isSet())
        diagnostic = *binding.conflict;
      return {};
    }
    Range range = binding.range;
    fail(name.range, "NameError", name.id + " is not defined here: " + binding.gone,
         "bind " + name.id + " before the loop or branch to carry its value out");
    addNote(range, "bound here");
    return {};
  }
  HostRef object = host.lookup(frame->scope, name.id);
  if (!object) {
    llvm::StringRef help = llvm::StringSwitch<llvm::StringRef>(name.id)
                               .Case("print", "inside a kernel: asc2.device_print(\"n = {}\", n)")
                               .Default("");
    return fail(name.range, "NameError", name.id + " is not defined", help);
  }
  path = frame->pathKnown ? frame->path + name.id.str() : "";
  hasPath = true;
  return Value::ofHost(object);
}

Value Lowering::lowerConstant(const ast::Constant &constant) {
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
    return fail(constant.range, "UnsupportedSyntaxError", "complex numbers are not supported inside a kernel");
  }
  return {};
}

// a < b < c is (a < b) and (b < c), each operand evaluated once.
Value Lowering::lowerCompare(const ast::Compare &expr) {
  Value lhs = lowerExpr(*expr.operands[0]);
  Value all;
  for (auto [index, op] : llvm::enumerate(expr.operators)) {
    if (all && all.isHost()) {
      Truth before = truth(all, expr.range);
      if (!before.valid || !before.known)
        return before.valid ? all : Value();
    }
    const ast::Expr &node = *expr.operands[index + 1];
    Value rhs = lhs ? lowerExpr(node) : Value();
    if (!rhs)
      return {};
    Value result = compare(op, lhs, rhs, expr.range);
    if (!result)
      return {};
    if (result.isTile() && expr.operators.size() > 1)
      return fail(expr.range, "UnsupportedSyntaxError", "tiles cannot be compared in a chain",
                  "combine two comparisons with &");
    if (!all || all.isHost()) {
      all = result;
    } else if (result.isHost()) {
      Truth after = truth(result, expr.range);
      if (!after.valid)
        return {};
      if (!after.known)
        return result;
    } else {
      all = scalarBinary(ast::Operator::BitAnd, all, result, expr.range);
    }
    lhs = rhs;
  }
  return all;
}

Value Lowering::lowerSequence(const ast::Sequence &expr) {
  llvm::SmallVector<Value> items;
  for (const ast::Expr *element : expr.elements) {
    auto *starred = llvm::dyn_cast<ast::Starred>(element);
    Value item = lowerExpr(starred ? *starred->value : *element);
    if (!item)
      return {};
    if (!starred)
      items.push_back(item);
    else if (!toSequence(item, items, element->range, "what is unpacked with *"))
      return {};
  }
  return Value::ofSequence(items, expr.isList, region);
}

Value Lowering::lowerSlice(const ast::Slice &expr) {
  Value slice = Value::ofSequence({}, false);
  slice.kind = Value::Slice;
  for (const ast::Expr *part : {expr.lower, expr.upper, expr.step}) {
    slice.parts->items.push_back(part ? lowerExpr(*part) : none());
    if (!slice.parts->items.back())
      return {};
  }
  return slice;
}

Value Lowering::lowerJoinedStr(const ast::JoinedStr &expr) {
  std::string text;
  for (const ast::Expr *part : expr.parts) {
    if (auto *formatted = llvm::dyn_cast<ast::FormattedValue>(part)) {
      Value value = lowerExpr(*formatted->value);
      Value spec = value && formatted->format ? lowerExpr(*formatted->format) : none();
      if (!value || !spec)
        return {};
      HostRef object = toHost(value);
      if (!object) { // a runtime value has no text; its description helps in a message
        text += "<" + describe(value) + ">";
        continue;
      }
      HostRef string = host.format(object, formatted->conversion, host.asString(spec.host).value_or(""));
      if (!string)
        return failHost(part->range);
      text += host.asString(string).value_or("");
      continue;
    }
    Value value = lowerExpr(*part);
    if (!value)
      return {};
    text += value.isHost() ? host.asString(value.host).value_or("") : "";
  }
  return Value::ofHost(host.makeString(text));
}

Value Lowering::getItem(const Value &base, const Value &index, const Range &range) {
  if (HostRef object = toHost(base)) {
    HostRef key = toHost(index);
    if (!key)
      return fail(range, "TypeError",
                  "the index of a Python object must be known while compiling, not " + describe(index));
    Value item = Value::ofHost(host.getItem(object, key));
    return item ? item : failHost(range);
  }
  if (!base.isSequence())
    return fail(range, "TypeError", describe(base) + " cannot be indexed",
                base.kind == Value::Tensor ? "read an element with asc2.load(tensor, offsets=[...])"
                : base.isTile()            ? "take a part of a tile with asc2.copy(tile, shape, offsets=[...])"
                                           : "");
  if (base.parts->arrayOf != DType::Void && index.isScalar() && !isFloat(index.dtype))
    return arrayItem(base, index, range);
  // Python computes the selected positions; the items themselves may be runtime values.
  HostRef key = toHost(index);
  if (!key)
    return fail(range, "TypeError", "the index of a sequence must be known while compiling, not " + describe(index));
  llvm::SmallVector<HostRef> positions;
  for (size_t i = 0; i < base.items().size(); ++i)
    positions.push_back(host.makeInt(i));
  HostRef chosen = host.getItem(host.makeSequence(positions, base.parts->isList), key);
  if (!chosen)
    return failHost(range);
  if (std::optional<int64_t> at = host.asInt(chosen))
    return base.items()[*at];
  llvm::SmallVector<HostRef> selected;
  if (!host.iterate(chosen, selected))
    return failHost(range);
  llvm::SmallVector<Value> items;
  for (const HostRef &at : selected)
    items.push_back(base.items()[*host.asInt(at)]);
  return Value::ofSequence(items, base.parts->isList, region);
}

Value Lowering::getAttribute(const Value &source, llvm::StringRef name, const Range &range) {
  Value base = read(source);
  if (base.isHost()) {
    Value value = Value::ofHost(host.getAttr(base.host, name));
    return value ? value : failHost(range);
  }
  if (name == "dtype" &&
      (base.isTile() || base.isScalar() || base.kind == Value::Tensor || base.kind == Value::Address))
    return Value::ofHost(host.makeDType(dtypeOf(base)));
  if (name == "shape" && base.kind == Value::Tensor) {
    Value shape = Value::ofSequence(base.items(), false);
    shape.parts->isShape = true;
    return shape;
  }
  if (base.isTile() && (name == "shape" || name == "size")) {
    if (name == "size")
      return Value::ofHost(host.makeInt(base.tileType().getNumElements()));
    llvm::SmallVector<Value> dims;
    for (int64_t dim : base.tileType().getShape())
      dims.push_back(Value::ofHost(host.makeInt(dim)));
    Value shape = Value::ofSequence(dims, false);
    shape.parts->isShape = true;
    return shape;
  }
  if (!findMethod(source, name).empty())
    return Value::ofMethod(source, name);
  // A list is copied to ask the host, so methods that change it would be lost.
  bool isReadOnly = !base.isSequence() || !base.parts->isList || name == "index" || name == "count" || name == "copy";
  if (HostRef object = isReadOnly ? toHost(base) : HostRef()) {
    Value value = Value::ofHost(host.getAttr(object, name));
    return value ? value : failHost(range);
  }
  return fail(range, "AttributeError", describe(base) + " has no attribute " + name + " inside a kernel");
}

} // namespace tilesmith::frontend
