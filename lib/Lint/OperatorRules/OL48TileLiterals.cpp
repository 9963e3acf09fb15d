// OL48 tile-literals: a tile value is not a literal integer, nor a name that stands for one; or the lists of a
// cube tile are not [L0, L1] with L0 dividing L1.
#include "tilesmith/Lint/KernelRule.h"

namespace tilesmith::lint {

using namespace ast;

static const KernelRuleInfo info{
    .id = "OL48",
    .name = "tile-literals",
    .level = Level::S0,
    .role = Role::Impl,
    .stages = buildStages,
    .what = "A tile value is not a literal integer, nor a name that stands for one; or the lists of a cube tile are "
            "not [L0, L1] with L0 dividing L1.",
    .why = "Tile shapes are part of the compiled kernel. Numbers of a launch are not known then.",
    .use = "T = 128 at the top of the file, then set_vec_tile_shapes(1, T)",
    .bad = R"py(
@pypto.frontend.jit
def kernel(x: pypto.Tensor([pypto.DYNAMIC, 64], pypto.DT_FP32)):
    pypto.set_vec_tile_shapes(16, x.shape[1])
)py",
    .good = R"py(
T = 128

@pypto.frontend.jit
def kernel(x: pypto.Tensor([pypto.DYNAMIC, 64], pypto.DT_FP32)):
    pypto.set_vec_tile_shapes(1, T)
    pypto.set_cube_tile_shapes([16, 64], [32, 128], [16, 16])
)py",
};

// The integer a tile value is: a literal, or a name that is one by assignments (ten at most) which stand before it. A
// name may be set anew for the next operation: then every value of it must be a literal.
static std::optional<int64_t> literal(const KernelFile &file, const Expr *expr, const Function &in, unsigned line,
                                      unsigned hops = 10) {
  if (auto *constant = llvm::dyn_cast<Constant>(expr))
    return constant->constant == ConstantKind::Int ? std::optional(constant->integer) : std::nullopt;
  auto *name = llvm::dyn_cast<Name>(expr);
  if (!name || !hops)
    return std::nullopt;
  for (const Function *scope = &in;; scope = scope->parent ? scope->parent : &file.getModule()) {
    auto found = scope->bound.find(name->id);
    if (found == scope->bound.end()) {
      if (!scope->def)
        return std::nullopt;
      continue;
    }
    std::optional<int64_t> result;
    bool isLocal = scope == &in && scope->def;
    for (const Expr *value : found->second) {
      std::optional<int64_t> one = value ? literal(file, value, *scope, line, hops - 1) : std::nullopt;
      if (!one)
        return std::nullopt;
      if (!isLocal || value->range.line < line || (value->range.line == line && !result))
        result = one;
    }
    return result;
  }
}

static void check(const KernelFile &file, KernelReport &report) {
  auto isPositive = [&](const Expr *value, const Function &in) {
    std::optional<int64_t> number = literal(file, value, in, value->range.line);
    return number && *number > 0;
  };
  for (const auto &function : file.all())
    for (const CallFact &call : function->calls) {
      if (call.path == "pypto.set_vec_tile_shapes") {
        for (const Expr *value : call.call->arguments)
          if (!isPositive(value, *function))
            report.add(value->range, "this tile value is not a literal integer");
      } else if (call.path == "pypto.set_cube_tile_shapes") {
        for (unsigned axis = 0; axis != 3; ++axis) {
          static constexpr llvm::StringLiteral names[] = {"m", "k", "n"};
          const Expr *given = argument(*call.call, axis, names[axis]);
          if (!given)
            continue;
          auto *list = llvm::dyn_cast<Sequence>(file.meaning(given, *function));
          if (!list || list->elements.size() != 2) {
            report.add(given->range, "a cube tile is a list [L0, L1]");
            continue;
          }
          unsigned line = call.call->range.endLine;
          std::optional<int64_t> inner = literal(file, list->elements[0], *function, line),
                                 outer = literal(file, list->elements[1], *function, line);
          if (!inner || !outer)
            report.add(given->range, "this tile value is not a literal integer");
          else if (*inner <= 0 || *inner > *outer || *outer % *inner)
            report.add(given->range, "L0 " + std::to_string(*inner) + " does not divide L1 " + std::to_string(*outer));
        }
      }
    }
}

KernelRuleEntry ruleOL48TileLiterals() { return {&info, check}; }

} // namespace tilesmith::lint
