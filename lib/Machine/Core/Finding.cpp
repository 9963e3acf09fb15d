#include "tilesmith/Machine/Finding.h"
#include <utility>

namespace tilesmith::machine {

std::span<const FindingInfo> findingTable() {
  static constexpr FindingInfo table[] = {
#define TILESMITH_FINDING(name, id, severity, what, why, unreached) {id, Severity::severity, what, why, unreached},
#include "tilesmith/Machine/Findings.def"
  };
  return table;
}

FindingId::FindingId(FindingKind kind) : kind(kind), text(info().id) {}

// The row's word in capitals becomes the member's name.
FindingId::FindingId(FindingKind kind, std::string_view member) : kind(kind) {
  for (std::string_view id = info().id; char c : id) {
    bool isPlace = c >= 'A' && c <= 'Z';
    if (!isPlace)
      text += c;
    for (char m : isPlace ? std::exchange(member, {}) : std::string_view())
      text += m >= 'A' && m <= 'Z' ? char(m - 'A' + 'a') : m;
  }
}

FindingId FindingId::bounds(isa::Memory memory, isa::Access access) {
  bool write = access == isa::Access::Write;
  if (memory == isa::Memory::GM)
    return write ? FindingKind::BoundsGmWrite : FindingKind::BoundsGmRead;
  return {write ? FindingKind::BoundsWrite : FindingKind::BoundsRead, isa::stringify(memory)};
}
FindingId FindingId::alignment(isa::Memory memory) { return {FindingKind::Align, isa::stringify(memory)}; }
FindingId FindingId::operand(isa::Opcode op) { return {FindingKind::Operand, isa::getInstruction(op).mnemonic}; }
FindingId FindingId::uninitialised(isa::Memory memory) { return {FindingKind::Init, isa::stringify(memory)}; }

} // namespace tilesmith::machine
