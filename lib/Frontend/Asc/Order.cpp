// Cores that wait for each other.
#include "Core.h"

namespace tilesmith::frontend::asc {

static Number workspaceOf(Core &core, const Argument &argument) {
  Value tensor = core.expectTensor(argument, "gm_workspace");
  return tensor ? core.address(tensor) : Number();
}

// cross_core_set_flag(flag_id, mode_id, pipe), cross_core_wait_flag(flag_id[, mode_id, pipe])
template <bool sets> static Value crossFlag(Core &core, const Arguments &args) {
  Number id = core.expectNumber(args[0], "flag_id");
  std::optional<int64_t> mode = id ? core.expectKnown(args[1], "mode_id") : std::nullopt;
  std::optional<int64_t> pipe = mode ? core.expectKnown(args[2], "pipe") : std::nullopt;
  if (pipe)
    if (pipe = pipeOf(*pipe); !pipe)
      return core.fail(args[2].range, "ValueError", "the chips of the model have no such pipe");
  if (!pipe)
    return {};
  if (*mode != 0 && *mode != 1 && *mode != 2 && *mode != 4)
    return core.fail(args[1].range, "ValueError",
                     "cross-core flags have the modes 0, 1, 2 and 4, not " + llvm::Twine(*mode));
  core.waits = true;
  core.tell(sets ? "cross_flag_set" : "cross_flag_wait", {*mode, *pipe, id}, args.range);
  return core.none();
}

// sync_all(is_aiv_only=True), sync_all(gm_workspace, ub_workspace, used_cores=0, is_aiv_only=True)
static Value syncAll(Core &core, const Arguments &args) {
  core.waits = true;
  bool byWorkspace = args[0] && isTensor(core.values.read(args[0].value));
  std::optional<int64_t> onlyVector = core.expectKnown(byWorkspace || args[3] ? args[3] : args[0], "is_aiv_only", 1);
  if (!onlyVector)
    return {};
  if (!byWorkspace) {
    core.tell("sync_all", {*onlyVector}, args.range);
    return core.none();
  }
  Number workspace = workspaceOf(core, args[0]),
         cores = workspace ? core.expectNumber(args[2], "used_cores") : Number();
  if (!cores)
    return {};
  core.tell("sync_some", {workspace, cores}, args.range);
  return core.none();
}

template <bool sets> static Value blockSignal(Core &core, const Arguments &args) {
  Number workspace = workspaceOf(core, args[0]);
  Number block = workspace ? core.expectNumber(args[2], "block_idx") : Number();
  Number event = block ? core.expectNumber(args[3], "event_id") : Number();
  if (!event)
    return {};
  core.waits = true;
  core.tell(sets ? "block_set" : "block_wait", {workspace, block, event}, args.range);
  return core.none();
}

template <bool waits> static Value inTurn(Core &core, const Arguments &args) {
  Number workspace = workspaceOf(core, args[0]);
  if (!workspace)
    return {};
  core.waits = true;
  core.tell(waits ? "wait_pre_block" : "notify_next_block", {workspace}, args.range);
  return core.none();
}

static Value nothing(Core &core, const Arguments &) { return core.none(); }

llvm::ArrayRef<Builtin::Row> orderBuiltins() {
  static constexpr Builtin::Row rows[] = {
      {"asc.basic.cross_core_set_flag", on<crossFlag<true>>, "flag_id, mode_id=None, pipe=None"},
      {"asc.basic.cross_core_wait_flag", on<crossFlag<false>>, "flag_id, mode_id=None, pipe=None"},
      {"asc.basic.sync_all", on<syncAll>, "gm_workspace=None, ub_workspace=None, used_cores=None, is_aiv_only=None"},
      {"asc.basic.ib_set", on<blockSignal<true>>, "gm_workspace, ub_workspace, block_idx, event_id, is_aiv_only=None"},
      {"asc.basic.ib_wait", on<blockSignal<false>>,
       "gm_workspace, ub_workspace, block_idx, event_id, is_aiv_only=None"},
      {"asc.basic.wait_pre_block", on<inTurn<true>>, "gm_workspace, ub_workspace, is_aiv_only=None"},
      {"asc.basic.notify_next_block", on<inTurn<false>>, "gm_workspace, ub_workspace, is_aiv_only=None"},
      {"asc.basic.init_determine_compute_workspace", on<nothing>, "gm_workspace, ub_workspace"},
  };
  return rows;
}

} // namespace tilesmith::frontend::asc
