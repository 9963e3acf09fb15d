// OL61 wrong-arguments: a scalar stands first in an operation of tensors, or the type of pypto.zeros is given by
// position.
#include "../Kernels/Pypto.h"
#include "tilesmith/Lint/KernelRule.h"

#include "llvm/ADT/STLExtras.h"

namespace tilesmith::lint {

using namespace ast;

static const KernelRuleInfo info{
    .id = "OL61",
    .name = "wrong-arguments",
    .level = Level::S1,
    .role = Role::Impl,
    .stages = buildStages,
    .isLatest = true,
    .what = "A scalar stands first in an operation of tensors, an operand is a pypto.Element, a conversion does not "
            "exist, or "
            "the type of pypto.zeros is given by position.",
    .why = "The first operand of add, sub, mul and div is a tensor. zeros and ones take every position for an extent.",
    .use = "x * 2, and dtype=pypto.DT_FP32",
    .bad = R"py(
@pypto.frontend.jit
def kernel(x: pypto.Tensor([pypto.DYNAMIC, 64], pypto.DT_FP32)):
    pypto.set_vec_tile_shapes(16, 64)
    y = pypto.mul(2.0, x)
    z = pypto.zeros([4, 64], pypto.DT_FP32)
)py",
    .good = R"py(
@pypto.frontend.jit
def kernel(x: pypto.Tensor([pypto.DYNAMIC, 64], pypto.DT_FP32)):
    pypto.set_vec_tile_shapes(16, 64)
    y = pypto.mul(x, 2.0)
    z = pypto.zeros([4, 64], dtype=pypto.DT_FP32)
)py",
};

// Types by conversion (section 10.1 of the language): what the vector unit converts in one step on some platform.
static bool isLegalCast(llvm::StringRef from, llvm::StringRef to) {
  static constexpr std::pair<llvm::StringLiteral, llvm::StringLiteral> table[] = {
      {"FP32", "FP16 BF16 FP32 INT16 INT32 INT64 FP8 FP8E4M3 FP8E5M2 FP8E8M0 HF8"},
      {"FP16", "FP16 FP32 INT32 INT16 INT8 UINT8 INT4 HF8"},
      {"BF16", "BF16 FP32 INT32 FP16 FP4_E2M1 FP4_E1M2 FP4_E2M1X2 FP4_E1M2X2"},
      {"INT32", "INT32 FP32 INT64 INT16 FP16 UINT8 UINT16"},
      {"INT16", "INT16 FP32 FP16 UINT8 INT32 UINT32"},
      {"INT64", "INT64 FP32 INT32"},
      {"UINT8", "UINT8 FP16 UINT16 INT16 INT32"},
      {"INT8", "INT8 FP16 UINT16 INT16 INT32"},
      {"INT4", "INT4 FP16 INT16 INT32"}};
  for (const auto &[source, targets] : table) {
    if (source != from)
      continue;
    llvm::SmallVector<llvm::StringRef> words;
    targets.split(words, ' ');
    return llvm::is_contained(words, to);
  }
  return true; // nothing is known about this one
}

static std::string dtypeName(const KernelFile &file, const Expr *expr, const Function &in) {
  std::string path = file.path(file.meaning(expr, in), in);
  if (path.empty())
    path = file.path(expr, in);
  size_t at = path.find(".DT_");
  return at == std::string::npos ? std::string() : path.substr(at + 4);
}

// A literal number, with a sign or without, or a parameter that is annotated as one.
static bool isScalar(const KernelFile &file, const Expr *expr, const Function &in) {
  expr = file.meaning(expr, in);
  if (auto *unary = llvm::dyn_cast_or_null<UnaryOp>(expr))
    expr = unary->operand;
  if (auto *constant = llvm::dyn_cast_or_null<Constant>(expr))
    return constant->constant != ConstantKind::String && constant->constant != ConstantKind::None;
  auto *name = llvm::dyn_cast_or_null<Name>(expr);
  if (!name || !in.def)
    return false;
  for (const Parameter &parameter : in.def->parameters)
    if (auto *annotation = llvm::dyn_cast_or_null<Name>(parameter.annotation); annotation && parameter.name == name->id)
      return annotation->id == "int" || annotation->id == "float" || annotation->id == "bool";
  return false;
}

static void check(const KernelFile &file, KernelReport &report) {
  static constexpr llvm::StringLiteral binary[] = {"pypto.add", "pypto.sub", "pypto.mul", "pypto.div"};
  auto isElement = [&](const Expr *expr, const Function &in) {
    auto *call = llvm::dyn_cast_or_null<Call>(file.meaning(expr, in));
    std::string path = call ? file.path(call->callee, in) : "";
    return path == "pypto.Element" || path == "pypto.element";
  };
  for (const auto &function : file.all())
    for (const CallFact &call : function->calls) {
      Exprs arguments = call.call->arguments;
      if (llvm::is_contained(binary, call.path)) {
        const Expr *first = argument(*call.call, 0, "input_tensor");
        if (first && isScalar(file, first, *function))
          report.add(first->range, "a scalar stands first");
        for (const Expr *given : arguments)
          if (isElement(given, *function))
            report.add(given->range, "a pypto.Element is not an operand of " + call.path);
      }
      if (call.path == "pypto.zeros" || call.path == "pypto.ones")
        for (const Expr *given : arguments)
          if (!dtypeName(file, given, *function).empty())
            report.add(given->range, "a type by position is taken for an extent");
      auto *method = llvm::dyn_cast<Attribute>(call.call->callee);
      bool isMethod = method && method->name == "cast" && call.path.empty();
      if (call.path != "pypto.cast" && !isMethod)
        continue;
      const Expr *source = isMethod ? method->value : argument(*call.call, 0, "input");
      const Expr *target = argument(*call.call, isMethod ? 0 : 1, "dtype");
      auto *name = llvm::dyn_cast_or_null<Name>(file.meaning(source, *function));
      if (!name || !target || !function->def || function->language != Language::Pypto)
        continue;
      for (const Parameter &parameter : function->def->parameters) {
        const Function &outside = function->parent ? *function->parent : file.getModule();
        const Expr *dtype = parameter.name == name->id ? pypto::dtypeOf(file, parameter, *function) : nullptr;
        std::string from = dtype ? dtypeName(file, dtype, outside) : "", to = dtypeName(file, target, *function);
        if (!from.empty() && !to.empty() && !isLegalCast(from, to))
          report.add(call.call->range, "no conversion leads from DT_" + from + " to DT_" + to);
      }
    }
}

KernelRuleEntry ruleOL61Arguments() { return {&info, check}; }

} // namespace tilesmith::lint
