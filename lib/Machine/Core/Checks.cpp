// What every call must fulfil before it may touch a memory, and the words for it when it does not.
#include "CoreImpl.h"
#include "CrossBlocks.h"
#include "Order/Footprint.h"
#include "PlainFlag.h"
#include "tilesmith/Isa/Chip.h"
#include <algorithm>
#include <functional>

using namespace tilesmith;
using namespace tilesmith::machine;

namespace {

enum Kind : uint64_t { Operand, Align, Bounds, Fault, Queue, Freed, Overrun, Cross, NoUnit };
uint64_t kindOf(Kind kind, uint64_t detail = 0) { return uint64_t(kind) << 32 | detail; }

std::string lower(std::string_view text) {
  std::string result(text);
  for (char &c : result)
    if (c >= 'A' && c <= 'Z')
      c = char(c - 'A' + 'a');
  return result;
}

std::string number(int64_t value) { return std::to_string(value); }
std::string text(std::string_view view) { return std::string(view); }

std::string accessName(Access access) { return access == Access::Write ? "write" : "read"; }

std::string operandName(const Instr &instr, unsigned operand) {
  if (instr.op == Opcode::VectorFunction)
    return "argument " + number(operand);
  return text(instr.info().operands[operand].name);
}

// The global range the byte lies in, or null.
const GlobalRange *rangeOf(std::span<const GlobalRange> global, int64_t device) {
  for (const GlobalRange &range : global)
    if (device >= range.device && device - range.device < range.size)
      return &range;
  return nullptr;
}

// The alignment an operand's start needs: that of its memory, in UB perhaps only that of a few elements.
int64_t alignmentOf(const Instr &instr, const isa::OperandInfo &operand, Memory memory) {
  if (operand.alignment && memory == Memory::UB)
    return operand.alignment * int64_t(isa::sizeOf(instr.dtype));
  return isa::ruleOf(memory).alignment;
}

std::string invalidSync(const Instr &instr) {
  auto pipe = [](int64_t value) { return value >= 0 && value < int64_t(Pipe::ALL); };
  switch (instr.op) {
  case Opcode::SetFlag:
  case Opcode::WaitFlag: {
    isa::family::Flag flag(instr);
    if (!pipe(flag.fromValue()) || !pipe(flag.toValue()))
      return "a flag goes from one pipe to another (0 to 6), not from " + number(flag.fromValue()) + " to " +
             number(flag.toValue());
    if (flag.from() == flag.to() && flag.from() == Pipe::S)
      return "a flag from S to S has no meaning: the scalar unit is in order";
    if (flag.id() < 0 || flag.id() >= isa::flagIds)
      return "flag id " + number(flag.id()) + " does not exist (0 to " + number(isa::flagIds - 1) + ")";
    return {};
  }
  case Opcode::PipeBarrier:
    if (int64_t on = isa::PipeBarrier(instr).onValue(); on <= int64_t(Pipe::S) || on > int64_t(Pipe::ALL))
      return "no barrier on pipe " + number(on) + " (1 to 7: V, M, MTE1, MTE2, MTE3, FIX, ALL)";
    return {};
  case Opcode::CrossSet:
    if (int64_t from = isa::CrossSet(instr).fromValue(); !pipe(from))
      return "no pipe " + number(from) + " sets a flag for other blocks (0 to 6)";
    return {};
  case Opcode::CrossWait:
    if (int64_t sets = isa::CrossWait(instr).sets(); sets < 1)
      return "a wait for other blocks needs at least one set, not " + number(sets);
    return {};
  case Opcode::CrossCoreSet:
    if (int64_t from = isa::CrossCoreSet(instr).fromValue(); !pipe(from))
      return "no pipe " + number(from) + " sets a cross-core flag (0 to 6)";
    return {};
  case Opcode::CrossCoreWait:
    if (int64_t on = isa::CrossCoreWait(instr).onValue(); !pipe(on))
      return "no pipe " + number(on) + " waits for a cross-core flag (0 to 6)";
    return {};
  case Opcode::SetAtomic:
    if (int64_t op = isa::SetAtomic(instr).opValue(); op < 0 || op >= int64_t(isa::numAtomicOp))
      return "unknown atomic operation " + number(op);
    return {};
  default:
    return {};
  }
}

// Types the memory can combine (c310.md 3.5).
bool combines(DType dtype) {
  constexpr isa::DTypeSet types = isa::dtypeBit(DType::I8) | isa::dtypeBit(DType::I16) | isa::dtypeBit(DType::F16) |
                                  isa::dtypeBit(DType::BF16) | isa::dtypeBit(DType::I32) | isa::dtypeBit(DType::F32);
  return types & isa::dtypeBit(dtype);
}

std::string invalidVf(const Instr &instr) {
  const TsVfDesc *vf = instr.vf;
  if (!vf || !instr.vfFn)
    return "a vector function needs a descriptor and code";
  if (vf->recorded)
    return {};
  if (vf->rows < 0 || vf->cols < 0)
    return "a vector function over " + number(vf->rows) + " x " + number(vf->cols) + " elements";
  if (vf->numAccesses > maxVfAccesses || (vf->numAccesses && !vf->accesses))
    return "a vector function with " + number(vf->numAccesses) + " accesses; at most " + number(maxVfAccesses);
  for (uint32_t i = 0; i < vf->numAccesses; ++i) {
    const TsVfAccess &access = vf->accesses[i];
    if (access.arg >= instr.numArgs)
      return "access " + number(i) + " names argument " + number(access.arg) + " of " + number(instr.numArgs);
    if (access.walk > TS_VF_GROUP || access.dtype >= isa::numDType ||
        (access.walk != TS_VF_BITS && !isa::sizeOf(DType(access.dtype))) ||
        (access.walk == TS_VF_GROUP && access.pitch <= 0))
      return "access " + number(i) + " walks in an unknown way (" + number(access.walk) + ", dtype " +
             number(access.dtype) + ")";
  }
  return {};
}

} // namespace

