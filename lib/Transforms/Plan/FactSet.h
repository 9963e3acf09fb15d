// A set of facts "so far complete", as bits. A fact nobody has spoiled yet holds: sets start full.
#ifndef TILESMITH_LIB_TRANSFORMS_PLAN_FACTSET_H
#define TILESMITH_LIB_TRANSFORMS_PLAN_FACTSET_H

#include "llvm/ADT/SmallVector.h"
#include <cstdint>

namespace tilesmith::plan {

class FactSet {
public:
  FactSet() = default;
  FactSet(unsigned size, bool value) : words((size + 63) / 64, value ? ~uint64_t(0) : 0) {}

  bool test(unsigned i) const { return words[i / 64] >> (i % 64) & 1; }
  void set(unsigned i) { words[i / 64] |= uint64_t(1) << (i % 64); }
  void reset(unsigned i) { words[i / 64] &= ~(uint64_t(1) << (i % 64)); }
  void assign(unsigned i, bool value) { value ? set(i) : reset(i); }

  void join(const FactSet &other) {
    for (unsigned i = 0; i < words.size(); ++i)
      words[i] |= other.words[i];
  }
  // Joins only what is also in `mask`.
  void join(const FactSet &other, const FactSet &mask) {
    for (unsigned i = 0; i < words.size(); ++i)
      words[i] |= other.words[i] & mask.words[i];
  }
  bool meet(const FactSet &other) { // whether anything was lost
    uint64_t lost = 0;
    for (unsigned i = 0; i < words.size(); ++i) {
      lost |= words[i] & ~other.words[i];
      words[i] &= other.words[i];
    }
    return lost != 0;
  }
  void remove(const FactSet &other) {
    for (unsigned i = 0; i < words.size(); ++i)
      words[i] &= ~other.words[i];
  }
  bool operator==(const FactSet &other) const { return words == other.words; }

private:
  llvm::SmallVector<uint64_t, 16> words; // states are copied at every branch: not on the heap for kernels of usual size
};

} // namespace tilesmith::plan

#endif // TILESMITH_LIB_TRANSFORMS_PLAN_FACTSET_H
