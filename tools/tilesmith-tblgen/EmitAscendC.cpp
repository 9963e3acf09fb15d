// Types of the Ascend C headers: enumerations, parameter structs, numbers of the Machine's table.
#include "Emitters.h"
#include "Table.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace llvm;

namespace tilesmith::tblgen {

namespace {

StringRef unqualified(StringRef cppName) {
  size_t at = cppName.rfind("::");
  return at == StringRef::npos ? cppName : cppName.substr(at + 2);
}

bool isTemplate(const Record *params) {
  return any_of(params->getValueAsListOfDefs("members"),
                [](const Record *member) { return member->getValueAsString("cppType") == "T"; });
}

// Calls give a struct as a list in braces: only long ones may be cut short, or overloads could not be told apart.
constexpr size_t firstOptional = 5;

void emitStruct(const Record *params, raw_ostream &os) {
  auto members = params->getValueAsListOfDefs("members");
  StringRef name = params->getName();
  os << "// " << params->getValueAsString("summary") << "\n";
  if (isTemplate(params))
    os << "template <typename T> ";
  os << "struct " << name << " {\n";
  for (const Record *member : members)
    os << "  " << member->getValueAsString("wideType") << " " << member->getValueAsString("memberName") << " = "
       << member->getValueAsString("defaultValue") << ";\n";
  for (const Record *member : params->getValueAsListOfDefs("others"))
    os << "  " << member->getValueAsString("wideType") << " " << member->getValueAsString("memberName") << " = "
       << member->getValueAsString("defaultValue") << ";\n";
  os << "  constexpr " << name << "() = default;\n  constexpr " << name << "(";
  for (const auto &[i, member] : enumerate(members)) {
    os << (i ? ", " : "") << member->getValueAsString("wideType") << " " << member->getValueAsString("memberName")
       << "_";
    if (i >= firstOptional)
      os << " = " << member->getValueAsString("defaultValue");
  }
  os << ")\n      : ";
  interleave(
      members, os,
      [&](const Record *member) {
        os << member->getValueAsString("memberName") << "(" << member->getValueAsString("memberName") << "_)";
      },
      ", ");
  os << " {}\n};\n\n";
}

} // namespace

void emitAscendCTypes(const RecordKeeper &records, raw_ostream &os) {
  for (const Record *e : collectEnums(records)) {
    StringRef name = e->getValueAsString("cppName");
    if (name.empty())
      continue;
    bool plain = name == "pipe_t" || name == "KernelMetaType", global = !name.contains("::");
    os << "// " << e->getValueAsString("summary") << "\n";
    if (!global)
      os << "namespace AscendC {\n";
    os << "enum " << (plain ? "" : "class ") << unqualified(name) << " : int32_t {\n";
    for (const Record *c : e->getValueAsListOfDefs("cases"))
      os << "  " << c->getValueAsString("cppName") << " = " << c->getValueAsInt("caseValue") << ",\n";
    if (e->getName() == "RoundMode")
      os << "  UNKNOWN = 255, // of a cast that rounds nothing\n";
    os << "};\n" << (global ? "" : "} // namespace AscendC\n") << "\n";
  }
  os << "namespace AscendC {\n";
  for (const Record *params : collectParams(records))
    if (!params->getValueAsBit("byHand"))
      emitStruct(params, os);
  os << "} // namespace AscendC\n\nnamespace tilesmith {\n\n// Numbers of the Machine's table.\nenum class Op : "
        "int64_t {\n";
  for (const FormView &form : collectForms(records))
    os << "  " << form.camelCase() << ",\n";
  os << "};\n";
  for (StringRef name : {"DType", "Memory", "CostClass", "Register"}) {
    os << "enum class " << name << " : int64_t {\n";
    for (const Record *c : records.getDef(name)->getValueAsListOfDefs("cases"))
      os << "  " << c->getValueAsString("caseName") << " = " << c->getValueAsInt("caseValue") << ",\n";
    os << "};\n";
  }
  os << "\nstruct PipePair {\n  pipe_t from, to;\n};\n\n// The two pipes of an event, which its name gives.\n"
        "constexpr PipePair pipesOf(AscendC::HardEvent event) {\n  switch (event) {\n";
  for (const Record *c : records.getDef("HardEvent")->getValueAsListOfDefs("cases"))
    if (auto [from, to] = c->getValueAsString("cppName").split('_'); !to.empty())
      os << "  case AscendC::HardEvent::" << from << "_" << to << ": return {PIPE_" << from << ", PIPE_" << to
         << "};\n";
  os << "  default: return {PIPE_S, PIPE_S};\n  }\n}\n";
  os << "\n// The cost class of an instruction.\nconstexpr CostClass costOf(Op op) {\n  switch (op) {\n";
  for (const FormView &form : collectForms(records))
    os << "  case Op::" << form.camelCase() << ": return CostClass::" << form.field("cost") << ";\n";
  os << "  }\n  return CostClass::Free;\n}\n\n} // namespace tilesmith\n";
}

} // namespace tilesmith::tblgen
