// The static degeneration check: does a candidate really compute in its kernels?
//
// A candidate is a module with a class ModelNew. It is clean when it defines a kernel, when what the kernel stores
// reaches the value that `forward` returns, and when nothing reachable from `forward` computes on tensors outside
// kernels. The first test that fails gives the regression type: 1, 2 or 3. docs/validate.md has the rules.
//
// Invariants
//  - nothing of the candidate is executed; the verdict is a function of its text and the options
//  - no input makes it crash, hang or use the caller's stack without bound: what is too large to follow is a violation
#ifndef TILESMITH_LINT_VALIDATE_H
#define TILESMITH_LINT_VALIDATE_H

#include "tilesmith/Frontend/Ast.h"

#include <optional>
#include <string>
#include <vector>

namespace tilesmith::lint {

enum class Dsl : uint8_t { Triton, Asc2, AscendC };
std::optional<Dsl> parseDsl(llvm::StringRef name);

struct ValidateOptions {
  std::optional<Dsl> dsl;      // only kernels of this language count; all of them otherwise
  bool strictLoops = false;    // Python loops and `append` reachable from forward are violations
  bool strictLaunches = false; // a second launch reachable from forward is a violation
};

struct KernelFact {
  std::string name;
  unsigned line;
  bool usesLanguage; // its body uses load, store or another name of the kernel language
};

struct Violation {
  ast::Range range;
  std::string call; // `torch.relu`, `x.sum()`, `self.conv(...)`, `@`
  std::string reason;
};

struct Check {
  bool passed = false;
  std::string error; // empty: null
  ast::Range range;  // where the error is; line 0 if nowhere
};

struct Report {
  int regressionType = 0; // 0: clean
  Check kernelExists, kernelCalled, noForbiddenOps;
  std::vector<KernelFact> kernels;   // by line
  std::vector<std::string> called;   // sorted
  std::vector<Violation> violations; // by line

  bool isValid() const { return regressionType == 0; }
  std::string suggestion() const;
  // The object of the specification on one line, keys in its order.
  std::string toJson(llvm::StringRef filepath) const;
};

// What a file that does not parse gets: type 1.
Report refuse(std::string error, ast::Range range);

Report validate(const ast::Tree &tree, const ast::SourceFile &source, const ValidateOptions &options);

} // namespace tilesmith::lint

#endif // TILESMITH_LINT_VALIDATE_H
