#include "tilesmith/Frontend/Elsewhere.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

namespace tilesmith::frontend::asc2 {

static bool hasWord(llvm::StringRef words, llvm::StringRef wanted) {
  llvm::SmallVector<llvm::StringRef> list;
  words.split(list, ' ');
  return llvm::is_contained(list, wanted);
}

// The package people mean by a name they import it as.
static llvm::StringRef packageOf(llvm::StringRef name) {
  static constexpr std::pair<llvm::StringLiteral, llvm::StringLiteral> packages[] = {
#define TILESMITH_PACKAGE(name, package) {name, package},
#include "Elsewhere.def"
  };
  for (const auto &[alias, package] : packages)
    if (alias == name)
      return package;
  return {};
}

bool isPackage(llvm::StringRef name) { return !packageOf(name).empty(); }

bool Elsewhere::isFrom(llvm::StringRef origin) const {
  llvm::StringRef package = packageOf(origin);
  return hasWord(origins, package.empty() ? origin : package);
}

bool Elsewhere::isCalled(llvm::StringRef name) const { return hasWord(names, name); }

llvm::ArrayRef<Elsewhere> elsewhere() {
  static constexpr Elsewhere rows[] = {
#define TILESMITH_ELSEWHERE(origins, names, ours) {origins, names, ours},
#include "Elsewhere.def"
  };
  return rows;
}

} // namespace tilesmith::frontend::asc2
