#include "Pypto.h"
#include "Operator.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace tilesmith::frontend::pypto {

namespace {

struct Described {
  Operation operation;
  llvm::StringLiteral signature;
  Builtin::Lower lower;
};

// A kind is a member of the enumeration its family has; families of one operation do not look at it.
using U = graph::UnaryKind;
using B = graph::BinaryKind;
using C = tile::CompareKind;
using R = tile::ReduceKind;
template <typename Enum> struct Of {
  using Kind = Enum;
};
struct unaryFamily : Of<U> {};
struct roundFamily : Of<U> {};
struct logicalNotFamily : Of<U> {};
struct compareFamily : Of<C> {};
struct triangleFamily : Of<C> {};
struct reduceFamily : Of<R> {};
struct argumentFamily : Of<tile::ArgKind> {};
#define PYPTO_FAMILY(name)                                                                                             \
  struct name##Family : Of<B> {};
PYPTO_FAMILY(binary)
PYPTO_FAMILY(logicalAnd)
PYPTO_FAMILY(where)
PYPTO_FAMILY(clip)
PYPTO_FAMILY(cast)
PYPTO_FAMILY(view)
PYPTO_FAMILY(assemble)
PYPTO_FAMILY(move)
PYPTO_FAMILY(reshape)
PYPTO_FAMILY(unsqueeze)
PYPTO_FAMILY(transpose)
PYPTO_FAMILY(permute)
PYPTO_FAMILY(clone)
PYPTO_FAMILY(expandClone)
PYPTO_FAMILY(full)
PYPTO_FAMILY(zeros)
PYPTO_FAMILY(ones)
PYPTO_FAMILY(arange)
PYPTO_FAMILY(concat)
PYPTO_FAMILY(variance)
PYPTO_FAMILY(cumsum)
PYPTO_FAMILY(topk)
PYPTO_FAMILY(argsort)
PYPTO_FAMILY(softmax)
PYPTO_FAMILY(rmsNorm)
PYPTO_FAMILY(matmul)
PYPTO_FAMILY(atomicAdd)
PYPTO_FAMILY(gather)
PYPTO_FAMILY(indexSelect)
PYPTO_FAMILY(scatter)
PYPTO_FAMILY(scatterInPlace)
PYPTO_FAMILY(scatterUpdate)
PYPTO_FAMILY(indexPut)
PYPTO_FAMILY(indexAdd)
PYPTO_FAMILY(pad)
PYPTO_FAMILY(fillPad)
PYPTO_FAMILY(oneHot)
PYPTO_FAMILY(cumprod)
PYPTO_FAMILY(hypot)
PYPTO_FAMILY(floorDiv)
PYPTO_FAMILY(ceilDiv)
PYPTO_FAMILY(leakyRelu)
PYPTO_FAMILY(prelu)
PYPTO_FAMILY(axpy)
PYPTO_FAMILY(expDifference)
PYPTO_FAMILY(copySign)
PYPTO_FAMILY(sign)
PYPTO_FAMILY(signBit)
PYPTO_FAMILY(isNan)
PYPTO_FAMILY(isFinite)
PYPTO_FAMILY(bitwise)
PYPTO_FAMILY(bitwiseNot)
PYPTO_FAMILY(asin)
PYPTO_FAMILY(acos)
PYPTO_FAMILY(atan)
PYPTO_FAMILY(atan2)
PYPTO_FAMILY(asinh)
PYPTO_FAMILY(acosh)
PYPTO_FAMILY(atanh)
PYPTO_FAMILY(cbrt)
PYPTO_FAMILY(gatherMask)
#undef PYPTO_FAMILY

constexpr Described described[] = {
#define PYPTO_OPERATION(name, signature, family, kind, dtypes, result, documentation)                                  \
  {{"pypto." name, unsigned(family##Family::Kind::kind), DTypes::dtypes, ResultType::result}, signature, on<family>},
#include "tilesmith/Frontend/PyptoOperations.def"
};

llvm::ArrayRef<Builtin::Row> operationBuiltins() {
  static const auto rows = [] {
    llvm::SmallVector<Builtin::Row, 0> rows;
    for (const Described &one : described)
      rows.push_back({one.operation.name, one.lower, one.signature});
    return rows;
  }();
  return rows;
}

} // namespace

const Operation &operationOf(const Arguments &args) {
  for (const Described &one : described)
    if (one.operation.name == args.name)
      return one.operation;
  llvm_unreachable("a builtin that is not an operation");
}

llvm::StringRef tensorMethod(llvm::StringRef name) {
  for (const Described &one : described)
    if (one.operation.name.drop_front(6) == name)
      return one.operation.name;
  return {};
}

std::vector<std::string> tensorMethodNames() {
  std::vector<std::string> names{"shape", "dim", "dtype", "valid_shape", "format", "name"};
  for (const Described &one : described)
    names.push_back(one.operation.name.drop_front(6).str());
  return names;
}

namespace {

// Methods of runtime numbers: values that are called.
class NumberMethod final : public Kind {
public:
  constexpr NumberMethod(llvm::StringLiteral name, llvm::StringLiteral builtin) : name(name), builtin(builtin) {}
  std::string describe(Lowering &, const Value &) const override { return "a method of a number"; }
  llvm::StringRef callee() const override { return builtin; }

  llvm::StringLiteral name;

private:
  llvm::StringLiteral builtin;
};
constexpr NumberMethod numberMethods[] = {
    {"min", "pypto.symbolic_min"},
    {"max", "pypto.symbolic_max"},
    {"simplify", "pypto.symbolic_itself"},
    {"as_variable", "pypto.symbolic_itself"},
    {"is_symbol", "pypto.symbolic_is_symbol"},
    {"is_expression", "pypto.symbolic_is_expression"},
    {"is_immediate", "pypto.symbolic_is_known"},
    {"is_concrete", "pypto.symbolic_is_known"},
    {"concrete", "pypto.symbolic_concrete"},
};

class Pypto final : public Language {
public:
  const Words &words() const override {
    static constexpr Words words = {
        .jit = "@pypto.frontend.jit",
        .range = "pypto.loop",
        .print = "print(n), which prints while compiling",
        .context = "pypto.options(...)",
        .results = "write results into a parameter: out[:] = x",
        .writeItem = "write with out[...] = x or pypto.assemble",
        .toFloat = "convert the tensor: pypto.cast(x, pypto.DT_FP32)",
        .describe = "annotate the parameter with pypto.Tensor([...], dtype)",
    };
    return words;
  }
  const Builtins &builtins() const override {
    static constexpr Declaration withoutParameters[] = {
        {"pypto.get_vec_tile_shapes", ""}, {"pypto.get_cube_tile_shapes", ""}, {"pypto.loop_axis", ""}};
    static const Builtins table(withoutParameters, {operationBuiltins(), controlBuiltins()});
    return table;
  }
  std::pair<std::string, std::string> missing(llvm::StringRef name) const override {
    return {(name + " is not there yet").str(), "docs/pypto.md lists what is"};
  }
  bool addsParameters() const override { return true; }
  bool followsFunctions() const override { return true; }
  bool joinsNewNames() const override { return true; }
  bool runsWhileCompiling() const override { return true; }
  bool loopsByStatement() const override { return true; }
  std::optional<Value> scalarAttribute(Lowering &, const Value &value, llvm::StringRef name) const override {
    for (const NumberMethod &method : numberMethods)
      if (method.name == name)
        return Value::ofItems(&method, value);
    return std::nullopt;
  }
  void keepLoop(mlir::OpBuilder &builder, mlir::Location at) const override { tile::KeepOp::create(builder, at); }
  void loadDialects(mlir::MLIRContext &context) const override {
    context.loadDialect<tile::TileDialect, graph::GraphDialect>();
  }
  mlir::Type pointerType(mlir::MLIRContext &context, DType dtype) const override {
    return tile::PtrType::get(&context, toElement(&context, dtype));
  }
  void markKernel(mlir::func::FuncOp kernel) const override {
    kernel->setAttr(tile::kernelAttrName, mlir::UnitAttr::get(kernel.getContext()));
  }
  std::unique_ptr<Session> begin(Lowering &lowering) const override { return std::make_unique<Operator>(lowering); }
};

} // namespace

const Language &language() {
  static constexpr Pypto instance;
  return instance;
}

} // namespace tilesmith::frontend::pypto
