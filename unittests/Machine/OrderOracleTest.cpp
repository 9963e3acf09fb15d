// The order checker against a slow and plain one: random programs, sets of finished accesses instead of clocks, an
// array of bytes instead of intervals.
#include "TraceBuilder.h"
#include "tilesmith/Machine/Effects.h"
#include <bitset>
#include <gtest/gtest.h>
#include <map>
#include <random>
#include <set>

using namespace tilesmith;
using namespace tilesmith::machine;
using namespace tilesmith::machine::test;

namespace {

constexpr unsigned maxCalls = 128, numPipes = 7;
using Done = std::bitset<maxCalls + 1>; // by location
using Conflict = std::tuple<std::string, uint32_t, uint32_t>;

struct Oracle {
  Arch arch;
  std::set<Conflict> conflicts;
  Done known[numPipes], all[numPipes]; // what a pipe's next call can rely on; all calls of a pipe
  std::map<std::tuple<int64_t, int64_t, int64_t>, Done> flags;
  struct Byte {
    uint32_t writer = 0;
    uint32_t readers[numPipes] = {};
  };
  std::map<std::pair<Memory, int64_t>, Byte> memory;

  void run(const BlockTrace &trace) {
    for (const Instr &instr : trace.calls)
      step(instr, unsigned(pipeOf(instr)));
  }

  void step(const Instr &instr, unsigned pipe) {
    if (pipe == unsigned(Pipe::ALL)) {
      Done everything;
      for (const Done &calls : all)
        everything |= calls;
      for (Done &done : known)
        done = everything;
      return;
    }
    if (pipe)
      known[pipe] |= known[0] & ~all[0];
    auto flag = std::tuple(instr.args[0], instr.args[1], instr.args[2]);
    if (instr.op == Opcode::SetFlag) {
      flags[flag] = known[pipe] | all[pipe];
    } else if (instr.op == Opcode::WaitFlag) {
      known[pipe] |= flags[flag];
    } else if (instr.op == Opcode::PipeBarrier) {
      known[pipe] |= all[pipe];
    } else {
      if (pipe == 0 || (pipe == unsigned(Pipe::V) && arch == Arch::C310))
        known[pipe] |= all[pipe];
      access(instr, pipe);
      all[pipe].set(instr.loc);
    }
  }

  void access(const Instr &instr, unsigned pipe) {
    std::vector<Effect> effects;
    effectsOf(instr, arch, effects);
    auto unordered = [&](uint32_t call) { return call && call != instr.loc && !known[pipe].test(call); };
    for (const Effect &effect : effects)
      for (int64_t run = 0; run < effect.count; ++run)
        for (int64_t i = 0; i < effect.length; ++i) {
          Byte &byte = memory[{effect.memory, effect.start + run * effect.stride + i}];
          if (effect.access == Access::Read) {
            if (unordered(byte.writer))
              conflicts.emplace("order.raw", instr.loc, byte.writer);
            if (!byte.writer && effect.memory != Memory::GM)
              conflicts.emplace("init.ub", instr.loc, 0);
            byte.readers[pipe] = pipe ? instr.loc : 0;
            continue;
          }
          bool disturbs = false;
          for (uint32_t reader : byte.readers)
            if (unordered(reader)) {
              conflicts.emplace("order.war", instr.loc, reader);
              disturbs = true;
            }
          if (!disturbs && unordered(byte.writer))
            conflicts.emplace("order.waw", instr.loc, byte.writer);
          byte = Byte();
          byte.writer = instr.loc;
        }
  }
};

// Sets and waits are paired in program order, so that nothing deadlocks; everything else is as it comes.
TraceBuilder randomProgram(std::mt19937 &random) {
  auto pick = [&](int64_t n) { return int64_t(random() % uint32_t(n)); };
  constexpr std::pair<Pipe, Pipe> events[] = {{Pipe::MTE2, Pipe::V},    {Pipe::V, Pipe::MTE2}, {Pipe::V, Pipe::MTE3},
                                              {Pipe::MTE3, Pipe::V},    {Pipe::V, Pipe::S},    {Pipe::S, Pipe::V},
                                              {Pipe::MTE3, Pipe::MTE2}, {Pipe::MTE2, Pipe::S}};
  TraceBuilder b;
  std::vector<std::tuple<Pipe, Pipe, int64_t>> open;
  for (int i = 0; i < 100; ++i) {
    int64_t at = pick(8) * 32, size = (1 + pick(8)) * 32, other = 512 + pick(8) * 32;
    switch (pick(11)) {
    case 0:
      b.load(at, pick(4) * 32, 32, 1 + pick(4), pick(2) * 32);
      break;
    case 1:
      b.store(pick(8) * 32, pick(2) ? at : other, 32, 1 + pick(4), pick(2) * 32);
      break;
    case 2:
      b.exp(other, at, size / 2);
      break;
    case 3:
      b.add(at, other, at + 32, 16 + pick(32));
      break;
    case 4:
      b.call(Opcode::AbsR, {ub(at), ub(other), 16 + pick(32), 1 + pick(2), 1 + pick(2), 1, 8, 4}, DType::F32);
      break;
    case 5:
      pick(2) ? b.get(ub(at + pick(8) * 4)) : b.put(ub(at + pick(8) * 4));
      break;
    case 6:
      b.fill(at, size / 2);
      break;
    case 7:
      b.barrier(pick(8) == 0 ? Pipe::ALL : pick(2) ? Pipe::V : Pipe::MTE2);
      break;
    case 8:
    case 9: {
      auto [from, to] = events[pick(std::size(events))];
      auto flag = std::tuple(from, to, pick(8));
      if (std::find(open.begin(), open.end(), flag) == open.end()) {
        open.push_back(flag);
        b.set(from, to, std::get<2>(flag));
      }
      break;
    }
    default:
      if (!open.empty()) {
        size_t which = size_t(pick(int64_t(open.size())));
        auto [from, to, id] = open[which];
        open.erase(open.begin() + std::ptrdiff_t(which));
        b.wait(from, to, id);
      }
      break;
    }
  }
  return b;
}

} // namespace

TEST(OrderOracle, AgreesOnRandomPrograms) {
  size_t seen = 0;
  for (uint32_t seed = 0; seed < 200; ++seed)
    for (std::string_view name : {"Ascend910B1", "Ascend950PR_9599"}) {
      std::mt19937 random(seed);
      TraceBuilder program = randomProgram(random);
      Oracle oracle{platform(name).arch, {}, {}, {}, {}, {}};
      oracle.run(program.trace);
      std::vector<Finding> findings;
      checkOrder(program.trace, platform(name), findings);
      std::set<Conflict> ours;
      for (const Finding &finding : findings)
        if (!finding.id.str().starts_with("flag."))
          ours.emplace(finding.id.str(), finding.loc, finding.otherLoc);
      ASSERT_EQ(ours, oracle.conflicts) << "seed " << seed << " on " << name;
      seen += ours.size();
    }
  EXPECT_GT(seen, 1000u); // the programs are worth checking
}
