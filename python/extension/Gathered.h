// Contiguous copies of those arrays of a launch that are not contiguous.
//
// What a kernel does to a copy is what it would have done to the array. Where that cannot be, because elements share
// memory that is written, the launch is refused with the names of the arguments.
#ifndef TILESMITH_PYTHON_GATHERED_H
#define TILESMITH_PYTHON_GATHERED_H

#include "Kernel.h"

namespace tilesmith::python {

class Gathered {
public:
  // Finds the arrays to copy. On failure a Python exception is set.
  bool plan(const Binding &binding, const Specialisation &specialisation);

  // Without Python's lock: copies of the elements, and back what the kernel may have written.
  void gather();
  void scatter() const;

  // The memory a parameter's array has in the launch.
  uint8_t *dataOf(const Binding &binding, size_t parameter) const;

private:
  struct Copy {
    const Layout *layout;
    int64_t size;
    bool written;
    std::unique_ptr<uint8_t[]> bytes;
  };
  std::vector<Copy> copies;
  llvm::SmallVector<int, 8> copyOf; // by parameter; negative: none
};

} // namespace tilesmith::python

#endif // TILESMITH_PYTHON_GATHERED_H
