#include "ReplayCost.h"
#include "BankCost.h"
#include "Order/Footprint.h"
#include "VfCost.h"
#include "tilesmith/Isa/Chip.h"
#include "tilesmith/Isa/Layouts.h"
#include "tilesmith/Machine/Entries.h"
#include <algorithm>
#include <array>

namespace tilesmith::machine {

namespace {

// Where the operands that decide the cost of an opcode stand; -1: it has none of that name.
struct OperandPlaces {
  int8_t count = -1, repeat = -1;
  int8_t dst = -1, src[2] = {-1, -1};
  int8_t dstBlk = -1, srcBlk[2] = {-1, -1}, dstRep = -1, srcRep[2] = {-1, -1};
  int8_t mask = -1;
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
    else if (name == "dstRep")
      places.dstRep = at;
    else if (name == "mask")
      places.mask = at;
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
int64_t limited(int64_t value) { return std::clamp<int64_t>(value, 0, 1 << 20); }
int64_t pitch(int64_t value) { return std::clamp<int64_t>(value, 0, int64_t(1) << 40); }

Ticks transferTicks(int64_t bytes, int32_t bytesPerCycleHundredths) {
  return ceilDiv(std::min(bytes, int64_t(1) << 40) * ticksPerCycle * 100, std::max(bytesPerCycleHundredths, 1));
}

// Whether a call in count form reads and writes its operands one after the other, block by block.
bool isElementwise(Family family) {
  switch (family) {
  case Family::VectorUnary:
  case Family::VectorBinary:
  case Family::VectorScalar:
  case Family::Cast:
    return true;
  default:
    return false;
  }
}

// The blocks of UB a vector call touches, repeat by repeat. Results of reductions and comparisons are few: their writes
// are left out.
BankUse bankUseOf(const Instr &instr, const OperandPlaces &places, unsigned widest, int64_t repeats, Ticks perRepeat) {
  const isa::InstructionInfo &info = instr.info();
  int64_t lanes = isa::repeatBytes / std::max(widest, 1u);
  if (places.mask >= 0 && instr.args[places.mask] != TS_MASK_BITS)
    lanes = std::clamp<int64_t>(instr.args[places.mask], 1, lanes);
  auto rowsOf = [&](int8_t operand, int8_t blk, int8_t rep) {
    BankRows rows;
    if (operand < 0)
      return rows;
    unsigned size = isa::sizeOf(operand == info.dtype2Operand ? instr.dtype2 : instr.dtype);
    rows.first = instr.address(unsigned(operand)).offset() / isa::blockBytes;
    rows.blocks = int32_t(std::clamp<int64_t>(ceilDiv(lanes * size, isa::blockBytes), 1, isa::blocksPerRepeat));
    rows.block = blk >= 0 ? limited(instr.args[blk]) : 1;
    rows.repeat =
        rep >= 0 ? limited(instr.args[rep]) : ceilDiv(isa::repeatBytes / std::max(widest, 1u) * size, isa::blockBytes);
    return rows;
  };
  BankUse use;
  for (unsigned i = 0; i < 2; ++i)
    use.reads[i] = rowsOf(places.src[i], places.srcBlk[i], places.srcRep[i]);
  if (places.dstBlk >= 0 || isElementwise(info.family))
    use.write = rowsOf(places.dst, places.dstBlk, places.dstRep);
  if (info.cost == isa::CostClass::MultiplyAdd) // reads what it writes
    use.reads[2] = use.write;
  use.repeats = repeats;
  use.interval = std::max<Ticks>(perRepeat / ticksPerCycle, 1);
  return use;
}

Work vectorWork(const Instr &instr, const Platform &platform) {
  const isa::InstructionInfo &info = instr.info();
  const OperandPlaces &places = placesOf(instr.op);
  unsigned bytes = isa::sizeOf(instr.dtype);
  if (info.dtype2Operand >= 0)
    bytes = std::max(bytes, isa::sizeOf(instr.dtype2));
  int64_t repeats = 0;
  if (places.repeat >= 0)
    repeats = limited(instr.args[places.repeat]);
  else if (places.count >= 0)
    repeats = ceilDiv(limited(instr.args[places.count]) * bytes, isa::repeatBytes);
  if (instr.op == Opcode::MrgSort) { // by the records it writes
    isa::MrgSort call(instr);
    int64_t records = limited(call.count0()) + limited(call.count1()) + limited(call.count2()) + limited(call.count3());
    repeats *= ceilDiv(records * 8, isa::repeatBytes);
  }

  if (info.family == Family::GatherPattern) { // its repeats may be longer than others
    int64_t elements =
        instr.op == Opcode::GatherMask ? isa::GatherMask(instr).elements() : isa::GatherMaskBits(instr).elements();
    repeats *= std::max<int64_t>(ceilDiv(limited(elements) * bytes, isa::repeatBytes), 1);
  }

  const VectorCost &cost = platform.costOf(instr.op);
  Ticks perRepeat = bytes >= 4 ? cost.perRepeatF32 : cost.perRepeatF16;
  Work work;
  work.amount = repeats * (isa::repeatBytes / std::max(bytes, 1u));
  if (places.repeat < 0 && places.count >= 0)
    work.amount = limited(instr.args[places.count]);
  if (info.cost == isa::CostClass::MultiplyAdd)
    work.amount *= 2;
  if (platform.bankGroups)
    work.conflicts = bankStalls(bankUseOf(instr, places, bytes, repeats, perRepeat), platform) * ticksPerCycle;
  Ticks fixed = cost.fixed * ticksPerCycle;
  // Loads of a function of registers run ahead of its arithmetic: either of them takes as long as the function.
  if (platform.bankBytes && !platform.bankGroups)
    if (int64_t reads = pairReads(bankUseOf(instr, places, bytes, repeats, perRepeat), platform))
      work.conflicts = std::max<Ticks>((platform.vfStart + reads) * ticksPerCycle - fixed - perRepeat * repeats, 0);
  if (info.family == Family::ReduceAll && repeats > 1) {
    // A second instruction reduces the results of the first.
    repeats += ceilDiv(repeats * bytes, isa::repeatBytes);
    fixed *= 2;
  }
  Ticks busy = perRepeat * repeats + work.conflicts;
  if (!platform.vectorBackToBack) {
    work.occupied = fixed + busy;
    return work;
  }
  work.occupied = std::max(busy, platform.vectorBackToBack * ticksPerCycle);
  work.tail = std::max<Ticks>(fixed + busy - work.occupied, 0);
  return work;
}

Work mmadWork(const Instr &instr, const Platform &platform) {
  isa::family::Mmad call(instr);
  auto dim = [](int64_t value) { return std::min<int64_t>(limited(value), 1 << 13); };
  unsigned bits = std::max(isa::bitsOf(instr.dtype2), 4u);                         // of a factor; both are equally wide
  int64_t k0 = isa::blockBytes * 8 / bits;                                         // a row of a fractal is one block
  bool isShort = instr.op == Opcode::MmadHf32 || instr.op == Opcode::MmadHf32Bias; // twice as fast
  int64_t rate = bits == 32  ? platform.cubeMacF32 * (isShort ? 2 : 1)
                 : bits == 8 ? platform.cubeMacI8
                 : bits == 4 ? platform.cubeMacF4
                             : platform.cubeMacF16;
  int64_t fractals = ceilDiv(dim(call.m()), 16) * ceilDiv(dim(call.n()), 16) * ceilDiv(dim(call.k()), k0);
  Ticks busy = fractals * (16 * 16 * k0) * ticksPerCycle / std::max<int64_t>(rate, 1);
  return {busy + platform.cubeHead * ticksPerCycle, platform.cubeTail * ticksPerCycle,
          2 * dim(call.m()) * dim(call.n()) * dim(call.k())};
}

// What a move moves, by the layouts of its record: the bytes on both sides, and its rows in GM. A part of a column of
// NZ travels as a whole one. Shapes of vector operands do not occur in moves.
class Traffic : public CallNumbers {
public:
  Traffic(const Instr &instr, Arch arch) : CallNumbers(instr, arch) { isa::visitLayouts(instr.op, *this); }

