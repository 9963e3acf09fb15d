// What a file of kernels holds, for rules about how kernels are written (KernelRule.h): its functions, which of them
// run on the device, and what stands in them. Facts only; whether they are allowed is for rules to say.
//
// The judge's engine (Engine.h) follows values of one candidate; this one reads a file once and keeps what stands
// where, because thousands of files are read at a time.
//
// Invariants
//  - a function runs on the device if a decorator makes it a kernel, or if one that does calls it by its name
//  - paths are resolved names: `load` of `from asc2 import load as l; l(...)` is "asc2.load". A local name hides a
//  module
//  - no comment, string or name alone decides anything
#ifndef TILESMITH_LINT_KERNELS_H
#define TILESMITH_LINT_KERNELS_H

#include "tilesmith/Frontend/Ast.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tilesmith::lint {

enum class Language : uint8_t { None, Asc, Asc2, Pypto };

// A statement or expression, and where in its function it stands.
struct Place {
  const ast::Node *node;
  int loop;          // index of the innermost loop in Function::loops, -1 outside
  unsigned branches; // `if` around it
  unsigned handlers; // `try` around it
};
struct CallFact {
  const ast::Call *call;
  std::string path; // what is called; empty if that has no path
  int loop;
  unsigned branches;
};
struct LoopFact {
  const ast::Stmt *stmt; // For or While
  const ast::Call *over; // what a `for` goes over, if that is a call, or null
  std::string path;      // of the call
  int parent;            // index of the loop around it, or -1
  const ast::For *asFor() const { return llvm::dyn_cast<ast::For>(stmt); }
};

// A function of the file, or the module's own code.
struct Function {
  const ast::FunctionDef *def = nullptr; // null: the module's own code
  const Function *parent = nullptr;      // the function around it, or null
  bool isMethod = false, isAsync = false;
  Language language = Language::None;   // of the decorator that makes it a kernel
  const ast::Expr *decorator = nullptr; // that one, or null
  Language device = Language::None;     // of the kernels that run it, itself included
  bool isCalledOnDevice = false;        // another function of the device calls it by its name
  bool isHelper = false;                // decorated, but for kernels to call, not for the host
  std::vector<Place> places;            // everything in it, but for functions and classes inside it
  std::vector<LoopFact> loops;
  std::vector<CallFact> calls;
  // Names it binds, and what to; null where that is not the value of one plain assignment.
  llvm::StringMap<llvm::SmallVector<const ast::Expr *, 1>> bound;

  llvm::StringRef name() const { return def ? def->name : "<module>"; }
  bool isKernel() const { return language != Language::None; }
  // A kernel that the host launches.
  bool isEntry() const { return isKernel() && !isCalledOnDevice && !isHelper; }
  template <typename T> void each(llvm::function_ref<void(const T &, const Place &)> visit) const {
    for (const Place &place : places)
      if (auto *node = llvm::dyn_cast<T>(place.node))
        visit(*node, place);
  }
};

// `kernel[blocks](arguments)`, or `kernel(arguments)` of the host.
struct LaunchFact {
  const Function *kernel;
  const Function *from;
  const ast::Call *call;
  const ast::Expr *blocks; // null: called without
  int loop;                // of `from`
  bool isResultUsed;
};

class KernelFile {
public:
  KernelFile(const ast::Tree &tree, const ast::SourceFile &source);
  KernelFile(const KernelFile &) = delete;

