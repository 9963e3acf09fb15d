#include "tilesmith/Runtime/CallKey.h"

namespace tilesmith::runtime {

void CallKey::finish(const machine::Platform &platform) {
  alone.assign(parameters, false);
  for (const Array &array : arrays) {
    bool isAlone = true;
    for (const Array &other : arrays)
      isAlone &= &other == &array || !array.extent.meets(other.extent);
    alone[array.parameter] = isAlone;
    bytes.push_back(isAlone ? '1' : '0');
  }
  append(&platform);
}

} // namespace tilesmith::runtime
