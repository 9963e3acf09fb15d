// Names of other languages and libraries, and what asc2 has for them: for errors, and for the pages that compare them.
#ifndef TILESMITH_FRONTEND_ELSEWHERE_H
#define TILESMITH_FRONTEND_ELSEWHERE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace tilesmith::frontend::asc2 {

struct Elsewhere {
  llvm::StringLiteral origins; // packages, or "tile", "tensor", "number" for attributes of those; separated by spaces
  llvm::StringLiteral names;   // separated by spaces
  llvm::StringLiteral ours;

  bool isFrom(llvm::StringRef origin) const;
  bool isCalled(llvm::StringRef name) const;
};
llvm::ArrayRef<Elsewhere> elsewhere();
// Whether a name is that of a package with functions like ours, or what people import it as ("np").
bool isPackage(llvm::StringRef name);

} // namespace tilesmith::frontend::asc2

#endif // TILESMITH_FRONTEND_ELSEWHERE_H
