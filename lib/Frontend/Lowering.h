// The lowering of one kernel: Python statements and expressions become tile, arith and scf operations.
//
// Statements are executed abstractly in program order. Names are bound to Values in the Env of a Frame (one per inlined
// function). Control flow known while compiling is followed; control flow at run time builds regions, and names that
// change in them become block arguments and results (Merge).
//
// The first error wins: it is stored in the diagnostic, and every function returns an invalid value (or false) up to
// the top.
#ifndef TILESMITH_LIB_FRONTEND_LOWERING_H
#define TILESMITH_LIB_FRONTEND_LOWERING_H

#include "Value.h"

#include "tilesmith/Frontend/Frontend.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

#include <map>

namespace tilesmith::frontend {

using ast::Range;

// A name: its value, where it was bound, and, once the value went out of reach, why. Where control flow leaves values
// that do not go together the name is out of reach too, and whoever reads it gets the error.
struct Binding {
  Value value;
  Range range;
  std::string gone;
  std::shared_ptr<const Diagnostic> conflict;
};
using Env = llvm::StringMap<Binding>;

// The runtime type a Python number takes when control flow changes it: a scalar, or a tile filled with it.
struct Target {
  DType dtype = DType::Void;
  tile::TileType tile;
  explicit operator bool() const { return tile || dtype != DType::Void; }
};

// What a loop carries beyond the runtime values its body rebinds. Grows until the loop's types are stable.
struct LoopPlan {
  std::map<std::string, Target, std::less<>> promoted; // numbers that become runtime values
  llvm::SmallVector<unsigned> cells;                   // accumulators written by the body
  std::map<std::string, Binding, std::less<>> gone;    // names whose value does not survive an iteration
};

// One function being lowered: the kernel, or a jit function inlined into it.
struct Frame {
  const ast::FunctionDef *function = nullptr;
  const ast::SourceFile *file = nullptr;
  mlir::StringAttr fileName;
  HostRef scope;
  std::string path; // leads from the kernel to this function's names, see HostEval::noteRead
  bool pathKnown = true;
  Env env;
  std::map<const ast::Stmt *, LoopPlan> plans;
  Value returned;
  unsigned region = 0; // region the function was called in
  Frame *caller = nullptr;
  Range callRange;
};

// The asc2.mask around a statement, together with those around it: which elements it chooses, and what the others
// become.
struct Mask {
  mlir::Value count;               // the first so many, or null
  std::optional<llvm::APInt> bits; // those with their bit set
  Value other;
  Range otherRange;
};

// An argument of a call, with its place.
struct Argument {
  Value value;
  Range range;
  explicit operator bool() const { return bool(value); }
};

struct CallSite {
  Range range;
  std::string name; // as messages show it
  llvm::SmallVector<Argument, 4> positional;
  llvm::SmallVector<std::pair<llvm::StringRef, Argument>, 2> keywords;
};

// Arguments of a builtin in the order of its signature; invalid where an optional one is missing.
struct Arguments {
  Range range;
  llvm::StringRef name;
  llvm::SmallVector<Argument, 6> named;
  llvm::SmallVector<Argument, 4> rest; // of the `*` parameter
  const Argument &operator[](unsigned i) const { return named[i]; }
};

class Lowering {
public:
  Lowering(mlir::MLIRContext &context, HostEval &host, Diagnostic &diagnostic);
  mlir::OwningOpRef<mlir::ModuleOp> run(const KernelRequest &request);

  // Errors. `exception` is the Python class; the value returned is invalid.
  Value fail(const Range &range, llvm::StringRef exception, const llvm::Twine &message, const llvm::Twine &help = "");
  Value failHost(const Range &range); // what a host object raised
  Value failUnsupported(const Range &range, llvm::StringRef what, const llvm::Twine &help = "");
  void addNote(const Range &range, const llvm::Twine &text);
  bool hasFailed() const { return diagnostic.isSet(); }
  // Takes the error back, to report it only if it turns out to matter.
  std::shared_ptr<const Diagnostic> takeConflict();
  std::string describe(const Value &value);
  std::string describeShort(const Value &value); // without the number of a host value

  // Statements.
  enum class Flow { Next, Returned, Failed };
  Flow lowerBody(ast::Body body);
  bool assign(const ast::Expr &target, Value value, const Range &valueRange);
  void bind(llvm::StringRef name, Value value, const Range &range);

  // Expressions.
  Value lowerExpr(const ast::Expr &expr);
  Value lowerCall(const ast::Call &call);
  Value callValue(const Value &callee, llvm::StringRef path, CallSite &site);
  Value callBuiltin(llvm::StringRef name, CallSite &site);
  Value callMethod(const Value &method, CallSite &site);
  Value callHost(const HostRef &callee, CallSite &site);
  Value inlineCall(const HostRef &callee, const HostFunction &function, llvm::StringRef path, CallSite &site);
  Value getAttribute(const Value &base, llvm::StringRef name, const Range &range);
  Value getItem(const Value &base, const Value &index, const Range &range);

