// A finding: something wrong or suspicious the Machine saw a kernel do.
//
// What findings there are is a table (Findings.def); an id is a row of it, so nothing can report one that is not there.
#ifndef TILESMITH_MACHINE_FINDING_H
#define TILESMITH_MACHINE_FINDING_H

#include "tilesmith/Isa/Isa.h"
#include <ostream>
#include <span>
#include <string>
#include <string_view>

namespace tilesmith::machine {

enum class Severity : uint8_t { Error, Warning };

enum class FindingKind : uint8_t {
#define TILESMITH_FINDING(name, ...) name,
#include "tilesmith/Machine/Findings.def"
};

// A row of the table; `id` may have a word in capitals, which stands for any memory or instruction.
struct FindingInfo {
  std::string_view id;
  Severity severity;
  std::string_view what, why, unreached;
};
std::span<const FindingInfo> findingTable();

// The id of a finding, as people read it.
class FindingId {
public:
  FindingId() = default;
  FindingId(FindingKind kind); // of a row for one finding
  static FindingId bounds(isa::Memory memory, isa::Access access);
  static FindingId alignment(isa::Memory memory);
  static FindingId operand(isa::Opcode op);
  static FindingId uninitialised(isa::Memory memory);

  const FindingInfo &info() const { return findingTable()[size_t(kind)]; }
  FindingKind row() const { return kind; }
  const std::string &str() const { return text; }
  // Of its first word: "bounds", "cross".
  bool isOf(std::string_view group) const { return text.starts_with(group) && text[group.size()] == '.'; }

  friend bool operator==(const FindingId &a, const FindingId &b) { return a.text == b.text; }
  friend bool operator==(const FindingId &id, std::string_view text) { return id.text == text; }
  friend auto operator<=>(const FindingId &a, const FindingId &b) { return a.text <=> b.text; }
  friend std::ostream &operator<<(std::ostream &out, const FindingId &id) { return out << id.text; }

private:
  FindingId(FindingKind kind, std::string_view member);

  FindingKind kind = FindingKind(0);
  std::string text;
};

// `loc` and `otherLoc` index the kernel's source locations.
struct Finding {
  FindingId id;
  std::string text; // one sentence with the numbers
  int64_t block = 0;
  uint32_t loc = 0;
  uint32_t otherLoc = 0; // the other place involved, 0: none
  int64_t count = 1;     // how often the same finding (id, loc, otherLoc) was seen, over all blocks
  std::string core;      // of a mixed block: "AIC", "AIV 1"
  std::string help;      // the way out, where there is one besides the text

  bool isError() const { return id.info().severity == Severity::Error; }
};

} // namespace tilesmith::machine

#endif // TILESMITH_MACHINE_FINDING_H
