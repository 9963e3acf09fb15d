// A rule about how kernels are written (docs/lint): one file in lib/Lint/KernelRules or lib/Lint/OperatorRules each,
// which holds everything there is about the rule: id, page, examples, the decision.
//
// Invariants
//  - ids and names are unique and never change their meaning
//  - rules read facts (Kernels.h) and do not know each other
//  - a place is told once by a rule, whatever number of kernels lead there
#ifndef TILESMITH_LINT_KERNELRULE_H
#define TILESMITH_LINT_KERNELRULE_H

#include "tilesmith/Lint/Kernels.h"

namespace tilesmith::lint {

enum class Level : uint8_t { Error, Warning, Info, S0, S1, S2, S3 };
llvm::StringRef spelling(Level level);

// What a file is: by its name, in the folder of an operator.
enum class Role : uint8_t { Kernel, Impl, Golden, Test };
std::optional<Role> parseRole(llvm::StringRef name);

struct KernelRuleInfo {
  llvm::StringLiteral id, name;
  Level level = Level::Error;
  Role role = Role::Kernel;   // Kernel: files that are not part of an operator's folder, too
  unsigned stages = 0;        // of an operator, a bit each; 0: always
  bool isOn = true;           // unless it is switched on
  bool isPortability = false; // our compiler takes it, upstream's does not
  bool isLatest = false;      // only in the profile `latest`
  llvm::StringLiteral what, why, use;
  // Files in short. Without imports of their own they follow `import asc`, `import asc2` and `import numpy as np`.
  llvm::StringLiteral bad, good;
};
constexpr unsigned stage(unsigned n) { return 1u << n; }
constexpr unsigned buildStages = stage(5) | stage(6);

struct Edit {
  ast::Range range; // what is replaced, by whole columns
  std::string text;
};
struct KernelFinding {
  const KernelRuleInfo *rule;
  ast::Range range;
  std::string message;
  std::vector<Edit> edits;    // a safe fix; none if empty
  std::optional<Level> level; // instead of the rule's
};

struct KernelLintOptions {
  Role role = Role::Kernel;
  unsigned stage = 0;    // of the operator; 0: unknown, all rules. Rules in `only` run in any
  bool isCompat = false; // exactly upstream's conditions: own body only, one finding per rule
  bool isLatest = false;
  bool isPortable = true; // tell what upstream does not take
  std::vector<std::string> on, off, only;
  std::string exports; // names that modules of the languages have: "asc2.load", one on a line; empty: not known
};

class KernelReport {
public:
  explicit KernelReport(const KernelLintOptions &options) : options(options) {}
  KernelFinding &add(const ast::Range &range, std::string message);
  bool isCompat() const { return options.isCompat; }
  unsigned stage() const { return options.stage; }
  // Whether a module of ours has this name; true where that is not known.
  bool exports(llvm::StringRef path) const;
  std::vector<KernelFinding> take();

private:
  friend std::vector<KernelFinding> lintKernels(const KernelFile &, const KernelLintOptions &);
  const KernelLintOptions &options;
  const KernelRuleInfo *rule = nullptr;
  std::vector<KernelFinding> found;
};

struct KernelRuleEntry {
  const KernelRuleInfo *info;
  void (*check)(const KernelFile &file, KernelReport &report);
};

// All of them, by id.
llvm::ArrayRef<KernelRuleEntry> allKernelRules();
std::string describeKernelRules();

// By place.
std::vector<KernelFinding> lintKernels(const KernelFile &file, const KernelLintOptions &options);
std::string toJson(llvm::ArrayRef<KernelFinding> findings);
// What rules about a folder need to know of one file: entries, wrappers, tests, as a JSON object.
std::string describeFile(const KernelFile &file);

} // namespace tilesmith::lint

#endif // TILESMITH_LINT_KERNELRULE_H