  // Operators on values.
  Value binary(ast::Operator op, Value lhs, Value rhs, const Range &range);
  Value unary(ast::UnaryOperator op, Value operand, const Range &range);
  Value compare(ast::CompareOperator op, Value lhs, Value rhs, const Range &range);
  Value tileBinary(tile::BinaryKind kind, Value lhs, Value rhs, const Range &range);
  Value tileUnary(tile::UnaryKind kind, const Value &operand, const Range &range);
  Value tileCompare(tile::CompareKind kind, Value lhs, Value rhs, const Range &range);
  Value scalarBinary(ast::Operator op, Value lhs, Value rhs, const Range &range);
  Value scalarCompare(ast::CompareOperator op, Value lhs, Value rhs, const Range &range);
  // Known truth, or an i1; nothing on error.
  struct Truth {
    bool valid = false;
    bool isKnown = false, known = false;
    mlir::Value runtime;
  };
  Truth truth(const Value &value, const Range &range);

  // Masks. Everywhere else these do nothing.
  Value applyMask(const Value &result, const Range &range); // of an element-wise operation
  void whenFirstChosen(const Range &range, llvm::function_ref<void()> build);
  mlir::Value maskCount() { return masks.empty() ? mlir::Value() : masks.back().count; }
  mlir::DenseI64ArrayAttr maskWords();

  // Conversions.
  bool isNumber(const Value &value); // bool, int or float of the host
  bool isNumeric(const Value &value) { return value.isScalar() || isNumber(value); }
  DType dtypeOf(const Value &value); // of a number, scalar, tile, tensor or address
  mlir::Value constant(DType dtype, int64_t value, const Range &range);
  mlir::Value i32(int64_t value, const Range &range) { return constant(DType::Int32, value, range); }
  // A number or scalar as an IR scalar of `dtype`; null on error. A number with a fraction does not become an integer.
  mlir::Value toScalar(const Value &value, DType dtype, const Range &range);
  // A float beside an integer scalar: its integer part, with a warning if it has another.
  Value truncated(const Value &value, DType dtype, const Range &range);
  mlir::Value castScalar(mlir::Value value, DType from, DType to, const Range &range);
  Value castTile(const Value &tile, DType dtype, const Range &range);
  // The tile in UB, where element-wise operations work.
  Value toUB(const Value &tile, const Range &range);
  // The element type of `lhs op rhs` (both tiles or both numeric); nothing after an error.
  std::optional<DType> promote(DType lhs, DType rhs, llvm::StringRef what, const Range &range);
  HostRef toHost(const Value &value); // null without an error if the value holds IR
  bool toSequence(const Value &value, llvm::SmallVectorImpl<Value> &items, const Range &range, llvm::StringRef what);
  // Current tile of an accumulator; other values as they are.
  Value read(const Value &value);
  bool sameHost(const HostRef &a, const HostRef &b);

  // Builtins' arguments. Each reports what is wrong and returns nothing then.
  Value expectTile(const Arguments &args, unsigned index);
  Value expectTensor(const Arguments &args, unsigned index);
  std::optional<llvm::SmallVector<int64_t>> expectShape(const Argument &argument, llvm::StringRef what);
  std::optional<llvm::SmallVector<int64_t>> expectInts(llvm::ArrayRef<Argument> arguments, llvm::StringRef what);
  std::optional<int64_t> expectInt(const Argument &argument, llvm::StringRef what);
  std::optional<bool> expectBool(const Argument &argument, bool otherwise, llvm::StringRef what);
  std::optional<DType> expectDType(const Argument &argument, llvm::StringRef what);
  std::optional<isa::Memory> expectLocation(const Argument &argument);
  bool checkTileType(llvm::ArrayRef<int64_t> shape, DType dtype, const Range &range);
  bool checkAlignment(llvm::ArrayRef<int64_t> shape, DType dtype, const Range &range);
  mlir::Type type(DType dtype) { return toMlir(&context, dtype); } // of a scalar
  mlir::Type element(DType dtype) { return toElement(&context, dtype); }
  tile::TileType tileType(llvm::ArrayRef<int64_t> shape, DType dtype, isa::Memory memory = isa::Memory::UB);

  mlir::Location loc(const Range &range);
  Value none() { return Value::ofHost(host.makeNone()); }

  mlir::MLIRContext &context;
  HostEval &host;
  Diagnostic &diagnostic;
  mlir::OpBuilder builder;
  llvm::SmallVector<mlir::Value> cells; // current tile of each accumulator
  llvm::SmallVector<Mask, 2> masks;     // innermost last
  Frame *frame = nullptr;
  unsigned region = 0; // number of the innermost runtime region; 0: the kernel's top level
  unsigned lastRegion = 0;
  unsigned regionDepth = 0;

private:
  // Statements.cpp
  Flow lowerStmt(const ast::Stmt &stmt);
  bool lowerAssert(const ast::Assert &stmt);
  bool lowerAugAssign(const ast::AugAssign &stmt);
  bool assignItem(const ast::Subscript &target, Value value);
  Flow lowerReturn(const ast::Return &stmt);
  Flow refuse(const ast::OtherStmt &stmt);

  // Masks.cpp
  Flow lowerWith(const ast::With &stmt);
  bool enterMask(const Value &mask, const Range &range);

