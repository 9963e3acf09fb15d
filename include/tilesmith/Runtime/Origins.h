// Where the bytes of global memory come from, for who judges the launches of a call.
//
// Every byte has an origin, a number: what it was before the call, or the work of the call that wrote it. Whoever
// writes says so (assign, move); nothing here looks at the bytes themselves. Addresses are those of the host.
#ifndef TILESMITH_RUNTIME_ORIGINS_H
#define TILESMITH_RUNTIME_ORIGINS_H

#include <cstdint>
#include <functional>
#include <map>

namespace tilesmith::runtime {

class Origins {
public:
  using Origin = int64_t;
  static constexpr Origin none = -1; // of bytes nobody has said anything about

  void assign(uintptr_t begin, uintptr_t end, Origin origin);
  // Bytes were copied: their origins, too. The two may overlap.
  void move(uintptr_t to, uintptr_t from, uintptr_t bytes);
  void forget(uintptr_t begin, uintptr_t end);
  // All that are known become what `now` says of them.
  void change(const std::function<Origin(uintptr_t begin, Origin origin)> &now);

  // Ranges of one origin each, in order; they cover what was asked for.
  void each(uintptr_t begin, uintptr_t end,
            const std::function<void(uintptr_t begin, uintptr_t end, Origin origin)> &tell) const;
  size_t size() const { return ranges.size(); }

private:
  struct Range {
    uintptr_t end;
    Origin origin;
  };
  using Ranges = std::map<uintptr_t, Range>;
  void splitAt(uintptr_t address);

  Ranges ranges; // disjoint, by their beginning
};

} // namespace tilesmith::runtime

#endif // TILESMITH_RUNTIME_ORIGINS_H
