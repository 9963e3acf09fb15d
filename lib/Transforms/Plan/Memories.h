// Start addresses the memories ask for.
#ifndef TILESMITH_LIB_TRANSFORMS_PLAN_MEMORIES_H
#define TILESMITH_LIB_TRANSFORMS_PLAN_MEMORIES_H

#include "tilesmith/Isa/Isa.h"

namespace tilesmith::plan {

constexpr int64_t alignUp(int64_t bytes, int64_t alignment) { return (bytes + alignment - 1) / alignment * alignment; }

// Whole fractals in L0, so that no instruction's block is torn.
constexpr int64_t alignmentOf(isa::Memory memory) {
  switch (memory) {
  case isa::Memory::L0A:
  case isa::Memory::L0B:
    return 512;
  case isa::Memory::L0C:
    return 1024;
  case isa::Memory::BT:
  case isa::Memory::FB:
    return 64;
  default:
    return 32;
  }
}

} // namespace tilesmith::plan

#endif // TILESMITH_LIB_TRANSFORMS_PLAN_MEMORIES_H
