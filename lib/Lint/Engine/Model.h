// The life of a candidate: import, construction of ModelNew, two calls of forward.
#ifndef TILESMITH_LINT_ENGINE_MODEL_H
#define TILESMITH_LINT_ENGINE_MODEL_H

#include "Part.h"

#include "tilesmith/Lint/Engine.h"

namespace tilesmith::lint {

class Model : public Part {
public:
  explicit Model(Interpreter &interpreter) : Part(interpreter) {}

  void importModule(const ast::Tree &tree);
  // Whether ModelNew is a class with a forward.
  bool hasForward();
  // Follows construction and calls.
  void follow();
  // Tells what was found out about the file as a whole. dsl: kernels that count.
  void tellKernels(std::optional<Dsl> dsl);
  void tellForward(std::optional<Dsl> dsl);

private:
  Value construct();
  Value callForward(const Atom &model);
  void makeInputs(const ast::FunctionDef *forward, bool isMethod, Arguments &arguments);
  void tellReturned(const Value &result);

  Value model;
  ast::Range range;             // of the class
  std::vector<unsigned> called; // numbers of kernels whose results reach what forward returns
};

} // namespace tilesmith::lint

#endif // TILESMITH_LINT_ENGINE_MODEL_H
