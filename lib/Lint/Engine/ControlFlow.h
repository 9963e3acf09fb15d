// Branches, loops, handlers, contexts and matches.
#ifndef TILESMITH_LINT_ENGINE_CONTROLFLOW_H
#define TILESMITH_LINT_ENGINE_CONTROLFLOW_H

#include "Operators.h"

namespace tilesmith::lint {

class ControlFlow : public Part {
public:
  explicit ControlFlow(Interpreter &interpreter) : Part(interpreter) {}

  // Runs both sides of a branch from the same state and joins what is left of them.
  void branch(Truth truth, const ast::Expr *condition, llvm::function_ref<void()> first,
              llvm::function_ref<void()> second, bool mayFallThrough = true);
  // Something that may happen or not.
  void perhaps(llvm::function_ref<void()> side);

  // What a value says about data on which the way to here depends. Inside of OnData, and in any case.
  Value mark(const Value &value) const { return onData ? marked(value) : value; }
  static Value marked(const Value &value);
  // While the way that is followed depends on numbers read from a tensor.
  struct OnData {
    OnData(ControlFlow &control, bool isOnData) : control(control), isOnData(isOnData) { control.onData += isOnData; }
    ~OnData() { control.onData -= isOnData; }
    ControlFlow &control;
    bool isOnData;
  };
  // Whether the value was read from a tensor.
  bool isData(const Value &value) const;
  // An exception may be raised at any statement in a try; here `value`, from which handlers get what it holds.
  void mayRaise();
  void keepRaised(const Value &value);

  void execIf(const ast::If &stmt);
  void execFor(const ast::For &stmt);
  void execWhile(const ast::While &stmt);
  void execTry(const ast::Try &stmt);
  void execWith(const ast::With &stmt);
  void execMatch(const ast::Match &stmt);

private:
  friend struct OnData;
  // A body that runs at least once; the second round sees what the first left.
  void loop(bool isEndless, llvm::function_ref<void()> body, ast::Body orElse);
  // Of how many places in older objects a tensor can be reached.
  size_t countPlaces(ObjectId limit) const;
  Value raisedValue() const;

  std::vector<State *> tries; // states at which something may be raised, innermost last
  Value raised;               // what exceptions hold
  unsigned onData = 0;
};

} // namespace tilesmith::lint

#endif // TILESMITH_LINT_ENGINE_CONTROLFLOW_H