  // Sequences.cpp
  Value arrayItem(const Value &array, const Value &index, const Range &range);
  bool assignArrayItem(const Value &array, const Value &index, const Value &value, const Range &range);

  // Branches.cpp
  Flow lowerIf(const ast::If &stmt);
  bool lowerRuntimeIf(const ast::If &stmt, mlir::Value condition);
  Value lowerIfExp(const ast::IfExp &expr);
  Value lowerBoolOp(const ast::BoolOp &expr, unsigned index);
  Value chooseScalar(mlir::Value condition, const Value &lhs, const Value &rhs, const Range &range);

  // Loops.cpp
  Flow lowerFor(const ast::For &stmt);
  Flow lowerStaticFor(const ast::For &stmt, const Value &range);
  Flow lowerForEach(const ast::For &stmt, llvm::ArrayRef<Value> items);
  Flow lowerWhile(const ast::While &stmt);
  enum class Attempt { Done, Retry, Failed };
  Attempt tryFor(const ast::For &stmt, const Value &range, llvm::ArrayRef<mlir::Value> bounds, LoopPlan &plan);
  Attempt tryWhile(const ast::While &stmt, LoopPlan &plan);
  struct Carried;
  Flow lowerLoop(const ast::Stmt &stmt, ast::Body body, llvm::function_ref<Attempt(LoopPlan &)> attempt);
  bool startCarrying(Carried &carried, ast::Body body, llvm::StringRef target, const LoopPlan &plan,
                     const Range &range);
  void enterLoop(Carried &carried, const LoopPlan &plan, mlir::ValueRange arguments);
  Attempt finishIteration(Carried &carried, LoopPlan &plan, const Range &range,
                          llvm::SmallVectorImpl<mlir::Value> &yielded);
  void leaveLoop(Carried &carried, const LoopPlan &plan, mlir::ValueRange results);

  // Merge.cpp
  bool flatten(const Value &value, llvm::SmallVectorImpl<mlir::Value> &leaves);
  Value rebuild(const Value &like, mlir::ValueRange &leaves);
  bool sameStructure(const Value &a, const Value &b);
  bool isSame(const Value &a, const Value &b);
  // The type two different values of one name can both take; none if there is no such type.
  Target join(const Value &a, const Value &b);
  Target defaultTarget(const Value &number);
  // `value` as a value of the type, or invalid without an error.
  Value convertTo(const Value &value, const Target &target, const Range &range);
  Value convertLike(const Value &value, const Value &like, const Range &range);
  // An address as base and offset, so that the offset can change; other values as they are.
  Value withOffset(const Value &value, const Range &range);
  // Names bound in a region that ended: they are remembered, so that a later use can say what happened.
  void expire(const Env &after, llvm::StringRef where);
  bool enterRegion(const Range &range);

  // Expressions.cpp
  Value lowerChain(const ast::Expr &expr, std::string &path, bool &hasPath);
  Value lowerName(const ast::Name &name, std::string &path, bool &hasPath);
  Value lowerConstant(const ast::Constant &constant);
  Value lowerCompare(const ast::Compare &expr);
  Value lowerSequence(const ast::Sequence &expr);
  Value lowerJoinedStr(const ast::JoinedStr &expr);
  Value lowerSlice(const ast::Slice &expr);

  // Calls.cpp
  bool bindArguments(llvm::StringRef signature, CallSite &site, Arguments &bound);

  // Runs `build` with the builder at the end of a new block; the block is returned detached.
  std::unique_ptr<mlir::Region> buildRegion(llvm::function_ref<void()> build);

  unsigned exprDepth = 0, callDepth = 0;
  llvm::StringSet<> warned;
  unsigned steps = 0; // statements executed, to stop endless unrolling
};

// The handler of a builtin, with its Python signature.
struct BuiltinEntry {
  llvm::StringLiteral name;
  llvm::StringLiteral signature;
  Value (*lower)(Lowering &, const Arguments &);
};
llvm::ArrayRef<BuiltinEntry> memoryBuiltins();
llvm::ArrayRef<BuiltinEntry> elementwiseBuiltins();
llvm::ArrayRef<BuiltinEntry> reduceBuiltins();
llvm::ArrayRef<BuiltinEntry> shapeBuiltins();
llvm::ArrayRef<BuiltinEntry> matmulBuiltins();
llvm::ArrayRef<BuiltinEntry> scalarBuiltins();
llvm::ArrayRef<BuiltinEntry> sequenceBuiltins();
llvm::ArrayRef<BuiltinEntry> maskBuiltins();
llvm::ArrayRef<BuiltinEntry> printBuiltins();
const BuiltinEntry *findBuiltin(llvm::StringRef name);
// The builtin behind a method of Tile, Tensor, PlainValue ("sum" to "asc2.reduce_sum"); empty if there is none.
llvm::StringRef findMethod(const Value &receiver, llvm::StringRef name);

std::string formatShape(llvm::ArrayRef<int64_t> shape);

} // namespace tilesmith::frontend

#endif // TILESMITH_LIB_FRONTEND_LOWERING_H
