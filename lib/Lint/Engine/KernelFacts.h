// What a kernel does, read from its body: whether it uses its language, and into which parameters it stores.
//
// Addresses are followed through local names, pointer arithmetic, block pointers, descriptors and device functions. A
// value that was loaded is not an address, unless stores have no other.
#ifndef TILESMITH_LINT_KERNELFACTS_H
#define TILESMITH_LINT_KERNELFACTS_H

#include "tilesmith/Frontend/Ast.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/ADT/SmallVector.h"

namespace tilesmith::lint {

struct KernelFacts {
  bool usesLanguage = false;
  bool stores = false;
  llvm::SmallBitVector written; // by parameter
  llvm::SmallBitVector loaded;  // by parameter: what is read from it may be an address that is stored to
  llvm::SmallBitVector result;  // parameters whose addresses a device function may return
  // What the body, and device functions it calls, read of names that are not its own, and whether it calls it.
  struct Outer {
    const ast::Expr *expr;
    const ast::Call *call; // or null
    bool operator==(const Outer &) const = default;
  };
  llvm::SmallVector<Outer, 4> outer;
};

// How names of a module are understood inside a kernel.
struct KernelNames {
  llvm::function_ref<std::string(const ast::Expr &)> path;                  // dotted path, or empty
  llvm::function_ref<const ast::FunctionDef *(const ast::Expr &)> function; // a function of the file, or null
};

class KernelReader {
public:
  explicit KernelReader(KernelNames names) : names(names) {}
  const KernelFacts &read(const ast::FunctionDef &kernel);

private:
  class Body;
  KernelNames names;
  llvm::DenseMap<const ast::FunctionDef *, KernelFacts> known;
  unsigned depth = 0;
};

} // namespace tilesmith::lint

#endif // TILESMITH_LINT_KERNELFACTS_H
