#include "Emitters.h"
#include "Table.h"

using namespace llvm;

namespace tilesmith::tblgen {

// TILESMITH_ABI_ENTRY(result, mnemonic, parameters, opcode, dtype, dtype2, arguments): the file that includes this
// decides whether it wants declarations, definitions or a table of symbols.
void emitAbi(const RecordKeeper &records, raw_ostream &os) {
  for (const FormView &form : collectForms(records)) {
    os << "TILESMITH_ABI_ENTRY(" << (form.hasResult() ? "int64_t" : "void") << ", " << form.mnemonic
       << ",\n  (TsCore *core, int64_t loc";
    if (form.hasDtype())
      os << ", int64_t dtype";
    if (form.hasDtype2())
      os << ", int64_t dtype2";
    for (const OperandView &op : form.operands)
      os << ", int64_t " << op.name;
    os << "),\n  Opcode::" << form.camelCase() << ", " << (form.hasDtype() ? "dtype" : "0") << ", "
       << (form.hasDtype2() ? "dtype2" : "0") << ", (";
    for (size_t i = 0; i < form.operands.size(); ++i)
      os << (i ? ", " : "") << form.operands[i].name;
    if (form.operands.empty())
      os << "0";
    os << "))\n";
  }
}

} // namespace tilesmith::tblgen
