// What rules about operators ask of PyPTO code.
#ifndef TILESMITH_LINT_PYPTO_H
#define TILESMITH_LINT_PYPTO_H

#include "tilesmith/Lint/Kernels.h"

#include "llvm/ADT/StringSet.h"

namespace tilesmith::lint::pypto {

// A decorator written `@pypto.frontend.jit` or a call of it: the only form upstream's tools know.
bool isLiteralJit(const ast::Expr &decorator);
// Any decorator whose last name is jit.
bool isSomeJit(const ast::Expr &decorator);
// Functions decorated in the literal form.
llvm::SmallVector<const Function *> literalEntries(const KernelFile &file);
// Entries that a `*_wrapper` calls, or all of them.
llvm::SmallVector<const Function *> primaryEntries(const KernelFile &file);
// An entry, with its helpers; for upstream's conditions itself alone.
llvm::SmallVector<const Function *> codeOf(const KernelFile &file, const Function &entry, bool isCompat);
// All code that runs for entries: each function once.
llvm::SmallVector<const Function *> kernelCode(const KernelFile &file, bool isCompat);
llvm::SmallVector<const Function *> wrappers(const KernelFile &file);

bool isLoop(llvm::StringRef path); // pypto.loop and pypto.loop_unroll
bool isTensor(const KernelFile &file, const ast::Parameter &parameter, const Function &in);
bool isDynamic(const KernelFile &file, const ast::Parameter &parameter, const Function &in);
// Shape, dtype of a tensor's annotation; null if it does not say.
const ast::Expr *shapeOf(const KernelFile &file, const ast::Parameter &parameter, const Function &in);
const ast::Expr *dtypeOf(const KernelFile &file, const ast::Parameter &parameter, const Function &in);
// Parameters of a function that it writes into, itself or through functions it calls.
llvm::StringSet<> writtenParameters(const KernelFile &file, const Function &function);
// The last name of what is called: of its path where that is known, else as it is written.
std::string calledName(const CallFact &call);
// Everything a file imports: `import`, import_module, files that are run, code in strings. The module, and
// "module.name" of names imported from it.
void eachImport(const KernelFile &file, llvm::function_ref<void(const ast::Range &, llvm::StringRef)> visit);
// Whether pypto has this name, "loop" or "experimental.nop".
bool hasName(llvm::StringRef name);

} // namespace tilesmith::lint::pypto

#endif // TILESMITH_LINT_PYPTO_H
