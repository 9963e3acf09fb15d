// How the library issues instructions: one at a time, with the barriers the architecture needs between them.
//
// Calls are those of the C ABI, so checks, late mode, order and time see what a kernel could have written itself.
#ifndef TILESMITH_LIB_MACHINE_LIBRARY_ISSUE_H
#define TILESMITH_LIB_MACHINE_LIBRARY_ISSUE_H

#include "Core/CoreImpl.h"
#include "tilesmith/Isa/Chip.h"
#include <cstring>
#include <optional>
#include <span>
#include <vector>

namespace tilesmith::machine::library {

using isa::RoundMode;

// Bytes in UB.
struct Bytes {
  int64_t begin = 0, end = 0;

  static Bytes at(int64_t address, int64_t length) {
    int64_t offset = Address(address).offset();
    return {offset, offset + length};
  }
  bool meets(const Bytes &other) const { return begin < other.end && other.begin < end; }
};

// A scalar operand: the bits of its element type; integers by value.
int64_t bitsOf(double value, DType dtype);

class Issue {
public:
  Issue(TsCore &core, int64_t loc) : core(core), loc(loc) {}

  bool needsBarriers() const { return !isa::ordersItself(core.platform->arch, Pipe::V); }

  // Instructions that read and write these bytes follow: pipe V of the 910B does not wait for its own results.
  void order(Bytes write, std::span<const Bytes> reads) {
    if (!needsBarriers() || core.plain)
      return;
    bool depends = false;
    for (const Bytes &earlier : written) {
      depends |= earlier.meets(write);
      for (const Bytes &bytes : reads)
        depends |= earlier.meets(bytes);
    }
    for (const Bytes &earlier : read)
      depends |= earlier.meets(write);
    if (depends) {
      core.issue(makeCall<isa::PipeBarrier>(uint32_t(loc), Pipe::V));
      written.clear();
      read.clear();
    }
    written.push_back(write);
    read.insert(read.end(), reads.begin(), reads.end());
  }
  void order(Bytes write, std::initializer_list<Bytes> reads) { order(write, std::span(reads.begin(), reads.size())); }
  void now(Instr instr, DType dtype) {
    instr.loc = uint32_t(loc);
    instr.dtype = dtype;
    core.registers.mask = {};
    core.issue(instr);
  }

  // Both for one.
  void operator()(const Instr &instr, DType dtype, Bytes write, std::initializer_list<Bytes> reads) {
    order(write, reads);
    now(instr, dtype);
  }
  template <typename View, typename... Operands>
  void call(DType dtype, DType dtype2, Bytes write, std::initializer_list<Bytes> reads, Operands... operands) {
    Instr instr = makeCall<View>(uint32_t(loc), operands...);
    instr.dtype2 = dtype2;
    (*this)(instr, dtype, write, reads);
  }

  TsCore &core;
  int64_t loc;

private:
  std::vector<Bytes> written, read; // since the last barrier
};

// What a function was given for its intermediate results: a buffer, or what the pipe has not given out.
struct Work {
  int64_t address = 0, bytes = 0;
};

// A call of the library before it is issued: says what is wrong, and where intermediate results may lie.
class Request {
public:
  Request(TsCore &core, int64_t loc, const char *name) : core(core), loc(loc), name(name) {}

  // False, with a finding, where the function does not take the element type.
  bool takes(DType dtype, isa::DTypeSet types) const;
  // A finding about an operand.
  bool refuse(const std::string &why) const;
  // At least `least` bytes; a finding and nothing if there are fewer.
  std::optional<Work> work(int64_t address, int64_t bytes, int64_t least) const;

private:
  TsCore &core;
  int64_t loc;
  const char *name;
};

} // namespace tilesmith::machine::library

#endif // TILESMITH_LIB_MACHINE_LIBRARY_ISSUE_H
