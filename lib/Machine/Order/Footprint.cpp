#include "Footprint.h"
#include "tilesmith/Isa/Chip.h"
#include "tilesmith/Machine/Entries.h"
#include <algorithm>

namespace tilesmith::machine {

static constexpr int64_t block = isa::blockBytes, fractal = isa::fractalBytes;
using isa::repeatBytes;

int64_t saturate(__int128 value) {
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

// Writes the regions of one instruction; one function per family, each headed by the family's rule.
struct Footprint {
  const Instr &instr;
  const isa::InstructionInfo &info;
  Arch arch;
  Regions &regions;
  int64_t size, size2; // bytes per element of dtype and dtype2

  int64_t arg(unsigned i) const { return instr.args[i]; }
  bool repeats() const { return info.form == Form::Repeat; }

  void run(Access access, unsigned operand, int64_t offset, int64_t length, std::initializer_list<Level> levels = {}) {
    Address address = instr.address(operand);
    regions.add(access, operand, address.memory(), plus(address.offset(), offset), length, levels);
  }

  // `count` elements from the operand's start.
  void elements(Access access, unsigned operand, int64_t elementSize, int64_t count) {
    run(access, operand, 0, times(count, elementSize));
  }

  // Scattered lanes: each run of neighbours inside a block by itself.
  void scattered(Access access, unsigned operand, int64_t elementSize, int64_t repeat, int64_t blk, int64_t rep) {
    int64_t perBlock = block / elementSize, widest = info.dtype2Operand >= 0 ? std::max(size, size2) : size;
    eachLaneRun(instr, std::min<int64_t>(repeatBytes / widest, 128), perBlock, [&](int64_t first, int64_t count) {
      run(access, operand, plus(times(first / perBlock, times(blk, block)), first % perBlock * elementSize),
          count * elementSize, {{repeat, times(rep, block)}});
    });
  }

  // `lanes` elements per repeat in 32-byte blocks: block b of repeat r starts at (r * rep + b * blk) * 32.
  void lanes(Access access, unsigned operand, int64_t elementSize, int64_t lanes, int64_t repeat, int64_t blk,
             int64_t rep) {
    if (lanes == TS_MASK_BITS)
      return scattered(access, operand, elementSize, repeat, blk, rep);
    int64_t bytes = times(lanes, elementSize);
    Level overRepeats{repeat, times(rep, block)};
    if (blk == 1 || (bytes >= 0 && bytes <= block))
      return run(access, operand, 0, bytes, {overRepeats});
    int64_t whole = bytes / block;
    run(access, operand, 0, block, {{whole, times(blk, block)}, overRepeats});
    run(access, operand, times(whole, times(blk, block)), bytes % block, {overRepeats});
  }

  // A matrix of `rows` x `rowBytes` in columns of `width` bytes, `columnStride` bytes apart, rows `width` apart: NZ.
  // The rest of the last column is not part of it.
  void nz(Access access, unsigned operand, int64_t rows, int64_t rowBytes, int64_t width, int64_t columnStride) {
    int64_t columns = rowBytes / width;
    run(access, operand, 0, times(rows, width), {{columns, columnStride}});
    run(access, operand, times(columns, columnStride), rowBytes % width, {{rows, width}});
  }

  // The same in L0A of C220: 512-byte fractals row by row.
  void zz(Access access, unsigned operand, int64_t rows, int64_t rowBytes) {
    int64_t columns = rowBytes / block, rest = rowBytes % block, bands = rows / 16;
    int64_t bandStride = times(ceilDiv(rowBytes, block), fractal);
    run(access, operand, 0, fractal, {{columns, fractal}, {bands, bandStride}});
    run(access, operand, times(bands, bandStride), rows % 16 * block, {{columns, fractal}});
    run(access, operand, times(columns, fractal), rest, {{16, block}, {bands, bandStride}});
    run(access, operand, plus(times(bands, bandStride), times(columns, fractal)), rest, {{rows % 16, block}});
  }

  void destination(unsigned firstStride, unsigned repStride, int64_t active, int64_t count) {
    if (repeats())
      lanes(Access::Write, 0, size, active, count, arg(firstStride), arg(repStride));
    else
      elements(Access::Write, 0, size, active);
  }

  // Element-wise (unary, binary, scalar, duplicate, copy, cast): operand i of `count` elements, or `mask` lanes of
  // `repeat` groups with its own strides. A fused destination is read too.
  void elementwise(unsigned sources, unsigned form, int64_t sourceSize) {
    int64_t count = arg(form);
    bool readsDst = info.operands[0].access == Access::ReadWrite;
    for (unsigned i = readsDst ? 0 : 1; i <= sources; ++i) {
      int64_t elementSize = i == 0 ? size : sourceSize;
      if (repeats())
        lanes(Access::Read, i, elementSize, count, arg(form + 1), arg(form + 2 + i), arg(form + 3 + sources + i));
      else
        elements(Access::Read, i, elementSize, count);
    }
    destination(form + 2, form + 3 + sources, count, repeats() ? arg(form + 1) : 1);
  }

  // Copy by count moves whole 32-byte blocks, the rest of the count is dropped.
  void copy() {
    if (repeats())
      return elementwise(1, 2, size);
    int64_t bytes = times(arg(2), size);
    bytes = bytes < 0 ? bytes : bytes / block * block;
    run(Access::Read, 1, 0, bytes);
    run(Access::Write, 0, 0, bytes);
  }

  // Compare: sources element-wise; by count one bit of dst per element. Repeats write 256 / size bits each, one after
  // the other: inactive lanes give 0.
  void compare(unsigned sources) {
    constexpr unsigned form = 4;
    for (unsigned i = 1; i <= sources; ++i)
      if (repeats())
        lanes(Access::Read, i, size, arg(form), arg(form + 1), arg(form + 1 + i), arg(form + 1 + sources + i));
      else
        elements(Access::Read, i, size, arg(form));
    run(Access::Write, 0, 0, repeats() ? times(arg(form + 1), repeatBytes / size / 8) : ceilDiv(arg(form), 8));
  }

  // Select: element-wise, and the bits of the active lanes, 256 / size bits per repeat one after the other.
  void select() {
    constexpr unsigned form = 4;
    int64_t count = arg(form);
    if (repeats()) {
      int64_t maskBytes = repeatBytes / size / 8;
      run(Access::Read, 1, 0, count == TS_MASK_BITS ? maskBytes : ceilDiv(count, 8), {{arg(form + 1), maskBytes}});
      lanes(Access::Read, 2, size, count, arg(form + 1), arg(form + 3), arg(form + 6));
      lanes(Access::Read, 3, size, count, arg(form + 1), arg(form + 4), arg(form + 7));
    } else {
      run(Access::Read, 1, 0, ceilDiv(count, 8));
      elements(Access::Read, 2, size, count);
      elements(Access::Read, 3, size, count);
    }
    destination(form + 2, form + 5, count, repeats() ? arg(form + 1) : 1);
  }

  // Select by a scalar: the same with one source.
  void selectScalar() {
    constexpr unsigned form = 4;
    int64_t count = arg(form), maskBytes = repeatBytes / size / 8;
    if (repeats()) {
      run(Access::Read, 1, 0, count == TS_MASK_BITS ? maskBytes : ceilDiv(count, 8), {{arg(form + 1), maskBytes}});
      lanes(Access::Read, 2, size, count, arg(form + 1), arg(form + 3), arg(form + 5));
    } else {
      run(Access::Read, 1, 0, ceilDiv(count, 8));
      elements(Access::Read, 2, size, count);
    }
    destination(form + 2, form + 4, count, repeats() ? arg(form + 1) : 1);
  }

  // The compare register itself lies in no memory.
  void compareRegister() {
    switch (instr.op) {
    case Opcode::GetCmpMask:
      return run(Access::Write, 0, 0, 16);
    case Opcode::SetCmpMask:
      return run(Access::Read, 0, 0, 16);
    case Opcode::CompareToRegister:
      lanes(Access::Read, 0, size, arg(3), 1, arg(4), 0);
      return lanes(Access::Read, 1, size, arg(3), 1, arg(5), 0);
    default:
      lanes(Access::Read, 1, size, arg(3), arg(4), arg(6), arg(9));
      lanes(Access::Read, 2, size, arg(3), arg(4), arg(7), arg(10));
      return lanes(Access::Write, 0, size, arg(3), arg(4), arg(5), arg(8));
    }
  }

  // Whole reduce: mask lanes of each repeat, one element of dst each, dstRep elements apart.
  void wholeReduce() {
    lanes(Access::Read, 1, size, arg(2), arg(3), arg(5), arg(6));
    run(Access::Write, 0, 0, arg(2) == 0 ? 0 : size, {{arg(3), times(arg(4), size)}});
  }

  // The same with the index: two elements each, or one u32, or the value alone.
  void wholeReduceIndex() {
    auto order = isa::ReduceOrder(arg(7));
    int64_t unit = order == isa::ReduceOrder::OnlyIndex ? 4 : order == isa::ReduceOrder::OnlyValue ? size : 2 * size;
    lanes(Access::Read, 1, size, arg(2), arg(3), arg(5), arg(6));
    run(Access::Write, 0, 0, arg(2) == 0 ? 0 : unit, {{arg(3), times(arg(4), unit)}});
  }

  // Block and pair reduce: one result for each group of 32 bytes (of two elements) that has an active lane, in units of
  // a repeat's results.
  void blockReduce() {
    lanes(Access::Read, 1, size, arg(2), arg(3), arg(5), arg(6));
    bool pairs = instr.op == Opcode::PairReduceSum;
    int64_t group = pairs ? 2 : block / size, results = pairs ? repeatBytes / size / 2 : 8;
    Level overRepeats{arg(3), times(arg(4), results * size)};
    if (arg(2) != TS_MASK_BITS)
      return run(Access::Write, 0, 0, times(ceilDiv(arg(2), group), size), {overRepeats});
    for (int64_t i = 0; i < results; ++i)
      if (anyLane(instr, i * group, group))
        run(Access::Write, 0, i * size, size, {overRepeats});
  }

  // Reduce all: every repeat leaves a result in the work tensor (and its index), the last step one in dst.
  void reduceAll() {
    int64_t count = arg(3);
    bool index = info.numOperands > 4 && arg(4);
    if (count == 0)
      return;
    int64_t perRepeat = repeatBytes / size, unit = index ? 2 * size : size;
    elements(Access::Read, 1, size, count);
    run(Access::Write, 2, 0, count < 0 ? count : times(ceilDiv(count, perRepeat), unit));
    run(Access::Write, 0, 0, unit);
  }

  // Gather: offsets may name any element of the source.
  void gather() {
    int64_t count = arg(5);
    if (count == 0)
      return;
    run(Access::Read, 1, 0, arg(4));
    elements(Access::Read, 2, 4, count);
    elements(Access::Write, 0, size, count);
  }

  // Gather by pattern: all elements are read, the kept ones written one after the other.
  void gatherPattern() {
    int64_t count = arg(3), repeat = arg(4);
    if (count < 0 || count > repeatBytes / size)
      run(Access::Read, 1, 0, times(count, size), {{repeat, times(arg(6), block)}});
    else
      lanes(Access::Read, 1, size, count, repeat, arg(5), arg(6));
    if (instr.op != Opcode::GatherMaskBits)
      return run(Access::Write, 0, 0, times(times(keptOf(arg(2), count), repeat), size));
    // How many it keeps is in the bits: at most all, and no more than there is room for.
    run(Access::Read, 2, 0, ceilDiv(count, 8), {{repeat, times(arg(7), block)}});
    run(Access::Write, 0, 0, times(std::min(times(count, repeat), arg(8)), size));
  }

  // Gather of blocks: offsets may name any block of the source.
  void gatherBlocks() {
    int64_t repeat = arg(4);
    if (repeat == 0)
      return;
    run(Access::Read, 1, 0, arg(3));
    elements(Access::Read, 2, 4, times(repeat, 8));
    run(Access::Write, 0, 0, block, {{8, times(arg(5), block)}, {repeat, times(arg(6), block)}});
  }

  // Scatter: offsets may name any element of the destination.
  void scatter() {
    int64_t count = arg(5);
    if (count == 0)
      return;
    elements(Access::Read, 1, size, count);
    elements(Access::Read, 2, 4, count);
    run(Access::Write, 0, 0, arg(4));
  }

  // Merge: records of 8 bytes; the lists of the next repeat follow those of this one.
  void merge() {
    int64_t total = plus(plus(arg(5), arg(6)), plus(arg(7), arg(8)));
    for (unsigned i = 0; i < 4; ++i)
      run(Access::Read, 1 + i, 0, times(arg(5 + i), 8), {{arg(9), times(total, 8)}});
    run(Access::Write, 0, 0, times(times(total, arg(9)), 8));
  }

  // Turned rows: 16 addresses each, packed four to a word; of bytes only one half of a row.
  void transposeRows() {
    for (Access access : {Access::Read, Access::Write})
      for (unsigned i = 0; i < 16; ++i) {
        bool writes = access == Access::Write, bytes = arg(13) == 1;
        int64_t at = int64_t(uint64_t(arg((writes ? 0 : 4) + i / 4)) >> (i % 4 * 16) & 0xffff) * block;
        regions.add(access, writes ? 0 : 4, Memory::UB, at + (bytes && arg(writes ? 8 : 9) ? 16 : 0),
                    bytes ? 16 : block, {{arg(10), times(arg(writes ? 11 : 12), block)}});
      }
  }

  // L1 to a table of the matrix unit.
  void copyL1() {
    int64_t from = times(arg(3), size2), to = times(arg(3), size);
    run(Access::Read, 1, 0, from, {{arg(2), plus(from, times(arg(4), block))}});
    run(Access::Write, 0, 0, to, {{arg(2), plus(to, times(arg(5), block))}});
  }

  // Sort: 32 scores and indices per repeat, records of 8 bytes.
  void sort() {
    elements(Access::Read, 1, size, times(arg(3), 32));
    elements(Access::Read, 2, 4, times(arg(3), 32));
    elements(Access::Write, 0, 8, times(arg(3), 32));
  }

  void transpose() {
    elements(Access::Read, 1, size, 256);
    elements(Access::Write, 0, size, 256);
  }

  // Brcb: 8 elements per repeat, one after the other; each fills a 32-byte block.
  void brcb() {
    elements(Access::Read, 1, size, times(arg(2), 8));
    run(Access::Write, 0, 0, block, {{8, times(arg(3), block)}, {arg(2), times(arg(4), block)}});
  }

  // Move in: blockLen bytes, blockLen + srcStride apart in GM. In UB a block is left padding, data, right padding and
  // filler up to 32 bytes, all of it written; blocks are dstStride blocks of 32 bytes apart, end to start.
  void moveIn() {
    int64_t count = arg(2), length = arg(3);
    if (count == 0 || length == 0)
      return;
    bool negative = length < 0 || arg(7) < 0 || arg(8) < 0;
    int64_t padded = negative ? -1 : roundUp(plus(length, times(plus(arg(7), arg(8)), size)), block);
    run(Access::Read, 1, 0, length, {{count, plus(length, arg(4))}});
    run(Access::Write, 0, 0, padded, {{count, plus(padded, times(arg(5), block))}});
  }

  // Move out: blockLen bytes of each block; every block starts on 32 bytes in UB, the filler is dropped.
  void moveOut() {
    int64_t count = arg(2), length = arg(3);
    run(Access::Read, 1, 0, length, {{count, plus(roundUp(length, block), times(arg(4), block))}});
    run(Access::Write, 0, 0, length, {{count, plus(length, arg(5))}});
  }

  // ND to NZ: rows of dValue elements; in L1 every row fills whole 32-byte pieces, the last one with zeros.
  void moveNz() {
    int64_t matrices = arg(2), rows = arg(3), rowBytes = times(arg(4), size);
    run(Access::Read, 1, 0, rowBytes, {{rows, times(arg(6), size)}, {matrices, times(arg(5), size)}});
    run(Access::Write, 0, 0, rowBytes < 0 ? rowBytes : block,
        {{rows, times(arg(8), block)},
         {ceilDiv(rowBytes, block), times(arg(7), block)},
         {matrices, times(arg(9), size)}});
  }

  // Fill: blockNum blocks of 32 bytes per run, dstGap blocks between the runs.
  void fillL1() { run(Access::Write, 0, 0, times(arg(2), block), {{arg(1), times(plus(arg(2), arg(3)), block)}}); }

  // Loads into L0 move whole fractals.
  void loadL0() {
    int64_t start = times(arg(2), fractal), repeat = arg(3);
    if (instr.op == Opcode::LoadData_2d) {
      bool oneRow = arch == Arch::C310; // startIndex counts columns, and turned fractals follow each other
      run(Access::Read, 1, oneRow ? times(start, arg(4)) : start, fractal, {{repeat, times(arg(4), fractal)}});
      run(Access::Write, 0, 0, fractal, {{repeat, oneRow && arg(6) ? fractal : times(plus(arg(5), 1), fractal)}});
    } else if (instr.op == Opcode::LoadDataTranspose && size < 4) {
      int64_t square = size == 1 ? 2 * fractal : fractal;
      run(Access::Read, 1, times(arg(2), square), square, {{repeat, times(arg(4), square)}});
      run(Access::Write, 0, 0, fractal,
          {{size == 1 ? 2 : 1, times(plus(arg(6), 1), fractal)}, {repeat, times(plus(arg(5), 1), fractal)}});
    } else if (instr.op == Opcode::LoadDataTranspose) {
      // Repeat r reads fractals startIndex + r and startIndex + r + srcStride, 16 x 8 each.
      run(Access::Read, 1, start, fractal, {{2, times(arg(4), fractal)}, {repeat, fractal}});
      run(Access::Write, 0, 0, fractal,
          {{2, times(plus(arg(6), 1), fractal)}, {repeat, times(plus(arg(5), 1), fractal)}});
    } else {
      // Fractal (m, k) of L1 is number k * srcStride + m. Transposed, the outer axis of L0 is m in steps of 32 bytes of
      // elements, the inner one k in steps of 16 elements.
      int64_t mStep = arg(4), kStep = arg(5);
      run(Access::Read, 1, times(plus(times(arg(3), arg(6)), arg(2)), fractal), fractal,
          {{mStep, fractal}, {kStep, times(arg(6), fractal)}});
      int64_t inner = mStep, outer = kStep;
      if (arg(8)) {
        inner = times(kStep, 2) / size;
        outer = times(mStep, size) / 2;
      }
      run(Access::Write, 0, 0, fractal, {{inner, fractal}, {outer, times(arg(7), fractal)}});
    }
  }

  // Mmad: exactly m x k, k x n and m x n; the rest of fractals is ignored. L0A is ZZ on C220 and NZ on C310, L0B ZN,
  // L0C NZ. With m = 1 L0A holds a plain vector.
  void mmad() {
    int64_t m = arg(3), n = arg(4), kBytes = times(arg(5), size2);
    if (m == 0 || n == 0 || kBytes == 0)
      return;
    int64_t resultColumn = times(roundUp(m, 16), 64), nBytes = times(n, 4);
    if (m == 1)
      run(Access::Read, 1, 0, kBytes);
    else if (arch == Arch::C220)
      zz(Access::Read, 1, m, kBytes);
    else
      nz(Access::Read, 1, m, kBytes, block, times(roundUp(m, 16), block));
    nz(Access::Read, 2, n, kBytes, block, times(roundUp(n, 16), block));
    if (instr.op == Opcode::MmadBias)
      run(Access::Read, 8, 0, nBytes);
    if (!arg(7))
      nz(Access::Read, 0, m, nBytes, 64, resultColumn);
    nz(Access::Write, 0, m, nBytes, 64, resultColumn);
  }

  // Fixpipe: exactly mSize x nSize; source columns of 16 elements are srcStride rows of them apart. To GM rows are
  // dstStride elements apart, to L1 32-byte columns dstStride blocks.
  void fixpipe() {
    int64_t n = arg(2), m = arg(3);
    if (instr.op == Opcode::FixpipeQuant)
      return fixpipeQuant();
    nz(Access::Read, 1, m, times(n, size2), 16 * size2, times(arg(4), 16 * size2));
    if (instr.op == Opcode::FixpipeToGm)
      run(Access::Write, 0, 0, times(n, size), {{m, times(arg(5), size)}});
    else
      nz(Access::Write, 0, m, times(n, size), block, times(arg(5), block));
  }

  // The same for several matrices; in NZ a column is 32 bytes wide, of 4-byte elements 64.
  void fixpipeQuant() {
    int64_t n = arg(2), m = arg(3);
    Level from{arg(9), times(arg(10), 1024)}, to{arg(9), times(arg(11), size)};
    int64_t columns = n / 16, width = size == 4 ? 64 : block, rowBytes = times(n, size), whole = rowBytes / width;
    run(Access::Read, 1, 0, times(m, 64), {{columns, times(arg(4), 64)}, from});
    run(Access::Read, 1, times(columns, times(arg(4), 64)), n % 16 * 4, {{m, 64}, from});
    if (!arg(12))
      return run(Access::Write, 0, 0, rowBytes, {{m, times(arg(5), size)}, to});
    run(Access::Write, 0, 0, times(m, width), {{whole, times(arg(5), block)}, to});
    run(Access::Write, 0, times(whole, times(arg(5), block)), rowBytes % width, {{m, width}, to});
  }

  // Vector function: what its descriptor says, reads before writes.
  void vectorFunction() {
    const TsVfDesc &vf = *instr.vf;
    if (const TsVfRecord *record = vf.recorded) {
      for (int64_t i = 0; i < record->numRuns; ++i) {
        const TsVfRun &run = record->runs[i];
        regions.add(run.write ? Access::Write : Access::Read, 0, Memory::UB, run.start, run.length,
                    {{run.count, run.stride}});
      }
      return;
    }
    for (Access access : {Access::Read, Access::Write})
      for (uint32_t i = 0; i < vf.numAccesses; ++i) {
        const TsVfAccess &walk = vf.accesses[i];
        if ((walk.write != 0) != (access == Access::Write) || vf.rows == 0 || vf.cols == 0)
          continue;
        int64_t elementSize = isa::sizeOf(DType(walk.dtype));
        switch (walk.walk) {
        case TS_VF_FULL:
          run(access, walk.arg, 0, times(vf.cols, elementSize), {{vf.rows, walk.pitch}});
          break;
        case TS_VF_ROW:
          run(access, walk.arg, 0, times(vf.cols, elementSize));
          break;
        case TS_VF_ELEMENT:
          run(access, walk.arg, 0, times(vf.rows, elementSize));
          break;
        case TS_VF_ONE:
          run(access, walk.arg, 0, elementSize);
          break;
        case TS_VF_BITS:
          run(access, walk.arg, 0, ceilDiv(times(vf.rows, vf.cols), 8));
          break;
        }
      }
  }

  void all() {
    switch (info.family) {
    case Family::VectorUnary:
      return elementwise(1, 2, size);
    case Family::VectorBinary:
      return elementwise(2, 3, size);
    case Family::VectorScalar:
      return elementwise(1, 3, size);
    case Family::Duplicate:
      return elementwise(0, 2, size);
    case Family::Cast:
      return elementwise(1, 3, size2);
    case Family::Copy:
      return copy();
    case Family::Compare:
      return compare(2);
    case Family::CompareScalar:
      return compare(1);
    case Family::Select:
      return select();
    case Family::WholeReduce:
      return wholeReduce();
    case Family::WholeReduceIndex:
      return wholeReduceIndex();
    case Family::BlockReduce:
      return blockReduce();
    case Family::ReduceAll:
      return reduceAll();
    case Family::Gather:
      return gather();
    case Family::GatherPattern:
      return gatherPattern();
    case Family::SelectScalar:
      return selectScalar();
    case Family::CmpMask:
      return compareRegister();
    case Family::GatherBlocks:
      return gatherBlocks();
    case Family::Scatter:
      return scatter();
    case Family::Merge:
      return merge();
    case Family::Trans5hd:
      return transposeRows();
    case Family::Mixed:
      return elementwise(2, 4, size2);
    case Family::Arange:
      return elements(Access::Write, 0, size, arg(3));
    case Family::CopyL1:
      return copyL1();
    case Family::Sort:
      return sort();
    case Family::Transpose:
      return transpose();
    case Family::Brcb:
      return brcb();
    case Family::MoveIn:
      return moveIn();
    case Family::MoveOut:
      return moveOut();
    case Family::MoveNz:
      return moveNz();
    case Family::FillL1:
      return fillL1();
    case Family::LoadL0:
      return loadL0();
    case Family::Mmad:
      return mmad();
    case Family::Fixpipe:
      return fixpipe();
    case Family::ScalarAccess: // one element
      return run(info.operands[0].access, 0, 0, size);
    case Family::VectorFunction:
      return vectorFunction();
    case Family::Flag:
    case Family::Barrier:
    case Family::Cross:
    case Family::Control:
      return;
    }
  }
};

} // namespace

void regionsOf(const Instr &instr, Arch arch, Regions &regions) {
  const isa::InstructionInfo &info = instr.info();
  // Packed bits are no operand type of any instruction; 1 keeps the arithmetic defined.
  auto bytes = [](DType dtype) { return int64_t(isa::sizeOf(dtype) ? isa::sizeOf(dtype) : 1); };
  Footprint{instr, info, arch, regions, bytes(instr.dtype), bytes(instr.dtype2)}.all();
}

} // namespace tilesmith::machine