  const ast::SourceFile &getSource() const { return source; }
  const ast::Tree &getTree() const { return tree; }
  const Function &getModule() const { return *functions.front(); }
  // All functions, methods and functions inside functions too; the first is the module's own code.
  llvm::ArrayRef<std::unique_ptr<Function>> all() const { return functions; }
  // A function at the top of the file.
  const Function *find(llvm::StringRef name) const { return byName.lookup(name); }
  // The function of the file an expression stands for: by its name, by another name it was given, through
  // functools.partial, or as a method of `self` or of a class. Null if it stands for something else.
  const Function *functionOf(const ast::Expr *expr, const Function &in, unsigned hops = 10) const;
  // Those that run on the device for kernels of one of these languages.
  llvm::SmallVector<const Function *> onDevice(std::initializer_list<Language> languages) const;
  llvm::SmallVector<const Function *> entries(std::initializer_list<Language> languages) const;
  // A function and those of the file it calls or hands over, directly or not. On the same side only: from a function of
  // the host no kernels, from one of the device nothing but the device.
  llvm::SmallVector<const Function *> withHelpers(const Function &function) const;
  llvm::ArrayRef<LaunchFact> launches() const { return launched; }

  // The path of a name or attribute as code of this function sees it; empty if it is not a chain of names. A name that
  // is only ever another one for something of a module is that.
  std::string path(const ast::Expr *expr, const Function &in, unsigned hops = 10) const;
  // The integer an expression is, if it is a literal, or names one through assignments (ten at most).
  std::optional<int64_t> integer(const ast::Expr *expr, const Function &in, unsigned hops = 10) const;
  // As integer, but also through + - * // of such.
  std::optional<int64_t> computed(const ast::Expr *expr, const Function &in, unsigned hops = 10) const;
  // The expression a name stands for: that of the only assignment to it. The expression itself if it is not a name.
  const ast::Expr *meaning(const ast::Expr *expr, const Function &in, unsigned hops = 10) const;
  bool imports(llvm::StringRef module) const;
  // The file does something with this language.
  bool uses(Language language) const;

private:
  class Reader;
  const ast::Tree &tree;
  const ast::SourceFile &source;
  std::vector<std::unique_ptr<Function>> functions;
  llvm::StringMap<const Function *> byName;
  llvm::StringMap<std::string> imported; // names of the module and the paths they stand for
  llvm::StringSet<> classes;
  llvm::ArrayRef<const Function *> usedBy(const Function &function) const;
  mutable llvm::DenseMap<const Function *, llvm::SmallVector<const Function *, 4>> used;
  std::vector<LaunchFact> launched;
};

// Both languages of kernels that launch `kernel[blocks](...)`.
inline constexpr std::initializer_list<Language> ascLanguages = {Language::Asc, Language::Asc2};

// Everything of one kind that runs on the device for kernels of these languages.
template <typename T>
void eachOnDevice(const KernelFile &file, std::initializer_list<Language> languages,
                  llvm::function_ref<void(const T &, const Place &, const Function &)> visit) {
  for (const Function *function : file.onDevice(languages))
    function->each<T>([&](const T &node, const Place &place) { visit(node, place, *function); });
}

// Whether the compiler knows the number while it compiles: literals, ConstExpr parameters, names of such.
bool isCompileTime(const KernelFile &file, const ast::Expr *expr, const Function &in);
// Whether a parameter is annotated asc.ConstExpr.
bool isConstExpr(const KernelFile &file, const ast::Parameter &parameter, const Function &in);
// A call that compares a result with what is expected, and fails if they differ.
bool isCheck(llvm::StringRef path);

// Children of a node in the order of the source. Functions, classes and lambdas are children too.
void forEachChild(const ast::Node &node, llvm::function_ref<void(const ast::Node &)> visit);
// A node and everything below it, but not into functions and classes.
void forEachBelow(const ast::Node &node, llvm::function_ref<void(const ast::Node &)> visit);

// `name` of a keyword argument, or null.
const ast::Expr *keyword(const ast::Call &call, llvm::StringRef name);
// The argument at a position or of this name, or null.
const ast::Expr *argument(const ast::Call &call, unsigned position, llvm::StringRef name);
// The source of a node on one line; empty if it goes over several.
std::string spelled(const ast::SourceFile &source, const ast::Range &range);
bool isString(const ast::Expr *expr, llvm::StringRef text);

} // namespace tilesmith::lint

#endif // TILESMITH_LINT_KERNELS_H
