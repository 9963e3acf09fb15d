// TS403 launch-arguments: the arguments of a launch do not match the parameters of the kernel.
#include "tilesmith/Lint/KernelRule.h"

#include "llvm/ADT/STLExtras.h"

namespace tilesmith::lint {

using namespace ast;

static const KernelRuleInfo info{
    .id = "TS403",
    .name = "launch-arguments",
    .level = Level::Error,
    .what = "The arguments of a launch do not match the parameters of the kernel.",
    .why = "The launch will be refused.",
    .use = "one argument for each parameter, by position or name",
    .bad = R"py(
@asc2.jit
def kernel(x_ptr, size):
    x = asc2.tensor(x_ptr, [size])
    asc2.store(asc2.load(x, [64], tile_id=[0]), x, tile_id=[0])

def launch(x):
    kernel[8](x)
)py",
    .good = R"py(
@asc2.jit
def kernel(x_ptr, size):
    x = asc2.tensor(x_ptr, [size])
    asc2.store(asc2.load(x, [64], tile_id=[0]), x, tile_id=[0])

def launch(x):
    kernel[8](x, size=x.size)
)py",
};

static void check(const KernelFile &file, KernelReport &report) {
  for (const LaunchFact &launch : file.launches()) {
    if (!llvm::is_contained(ascLanguages, launch.kernel->language))
      continue;
    const Call &call = *launch.call;
    llvm::ArrayRef<Parameter> parameters = launch.kernel->def->parameters;
    bool isOpen = llvm::any_of(call.arguments, [](const Expr *it) { return llvm::isa<Starred>(it); }) ||
                  llvm::any_of(call.keywords, [](const Keyword &it) { return it.name.empty(); }) ||
                  !launch.kernel->def->variadic.empty();
    if (isOpen)
      continue;
    if (call.arguments.size() > parameters.size()) {
      report.add(call.range, std::to_string(call.arguments.size()) + " arguments for " +
                                 std::to_string(parameters.size()) + " parameters");
      continue;
    }
    for (const Keyword &given : call.keywords)
      if (llvm::none_of(parameters, [&](const Parameter &it) { return it.name == given.name; }))
        report.add(given.range, "'" + launch.kernel->name().str() + "' has no parameter '" + given.name.str() + "'");
    for (const Parameter &parameter : parameters.drop_front(call.arguments.size()))
      if (!parameter.defaultValue && !keyword(call, parameter.name))
        report.add(call.range, "missing argument '" + parameter.name.str() + "'");
  }
}

KernelRuleEntry ruleLaunchArguments() { return {&info, check}; }

} // namespace tilesmith::lint
