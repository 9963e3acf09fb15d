// An abstract interpreter for candidates: follows a module's import, the construction of ModelNew and two calls of
// forward, and notes kernels that are launched, where their results go, and what else happens to tensors.
//
// forward is called twice because the second call sees what the first one left behind: caches, counters, lazily made
// buffers. Only the second is judged; the first also tells which inputs are used as tensors.
//
// Invariants
//  - both sides of a branch are followed unless the condition is a known constant; loop bodies are followed twice
//  - calls are followed into functions of the file, each time with the arguments at hand
//  - work is bounded by `maxSteps`, nesting by `maxNesting`; when either is reached the candidate is refused
#ifndef TILESMITH_LINT_INTERPRETER_H
#define TILESMITH_LINT_INTERPRETER_H

#include "KernelFacts.h"
#include "Rules.h"
#include "Values.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/StringSaver.h"

#include <functional>

namespace tilesmith::lint {

enum class Phase : uint8_t { Import, Construct, Probe, Forward };
enum class Truth : uint8_t { False, True, Unknown };

struct KernelInfo {
  const ast::FunctionDef *function; // null: written in another language
  std::string name;
  ast::Range range;
  Dsl dsl;
};

struct Arguments {
  llvm::SmallVector<Value, 4> positional;
  llvm::SmallVector<std::pair<llvm::StringRef, Value>, 2> keywords;
  Value rest; // any number of further arguments, by position or name
  bool hasRest = false;

  Value all() const;
  const Value *keyword(llvm::StringRef name) const;
  const Value *get(size_t position, llvm::StringRef name) const;
};

// Where something happens, for reports: a call and what it calls, or an operator.
struct Site {
  const ast::Expr *expr = nullptr;   // or null: the expression at hand
  const ast::Expr *callee = nullptr; // or null
};

class Interpreter {
public:
  Interpreter(const ast::Tree &tree, const ast::SourceFile &source, const ValidateOptions &options);

  void importModule();
  // Whether ModelNew is a class with a forward.
  bool hasForward();
  // Follows construction and calls. Fills `called`, `violations`.
  void followModel();

  std::vector<KernelInfo> kernels;
  std::vector<unsigned> called; // numbers of kernels whose results reach what forward returns
  bool wasLaunched = false;     // some kernel was launched from forward
  ast::Range modelRange;
  const KernelFacts &factsOf(const ast::FunctionDef &kernel) { return reader.read(kernel); }
  const std::vector<Violation> &getViolations() const { return violations; }

private:
  static constexpr unsigned maxSteps = 300'000, maxNesting = 4000, maxCalls = 64, maxBases = 64;
  static constexpr size_t maxText = 256; // of strings that are put together: names are shorter

  struct Result {
    Value value;
    State state;
    ast::Range range;
    bool isExempt; // returned for empty tensors only
  };
  struct Frame {
    const ast::FunctionDef *function = nullptr; // null: module or class
    ObjectId scope = 0;
    ObjectId owner = 0; // class whose method this is
    Value self;
    std::vector<Result> results;
    Value yields;
    bool hasYield = false;
    unsigned emptyDepth = 0; // branches around us that are taken for empty tensors only
  };
  struct Loop {
    State breaks, continues;
  };
  struct Nesting;

  // Bounds and reports.
  bool step(size_t cost = 1);
  // Goes on with another state. One that is not alive may be empty: then the objects at hand are kept.
  void enter(State next);
  void giveUp();
  void report(const ast::Range &range, std::string call, llvm::StringRef reason, bool always = false);
  void report(Site site, std::string call, llvm::StringRef reason, bool always = false) {
    report(rangeOf(site), std::move(call), reason, always);
  }
  ast::Range rangeOf(Site site) const { return site.expr ? site.expr->range : here; }
  std::string textOf(const ast::Expr &expr) const;
  std::string spellCall(Site site, llvm::StringRef fallback, llvm::StringRef brackets) const;
  llvm::StringRef save(const llvm::Twine &text) { return strings.save(text); }
  bool isJudged() const { return phase == Phase::Forward || phase == Phase::Probe; }

  // Objects.
  ObjectId make(Object object);
  Value makeSequence(std::vector<Value> elements);
  Value makeSequenceOf(Value rest);
  Value makeDictOf(Value rest);
  Value makeBound(Value callee, Value self);
  Value makeWrapper(ObjectKind kind, Value callee);
  Value makeTensor(Origin origin);
  const Object *lookAt(const Atom &atom, ObjectKind kind) const;
  // The object that holds the entries of a container: itself, or the one whose __dict__ it is.
  ObjectId storageOf(const Atom &atom) const;
  Frame &frame() { return frames.back(); }

