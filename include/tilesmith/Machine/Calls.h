// The calls of a trace. There may be millions: large ones live in large pages of the host, which come a thousand times
// faster than small ones.
#ifndef TILESMITH_MACHINE_CALLS_H
#define TILESMITH_MACHINE_CALLS_H

#include "tilesmith/Machine/Instr.h"
#include <cstddef>
#include <new>
#include <sys/mman.h>
#include <vector>

namespace tilesmith::machine {

template <typename T> struct LargePages {
  using value_type = T;

  LargePages() = default;
  template <typename U> LargePages(const LargePages<U> &) {}

  T *allocate(size_t count) {
    size_t bytes = count * sizeof(T);
    if (bytes < worthwhile)
      return static_cast<T *>(::operator new(bytes));
    bytes = (bytes + page - 1) / page * page;
    void *memory = ::operator new(bytes, std::align_val_t(page));
    madvise(memory, bytes, MADV_HUGEPAGE); // a wish: without it everything works, slower
    return static_cast<T *>(memory);
  }
  void deallocate(T *memory, size_t count) {
    if (count * sizeof(T) < worthwhile)
      ::operator delete(memory);
    else
      ::operator delete(memory, std::align_val_t(page));
  }
  bool operator==(const LargePages &) const { return true; }

private:
  static constexpr size_t page = size_t(2) << 20, worthwhile = 2 * page;
};

using Calls = std::vector<Instr, LargePages<Instr>>;

} // namespace tilesmith::machine

#endif // TILESMITH_MACHINE_CALLS_H
