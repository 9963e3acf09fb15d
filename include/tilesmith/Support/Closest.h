// "Did you mean": the known name that a misspelt one is closest to.
//
// A letter added, left out or replaced, two neighbours swapped, cost one each; case costs nothing. Names that have
// little in common are not close: a wrong suggestion is worse than none.
#ifndef TILESMITH_SUPPORT_CLOSEST_H
#define TILESMITH_SUPPORT_CLOSEST_H

#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>
#include <vector>

namespace tilesmith {

inline size_t spellingDistance(std::string_view a, std::string_view b) {
  auto same = [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); };
  std::vector<size_t> beforeLast(b.size() + 1), last(b.size() + 1), now(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j)
    last[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    now[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      now[j] = std::min({last[j] + 1, now[j - 1] + 1, last[j - 1] + !same(a[i - 1], b[j - 1])});
      if (i > 1 && j > 1 && same(a[i - 1], b[j - 2]) && same(a[i - 2], b[j - 1]))
        now[j] = std::min(now[j], beforeLast[j - 2] + 1);
    }
    beforeLast.swap(last);
    last.swap(now);
  }
  return last[b.size()];
}

// Collects candidates; holds the closest one, the first of equals.
class Closest {
public:
  // Of a name of two letters only the case may differ: nearly every other is one letter away.
  explicit Closest(std::string_view wanted)
      : wanted(wanted), best(wanted.size() < 3 ? 1 : 1 + std::max<size_t>(1, wanted.size() / 4)) {}
  void add(std::string_view name) {
    size_t longer = std::max(name.size(), wanted.size()), shorter = std::min(name.size(), wanted.size());
    if (name == wanted || longer - shorter >= best)
      return;
    if (size_t distance = spellingDistance(wanted, name); distance < best) {
      best = distance;
      found = name;
    }
  }
  // Empty: none is close.
  const std::string &name() const { return found; }
  // "did you mean 'load'?", or nothing.
  std::string question(std::string_view before = "") const {
    return found.empty() ? "" : "did you mean " + std::string(before) + found + "?";
  }

private:
  std::string_view wanted;
  size_t best; // only what is closer counts
  std::string found;
};

} // namespace tilesmith

#endif // TILESMITH_SUPPORT_CLOSEST_H