bool FindingLog::wants(uint64_t kind, uint32_t loc) {
  for (size_t i = 0; i < findings.size(); ++i)
    if (kinds[i] == kind && findings[i].loc == loc) {
      ++findings[i].count;
      return false;
    }
  return findings.size() < limit;
}

void FindingLog::add(uint64_t kind, uint32_t loc, FindingId id, std::string text) {
  Finding finding;
  finding.id = std::move(id);
  finding.text = std::move(text);
  finding.loc = loc;
  findings.push_back(std::move(finding));
  kinds.push_back(kind);
}

void FindingLog::clear() {
  findings.clear();
  kinds.clear();
}

void TsCore::report(uint32_t loc, FindingId id, std::string reason, std::string help) {
  uint64_t kind = kindOf(Queue, std::hash<std::string_view>{}(id.str()) & 0xffffffff);
  if (!log.wants(kind, loc))
    return;
  log.add(kind, loc, std::move(id), std::move(reason));
  log.findings.back().help = std::move(help);
}

void TsCore::reportGather(const Instr &instr, int64_t outside) {
  int64_t bytes = instr.op == Opcode::Gather    ? isa::Gather(instr).srcBytes()
                  : instr.op == Opcode::Gatherb ? isa::Gatherb(instr).srcBytes()
                                                : isa::family::Scatter(instr).dstBytes();
  report(instr.loc, FindingKind::BoundsGather,
         number(outside) + " offsets of gather leave its source of " + number(bytes) + " bytes; 0 was used");
}

void TsCore::reportOperand(const Instr &instr, std::string reason) {
  uint64_t kind = kindOf(Operand, uint64_t(instr.op));
  if (log.wants(kind, instr.loc))
    log.add(kind, instr.loc, FindingId::operand(instr.op), std::move(reason));
}

void TsCore::reportCross(const Instr &instr, FindingKind id, std::string text) {
  uint64_t kind = kindOf(Cross);
  if (log.wants(kind, instr.loc))
    log.add(kind, instr.loc, id, std::move(text));
  ended = true;
}

void TsCore::reportDeadlock(const Instr &wait) {
  if (wait.op == Opcode::CrossCoreWait) {
    isa::CrossCoreWait call(wait);
    return reportCross(wait, FindingKind::DeadlockCrossWait,
                       name() + " waits on " + text(isa::stringify(call.on())) + " for cross-core flag " +
                           number(call.id()) + (call.mode() == 4 ? " of mode 4" : "") +
                           ", which nothing sets any more");
  }
  if (wait.op == Opcode::CrossWait) {
    isa::CrossWait call(wait);
    int64_t key = call.key();
    std::string what = key >= 0 && key < 16 ? "cross-core flag " + number(key) : "other blocks";
    std::string core = cores.nameOf(index);
    return reportCross(wait, FindingKind::DeadlockCrossWait,
                       (core.empty() ? "the block" : name()) + " waits for " + what + ": of " + number(call.sets()) +
                           (core.empty() ? " blocks" : " cores") + " that must set it for each wait, " +
                           number(cross->counted(key)) + (cross->counted(key) == 1 ? " set was" : " sets were") +
                           " made in all");
  }
  report(wait.loc, deadlockOf(wait), waitsForEver(wait));
  ended = true;
}

