// Vector instructions: from operands and form to rows.
//
// The count form is one row. In the repeat form each repeat is a row of `mask` elements as long as its blocks follow
// each other; rows that follow each other too are one long row. Only block strides other than 1 need a detour: the
// blocks of a repeat are collected, computed as a row, and put back, active lanes only. Scattered lanes go the same
// way.
#include "Exec.h"
#include "RowCall.h"
#include "tilesmith/Isa/Chip.h"
#include "tilesmith/Machine/Entries.h"
#include <algorithm>
#include <cstring>
#include <initializer_list>
#include <iterator>

namespace tilesmith::machine::exec {

namespace {
using isa::blockBytes, isa::repeatBytes;

struct Operand {
  uint8_t *base = nullptr;
  int64_t size = 0;         // bytes per element; 0: packed bits
  int64_t blk = 1, rep = 8; // strides in blocks, repeat form
  int64_t pitch = 0;        // bytes between repeats; of packed bits, otherwise derived from rep
};

// Destination first.
struct Call {
  RowsFn kernel = nullptr;
  Rows rows;
  Operand operands[4];
  unsigned num = 0;
  int64_t cols = 0, repeat = 1;
  const Instr *lanes = nullptr; // whose scattered lanes are active; null: the first `cols`
  int64_t colBytes = 1;         // how the kernel counts columns: 1 in elements, otherwise in bytes of this many

