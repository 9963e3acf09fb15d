// A language other than asc2: what it takes is what is in this file, and nothing of lib/Frontend/Python knows it.
#include "FakeHost.h"

#include "Python/Lowering.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/Support/raw_ostream.h"

#include "gtest/gtest.h"

namespace tilesmith::frontend {
namespace {

// Wires: i64 values that can be made of numbers and joined.

Value ofWire(mlir::Value ir);

class WireKind final : public Kind {
public:
  std::string describe(Lowering &, const Value &) const override { return "a wire"; }
  llvm::StringRef plural() const override { return "wires"; }
  void flatten(Lowering &, const Value &value, llvm::SmallVectorImpl<mlir::Value> &leaves) const override {
    leaves.push_back(value.ir);
  }
  Value rebuild(Lowering &, const Value &, mlir::ValueRange &leaves) const override {
    Value value = ofWire(leaves.front());
    leaves = leaves.drop_front();
    return value;
  }
  bool sameStructure(Lowering &, const Value &, const Value &) const override { return true; }
  std::optional<Value> binary(Lowering &l, ast::Operator op, const Value &lhs, const Value &rhs,
                              const Range &range) const override {
    if (op != ast::Operator::BitXor)
      return std::nullopt;
    return ofWire(mlir::arith::XOrIOp::create(l.ir.builder(), l.ir.loc(range), lhs.ir, rhs.ir));
  }
  std::optional<Value> attribute(Lowering &l, const Value &, llvm::StringRef name, const Range &) const override {
    if (name != "width")
      return std::nullopt;
    return Value::ofHost(l.host.makeInt(64));
  }
  llvm::StringRef method(const Value &, llvm::StringRef name) const override {
    return name == "join" ? "wires.join" : "";
  }
  llvm::StringRef instead(llvm::StringRef what) const override { return what == "len" ? "use .width" : ""; }
};
constexpr WireKind wireKind;

Value ofWire(mlir::Value ir) {
  Value value;
  value.kind = &wireKind;
  value.ir = ir;
  return value;
}

Value makeWire(Lowering &l, const Arguments &args) {
  return ofWire(l.scalars.convert(args[0].value, DType::I64, args[0].range));
}

Value joinWires(Lowering &l, const Arguments &args) {
  for (int i : {0, 1})
    if (!args[i].value.is(&wireKind))
      return l.errors.fail(args[i].range, "TypeError", "a wire joins a wire, not " + l.values.describe(args[i].value));
  return ofWire(mlir::arith::AddIOp::create(l.ir.builder(), l.ir.loc(args.range), args[0].value.ir, args[1].value.ir));
}

class Wires final : public Language {
public:
  const Words &words() const override {
    static constexpr Words words = {.jit = "@wires.jit",
                                    .range = "range",
                                    .print = "",
                                    .context = "",
                                    .results = "join results",
                                    .writeItem = "",
                                    .toFloat = "",
                                    .describe = ""};
    return words;
  }
  const Builtins &builtins() const override {
    static constexpr Builtin::Row rows[] = {{"wires.make", makeWire, "number"},
                                            {"wires.join", joinWires, "wire, other"}};
    static const Builtins table({}, {rows});
    return table;
  }
  void loadDialects(mlir::MLIRContext &) const override {}
  mlir::Type pointerType(mlir::MLIRContext &context, DType) const override { return mlir::IndexType::get(&context); }
  void markKernel(mlir::func::FuncOp) const override {}
};
constexpr Wires wires;

// A kernel `def kernel(n):` written as a tree. Each statement has a line of its own.
class LanguageTest : public testing::Test {
protected:
  LanguageTest() {
    host.builtins = {{"make", "wires.make"}, {"join", "wires.join"}, {"range", "range"}, {"len", "len"}};
  }

  ast::Range next() { return {++line, 0, line, 1}; }
  ast::Range here() { return {line, 0, line, 1}; }
  const ast::Expr *name(llvm::StringRef id) {
    auto *node = tree.make<ast::Name>(here());
    node->id = id;
    return node;
  }
  const ast::Expr *number(int64_t value) {
    auto *node = tree.make<ast::Constant>(here());
    node->constant = ast::ConstantKind::Int;
    node->integer = value;
    return node;
  }
  const ast::Expr *call(const ast::Expr *callee, std::initializer_list<const ast::Expr *> arguments) {
    auto *node = tree.make<ast::Call>(here());
    node->callee = callee;
    node->arguments = tree.copy(llvm::ArrayRef(arguments));
    return node;
  }
  const ast::Expr *attribute(const ast::Expr *value, llvm::StringRef id) {
    auto *node = tree.make<ast::Attribute>(here());
    node->value = value;
    node->name = id;
    return node;
  }
  const ast::Expr *bitXor(const ast::Expr *lhs, const ast::Expr *rhs) {
    auto *node = tree.make<ast::BinOp>(here());
    node->lhs = lhs;
    node->op = ast::Operator::BitXor;
    node->rhs = rhs;
    return node;
  }
  const ast::Expr *less(const ast::Expr *lhs, const ast::Expr *rhs) {
    static constexpr ast::CompareOperator op = ast::CompareOperator::Lt;
    auto *node = tree.make<ast::Compare>(here());
    node->operands = tree.copy(llvm::ArrayRef{lhs, rhs});
    node->operators = op;
    return node;
  }
  const ast::Stmt *assign(llvm::StringRef id, const ast::Expr *value) {
    auto *node = tree.make<ast::Assign>(next());
    node->targets = tree.copy(llvm::ArrayRef{name(id)});
    node->value = value;
    return node;
  }
  const ast::Stmt *branch(const ast::Expr *condition, std::initializer_list<const ast::Stmt *> body) {
    auto *node = tree.make<ast::If>(next());
    node->condition = condition;
    node->body = tree.copy(llvm::ArrayRef(body));
    return node;
  }
  const ast::Stmt *loop(llvm::StringRef id, const ast::Expr *stop, std::initializer_list<const ast::Stmt *> body) {
    auto *node = tree.make<ast::For>(next());
    node->target = name(id);
    node->iterable = call(name("range"), {stop});
    node->body = tree.copy(llvm::ArrayRef(body));
    return node;
  }

