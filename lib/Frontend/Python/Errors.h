// Errors about the kernel. The first one wins; after it every function returns an invalid value (or false) up to the
// top.
#ifndef TILESMITH_LIB_FRONTEND_PYTHON_ERRORS_H
#define TILESMITH_LIB_FRONTEND_PYTHON_ERRORS_H

#include "Names.h"

namespace tilesmith::frontend {

class Errors {
public:
  Errors(Diagnostic &diagnostic, HostEval &host, const Names &names)
      : diagnostic(diagnostic), host(host), names(names) {}

  // `exception` is the Python class; the value returned is invalid.
  Value fail(const Range &range, llvm::StringRef exception, const llvm::Twine &message, const llvm::Twine &help = "");
  Value failHost(const Range &range); // what a host object raised
  Value failHost(const Range &range, const HostError &error, const llvm::Twine &help = "");
  Value failUnsupported(const Range &range, llvm::StringRef what, const llvm::Twine &help = "");
  void addNote(const Range &range, const llvm::Twine &text);
  void noteMissing(llvm::StringRef builtin) { diagnostic.missing = builtin.str(); }
  bool hasFailed() const { return diagnostic.isSet(); }

  // Takes the error back, to report it only if it turns out to matter; and reports it, unless another one came first.
  Diagnostic take() { return std::exchange(diagnostic, Diagnostic()); }
  void report(const Diagnostic &error);

private:
  Diagnostic &diagnostic;
  HostEval &host;
  const Names &names;
};

} // namespace tilesmith::frontend

#endif // TILESMITH_LIB_FRONTEND_PYTHON_ERRORS_H
