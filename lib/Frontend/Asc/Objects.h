// Objects of the framework: pipes, queues, buffers, pools, allocators.
#ifndef TILESMITH_LIB_FRONTEND_ASC_OBJECTS_H
#define TILESMITH_LIB_FRONTEND_ASC_OBJECTS_H

#include "Core.h"

namespace tilesmith::frontend::asc {

// What changes when the kernel runs is in cells.
struct ObjectParts : Parts {
  const Kind *kind = nullptr;
  int64_t src = 0, dst = 0;               // positions
  int64_t depth = 0;                      // of a queue
  int64_t number = 0;                     // of a pipe
  unsigned handle = 0;                    // of a queue; the address of a buffer; the head of a pool or allocator
  unsigned bytes = 0, begin = 0, end = 0; // of a buffer; of a pool
  mlir::Value written;                    // its variable, in a kernel that is written
};

inline ObjectParts &objectOf(const Value &value) { return static_cast<ObjectParts &>(*value.parts); }

namespace object {
extern const Kind *const pipe, *const queue, *const bind, *const buffer, *const pool, *const allocator;
}

} // namespace tilesmith::frontend::asc

#endif // TILESMITH_LIB_FRONTEND_ASC_OBJECTS_H
