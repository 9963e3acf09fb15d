// TS115 branch-only: a name is bound in one branch of a runtime `if` only, and used behind it.
#include "tilesmith/Lint/KernelRule.h"

#include "llvm/ADT/StringSet.h"

namespace tilesmith::lint {

using namespace ast;

static const KernelRuleInfo info{
    .id = "TS115",
    .name = "branch-only",
    .level = Level::Error,
    .what = "A name is bound in one branch of a runtime `if` only, and used behind it.",
    .why = "Whether it has a value is not known while compiling. Both compilers refuse it.",
    .use = "give it a value before the `if`",
    .bad = R"py(
@asc2.jit
def kernel(x_ptr, size):
    x = asc2.tensor(x_ptr, [size])
    if size > 64:
        factor = 2
    asc2.store(asc2.load(x, [64], tile_id=[0]) * factor, x, tile_id=[0])
)py",
    .good = R"py(
@asc2.jit
def kernel(x_ptr, size):
    x = asc2.tensor(x_ptr, [size])
    factor = 1
    if size > 64:
        factor = 2
    asc2.store(asc2.load(x, [64], tile_id=[0]) * factor, x, tile_id=[0])
)py",
};

namespace {

// Goes through a function in its order and keeps which names surely have a value, and which have one on some paths.
class Scan {
public:
  Scan(const KernelFile &file, KernelReport &report, const Function &function)
      : file(file), report(report), function(function) {}

  void run() {
    State state;
    for (const Parameter &parameter : function.def->parameters)
      state.sure.insert(parameter.name);
    block(function.def->body, state);
  }

private:
  struct State {
    llvm::StringSet<> sure;
    llvm::StringMap<unsigned> maybe; // and the line of the `if`
    bool isOver = false;             // a return was reached
  };

  void bind(const Expr &target, State &state) {
    forEachBelow(target, [&](const Node &node) {
      if (auto *name = llvm::dyn_cast<Name>(&node)) {
        state.sure.insert(name->id);
        state.maybe.erase(name->id);
      }
    });
  }

  void use(const Node *node, const State &state) {
    if (!node)
      return;
    forEachBelow(*node, [&](const Node &below) {
      auto *name = llvm::dyn_cast<Name>(&below);
      if (!name || state.sure.contains(name->id))
        return;
      if (auto found = state.maybe.find(name->id); found != state.maybe.end())
        report.add(name->range, "'" + name->id.str() + "' has a value in one branch of the `if` in line " +
                                    std::to_string(found->second) + " only");
    });
  }

  void branch(const If &stmt, State &state) {
    use(stmt.condition, state);
    State then = state, otherwise = state;
    block(stmt.body, then);
    block(stmt.orElse, otherwise);
    if (then.isOver || otherwise.isOver) { // what goes on went through the other one
      bool isOver = then.isOver && otherwise.isOver;
      state = then.isOver ? otherwise : then;
      state.isOver = isOver;
      return;
    }
    bool isKnown = isCompileTime(file, stmt.condition, function);
    for (const State *side : {&then, &otherwise}) {
      const State &other = side == &then ? otherwise : then;
      for (const auto &entry : side->sure)
        if (other.sure.contains(entry.first()) || isKnown)
          state.sure.insert(entry.first()), state.maybe.erase(entry.first());
        else
          state.maybe.try_emplace(entry.first(), stmt.range.line);
      for (const auto &entry : side->maybe)
        if (!state.sure.contains(entry.first()))
          state.maybe.try_emplace(entry.first(), entry.second);
    }
  }

  void block(Body body, State &state) {
    for (const Stmt *stmt : body) {
      if (auto *assign = llvm::dyn_cast<Assign>(stmt)) {
        use(assign->value, state);
        for (const Expr *target : assign->targets)
          if (llvm::isa<Name, Sequence>(target))
            bind(*target, state);
          else
            use(target, state);
      } else if (auto *augmented = llvm::dyn_cast<AugAssign>(stmt)) {
        use(augmented->value, state), use(augmented->target, state);
      } else if (auto *annotated = llvm::dyn_cast<AnnAssign>(stmt)) {
        use(annotated->value, state);
        if (annotated->value)
          bind(*annotated->target, state);
      } else if (auto *choice = llvm::dyn_cast<If>(stmt)) {
        branch(*choice, state);
      } else if (auto *loop = llvm::dyn_cast<For>(stmt)) {
        use(loop->iterable, state);
        bind(*loop->target, state);
        block(loop->body, state);
      } else if (auto *loop = llvm::dyn_cast<While>(stmt)) {
        use(loop->condition, state);
        block(loop->body, state);
      } else if (auto *with = llvm::dyn_cast<With>(stmt)) {
        for (const Expr *context : with->contexts)
          use(context, state);
        block(with->body, state);
      } else if (auto *result = llvm::dyn_cast<Return>(stmt)) {
        use(result->value, state);
        state.isOver = true;
      } else if (auto *def = llvm::dyn_cast<FunctionDef>(stmt)) {
        state.sure.insert(def->name);
      } else if (auto *other = llvm::dyn_cast<OtherStmt>(stmt)) {
        state.isOver |= other->className == "Break" || other->className == "Continue";
        return;
      } else {
        use(stmt, state);
      }
    }
  }

  const KernelFile &file;
  KernelReport &report;
  const Function &function;
};

} // namespace

static void check(const KernelFile &file, KernelReport &report) {
  for (const Function *function : file.onDevice(ascLanguages))
    if (!function->name().empty())
      Scan(file, report, *function).run();
}

KernelRuleEntry ruleBranchOnly() { return {&info, check}; }

} // namespace tilesmith::lint
