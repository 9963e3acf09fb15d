#include "Emitters.h"
#include "Table.h"

using namespace llvm;

namespace tilesmith::tblgen {

void emitEnums(const RecordKeeper &records, raw_ostream &os) {
  for (const Record *e : collectEnums(records)) {
    StringRef name = e->getName();
    auto cases = e->getValueAsListOfDefs("cases");
    os << "// " << e->getValueAsString("summary") << "\nenum class " << name << " : uint8_t {\n";
    for (const Record *c : cases)
      os << "  " << c->getValueAsString("caseName") << " = " << c->getValueAsInt("caseValue") << ",\n";
    os << "};\ninline constexpr unsigned num" << name << " = " << cases.size() << ";\n";
    os << "constexpr std::string_view stringify(" << name << " value) {\n  switch (value) {\n";
    for (const Record *c : cases)
      os << "  case " << name << "::" << c->getValueAsString("caseName") << ": return \""
         << c->getValueAsString("caseName") << "\";\n";
    os << "  }\n  return \"?\";\n}\n";
    os << "template <> constexpr std::optional<" << name << "> symbolize<" << name << ">(std::string_view text) {\n";
    for (const Record *c : cases)
      os << "  if (text == \"" << c->getValueAsString("caseName") << "\") return " << name
         << "::" << c->getValueAsString("caseName") << ";\n";
    os << "  return std::nullopt;\n}\n\n";
  }
}

} // namespace tilesmith::tblgen
