// The decision: three checks in order, the first that fails gives the type. And the report as JSON.
#include "tilesmith/Lint/Validate.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/JSON.h"

namespace tilesmith::lint {

// Rules of the first two checks; all others are of the third.
static int typeOf(const RuleInfo &rule) {
  return llvm::StringSwitch<int>(rule.id).Cases({"DG101", "DG102"}, 1).Cases({"DG201", "DG202"}, 2).Default(3);
}

Report refuse(std::string error, ast::Range range) {
  Report report;
  report.regressionType = 1;
  report.kernelExists.error = std::move(error);
  report.kernelExists.range = range;
  return report;
}

namespace {

// Hands events on to the rules, and keeps what the report says beside findings.
class Witness final : public Listener {
public:
  Witness(llvm::ArrayRef<RuleEntry> entries, Report &report) : rules(entries), report(report) {}
  void hear(const Event &event) override {
    if (event.kind == EventKind::KernelsRead)
      report.kernels = static_cast<const KernelsRead &>(event).kernels;
    if (event.kind == EventKind::ForwardFollowed)
      called = static_cast<const ForwardFollowed &>(event).called;
    rules.hear(event);
  }

  RuleSet rules;
  std::vector<std::string> called;

private:
  Report &report;
};

std::vector<RuleEntry> rulesThatAreOn(const ValidateOptions &options) {
  std::vector<RuleEntry> result;
  for (const RuleEntry &entry : allRules()) {
    bool isOn = entry.info->isOn || llvm::is_contained(options.on, entry.info->id);
    if (isOn && !llvm::is_contained(options.off, entry.info->id))
      result.push_back(entry);
  }
  return result;
}

} // namespace

Report validate(const ast::Tree &tree, const ast::SourceFile &source, const ValidateOptions &options) {
  return validate(tree, source, options.dsl, rulesThatAreOn(options));
}

Report validate(const ast::Tree &tree, const ast::SourceFile &source, std::optional<Dsl> dsl,
                llvm::ArrayRef<RuleEntry> rules) {
  Report report;
  Witness witness(rules, report);
  follow(tree, source, dsl, witness);

  std::vector<Finding> ofType[4];
  for (Finding &finding : witness.rules.getFindings().sorted())
    if (finding.rule->severity == Severity::Warning)
      report.warnings.push_back(std::move(finding));
    else
      ofType[typeOf(*finding.rule)].push_back(std::move(finding));

  auto passes = [&](int type, Check &check) {
    check.passed = ofType[type].empty();
    if (check.passed)
      return true;
    report.regressionType = type;
    check.error = ofType[type][0].reason;
    check.range = ofType[type][0].range;
    return false;
  };
  if (!passes(1, report.kernelExists))
    return report;
  report.called = std::move(witness.called);
  if (!passes(2, report.kernelCalled))
    return report;
  report.violations = std::move(ofType[3]);
  report.noForbiddenOps.passed = report.violations.empty();
  if (size_t count = report.violations.size()) {
    report.regressionType = 3;
    report.noForbiddenOps.error = std::to_string(count) +
                                  (count == 1 ? " forbidden operation is" : " forbidden operations are") +
                                  " reachable from forward";
  }
  return report;
}

std::string Report::suggestion() const {
  switch (regressionType) {
  case 1:
    return "Write a kernel that loads its inputs, computes, and stores its results.";
  case 2:
    return "Launch the kernel from ModelNew.forward and return the tensor it stores into.";
  case 3:
    return "Move these computations into the kernel; forward may only allocate, reshape and launch.";
  default:
    return "";
  }
}

std::string Report::toJson(llvm::StringRef filepath) const {
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::json::OStream json(os);
  // Sources may hold lone surrogates, which JSON cannot.
  auto clean = [](llvm::StringRef raw) { return llvm::json::isUTF8(raw) ? raw.str() : llvm::json::fixUTF8(raw); };
  auto error = [&](const Check &check) {
    if (check.error.empty())
      json.attribute("error", nullptr);
    else
      json.attribute("error", clean(check.error));
  };
  json.object([&] {
    json.attribute("valid", isValid());
    if (regressionType)
      json.attribute("regression_type", regressionType);
    else
      json.attribute("regression_type", nullptr);
    json.attribute("suggestion", suggestion());
    json.attribute("filepath", clean(filepath));
    json.attributeObject("checks", [&] {
      json.attributeObject("triton_kernel_exists", [&] {
        json.attribute("passed", kernelExists.passed);
        json.attributeArray("kernels", [&] {
          for (const KernelFact &kernel : kernels)
            json.object([&] {
              json.attribute("name", clean(kernel.name));
              json.attribute("line", kernel.line);
              json.attribute("has_tl_usage", kernel.usesLanguage);
            });
        });
        error(kernelExists);
      });
      json.attributeObject("kernel_called_from_forward", [&] {
        json.attribute("passed", kernelCalled.passed);
        json.attributeArray("called", [&] {
          for (const std::string &name : called)
            json.value(clean(name));
        });
        error(kernelCalled);
      });
      json.attributeObject("no_forbidden_torch_ops", [&] {
        json.attribute("passed", noForbiddenOps.passed);
        json.attributeArray("violations", [&] {
          for (const Finding &violation : violations)
            json.object([&] {
              json.attribute("line", violation.range.line);
              json.attribute("call", clean(violation.call));
              json.attribute("reason", clean(violation.reason));
              json.attribute("rule", violation.rule->id);
            });
        });
        error(noForbiddenOps);
      });
    });
  });
  return text;
}

} // namespace tilesmith::lint
