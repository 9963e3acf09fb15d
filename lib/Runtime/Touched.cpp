#include "Touched.h"
#include "tilesmith/Isa/Operands.h"
#include "tilesmith/Machine/Effects.h"
#include <algorithm>
#include <map>

namespace tilesmith::runtime {
namespace {

// Device addresses, collected in any order. What lies together is joined before there is too much of it.
class Bytes {
public:
  void add(int64_t begin, int64_t end) {
    if (!spans.empty() && spans.back().second == begin) {
      spans.back().second = end;
      return;
    }
    if (spans.size() >= limit) {
      join();
      limit = std::max(limit, 2 * spans.size());
    }
    spans.push_back({begin, end});
  }

  // As host addresses.
  std::vector<Touched::Span> inHost(std::span<const machine::GlobalRange> ranges) {
    join();
    std::vector<Touched::Span> result;
    for (const machine::GlobalRange &range : ranges)
      for (auto at = std::lower_bound(spans.begin(), spans.end(), range.device,
                                      [](const auto &span, int64_t device) { return span.second <= device; });
           at != spans.end() && at->first < range.device + range.size; ++at)
        result.push_back({range.host + (std::max(at->first, range.device) - range.device),
                          range.host + (std::min(at->second, range.device + range.size) - range.device)});
    std::sort(result.begin(), result.end(), [](const auto &a, const auto &b) { return a.begin < b.begin; });
    return result;
  }

private:
  void join() {
    std::sort(spans.begin(), spans.end());
    size_t kept = 0;
    for (auto [begin, end] : spans)
      if (kept && begin <= spans[kept - 1].second)
        spans[kept - 1].second = std::max(spans[kept - 1].second, end);
      else
        spans[kept++] = {begin, end};
    spans.resize(kept);
  }

  std::vector<std::pair<int64_t, int64_t>> spans;
  size_t limit = 1 << 16;
};

// Which bytes of UB are a copy of global memory. What else writes there ends that.
class CopiesInUb {
public:
  void see(const machine::Instr &instr, std::span<const machine::Effect> effects, Bytes &tables) {
    if (instr.op == isa::Opcode::Gather || instr.op == isa::Opcode::Gatherb) {
      isa::Address table = instr.op == isa::Opcode::Gather ? isa::Gather(instr).src() : isa::Gatherb(instr).src();
      for (const machine::Effect &effect : effects)
        if (effect.access == machine::Access::Read && effect.memory == isa::Memory::UB &&
            effect.start == table.offset())
          eachIn(effect.start, effect.end(), [&](auto at) {
            for (auto [begin, end] : at->second.second)
              tables.add(begin, end);
          });
    }
    Spans from;
    for (const machine::Effect &effect : effects)
      if (effect.memory == isa::Memory::GM && effect.access == machine::Access::Read)
        for (int64_t run = 0; run < effect.count; ++run)
          from.push_back({effect.start + run * effect.stride, effect.start + run * effect.stride + effect.length});
    for (const machine::Effect &effect : effects)
      if (effect.memory == isa::Memory::UB && effect.access == machine::Access::Write) {
        std::vector<int64_t> over;
        eachIn(effect.start, effect.end(), [&](auto at) { over.push_back(at->first); });
        for (int64_t begin : over)
          copies.erase(begin);
        if (!from.empty())
          copies[effect.start] = {effect.end(), from};
      }
  }

private:
  using Spans = std::vector<std::pair<int64_t, int64_t>>;
  template <typename Tell> void eachIn(int64_t begin, int64_t end, Tell tell) {
    for (auto at = copies.begin(); at != copies.end() && at->first < end; ++at)
      if (at->second.first > begin)
        tell(at);
  }
  std::map<int64_t, std::pair<int64_t, Spans>> copies; // by their beginning: end, and where they come from
};

bool gathers(const machine::BlockTrace &trace) {
  return std::any_of(trace.calls.begin(), trace.calls.end(), [](const machine::Instr &instr) {
    return instr.op == isa::Opcode::Gather || instr.op == isa::Opcode::Gatherb;
  });
}

} // namespace

Touched touchedBy(std::span<const machine::BlockTrace> traces, isa::Arch arch,
                  std::span<const machine::GlobalRange> ranges) {
  Bytes reads, writes, tables;
  std::vector<machine::Effect> effects;
  for (const machine::BlockTrace &trace : traces) {
    CopiesInUb copies;
    bool mayLookUp = gathers(trace);
    for (const machine::Instr &instr : trace.calls) {
      effects.clear();
      machine::effectsOf(instr, arch, effects);
      if (mayLookUp)
        copies.see(instr, effects, tables);
      for (const machine::Effect &effect : effects)
        if (effect.memory == isa::Memory::GM)
          for (int64_t run = 0; run < effect.count; ++run) {
            int64_t begin = effect.start + run * effect.stride;
            (effect.access == machine::Access::Write ? writes : reads).add(begin, begin + effect.length);
          }
    }
  }
  Touched result;
  result.reads = reads.inHost(ranges);
  result.writes = writes.inHost(ranges);
  result.tables = tables.inHost(ranges);
  return result;
}

} // namespace tilesmith::runtime
