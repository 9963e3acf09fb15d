// Who touched which bytes last: the interval map of the order checker.
//
// Each cell is a run of bytes with one history: its last write, and the last read of each pipe since then. Cells never
// overlap; bytes no cell covers were never touched. Walking a range costs a search and the cells it meets.
#ifndef TILESMITH_LIB_MACHINE_ORDER_ORDERMAP_H
#define TILESMITH_LIB_MACHINE_ORDER_ORDERMAP_H

#include "tilesmith/Isa/Isa.h"
#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <map>

namespace tilesmith::machine {

inline constexpr unsigned numOrderedPipes = unsigned(isa::Pipe::ALL); // S, V, M, MTE1, MTE2, MTE3, FIX

// The n-th access of a pipe; 0: none.
struct Epoch {
  uint32_t index = 0, loc = 0;
};

struct Cell {
  int64_t end = 0;
  Epoch write;
  uint8_t writer = 0; // its pipe
  uint8_t kind = 0;   // of the write: what may follow it without a barrier, see Order.cpp
  std::array<Epoch, numOrderedPipes> reads = {};
};

class AccessMap {
public:
  // Visits [begin, end) before it is read by the pipe: visit(cell, low, high) for the pieces, with a null cell where
  // nothing was ever written or read; then records the read.
  template <typename Visit> void read(int64_t begin, int64_t end, unsigned pipe, Epoch epoch, Visit visit) {
    int64_t at = begin;
    for (auto it = find(begin); at < end;) {
      if (it == cells.end() || it->first >= end) {
        visit(static_cast<const Cell *>(nullptr), at, end);
        add(it, at, end).reads[pipe] = epoch;
        return;
      }
      if (it->first > at) {
        visit(static_cast<const Cell *>(nullptr), at, it->first);
        add(it, at, it->first).reads[pipe] = epoch;
        at = it->first;
        continue;
      }
      if (it->second.end > end)
        split(it, end);
      visit(&it->second, at, it->second.end);
      it->second.reads[pipe] = epoch;
      at = it->second.end;
      ++it;
    }
  }

  // Visits the cells that [begin, end) overlaps, and makes it one cell with this write and no reads.
  template <typename Visit>
  void write(int64_t begin, int64_t end, unsigned pipe, Epoch epoch, uint8_t kind, Visit visit) {
    auto it = find(begin);
    auto first = it;
    bool exact = it != cells.end() && it->first == begin;
    while (it != cells.end() && it->first < end) {
      if (it->second.end > end)
        split(it, end);
      visit(&it->second, it->first, it->second.end);
      ++it;
    }
    Cell cell;
    cell.end = end;
    cell.write = epoch;
    cell.writer = uint8_t(pipe);
    cell.kind = kind;
    if (exact) { // the usual case: a buffer written again
      first->second = cell;
      cells.erase(std::next(first), it);
    } else {
      it = cells.erase(first, it);
      cells.emplace_hint(it, begin, cell);
    }
  }

private:
  using Cells = std::map<int64_t, Cell>;

  // The first cell at or after `begin`; one that straddles it is cut in two.
  Cells::iterator find(int64_t begin) {
    auto it = cells.lower_bound(begin);
    if (it != cells.begin() && (it == cells.end() || it->first != begin)) {
      auto before = std::prev(it);
      if (before->second.end > begin) {
        split(before, begin);
        return std::next(before);
      }
    }
    return it;
  }
  void split(Cells::iterator it, int64_t where) {
    Cell rest = it->second;
    it->second.end = where;
    cells.emplace_hint(std::next(it), where, rest);
  }
  Cell &add(Cells::iterator before, int64_t begin, int64_t end) {
    Cell cell;
    cell.end = end;
    return cells.emplace_hint(before, begin, cell)->second;
  }

  Cells cells;
};

// A set of bytes.
class ByteSet {
public:
  bool empty() const { return runs.empty(); }

  void add(int64_t begin, int64_t end) {
    auto it = runs.upper_bound(begin);
    if (it != runs.begin() && std::prev(it)->second >= begin) {
      --it;
      begin = it->first;
      end = std::max(end, it->second);
      it = runs.erase(it);
    }
    while (it != runs.end() && it->first <= end) {
      end = std::max(end, it->second);
      it = runs.erase(it);
    }
    runs.emplace(begin, end);
  }
  bool overlaps(int64_t begin, int64_t end) const {
    auto it = runs.lower_bound(end);
    return it != runs.begin() && std::prev(it)->second > begin;
  }
  // Visits the pieces of [begin, end) that are not in it.
  template <typename Visit> void eachMissing(int64_t begin, int64_t end, Visit visit) const {
    auto it = runs.upper_bound(begin);
    if (it != runs.begin())
      begin = std::max(begin, std::prev(it)->second);
    for (; begin < end && it != runs.end() && it->first < end; ++it) {
      if (begin < it->first)
        visit(begin, it->first);
      begin = std::max(begin, it->second);
    }
    if (begin < end)
      visit(begin, end);
  }

private:
  std::map<int64_t, int64_t> runs; // begin to end; apart from each other
};

} // namespace tilesmith::machine

#endif // TILESMITH_LIB_MACHINE_ORDER_ORDERMAP_H
