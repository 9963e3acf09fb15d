// What rules about an operator's folder need to know of one file, as JSON. They are in Python, because most of what
// they read is Markdown and YAML; what a file means is decided here.
#include "Pypto.h"
#include "tilesmith/Lint/KernelRule.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/JSON.h"

#include <cmath>

namespace tilesmith::lint {

using namespace ast;
using llvm::json::OStream;

static void describeParameters(OStream &json, const Function &function) {
  json.attributeArray("parameters", [&] {
    for (const Parameter &parameter : function.def->parameters)
      json.object([&] {
        json.attribute("name", parameter.name);
        json.attribute("required", !parameter.defaultValue);
        json.attribute("keyword_only", parameter.isKeywordOnly);
      });
  });
}

static void describeEntry(OStream &json, const KernelFile &file, const Function &entry) {
  bool isDynamic = false;
  for (const Parameter &parameter : entry.def->parameters)
    isDynamic |= pypto::isDynamic(file, parameter, entry);
  llvm::StringSet<> names, writes;
  unsigned loops = 0;
  for (const Function *function : file.withHelpers(entry)) {
    for (const LoopFact &loop : function->loops)
      loops += pypto::isLoop(loop.path);
    for (const auto &bound : function->bound)
      names.insert(bound.first());
  }
  writes = pypto::writtenParameters(file, entry);
  json.object([&] {
    json.attribute("name", entry.name());
    json.attribute("line", entry.def->nameRange.line);
    json.attribute("dynamic", isDynamic);
    json.attribute("loops", loops);
    describeParameters(json, entry);
    auto list = [&](llvm::StringRef name, const llvm::StringSet<> &set) {
      std::vector<llvm::StringRef> sorted(set.keys().begin(), set.keys().end());
      llvm::sort(sorted);
      json.attributeArray(name, [&] {
        for (llvm::StringRef it : sorted)
          json.value(it);
      });
    };
    list("names", names);
    list("writes", writes);
  });
}

// The number an expression is: a literal, or * / ** of such, through names.
static std::optional<double> numberOf(const KernelFile &file, const Expr *expr, const Function &in, unsigned hops = 8) {
  expr = file.meaning(expr, in);
  if (!expr || !hops--)
    return std::nullopt;
  if (auto *constant = llvm::dyn_cast<Constant>(expr))
    return constant->constant == ConstantKind::Float ? std::optional(constant->number)
           : constant->constant == ConstantKind::Int ? std::optional(double(constant->integer))
                                                     : std::nullopt;
  if (auto *unary = llvm::dyn_cast<UnaryOp>(expr)) {
    std::optional<double> value = numberOf(file, unary->operand, in, hops);
    return value && unary->op == UnaryOperator::USub ? std::optional(-*value) : std::nullopt;
  }
  auto *binary = llvm::dyn_cast<BinOp>(expr);
  std::optional<double> lhs = binary ? numberOf(file, binary->lhs, in, hops) : std::nullopt,
                        rhs = binary ? numberOf(file, binary->rhs, in, hops) : std::nullopt;
  if (!lhs || !rhs)
    return std::nullopt;
  switch (binary->op) {
  case Operator::Mul:
    return *lhs * *rhs;
  case Operator::Div:
    return *rhs ? std::optional(*lhs / *rhs) : std::nullopt;
  case Operator::Pow:
    return std::pow(*lhs, *rhs);
  default:
    return std::nullopt;
  }
}

// Tolerances, shapes and names of types: what tests say about accuracy and inputs.
static void describeTest(OStream &json, const KernelFile &file) {
  json.attributeArray("tolerances", [&] {
    auto tell = [&](llvm::StringRef name, const Expr *given, const Function &in) {
      std::optional<double> value = given ? numberOf(file, given, in) : std::nullopt;
      if (value && std::isfinite(*value))
        json.object([&] {
          json.attribute("name", name);
          json.attribute("value", *value);
          json.attribute("line", given->range.line);
        });
    };
    for (const auto &function : file.all()) {
      for (const CallFact &call : function->calls) {
        // By position: assert_allclose(actual, desired, rtol, atol), detailed_tensor_compare(a, b, name, rtol, atol).
        std::string name = pypto::calledName(call);
        unsigned first = name == "assert_allclose" ? 2 : name == "detailed_tensor_compare" ? 3 : ~0u - 1;
        tell("rtol", argument(*call.call, first, "rtol"), *function);
        tell("atol", argument(*call.call, first + 1, "atol"), *function);
      }
      function->each<Dict>([&](const Dict &dict, const Place &) { // of **tolerances
        for (auto [key, value] : llvm::zip(dict.keys, dict.values))
          for (llvm::StringRef name : {"rtol", "atol"})
            if (isString(key, name))
              tell(name, value, *function);
      });
      if (function->def)
        for (const Parameter &parameter : function->def->parameters)
          if (parameter.name == "rtol" || parameter.name == "atol")
            tell(parameter.name, parameter.defaultValue, file.getModule());
    }
  });
  json.attributeArray("shapes", [&] {
    for (const auto &function : file.all()) {
      auto tell = [&](Exprs elements) {
        std::vector<int64_t> shape;
        for (const Expr *element : elements)
          if (std::optional<int64_t> extent = file.computed(element, *function))
            shape.push_back(*extent);
        if (!shape.empty() && shape.size() == elements.size())
          json.array([&] {
            for (int64_t extent : shape)
              json.value(extent);
          });
      };
      function->each<Sequence>([&](const Sequence &sequence, const Place &) { tell(sequence.elements); });
      for (const CallFact &call : function->calls)
        tell(call.call->arguments);
    }
  });
  llvm::StringSet<> types;
  for (const auto &function : file.all()) {
    function->each<Attribute>([&](const Attribute &attribute, const Place &) { types.insert(attribute.name); });
    function->each<Constant>([&](const Constant &constant, const Place &) {
      if (constant.constant == ConstantKind::String && constant.text.size() < 20)
        types.insert(constant.text);
    });
  }
  std::vector<llvm::StringRef> sorted(types.keys().begin(), types.keys().end());
  llvm::sort(sorted);
  json.attributeArray("words", [&] {
    for (llvm::StringRef type : sorted)
      json.value(type);
  });
}

std::string describeFile(const KernelFile &file) {
  std::string text;
  llvm::raw_string_ostream os(text);
  OStream json(os);
  json.object([&] {
    json.attributeArray("entries", [&] {
      for (const Function *entry : pypto::primaryEntries(file))
        describeEntry(json, file, *entry);
    });
    json.attributeArray("kernels", [&] {
      for (const auto &function : file.all())
        if (function->isEntry())
          json.object([&] {
            json.attribute("name", function->name());
            json.attribute("line", function->def->nameRange.line);
            json.attribute("launched", llvm::any_of(file.launches(),
                                                    [&](const LaunchFact &it) { return it.kernel == function.get(); }));
            json.attributeArray("calls", [&] {
              for (const Function *below : file.withHelpers(*function))
                for (const CallFact &call : below->calls)
                  json.value(call.path);
            });
          });
    });
    json.attributeArray("functions", [&] {
      for (const auto &function : file.all())
        if (function->def && !function->parent && !function->isMethod && !function->name().empty())
          json.object([&] {
            json.attribute("name", function->name());
            json.attribute("line", function->def->nameRange.line);
            json.attribute("device", function->device != Language::None);
            describeParameters(json, *function);
            json.attributeArray("calls", [&] {
              for (const Function *below : file.withHelpers(*function))
                for (const CallFact &call : below->calls)
                  if (!call.path.empty())
                    json.value(call.path);
                  else if (auto *name = llvm::dyn_cast<Name>(call.call->callee))
                    json.value(name->id);
            });
            json.attribute("checks", llvm::any_of(file.withHelpers(*function), [](const Function *below) {
                             bool asserts = false;
                             below->each<Assert>([&](const Assert &stmt, const Place &) {
                               asserts |= !llvm::isa<Constant>(stmt.condition);
                             });
                             return asserts ||
                                    llvm::any_of(below->calls, [](const CallFact &it) { return isCheck(it.path); });
                           }));
          });
    });
    describeTest(json, file);
  });
  return text;
}

} // namespace tilesmith::lint
