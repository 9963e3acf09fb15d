// The forms of reductions: with the index of the extreme, by block or pair, of a whole tensor, of scattered lanes.
//
// All of them are made of the row reductions of Kernels (one tree over neighbours per row); here lanes are collected
// into rows, inactive ones as the neutral element.
#include "Exec.h"
#include "tilesmith/Isa/Chip.h"
#include "tilesmith/Machine/Api.h"
#include <algorithm>
#include <cstring>

namespace tilesmith::machine::exec {

namespace {

using isa::blockBytes, isa::repeatBytes;

enum class Kind { Sum, Max, Min };

Kind kindOf(Opcode op) {
  switch (op) {
  case Opcode::WholeReduceMax:
  case Opcode::WholeReduceMaxIndex:
  case Opcode::BlockReduceMax:
  case Opcode::ReduceMax:
    return Kind::Max;
  case Opcode::WholeReduceMin:
  case Opcode::WholeReduceMinIndex:
  case Opcode::BlockReduceMin:
  case Opcode::ReduceMin:
    return Kind::Min;
  default:
    return Kind::Sum;
  }
}

int64_t neutralOf(Kind kind, DType dtype) {
  if (kind == Kind::Sum)
    return 0;
  bool max = kind == Kind::Max;
  switch (dtype) {
  case DType::F16:
    return max ? 0xfc00 : 0x7c00;
  case DType::BF16:
    return max ? 0xff80 : 0x7f80;
  case DType::F32:
    return max ? 0xff800000 : 0x7f800000;
  case DType::I16:
    return max ? 0x8000 : 0x7fff;
  default:
    return max ? 0x80000000 : 0x7fffffff;
  }
}

bool isNaN(uint64_t bits, DType dtype) {
  switch (dtype) {
  case DType::F16:
    return (bits & 0x7fff) > 0x7c00;
  case DType::BF16:
    return (bits & 0x7fff) > 0x7f80;
  case DType::F32:
    return (bits & 0x7fffffff) > 0x7f800000;
  default:
    return false;
  }
}

class Reduction {
public:
  Reduction(const Instr &instr, Address dst, Address src, const MemoryView &memory)
      : instr(instr), dtype(instr.dtype), size(isa::sizeOf(instr.dtype)), kind(kindOf(instr.op)), dst(memory.at(dst)),
        src(memory.at(src)) {
    Opcode op = kind == Kind::Sum   ? Opcode::WholeReduceSum
                : kind == Kind::Max ? Opcode::WholeReduceMax
                                    : Opcode::WholeReduceMin;
    kernel = hostKernels().reduce(op, dtype);
  }

  // Reduces `count` elements at `from` to one at `to`.
  void row(uint8_t *to, const uint8_t *from, int64_t count) const {
    Rows rows;
    rows.dst = to;
    rows.src[0] = from;
    rows.cols = count;
    kernel(rows);
  }

  bool active(int64_t mask, int64_t lane) const {
    return mask == TS_MASK_BITS ? isLaneActive(instr, lane) : lane < mask;
  }

  // The lanes of one repeat side by side, inactive ones neutral.
  template <typename View> void collect(View call, int64_t repeat, uint8_t *row) const {
    int64_t neutral = neutralOf(kind, dtype), perBlock = blockBytes / size;
    const uint8_t *start = src + repeat * call.srcRep() * blockBytes;
    for (int64_t lane = 0; lane < repeatBytes / size; ++lane) {
      const uint8_t *at = reinterpret_cast<const uint8_t *>(&neutral);
      if (active(call.mask(), lane))
        at = start + lane / perBlock * call.srcBlk() * blockBytes + lane % perBlock * size;
      std::memcpy(row + lane * size, at, size_t(size));
    }
  }

  // Where the extreme is first: ties of zeros are told apart by their sign, a NaN is the first one.
  int64_t indexOf(const uint8_t *value, const uint8_t *row, int64_t count) const {
    auto bitsAt = [&](const uint8_t *at) {
      uint64_t bits = 0;
      std::memcpy(&bits, at, size_t(size));
      return bits;
    };
    uint64_t wanted = bitsAt(value);
    for (int64_t i = 0; i < count; ++i) {
      uint64_t bits = bitsAt(row + i * size);
      if (isNaN(wanted, dtype) ? isNaN(bits, dtype) : bits == wanted)
        return i;
    }
    return 0;
  }

