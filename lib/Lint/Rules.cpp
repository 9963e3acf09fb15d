// The registry of rules, and the set of those that listen.
#include "tilesmith/Lint/Rule.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/JSON.h"

#include <tuple>

namespace tilesmith::lint {

// Rules/X.cpp defines ruleX. CMake lists the files.
#define RULE(name) RuleEntry rule##name();
#include "tilesmith/Lint/Rules.inc"
#undef RULE

llvm::ArrayRef<RuleEntry> allRules() {
  static const auto *rules = [] {
    auto *all = new std::vector<RuleEntry>{
#define RULE(name) rule##name(),
#include "tilesmith/Lint/Rules.inc"
#undef RULE
    };
    llvm::sort(*all, [](const RuleEntry &a, const RuleEntry &b) { return a.info->id < b.info->id; });
    return all;
  }();
  return *rules;
}

std::string describeRules() {
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::json::OStream json(os);
  json.array([&] {
    for (const RuleEntry &entry : allRules()) {
      const RuleInfo &info = *entry.info;
      json.object([&] {
        json.attribute("id", info.id);
        json.attribute("name", info.name);
        json.attribute("severity", info.severity == Severity::Error ? "error" : "warning");
        json.attribute("on", info.isOn);
        json.attribute("anywhere", info.isAnywhere);
        json.attribute("what", info.what);
        json.attribute("why", info.why);
        json.attribute("bad", info.bad);
        json.attribute("good", info.good);
      });
    }
  });
  return text;
}

void Findings::add(const Event &event, std::string reason) {
  auto isSame = [&](const Finding &known) { return known.range == event.range && known.call == event.spelled; };
  if (event.spelled.empty() || llvm::none_of(found, isSame))
    found.push_back({rule, event.range, event.spelled, std::move(reason)});
}

std::vector<Finding> Findings::sorted() const {
  std::vector<Finding> result = found;
  auto place = [](const Finding &finding) {
    const ast::Range &range = finding.range;
    return std::tie(range.line, range.column, finding.call, range.endLine, range.endColumn);
  };
  llvm::sort(result, [&](const Finding &a, const Finding &b) { return place(a) < place(b); });
  return result;
}

RuleSet::RuleSet(llvm::ArrayRef<RuleEntry> entries) {
  for (const RuleEntry &entry : entries) {
    Rule &rule = *rules.emplace_back(entry.make());
    rule.subscribe(
        [&](EventKind kind, Rule::Hear hear) { subscriptions[unsigned(kind)].push_back({entry.info, &rule, hear}); });
  }
}

void RuleSet::hear(const Event &event) {
  for (const Subscription &subscription : subscriptions[unsigned(event.kind)]) {
    if (event.phase != Phase::Forward && !subscription.info->isAnywhere)
      continue;
    findings.rule = subscription.info;
    subscription.hear(*subscription.rule, event, findings);
  }
}

} // namespace tilesmith::lint
