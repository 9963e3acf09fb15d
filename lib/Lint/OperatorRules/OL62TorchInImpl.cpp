// OL62 torch-in-impl: a wrapper computes with torch.
#include "../Kernels/Pypto.h"
#include "tilesmith/Lint/KernelRule.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"

#include "../Names/Names.h"

namespace tilesmith::lint {

using namespace ast;

static const KernelRuleInfo info{
    .id = "OL62",
    .name = "torch-in-impl",
    .level = Level::S0,
    .role = Role::Impl,
    .stages = buildStages,
    .isLatest = true,
    .what = "A wrapper computes with torch.",
    .why = "What torch computes the kernel does not, and the test passes all the same.",
    .use = "compute it in the kernel; torch allocates and reshapes",
    .bad = R"py(
@pypto.frontend.jit
def kernel(x: pypto.Tensor([pypto.DYNAMIC, 64], pypto.DT_FP32)):
    pypto.set_vec_tile_shapes(16, 64)

def gelu_wrapper(x):
    kernel(x)
    return torch.nn.functional.gelu(x)
)py",
    .good = R"py(
@pypto.frontend.jit
def kernel(x: pypto.Tensor([pypto.DYNAMIC, 64], pypto.DT_FP32), out: pypto.Tensor([pypto.DYNAMIC, 64], pypto.DT_FP32)):
    pypto.set_vec_tile_shapes(16, 64)

def gelu_wrapper(x):
    out = torch.empty_like(x)
    kernel(x.reshape(-1, 64), out)
    return out.reshape(x.shape)
)py",
};

// Names of a host function that are tensors: what it hands to an entry, and what torch or a method of one made.
static llvm::StringSet<> tensorsOf(const KernelFile &file, const Function &function) {
  llvm::StringSet<> result;
  auto root = [](const Expr *expr) -> const Name * {
    while (expr) {
      if (auto *call = llvm::dyn_cast<Call>(expr))
        expr = call->callee;
      else if (auto *attribute = llvm::dyn_cast<Attribute>(expr))
        expr = attribute->value;
      else if (auto *subscript = llvm::dyn_cast<Subscript>(expr))
        expr = subscript->value;
      else
        return llvm::dyn_cast<Name>(expr);
    }
    return nullptr;
  };
  for (const CallFact &call : function.calls) {
    const Function *entry = file.functionOf(call.call->callee, function);
    if (!entry || entry->language != Language::Pypto)
      continue;
    for (auto [index, parameter] : llvm::enumerate(entry->def->parameters))
      if (pypto::isTensor(file, parameter, *entry))
        if (auto *name = root(argument(*call.call, unsigned(index), parameter.name)))
          result.insert(name->id);
  }
  for (bool changes = true; changes;) { // names for what is made of them
    size_t before = result.size();
    for (const auto &bound : function.bound)
      for (const Expr *value : bound.second) {
        auto *call = llvm::dyn_cast_or_null<Call>(value);
        std::string full = call ? file.path(call->callee, function) : "";
        llvm::StringRef path = full;
        auto *method = call ? llvm::dyn_cast<Attribute>(call->callee) : nullptr;
        auto *of = method && path.empty() ? root(method->value) : llvm::dyn_cast_or_null<Name>(value);
        bool isMade = path.consume_front("torch.") && effectOfTorch(path) == Effect::Allocate;
        bool isKept = of && result.contains(of->id) && (!method || effectOfMethod(method->name) != Effect::Host);
        if (isMade || isKept)
          result.insert(bound.first());
      }
    changes = result.size() != before;
  }
  return result;
}

static void check(const KernelFile &file, KernelReport &report) {
  for (const auto &function : file.all()) {
    if (function->device != Language::None || !function->def)
      continue;
    llvm::StringSet<> tensors = tensorsOf(file, *function);
    auto isTensor = [&](const Expr *expr) {
      while (auto *subscript = llvm::dyn_cast<Subscript>(expr))
        expr = subscript->value;
      auto *name = llvm::dyn_cast<Name>(expr);
      return name && tensors.contains(name->id);
    };
    for (const CallFact &call : function->calls) {
      auto *method = llvm::dyn_cast<Attribute>(call.call->callee);
      if (method && call.path.empty() && isTensor(method->value) && effectOfMethod(method->name) == Effect::Compute)
        report.add(call.call->range, "a tensor's " + method->name.str() + " computes on the host");
      llvm::StringRef rest = call.path;
      if (rest.consume_front("numpy.") && !rest.starts_with("testing.") && effectOfNumpy(rest) == Effect::Compute &&
          llvm::any_of(call.call->arguments, isTensor))
        report.add(call.call->range, call.path + " computes on the host");
      rest = call.path;
      if (!rest.consume_front("torch.") || rest.starts_with("npu.") || rest.starts_with("testing.") ||
          rest == "manual_seed" || rest == "device" || rest.starts_with("Tensor") || rest.starts_with("Size") ||
          rest == "no_grad" || rest.starts_with("_dynamo.") || rest.starts_with("compiler.") || rest == "compile" ||
          rest.starts_with("_subclasses."))
        continue;
      if (effectOfTorch(rest) == Effect::Compute)
        report.add(call.call->range, call.path + " computes on the host");
    }
    function->each<BinOp>([&](const BinOp &expr, const Place &) {
      if (isTensor(expr.lhs) || isTensor(expr.rhs))
        report.add(expr.range, "an operator on tensors computes on the host");
    });
    function->each<UnaryOp>([&](const UnaryOp &expr, const Place &) {
      if (expr.op != UnaryOperator::Not && isTensor(expr.operand))
        report.add(expr.range, "an operator on tensors computes on the host");
    });
    function->each<AugAssign>([&](const AugAssign &stmt, const Place &) {
      if (isTensor(stmt.target))
        report.add(stmt.range, "an operator on tensors computes on the host");
    });
  }
}

KernelRuleEntry ruleOL62TorchInImpl() { return {&info, check}; }

} // namespace tilesmith::lint