  template <typename View> void whole(View call, isa::ReduceOrder order) const {
    alignas(64) uint8_t row[repeatBytes];
    int64_t unit = order == isa::ReduceOrder::OnlyIndex ? 4 : order == isa::ReduceOrder::OnlyValue ? size : 2 * size;
    for (int64_t r = 0; r < call.repeat(); ++r) {
      collect(call, r, row);
      uint64_t value = 0;
      this->row(reinterpret_cast<uint8_t *>(&value), row, repeatBytes / size);
      int64_t index = indexOf(reinterpret_cast<uint8_t *>(&value), row, repeatBytes / size);
      uint8_t *at = dst + r * call.dstRep() * unit;
      switch (order) {
      case isa::ReduceOrder::ValueIndex:
        std::memcpy(at, &value, size_t(size));
        std::memcpy(at + size, &index, size_t(size));
        break;
      case isa::ReduceOrder::IndexValue:
        std::memcpy(at, &index, size_t(size));
        std::memcpy(at + size, &value, size_t(size));
        break;
      case isa::ReduceOrder::OnlyValue:
        std::memcpy(at, &value, size_t(size));
        break;
      case isa::ReduceOrder::OnlyIndex:
        std::memcpy(at, &index, 4);
        break;
      }
    }
  }

  void groups(family::BlockReduce call, int64_t elements) const {
    alignas(64) uint8_t row[repeatBytes];
    int64_t results = repeatBytes / size / elements;
    for (int64_t r = 0; r < call.repeat(); ++r) {
      collect(call, r, row);
      for (int64_t i = 0; i < results; ++i) {
        bool any = false;
        for (int64_t lane = i * elements; lane < (i + 1) * elements; ++lane)
          any |= active(call.mask(), lane);
        if (any)
          this->row(dst + (r * call.dstRep() * results + i) * size, row + i * elements * size, elements);
      }
    }
  }

  void all(uint8_t *work, int64_t count, bool index) const {
    int64_t perRepeat = repeatBytes / size;
    int64_t unit = index ? 2 * size : size;
    uint64_t value = 0;
    auto *valueBytes = reinterpret_cast<uint8_t *>(&value);
    for (int64_t done = 0; done < count; done += perRepeat) {
      int64_t now = std::min(perRepeat, count - done);
      uint64_t partial = 0;
      auto *partialBytes = reinterpret_cast<uint8_t *>(&partial);
      row(partialBytes, src + done * size, now);
      if (done == 0)
        value = partial;
      else
        combine(valueBytes, partialBytes);
      uint8_t *at = work + done / perRepeat * unit;
      int64_t where = done + indexOf(partialBytes, src + done * size, now);
      std::memcpy(at, &partial, size_t(size));
      if (index)
        std::memcpy(at + size, &where, size_t(size));
    }
    // Found before dst is written, which may lie over the source.
    int64_t where = index ? indexOf(valueBytes, src, count) : 0;
    std::memcpy(dst, &value, size_t(size));
    if (index)
      std::memcpy(dst + size, &where, size_t(size));
  }

  bool valid() const { return kernel; }

private:
  void combine(uint8_t *value, const uint8_t *partial) const {
    Opcode op = kind == Kind::Sum ? Opcode::Add : kind == Kind::Max ? Opcode::Max : Opcode::Min;
    Rows rows;
    rows.dst = value;
    rows.src[0] = value;
    rows.src[1] = partial;
    rows.cols = 1;
    hostKernels().binary(op, dtype)(rows);
  }

  const Instr &instr;
  DType dtype;
  int64_t size;
  Kind kind;
  RowsFn kernel;
  uint8_t *dst;
  const uint8_t *src;
};

} // namespace

static void reduceAll(const Instr &instr, const MemoryView &memory) {
  family::ReduceAll call(instr);
  Reduction reduction(instr, call.dst(), call.src(), memory);
  bool index = instr.op == Opcode::ReduceMax   ? isa::ReduceMax(instr).calIndex() != 0
               : instr.op == Opcode::ReduceMin ? isa::ReduceMin(instr).calIndex() != 0
                                               : false;
  if (reduction.valid() && call.count() > 0)
    reduction.all(memory.at(call.work()), call.count(), index);
}

void reduce(const Instr &instr, const MemoryView &memory) {
  auto perRepeat = [&](auto call, auto compute) {
    Reduction reduction(instr, call.dst(), call.src(), memory);
    if (reduction.valid() && call.mask() != 0)
      compute(call, reduction);
  };
  switch (instr.info().family) {
  case Family::ReduceAll:
    return reduceAll(instr, memory);
  case Family::BlockReduce:
    return perRepeat(family::BlockReduce(instr), [&](family::BlockReduce call, const Reduction &reduction) {
      reduction.groups(call, instr.op == Opcode::PairReduceSum ? 2 : blockBytes / isa::sizeOf(instr.dtype));
    });
  case Family::WholeReduceIndex:
    return perRepeat(family::WholeReduceIndex(instr), [](family::WholeReduceIndex call, const Reduction &reduction) {
      reduction.whole(call, call.order());
    });
  default:
    return perRepeat(family::WholeReduce(instr), [](family::WholeReduce call, const Reduction &reduction) {
      reduction.whole(call, isa::ReduceOrder::OnlyValue);
    });
  }
}

} // namespace tilesmith::machine::exec
