#include "CoreAccount.h"
#include <algorithm>

namespace tilesmith::machine {

void CoreAccount::busy(unsigned core, unsigned lane, Ticks begin, Ticks end) {
  OfPipe &pipe = busyTimes[core * lanesPerKind + lane % lanesPerKind];
  pipe.lane = lane;
  if (!pipe.changes.empty() && pipe.changes.back() == begin)
    pipe.changes.back() = end;
  else
    pipe.changes.insert(pipe.changes.end(), {begin, end});
}

void CoreAccount::add(uint32_t lanes, Ticks time) {
  for (auto &[known, sum] : use.together)
    if (known == lanes) {
      sum += time;
      return;
    }
  use.together.emplace_back(lanes, time);
}

namespace {

// Where a pipe next begins or ends to work.
struct Cursor {
  const Ticks *change, *last;
  uint32_t bit;
};

} // namespace

void CoreAccount::endBlock(Ticks begin, Ticks end) {
  if (!use.blocks++)
    use.start = begin;
  use.end = end;
  std::vector<Cursor> cursors;
  for (OfPipe &pipe : busyTimes)
    if (const std::vector<Ticks> &changes = pipe.changes; !changes.empty())
      cursors.push_back({changes.data(), changes.data() + changes.size(), 1u << (&pipe - busyTimes.data())});
  // By the pipes of all cores of the block; those of a kind are one lane afterwards.
  std::vector<Ticks> table(busyTimes.size() <= 8 ? size_t(1) << busyTimes.size() : 0);
  auto lanesOf = [&](uint32_t pipes) {
    uint32_t lanes = 0;
    for (; pipes; pipes &= pipes - 1)
      lanes |= 1u << busyTimes[unsigned(__builtin_ctz(pipes))].lane;
    return lanes;
  };
  uint32_t pipes = 0;
  for (Ticks now = begin; now < end;) {
    Ticks until = end;
    for (Cursor &cursor : cursors) {
      for (; cursor.change != cursor.last && *cursor.change <= now; ++cursor.change)
        pipes ^= cursor.bit;
      if (cursor.change != cursor.last)
        until = std::min(until, *cursor.change);
    }
    if (!table.empty())
      table[pipes] += until - now;
    else
      add(lanesOf(pipes), until - now);
    now = until;
  }
  for (uint32_t set = 0; set < table.size(); ++set)
    if (table[set])
      add(lanesOf(set), table[set]);
  for (OfPipe &pipe : busyTimes)
    pipe.changes.clear();
}

void CoreAccount::conclude() {
  for (auto [lanes, time] : use.together)
    for (; lanes; lanes &= lanes - 1)
      use.busy[unsigned(__builtin_ctz(lanes))] += time;
}

} // namespace tilesmith::machine
