// Calls: builtins by name, methods, other jit functions (inlined and specialised per call), host functions (evaluated
// while compiling).
#ifndef TILESMITH_LIB_FRONTEND_PYTHON_CALLS_H
#define TILESMITH_LIB_FRONTEND_PYTHON_CALLS_H

#include "Builtins.h"
#include "Part.h"

namespace tilesmith::frontend {

class Calls : public Part {
public:
  using Part::Part;

  Value lower(const ast::Call &call);
  // `path` leads to the callee from the kernel, see HostEval::noteRead.
  Value call(const Value &callee, llvm::StringRef path, CallSite &site);
  Value callBuiltin(llvm::StringRef name, CallSite &site);

private:
  bool addArguments(const ast::Call &call, CallSite &site);
  Value callMethod(const Value &method, CallSite &site);
  Value callHost(const HostRef &callee, CallSite &site);
  Value inlineCall(const HostFunction &function, llvm::StringRef path, CallSite &site);
  Value inlineNested(const FunctionParts &function, CallSite &site);
  bool mayInline(const ast::FunctionDef &tree, const CallSite &site);
  // Lowers the body in a frame that knows its file and scope.
  Value inlineBody(const ast::FunctionDef &tree, Frame &inner, llvm::ArrayRef<Argument> arguments,
                   const CallSite &site);
  using DefaultOf = llvm::function_ref<Value(unsigned index)>;
  bool bindParameters(const ast::FunctionDef &tree, DefaultOf defaultOf, CallSite &site,
                      llvm::SmallVectorImpl<Argument> &arguments);
  bool checkParameter(const HostFunction &function, unsigned index, Argument &argument);
  bool bindArguments(const Signature &signature, CallSite &site, Arguments &bound);
};

} // namespace tilesmith::frontend

#endif // TILESMITH_LIB_FRONTEND_PYTHON_CALLS_H
