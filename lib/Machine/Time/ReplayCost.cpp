#include "ReplayCost.h"
#include "Core/VectorRecord.h"
#include "tilesmith/Isa/Chip.h"
#include <algorithm>
#include <array>

namespace tilesmith::machine {

namespace {

// Where the operands that decide the cost of an opcode stand; -1: it has none of that name.
struct OperandPlaces {
  int8_t count = -1, repeat = -1;
  int8_t dst = -1, src[2] = {-1, -1};
  int8_t dstBlk = -1, srcBlk[2] = {-1, -1}, srcRep[2] = {-1, -1};
};

OperandPlaces findPlaces(const isa::InstructionInfo &info) {
  OperandPlaces places;
  for (int i = 0; i < info.numOperands; ++i) {
    std::string_view name = info.operands[i].name;
    int8_t at = int8_t(i);
    if (name == "count")
      places.count = at;
    else if (name == "repeat")
      places.repeat = at;
    else if (name == "dst")
      places.dst = at;
    else if (name == "src" || name == "src0")
      places.src[0] = at;
    else if (name == "src1")
      places.src[1] = at;
    else if (name == "dstBlk")
      places.dstBlk = at;
    else if (name == "srcBlk" || name == "src0Blk")
      places.srcBlk[0] = at;
    else if (name == "src1Blk")
      places.srcBlk[1] = at;
    else if (name == "srcRep" || name == "src0Rep")
      places.srcRep[0] = at;
    else if (name == "src1Rep")
      places.srcRep[1] = at;
  }
  return places;
}

const OperandPlaces &placesOf(Opcode op) {
  static const std::array<OperandPlaces, isa::numOpcodes> table = [] {
    std::array<OperandPlaces, isa::numOpcodes> places;
    for (unsigned i = 0; i < isa::numOpcodes; ++i)
      places[i] = findPlaces(isa::getInstruction(Opcode(i)));
    return places;
  }();
  return table[unsigned(op)];
}

int64_t ceilDiv(int64_t a, int64_t b) { return (a + b - 1) / b; }

// Numbers come from kernels; valid ones are far below these limits, and a cost is never negative and never overflows.
int64_t size(int64_t value) { return std::clamp<int64_t>(value, 0, 1 << 20); }
int64_t pitch(int64_t value) { return std::clamp<int64_t>(value, 0, int64_t(1) << 40); }

Ticks transferTicks(int64_t bytes, int32_t bytesPerCycleHundredths) {
  return ceilDiv(std::min(bytes, int64_t(1) << 40) * ticksPerCycle * 100, std::max(bytesPerCycleHundredths, 1));
}

// UB serves one 32-byte row of each bank group per cycle, reads and writes apart. Returns the cycles one repeat of
// eight blocks needs: the most reads, or writes, that meet in one group.
int groupCycles(const Instr &instr, const OperandPlaces &places, unsigned groups, int64_t repeat) {
  uint8_t reads[32] = {}, writes[32] = {};
  int most = 1;
  auto touch = [&](uint8_t *counts, int addressAt, int blkAt, int64_t shift) {
    int64_t first = (instr.address(unsigned(addressAt)).offset() >> 5) + shift;
    int64_t stride = blkAt >= 0 ? instr.args[blkAt] : 1;
    for (int64_t block = 0; block < isa::blocksPerRepeat; ++block)
      most = std::max<int>(most, ++counts[uint64_t(first + block * stride) % groups]);
  };
  for (int i = 0; i < 2; ++i)
    if (places.src[i] >= 0)
      touch(reads, places.src[i], places.srcBlk[i],
            places.srcRep[i] >= 0 ? repeat * instr.args[places.srcRep[i]] : repeat * 8);
  if (places.dst >= 0 && places.dstBlk >= 0)
    touch(writes, places.dst, places.dstBlk, 0);
  return most;
}

// Bank conflicts averaged over the repeats; the pattern comes again after `groups` repeats at the latest.
Ticks conflictTicks(const Instr &instr, const OperandPlaces &places, unsigned groups, int64_t repeats) {
  bool sameStep = places.srcRep[0] < 0 || places.srcRep[1] < 0 ||
                  (instr.args[places.srcRep[0]] - instr.args[places.srcRep[1]]) % int64_t(groups) == 0;
  int64_t samples = sameStep ? 1 : std::clamp<int64_t>(repeats, 1, groups);
  int64_t cycles = 0;
  for (int64_t i = 0; i < samples; ++i)
    cycles += groupCycles(instr, places, groups, i);
  return cycles * ticksPerCycle / samples;
}

Work vectorWork(const Instr &instr, const Platform &platform) {
  const isa::InstructionInfo &info = instr.info();
  const OperandPlaces &places = placesOf(instr.op);
  unsigned bytes = isa::sizeOf(instr.dtype);
  if (info.dtype2Operand >= 0)
    bytes = std::max(bytes, isa::sizeOf(instr.dtype2));
  int64_t repeats = 0;
  if (places.repeat >= 0)
    repeats = size(instr.args[places.repeat]);
  else if (places.count >= 0)
    repeats = ceilDiv(size(instr.args[places.count]) * bytes, isa::repeatBytes);
  if (info.family == Family::Merge) // by the records it writes
    repeats *=
        ceilDiv((size(instr.args[5]) + size(instr.args[6]) + size(instr.args[7]) + size(instr.args[8])) * 8, 256);

  const VectorCost &cost = platform.vector[unsigned(info.cost)];
  Ticks perRepeat = bytes >= 4 ? cost.perRepeatF32 : cost.perRepeatF16;
  if (platform.bankGroups && repeats > 0)
    perRepeat = std::max(perRepeat, conflictTicks(instr, places, unsigned(platform.bankGroups), repeats));
  Ticks fixed = cost.fixed * ticksPerCycle;
  if (info.family == Family::ReduceAll && repeats > 1) {
    // A second instruction reduces the results of the first.
    repeats += ceilDiv(repeats * bytes, isa::repeatBytes);
    fixed *= 2;
  }
  Ticks busy = perRepeat * repeats;
  if (!platform.vectorBackToBack)
    return {fixed + busy, 0};
  Ticks occupied = std::max(busy, platform.vectorBackToBack * ticksPerCycle);
  return {occupied, std::max<Ticks>(fixed + busy - occupied, 0)};
}

// Cycles of the operations of a vector function: the busiest of its units, over the whole call, as its loops keep all
// units supplied. Every operation takes an issue slot of one of vfPorts ports; special functions and reductions have
// one unit each; loads and stores share the way to UB.
Ticks vfBusy(const VfTotals &totals, const Platform &platform) {
  Ticks ports = 0, special = 0, first = 0;
  for (unsigned i = 0; i < isa::numCostClass; ++i) {
    Ticks cost = totals.ops[i] * Ticks(platform.vfCost[i]);
    if (!cost)
      continue;
    ports += totals.ops[i] * ticksPerCycle / platform.vfPorts;
    switch (isa::CostClass(i)) {
    case isa::CostClass::Transcendental:
    case isa::CostClass::Divide:
    case isa::CostClass::Reciprocal:
      special += cost;
      break;
    case isa::CostClass::ReduceAdd:
    case isa::CostClass::ReduceMax:
      first += cost;
      break;
    default:
      break;
    }
  }
  int64_t loads = totals.loads, stores = totals.stores;
  Ticks memory = std::max(
      {loads * platform.vfLoad + stores * platform.vfStore, loads * ticksPerCycle / 2, stores * ticksPerCycle});
  if (!stores)
    memory = loads * ticksPerCycle / 2;
  return std::max({ports, special, first, memory});
}

Work vfWork(const Instr &instr, const Platform &platform) {
  const TsVfDesc *vf = instr.vf;
  if (!vf)
    return {platform.vfStart * ticksPerCycle, 0};
  VfTotals totals = totalsOf(*vf);
  Ticks rows = totals.nests > 1 ? totals.nests * platform.vfRow * ticksPerCycle : 0;
  return {platform.vfStart * ticksPerCycle + vfBusy(totals, platform) + rows, 0};
}

Work mmadWork(const Instr &instr, const Platform &platform) {
  auto dim = [&](unsigned i) { return std::min<int64_t>(size(instr.args[i]), 1 << 13); };
  int64_t m = dim(3), n = dim(4), k = dim(5);
  unsigned bytes = std::max(isa::sizeOf(instr.dtype2), 1u);
  int64_t k0 = isa::blockBytes / bytes; // a row of a fractal is one block
  int64_t rate = bytes == 4 ? platform.cubeMacF32 : bytes == 1 ? platform.cubeMacI8 : platform.cubeMacF16;
  int64_t fractals = ceilDiv(m, 16) * ceilDiv(n, 16) * ceilDiv(k, k0);
  Ticks busy = fractals * (16 * 16 * k0) * ticksPerCycle / std::max<int64_t>(rate, 1);
  return {busy + platform.cubeHead * ticksPerCycle, platform.cubeTail * ticksPerCycle};
}

Work loadL0Work(const Instr &instr, const Platform &platform) {
  bool toA = instr.address(0).memory() == Memory::L0A;
  const MovePath &path = toA ? platform.l1ToL0a : platform.l1ToL0b;
  int64_t fractals = 0;
  switch (instr.op) {
  case Opcode::LoadData_2d:
    fractals = size(instr.args[3]);
    break;
  case Opcode::LoadDataTranspose:
    fractals = 2 * size(instr.args[3]);
    break;
  default:
    fractals = size(instr.args[4]) * size(instr.args[5]);
    break;
  }
  Ticks bytes = transferTicks(fractals * isa::fractalBytes, path.bytesPerCycle) * platform.mte1Derating / 100;
  return {bytes, path.latency * ticksPerCycle};
}

} // namespace

CallKind kindOf(Opcode op) {
  switch (isa::getInstruction(op).family) {
  case Family::Flag:
    return op == Opcode::SetFlag ? CallKind::SetFlag : CallKind::WaitFlag;
  case Family::Barrier:
    return CallKind::Barrier;
  case Family::Cross:
    return op == Opcode::CrossSet ? CallKind::CrossSet : CallKind::CrossWait;
  case Family::Control:
    return CallKind::Scalar;
  case Family::ScalarAccess:
    return CallKind::ScalarAccess;
  case Family::MoveIn:
  case Family::MoveOut:
  case Family::MoveNz:
    return CallKind::Global;
  case Family::Fixpipe:
    return op == Opcode::FixpipeToL1 ? CallKind::Local : CallKind::Global;
  default:
    return CallKind::Local;
  }
}

bool isCube(Opcode op) {
  switch (isa::getInstruction(op).family) {
  case Family::MoveNz:
  case Family::FillL1:
  case Family::LoadL0:
  case Family::CopyL1:
  case Family::Mmad:
  case Family::Fixpipe:
    return true;
  default:
    return false;
  }
}

const MovePath &pathOf(const Platform &platform, GlobalPath path) {
  switch (path) {
  case GlobalPath::GmToUb:
    return platform.gmToUb;
  case GlobalPath::GmToL1:
    return platform.gmToL1;
  case GlobalPath::UbToGm:
    return platform.ubToGm;
  case GlobalPath::L0cToGm:
    return platform.l0cToGm;
  }
  return platform.gmToUb;
}

Work workOf(const Instr &instr, const Platform &platform) {
  switch (instr.info().family) {
  case Family::VectorFunction:
    return vfWork(instr, platform);
  case Family::Mmad:
    return mmadWork(instr, platform);
  case Family::LoadL0:
    return loadL0Work(instr, platform);
  case Family::CopyL1: // no figure of its own: as a load into L0B
    return {transferTicks(size(instr.args[2]) * size(instr.args[3]) * isa::sizeOf(instr.dtype),
                          platform.l1ToL0b.bytesPerCycle),
            platform.l1ToL0b.latency * ticksPerCycle};
  case Family::FillL1:
    return {transferTicks(size(instr.args[1]) * size(instr.args[2]) * 32, platform.gmToL1.bytesPerCycle),
            platform.moveIssue * ticksPerCycle};
  case Family::Fixpipe:
    return {transferTicks(size(instr.args[2]) * size(instr.args[3]) * 4, platform.l0cToL1.bytesPerCycle),
            platform.l0cToL1.latency * ticksPerCycle};
  default:
    return vectorWork(instr, platform);
  }
}

GlobalMove globalMoveOf(const Instr &instr, const Platform &platform) {
  GlobalMove move;
  const int64_t *args = instr.args;
  int64_t bytes = isa::sizeOf(instr.dtype);
  int64_t portBytes = 0;
  switch (instr.info().family) {
  case Family::MoveIn:
    move.path = instr.address(0).memory() == Memory::L1 ? GlobalPath::GmToL1 : GlobalPath::GmToUb;
    move.start = instr.address(1).offset();
    move.rows = size(args[2]);
    move.rowBytes = size(args[3]);
    move.rowPitch = move.rowBytes + pitch(args[4]);
    break;
  case Family::MoveOut:
    move.path = GlobalPath::UbToGm;
    move.start = instr.address(0).offset();
    move.rows = size(args[2]);
    move.rowBytes = size(args[3]);
    move.rowPitch = move.rowBytes + pitch(args[5]);
    break;
  case Family::MoveNz:
    move.path = GlobalPath::GmToL1;
    move.start = instr.address(1).offset();
    move.matrices = size(args[2]);
    move.rows = size(args[3]);
    move.rowBytes = size(args[4]) * bytes;
    move.matrixPitch = pitch(args[5]) * bytes;
    move.rowPitch = pitch(args[6]) * bytes;
    move.least = platform.nd2nzLatency * ticksPerCycle;
    break;
  default: // Fixpipe
    move.path = GlobalPath::L0cToGm;
    move.start = instr.address(0).offset();
    move.rows = size(args[3]);
    move.rowBytes = size(args[2]) * bytes;
    move.rowPitch = pitch(args[5]) * bytes;
    if (instr.op == Opcode::FixpipeQuant) {
      move.matrices = size(args[9]);
      move.matrixPitch = pitch(args[11]) * bytes;
      if (args[12]) { // columns of NZ
        int64_t width = bytes == 4 ? 64 : 32;
        move.rows = ceilDiv(size(args[2]) * bytes, width);
        move.rowBytes = size(args[3]) * width;
        move.rowPitch = pitch(args[5]) * 32;
      }
    }
    portBytes = size(args[2]) * size(args[3]) * 4;
    break;
  }
  if (move.rowPitch == move.rowBytes && move.matrices == 1) {
    move.rowBytes *= move.rows;
    move.rows = 1;
  }
  const MovePath &path = pathOf(platform, move.path);
  move.latency = path.latency * ticksPerCycle;
  int64_t rows = move.rows * move.matrices;
  Ticks bursts = rows > 1 ? rows * (move.path == GlobalPath::GmToL1 ? platform.burstCostNz : platform.burstCost) : 0;
  move.port = std::max(bursts, transferTicks(portBytes, path.bytesPerCycle));
  return move;
}

} // namespace tilesmith::machine
