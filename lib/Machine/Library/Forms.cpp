// Forms of instructions that are several instructions: reductions of masked repeats, turned matrices, gathering with a
// mask of bits. They issue entries of the C ABI, so checks, late mode, order and time know nothing of them.
#include "Rows.h"
#include "tilesmith/Machine/Abi.h"
#include <algorithm>

namespace tilesmith::machine::library {

namespace {

constexpr int64_t mostRepeats = 255, pipeV = int64_t(Pipe::V), pipeS = int64_t(Pipe::S);

void barrier(TsCore &core, int64_t loc) { tsm_pipe_barrier(&core, loc, pipeV); }

void vectorWaitsForScalar(TsCore &core, int64_t loc) {
  int64_t id = tsm_event_fetch(&core, loc, pipeS, pipeV);
  tsm_set_flag(&core, loc, pipeS, pipeV, id);
  tsm_wait_flag(&core, loc, pipeS, pipeV, id);
}

double valueOf(DType dtype, int64_t bits) {
  return dtype == DType::F16 ? double(__builtin_bit_cast(_Float16, uint16_t(bits)))
                             : double(__builtin_bit_cast(float, uint32_t(bits)));
}

// Repeats that follow each other are elements. Else a result for each repeat goes into the temporary tensor, and the
// result of those behind them. With an index it is pairs, among which the scalar unit chooses; the index is where the
// element lies in the source.
class RepeatReduction {
public:
  RepeatReduction(TsCore &core, int64_t loc, const RowsCall &call)
      : core(core), loc(loc), dst(call.dst[0]), src(call.src[0]), work(call.work), mask(call.length),
        repeats(call.rows), stride(call.columns), dtype(DType(call.dtype)), size(int64_t(isa::sizeOf(dtype))),
        kind(call.function) {}

  void run(bool wantsIndex) {
    int64_t lanes = mask - TS_MASK_GIVEN, all = isa::repeatBytes / size;
    if (mask != TS_MASK_BITS && (repeats == 1 || (stride == 8 && lanes == all)))
      return whole(src, work, std::min(lanes, all) * repeats, wantsIndex);
    for (int64_t first = 0; first < repeats; first += mostRepeats) {
      int64_t count = std::min(repeats - first, mostRepeats), from = src + first * stride * isa::blockBytes;
      if (wantsIndex)
        pairs(work + first * 2 * size, from, count);
      else
        values(work + first * size, from, count);
    }
    if (wantsIndex)
      return chooseByScalar();
    barrier(core, loc);
    int64_t bytes = (repeats * size + isa::blockBytes - 1) / isa::blockBytes * isa::blockBytes;
    whole(work, work + bytes, repeats, false);
  }

private:
  void whole(int64_t from, int64_t by, int64_t count, bool wantsIndex) {
    if (kind == TS_FORM_ReduceSum)
      tsm_reduce_sum(&core, loc, int64_t(dtype), dst, from, by, count);
    else if (kind == TS_FORM_ReduceMax)
      tsm_reduce_max(&core, loc, int64_t(dtype), dst, from, by, count, wantsIndex);
    else
      tsm_reduce_min(&core, loc, int64_t(dtype), dst, from, by, count, wantsIndex);
  }
  void values(int64_t to, int64_t from, int64_t count) {
    auto *reduce = kind == TS_FORM_ReduceSum   ? tsm_whole_reduce_sum
                   : kind == TS_FORM_ReduceMax ? tsm_whole_reduce_max
                                               : tsm_whole_reduce_min;
    reduce(&core, loc, int64_t(dtype), to, from, mask, count, 1, 1, stride);
  }
  void pairs(int64_t to, int64_t from, int64_t count) {
    auto *reduce = kind == TS_FORM_ReduceMax ? tsm_whole_reduce_max_index : tsm_whole_reduce_min_index;
    reduce(&core, loc, int64_t(dtype), to, from, mask, count, 1, 1, stride, int64_t(isa::ReduceOrder::ValueIndex));
  }
  void chooseByScalar() {
    tsm_scalar_waits_for_vector(&core, loc);
    int64_t bits = 0, at = 0, words = int64_t(size == 2 ? DType::U16 : DType::U32);
    for (int64_t i = 0; i < repeats && !core.ended; ++i) {
      int64_t next = tsm_get_value(&core, loc, words, work + i * 2 * size);
      int64_t lane = tsm_get_value(&core, loc, words, work + (i * 2 + 1) * size);
      double a = valueOf(dtype, next), b = valueOf(dtype, bits);
      if (i == 0 || (kind == TS_FORM_ReduceMax ? a > b : a < b)) {
        bits = next;
        at = i * stride * (isa::blockBytes / size) + lane;
      }
    }
    tsm_set_value(&core, loc, words, dst, bits);
    tsm_set_value(&core, loc, words, dst + size, at);
    vectorWaitsForScalar(core, loc);
  }

  TsCore &core;
  int64_t loc, dst, src, work, mask, repeats, stride;
  DType dtype;
  int64_t size, kind;
};

// Matrices of `rows` x `columns`, one after another, turned. Where rows fill blocks of 32 bytes both ways, squares of
// 16 rows are turned by TransDataTo5HD; else the scalar unit moves elements.
class Turning {
public:
  Turning(TsCore &core, int64_t loc, const RowsCall &call)
      : core(core), loc(loc), rows(call.rows), columns(call.columns), count(call.length),
        size(int64_t(isa::sizeOf(DType(call.dtype)))), dst(call.dst[0]), src(call.src[0]) {}

