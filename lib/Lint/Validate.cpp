// The decision: three checks in order, the first that fails gives the type. And the report as JSON.
#include "tilesmith/Lint/Validate.h"

#include "Interpreter.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/thread.h"

namespace tilesmith::lint {

std::optional<Dsl> parseDsl(llvm::StringRef name) {
  return llvm::StringSwitch<std::optional<Dsl>>(name)
      .Case("triton", Dsl::Triton)
      .Case("asc2", Dsl::Asc2)
      .Case("ascendc", Dsl::AscendC)
      .Default(std::nullopt);
}

Report refuse(std::string error, ast::Range range) {
  Report report;
  report.regressionType = 1;
  report.kernelExists.error = std::move(error);
  report.kernelExists.range = range;
  return report;
}

static void fail(Report &report, int type, Check &check, std::string error, ast::Range range = {}) {
  report.regressionType = type;
  check.error = std::move(error);
  check.range = range;
}

static Report follow(const ast::Tree &tree, const ast::SourceFile &source, const ValidateOptions &options) {
  Report report;
  Interpreter interpreter(tree, source, options);
  interpreter.importModule();
  bool hasForward = interpreter.hasForward();
  if (hasForward)
    interpreter.followModel();

  auto counts = [&](const KernelInfo &kernel) { return !options.dsl || kernel.dsl == *options.dsl; };
  bool stores = false;
  for (const KernelInfo &kernel : interpreter.kernels) {
    if (!counts(kernel))
      continue;
    KernelFacts facts;
    if (kernel.function)
      facts = interpreter.factsOf(*kernel.function);
    bool usesLanguage = !kernel.function || facts.usesLanguage;
    stores |= !kernel.function || facts.stores;
    report.kernels.push_back({kernel.name, kernel.range.line, usesLanguage});
  }
  llvm::sort(report.kernels, [](const KernelFact &a, const KernelFact &b) {
    return std::tie(a.line, a.name) < std::tie(b.line, b.name);
  });
  if (report.kernels.empty()) {
    fail(report, 1, report.kernelExists, "no kernel: no function is decorated with triton.jit, asc2.jit or the like");
    return report;
  }
  if (!stores) {
    ast::Range range;
    range.line = report.kernels[0].line;
    fail(report, 1, report.kernelExists, "shell kernel: no kernel loads and stores anything", range);
    return report;
  }
  report.kernelExists.passed = true;

  if (!hasForward) {
    fail(report, 2, report.kernelCalled,
         interpreter.modelRange.line ? "class ModelNew has no forward" : "no class ModelNew in the file",
         interpreter.modelRange);
    return report;
  }
  for (unsigned kernel : interpreter.called)
    if (counts(interpreter.kernels[kernel]))
      report.called.push_back(interpreter.kernels[kernel].name);
  llvm::sort(report.called);
  report.called.erase(llvm::unique(report.called), report.called.end());
  bool wasFollowed = llvm::none_of(interpreter.getViolations(),
                                   [](const Violation &violation) { return violation.call == "ModelNew"; });
  if (report.called.empty() && wasFollowed) {
    fail(report, 2, report.kernelCalled,
         interpreter.wasLaunched ? "kernels are launched, but what ModelNew.forward returns does not come from them"
                                 : "ModelNew.forward launches no kernel",
         interpreter.modelRange);
    return report;
  }
  report.kernelCalled.passed = true;

  report.violations = interpreter.getViolations();
  if (!report.violations.empty()) {
    size_t count = report.violations.size();
    fail(report, 3, report.noForbiddenOps,
         std::to_string(count) + (count == 1 ? " forbidden operation is" : " forbidden operations are") +
             " reachable from forward");
    return report;
  }
  report.noForbiddenOps.passed = true;
  return report;
}

Report validate(const ast::Tree &tree, const ast::SourceFile &source, const ValidateOptions &options) {
  // Its own stack: candidates may nest deeply, and the caller's may be small.
  constexpr unsigned stackBytes = 256u << 20;
  Report report;
  llvm::thread worker(std::optional<unsigned>(stackBytes), [&] { report = follow(tree, source, options); });
  worker.join();
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
          for (const Violation &violation : violations)
            json.object([&] {
              json.attribute("line", violation.range.line);
              json.attribute("call", clean(violation.call));
              json.attribute("reason", clean(violation.reason));
            });
        });
        error(noForbiddenOps);
      });
    });
  });
  return text;
}

} // namespace tilesmith::lint