void TsCore::reportScalarFault(uint32_t loc, int64_t fault) {
  struct Words {
    FindingKind id;
    const char *text;
  };
  static constexpr Words words[] = {
      {FindingKind::OperandScalarDivision, "an integer is divided by zero, or the quotient does not fit; 0 was used"},
      {FindingKind::OperandScalarShift,
       "an integer is shifted by its width or more, or by a negative amount; 0 was used"},
      {FindingKind::OperandLoopStep, "the step of a for loop is not positive; the loop made no trip"}};
  size_t which = std::min(size_t(fault), std::size(words) - 1);
  uint64_t kind = kindOf(Fault, uint64_t(which));
  if (log.wants(kind, loc))
    log.add(kind, loc, words[which].id, words[which].text);
}

// Element-wise calls by count are most of all calls. This accepts only what the full check accepts too, without its
// detours; the rest goes the long way.
bool TsCore::plainlyFine(const Instr &instr, const isa::InstructionInfo &info) const {
  if (!info.plainBuffers || kinds == isa::CoreKind::AIC || unsigned(instr.dtype) >= isa::numDType ||
      !info.supports(platform->arch, instr.dtype))
    return false;
  uint64_t capacity = uint64_t(platform->capacityOf(Memory::UB)), count = uint64_t(instr.args[info.countOperand]);
  if (count > capacity)
    return false;
  uint64_t bytes = count * isa::sizeOf(instr.dtype);
  for (unsigned i = 0; i < info.plainBuffers; ++i) {
    uint64_t offset = uint64_t(instr.args[i]) - uint64_t(Address(Memory::UB, 0).bits);
    if (offset % isa::blockBytes != 0 || offset > capacity || bytes > capacity - offset)
      return false;
  }
  return true;
}

// So do moves between global memory and UB whose blocks follow each other, and flags.
bool TsCore::plainlyMoves(const Instr &instr, const isa::InstructionInfo &info) const {
  bool in = instr.op == Opcode::CopyGmToUb;
  if (!in && (instr.op != Opcode::CopyUbToGm || view.atomic != isa::AtomicOp::None))
    return false;
  if (checksKinds || unsigned(instr.dtype) >= isa::numDType || !info.supports(platform->arch, instr.dtype))
    return false;
  isa::family::MoveOut move(instr); // the operands both have
  uint64_t blocks = uint64_t(move.blockCount()), length = uint64_t(move.blockLen());
  if (blocks - 1 >= 4095 || length - 1 >= 2097151 || length % isa::blockBytes || move.srcStride() || move.dstStride())
    return false;
  if (in &&
      (isa::CopyGmToUb(instr).isPad() >> 1 || isa::CopyGmToUb(instr).leftPad() || isa::CopyGmToUb(instr).rightPad()))
    return false;
  uint64_t bytes = blocks * length, capacity = uint64_t(platform->capacityOf(Memory::UB));
  Address onChip = in ? move.dst() : move.src(), global = (in ? move.src() : move.dst()).withoutHints();
  uint64_t offset = uint64_t(onChip.bits) - uint64_t(Address(Memory::UB, 0).bits);
  if (offset % isa::blockBytes || offset > capacity || bytes > capacity - offset || bytes > INT64_MAX / 2)
    return false;
  if (uint64_t(global.bits) >> Address::memoryShift || global.offset() % isa::ruleOf(Memory::GM).alignment)
    return false;
  const GlobalRange *range = rangeOf(view.global, global.offset());
  return range && global.offset() - range->device <= range->size - range->slack - int64_t(bytes);
}

