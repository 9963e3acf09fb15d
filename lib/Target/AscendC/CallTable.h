// The Ascend C calls of the instruction table, as tokens to print one after another. Generated from the records.
#ifndef TILESMITH_LIB_TARGET_ASCENDC_CALLTABLE_H
#define TILESMITH_LIB_TARGET_ASCENDC_CALLTABLE_H

#include "tilesmith/Isa/Isa.h"
#include <span>
#include <string_view>

namespace tilesmith::ascendc {

struct CallToken {
  enum Kind {
    Text,    // as it stands
    Operand, // an operand of the record
    Member,  // an operand as a member of a parameter struct, of type `text`, on the 950 of type `wideText`
    Type     // the element type of an operand
  };
  Kind kind;
  int operand;
  std::string_view text, wideText;
};

struct InstructionCall {
  isa::Opcode opcode;
  std::span<const CallToken> tokens; // from the template arguments on
};

// Empty: the call is written by hand.
std::span<const CallToken> callOf(isa::Opcode opcode);

// "AscendC::RoundMode::CAST_RINT" for ("RoundMode", 1); empty where Ascend C has no name for it.
std::string_view enumeratorOf(std::string_view enumeration, int64_t value);

} // namespace tilesmith::ascendc

#endif // TILESMITH_LIB_TARGET_ASCENDC_CALLTABLE_H
