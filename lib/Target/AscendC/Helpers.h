// Functions the emitted source brings along, each only where it is used: scalar operations of the IR that no C++
// operator has the meaning of.
#ifndef TILESMITH_LIB_TARGET_ASCENDC_HELPERS_H
#define TILESMITH_LIB_TARGET_ASCENDC_HELPERS_H

#include "Text.h"
#include "llvm/ADT/ArrayRef.h"
#include <map>

namespace tilesmith::ascendc {

class Helpers {
public:
  // A call of the helper for integers of a width, or for floats (width 0): "Min64(a, b)". Notes that it is used.
  std::string call(llvm::StringRef name, unsigned width, llvm::ArrayRef<std::string> arguments);
  // The number as a field of a parameter struct, where it may not fit: "Field<uint16_t>(a)".
  std::string field(llvm::StringRef type, llvm::StringRef value);
  // The constant that says that a result goes to UB, row by row.
  std::string rowsToUb();
  // Takes the names of all helpers, used or not.
  static void reserve(Names &names);
  // The definitions of what was used, in a fixed order.
  std::string definitions() const;
  bool empty() const { return used.empty(); }

private:
  std::map<std::string, std::string> used; // name to definition
};

} // namespace tilesmith::ascendc

#endif // TILESMITH_LIB_TARGET_ASCENDC_HELPERS_H
