// Builds traces by hand: one call per line, operands as in the record, each call its own source location.
#ifndef TILESMITH_UNITTESTS_MACHINE_TRACEBUILDER_H
#define TILESMITH_UNITTESTS_MACHINE_TRACEBUILDER_H

#include "tilesmith/Machine/Trace.h"
#include "tilesmith/Support/VfClock.h"
#include <initializer_list>

namespace tilesmith::machine::test {

inline int64_t at(Memory memory, int64_t offset) { return Address(memory, offset).bits; }
inline int64_t gm(int64_t offset) { return at(Memory::GM, offset); }
inline int64_t ub(int64_t offset) { return at(Memory::UB, offset); }
inline int64_t l1(int64_t offset) { return at(Memory::L1, offset); }
inline int64_t l0a(int64_t offset) { return at(Memory::L0A, offset); }
inline int64_t l0b(int64_t offset) { return at(Memory::L0B, offset); }
inline int64_t l0c(int64_t offset) { return at(Memory::L0C, offset); }

// The n-th call has location n, from 1.
// A vector function for timing: a chain of operations over rows x cols elements. The steps live as long as it does.
struct ChainVf {
  std::vector<TsVfStep> steps;
  TsVfDesc desc = {};

  ChainVf(int64_t rows, int64_t cols) {
    desc.rows = rows;
    desc.cols = cols;
  }
  ChainVf(const ChainVf &other) : steps(other.steps), desc(other.desc) { desc.steps = steps.data(); }
  ChainVf &step(int kind, int16_t result = -1, std::initializer_list<int16_t> operands = {}, uint16_t section = 2) {
    TsVfStep step = {uint8_t(kind), 0, section, result, {-1, -1, -1}};
    std::copy(operands.begin(), operands.end(), step.operands);
    steps.push_back(step);
    desc.steps = steps.data();
    desc.numSteps = steps.size();
    return *this;
  }
  // Value 0 is loaded (`loads` times), goes through `count` operations of a class, one after the other, ...
  ChainVf &load(int loads = 1) {
    for (; loads > 0; --loads)
      step(TS_VF_LOAD, 0);
    return *this;
  }
  ChainVf &chain(isa::CostClass cost, int count = 1) {
    for (; count > 0; --count)
      step(int(cost), 0, {0});
    return *this;
  }
  // ... and is stored, or reduced to one element per row.
  ChainVf &store() { return step(TS_VF_STORE, -1, {0}); }
  ChainVf &reduce(isa::CostClass cost) {
    step(int(VfStepKind::Join), 1, {}, 1);
    step(int(isa::CostClass::TwoSource), 1, {0, 1});
    step(int(cost), 2, {1}, 3);
    return step(TS_VF_STORE, -1, {2}, 3);
  }
};

class TraceBuilder {
public:
  explicit TraceBuilder(int64_t block = 0) { trace.block = block; }

  TraceBuilder &call(Opcode op, std::initializer_list<int64_t> args, DType dtype = DType::F16,
                     DType dtype2 = DType::F16) {
    Instr instr;
    instr.op = op;
    instr.dtype = dtype;
    instr.dtype2 = dtype2;
    instr.numArgs = uint8_t(args.size());
    std::copy(args.begin(), args.end(), instr.args);
    instr.loc = uint32_t(trace.calls.size() + 1);
    trace.calls.push_back(instr);
    return *this;
  }

  TraceBuilder &load(int64_t ubOffset, int64_t gmOffset, int64_t bytes, int64_t rows = 1, int64_t gap = 0) {
    return call(Opcode::CopyGmToUb, {ub(ubOffset), gm(gmOffset), rows, bytes, gap, 0, 0, 0, 0, 0});
  }
  TraceBuilder &store(int64_t gmOffset, int64_t ubOffset, int64_t bytes, int64_t rows = 1, int64_t gap = 0) {
    return call(Opcode::CopyUbToGm, {gm(gmOffset), ub(ubOffset), rows, bytes, 0, gap});
  }
  TraceBuilder &add(int64_t dst, int64_t src0, int64_t src1, int64_t count, DType dtype = DType::F16) {
    return call(Opcode::Add, {ub(dst), ub(src0), ub(src1), count}, dtype);
  }
  TraceBuilder &exp(int64_t dst, int64_t src, int64_t count, DType dtype = DType::F16) {
    return call(Opcode::Exp, {ub(dst), ub(src), count}, dtype);
  }
  TraceBuilder &fill(int64_t dst, int64_t count, DType dtype = DType::F16) {
    return call(Opcode::Duplicate, {ub(dst), 0, count}, dtype);
  }
  TraceBuilder &set(Pipe from, Pipe to, int64_t id = 0) {
    return call(Opcode::SetFlag, {int64_t(from), int64_t(to), id});
  }
  TraceBuilder &wait(Pipe from, Pipe to, int64_t id = 0) {
    return call(Opcode::WaitFlag, {int64_t(from), int64_t(to), id});
  }
  TraceBuilder &flag(Pipe from, Pipe to, int64_t id = 0) { return set(from, to, id).wait(from, to, id); }
  TraceBuilder &barrier(Pipe on) { return call(Opcode::PipeBarrier, {int64_t(on)}); }
  TraceBuilder &get(int64_t address, DType dtype = DType::F32) { return call(Opcode::GetValue, {address}, dtype); }
  TraceBuilder &put(int64_t address, DType dtype = DType::F32) { return call(Opcode::SetValue, {address, 0}, dtype); }
  TraceBuilder &atomic(isa::AtomicOp op) { return call(Opcode::SetAtomic, {int64_t(op)}); }
  // rows x cols f16 from GM, `pitch` elements per row, to NZ in L1.
  TraceBuilder &loadNz(int64_t l1Offset, int64_t gmOffset, int64_t rows, int64_t cols, int64_t pitch) {
    return call(Opcode::CopyGmToL1Nz, {l1(l1Offset), gm(gmOffset), 1, rows, cols, 0, pitch, rows, 1, 0});
  }
  TraceBuilder &mmad(int64_t m, int64_t n, int64_t k, bool init, DType inputs = DType::F16) {
    return call(Opcode::Mmad, {l0c(0), l0a(0), l0b(0), m, n, k, 0, init}, DType::F32, inputs);
  }
  TraceBuilder &vf(const TsVfDesc &desc, std::initializer_list<int64_t> args) {
    call(Opcode::VectorFunction, args);
    trace.calls.back().vf = &desc;
    return *this;
  }

  uint32_t last() const { return uint32_t(trace.calls.size()); }
  BlockTrace trace;
};

inline const Platform &platform(std::string_view name) { return *findPlatform(name); }
inline double microseconds(const Timing &timing, const Platform &platform) {
  return double(timing.cycles) / platform.clockMHz;
}

} // namespace tilesmith::machine::test

#endif // TILESMITH_UNITTESTS_MACHINE_TRACEBUILDER_H