  void run() {
    int64_t wide = isa::blockBytes / size;
    bool fits = (size == 2 || size == 4) && rows % 16 == 0 && columns % wide == 0 && rows <= 0xffff;
    if (fits && !((Address(dst).offset() | Address(src).offset()) % isa::blockBytes)) {
      for (int64_t i = 0; i < count; ++i)
        for (int64_t row = 0; row < rows; row += 16)
          turnRows(i * rows * columns, row, wide);
      return;
    }
    tsm_scalar_waits_for_vector(&core, loc);
    int64_t words = int64_t(size == 1 ? DType::U8 : size == 2 ? DType::U16 : DType::U32);
    for (int64_t i = 0; i < count && !core.ended; ++i)
      for (int64_t row = 0; row < rows && !core.ended; ++row)
        for (int64_t column = 0; column < columns; ++column) {
          int64_t value = tsm_get_value(&core, loc, words, src + ((i * rows + row) * columns + column) * size);
          tsm_set_value(&core, loc, words, dst + ((i * columns + column) * rows + row) * size, value);
        }
    vectorWaitsForScalar(core, loc);
  }

private:
  // Addresses of rows in blocks, four to a word.
  struct Words {
    int64_t words[4] = {};
    void add(int64_t i, int64_t address) {
      words[i / 4] |= int64_t(uint64_t(Address(address).offset() / isa::blockBytes & 0xffff) << (i % 4 * 16));
    }
  };

  // Element j of 16 rows becomes a row of 16: one block of halves, two of words. A repeat is the next block of the
  // rows.
  void turnRows(int64_t matrix, int64_t row, int64_t wide) {
    for (int64_t first = 0; first < columns / wide; first += mostRepeats) {
      int64_t repeat = std::min(columns / wide - first, mostRepeats);
      Words to, from;
      for (int64_t i = 0; i < 16; ++i) {
        int64_t line = size == 4 ? i / 2 : i, half = size == 4 ? i % 2 * 8 : 0;
        from.add(i, src + (matrix + (row + i) * columns + first * wide) * size);
        to.add(i, dst + (matrix + (first * wide + line) * rows + row + half) * size);
      }
      bool again = repeat > 1;
      tsm_trans_data_rows(&core, loc, to.words[0], to.words[1], to.words[2], to.words[3], from.words[0], from.words[1],
                          from.words[2], from.words[3], 0, 0, repeat, again ? rows : 0, again ? 1 : 0, size);
    }
  }

  TsCore &core;
  int64_t loc, rows, columns, count, size, dst, src;
};

// Elements of a repeat are gathered aside, and those whose bit is set copied.
void gatherBits(TsCore &core, int64_t loc, const RowsCall &call, int64_t aside) {
  int64_t size = int64_t(isa::sizeOf(DType(call.dtype))), lanes = isa::repeatBytes / size;
  for (int64_t i = 0; i < call.rows && !core.ended; ++i) {
    tsm_gather(&core, loc, call.dtype, aside, call.src[0], call.src[1] + i * lanes * 4, call.src[2], call.src[3],
               lanes);
    barrier(core, loc);
    tsm_mask_lanes(&core, call.scalar[0], lanes > 64 ? call.scalar[1] : 0);
    tsm_copy_r(&core, loc, call.dtype, call.dst[0] + i * call.columns * isa::blockBytes, aside, TS_MASK_BITS, 1, 1, 1,
               8, 8);
    barrier(core, loc);
  }
}

} // namespace

void issueForm(TsCore &core, int64_t loc, const RowsCall &call) {
  constexpr int64_t most = 1 << 24;
  static constexpr const char *names[] = {"ReduceSum of repeats", "ReduceMax of repeats", "ReduceMin of repeats",
                                          "Transpose of matrices", "Gather with a mask of bits"};
  Request request(core, loc, names[call.function - TS_FORM_ReduceSum]);
  if (call.rows < 0 || call.rows > most || call.columns < 0 || call.columns > most) {
    request.refuse("was called for " + std::to_string(call.rows) + " by " + std::to_string(call.columns));
    return;
  }
  constexpr isa::DTypeSet floats = isa::dtypeBit(DType::F16) | isa::dtypeBit(DType::F32);
  bool isKnownType = call.dtype >= 0 && call.dtype < int64_t(isa::numDType);
  int64_t size = isKnownType ? int64_t(isa::sizeOf(DType(call.dtype))) : 0;
  switch (call.function) {
  case TS_FORM_Transpose:
    if (size != 1 && size != 2 && size != 4) {
      request.refuse("takes elements of 8, 16 or 32 bits");
      return;
    }
    return Turning(core, loc, call).run();
  case TS_FORM_GatherBits: {
    if (size != 2 && size != 4) {
      request.refuse("takes elements of 16 or 32 bits");
      return;
    }
    if (std::optional<Work> aside = request.work(0, 0, isa::repeatBytes))
      gatherBits(core, loc, call, aside->address);
    return;
  }
  default:
    if (call.rows && request.takes(DType(call.dtype), floats))
      RepeatReduction(core, loc, call).run(call.flags != 0);
  }
}

} // namespace tilesmith::machine::library