// The vendor's compiler leaves out what a core has no pipe for: one source serves both kinds of cores.
bool TsCore::lacksPipes(const Instr &instr) const {
  if (!autoSync || kinds.empty())
    return false;
  auto lacks = [&](int64_t pipe) {
    return pipe >= 0 && pipe < isa::numPipe && (isa::coresWith(Pipe(pipe), platform->arch) & kinds).empty();
  };
  switch (instr.op) {
  case Opcode::SetFlag:
  case Opcode::WaitFlag:
    return lacks(isa::family::Flag(instr).fromValue()) || lacks(isa::family::Flag(instr).toValue());
  case Opcode::PipeBarrier:
    return lacks(isa::PipeBarrier(instr).onValue());
  case Opcode::CrossSet:
    return lacks(isa::CrossSet(instr).fromValue());
  case Opcode::CrossCoreSet:
    return lacks(isa::CrossCoreSet(instr).fromValue());
  case Opcode::CrossCoreWait:
    return lacks(isa::CrossCoreWait(instr).onValue());
  default:
    return false;
  }
}

// Whether this kind of core has the instruction.
bool TsCore::checkKind(const Instr &instr) {
  isa::CoreKinds can = coresFor(instr, platform->arch);
  uint64_t kind = kindOf(NoUnit);
  if (isDirect(instr) && !cores.block.mixed()) {
    if (log.wants(kind, instr.loc))
      log.add(kind, instr.loc, FindingKind::CoreNoUnit,
              text(instr.info().mnemonic) +
                  " writes into another core of the block; a block of this kernel is one core");
    return false;
  }
  if (kinds.empty() || !(can & kinds).empty())
    return true;
  if (instr.info().dtypeOperand >= 0 && !instr.info().dtypes[unsigned(platform->arch)]) // told by what follows
    return true;
  isa::CoreKind needed = can.has(isa::CoreKind::AIC) ? isa::CoreKind::AIC : isa::CoreKind::AIV;
  isa::CoreKind own = kinds.has(isa::CoreKind::AIC) ? isa::CoreKind::AIC : isa::CoreKind::AIV;
  if (log.wants(kind, instr.loc))
    log.add(kind, instr.loc, FindingKind::CoreNoUnit,
            text(instr.info().mnemonic) + " needs a " + text(isa::describe(needed)) + "; " + name() + " is a " +
                text(isa::describe(own)));
  return false;
}

