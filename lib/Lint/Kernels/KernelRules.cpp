// The registry of rules about kernels, and their run over one file.
#include "tilesmith/Lint/KernelRule.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/JSON.h"

#include <array>
#include <tuple>

namespace tilesmith::lint {

// KernelRules/X.cpp and OperatorRules/X.cpp define ruleX. CMake lists the files.
#define RULE(name) KernelRuleEntry rule##name();
#include "tilesmith/Lint/KernelRules.inc"
#undef RULE

static constexpr llvm::StringLiteral levels[] = {"error", "warning", "info", "S0", "S1", "S2", "S3"};
static constexpr llvm::StringLiteral roles[] = {"kernel", "impl", "golden", "test"};

llvm::StringRef spelling(Level level) { return levels[unsigned(level)]; }

std::optional<Role> parseRole(llvm::StringRef name) {
  auto found = llvm::find(roles, name);
  return found == std::end(roles) ? std::nullopt : std::optional(Role(found - std::begin(roles)));
}

llvm::ArrayRef<KernelRuleEntry> allKernelRules() {
  static const auto *rules = [] {
    auto *all = new std::vector<KernelRuleEntry>{
#define RULE(name) rule##name(),
#include "tilesmith/Lint/KernelRules.inc"
#undef RULE
    };
    llvm::sort(*all, [](const auto &a, const auto &b) { return a.info->id < b.info->id; });
    return all;
  }();
  return *rules;
}

std::string describeKernelRules() {
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::json::OStream json(os);
  json.array([&] {
    for (const KernelRuleEntry &entry : allKernelRules()) {
      const KernelRuleInfo &info = *entry.info;
      json.object([&] {
        json.attribute("id", info.id);
        json.attribute("name", info.name);
        json.attribute("severity", spelling(info.level));
        json.attribute("role", roles[unsigned(info.role)]);
        json.attributeArray("stages", [&] {
          for (unsigned n = 1; n != 8; ++n)
            if (info.stages & stage(n))
              json.value(n);
        });
        json.attribute("on", info.isOn);
        json.attribute("portability", info.isPortability);
        json.attribute("latest", info.isLatest);
        json.attribute("what", info.what);
        json.attribute("why", info.why);
        json.attribute("use", info.use);
        json.attribute("bad", info.bad);
        json.attribute("good", info.good);
      });
    }
  });
  return text;
}

KernelFinding &KernelReport::add(const ast::Range &range, std::string message) {
  found.push_back({rule, range, std::move(message), {}, std::nullopt});
  return found.back();
}

bool KernelReport::exports(llvm::StringRef path) const {
  llvm::StringRef names = options.exports;
  if (names.empty())
    return true;
  std::string line = "\n" + path.str() + "\n";
  return names.contains(line);
}

std::vector<KernelFinding> KernelReport::take() {
  auto place = [](const KernelFinding &it) {
    return std::tie(it.range.line, it.range.column, it.rule->id, it.range.endLine, it.range.endColumn, it.message);
  };
  llvm::sort(found, [&](const auto &a, const auto &b) { return place(a) < place(b); });
  found.erase(
      std::unique(found.begin(), found.end(), [&](const auto &a, const auto &b) { return place(a) == place(b); }),
      found.end());
  return std::move(found);
}

static bool isWanted(const KernelRuleInfo &info, const KernelLintOptions &options) {
  if (info.role != options.role)
    return false;
  auto names = [&](const std::vector<std::string> &list) {
    return llvm::is_contained(list, info.id) || llvm::is_contained(list, info.name);
  };
  if (!options.only.empty() && !names(options.only))
    return false;
  if (names(options.off))
    return false;
  if (info.isLatest && !options.isLatest)
    return false;
  if (info.isPortability && !options.isPortable)
    return false;
  if (options.only.empty() && options.stage && info.stages && !(info.stages & stage(options.stage)))
    return false;
  return info.isOn || names(options.on) || names(options.only);
}

std::vector<KernelFinding> lintKernels(const KernelFile &file, const KernelLintOptions &options) {
  KernelReport report(options);
  for (const KernelRuleEntry &entry : allKernelRules()) {
    if (!isWanted(*entry.info, options))
      continue;
    report.rule = entry.info;
    size_t before = report.found.size();
    entry.check(file, report);
    if (options.isCompat && report.found.size() > before + 1)
      report.found.resize(before + 1);
  }
  return report.take();
}

std::string toJson(llvm::ArrayRef<KernelFinding> findings) {
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::json::OStream json(os);
  auto place = [&](const ast::Range &range) {
    json.attribute("line", range.line);
    json.attribute("column", range.column + 1);
    json.attribute("end_line", range.endLine);
    json.attribute("end_column", range.endColumn + 1);
  };
  json.array([&] {
    for (const KernelFinding &finding : findings)
      json.object([&] {
        json.attribute("rule", finding.rule->id);
        json.attribute("severity", spelling(finding.level.value_or(finding.rule->level)));
        json.attribute("message", finding.message);
        place(finding.range);
        json.attribute("hint", finding.rule->use);
        json.attribute("portability", finding.rule->isPortability);
        if (!finding.edits.empty())
          json.attributeArray("edits", [&] {
            for (const Edit &edit : finding.edits)
              json.object([&] {
                place(edit.range);
                json.attribute("text", edit.text);
              });
          });
      });
  });
  return text;
}

} // namespace tilesmith::lint
