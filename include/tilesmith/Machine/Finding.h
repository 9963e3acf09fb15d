// A finding: something wrong or suspicious the Machine saw a kernel do.
#ifndef TILESMITH_MACHINE_FINDING_H
#define TILESMITH_MACHINE_FINDING_H

#include "tilesmith/Isa/Isa.h"
#include <string>
#include <vector>

namespace tilesmith::machine {

enum class Severity : uint8_t { Error, Warning };

// Findings have stable ids: bounds.*, align.*, operand.* (bad arguments), order.* (hazards), init.*, flag.*,
// deadlock.*, cross.* (between blocks). `loc` and `otherLoc` index the kernel's source locations.
struct Finding {
  std::string id;
  Severity severity = Severity::Error;
  std::string text; // one sentence with the numbers
  int64_t block = 0;
  uint32_t loc = 0;
  uint32_t otherLoc = 0; // the other place involved, 0: none
  int64_t count = 1;     // how often the same finding (id, loc, otherLoc) was seen, over all blocks
  std::string core;      // of a mixed block: "AIC", "AIV 1"
};

} // namespace tilesmith::machine

#endif // TILESMITH_MACHINE_FINDING_H
