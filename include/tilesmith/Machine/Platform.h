// A platform: the chip in numbers.
//
// Platforms are data. lib/Machine/Time/platforms/<Name>.platform holds one line per number with its source; a derived
// part names its base and the lines that differ. Those files are part of the program; others in the same format are
// read at run time (TILESMITH_PLATFORM_PATH, addPlatforms). Nothing in the Machine compares platform names.
//
// Units: cycles unless the name says otherwise; rates and costs that need fractions are hundredths.
#ifndef TILESMITH_MACHINE_PLATFORM_H
#define TILESMITH_MACHINE_PLATFORM_H

#include "tilesmith/Isa/Cores.h"
#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tilesmith::machine {

// Cost of a vector instruction: fixed cycles plus perRepeat for each 256 bytes (hundredths of a cycle).
struct VectorCost {
  int32_t fixed = 0, perRepeatF32 = 0, perRepeatF16 = 0;
};

// A move path: cycles until the first byte, then bytes per cycle (hundredths).
struct MovePath {
  int32_t latency = 0, bytesPerCycle = 0;
};

// An operation inside a vector function: cycles until its result is written, and those it keeps a port busy.
struct VfCost {
  int32_t latency = 0, busy = 0;
};

struct Platform {
  std::string_view name;
  isa::Arch arch = isa::Arch::C220;
  int32_t cubeCores = 0, vectorCores = 0, clockMHz = 0;
  int32_t maxBlocks = 0;                             // of a launch; more blocks than cores run in waves
  std::array<int64_t, isa::numMemory> capacity = {}; // bytes per memory a core may use; GM: device memory
  int32_t ubReserved = 0;                            // bytes of UB the vendor's compiler keeps for itself by default
  int64_t l2Bytes = 0, l2Line = 0;                   // l2Line: what is fetched and written at once
  // Of the lines earlier kernels left dirty, those still so when a kernel that fits L2 starts.
  int32_t l2DirtyPercent = 0;
  // Stores wait for HBM when more than one such part of L2 is on its way there.
  int32_t l2BacklogPart = 0;
  int64_t hbmMBps = 0, hbmWriteMBps = 0, l2MBps = 0; // shared by all cores; hbmMBps is of reads
  int64_t l2WriteMBps = 0;                           // of stores; 0: loads and stores share l2MBps
  MovePath gmToUb, ubToGm, gmToL1, l1ToGm, l0cToGm, l0cToL1, l0cToUb, ubToL1, l1ToL0a, l1ToL0b;
  int32_t hbmMissLatency = 0;   // more cycles for a load that misses L2
  int32_t storeMissLatency = 0; // more cycles for a store to lines that are not in L2
  // The shortest ND to NZ move: a latency, and time by its bytes (hundredths of bytes per cycle; 0: none).
  int32_t nd2nzLatency = 0, nd2nzBytesPerCycle = 0;
  int32_t l0cToGmLeast = 0; // the shortest move from L0C to GM
  // What one core keeps in flight. A move that misses runs at its path's rate for the first outstandingWindow bytes,
  // then at the rate one core sustains from (to) HBM (hundredths of bytes per cycle). windowLatency: how much of its
  // path's latency a move pays again for each further window, in percent.
  int32_t outstandingWindow = 0, oneCoreMissBytesPerCycle = 0, oneCoreWriteBytesPerCycle = 0, windowLatency = 0;
  int32_t moveIssue = 0; // between two moves of a pipe
  // A pipe begins another move while no more than moveOverlap bytes would be in flight, and no more than movesInFlight
  // moves; else when what is in flight has arrived.
  int32_t moveOverlap = 0, movesInFlight = 0;
  // Bytes of a store that L2 takes at once; the others wait their turn behind what waits for HBM.
  int32_t storeBuffer = 0;
  // HBM reaches its rate only with many requests in flight: half of it with this many bytes; 0: always.
  int64_t hbmSpread = 0;
  // A piece of GM that begins or ends inside a unit of alignBytes, and so touches one unit more than it fills, makes
  // memory move alignCost bytes more; alignBytes 0: nothing.
  int32_t alignBytes = 0, alignCost = 0;
  // Reads past L2 of what another core read at the same time cost so much more of HBM, in percent, and less the longer
  // ago that was; nothing after sharedReadTime cycles.
  int32_t sharedReadUb = 0, sharedReadL1 = 0, sharedReadTime = 0;
  // Per piece of GM that an instruction has, by ordinary and ND to NZ moves (hundredths). The latter is that of pieces
  // in L2; from HBM it grows as the round trip does. A piece of theirs takes no less than burstRowNz and its bytes.
  // burstTouching: of that, in percent, where pieces touch.
  int32_t burstCost = 0, burstCostNz = 0, burstRowNz = 0, burstTouching = 0;
  std::array<VectorCost, isa::numCostClass> vector = {};
  std::array<VectorCost, isa::numOpcodes> instruction = {}; // of those that have figures of their own
  int32_t vectorBackToBack = 0; // shortest distance of two vector instructions; 0: no overlap at all
  // Banks of UB (Time/BankCost.h). Groups of them, 32 bytes wide each, with a bank for each bankBytes; 0: two banks
  // alternate every bankBytes, and what else meets is inside the measured costs. A result is written bankWriteDelay
  // cycles after its operands were read; 0: reads and writes never meet. bankMerge: equal rows are read once.
  int32_t bankGroups = 0, bankBytes = 0, bankWriteDelay = 0, bankMerge = 0;
  // Vector functions (Support/VfClock.h has what the numbers mean). A call, a loop over columns, loads and stores.
  int32_t vfStart = 0, vfRow = 0, vfMemory = 0;
  int32_t vfPorts = 0, vfLoadPorts = 0, vfStorePorts = 0;
  int32_t vfLoad = 0, vfStore = 0;                    // share of the way to UB (hundredths)
  int32_t vfIssue = 0, vfWindow = 0, vfRegisters = 0; // 0: no limit
  int32_t vfForward = 0, vfNarrowSpecial = 0;         // the latter in percent
  std::array<VfCost, isa::numCostClass> vfCost = {};
  // Functions of threads (Core/SimtTime.h): a start, a line that is in the cache and one that is not, lines that may be
  // under way at once, schedulers of warps; bytes of the cache and of a line.
  int32_t simtStart = 0, simtHit = 0, simtMiss = 0, simtOutstanding = 0, simtSchedulers = 0;
  int32_t simtCacheBytes = 0, simtLineBytes = 0;
  int32_t cubeMacF16 = 0, cubeMacF32 = 0, cubeMacI8 = 0, cubeMacF4 = 0; // multiply-accumulates per cycle
  int32_t cubeHead = 0, cubeTail = 0; // of an mmad: between two of them, and until its result is there
  int32_t mte1Derating = 100;         // percent of bytes/bandwidth, of moves that follow each other
  int32_t imageDerating = 100;        // percent of that, of loads that gather an image
  int32_t queueDepth = 0, scalarIssue = 0, scalarAccess = 0, barrier = 0, flagLatency = 0;
  int32_t launchNsOneCore = 0, launchNsAllCores = 0; // until the first, and until the last core of all runs
  // What the host pays and gets: a launch, a copy, and the rate of the link. 0: it costs nothing. No launch's own time
  // depends on them.
  int32_t hostLaunchNs = 0, hostCopyNs = 0, hostMBps = 0;
  int32_t boundPercent = 0;             // what is busy so much of a kernel's time bounds it; else latency does
  uint64_t digest = 0xcbf29ce484222325; // of everything its files say

