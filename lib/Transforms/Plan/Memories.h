// Where buffers may start.
#ifndef TILESMITH_LIB_TRANSFORMS_PLAN_MEMORIES_H
#define TILESMITH_LIB_TRANSFORMS_PLAN_MEMORIES_H

#include "tilesmith/Isa/Chip.h"

namespace tilesmith::plan {

constexpr int64_t alignUp(int64_t bytes, int64_t alignment) { return (bytes + alignment - 1) / alignment * alignment; }

constexpr int64_t alignmentOf(isa::Memory memory) { return isa::ruleOf(memory).granule; }

} // namespace tilesmith::plan

#endif // TILESMITH_LIB_TRANSFORMS_PLAN_MEMORIES_H
