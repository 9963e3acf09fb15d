#include "Footprint.h"
#include "tilesmith/Isa/Layouts.h"

namespace tilesmith::machine {

using isa::blockBytes, isa::fractalBytes, isa::fractalRows, isa::repeatBytes;

static int64_t saturate(__int128 value) {
  return value > beyondMemory ? beyondMemory : value < -beyondMemory ? -beyondMemory : int64_t(value);
}

Extent extentOf(const Region &region) {
  __int128 low = region.start, high = __int128(region.start) + region.length;
  for (unsigned i = 0; i < region.numLevels; ++i) {
    __int128 reach = __int128(region.levels[i].stride) * (region.levels[i].count - 1);
    (reach < 0 ? low : high) += reach;
  }
  return {saturate(low), saturate(high)};
}

Region &Regions::next() {
  if (count < few)
    return items[count++];
  if (more.empty())
    more.assign(items, items + few);
  ++count;
  return more.emplace_back();
}

void Regions::add(Access access, unsigned operand, Memory memory, int64_t start, int64_t length,
                  std::initializer_list<Level> levels) {
  bool negative = length < 0, empty = length == 0;
  for (const Level &level : levels) {
    negative |= level.count < 0;
    empty |= level.count == 0;
  }
  if (empty && !negative)
    return;
  Region &region = next();
  region.access = access;
  region.operand = uint8_t(operand);
  region.memory = memory;
  region.start = start;
  region.length = negative ? beyondMemory : length;
  region.numLevels = 0;
  if (negative)
    return;
  for (const Level &level : levels)
    if (level.count > 1 && level.stride != 0)
      region.levels[region.numLevels++] = level;
}

namespace {

// The shapes of Layout.td as regions of one call.
class Footprint : public CallNumbers {
public:
  Footprint(const Instr &instr, Arch arch, Regions &regions) : CallNumbers(instr, arch), regions(regions) {}

  void run(Access access, unsigned operand, Number offset, Number length, std::initializer_list<Level> levels = {}) {
    Address address = instr.address(operand);
    regions.add(access, operand, address.memory(), (Number(address.offset()) + offset).value, length.value, levels);
  }

  void lanes(Access access, unsigned operand, Number bytes, Number mask, Number repeat, Number blk, Number rep) {
    if (mask.value == TS_MASK_BITS)
      return scattered(access, operand, bytes.value, repeat, blk, rep);
    Level overRepeats(repeat, rep * block);
    Number length = mask * bytes;
    if (blk.value == 1 || (length.value >= 0 && length.value <= blockBytes))
      return run(access, operand, Number(0), length, {overRepeats});
    Number whole(length.value / blockBytes);
    run(access, operand, Number(0), block, {{whole, blk * block}, overRepeats});
    run(access, operand, whole * blk * block, Number(length.value % blockBytes), {overRepeats});
  }

  // The rest of the last column is not part of it.
  void nz(Access access, unsigned operand, Number rows, Number rowBytes, Number width, Number pitch, Level outer) {
    Number columns(rowBytes.value / width.value);
    run(access, operand, Number(0), rows * width, {{columns, pitch}, outer});
    run(access, operand, columns * pitch, Number(rowBytes.value % width.value), {{rows, width}, outer});
  }

  void zz(Access access, unsigned operand, Number rows, Number rowBytes) {
    Number columns(rowBytes.value / blockBytes), rest(rowBytes.value % blockBytes), bands(rows.value / fractalRows);
    Number below(rows.value % fractalRows), fractal(fractalBytes), bandStride = ceil(rowBytes, block) * fractal;
    run(access, operand, Number(0), fractal, {{columns, fractal}, {bands, bandStride}});
    run(access, operand, bands * bandStride, below * block, {{columns, fractal}});
    run(access, operand, columns * fractal, rest, {{Number(fractalRows), block}, {bands, bandStride}});
    run(access, operand, bands * bandStride + columns * fractal, rest, {{below, block}});
  }

