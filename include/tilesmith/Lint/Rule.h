// A rule: what it wants to hear from the engine, and what it finds wrong with it. One file in lib/Lint/Rules each,
// which holds everything there is about the rule: id, name, the page about it, examples, the decision.
//
// Invariants
//  - ids and names are unique and never change their meaning; a rule that is gone leaves its id unused
//  - rules hear an event in the order of their ids, and do not know each other. What one has said about a place and a
//    spelling is not said again by another
#ifndef TILESMITH_LINT_RULE_H
#define TILESMITH_LINT_RULE_H

#include "tilesmith/Lint/Events.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <array>
#include <memory>

namespace tilesmith::lint {

enum class Severity : uint8_t {
  Error,   // the candidate is refused
  Warning, // it is told, and may be used
};

struct RuleInfo {
  llvm::StringLiteral id, name;
  Severity severity = Severity::Error;
  bool isOn = true;        // unless it is switched
  bool isAnywhere = false; // also hears of what forward cannot reach: at import, in the constructor
  llvm::StringLiteral what, why;
  // Candidates in short. Without imports of their own they follow a head that imports torch, nn, triton and tl, and
  // defines a kernel `double` and `run(x)`, which launches it.
  llvm::StringLiteral bad, good;
};

struct Finding {
  const RuleInfo *rule;
  ast::Range range;
  std::string call; // as it is written; may be empty
  std::string reason;
};

// Where a rule puts what it finds.
class Findings {
public:
  void add(const Event &event, std::string reason);
  // By place.
  std::vector<Finding> sorted() const;

private:
  friend class RuleSet;
  const RuleInfo *rule = nullptr; // that hears at the moment
  std::vector<Finding> found;
};

// A rule at work on one candidate. It may keep what it has heard.
class Rule {
public:
  using Hear = void (*)(Rule &rule, const Event &event, Findings &findings);
  virtual ~Rule() = default;
  // What it wants to hear.
  virtual void subscribe(llvm::function_ref<void(EventKind, Hear)> add) const = 0;
};

// Derived has `void on(const E &event, Findings &findings)` for each of Events.
template <typename Derived, typename... Events> class RuleOn : public Rule {
public:
  void subscribe(llvm::function_ref<void(EventKind, Hear)> add) const final {
    (add(Events::ofKind,
         [](Rule &rule, const Event &event, Findings &findings) {
           static_cast<Derived &>(rule).on(static_cast<const Events &>(event), findings);
         }),
     ...);
  }
};

struct RuleEntry {
  const RuleInfo *info;
  std::unique_ptr<Rule> (*make)();
};
template <typename T> RuleEntry entryOf(const RuleInfo &info) {
  return {&info, []() -> std::unique_ptr<Rule> { return std::make_unique<T>(); }};
}

// All rules, by id.
llvm::ArrayRef<RuleEntry> allRules();
// Id, name, severity, whether it is on, and the texts of all rules, as a JSON array.
std::string describeRules();

// The rules that are on for one candidate.
class RuleSet final : public Listener {
public:
  explicit RuleSet(llvm::ArrayRef<RuleEntry> entries);
  void hear(const Event &event) override;
  const Findings &getFindings() const { return findings; }

private:
  struct Subscription {
    const RuleInfo *info;
    Rule *rule;
    Rule::Hear hear;
  };
  std::vector<std::unique_ptr<Rule>> rules;
  std::array<std::vector<Subscription>, eventKinds> subscriptions;
  Findings findings;
};

} // namespace tilesmith::lint

#endif // TILESMITH_LINT_RULE_H
