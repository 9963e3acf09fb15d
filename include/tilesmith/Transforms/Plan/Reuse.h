// Whether buffers whose lifetimes do not meet may have the same bytes. Sharing makes the writer of the one wait for the
// readers of the other, so it costs time where memory is not short.
#ifndef TILESMITH_TRANSFORMS_PLAN_REUSE_H
#define TILESMITH_TRANSFORMS_PLAN_REUSE_H

#include <cstdint>

namespace tilesmith {

enum class Reuse : uint8_t {
  Never,         // every buffer has its own
  UnderPressure, // if they do not fit otherwise
  Always,        // as few bytes as possible
};

} // namespace tilesmith

#endif // TILESMITH_TRANSFORMS_PLAN_REUSE_H