  Operand &add(uint8_t *base, int64_t size) {
    Operand &operand = operands[num++];
    operand.base = base;
    operand.size = size;
    return operand;
  }
  // The repeat form: active lanes, repeats, and the strides of the element operands in order.
  void inRepeats(const Instr &instr, int64_t mask, int64_t times, std::initializer_list<int64_t> blk,
                 std::initializer_list<int64_t> rep) {
    cols = mask;
    repeat = times;
    if (mask == TS_MASK_BITS)
      lanes = &instr;
    auto nextBlk = blk.begin(), nextRep = rep.begin();
    for (unsigned i = 0; i < num; ++i)
      if (operands[i].size) {
        operands[i].blk = *nextBlk++;
        operands[i].rep = *nextRep++;
      }
  }
  void point(unsigned i, uint8_t *base, int64_t pitch) {
    if (i == 0) {
      rows.dst = base;
      rows.dstPitch = pitch;
    } else {
      rows.src[i - 1] = base;
      rows.srcPitch[i - 1] = pitch;
    }
  }
};

bool followsBlocks(const Operand &operand, int64_t cols) {
  return operand.size == 0 || operand.blk == 1 || cols * operand.size <= blockBytes;
}

bool followsRows(const Operand &operand, int64_t cols) {
  return operand.size ? operand.pitch == cols * operand.size : operand.pitch * 8 == cols;
}

// Copies the active elements of one repeat between their blocks and a contiguous buffer.
template <bool gather> void moveBlocks(const Operand &operand, uint8_t *start, uint8_t *buffer, int64_t cols) {
  int64_t bytes = cols * operand.size;
  for (int64_t done = 0; done < bytes; done += blockBytes) {
    int64_t length = std::min(blockBytes, bytes - done);
    uint8_t *block = start + done / blockBytes * operand.blk * blockBytes;
    if (gather)
      std::memcpy(buffer + done, block, size_t(length));
    else
      std::memcpy(block, buffer + done, size_t(length));
  }
}

void runStaged(Call &call) {
  alignas(64) uint8_t buffers[4][repeatBytes];
  call.rows.rows = 1;
  call.rows.cols = call.cols;
  for (int64_t r = 0; r < call.repeat; ++r) {
    for (unsigned i = 0; i < call.num; ++i) {
      Operand &operand = call.operands[i];
      uint8_t *start = operand.base + r * operand.pitch;
      if (followsBlocks(operand, call.cols)) {
        call.point(i, start, 0);
        continue;
      }
      moveBlocks<true>(operand, start, buffers[i], call.cols);
      call.point(i, buffers[i], 0);
    }
    call.kernel(call.rows);
    Operand &dst = call.operands[0];
    if (!followsBlocks(dst, call.cols))
      moveBlocks<false>(dst, dst.base + r * dst.pitch, buffers[0], call.cols);
  }
}

// Scattered lanes: whole blocks that have an active lane are collected, all lanes are computed, active ones put back.
void runScattered(Call &call) {
  constexpr int64_t maxLanes = 128;
  alignas(64) uint8_t buffers[4][2 * repeatBytes];
  int64_t widest = 1;
  for (unsigned i = 0; i < call.num; ++i) {
    Operand &operand = call.operands[i];
    widest = std::max(widest, operand.size);
    if (operand.pitch == 0 && operand.size)
      operand.pitch = operand.rep * blockBytes;
  }
  int64_t lanes = std::min(repeatBytes / widest, maxLanes);
  call.rows.rows = 1;
  call.rows.cols = lanes * call.colBytes;
  for (int64_t r = 0; r < call.repeat; ++r) {
    for (unsigned i = 0; i < call.num; ++i) {
      Operand &operand = call.operands[i];
      uint8_t *start = operand.base + r * operand.pitch;
      call.point(i, buffers[i], 0);
      if (!operand.size) {
        if (i > 0)
          std::memcpy(buffers[i], start, size_t(lanes / 8));
        continue;
      }
      int64_t perBlock = blockBytes / operand.size;
      std::memset(buffers[i], 0, sizeof buffers[i]);
      for (int64_t first = 0; first < lanes; first += perBlock)
        if (anyLane(*call.lanes, first, std::min(perBlock, lanes - first)))
          std::memcpy(buffers[i] + first * operand.size, start + first / perBlock * operand.blk * blockBytes,
                      size_t(blockBytes));
    }
    call.kernel(call.rows);
    Operand &dst = call.operands[0];
    uint8_t *start = dst.base + r * dst.pitch;
    if (!dst.size) { // comparison bits: inactive lanes give 0
      for (int64_t byte = 0; byte < lanes / 8; ++byte)
        start[byte] = buffers[0][byte] & uint8_t(call.lanes->lanes[byte / 8] >> byte % 8 * 8);
      continue;
    }
    int64_t perBlock = blockBytes / dst.size;
    eachLaneRun(*call.lanes, lanes, perBlock, [&](int64_t first, int64_t count) {
      uint8_t *at = start + first / perBlock * dst.blk * blockBytes + first % perBlock * dst.size;
      std::memcpy(at, buffers[0] + first * dst.size, size_t(count * dst.size));
    });
  }
}

void run(Call &call, Form form) {
  if (call.lanes && call.repeat > 0)
    return runScattered(call);
  if (call.cols <= 0 || call.repeat <= 0)
    return;
  bool blocks = true, contiguous = true;
  for (unsigned i = 0; i < call.num; ++i) {
    Operand &operand = call.operands[i];
    if (operand.pitch == 0 && operand.size)
      operand.pitch = operand.rep * blockBytes;
    blocks &= followsBlocks(operand, call.cols);
    contiguous &= followsRows(operand, call.cols);
  }
  if (form == Form::Repeat && !blocks)
    return runStaged(call);
  for (unsigned i = 0; i < call.num; ++i)
    call.point(i, call.operands[i].base, call.operands[i].pitch);
  bool oneRow = form == Form::Count || contiguous;
  call.rows.rows = oneRow ? 1 : call.repeat;
  call.rows.cols = oneRow && form == Form::Repeat ? call.cols * call.repeat : call.cols;
  call.kernel(call.rows);
}

// The common case, without the bookkeeping of repeats.
void runRowCall(const RowCall &call, const MemoryView &memory) {
  if (!call.kernel || call.count <= 0)
    return;
  Rows rows;
  rows.dst = memory.at(call.dst);
  for (unsigned i = 0; i < call.sources; ++i)
    rows.src[i] = memory.at(call.src[i]);
  rows.cols = call.count;
  rows.scalar = call.scalar;
  rows.mode = call.mode;
  call.kernel(rows);
}

void memcpyRows(const Rows &r) {
  for (int64_t row = 0; row < r.rows; ++row)
    std::memmove(r.dst + row * r.dstPitch, r.src[0] + row * r.srcPitch[0], size_t(r.cols));
}
} // namespace

bool rowCallOf(const Instr &instr, RowCall &call) {
  const Kernels &kernels = hostKernels();
  const isa::InstructionInfo &info = instr.info();
  if (info.form != Form::Count)
    return false;
  call.dstSize = call.srcSize = isa::sizeOf(instr.dtype);
  switch (info.family) {
  case Family::VectorUnary: {
    family::VectorUnaryCount view(instr);
    call.kernel = kernels.unary(instr.op, instr.dtype);
    call.dst = view.dst();
    call.src[0] = view.src();
    call.count = view.count();
    break;
  }
  case Family::VectorBinary: {
    family::VectorBinaryCount view(instr);
    call.kernel = kernels.binary(instr.op, instr.dtype);
    call.dst = view.dst();
    call.src[0] = view.src0();
    call.src[1] = view.src1();
    call.sources = 2;
    call.count = view.count();
    break;
  }
  case Family::VectorScalar: {
    family::VectorScalarCount view(instr);
    call.kernel = kernels.scalar(instr.op, instr.dtype);
    call.dst = view.dst();
    call.src[0] = view.src();
    call.scalar = view.scalar();
    call.count = view.count();
    break;
  }
  case Family::Cast: {
    family::CastCount view(instr);
    call.kernel = kernels.cast(instr.dtype, instr.dtype2, view.round());
    call.dst = view.dst();
    call.src[0] = view.src();
    call.srcSize = isa::sizeOf(instr.dtype2);
    call.mode = view.roundValue();
    call.count = view.count();
    break;
  }
  default:
    return false;
  }
  call.readsDst = info.operands[0].access == Access::ReadWrite;
  return true;
}

static void wholeReduce(const Instr &instr, const MemoryView &memory) {
  family::WholeReduce view(instr);
  int64_t size = isa::sizeOf(instr.dtype);
  Call call;
  call.kernel = hostKernels().reduce(instr.op, instr.dtype);
  // One element per repeat; a pitch of its own keeps rows apart.
  call.add(memory.at(view.dst()), 0).pitch = view.dstRep() * size;
  call.add(memory.at(view.src()), size);
  if (view.mask() == TS_MASK_BITS)
    return reduce(instr, memory);
  call.inRepeats(instr, view.mask(), view.repeat(), {view.srcBlk()}, {view.srcRep()});
  if (!call.kernel || call.cols <= 0 || call.repeat <= 0)
    return;
  Operand &src = call.operands[1];
  src.pitch = src.rep * blockBytes;
  if (!followsBlocks(src, call.cols))
    return runStaged(call);
  for (unsigned i = 0; i < call.num; ++i)
    call.point(i, call.operands[i].base, call.operands[i].pitch);
  call.rows.rows = call.repeat;
  call.rows.cols = call.cols;
  call.kernel(call.rows);
}

void vector(const Instr &instr, const MemoryView &memory) {
  if (RowCall call; rowCallOf(instr, call))
    return runRowCall(call, memory);
  const Kernels &kernels = hostKernels();
  const isa::InstructionInfo &info = instr.info();

  int64_t size = isa::sizeOf(instr.dtype), maskBytes = repeatBytes / size / 8;
  bool repeats = info.form == Form::Repeat;
  Call call;
  auto elements = [&](Address address, int64_t elementSize) { call.add(memory.at(address), elementSize); };
  auto bits = [&](Address address) { call.add(memory.at(address), 0).pitch = maskBytes; };

  switch (info.family) {
  case Family::VectorUnary: {
    family::VectorUnaryRepeat view(instr);
    call.kernel = kernels.unary(instr.op, instr.dtype);
    elements(view.dst(), size), elements(view.src(), size);
    call.inRepeats(instr, view.mask(), view.repeat(), {view.dstBlk(), view.srcBlk()}, {view.dstRep(), view.srcRep()});
    break;
  }
  case Family::VectorBinary: {
    family::VectorBinaryRepeat view(instr);
    call.kernel = kernels.binary(instr.op, instr.dtype);
    elements(view.dst(), size), elements(view.src0(), size), elements(view.src1(), size);
    call.inRepeats(instr, view.mask(), view.repeat(), {view.dstBlk(), view.src0Blk(), view.src1Blk()},
                   {view.dstRep(), view.src0Rep(), view.src1Rep()});
    break;
  }
  case Family::VectorScalar: {
    family::VectorScalarRepeat view(instr);
    call.kernel = kernels.scalar(instr.op, instr.dtype);
    elements(view.dst(), size), elements(view.src(), size);
    call.rows.scalar = view.scalar();
    call.inRepeats(instr, view.mask(), view.repeat(), {view.dstBlk(), view.srcBlk()}, {view.dstRep(), view.srcRep()});
    break;
  }
  case Family::Cast: {
    family::CastRepeat view(instr);
    call.kernel = kernels.cast(instr.dtype, instr.dtype2, view.round());
    elements(view.dst(), size), elements(view.src(), isa::sizeOf(instr.dtype2));
    call.rows.mode = view.roundValue();
    call.inRepeats(instr, view.mask(), view.repeat(), {view.dstBlk(), view.srcBlk()}, {view.dstRep(), view.srcRep()});
    break;
  }
  case Family::Compare: {
    family::CompareRepeat view(instr);
    call.kernel = kernels.compare(instr.dtype, view.mode());
    bits(view.dst()), elements(view.src0(), size), elements(view.src1(), size);
    if (repeats)
      call.inRepeats(instr, view.mask(), view.repeat(), {view.src0Blk(), view.src1Blk()},
                     {view.src0Rep(), view.src1Rep()});
    else
      call.cols = family::CompareCount(instr).count();
    break;
  }
  case Family::CompareScalar: {
    family::CompareScalarRepeat view(instr);
    call.kernel = kernels.compareScalar(instr.dtype, view.mode());
    bits(view.dst()), elements(view.src(), size);
    call.rows.scalar = view.scalar();
    if (repeats)
      call.inRepeats(instr, view.mask(), view.repeat(), {view.srcBlk()}, {view.srcRep()});
    else
      call.cols = family::CompareScalarCount(instr).count();
    break;
  }
  case Family::Select: {
    family::SelectRepeat view(instr);
    call.kernel = kernels.select(instr.dtype);
    elements(view.dst(), size), bits(view.mask()), elements(view.src0(), size), elements(view.src1(), size);
    if (repeats)
      call.inRepeats(instr, view.lanes(), view.repeat(), {view.dstBlk(), view.src0Blk(), view.src1Blk()},
                     {view.dstRep(), view.src0Rep(), view.src1Rep()});
    else
      call.cols = family::SelectCount(instr).count();
    break;
  }
  case Family::WholeReduce:
    return wholeReduce(instr, memory);
  default:
    return;
  }
  if (!call.kernel)
    return;
  run(call, info.form);

  // Comparison results cover the whole repeat: lanes beyond the mask give 0.
  bool compares = info.family == Family::Compare || info.family == Family::CompareScalar;
  int64_t used = (call.cols + 7) / 8;
  if (compares && repeats && !call.lanes && used < maskBytes)
    for (int64_t r = 0; r < call.repeat; ++r)
      std::memset(call.operands[0].base + r * maskBytes + used, 0, size_t(maskBytes - used));
}

void duplicate(const Instr &instr, const MemoryView &memory) {
  family::DuplicateRepeat view(instr);
  Call call;
  call.kernel = hostKernels().duplicate(isa::sizeOf(instr.dtype));
  call.add(memory.at(view.dst()), isa::sizeOf(instr.dtype));
  call.rows.scalar = view.scalar();
  if (instr.info().form == Form::Repeat)
    call.inRepeats(instr, view.mask(), view.repeat(), {view.dstBlk()}, {view.dstRep()});
  else
    call.cols = family::DuplicateCount(instr).count();
  if (call.kernel)
    run(call, instr.info().form);
}

void copy(const Instr &instr, const MemoryView &memory) {
  family::CopyRepeat view(instr);
  uint8_t *dst = memory.at(view.dst()), *src = memory.at(view.src());
  int64_t size = isa::sizeOf(instr.dtype);
  if (instr.info().form == Form::Count) {
    int64_t bytes = family::CopyCount(instr).count() * size;
    if (bytes >= blockBytes)
      std::memmove(dst, src, size_t(bytes / blockBytes * blockBytes));
    return;
  }
  // In bytes, so that one kernel serves all types.
  Call call;
  call.kernel = memcpyRows;
  bool scattered = view.mask() == TS_MASK_BITS;
  call.add(dst, scattered ? size : 1), call.add(src, scattered ? size : 1);
  call.inRepeats(instr, view.mask(), view.repeat(), {view.dstBlk(), view.srcBlk()}, {view.dstRep(), view.srcRep()});
  call.cols = scattered ? 0 : view.mask() * size;
  call.colBytes = scattered ? size : 1;
  run(call, Form::Repeat);
}

// A repeat is read before it is written, so a destination may lie over its own sources.
template <typename Word>
static void brcbRepeats(uint8_t *dst, const uint8_t *src, int64_t repeat, int64_t blk, int64_t rep) {
  for (int64_t r = 0; r < repeat; ++r) {
    Word elements[8];
    std::memcpy(elements, src + r * int64_t(sizeof elements), sizeof elements);
    for (int64_t i = 0; i < 8; ++i) {
      Word block[blockBytes / sizeof(Word)];
      std::fill(std::begin(block), std::end(block), elements[i]);
      std::memcpy(dst + (r * rep + i * blk) * blockBytes, block, sizeof block);
    }
  }
}

void brcb(const Instr &instr, const MemoryView &memory) {
  isa::Brcb call(instr);
  int64_t repeat = call.repeat(), blk = call.dstBlk(), rep = call.dstRep();
  if (repeat <= 0)
    return;
  uint8_t *dst = memory.at(call.dst());
  const uint8_t *src = memory.at(call.src());
  switch (isa::sizeOf(instr.dtype)) {
  case 1:
    return brcbRepeats<uint8_t>(dst, src, repeat, blk, rep);
  case 2:
    return brcbRepeats<uint16_t>(dst, src, repeat, blk, rep);
  case 4:
    return brcbRepeats<uint32_t>(dst, src, repeat, blk, rep);
  case 8:
    return brcbRepeats<uint64_t>(dst, src, repeat, blk, rep);
  }
}

} // namespace tilesmith::machine::exec