  int64_t capacityOf(isa::Memory memory) const { return capacity[unsigned(memory)]; }
  // What of it the compiler and the queries of a kernel's host leave to tiles.
  int64_t usableOf(isa::Memory memory) const {
    return capacityOf(memory) - (memory == isa::Memory::UB ? ubReserved : 0);
  }
  // The most that is reached of a rate of HBM when this many cores have a window in flight each way.
  int64_t hbmReached(int64_t rate, int64_t cores) const {
    int64_t inFlight = 2 * cores * outstandingWindow;
    return inFlight > 0 ? rate * inFlight / (inFlight + hbmSpread) : rate;
  }
  const VectorCost &costOf(isa::Opcode op) const {
    const VectorCost &own = instruction[unsigned(op)];
    return own.perRepeatF32 ? own : vector[unsigned(isa::getInstruction(op).cost)];
  }
  // How many blocks of such a kernel run at once: as many as the chip has cores for.
  int32_t blocksAtOnce(isa::BlockCores cores) const { return cores.aic ? cubeCores : vectorCores; }
  int32_t blocksAtOnce(isa::KernelType type) const { return blocksAtOnce(isa::coresOf(type)); }
};

// All platforms we know in the order of their names, and the one of this name ("Ascend910B1", "Ascend910B4-1" ...), or
// null. They live as long as the process; a name means the file that was read last.
std::vector<std::string> platformNames();
std::vector<const Platform *> allPlatforms();
const Platform *findPlatform(std::string_view name);

// Reads a platform file, or all *.platform files of a folder. Returns what is wrong with them, and adds none then.
// Files of TILESMITH_PLATFORM_PATH (separated by ':') are read before any platform is found; what was wrong with those
// is in platformProblems.
std::string addPlatforms(const std::string &path);
const std::string &platformProblems();

// One line of a platform's file: what it says and where the number comes from.
struct PlatformFact {
  std::string_view name, value, source;
};
// The lines of the platform's own file. Those of its base hold for everything not named here.
std::span<const PlatformFact> factsOf(const Platform &platform);
// The platform this one is derived from, or null.
const Platform *baseOf(const Platform &platform);

} // namespace tilesmith::machine

#endif // TILESMITH_MACHINE_PLATFORM_H
