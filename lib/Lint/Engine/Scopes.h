// Names: frames of the calls that are followed, their scopes, and the loops in them.
#ifndef TILESMITH_LINT_ENGINE_SCOPES_H
#define TILESMITH_LINT_ENGINE_SCOPES_H

#include "Part.h"

namespace tilesmith::lint {

// A way out of a function.
struct Result {
  Value value;
  State state;
  ast::Range range;
  bool isExempt; // returned for empty tensors only
};

struct Frame {
  // Where a loop is left or goes on early.
  struct Exits {
    State breaks, continues;
  };

  const ast::FunctionDef *function = nullptr; // null: module or class
  ObjectId scope = 0;
  ObjectId owner = 0; // class whose method this is
  Value self;
  std::vector<Result> results;
  std::vector<Exits> loops; // innermost last
  Value yields;
  bool hasYield = false;
  bool yieldsInTry = false; // where what is raised may be caught
  unsigned tryDepth = 0;    // bodies around us whose exceptions may be caught in this function
  unsigned emptyDepth = 0;  // branches around us that are taken for empty tensors only
};

class Scopes : public Part {
public:
  // Stands for the name the file is imported by, which is not known but is not "__main__".
  static constexpr llvm::StringLiteral ownName = "<name>";

  explicit Scopes(Interpreter &interpreter);

  ObjectId getModule() const { return module; }
  Frame &frame() { return frames.back(); }
  Frame &frameAt(size_t depth) { return frames[depth]; }
  size_t depth() const { return frames.size(); }
  void push(Frame frame) { frames.push_back(std::move(frame)); }
  Frame pop();
  // How many calls of a function are being followed.
  size_t callsOf(const ast::FunctionDef &function) const;

  Value lookUp(llvm::StringRef name);
  void assignName(llvm::StringRef name, const Value &value);
  // `global` and `nonlocal`.
  void declareElsewhere(llvm::StringRef name, bool isNonlocal);
  // `from module import *`.
  void addStar(llvm::StringRef module) { starModules.push_back(module); }
  llvm::ArrayRef<llvm::StringRef> getStarModules() const { return starModules; }

private:
  ObjectId module = 0;
  std::vector<Frame> frames;
  std::vector<llvm::StringRef> starModules;
};

} // namespace tilesmith::lint

#endif // TILESMITH_LINT_ENGINE_SCOPES_H
