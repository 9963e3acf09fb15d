#include "Emitters.h"
#include "Table.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace tilesmith::tblgen {

namespace {

// How the call reaches the core: lanes come from the mask register where the call says so, and a count form of V leaves
// all of them active.
std::string issueOf(const FormView &form) {
  if (int mask = form.maskOperand(); mask >= 0)
    return "issueMasked<" + std::to_string(mask) + ">";
  bool counted = form.form == "Count" && form.field("pipe") == "V" && !form.record->getValueAsBit("keepsMask");
  return counted ? "issueCounted" : "issue";
}

void emitInstruction(const FormView &form, raw_ostream &os) {
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
  for (size_t i = 0; i < form.operands.size(); ++i) {
    const OperandView &op = form.operands[i];
    os << (i ? ", " : "");
    if (op.fromRegister.empty())
      os << op.name;
    else
      os << "core->orRegister(" << op.name << ", Register::" << op.fromRegister << ")";
  }
  if (form.operands.empty())
    os << "0";
  os << "), " << issueOf(form) << ")\n";
}

void emitService(const Record *service, raw_ostream &os) {
  SmallVector<std::string> parameters, arguments;
  auto add = [&](StringRef type, StringRef name) {
    parameters.push_back((type + (type.ends_with("*") ? "" : " ") + name).str());
    arguments.push_back(name.str());
  };
  if (service->getValueAsBit("hasCore"))
    add("TsCore *", "core");
  if (service->getValueAsBit("hasPlace"))
    add("int64_t", "loc");
  for (const Record *value : service->getValueAsListOfDefs("parameters"))
    add(value->getValueAsString("cType"), value->getValueAsString("name"));
  os << "TILESMITH_SERVICE(" << service->getValueAsString("result") << ", " << service->getValueAsString("mnemonic")
     << ", (" << join(parameters, ", ") << "))\n";
}

// Bytes by which a tensor of a repeat form moves from one repeat to the next, in terms of the form's operands.
std::string perRepeat(const FormView &form, const OperandView &op) {
  auto arg = [&](const Twine &name) { return "args[" + std::to_string(form.operandIndex(name.str())) + "]"; };
  if (op.element == "uint64_t" ||
      (op.name == "dst" && none_of(form.operands, [](const OperandView &each) { return each.name == "dstRep"; })))
    return "0";
  if (op.element == "uint32_t")
    return "lanes * 4";
  if (!op.element.empty())
    return "lanes / 8";
  StringRef family = form.field("family");
  if (op.name == "dst" && family == "WholeReduce")
    return arg("dstRep") + " * size";
  if (op.name == "dst" && family == "WholeReduceIndex")
    return arg("dstRep") + " * (isa::ReduceOrder(" + arg("order") + ") == isa::ReduceOrder::OnlyIndex ? 4 : 2 * size)";
  if (op.name == "dst" && family == "BlockReduce")
    return arg("dstRep") + (form.mnemonic == "pair_reduce_sum" ? " * 128" : " * 8 * size");
  return arg(op.name + "Rep") + " * 32";
}

// Where a masked form goes on after some of its repeats; the body of a switch over opcodes.
void emitAdvance(const FormView &form, raw_ostream &os) {
  int mask = form.maskOperand();
  if (mask < 0 || none_of(form.operands, [](const OperandView &op) { return op.name == "repeat"; }))
    return;
  os << "TILESMITH_REPEATS(" << form.camelCase() << ", " << form.operandIndex("repeat") << ", (";
  for (size_t i = 0; i < form.operands.size() && form.operands[i].isBuffer(); ++i)
    os << (i ? ", " : "") << perRepeat(form, form.operands[i]);
  os << "))\n";
}

} // namespace

// TILESMITH_ABI_ENTRY(result, mnemonic, parameters, opcode, dtype, dtype2, arguments, issue) for every instruction
// form, TILESMITH_SERVICE(result, mnemonic, parameters) for every service, TILESMITH_REPEATS(opcode, repeat operand,
// bytes per repeat of the tensors, which come first) for every form whose lanes a mask chooses. The file that includes
// this decides whether it wants declarations, definitions or a table of symbols, and leaves out what it does not
// define.
void emitAbi(const RecordKeeper &records, raw_ostream &os) {
  std::vector<FormView> forms = collectForms(records);
  os << "#ifdef TILESMITH_ABI_ENTRY\n";
  for (const FormView &form : forms)
    emitInstruction(form, os);
  os << "#endif\n#ifdef TILESMITH_SERVICE\n";
  for (const Record *service : collect(records, "Service"))
    emitService(service, os);
  os << "#endif\n#ifdef TILESMITH_REPEATS\n";
  for (const FormView &form : forms)
    emitAdvance(form, os);
  os << "#endif\n";
}

} // namespace tilesmith::tblgen
