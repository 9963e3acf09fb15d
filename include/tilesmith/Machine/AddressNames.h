// What findings call the bytes they speak of: an argument with its indices, a buffer of the kernel, never a bare
// address where there is a better word.
#ifndef TILESMITH_MACHINE_ADDRESSNAMES_H
#define TILESMITH_MACHINE_ADDRESSNAMES_H

#include "tilesmith/Isa/Isa.h"
#include <optional>
#include <string>
#include <vector>

namespace tilesmith::machine {

// An array in global memory: device addresses [device, device + size).
struct GlobalArray {
  int64_t device = 0, size = 0;
  std::string name;                // "x_ptr", "allocation 2"
  std::optional<isa::DType> dtype; // none: elements are those of the access
  std::vector<int64_t> shape;      // of one dimension or less: a row
  bool gone = false;               // it was freed
};

class AddressNames {
public:
  AddressNames() = default;
  explicit AddressNames(std::vector<GlobalArray> arrays) : arrays(std::move(arrays)) {}

  // Bytes that exist: "x_ptr[1000:1064]", "y_ptr[3, 12] of [4, 16]", "UB [0, 512)".
  std::string bytes(isa::Memory memory, int64_t begin, int64_t end, isa::DType access) const;

  // The same bytes, of the one array the first of them lies in.
  std::string globalBytes(int64_t begin, int64_t end, isa::DType access) const;

  // Why an access of global memory is out of bounds: "of x_ptr[1005], but the array has 1000 elements". `of` is the
  // address of the array that was meant; none: the nearest.
  std::string outOfBounds(int64_t begin, int64_t end, isa::DType access, std::optional<int64_t> of = {}) const;

private:
  const GlobalArray *holding(int64_t device) const;
  const GlobalArray *nearest(int64_t device) const;

  std::vector<GlobalArray> arrays; // in the order of the arguments; they may overlap
};

} // namespace tilesmith::machine

#endif // TILESMITH_MACHINE_ADDRESSNAMES_H
