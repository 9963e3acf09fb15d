// Every call of the instruction table: generated from the records (instructions.inc).
#ifndef TILESMITH_ASCENDC_INSTRUCTIONS_H
#define TILESMITH_ASCENDC_INSTRUCTIONS_H

#include "tilesmith/structs.h"

namespace AscendC {

using GatherRepeatParams = BrcbRepeatParams;

#include "tilesmith/instructions.inc"

} // namespace AscendC

#endif
