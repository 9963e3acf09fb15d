#include "tilesmith/Runtime/Origins.h"
#include <algorithm>
#include <vector>

namespace tilesmith::runtime {

void Origins::splitAt(uintptr_t address) {
  auto after = ranges.upper_bound(address);
  if (after == ranges.begin())
    return;
  auto at = std::prev(after);
  if (at->first == address || at->second.end <= address)
    return;
  ranges[address] = at->second;
  at->second.end = address;
}

void Origins::forget(uintptr_t begin, uintptr_t end) {
  splitAt(begin);
  splitAt(end);
  ranges.erase(ranges.lower_bound(begin), ranges.lower_bound(end));
}

void Origins::assign(uintptr_t begin, uintptr_t end, Origin origin) {
  if (begin >= end)
    return;
  forget(begin, end);
  auto after = ranges.lower_bound(end);
  if (after != ranges.end() && after->first == end && after->second.origin == origin) {
    end = after->second.end;
    after = ranges.erase(after);
  }
  if (after != ranges.begin())
    if (auto before = std::prev(after); before->second.end == begin && before->second.origin == origin) {
      before->second.end = end;
      return;
    }
  ranges.emplace_hint(after, begin, Range{end, origin});
}

void Origins::move(uintptr_t to, uintptr_t from, uintptr_t bytes) {
  std::vector<std::pair<uintptr_t, Range>> moved;
  each(from, from + bytes, [&](uintptr_t begin, uintptr_t end, Origin origin) {
    moved.push_back({begin - from + to, {end - from + to, origin}});
  });
  for (auto &[begin, range] : moved)
    if (range.origin == none)
      forget(begin, range.end);
    else
      assign(begin, range.end, range.origin);
}

void Origins::change(const std::function<Origin(uintptr_t, Origin)> &now) {
  Ranges old;
  old.swap(ranges);
  for (auto &[begin, range] : old)
    assign(begin, range.end, now(begin, range.origin));
}

void Origins::each(uintptr_t begin, uintptr_t end,
                   const std::function<void(uintptr_t, uintptr_t, Origin)> &tell) const {
  auto at = ranges.upper_bound(begin);
  if (at != ranges.begin() && std::prev(at)->second.end > begin)
    --at;
  while (begin < end) {
    if (at == ranges.end() || at->first >= end)
      return tell(begin, end, none);
    if (at->first > begin)
      tell(begin, at->first, none);
    uintptr_t from = std::max(begin, at->first), to = std::min(end, at->second.end);
    tell(from, to, at->second.origin);
    begin = to;
    ++at;
  }
}

} // namespace tilesmith::runtime