  // The IR as text, or the error's headline and help.
  std::string lower(std::initializer_list<const ast::Stmt *> body) {
    auto *function = tree.make<ast::FunctionDef>(here());
    function->name = "kernel";
    ast::Parameter parameter;
    parameter.name = "n";
    function->parameters = tree.copy(llvm::ArrayRef{parameter});
    function->body = tree.copy(llvm::ArrayRef(body));
    KernelRequest request;
    request.function = function;
    request.file = &file;
    request.params = {ParamSpec{ParamSpec::Scalar, DType::I32, {}}};
    Diagnostic error;
    mlir::OwningOpRef<mlir::ModuleOp> module = lowerKernel(context, wires, request, host, error);
    if (!module)
      return error.headline() + " (" + error.help + ")";
    std::string text;
    llvm::raw_string_ostream os(text);
    module->print(os);
    return text;
  }

  mlir::MLIRContext context;
  FakeHost host;
  ast::Tree tree;
  ast::SourceFile file{"wires.py", 1, ""};
  unsigned line = 0;
};

// A kind that control flow did not ask would leave the loop or the branch with the value of before.
TEST_F(LanguageTest, ValuesOfALanguagePassThroughLoopsAndBranches) {
  auto *join = call(name("join"), {name("w"), name("w")});
  std::string text = lower({assign("w", call(name("make"), {name("n")})),
                            loop("i", name("n"), {branch(less(name("i"), number(3)), {assign("w", join)})}),
                            assign("w", bitXor(name("w"), name("w")))});
  EXPECT_EQ(text, R"(module {
  func.func @kernel(%arg0: i32) {
    %0 = arith.extsi %arg0 : i32 to i64
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %1 = scf.for %arg1 = %c0_i32 to %arg0 step %c1_i32 iter_args(%arg2 = %0) -> (i64)  : i32 {
      %c3_i32 = arith.constant 3 : i32
      %3 = arith.cmpi slt, %arg1, %c3_i32 : i32
      %4 = scf.if %3 -> (i64) {
        %5 = arith.addi %arg2, %arg2 : i64
        scf.yield %5 : i64
      } else {
        scf.yield %arg2 : i64
      }
      scf.yield %4 : i64
    }
    %2 = arith.xori %1, %1 : i64
    return
  }
}
)");
}

// Methods and attributes come from the kind, not from a table of the core.
TEST_F(LanguageTest, MethodsAndAttributesAreTheKinds) {
  auto *wire = call(name("make"), {number(1)});
  std::string text = lower({assign("w", wire), assign("w", call(attribute(name("w"), "join"), {name("w")})),
                            assign("x", call(name("make"), {attribute(name("w"), "width")}))});
  EXPECT_NE(text.find("%0 = arith.addi %c1_i64, %c1_i64 : i64"), std::string::npos) << text;
  EXPECT_NE(text.find("arith.constant 64 : i64"), std::string::npos) << text;
}

TEST_F(LanguageTest, ErrorsNameTheValueAsTheLanguageDoes) {
  auto *wire = call(name("make"), {name("n")});
  EXPECT_EQ(lower({assign("w", wire), assign("x", call(name("len"), {name("w")}))}),
            "a wire has no len() (use .width)");
  EXPECT_EQ(lower({assign("w", call(name("join"), {wire, number(3)}))}), "a wire joins a wire, not the int 3 ()");
  EXPECT_EQ(lower({assign("w", call(name("join"), {wire}))}),
            "missing argument other of wires.join (wires.join(wire, other))");
  EXPECT_EQ(
      lower({assign("w", wire), branch(less(name("n"), number(3)), {assign("w", number(1))}),
             assign("x", call(name("join"), {name("w"), name("w")}))}),
      "w is an int in one branch of this if and a wire in the other (both branches of a runtime if must leave the "
      "same type)");
  EXPECT_EQ(lower({branch(wire, {})}), "a wire has no truth value inside a kernel ()");
}

// What a language does not have is said with its own words, not with those of asc2.
TEST_F(LanguageTest, MissingBuiltinsAndWords) {
  host.builtins["mask"] = "asc2.mask";
  EXPECT_EQ(lower({assign("w", call(name("mask"), {}))}), "asc2.mask is not supported inside a kernel ()");
  auto *yield = tree.make<ast::OtherExpr>(here());
  yield->className = "Yield";
  EXPECT_EQ(lower({assign("w", yield)}),
            "Yield syntax is not supported inside a kernel (a kernel runs to its end; join results)");
}

} // namespace
} // namespace tilesmith::frontend
