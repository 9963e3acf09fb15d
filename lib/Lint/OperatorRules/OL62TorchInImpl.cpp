// OL62 torch-in-impl: a wrapper computes with torch.
#include "../Kernels/Pypto.h"
#include "tilesmith/Lint/KernelRule.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"

#include "../Names/Names.h"

#include <map>

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

namespace {

const Name *rootOf(const Expr *expr) {
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
}

// Names of host functions that are tensors: what they hand to an entry, what torch or a method of a tensor made, and
// parameters that are handed one by another function of the file.
class Tensors {
public:
  explicit Tensors(const KernelFile &file) : file(file) {
    for (const auto &function : file.all())
      if (isHost(*function))
        seed(*function);
    for (bool changes = true; changes;) {
      size_t before = count();
      for (const auto &function : file.all())
        if (isHost(*function)) {
          grow(*function);
          hand(*function);
        }
      changes = count() != before;
    }
  }

  static bool isHost(const Function &function) { return function.device == Language::None && function.def; }

  // A tensor, a part of one, or what a method that computes nothing made of one.
  bool contains(const Expr *expr, const Function &in) const {
    for (;;) {
      if (auto *subscript = llvm::dyn_cast_or_null<Subscript>(expr)) {
        expr = subscript->value;
        continue;
      }
      auto *call = llvm::dyn_cast_or_null<Call>(expr);
      auto *method = call ? llvm::dyn_cast<Attribute>(call->callee) : nullptr;
      if (!method || !file.path(call->callee, in).empty() || effectOfMethod(method->name) == Effect::Host ||
          effectOfMethod(method->name) == Effect::Read || effectOfMethod(method->name) == Effect::Address)
        break;
      expr = method->value;
    }
    auto *name = llvm::dyn_cast_or_null<Name>(expr);
    auto found = names.find(&in);
    return name && found != names.end() && found->second.contains(name->id);
  }

private:
  size_t count() const {
    size_t sum = 0;
    for (const auto &entry : names)
      sum += entry.second.size();
    return sum;
  }

  void seed(const Function &function) {
    for (const CallFact &call : function.calls) {
      const Function *entry = file.functionOf(call.call->callee, function);
      if (!entry || entry->language != Language::Pypto)
        continue;
      for (auto [index, parameter] : llvm::enumerate(entry->def->parameters))
        if (pypto::isTensor(file, parameter, *entry))
          if (auto *name = rootOf(argument(*call.call, unsigned(index), parameter.name)))
            names[&function].insert(name->id);
    }
  }

  void grow(const Function &function) {
    llvm::StringSet<> &result = names[&function];
    for (const auto &bound : function.bound)
      for (const Expr *value : bound.second) {
        auto *call = llvm::dyn_cast_or_null<Call>(value);
        std::string full = call ? file.path(call->callee, function) : "";
        llvm::StringRef path = full;
        auto *method = call ? llvm::dyn_cast<Attribute>(call->callee) : nullptr;
        auto *of = method && path.empty() ? rootOf(method->value) : llvm::dyn_cast_or_null<Name>(value);
        bool isMade = path.consume_front("torch.") && effectOfTorch(path) == Effect::Allocate;
        bool isKept = of && result.contains(of->id) && (!method || effectOfMethod(method->name) != Effect::Host);
        if (isMade || isKept)
          result.insert(bound.first());
      }
  }

  void hand(const Function &function) {
    for (const CallFact &call : function.calls) {
      const Function *callee = file.functionOf(call.call->callee, function);
      if (!callee || callee == &function || !isHost(*callee) || callee->isMethod)
        continue;
      for (auto [index, parameter] : llvm::enumerate(callee->def->parameters))
        if (contains(argument(*call.call, unsigned(index), parameter.name), function))
          names[callee].insert(parameter.name);
    }
  }

  const KernelFile &file;
  std::map<const Function *, llvm::StringSet<>> names;
};

} // namespace

// What a call is by the text that chooses it: getattr(torch, "add") is torch.add. "?" for a text that is computed.
static std::string chosenOf(const KernelFile &file, const Call &call, const Function &in) {
  auto *chosen = llvm::dyn_cast<Call>(call.callee);
  auto *name = chosen ? llvm::dyn_cast<Name>(chosen->callee) : nullptr;
  if (!name || name->id != "getattr" || chosen->arguments.size() < 2)
    return "";
  std::string owner = file.path(chosen->arguments[0], in);
  if (owner.empty())
    return "";
  auto *text = llvm::dyn_cast_or_null<Constant>(file.meaning(chosen->arguments[1], in));
  return owner + "." + (text && text->constant == ConstantKind::String ? text->text.str() : "?");
}

static void check(const KernelFile &file, KernelReport &report) {
  Tensors tensors(file);
  for (const auto &function : file.all()) {
    if (!Tensors::isHost(*function))
      continue;
    auto isTensor = [&](const Expr *expr) {
      auto *sequence = llvm::dyn_cast_or_null<Sequence>(expr);
      return sequence
                 ? llvm::any_of(sequence->elements, [&](const Expr *it) { return tensors.contains(it, *function); })
                 : tensors.contains(expr, *function);
    };
    for (const CallFact &call : function->calls) {
      auto *method = llvm::dyn_cast<Attribute>(call.call->callee);
      auto *name = llvm::dyn_cast<Name>(call.call->callee);
      bool takesTensors = llvm::any_of(call.call->arguments, isTensor);
      std::string path = call.path.empty() ? chosenOf(file, *call.call, *function) : call.path;
      if (method && path.empty() && tensors.contains(method->value, *function) &&
          effectOfMethod(method->name) == Effect::Compute)
        report.add(call.call->range, "a tensor's " + method->name.str() + " computes on the host");
      bool isSum = name && path.empty() && !function->bound.contains(name->id) && !file.find(name->id) &&
                   llvm::is_contained({"sum", "abs", "pow", "max", "min", "round", "divmod"}, name->id);
      llvm::StringRef rest = path;
      bool isOperator = rest.starts_with("operator.") && rest != "operator.itemgetter" && rest != "operator.is_";
      if (takesTensors && (isSum || isOperator || rest == "functools.reduce"))
        report.add(call.call->range, (isSum ? name->id.str() : path) + " of tensors computes on the host");
      if (rest.consume_front("numpy.") && !rest.starts_with("testing.") && effectOfNumpy(rest) == Effect::Compute &&
          takesTensors)
        report.add(call.call->range, path + " computes on the host");
      rest = path;
      if (!rest.consume_front("torch.") || rest.starts_with("npu.") || rest.starts_with("testing.") ||
          rest == "manual_seed" || rest == "device" || rest.starts_with("Tensor") || rest.starts_with("Size") ||
          rest == "no_grad" || rest.starts_with("_dynamo.") || rest.starts_with("compiler.") || rest == "compile" ||
          rest.starts_with("_subclasses."))
        continue;
      if (effectOfTorch(rest) == Effect::Compute)
        report.add(call.call->range, path + " computes on the host");
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
