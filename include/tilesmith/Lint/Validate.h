// The static degeneration check: does a candidate really compute in its kernels?
//
// A candidate is a module with a class ModelNew. It is clean when no rule finds anything. Findings become what the
// specification of the check calls a regression: type 1 without a kernel that stores, type 2 without a result that
// comes from one, type 3 for everything else. The first type that occurs is the verdict. docs/validate.md says what is
// followed, docs/rules.md has the rules.
//
// Names and types of that specification are here and nowhere else in Lint.
#ifndef TILESMITH_LINT_VALIDATE_H
#define TILESMITH_LINT_VALIDATE_H

#include "tilesmith/Lint/Engine.h"
#include "tilesmith/Lint/Rule.h"

namespace tilesmith::lint {

struct ValidateOptions {
  std::optional<Dsl> dsl; // only kernels of this language count; all of them otherwise
  // Ids of rules, switched on or off. Off wins.
  std::vector<std::string> on, off;
};

struct Check {
  bool passed = false;
  std::string error; // empty: null
  ast::Range range;  // where the error is; line 0 if nowhere
};

struct Report {
  int regressionType = 0; // 0: clean
  Check kernelExists, kernelCalled, noForbiddenOps;
  std::vector<KernelFact> kernels; // by line
  std::vector<std::string> called; // sorted
  std::vector<Finding> violations; // by line
  std::vector<Finding> warnings;   // by line: of rules that refuse nothing

  bool isValid() const { return regressionType == 0; }
  std::string suggestion() const;
  // The object of the specification on one line, keys in its order.
  std::string toJson(llvm::StringRef filepath) const;
};

// What a file that does not parse gets: type 1.
Report refuse(std::string error, ast::Range range);

Report validate(const ast::Tree &tree, const ast::SourceFile &source, const ValidateOptions &options);
// By these rules, and no others.
Report validate(const ast::Tree &tree, const ast::SourceFile &source, std::optional<Dsl> dsl,
                llvm::ArrayRef<RuleEntry> rules);

} // namespace tilesmith::lint

#endif // TILESMITH_LINT_VALIDATE_H