  // Statements.
  void exec(ast::Body body);
  void exec(const ast::Stmt &stmt);
  void execOther(const ast::OtherStmt &stmt);
  void execIf(const ast::If &stmt);
  void branch(Truth truth, const ast::Expr *condition, llvm::function_ref<void()> first,
              llvm::function_ref<void()> second, bool mayFallThrough = true);
  void loop(bool isEndless, llvm::function_ref<void()> body, ast::Body orElse);
  void execFor(const ast::For &stmt);
  void execWhile(const ast::While &stmt);
  void execTry(const ast::Try &stmt);
  void execWith(const ast::With &stmt);
  void execMatch(const ast::Match &stmt);
  void execImport(const ast::Import &stmt);
  void execDelete(const ast::OtherStmt &stmt);
  Value defineFunction(const ast::FunctionDef &function);
  Value decorate(Value value, ast::Exprs decorators);
  void execClass(const ast::ClassDef &stmt);
  void execReturn(const ast::Return &stmt);
  void assign(const ast::Expr &target, const Value &value);
  void assignName(llvm::StringRef name, const Value &value);
  void assignSubscript(const ast::Subscript &target, const Value &value);

  // Expressions.
  Value eval(const ast::Expr &expr);
  Value evalDeeper(const ast::Expr &expr);
  Value evalOther(const ast::OtherExpr &expr);
  Value evalCall(const ast::Call &call);
  Value evalBoolOp(const ast::BoolOp &expr);
  Value evalIfExp(const ast::IfExp &expr);
  Value evalCompare(const ast::Compare &expr);
  Value evalSubscript(const ast::Subscript &expr);
  Value evalSequence(const ast::Sequence &expr);
  Value evalDict(const ast::Dict &expr);
  Value evalComprehension(const ast::Comprehension &expr);
  Value evalFString(const ast::JoinedStr &expr);
  Value evalConstant(const ast::Constant &constant);
  Value lookUp(llvm::StringRef name);
  Value binary(ast::Operator op, const Value &lhs, const Value &rhs, const ast::Expr &site, llvm::StringRef spelling);
  Value unary(ast::UnaryOperator op, const Value &operand, const ast::Expr &site);
  Value compare(ast::CompareOperator op, const Value &lhs, const Value &rhs, const ast::Expr &site);
  Value operate(llvm::StringRef method, const Value &lhs, const Value &rhs, Site site);
  Value subscript(const Value &value, const Value &index, Site site);
  Value subscriptAtom(const Atom &atom, const Value &index, Site site);
  Value entry(const Object &dict, const Value &key);
  llvm::StringRef keyOf(const Value &key);
  Value iterate(const Value &value);
  Truth truthOf(const Value &value) const;

  // Attributes.
  Value attribute(const Value &value, llvm::StringRef name, Site site);
  Value attributeOf(const Atom &atom, llvm::StringRef name, Site site);
  Value attributeOfInstance(const Atom &atom, llvm::StringRef name, Site site);
  Value attributeOfClass(const Atom &atom, llvm::StringRef name, Site site);
  Value attributeOfForeignBase(llvm::StringRef base, const Atom &self, llvm::StringRef name);
  Value attributeOfTensor(const Atom &atom, llvm::StringRef name);
  Value anyAttribute(const Value &value, Site site);
  Value bindToInstance(const Value &found, const Atom &self, ObjectId cls, Site site);
  void setAttribute(const Value &object, llvm::StringRef name, const Value &value, Site site);
  void setAnyAttribute(const Value &object, const Value &value, Site site);
  void reportPatch(llvm::StringRef path, Site site);
  // The class and its bases, nearest first: classes of the file, paths of others.
  llvm::SmallVector<Atom, 4> linearise(ObjectId cls) const;
  const Value *findInClass(ObjectId cls, llvm::StringRef name, ObjectId after = 0) const;
  bool isTensorClass(ObjectId cls) const;
  bool derivesFrom(ObjectId cls, llvm::StringRef path) const;

  // Calls.
  Arguments evalArguments(const ast::Call &call);
  Value call(const Value &callee, const Arguments &arguments, Site site);
  Value callAtom(const Atom &atom, const Arguments &arguments, Site site);
  Value callObject(const Atom &atom, const Arguments &arguments, Site site);
  Value callFunction(ObjectId function, const Arguments &arguments, Site site);
  Value callClass(ObjectId cls, const Arguments &arguments, Site site);
  Value callInstance(const Atom &atom, const Arguments &arguments, Site site);
  Value callCached(const Value &callee, const Arguments &arguments, Site site);
  Value callForeign(llvm::StringRef path, const Arguments &arguments, Site site);
  void bindParameters(const Object &function, const ast::FunctionDef &node, const Arguments &arguments, Object &scope);
  void callBack(const Arguments &arguments, Site site);
  void collectHooks(const Value &value, unsigned depth = 0);
  void callHooks(const KernelInfo &kernel, const Arguments &arguments, Site site);
  Value makeLauncher(unsigned kernel, const Value &grid, Site site);
  Value launch(unsigned kernel, const Arguments &arguments, Site site);
  unsigned kernelOf(const ast::FunctionDef *function, llvm::StringRef name, const ast::Range &range, Dsl dsl);
  Value makeKernel(const Value &function, Dsl dsl, llvm::StringRef path);

