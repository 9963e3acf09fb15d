#include "Triton.h"
#include "Program.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace tilesmith::frontend::triton {

namespace {

// How a row is reached beside its function.
enum class Form { Function, Method, Math, Device };

struct Described {
  llvm::StringLiteral name, signature, kind;
  Form form;
  Builtin::Lower lower;
};

constexpr Described described[] = {
#define TRITON_OPERATION(name, signature, family, kind, form, documentation)                                           \
  {"triton." name, signature, #kind, Form::form, on<family>},
#include "tilesmith/Frontend/TritonOperations.def"
};
constexpr size_t prefix = llvm::StringLiteral("triton.").size();

const Described *find(llvm::StringRef name) {
  auto *row = llvm::find_if(described, [&](const Described &one) { return one.name == name; });
  return row == std::end(described) ? nullptr : row;
}

llvm::ArrayRef<Builtin::Row> operationBuiltins() {
  static const auto rows = [] {
    llvm::SmallVector<Builtin::Row, 0> rows;
    for (const Described &one : described)
      rows.push_back({one.name, one.lower, one.signature});
    rows.push_back({"triton.constexpr", on<constexprOf>, "value"});
    rows.push_back(
        {"triton.to", on<cast>, "input, dtype, fp_downcast_rounding=None, bitcast=False, overflow_mode=None"});
    rows.push_back({"range", on<range>,
                    "*bounds, num_stages=None, loop_unroll_factor=None, disallow_acc_multi_buffer=False, "
                    "flatten=False, warp_specialize=False, disable_licm=False"});
    return rows;
  }();
  return rows;
}

// What a method of a runtime number is until it is called.
class NumberMethodKind final : public Kind {
public:
  explicit NumberMethodKind(llvm::StringRef builtin) : builtin(builtin) {}
  ~NumberMethodKind() = default;
  std::string describe(Lowering &, const Value &) const override { return "a method of a number"; }
  llvm::StringRef callee() const override { return builtin; }

private:
  llvm::StringRef builtin;
};

const llvm::StringMap<std::unique_ptr<NumberMethodKind>> &numberMethods() {
  static const auto table = [] {
    llvm::StringMap<std::unique_ptr<NumberMethodKind>> table;
    for (const std::string &name : methodNames())
      if (llvm::StringRef builtin = methodOf(name); !builtin.empty())
        table[name] = std::make_unique<NumberMethodKind>(builtin);
    return table;
  }();
  return table;
}

bool isNumberMethod(const Value &value) {
  return llvm::any_of(numberMethods(), [&](const auto &entry) { return value.kind == entry.second.get(); });
}

std::optional<tile::CompareKind> compareKind(ast::CompareOperator op) {
  static constexpr tile::CompareKind kinds[] = {tile::CompareKind::EQ, tile::CompareKind::NE, tile::CompareKind::LT,
                                                tile::CompareKind::LE, tile::CompareKind::GT, tile::CompareKind::GE};
  return unsigned(op) < std::size(kinds) ? std::optional(kinds[unsigned(op)]) : std::nullopt;
}

class Triton final : public Language {
public:
  const Words &words() const override {
    static constexpr Words words = {
        .jit = "@triton.jit",
        .range = "tl.range",
        .print = "tl.device_print(\"n\", n)",
        .context = "nothing",
        .results = "write results with tl.store",
        .writeItem = "tiles are values: choose with tl.where, write with tl.store",
        .toFloat = "convert the other operand: .to(tl.float32)",
        .describe = "pass the array to the kernel: its parameter is a pointer",
    };
    return words;
  }
  const Builtins &builtins() const override {
    static constexpr Declaration withoutParameters[] = {{"triton.debug_barrier", ""}};
    static const Builtins table(withoutParameters, {operationBuiltins()});
    return table;
  }
  std::pair<std::string, std::string> missing(llvm::StringRef name) const override {
    return {(name + " is not there yet").str(), "docs/triton.md lists what is"};
  }
  bool addsParameters() const override { return true; }
  bool joinsNewNames() const override { return true; }
  std::optional<Value> scalarAttribute(Lowering &l, const Value &value, llvm::StringRef name) const override {
    if (name == "dtype")
      return Program::of(l).dtypeObject(value.dtype, false);
    if (name == "shape")
      return Value::ofSequence({}, false);
    return numberMethod(value, name);
  }
  std::optional<Value> numberBinary(Lowering &l, ast::Operator op, const Value &lhs, const Value &rhs,
                                    const Range &range) const override {
    return operatorOf(l, op, lhs, rhs, range);
  }
  std::optional<Value> numberUnary(Lowering &l, ast::UnaryOperator op, const Value &value,
                                   const Range &range) const override {
    return Program::of(l).unary(op, value, range);
  }
  std::optional<Value> numberCompare(Lowering &l, ast::CompareOperator op, const Value &lhs, const Value &rhs,
                                     const Range &range) const override {
    std::optional<tile::CompareKind> kind = compareKind(op);
    return kind ? std::optional(Program::of(l).compare(*kind, lhs, rhs, range)) : std::nullopt;
  }
  std::optional<Value> numberItem(Lowering &l, const Value &base, const Value &index,
                                  const Range &range) const override {
    return Program::of(l).item(base, index, range);
  }
  void keepLoop(mlir::OpBuilder &builder, mlir::Location at) const override { tile::KeepOp::create(builder, at); }
  void loadDialects(mlir::MLIRContext &context) const override {
    context.loadDialect<tile::TileDialect, tilesmith::triton::TritonDialect>();
  }
  mlir::Type pointerType(mlir::MLIRContext &context, DType dtype) const override {
    return tile::PtrType::get(&context, toElement(&context, dtype));
  }
  void markKernel(mlir::func::FuncOp kernel) const override {
    kernel->setAttr(tile::kernelAttrName, mlir::UnitAttr::get(kernel.getContext()));
  }
  void probe(mlir::OpBuilder &builder, mlir::Location loc, const ProbeSite &site) const override {
    tile::ProbeOp::create(builder, loc, site.text, site.depth, int64_t(site.kind), site.values);
  }
  std::unique_ptr<Session> begin(Lowering &lowering) const override { return std::make_unique<Program>(lowering); }
};

} // namespace

llvm::StringRef kindOf(const Arguments &args) {
  const Described *row = find(args.name);
  return row ? llvm::StringRef(row->kind) : "";
}

llvm::StringRef methodOf(llvm::StringRef name) {
  if (name == "to")
    return "triton.to";
  for (const Described &one : described)
    if (one.name.drop_front(prefix) == name && (one.form != Form::Function || name == "cast"))
      return one.name;
  return {};
}

std::vector<std::string> methodNames() {
  std::vector<std::string> names{"to", "cast"};
  for (const Described &one : described)
    if (one.form != Form::Function)
      names.push_back(one.name.drop_front(prefix).str());
  return names;
}

std::optional<Value> numberMethod(const Value &number, llvm::StringRef name) {
  auto it = numberMethods().find(name);
  return it == numberMethods().end() ? std::nullopt : std::optional(Value::ofItems(it->second.get(), number));
}

Value receiverOf(const Value &value) { return isNumberMethod(value) ? value.items()[0] : value; }

// An operator of Python; nothing if it has no meaning for tensors.
std::optional<Value> operatorOf(Lowering &l, ast::Operator op, const Value &lhs, const Value &rhs, const Range &range) {
  static constexpr std::pair<ast::Operator, Op> table[] = {
      {ast::Operator::Add, Op::Add},    {ast::Operator::Sub, Op::Sub},   {ast::Operator::Mul, Op::Mul},
      {ast::Operator::Div, Op::Div},    {ast::Operator::Mod, Op::Mod},   {ast::Operator::FloorDiv, Op::FloorDiv},
      {ast::Operator::BitAnd, Op::And}, {ast::Operator::BitOr, Op::Or},  {ast::Operator::BitXor, Op::Xor},
      {ast::Operator::LShift, Op::Shl}, {ast::Operator::RShift, Op::Shr}};
  for (auto [python, ours] : table)
    if (python == op)
      return Program::of(l).binary(ours, lhs, rhs, range);
  return l.errors.fail(range, "TypeError",
                       "operator " + ast::spelling(op) + " is not defined for tensors: " + l.values.describe(lhs) +
                           " and " + l.values.describe(rhs),
                       op == ast::Operator::Pow      ? "multiply: x * x; or use libdevice.pow"
                       : op == ast::Operator::MatMul ? "use tl.dot"
                                                     : "");
}

// The parameters that are pointers become pointers of this language; the launch adds the extents of its grid, and the
// objects of the host this language answers with: (class of dtypes, class of pointer types, pointers to truth values).
bool Program::start(const KernelRequest &request, llvm::ArrayRef<Value> added) {
  if (added.size() != 4)
    return bool(fail(request.function->nameRange, "RuntimeError", "a kernel of Triton is launched over a grid"));
  std::copy(added.begin(), added.begin() + 3, grid);
  auto part = [&](int64_t i) { return host.getItem(added[3].host, host.makeInt(i)); };
  dtypeClass = part(0), pointerClass = part(1);
  HostRef truths = part(2);
  llvm::SmallVector<HostRef> names;
  if (!dtypeClass || !pointerClass || !truths || !host.iterate(truths, names))
    return bool(failHost(request.function->nameRange));
  llvm::SmallVector<std::string> ofTruth;
  for (const HostRef &name : names)
    ofTruth.push_back(host.asString(name).value_or(""));
  for (const ast::Parameter &parameter : request.function->parameters) {
    Value value = frame().env[parameter.name].value;
    if (value.is(frontend::kinds::address))
      l.names.bind(
          parameter.name,
          ofPointer(value.ir, llvm::is_contained(ofTruth, parameter.name) ? DType::I1 : value.dtype, number(0)),
          parameter.range);
  }
  return true;
}

Value Program::dtypeObject(DType dtype, bool isPointer) {
  HostRef object = host.call(dtypeClass, {host.makeString(name(dtype))}, {});
  if (object && isPointer)
    object = host.call(pointerClass, {object}, {});
  return Value::ofHost(object);
}

const Language &language() {
  static const Triton instance;
  return instance;
}

} // namespace tilesmith::frontend::triton
