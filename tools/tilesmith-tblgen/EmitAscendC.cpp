// The generated part of include/ascendc: enumerations, parameter structs, and a function template for every instruction
// form whose record gives its Ascend C call.
#include "Call.h"
#include "Emitters.h"
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

// One function of one form.
class FunctionEmitter {
public:
  FunctionEmitter(const FormView &form, const CallView &call, raw_ostream &os)
      : form(form), call(call), os(os), values(form.operands.size()) {}

  void emit() {
    repeats = form.form == "Repeat" &&
              any_of(form.operands, [](const OperandView &op) { return op.name == "mask" && !op.isBuffer(); });
    bits = any_of(form.operands, [](const OperandView &op) { return !op.element.empty(); });
    os << "// " << form.field("summary") << "\n";
    overload(/*bitMask=*/false);
    if (repeats)
      overload(/*bitMask=*/true);
    os << "\n";
  }

private:
  std::string elementOf(const OperandView &op) const {
    if (!op.element.empty())
      return "U";
    return form.hasDtype2() && op.access == "Read" ? "U" : "T";
  }

  void overload(bool bitMask) {
    parameters.clear();
    checks.clear();
    numParams = 0;
    for (const CallArgument &argument : call.arguments)
      parameter(argument, bitMask);
    os << "template <typename T" << (form.hasDtype2() || bits ? ", typename U" : "");
    if (form.field("pipe") == "V")
      os << ", bool isSetMask = true";
    os << ">\ninline void " << form.field("ascendName") << "(" << join(parameters, ", ")
       << ",\n    tilesmith::Where where = tilesmith::Where::here()) {\n";
    for (const std::string &check : checks)
      os << "  " << check << "\n";
    os << "  ";
    callMachine();
    os << "}\n";
  }

  void parameter(const CallArgument &argument, bool bitMask) {
    if (argument.params)
      return paramsParameter(argument);
    const OperandView &op = form.operands[argument.operand];
    std::string name = op.name.str();
    if (op.isBuffer()) {
      bool global = op.memories.size() == 1 && op.memories[0] == "GM";
      parameters.push_back("const " + std::string(global ? "Global" : "Local") + "Tensor<" + elementOf(op) + "> &" +
                           name);
      values[argument.operand] = name + ".tsAddress()";
    } else if (op.isScalar()) {
      parameters.push_back("const tilesmith::Same<T> &" + name);
      values[argument.operand] = "tilesmith::bitsOf<T>(" + name + ")";
    } else if (op.isAttribute()) {
      parameters.push_back(unqualified(enumName(op.enumeration)).str() + " " + name);
      values[argument.operand] = "int64_t(" + name + ")";
    } else if (repeats && name == "mask") {
      parameters.push_back(bitMask ? "const uint64_t mask[]" : "uint64_t mask");
      values[argument.operand] = "tilesmith::maskOf<isSetMask, 256 / tilesmith::widest<T" +
                                 std::string(form.hasDtype2() ? ", U" : "") + ">()>(mask)";
    } else {
      parameters.push_back("int64_t " + name + (name == "calIndex" ? " = 0" : ""));
      values[argument.operand] = name;
    }
  }

  void paramsParameter(const CallArgument &argument) {
    std::string name = "params" + std::to_string(numParams++);
    StringRef type = argument.params->getName();
    parameters.push_back("const " + type.str() + (isTemplate(argument.params) ? "<T>" : "") + " &" + name);
    for (const auto &[value, member] : zip_equal(argument.members, argument.params->getValueAsListOfDefs("members"))) {
      std::string field = name + "." + member->getValueAsString("memberName").str();
      if (value.operand >= 0) {
        const OperandView &op = form.operands[value.operand];
        values[value.operand] = op.isScalar() ? "tilesmith::bitsOf<T>(" + field + ")" : "int64_t(" + field + ")";
      } else if (!type.ends_with("RepeatParams")) {
        // What the instruction of the model fixes may not be asked for differently.
        checks.push_back("if (!(" + field + " == " + value.text.str() +
                         "))\n    return tilesmith::unsupported(where, \"" + form.field("ascendName").str() + " with " +
                         type.str() + "::" + member->getValueAsString("memberName").str() + " other than " +
                         value.text.str() + "\");");
      }
    }
  }

  void callMachine() {
    os << "tilesmith::api->tsm_" << form.mnemonic << "(tilesmith::core, where.loc()";
    if (form.hasDtype())
      os << ", tilesmith::dtypeOf<T>()";
    if (form.hasDtype2())
      os << ", tilesmith::dtypeOf<U>()";
    for (const std::string &value : values)
      os << ", " << value;
    os << ");\n";
  }

  StringRef enumName(StringRef enumeration) {
    const Record *e = form.record->getRecords().getDef(enumeration);
    return e->getValueAsString("cppName");
  }

  const FormView &form;
  const CallView &call;
  raw_ostream &os;
  std::vector<std::string> parameters, checks, values;
  bool repeats = false, bits = false;
  unsigned numParams = 0;
};

} // namespace

void emitAscendCTypes(const RecordKeeper &records, raw_ostream &os) {
  for (const Record *e : collectEnums(records)) {
    StringRef name = e->getValueAsString("cppName");
    if (name.empty())
      continue;
    bool plain = name == "pipe_t", global = !name.contains("::");
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
  os << "\n// The cost class of an instruction.\nconstexpr CostClass costOf(Op op) {\n  switch (op) {\n";
  for (const FormView &form : collectForms(records))
    os << "  case Op::" << form.camelCase() << ": return CostClass::" << form.field("cost") << ";\n";
  os << "  }\n  return CostClass::Free;\n}\n\n} // namespace tilesmith\n";
}

void emitAscendCCalls(const RecordKeeper &records, raw_ostream &os) {
  for (const FormView &form : collectForms(records))
    if (auto call = readCall(form, records)) {
      // A call with fixed arguments is one of several under its name; the headers choose between them by hand.
      if (!form.record->getValueAsBit("declaredByHand") && none_of(call->arguments, [](const CallArgument &argument) {
            return argument.operand < 0 && !argument.params;
          }))
        FunctionEmitter(form, *call, os).emit();
    }
}

} // namespace tilesmith::tblgen
