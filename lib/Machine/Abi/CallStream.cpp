// Streams of calls compared: what shows that two ways to run a kernel do the same.
//
// A call is its operation, dtypes and operands as numbers; a vector function is its totals and the bytes it reads and
// writes, whoever compiled it. Places in the source are not compared, nor what is printed.
#include "Core/VectorRecord.h"
#include "tilesmith/Machine/Debugger.h"
#include "tilesmith/Machine/Trace.h"
#include <cstdio>

namespace tilesmith::machine {

namespace {

struct VfView {
  VfTotals totals;
  Intervals bytes[2]; // read, written
  bool operator==(const VfView &) const = default;
};

VfView viewOf(const Instr &instr, Arch arch) {
  VfView view;
  if (!instr.vf)
    return view;
  view.totals = totalsOf(*instr.vf);
  std::vector<Effect> effects;
  effectsOf(instr, arch, effects);
  for (const Effect &effect : effects)
    for (int64_t i = 0; i < effect.count; ++i) {
      int64_t begin = effect.start + i * effect.stride;
      view.bytes[effect.access == Access::Write].emplace_back(begin, begin + effect.length);
    }
  normalise(view.bytes[0]);
  normalise(view.bytes[1]);
  return view;
}

bool equal(const Instr &a, const Instr &b, Arch arch) {
  if (a.op != b.op)
    return false;
  if (a.op == Opcode::DevicePrint)
    return true;
  if (a.op == Opcode::VectorFunction)
    return viewOf(a, arch) == viewOf(b, arch);
  if (a.dtype != b.dtype || a.dtype2 != b.dtype2 || a.numArgs != b.numArgs || a.lanes[0] != b.lanes[0] ||
      a.lanes[1] != b.lanes[1])
    return false;
  for (unsigned i = 0; i < a.numArgs; ++i)
    if (a.args[i] != b.args[i])
      return false;
  return true;
}

std::string hex(int64_t value) {
  char text[32];
  std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(value));
  return text;
}

std::string describe(const Intervals &bytes) {
  std::string text;
  for (size_t i = 0; i < bytes.size() && i < 4; ++i)
    text += (i ? " " : "") + std::string("[") + std::to_string(bytes[i].first) + ", " +
            std::to_string(bytes[i].second) + ")";
  return bytes.size() > 4 ? text + " and " + std::to_string(bytes.size() - 4) + " more"
         : text.empty()   ? "nothing"
                          : text;
}

std::string describeVf(const Instr &instr, Arch arch) {
  VfView view = viewOf(instr, arch);
  std::string text = "vf loads " + std::to_string(view.totals.loads) + ", stores " +
                     std::to_string(view.totals.stores) + ", nests " + std::to_string(view.totals.nests);
  for (unsigned i = 0; i < isa::numCostClass; ++i)
    if (view.totals.ops[i])
      text += ", " + std::string(isa::stringify(isa::CostClass(i))) + " " + std::to_string(view.totals.ops[i]);
  return text + "; reads UB " + describe(view.bytes[0]) + "; writes UB " + describe(view.bytes[1]);
}

std::string describe(const Instr &instr, Arch arch) {
  if (instr.op == Opcode::VectorFunction)
    return describeVf(instr, arch);
  const isa::InstructionInfo &info = instr.info();
  std::string text(info.mnemonic);
  if (info.dtypeOperand >= 0)
    text += "." + std::string(isa::stringify(instr.dtype));
  if (info.dtype2Operand >= 0)
    text += "." + std::string(isa::stringify(instr.dtype2));
  for (unsigned i = 0; i < instr.numArgs && i < info.numOperands; ++i) {
    text += (i ? ", " : " ") + std::string(info.operands[i].name) + "=";
    if (info.operands[i].kind == isa::OperandKind::Buffer) {
      Address address = instr.address(i);
      text += std::string(isa::stringify(address.memory())) +
              (address.memory() == Memory::GM ? " " + hex(address.offset()) : " " + std::to_string(address.offset()));
    } else {
      text += info.operands[i].kind == isa::OperandKind::Scalar ? hex(instr.args[i]) : std::to_string(instr.args[i]);
    }
  }
  if (instr.lanes[0] || instr.lanes[1])
    text += ", lanes=" + hex(int64_t(instr.lanes[0])) + ":" + hex(int64_t(instr.lanes[1]));
  return text;
}

class Hash {
public:
  void add(uint64_t value) {
    state ^= value + 0x9e3779b97f4a7c15u + (state << 6) + (state >> 2);
    state *= 0xff51afd7ed558ccdu;
    state ^= state >> 32;
  }
  uint64_t value() const { return state; }

private:
  uint64_t state = 0x243f6a8885a308d3u;
};

} // namespace

// Flags, barriers and scalars as people read them; the rest is what differences show.
std::string describeCall(const Instr &call, Arch arch) {
  auto pipe = [](Pipe pipe) { return std::string(isa::stringify(pipe)); };
  switch (call.op) {
  case Opcode::SetFlag:
  case Opcode::WaitFlag: {
    isa::SetFlag flag(call); // both have the same operands
    return std::string(call.info().mnemonic) + " " + pipe(flag.from()) + " -> " + pipe(flag.to()) + " " +
           std::to_string(flag.id());
  }
  case Opcode::PipeBarrier:
    return "pipe_barrier " + pipe(isa::PipeBarrier(call).on());
  default:
    return describe(call, arch);
  }
}

uint64_t hashCalls(std::span<const BlockTrace> blocks, Arch arch) {
  Hash hash;
  for (const BlockTrace &block : blocks) {
    hash.add(uint64_t(block.block));
    for (const Instr &call : block.calls) {
      hash.add(uint64_t(call.op));
      if (call.op == Opcode::DevicePrint)
        continue;
      if (call.op == Opcode::VectorFunction) {
        VfView view = viewOf(call, arch);
        for (int64_t count : view.totals.ops)
          hash.add(uint64_t(count));
        for (int64_t count : {view.totals.loads, view.totals.stores, view.totals.nests})
          hash.add(uint64_t(count));
        for (const Intervals &bytes : view.bytes)
          for (auto [begin, end] : bytes) {
            hash.add(uint64_t(begin));
            hash.add(uint64_t(end));
          }
        continue;
      }
      hash.add(uint64_t(call.dtype) << 8 | uint64_t(call.dtype2));
      hash.add(call.lanes[0]);
      hash.add(call.lanes[1]);
      for (unsigned i = 0; i < call.numArgs; ++i)
        hash.add(uint64_t(call.args[i]));
    }
  }
  return hash.value();
}

CallDifference firstDifference(std::span<const BlockTrace> left, std::span<const BlockTrace> right, Arch arch) {
  if (left.size() != right.size())
    return {"the left side has " + std::to_string(left.size()) + " blocks, the right side " +
            std::to_string(right.size())};
  for (size_t block = 0; block < left.size(); ++block) {
    const Calls &a = left[block].calls, &b = right[block].calls;
    for (size_t i = 0; i < a.size() || i < b.size(); ++i) {
      if (i < a.size() && i < b.size() && equal(a[i], b[i], arch))
        continue;
      CallDifference result;
      result.leftLoc = i < a.size() ? a[i].loc : 0;
      result.rightLoc = i < b.size() ? b[i].loc : 0;
      result.text = "block " + std::to_string(left[block].block) + ", call " + std::to_string(i) +
                    ":\n  left:  " + (i < a.size() ? describe(a[i], arch) : "no more calls") +
                    "\n  right: " + (i < b.size() ? describe(b[i], arch) : "no more calls");
      return result;
    }
  }
  return {};
}

} // namespace tilesmith::machine