  void run(Access access, unsigned operand, Number offset, Number length, std::initializer_list<Level> levels) {
    Number times(1);
    for (const Level &level : levels)
      times = times * Number(limited(level.count));
    note(access, operand, offset, length, length * times, levels.size() > 0 ? levels.begin()[0] : once,
         levels.size() > 1 ? levels.begin()[1] : once);
  }
  void nz(Access access, unsigned operand, Number rows, Number rowBytes, Number width, Number pitch, Level matrix) {
    Level columns(ceil(rowBytes, width), pitch);
    note(access, operand, Number(0), rows * width, rows * rowBytes * Number(limited(matrix.count)), columns, matrix);
  }
  void zz(Access access, unsigned operand, Number rows, Number rowBytes) {
    note(access, operand, Number(0), rows * rowBytes, rows * rowBytes, once, once);
  }
  void lanes(auto...) {}
  void results(auto...) {}
  void packed(auto...) {}

  struct Side {
    std::optional<Memory> memory;
    int64_t bytes = 0;
  };
  Side source, target;
  std::optional<GlobalMove> global;

private:
  const Level once{Number(1), Number(0)};

  Side &side(Access access) { return access == Access::Read ? source : target; }

  void note(Access access, unsigned operand, Number offset, Number length, Number bytes, Level row, Level matrix) {
    Address address = instr.address(operand);
    side(access).memory = address.memory();
    side(access).bytes += pitch(bytes.value);
    if (address.memory() != Memory::GM || global)
      return;
    global.emplace();
    global->hint = address.hint(access == Access::Write);
    global->start = (Number(address.offset()) + offset).value;
    global->rowBytes = std::clamp<int64_t>(length.value, 0, 1 << 22);
    global->rows = limited(row.count);
    global->rowPitch = pitch(row.stride);
    global->matrices = limited(matrix.count);
    global->matrixPitch = pitch(matrix.stride);
  }
};

// A move inside the core. What has no figure of its own takes that of its neighbour.
Work moveWork(const Instr &instr, const Platform &platform) {
  Traffic traffic(instr, platform.arch);
  auto along = [](const MovePath &path, int64_t bytes) {
    return Work{transferTicks(bytes, path.bytesPerCycle), path.latency * ticksPerCycle, bytes};
  };
  switch (traffic.target.memory.value_or(Memory::L1)) {
  case Memory::L0A:
  case Memory::L0B:
  case Memory::L0AMX:
  case Memory::L0BMX: {
    bool toA = traffic.target.memory == Memory::L0A || traffic.target.memory == Memory::L0AMX;
    Work work = along(toA ? platform.l1ToL0a : platform.l1ToL0b, traffic.target.bytes);
    if (instr.op == Opcode::LoadData_3dV2)
      work.occupied = work.occupied * platform.imageDerating / 100;
    Ticks derated = work.occupied * platform.mte1Derating / 100;
    work.following = derated - work.occupied;
    return work;
  }
  case Memory::BT:
    return along(platform.l1ToL0b, traffic.target.bytes);
  default:
    if (traffic.source.memory == Memory::L0C)
      return along(traffic.target.memory == Memory::UB ? platform.l0cToUb : platform.l0cToL1, traffic.source.bytes);
    if (traffic.source.memory == Memory::UB)
      return along(platform.ubToL1, traffic.source.bytes);
    return {transferTicks(traffic.target.bytes, platform.gmToL1.bytesPerCycle), platform.moveIssue * ticksPerCycle,
            traffic.target.bytes};
  }
}

bool mayLieIn(const isa::InstructionInfo &info, uint16_t memories) {
  for (unsigned i = 0; i < info.numOperands; ++i)
    if (info.operands[i].kind == isa::OperandKind::Buffer && (info.operands[i].memories & memories))
      return true;
  return false;
}

} // namespace

CallKind findKind(Opcode op) {
  switch (isa::getInstruction(op).family) {
  case Family::Flag:
    return op == Opcode::SetFlag ? CallKind::SetFlag : CallKind::WaitFlag;
  case Family::Barrier:
    return CallKind::Barrier;
  case Family::Cross:
    return op == Opcode::CrossSet || op == Opcode::CrossCoreSet ? CallKind::CrossSet : CallKind::CrossWait;
  case Family::Control:
    return CallKind::Scalar;
  case Family::ScalarAccess:
    return CallKind::ScalarAccess;
  default:
    return mayLieIn(isa::getInstruction(op), isa::memoryBit(Memory::GM)) ? CallKind::Global : CallKind::Local;
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
  case GlobalPath::L1ToGm:
    return platform.l1ToGm;
  }
  return platform.gmToUb;
}

Work workOf(const Instr &instr, const Platform &platform) {
  if (instr.op == Opcode::VectorFunction)
    return vfWork(instr, platform);
  switch (instr.info().cost) {
  case isa::CostClass::Cube:
    return mmadWork(instr, platform);
  case isa::CostClass::Move:
    return moveWork(instr, platform);
  default:
    return vectorWork(instr, platform);
  }
}

// How many units more the pieces of a move touch than they would if they began at a unit.
static int64_t extraUnits(const GlobalMove &move, int64_t unit) {
  if (unit <= 1 || move.rowBytes <= 0)
    return 0;
  auto extra = [&](int64_t start) {
    start %= unit;
    return (start + move.rowBytes + unit - 1) / unit - ceilDiv(move.rowBytes, unit);
  };
  constexpr int64_t enough = 64; // the others lie like the first ones
  int64_t sampled = move.rowPitch % unit ? std::min(move.rows, enough) : std::min<int64_t>(move.rows, 1), sum = 0;
  for (int64_t row = 0; row < sampled; ++row)
    sum += extra(move.start + row * move.rowPitch);
  return sampled ? sum * move.rows / sampled * move.matrices : 0;
}

int64_t extraOf(const GlobalMove &move, const Platform &platform) {
  return extraUnits(move, platform.alignBytes) * platform.alignCost;
}

namespace {
// What the pieces of a move cost: where they are in L2, and where they are not.
struct Bursts {
  Ticks hit = 0, missed = 0;
};
} // namespace

static Bursts burstsOf(const GlobalMove &move, const Platform &platform) {
  int64_t rows = move.rows * move.matrices;
  if (rows <= 1 || move.path == GlobalPath::L0cToGm) // FIX writes pieces as it goes
    return {};
  const MovePath &path = pathOf(platform, move.path);
  Bursts each{platform.burstCost, platform.burstCost};
  if (move.path == GlobalPath::GmToL1) {
    // So many pieces are in flight at a time, each for a round trip.
    Ticks missed = platform.burstCostNz * int64_t(path.latency + platform.hbmMissLatency) / std::max(path.latency, 1);
    Ticks least =
        platform.burstRowNz ? platform.burstRowNz + transferTicks(move.rowBytes, path.bytesPerCycle) : Ticks(0);
    constexpr Ticks most = Ticks(1) << 32; // no valid move comes near
    each = {std::min(std::max<Ticks>(platform.burstCostNz, least), most), std::min(std::max(missed, least), most)};
  }
  int64_t percent = move.rowPitch == move.rowBytes ? platform.burstTouching : 100;
  return {rows * (each.hit * percent / 100), rows * (each.missed * percent / 100)};
}

GlobalMove globalMoveOf(const Instr &instr, const Platform &platform) {
  Traffic traffic(instr, platform.arch);
  GlobalMove move = traffic.global.value_or(GlobalMove());
  int64_t portBytes = 0;
  if (traffic.target.memory != Memory::GM) {
    move.path = traffic.target.memory == Memory::UB ? GlobalPath::GmToUb : GlobalPath::GmToL1;
  } else if (traffic.source.memory == Memory::L0C) {
    move.path = GlobalPath::L0cToGm;
    portBytes = traffic.source.bytes;
  } else {
    move.path = traffic.source.memory == Memory::L1 ? GlobalPath::L1ToGm : GlobalPath::UbToGm;
  }
  if (instr.op == Opcode::CopyGmToL1Nz)
    move.least = platform.nd2nzLatency * ticksPerCycle +
                 (platform.nd2nzBytesPerCycle ? transferTicks(bytesOf(move), platform.nd2nzBytesPerCycle) : 0);
  if (move.path == GlobalPath::L0cToGm)
    move.least = platform.l0cToGmLeast * ticksPerCycle;
  const MovePath &path = pathOf(platform, move.path);
  move.latency = path.latency * ticksPerCycle;
  Bursts bursts = burstsOf(move, platform);
  move.port = std::max(bursts.hit, transferTicks(portBytes, path.bytesPerCycle));
  move.portMissed = bursts.missed - bursts.hit;
  move.window = std::max<int64_t>(platform.outstandingWindow, 1);
  if (portBytes > bytesOf(move) && bytesOf(move) > 0)
    move.window = std::max<int64_t>(move.window * bytesOf(move) / portBytes, 1);
  // Short pieces are asked for one by one, so that the first ones arrive before the last ones are asked for.
  Ticks roundTrip = move.latency + platform.hbmMissLatency * ticksPerCycle;
  move.inFlight = std::min<int64_t>(bytesOf(move), platform.outstandingWindow);
  if (bursts.missed > roundTrip)
    move.inFlight = move.inFlight * roundTrip / bursts.missed;
  move.extra = extraOf(move, platform);
  return move;
}

} // namespace tilesmith::machine