  void results(Access access, unsigned operand, Number mask, Number repeat, Number lanes, Number groups, Number rep) {
    Level overRepeats(repeat, rep * groups * size());
    if (mask.value != TS_MASK_BITS)
      return run(access, operand, Number(0), ceil(mask, lanes) * size(), {overRepeats});
    for (int64_t i = 0; i < groups.value; ++i)
      if (anyLane(instr, i * lanes.value, lanes.value))
        run(access, operand, Number(i) * size(), size(), {overRepeats});
  }

  // Of bytes only one half of a row is used.
  void packed(Access access, unsigned operand, Number high, Number repeat, Number rep, Number bytes) {
    int64_t length = bytes.value == 1 ? 16 : blockBytes, within = bytes.value == 1 && high.value ? 16 : 0;
    const int64_t *words = &instr.args[operand];
    for (unsigned i = 0; i < 16; ++i) {
      int64_t start = int64_t(uint64_t(words[i / 4]) >> (i % 4 * 16) & 0xffff) * blockBytes;
      regions.add(access, operand, Memory::UB, start + within, length, {{repeat, rep * block}});
    }
  }

  // What the descriptor of a vector function says, reads before writes.
  void vectorFunction() {
    const TsVfDesc &vf = *instr.vf;
    if (const TsVfRecord *record = vf.recorded) {
      for (int64_t i = 0; i < record->numRuns; ++i) {
        const TsVfRun &run = record->runs[i];
        regions.add(run.write ? Access::Write : Access::Read, 0, run.global ? Memory::GM : Memory::UB, run.start,
                    run.length, {{Number(run.count), Number(run.stride)}});
      }
      return;
    }
    for (Access access : {Access::Read, Access::Write})
      for (uint32_t i = 0; i < vf.numAccesses; ++i)
        if (const TsVfAccess &walk = vf.accesses[i];
            (walk.write != 0) == (access == Access::Write) && vf.rows != 0 && vf.cols != 0)
          vectorAccess(access, walk, Number(vf.rows), Number(vf.cols));
  }

private:
  // Scattered lanes: each run of neighbours inside a block by itself.
  void scattered(Access access, unsigned operand, int64_t bytes, Number repeat, Number blk, Number rep) {
    int64_t perBlock = blockBytes / bytes;
    eachLaneRun(instr, std::min<int64_t>(perRepeat().value, 128), perBlock, [&](int64_t first, int64_t count) {
      run(access, operand, Number(first / perBlock) * blk * block + Number(first % perBlock * bytes),
          Number(count * bytes), {{repeat, rep * block}});
    });
  }

  void vectorAccess(Access access, const TsVfAccess &walk, Number rows, Number cols) {
    Number bytes = bytesOf(DType(walk.dtype)), none(0);
    switch (walk.walk) {
    case TS_VF_FULL:
      return run(access, walk.arg, none, cols * bytes, {{rows, Number(walk.pitch)}});
    case TS_VF_ROW:
      return run(access, walk.arg, none, cols * bytes);
    case TS_VF_ELEMENT:
      return run(access, walk.arg, none, rows * bytes);
    case TS_VF_ONE:
      return run(access, walk.arg, none, bytes);
    case TS_VF_BITS:
      return run(access, walk.arg, none, ceil(rows * cols, Number(8)));
    case TS_VF_GROUP:
      return run(access, walk.arg, none, cols / Number(walk.pitch) * bytes);
    }
  }

  static constexpr Number block{blockBytes};
  Regions &regions;
};

} // namespace

void regionsOf(const Instr &instr, Arch arch, Regions &regions) {
  Footprint footprint(instr, arch, regions);
  if (instr.op == Opcode::VectorFunction)
    return footprint.vectorFunction();
  isa::visitLayouts(instr.op, footprint);
}

} // namespace tilesmith::machine
