// TS301 old-interface: an asc2 kernel uses tensors, queues or flags of asc.
#include "tilesmith/Lint/KernelRule.h"

#include "llvm/ADT/STLExtras.h"

namespace tilesmith::lint {

using namespace ast;

static const KernelRuleInfo info{
    .id = "TS301",
    .name = "old-interface",
    .level = Level::Error,
    .what = "An asc2 kernel uses tensors, queues or flags of asc.",
    .why = "Tiles have no addresses, queues or flags: the compiler plans memory and orders the pipes. The two "
           "languages do not mix in a kernel.",
    .use = "asc2.tensor, asc2.load and asc2.store",
    .bad = R"py(
@asc2.jit
def kernel(x_ptr, size):
    x = asc2.tensor(x_ptr, [size])
    asc.set_flag(asc.HardEvent.MTE2_V, 0)
    asc2.store(asc2.load(x, [64], tile_id=[0]), x, tile_id=[0])
)py",
    .good = R"py(
@asc.jit
def kernel(x: asc.GlobalAddress, size: int):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, size)
    asc.set_flag(asc.HardEvent.MTE2_V, 0)
    asc.wait_flag(asc.HardEvent.MTE2_V, 0)
)py",
};

static void check(const KernelFile &file, KernelReport &report) {
  static constexpr llvm::StringLiteral old[] = {
      "GlobalTensor", "LocalTensor", "LocalTensorAuto", "TPipe",        "TQue",        "TBuf",
      "TPosition",    "HardEvent",   "data_copy",       "set_flag",     "wait_flag",   "pipe_barrier",
      "TQueBind",     "enque",       "deque",           "alloc_tensor", "free_tensor", "init_buffer"};
  eachOnDevice<Attribute>(file, {Language::Asc2}, [&](const Attribute &attribute, const Place &, const Function &in) {
    std::string path = file.path(&attribute, in);
    llvm::StringRef rest = path;
    if (rest.consume_front("asc.") && llvm::is_contained(old, rest))
      report.add(attribute.range, path + " in a kernel of tiles");
  });
  eachOnDevice<Name>(file, {Language::Asc2}, [&](const Name &name, const Place &, const Function &in) {
    std::string path = file.path(&name, in);
    llvm::StringRef rest = path;
    if (rest.consume_front("asc.") && llvm::is_contained(old, rest))
      report.add(name.range, path + " in a kernel of tiles");
  });
}

KernelRuleEntry ruleOldInterface() { return {&info, check}; }

} // namespace tilesmith::lint
