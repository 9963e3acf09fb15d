#include "Emitters.h"
#include "Table.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace tilesmith::tblgen {

static void emitAttribute(const Record *e, raw_ostream &os) {
  StringRef name = e->getName();
  os << "def Isa_" << name << "Attr : Isa_EnumAttr<\"" << name << "\", \"" << convertToSnakeFromCamelCase(name)
     << "\">;\n";
}

// Where an operand lives or what it is, as a reader of the op's page wants it.
static void describeOperand(const OperandView &op, raw_ostream &os) {
  os << "`" << op.name << "`: ";
  if (op.isBuffer())
    os << "buffer in " << join(op.memories, " or ") << ", "
       << (op.access == "Read"    ? "read"
           : op.access == "Write" ? "written"
                                  : "read and written");
  else if (op.isAttribute())
    os << "attribute, " << op.enumeration;
  else
    os << (op.isScalar() ? "scalar" : "integer");
}

static void emitDescription(const FormView &form, raw_ostream &os) {
  os << "  let description = [{\n    " << form.field("summary") << " On pipe " << form.field("pipe") << ".\n\n";
  for (const OperandView &op : form.operands) {
    os << "    - ";
    describeOperand(op, os);
    os << "\n";
  }
  if (!form.field("example").empty())
    os << (form.operands.empty() ? "" : "\n") << "    In Ascend C, as the manual writes it:\n\n    ```cpp\n    "
       << form.field("example") << "\n    ```\n";
  os << "  }];\n";
}

static void emitOp(const FormView &form, raw_ostream &os) {
  os << "def Isa_" << form.camelCase() << "Op : Isa_Instruction<\"" << form.mnemonic << "\"> {\n  let summary = \"";
  printEscapedString(form.field("summary"), os);
  os << "\";\n";
  emitDescription(form, os);
  os << "  let arguments = (ins ";
  interleave(
      form.operands, os,
      [&](const OperandView &op) {
        if (op.isAttribute())
          os << "Isa_" << op.enumeration << "Attr";
        else if (op.isBuffer())
          os << "Isa_Buffer";
        else
          os << (op.isScalar() ? "AnyType" : "I64");
        os << ":$" << op.name;
      },
      ", ");
  os << ");\n";
  if (form.hasResult())
    os << "  let results = (outs AnyType:$result);\n";
  os << "  let assemblyFormat = \"";
  bool first = true, anyType = false;
  for (const OperandView &op : form.operands) {
    if (op.isAttribute())
      continue;
    os << (first ? "" : " `,` ") << "$" << op.name;
    first = false;
  }
  os << " attr-dict";
  for (const OperandView &op : form.operands)
    if (op.isBuffer() || op.isScalar()) {
      os << (anyType ? " `,`" : " `:`") << " type($" << op.name << ")";
      anyType = true;
    }
  if (form.hasResult())
    os << (anyType ? " `->`" : " `:`") << " type($result)";
  os << "\";\n}\n";
}

void emitOds(const RecordKeeper &records, raw_ostream &os) {
  for (const Record *e : collectEnums(records))
    if (e->getValueAsBit("isAttribute"))
      emitAttribute(e, os);
  for (const FormView &form : collectForms(records))
    emitOp(form, os);
}

} // namespace tilesmith::tblgen
