// The kernels of a file, and how names are understood inside them.
#ifndef TILESMITH_LINT_ENGINE_KERNELTABLE_H
#define TILESMITH_LINT_ENGINE_KERNELTABLE_H

#include "KernelFacts.h"
#include "Part.h"

#include "tilesmith/Lint/Engine.h"

#include "llvm/ADT/StringMap.h"

#include <functional>

namespace tilesmith::lint {

struct KernelInfo {
  const ast::FunctionDef *function; // null: written in another language
  std::string name;
  ast::Range range;
  Dsl dsl;
  ObjectId scope = 0; // in which it was made; 0: not made
};

class KernelTable : public Part {
public:
  explicit KernelTable(Interpreter &interpreter);

  // The number of a kernel, which is new or known.
  unsigned add(const ast::FunctionDef *function, llvm::StringRef name, const ast::Range &range, Dsl dsl,
               ObjectId scope = 0);
  const KernelInfo &get(unsigned number) const { return kernels[number]; }
  llvm::ArrayRef<KernelInfo> all() const { return kernels; }
  const KernelFacts &factsOf(const ast::FunctionDef &kernel) { return reader.read(kernel); }
  // Kernels anywhere below, also those in functions that are never called, and imports that explain their names.
  void collect(ast::Body body);

private:
  void collectIn(const ast::Node &node);
  void collectImports(const ast::Import &import);
  // Dotted path of a name inside a kernel, as the module has it once it is imported.
  std::string pathOf(const ast::Expr &expr) const;
  const ast::FunctionDef *functionOf(const ast::Expr &expr) const;

  std::vector<KernelInfo> kernels;
  llvm::StringMap<std::string> staticNames; // imports anywhere in the file, for kernels that are never made
  std::function<std::string(const ast::Expr &)> kernelPath;
  std::function<const ast::FunctionDef *(const ast::Expr &)> kernelFunction;
  KernelReader reader;
};

} // namespace tilesmith::lint

#endif // TILESMITH_LINT_ENGINE_KERNELTABLE_H
