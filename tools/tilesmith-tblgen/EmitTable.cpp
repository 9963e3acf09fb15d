#include "Emitters.h"
#include "Table.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace tilesmith::tblgen {

static void emitOperand(const OperandView &op, raw_ostream &os) {
  os << "  {\"" << op.name << "\", OperandKind::" << op.kind << ", Access::" << op.access << ", ";
  if (op.memories.empty())
    os << "0";
  interleave(op.memories, os, [&](StringRef memory) { os << "memoryBit(Memory::" << memory << ")"; }, " | ");
  os << ", \"" << op.enumeration << "\", " << op.alignment << "},\n";
}

static void emitDtypes(const FormView &form, StringRef arch, raw_ostream &os) {
  bool any = false;
  for (const Record *on : form.record->getValueAsListOfDefs("dtypes"))
    if (on->getValueAsString("arch") == arch)
      for (StringRef dtype : on->getValueAsListOfStrings("dtypes")) {
        os << (any ? " | " : "") << "dtypeBit(DType::" << dtype << ")";
        any = true;
      }
  if (!any)
    os << "0";
}

// How many buffers begin the operands of a form that works on `count` elements of each of them and on nothing else:
// calls of such forms are most of all calls, and have the simplest check. 0: another form.
static size_t plainBuffersOf(const FormView &form) {
  size_t buffers = 0;
  while (buffers < form.operands.size() && form.operands[buffers].isBuffer())
    ++buffers;
  if (form.form != "Count" || form.hasDtype2() || !form.hasDtype() || form.operands.back().name != "count")
    return 0;
  for (const auto &[i, op] : enumerate(form.operands))
    if (i < buffers ? op.memories != std::vector<StringRef>{"UB"} || op.alignment || !op.element.empty()
                    : !op.isScalar() && i + 1 != form.operands.size())
      return 0;
  for (const Record *lies : layoutsOf(form))
    if (lies->getValueAsString("shape") != "elements(count)" || !lies->getValueAsString("when").empty())
      return 0;
  return buffers;
}

static int countOperandOf(const FormView &form) {
  auto count = find_if(form.operands, [](const OperandView &op) { return op.name == "count"; });
  return count == form.operands.end() ? -1 : int(count - form.operands.begin());
}

void emitTable(const RecordKeeper &records, raw_ostream &os) {
  auto forms = collectForms(records);
  os << "#ifdef TILESMITH_OPCODES\n#undef TILESMITH_OPCODES\nenum class Opcode : uint16_t {\n";
  for (const FormView &form : forms)
    os << "  " << form.camelCase() << ",\n";
  os << "  VectorFunction,\n};\ninline constexpr unsigned numOpcodes = " << forms.size() + 1 << ";\n\n"
     << "// Instructions that are executed alike.\nenum class Family : uint8_t {\n";
  SetVector<StringRef> families;
  for (const FormView &form : forms)
    families.insert(form.field("family"));
  for (StringRef family : families)
    os << "  " << family << ",\n";
  os << "  VectorFunction,\n};\n#endif\n\n";

  os << "#ifdef TILESMITH_INSTRUCTION_TABLE\n#undef TILESMITH_INSTRUCTION_TABLE\n";
  for (const FormView &form : forms) {
    if (form.operands.empty())
      continue;
    os << "static constexpr OperandInfo operandsOf" << form.camelCase() << "[] = {\n";
    for (const OperandView &op : form.operands)
      emitOperand(op, os);
    os << "};\n";
  }
  os << "static constexpr InstructionInfo instructionTable[] = {\n";
  for (const FormView &form : forms) {
    StringRef element = form.field("element");
    os << "  {Opcode::" << form.camelCase() << ", \"" << form.mnemonic << "\", \"" << form.field("ascendName")
       << "\", Form::" << form.form << ", Family::" << form.field("family") << ", Pipe::" << form.field("pipe")
       << ", CostClass::" << form.field("cost") << ",\n   "
       << (form.hasDtype() ? form.operandIndex(form.field("dtypeOf")) : -1) << ", "
       << (form.hasDtype2() ? form.operandIndex(form.field("dtype2Of")) : -1) << ", {";
    emitDtypes(form, "C220", os);
    os << ", ";
    emitDtypes(form, "C310", os);
    os << "},\n   " << (form.operands.empty() ? std::string("nullptr") : "operandsOf" + form.camelCase()) << ", "
       << form.operands.size() << ", " << countOperandOf(form) << ", " << plainBuffersOf(form) << ", "
       << (form.hasResult() ? "true" : "false") << ", \"" << element << "\", "
       << (form.record->getValueAsBit("inRegisters") ? "true" : "false") << ",\n   \"";
    printEscapedString(form.field("summary"), os);
    os << "\"},\n";
  }
  os << "  {Opcode::VectorFunction, \"vf\", \"asc_vf_call\", Form::Plain, Family::VectorFunction, Pipe::V, "
        "CostClass::Free,\n"
        "   -1, -1, {0, 0}, nullptr, 0, -1, 0, false, \"\", false, \"A vector function: one loop nest of register "
        "code.\"},\n};\n#endif\n";
}

} // namespace tilesmith::tblgen
