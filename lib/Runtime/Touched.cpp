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

// Which bytes of global memory the bytes of UB were computed from, for tables that gathers look up in. What writes to
// UB without reading anything ends that.
class SourcesInUb {
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
      if (effect.access == machine::Access::Read && effect.memory == isa::Memory::GM)
        for (int64_t run = 0; run < effect.count; ++run)
          from.push_back({effect.start + run * effect.stride, effect.start + run * effect.stride + effect.length});
      else if (effect.access == machine::Access::Read && effect.memory == isa::Memory::UB)
        eachIn(effect.start, effect.end(),
               [&](auto at) { from.insert(from.end(), at->second.second.begin(), at->second.second.end()); });
    simplify(from);
    for (const machine::Effect &effect : effects)
      if (effect.memory == isa::Memory::UB && effect.access == machine::Access::Write)
        write(effect.start, effect.end(), from);
  }

private:
  using Spans = std::vector<std::pair<int64_t, int64_t>>;
  static constexpr size_t mostSpans = 64;
  static constexpr int64_t near = 4096; // sources this close are one when there are too many

  static void simplify(Spans &spans) {
    std::sort(spans.begin(), spans.end());
    for (int64_t gap = 0;; gap = gap ? 2 * gap : near) {
      size_t kept = 0;
      for (auto [begin, end] : spans)
        if (kept && begin - spans[kept - 1].second <= gap)
          spans[kept - 1].second = std::max(spans[kept - 1].second, end);
        else
          spans[kept++] = {begin, end};
      spans.resize(kept);
      if (kept <= mostSpans)
        return;
    }
  }
  void write(int64_t begin, int64_t end, const Spans &from) {
    std::vector<std::pair<int64_t, std::pair<int64_t, Spans>>> rest; // of what is only written in part
    std::vector<int64_t> over;
    eachIn(begin, end, [&](auto at) {
      over.push_back(at->first);
      if (at->first < begin)
        rest.push_back({at->first, {begin, at->second.second}});
      if (at->second.first > end)
        rest.push_back({end, at->second});
    });
    for (int64_t place : over)
      known.erase(place);
    for (auto &[place, part] : rest)
      known[place] = std::move(part);
    if (!from.empty())
      known[begin] = {end, from};
  }
  template <typename Tell> void eachIn(int64_t begin, int64_t end, Tell tell) {
    auto at = known.lower_bound(begin);
    if (at != known.begin() && std::prev(at)->second.first > begin)
      --at;
    for (; at != known.end() && at->first < end; ++at)
      tell(at);
  }
  std::map<int64_t, std::pair<int64_t, Spans>> known; // disjoint, by their beginning: end, and what they come from
};

bool gathers(const machine::BlockTrace &trace) {
  return std::any_of(trace.calls.begin(), trace.calls.end(), [](const machine::Instr &instr) {
    return instr.op == isa::Opcode::Gather || instr.op == isa::Opcode::Gatherb;
  });
}

} // namespace

constexpr int64_t piece = 32; // bytes of global memory that may be looked up on their own

Touched touchedBy(std::span<const machine::BlockTrace> traces, isa::Arch arch,
                  std::span<const machine::GlobalRange> ranges) {
  Bytes reads, writes, tables;
  std::vector<machine::Effect> effects;
  for (const machine::BlockTrace &trace : traces) {
    SourcesInUb sources;
    bool mayLookUp = gathers(trace);
    for (const machine::Instr &instr : trace.calls) {
      effects.clear();
      machine::effectsOf(instr, arch, effects);
      if (mayLookUp)
        sources.see(instr, effects, tables);
      for (const machine::Effect &effect : effects)
        if (effect.memory == isa::Memory::GM)
          for (int64_t run = 0; run < effect.count; ++run) {
            int64_t begin = effect.start + run * effect.stride;
            (effect.access == machine::Access::Write ? writes : reads).add(begin, begin + effect.length);
            if (effect.access == machine::Access::Read && effect.length <= piece)
              tables.add(begin, begin + effect.length); // one by one, as numbers may say
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
