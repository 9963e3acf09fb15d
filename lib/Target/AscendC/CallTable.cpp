#include "CallTable.h"

namespace tilesmith::ascendc {

namespace {

struct EnumeratorName {
  std::string_view enumeration;
  int64_t value;
  std::string_view name;
};

#include "tilesmith/Target/AscendC/Calls.inc"

} // namespace

std::span<const CallToken> callOf(isa::Opcode opcode) {
  for (const InstructionCall &call : instructionCalls)
    if (call.opcode == opcode)
      return call.tokens;
  return {};
}

std::string_view enumeratorOf(std::string_view enumeration, int64_t value) {
  for (const EnumeratorName &entry : enumeratorNames)
    if (entry.enumeration == enumeration && entry.value == value)
      return entry.name;
  return {};
}

} // namespace tilesmith::ascendc
