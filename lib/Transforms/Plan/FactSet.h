// Sets of facts "so far complete", as bits. A fact nobody has spoiled yet holds: sets start full.
#ifndef TILESMITH_LIB_TRANSFORMS_PLAN_FACTSET_H
#define TILESMITH_LIB_TRANSFORMS_PLAN_FACTSET_H

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include <algorithm>
#include <cstdint>

namespace tilesmith::plan {

// Facts that share a word of a set.
struct FactWord {
  unsigned word;
  uint64_t bits;
};

// A set whose words live elsewhere: in a FactSet, or side by side with other sets in a state.
class FactView {
public:
  FactView(uint64_t *words, unsigned count) : words(words), count(count) {}

  bool test(unsigned i) const { return words[i / 64] >> (i % 64) & 1; }
  bool test(llvm::ArrayRef<FactWord> facts) const {
    return llvm::all_of(facts, [&](const FactWord &fact) { return (words[fact.word] & fact.bits) == fact.bits; });
  }
  void set(unsigned i) const { words[i / 64] |= uint64_t(1) << (i % 64); }
  void reset(unsigned i) const { words[i / 64] &= ~(uint64_t(1) << (i % 64)); }
  void assign(unsigned i, bool value) const { value ? set(i) : reset(i); }
  void spoil(llvm::ArrayRef<FactWord> facts) const {
    for (const FactWord &fact : facts)
      words[fact.word] &= ~fact.bits;
  }

  // Words that hold some facts, to be put back later.
  llvm::SmallVector<uint64_t, 2> read(llvm::ArrayRef<FactWord> facts) const {
    return llvm::map_to_vector<2>(facts, [&](const FactWord &fact) { return words[fact.word]; });
  }
  void write(llvm::ArrayRef<FactWord> facts, llvm::ArrayRef<uint64_t> values) const {
    for (auto [fact, value] : llvm::zip_equal(facts, values))
      words[fact.word] = value;
  }

  void copy(FactView other) const { std::copy_n(other.words, count, words); }
  void join(FactView other) const {
    for (unsigned i = 0; i < count; ++i)
      words[i] |= other.words[i];
  }
  // Joins only what is also in `mask`.
  void join(FactView other, FactView mask) const {
    for (unsigned i = 0; i < count; ++i)
      words[i] |= other.words[i] & mask.words[i];
  }
  void remove(FactView other) const {
    for (unsigned i = 0; i < count; ++i)
      words[i] &= ~other.words[i];
  }
  void add(llvm::ArrayRef<FactWord> facts) const {
    for (const FactWord &fact : facts)
      words[fact.word] |= fact.bits;
  }
  // Among the facts in `first` and `rest`, each takes the value of the one before it; a first one, of the last of its
  // group of `length`.
  void rotate(FactView first, FactView rest, unsigned length) const {
    unsigned back = length - 1;
    uint64_t before = 0;
    for (unsigned i = 0; i < count; ++i) {
      auto ahead = [&](unsigned by) { return i + by < count ? words[i + by] : 0; };
      uint64_t word = words[i], last = ahead(back / 64) >> (back % 64);
      if (back % 64)
        last |= ahead(back / 64 + 1) << (64 - back % 64);
      words[i] = (word & ~(first.words[i] | rest.words[i])) | ((word << 1 | before >> 63) & rest.words[i]) |
                 (last & first.words[i]);
      before = word;
    }
  }

private:
  uint64_t *words;
  unsigned count;
};

class FactSet {
public:
  FactSet() = default;
  FactSet(unsigned size, bool value) : words((size + 63) / 64, value ? ~uint64_t(0) : 0) {}

  operator FactView() { return view(); }
  FactView view() { return {words.data(), unsigned(words.size())}; }

private:
  llvm::SmallVector<uint64_t, 16> words;
};

} // namespace tilesmith::plan

#endif // TILESMITH_LIB_TRANSFORMS_PLAN_FACTSET_H
