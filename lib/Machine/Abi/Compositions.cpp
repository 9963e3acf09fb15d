// Calls of Ascend C that are several instructions (Isa/Services.td). They issue the entries they are made of, so
// checks, late mode and time know nothing of them.
#include "Core/CoreImpl.h"
#include "tilesmith/Isa/Chip.h"
#include <algorithm>

using namespace tilesmith;
using namespace tilesmith::machine;

namespace {

// Signals between blocks that the chip keeps in a workspace: the model tells them apart by its address.
int64_t crossKey(int64_t kind, int64_t workspace, int64_t block = 0, int64_t event = 0) {
  return kind << 60 | ((Address(workspace).offset() >> 3 & 0xffffffff) << 24) | ((block & 0xffff) << 8) |
         (event & 0xff);
}

constexpr int64_t pipeAll = int64_t(Pipe::ALL), pipeV = int64_t(Pipe::V), pipeMte3 = int64_t(Pipe::MTE3);

bool runsOnVector(TsCore *core) { return tsm_core_kinds(core) & 2; }

} // namespace

extern "C" {

void tsm_scalar_waits_for_vector(TsCore *core, int64_t loc) {
  int64_t id = tsm_event_fetch(core, loc, pipeV, int64_t(Pipe::S));
  tsm_set_flag(core, loc, pipeV, int64_t(Pipe::S), id);
  tsm_wait_flag(core, loc, pipeV, int64_t(Pipe::S), id);
}

void tsm_sort(TsCore *core, int64_t loc, int64_t dtype, int64_t dst, int64_t scores, int64_t index, int64_t work,
              int64_t repeat, int64_t full) {
  bool merges = full && repeat > 1;
  tsm_sort32(core, loc, dtype, merges ? work : dst, scores, index, repeat);
  if (!merges)
    return;
  constexpr int64_t record = 8;
  int64_t from = work, to = dst, total = std::min<int64_t>(repeat, 255) * 32;
  for (int64_t length = 32; length < total; length *= 4) {
    tsm_pipe_barrier(core, loc, pipeV);
    for (int64_t at = 0; at < total; at += 4 * length) {
      int64_t lists[4], lengths[4];
      for (int64_t i = 0; i < 4; ++i) {
        int64_t begin = at + i * length, left = total - begin;
        lengths[i] = std::clamp<int64_t>(left, 0, length);
        lists[i] = from + (left <= 0 ? at : begin) * record;
      }
      tsm_mrg_sort(core, loc, dtype, to + at * record, lists[0], lists[1], lists[2], lists[3], lengths[0], lengths[1],
                   lengths[2], lengths[3], 1, 0);
    }
    std::swap(from, to);
  }
  if (from != dst) {
    tsm_pipe_barrier(core, loc, pipeV);
    tsm_copy(core, loc, dtype, dst, from, total * (record / int64_t(isa::sizeOf(DType(dtype)))));
  }
}

void tsm_extract(TsCore *core, int64_t loc, int64_t dtype, int64_t scores, int64_t index, int64_t sorted,
                 int64_t repeat) {
  int64_t size = int64_t(isa::sizeOf(DType(dtype))), first = size == 2 ? 3 : 1;
  tsm_gather_mask(core, loc, dtype, scores, sorted, first, repeat * 32 * 8 / size, 1, 1, 8);
  tsm_gather_mask(core, loc, int64_t(DType::U32), index, sorted, 2, repeat * 64, 1, 1, 8);
}

void tsm_copy_nz_to_nd(TsCore *core, int64_t loc, int64_t dtype, int64_t dst, int64_t src, int64_t ndNum,
                       int64_t nValue, int64_t dValue, int64_t srcNdMatrixStride, int64_t srcNStride,
                       int64_t dstDStride, int64_t dstNdMatrixStride) {
  int64_t size = int64_t(isa::sizeOf(DType(dtype))), width = isa::blockBytes / size;
  for (int64_t matrix = 0; matrix < ndNum; ++matrix)
    for (int64_t column = 0; column < dValue; column += width) {
      int64_t elements = std::min(dValue - column, width);
      tsm_copy_ub_to_gm(core, loc, dtype, dst + (matrix * dstNdMatrixStride + column) * size,
                        src + matrix * srcNdMatrixStride * 256 * size + column / width * srcNStride * isa::blockBytes,
                        nValue, elements * size, 0, (dstDStride - elements) * size);
    }
}

void tsm_cross_flag_set(TsCore *core, int64_t loc, int64_t mode, int64_t pipe, int64_t id) {
  if (mode == 0 && tsm_block_cores(core) <= 1)
    return tsm_cross_set(core, loc, pipe, id);
  tsm_cross_core_set(core, loc, pipe, mode, id);
}

void tsm_cross_flag_wait(TsCore *core, int64_t loc, int64_t mode, int64_t pipe, int64_t id) {
  if (mode == 0 && tsm_block_cores(core) <= 1)
    return tsm_cross_wait(core, loc, id, tsm_block_num(core, loc));
  bool onPipe = Arch(tsm_arch(core)) == Arch::C310;
  tsm_cross_core_wait(core, loc, onPipe ? pipe : int64_t(Pipe::S), onPipe ? mode : 0, id);
}

void tsm_sync_all(TsCore *core, int64_t loc, int64_t onlyVector) {
  if (onlyVector && !runsOnVector(core))
    return;
  int64_t key = onlyVector ? isa::syncAllVectorFlagId : isa::syncAllFlagId;
  int64_t ofBlock = onlyVector ? tsm_sub_block_num(core) : tsm_block_cores(core);
  tsm_pipe_barrier(core, loc, pipeAll);
  tsm_cross_set(core, loc, runsOnVector(core) ? pipeMte3 : int64_t(Pipe::FIX), key);
  tsm_cross_wait(core, loc, key, tsm_block_num(core, loc) * ofBlock);
}

void tsm_sync_some(TsCore *core, int64_t loc, int64_t workspace, int64_t cores) {
  int64_t key = crossKey(1, workspace);
  tsm_pipe_barrier(core, loc, pipeAll);
  tsm_cross_set(core, loc, pipeMte3, key);
  tsm_cross_wait(core, loc, key, cores > 0 ? cores : tsm_block_num(core, loc) * tsm_sub_block_num(core));
}

void tsm_block_set(TsCore *core, int64_t loc, int64_t workspace, int64_t block, int64_t event) {
  tsm_pipe_barrier(core, loc, pipeAll);
  tsm_cross_set(core, loc, pipeMte3, crossKey(2, workspace, block, event));
}

void tsm_block_wait(TsCore *core, int64_t loc, int64_t workspace, int64_t block, int64_t event) {
  tsm_pipe_barrier(core, loc, pipeAll);
  tsm_cross_wait(core, loc, crossKey(2, workspace, block, event), 1);
}

void tsm_wait_pre_block(TsCore *core, int64_t loc, int64_t workspace) {
  int64_t block = tsm_block_idx(core, loc), key = crossKey(3, workspace);
  tsm_pipe_barrier(core, loc, pipeAll);
  if (tsm_turn(core) == 0 && block == 0)
    return;
  int64_t before = block == 0 ? tsm_block_num(core, loc) * tsm_sub_block_num(core) - 1 : block - 1;
  tsm_cross_wait(core, loc, key + before, 1);
}

void tsm_notify_next_block(TsCore *core, int64_t loc, int64_t workspace) {
  tsm_pipe_barrier(core, loc, pipeAll);
  tsm_cross_set(core, loc, pipeMte3, crossKey(3, workspace) + tsm_block_idx(core, loc));
}

} // extern "C"
