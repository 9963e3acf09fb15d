// Calls: of functions, classes and objects of the file; what is outside goes on to Libraries.
#ifndef TILESMITH_LINT_ENGINE_CALLS_H
#define TILESMITH_LINT_ENGINE_CALLS_H

#include "Scopes.h"

namespace tilesmith::lint {

class Calls : public Part {
public:
  explicit Calls(Interpreter &interpreter) : Part(interpreter) {}

  Value call(const Value &callee, const Arguments &arguments, Site site);
  Value callClass(ObjectId cls, const Arguments &arguments, Site site);
  Value callInstance(const Atom &atom, const Arguments &arguments, Site site);
  // Something whose results are kept from call to call.
  Value callCached(const Value &callee, const Arguments &arguments, Site site);
  // Something outside of which no more is known.
  Value callUnknown(llvm::StringRef path, const Arguments &arguments, Site site);
  // Whether tensors are among the arguments, or in objects of the file that are.
  bool handsTensors(const Arguments &arguments) const;

  // The ways out of the last function that was called from the outside: of forward.
  llvm::ArrayRef<Result> getOutermostResults() const { return outermost; }

private:
  static constexpr unsigned maxCalls = 64;

  Value callAtom(const Atom &atom, const Arguments &arguments, Site site);
  Value callObject(const Atom &atom, const Arguments &arguments, Site site);
  Value callFunction(ObjectId function, const Arguments &arguments, Site site);
  Value callBound(const Object &bound, const Arguments &arguments, Site site);
  Value callSequential(const Object &modules, const Arguments &arguments, Site site);
  Value callForeign(llvm::StringRef path, const Arguments &arguments, Site site);
  Value opaque(const Arguments &arguments, Site site, const Value &plain);
  void tellUnresolved(UnresolvedCall::Callee callee, const Arguments &arguments, Site site);
  void bindParameters(const Object &function, const ast::FunctionDef &node, const Arguments &arguments, Object &scope);
  void initDataClass(ObjectId cls, const Value &instance, const Arguments &arguments, Site site);
  // What a decorator of another module is given while the file is imported, if it is called like one; else null.
  const Value *decorated(const Arguments &arguments) const;

  std::vector<Result> outermost;
  llvm::DenseSet<const ast::FunctionDef *> wasCut; // recursions that were not followed to their ends
};

} // namespace tilesmith::lint

#endif // TILESMITH_LINT_ENGINE_CALLS_H
