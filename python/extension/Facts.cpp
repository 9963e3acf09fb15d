#include "Facts.h"
#include "Arguments.h"
#include "Errors.h"
#include <cstddef>
#include <nanobind/stl/string.h>
#include <string>
#include <vector>

namespace nb = nanobind;

namespace tilesmith::python {
namespace {

using machine::numLanes;
using machine::ticksPerCycle;

template <typename Enum> std::string nameOf(Enum value) { return std::string(isa::stringify(value)); }

bool isMixed(const machine::LaunchResult &result) { return result.type && isa::coresOf(*result.type).mixed(); }

std::string laneName(unsigned lane, bool mixed) {
  std::string pipe = nameOf(machine::pipeOfLane(lane));
  return mixed ? nameOf(machine::kindOfLane(lane)) + " " + pipe : pipe;
}

double cycles(machine::Ticks ticks) { return double(ticks) / double(ticksPerCycle); }

// Outside of mixed kernels both kinds of cores have the same rows; only one of them is used.
nb::dict describeLanes(const machine::LaneTicks &ticks, bool mixed) {
  nb::dict result;
  for (unsigned lane = 0; lane < numLanes; ++lane)
    if (ticks[lane])
      result[laneName(lane, mixed).c_str()] = cycles(ticks[lane]);
  return result;
}

nb::dict describeCritical(const machine::Timing &timing, bool mixed) {
  nb::dict result;
  if (timing.cores.empty())
    return result;
  const machine::CoreUse &core = timing.cores[timing.critical];
  result["core"] = timing.critical;
  result["block"] = timing.criticalBlock;
  result["start"] = cycles(core.start);
  result["end"] = cycles(core.end);
  nb::list together;
  for (auto [lanes, ticks] : core.together) {
    nb::list names;
    for (unsigned lane = 0; lane < numLanes; ++lane)
      if (lanes >> lane & 1)
        names.append(laneName(lane, mixed));
    together.append(nb::make_tuple(names, cycles(ticks)));
  }
  result["together"] = together;
  return result;
}

nb::list describeLines(const machine::Timing &timing, const host::Metadata &metadata, bool mixed) {
  nb::list lines;
  for (const machine::LineUse &use : timing.lines) {
    nb::dict line = describePlace(use.loc, metadata);
    machine::Ticks sum = 0;
    for (machine::Ticks ticks : use.busy)
      sum += ticks;
    line["cycles"] = cycles(sum);
    line["pipes"] = describeLanes(use.busy, mixed);
    if (use.moves) {
      line["moves"] = use.moves;
      line["bytes"] = use.bytes;
      line["pieces"] = use.pieces;
    }
    if (use.conflicts)
      line["conflicts"] = cycles(use.conflicts);
    if (use.first >= 0)
      line["span"] = nb::make_tuple(cycles(use.first), cycles(use.last));
    nb::list waits;
    for (const machine::LineUse::Wait &wait : use.waits)
      waits.append(nb::make_tuple(laneName(wait.lane, mixed), laneName(wait.on, mixed), cycles(wait.time)));
    line["waits"] = waits;
    lines.append(line);
  }
  return lines;
}

nb::list describeCores(const machine::Timing &timing, bool mixed) {
  nb::list cores;
  for (const machine::CoreUse &use : timing.cores) {
    nb::dict core;
    core["start"] = cycles(use.start);
    core["end"] = cycles(use.end);
    core["blocks"] = use.blocks;
    core["busy"] = describeLanes(use.busy, mixed);
    cores.append(core);
  }
  return cores;
}

template <typename Entry> nb::bytes bytesOf(const std::vector<Entry> &entries) {
  return nb::bytes(entries.data(), entries.size() * sizeof(Entry));
}

// As asc.runtime.timeline reads them.
using machine::AccessEntry;
using machine::FlagEntry;
using machine::TimelineEntry;
static_assert(sizeof(TimelineEntry) == 48 && offsetof(TimelineEntry, block) == 16 &&
              offsetof(TimelineEntry, op) == 36 && sizeof(isa::Opcode) == 2 && offsetof(TimelineEntry, pipe) == 38 &&
              offsetof(TimelineEntry, dtype) == 39 && offsetof(TimelineEntry, array) == 40);
static_assert(sizeof(FlagEntry) == 48 && offsetof(FlagEntry, block) == 24 && offsetof(FlagEntry, from) == 40 &&
              offsetof(FlagEntry, id) == 42 && offsetof(FlagEntry, setCore) == 44);
static_assert(sizeof(AccessEntry) == 16 && offsetof(AccessEntry, memory) == 12 && offsetof(AccessEntry, write) == 13);

} // namespace

void describeTiming(nb::dict &facts, const machine::LaunchResult &result, const host::Metadata &metadata,
                    const machine::Platform &platform) {
  const machine::Timing &timing = result.timing;
  bool mixed = isMixed(result);
  facts["cycles"] = timing.cycles;
  if (timing.atLeast)
    facts["at_least"] = true;
  facts["core_cycles"] = timing.coreCycles;
  facts["clock_mhz"] = platform.clockMHz;
  facts["calls"] = result.calls;
  facts["bound"] = timing.bound;
  facts["hbm_bytes"] = timing.hbmBytes;
  facts["hbm_read"] = timing.hbmRead;
  facts["hbm_written"] = timing.hbmWritten;
  facts["l2_bytes"] = timing.l2Bytes;
  facts["hbm_mbps"] = timing.hbmMBps;
  facts["hbm_write_mbps"] = timing.hbmWriteMBps;
  facts["l2_mbps"] = timing.l2MBps;
  facts["cube_ops"] = timing.cubeOps;
  facts["vector_ops"] = timing.vectorOps;
  nb::dict busy, busyMax;
  for (unsigned kind = 0; kind < (mixed ? isa::numCoreKind : 1); ++kind)
    for (unsigned i = 0; i < isa::numPipe; ++i) {
      std::string name = (mixed ? nameOf(isa::CoreKind(kind)) + " " : "") + nameOf(isa::Pipe(i));
      if (!(mixed ? timing.busyOf[kind][i] : timing.busy[i]))
        continue;
      busy[name.c_str()] = mixed ? timing.busyOf[kind][i] : timing.busy[i];
      busyMax[name.c_str()] = mixed ? timing.busyMaxOf[kind][i] : timing.busyMax[i];
    }
  facts["busy"] = busy;
  facts["busy_max"] = busyMax;
  facts["critical"] = describeCritical(timing, mixed);
  facts["lines"] = describeLines(timing, metadata, mixed);
  facts["cores"] = describeCores(timing, mixed);
  facts["idle_blocks"] = timing.idleBlocks;
  nb::list traffic;
  for (const machine::ArrayTraffic &array : timing.traffic)
    traffic.append(nb::make_tuple(array.read, array.written, array.hbmRead));
  facts["traffic"] = traffic;
}

void describeTimeline(nb::dict &facts, const machine::LaunchResult &result, const host::Metadata &metadata) {
  const machine::Timing &timing = result.timing;
  nb::dict timeline;
  timeline["entries"] = bytesOf(timing.timeline);
  timeline["flags"] = bytesOf(timing.flags);
  timeline["accesses"] = bytesOf(timing.accesses);
  timeline["cores_of_block"] = isMixed(result) ? isa::coresOf(*result.type).count() : 1;
  nb::list places, buffers;
  for (const host::SourceLocation &place : metadata.locations)
    places.append(nb::make_tuple(place.file, place.line, place.column, place.name, place.caller));
  for (const host::Buffer &buffer : metadata.buffers)
    buffers.append(nb::make_tuple(nameOf(buffer.memory), buffer.address, buffer.bytes, buffer.slots, buffer.name,
                                  buffer.shape, buffer.line));
  timeline["places"] = places;
  timeline["buffers"] = buffers;
  facts["timeline"] = timeline;
}

void registerFacts(nb::module_ &module) {
  module.def(
      "isa_names",
      [] {
        nb::list pipes, instructions, dtypes, sizes, memories;
        for (unsigned i = 0; i < isa::numPipe; ++i)
          pipes.append(nameOf(isa::Pipe(i)));
        for (unsigned i = 0; i < isa::numOpcodes; ++i)
          instructions.append(std::string(isa::getInstruction(isa::Opcode(i)).mnemonic));
        for (unsigned i = 0; i < isa::numDType; ++i) {
          dtypes.append(dtypeName(isa::DType(i)));
          sizes.append(isa::sizeOf(isa::DType(i)));
        }
        for (unsigned i = 0; i < isa::numMemory; ++i)
          memories.append(nameOf(isa::Memory(i)));
        nb::dict names;
        names["pipes"] = pipes;
        names["instructions"] = instructions;
        names["dtypes"] = dtypes;
        names["dtype_bytes"] = sizes;
        names["memories"] = memories;
        return names;
      },
      "What the numbers of a timeline stand for: pipes, instructions, dtypes (with dtype_bytes), memories.");
}

} // namespace tilesmith::python
