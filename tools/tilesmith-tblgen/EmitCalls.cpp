#include "Call.h"
#include "Emitters.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace tilesmith::tblgen {

namespace {

// A call as the printer walks it: texts, operands, operands cast to a member's type, element types of operands.
class CallTokens {
public:
  CallTokens(const FormView &form, raw_ostream &os) : form(form), os(os) {}

  void call(const CallView &view) {
    if (!view.templateArguments.empty()) {
      text("<");
      for (const auto &[i, argument] : enumerate(view.templateArguments)) {
        if (i)
          text(", ");
        if (argument.operand < 0)
          text(argument.text);
        else
          token("Type", argument.operand);
      }
      text(">");
    }
    text("(");
    arguments(view.arguments);
    text(")");
    flush();
  }

private:
  void arguments(ArrayRef<CallArgument> list) {
    for (const auto &[i, argument] : enumerate(list)) {
      if (i)
        text(", ");
      if (argument.params)
        params(argument);
      else if (argument.operand < 0)
        text(argument.text);
      else
        token("Operand", argument.operand);
    }
  }

  void params(const CallArgument &argument) {
    auto members = argument.params->getValueAsListOfDefs("members");
    text("AscendC::");
    text(argument.params->getName());
    if (any_of(members, [](const Record *member) { return member->getValueAsString("cppType") == "T"; })) {
      text("<");
      token("Type", form.operandIndex(form.field("dtypeOf")));
      text(">");
    }
    text("{");
    for (const auto &[i, pair] : enumerate(zip_equal(argument.members, members))) {
      auto &[value, member] = pair;
      StringRef type = member->getValueAsString("cppType");
      if (i)
        text(", ");
      if (value.operand < 0)
        text(value.text);
      else if (type == "T" || form.operands[value.operand].isAttribute())
        token("Operand", value.operand);
      else
        token("Member", value.operand, type, member->getValueAsString("wideType"));
    }
    text("}");
  }

  void text(StringRef piece) { pending += piece; }
  void flush() {
    if (!pending.empty())
      os << "  {CallToken::Text, -1, \"" << pending << "\", \"\"},\n";
    pending.clear();
  }
  void token(StringRef kind, int operand, StringRef type = "", StringRef wideType = "") {
    flush();
    os << "  {CallToken::" << kind << ", " << operand << ", \"" << type << "\", \"" << wideType << "\"},\n";
  }

  const FormView &form;
  raw_ostream &os;
  std::string pending;
};

} // namespace

void emitCalls(const RecordKeeper &records, raw_ostream &os) {
  std::string rows;
  raw_string_ostream table(rows);
  for (const FormView &form : collectForms(records))
    if (auto call = readCall(form, records)) {
      os << "static constexpr CallToken callOf" << form.camelCase() << "[] = {\n";
      CallTokens(form, os).call(*call);
      os << "};\n";
      table << "  {isa::Opcode::" << form.camelCase() << ", callOf" << form.camelCase() << "},\n";
    }
  os << "static constexpr InstructionCall instructionCalls[] = {\n" << rows << "};\n";

  // The Ascend C name of every enumerator that has one.
  os << "static constexpr EnumeratorName enumeratorNames[] = {\n";
  for (const Record *e : collectEnums(records)) {
    StringRef type = e->getValueAsString("cppName");
    if (type.empty())
      continue;
    // An unscoped enumeration is spelled by its enumerators alone.
    std::string scope = type == "pipe_t" ? "" : (type + "::").str();
    for (const Record *c : e->getValueAsListOfDefs("cases"))
      os << "  {\"" << e->getName() << "\", " << c->getValueAsInt("caseValue") << ", \"" << scope
         << c->getValueAsString("cppName") << "\"},\n";
  }
  os << "};\n";
}

} // namespace tilesmith::tblgen
