// What is written in a file about the type of a number or tile.
#ifndef TILESMITH_LINT_TYPES_H
#define TILESMITH_LINT_TYPES_H

#include "tilesmith/Lint/Kernels.h"

namespace tilesmith::lint {

// "float16", "int64": of a conversion, of what was made with a type, of an annotated parameter, through names and
// arithmetic. "integer" and "float" of literals; empty where the file does not say.
std::string writtenType(const KernelFile &file, const ast::Expr *expr, const Function &in, unsigned hops = 8);
// Whether both are known and are not one: an integer literal takes the other's type if that is an integer, and a
// literal with a point that of a float.
bool differ(llvm::StringRef one, llvm::StringRef other);

} // namespace tilesmith::lint

#endif // TILESMITH_LINT_TYPES_H