  // What other modules do.
  Value callPath(llvm::StringRef path, const Arguments &arguments, Site site);
  Value callBuiltin(llvm::StringRef name, const Arguments &arguments, Site site);
  Value callContainer(llvm::StringRef method, const Arguments &arguments, Site site);
  Value callTorch(llvm::StringRef name, const Arguments &arguments, Site site);
  Value callModule(llvm::StringRef method, const Arguments &arguments, Site site);
  Value callNumpy(llvm::StringRef name, const Arguments &arguments, Site site);
  Value callFunctools(llvm::StringRef name, const Arguments &arguments, Site site);
  Value callUnknown(llvm::StringRef path, const Arguments &arguments, Site site);
  Value importByName(const Value &name, Site site);
  Value moduleOf(llvm::StringRef name, Site site);

  // Tensors.
  bool hasTensor(const Value &value) const;   // the value itself
  bool holdsTensor(const Value &value) const; // or something in it
  bool holdsStale(const Value &value) const;  // a tensor kept from an earlier call
  // Flags of host data in the value and in sequences in it: whether it was read from tensors, and computed from that.
  uint8_t hostFlags(const Value &value, unsigned depth = 0) const;
  bool isComputedOnHost(const Value &value) const { return hostFlags(value) & Atom::Computed; }
  void forEachTensor(const Value &value, llvm::function_ref<void(const Atom &)> visit) const;
  Value tensorsIn(const Value &value, uint8_t flags = 0) const;
  Value computed(const Value &from);
  Value copyOf(const Value &value);
  Value callMethod(llvm::StringRef name, const Arguments &arguments, Site site);
  Value apply(Effect effect, llvm::StringRef path, const Arguments &arguments, Site site);
  Value allocate(llvm::StringRef name, const Arguments &arguments, Site site);
  void copyInto(const Value &target, const Value &source);
  void useAsTensor(const Value &value);
  void useAsScalar(const Value &value);

  // The model.
  void makeInputs(const ast::FunctionDef *forward, bool isMethod, Arguments &arguments);
  Value callForward(const Atom &model);
  void callProtocols();
  void judge(const Value &result);
  std::string pathInKernel(const ast::Expr &expr) const;
  const ast::FunctionDef *functionInKernel(const ast::Expr &expr) const;
  void collectKernels(ast::Body body);
  void collectKernelsIn(const ast::Node &node);

  const ast::Tree &tree;
  const ast::SourceFile &source;
  const ValidateOptions &options;
  llvm::SmallVector<llvm::StringRef, 0> lines; // of the source
  llvm::BumpPtrAllocator allocator;
  llvm::UniqueStringSaver strings{allocator};

  Phase phase = Phase::Import;
  State state;
  ObjectId nextObject = 1;
  ObjectId moduleScope = 0;
  std::vector<Frame> frames;
  std::vector<Loop> loops;
  std::vector<llvm::StringRef> starModules;
  llvm::StringMap<std::string> staticNames; // imports anywhere in the file, for kernels that are never made
  unsigned steps = 0, nesting = 0;
  bool gaveUp = false;
  ast::Range here; // of the expression that is evaluated

  struct Input {
    bool isTensor = false, isScalar = false;
  };
  std::vector<Input> inputs;
  Value model;
  std::vector<Result> forwardResults;

  llvm::DenseSet<const ast::Expr *> launches;
  Value launchHooks; // functions that Triton calls at launches: heuristics, hooks of configurations
  bool isInHook = false;
  unsigned launchCount = 0;
  std::vector<Violation> violations;
  std::function<std::string(const ast::Expr &)> kernelPath;
  std::function<const ast::FunctionDef *(const ast::Expr &)> kernelFunction;
  KernelReader reader;
};

struct Interpreter::Nesting {
  explicit Nesting(Interpreter &interpreter) : interpreter(interpreter) {
    if (++interpreter.nesting > maxNesting)
      interpreter.giveUp();
  }
  ~Nesting() { --interpreter.nesting; }
  Interpreter &interpreter;
};

} // namespace tilesmith::lint

#endif // TILESMITH_LINT_INTERPRETER_H