bool TsCore::check(const Instr &instr) {
  const isa::InstructionInfo &info = instr.info();
  Family family = info.family;
  if (family == Family::Flag && !checksKinds && isPlainFlag(instr))
    return true;
  if ((plainlyFine(instr, info) || plainlyMoves(instr, info)) && !(poisoned && queues.used()))
    return true;
  if ((checksKinds || isDirect(instr)) && (lacksPipes(instr) || !checkKind(instr)))
    return false;
  if (family == Family::Flag || family == Family::Barrier || family == Family::Cross || family == Family::Control) {
    std::string reason = invalidSync(instr);
    if (reason.empty())
      return true;
    reportOperand(instr, std::move(reason));
    return false;
  }

  if (unsigned(instr.dtype) >= isa::numDType || unsigned(instr.dtype2) >= isa::numDType) {
    reportOperand(instr, "unknown dtype");
    return false;
  }
  std::string reason = family == Family::VectorFunction ? invalidVf(instr) : validateOperands(instr, platform->arch);
  if (!reason.empty()) {
    reportOperand(instr, std::move(reason));
    return false;
  }
  bool stores = family == Family::MoveOut || instr.op == Opcode::FixpipeToGm;
  if (stores && view.atomic != isa::AtomicOp::None && !combines(instr.dtype)) {
    reportOperand(instr,
                  "no atomic " + lower(isa::stringify(view.atomic)) + " of " + text(isa::stringify(instr.dtype)));
    return false;
  }

  auto checkStart = [&](unsigned operand, uint16_t memories, int64_t alignment) {
    Address address = instr.address(operand);
    uint64_t top = uint64_t(address.withoutHints().bits) >> Address::memoryShift;
    Memory memory = address.memory();
    if (top >= isa::numMemory || !(memories & isa::memoryBit(memory))) {
      reportOperand(instr, operandName(instr, operand) + " of " + text(info.mnemonic) + " lies in " +
                               (top < isa::numMemory ? text(isa::stringify(memory)) : "no memory"));
      return false;
    }
    if (alignment > 1 && address.offset() % alignment != 0) {
      uint64_t kind = kindOf(Align, uint64_t(memory));
      if (log.wants(kind, instr.loc))
        log.add(kind, instr.loc, FindingId::alignment(memory),
                operandName(instr, operand) + " of " + text(info.mnemonic) + " starts at " +
                    text(isa::stringify(memory)) + " offset " + number(address.offset()) + ", not a multiple of " +
                    number(alignment));
      return false;
    }
    return true;
  };
  if (family == Family::VectorFunction) {
    for (uint32_t i = 0; i < instr.vf->numAccesses; ++i) {
      const TsVfAccess &access = instr.vf->accesses[i];
      bool single = access.walk == TS_VF_ELEMENT || access.walk == TS_VF_ONE || access.walk == TS_VF_GROUP;
      if (!checkStart(access.arg, isa::memoryBit(Memory::UB), single ? isa::sizeOf(DType(access.dtype)) : 32))
        return false;
    }
  } else {
    for (unsigned i = 0; i < info.numOperands; ++i)
      if (info.operands[i].kind == isa::OperandKind::Buffer &&
          !checkStart(i, info.operands[i].memories, alignmentOf(instr, info.operands[i], instr.address(i).memory())))
        return false;
  }

  Regions regions;
  regionsOf(instr, platform->arch, regions);
  for (const Region &region : regions) {
    Extent extent = extentOf(region);
    if (region.memory == Memory::GM) {
      const GlobalRange *range = rangeOf(view.global, extent.begin);
      if (range && extent.end - range->device <= range->size) {
        if (range->reached && extent.end - range->device > range->size - range->slack)
          range->reached->store(true, std::memory_order_relaxed);
        continue;
      }
    } else if (extent.begin >= 0 && extent.end <= platform->capacityOf(region.memory)) {
      continue;
    }
    uint64_t kind = kindOf(Bounds, uint64_t(region.memory) << 8 | uint64_t(region.access));
    if (log.wants(kind, instr.loc)) {
      std::string name = text(isa::stringify(region.memory));
      log.add(kind, instr.loc, FindingId::bounds(region.memory, region.access),
              region.memory == Memory::GM
                  ? accessName(region.access) + " " +
                        launch->names().outOfBounds(extent.begin, extent.end, instr.dtype, launch->arrayAt(instr.loc))
                  : accessName(region.access) + " of " + number(extent.end - extent.begin) + " bytes at " + name +
                        " offset " + number(extent.begin) + " leaves " + name + " (" +
                        number(platform->capacityOf(region.memory)) + " bytes)");
      if (region.memory == Memory::GM && knowsSlack && rangeOf(view.global, extent.begin))
        log.findings.back().help =
            "kernels that copy whole tiles past the end of their arrays run with room behind them: "
            "kernel[n](..., slack=" +
            number((extent.end - extent.begin + 511) / 512 * 512) + "), or TILESMITH_SLACK";
    }
    return false;
  }
  if (poisoned && queues.used())
    checkFreed(instr, regions);
  return true;
}

// A tensor given back to its queue must not be touched: the next AllocTensor hands it to somebody else. Nor does a
// tensor end beyond its buffer. The call runs all the same: its bytes exist.
void TsCore::checkFreed(const Instr &instr, const Regions &regions) {
  for (const Region &region : regions) {
    Extent extent = extentOf(region);
    if (int64_t left = queues.bytesLeftAt(region.memory, extent.begin);
        region.access == Access::Write && left >= 0 && extent.end - extent.begin > left) {
      uint64_t kind = kindOf(Overrun, region.operand);
      if (log.wants(kind, instr.loc))
        log.add(kind, instr.loc, FindingKind::QueueOverrun,
                text(instr.info().mnemonic) + " writes " + number(extent.end - extent.begin) + " bytes to " +
                    operandName(instr, region.operand) + ", whose buffer ends after " + number(left));
    }
    int64_t buffer = queues.idleBufferAt(region.memory, extent.begin, extent.end);
    if (buffer < 0)
      continue;
    uint64_t kind = kindOf(Freed, uint64_t(region.access));
    if (log.wants(kind, instr.loc)) {
      uint32_t freed = queues.freedAt(buffer);
      log.add(kind, instr.loc, FindingKind::QueueFreed,
              operandName(instr, region.operand) + " of " + text(instr.info().mnemonic) +
                  (freed ? " is a tensor that FreeTensor gave back to its queue"
                         : " lies in a buffer of a queue that AllocTensor has not given out"));
      log.findings.back().otherLoc = freed;
    }
    return;
  }
}
