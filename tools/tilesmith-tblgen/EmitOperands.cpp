// Views that read the operands of a call by name (Isa/Operands.h explains them).
#include "Emitters.h"
#include "Table.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace tilesmith::tblgen {

namespace {

StringRef typeOf(const OperandView &op) {
  return op.isBuffer() ? "Address" : op.isAttribute() ? op.enumeration : "int64_t";
}

void emitReader(const OperandView &op, size_t index, raw_ostream &os) {
  if (op.isAttribute())
    os << "  int64_t " << op.name << "Value() const { return args[" << index << "]; }\n";
  os << "  " << typeOf(op) << " " << op.name << "() const { return " << typeOf(op) << "(args[" << index << "]); }\n";
}

void emitView(const FormView &form, raw_ostream &os) {
  os << "struct " << form.camelCase() << " : CallView {\n"
     << "  static constexpr Opcode opcode = Opcode::" << form.camelCase() << ";\n"
     << "  template <typename Call> explicit " << form.camelCase()
     << "(const Call &call) : CallView(call) { assert(call.op == opcode); }\n";
  for (const auto &[i, op] : enumerate(form.operands))
    emitReader(op, i, os);
  os << "  template <typename Call> static void fill(Call &call";
  for (const OperandView &op : form.operands)
    os << ", " << typeOf(op) << " " << op.name;
  os << ") {\n    call.op = opcode;\n    call.numArgs = " << form.operands.size() << ";\n";
  for (const auto &[i, op] : enumerate(form.operands))
    os << "    call.args[" << i
       << "] = " << (op.isBuffer() ? (op.name + ".bits").str() : ("int64_t(" + op.name + ")").str()) << ";\n";
  os << "  }\n};\n";
}

// What all lists begin with: operands of one name and kind.
std::vector<OperandView> commonStart(ArrayRef<const FormView *> forms) {
  std::vector<OperandView> common = forms.front()->operands;
  for (const FormView *form : forms) {
    size_t same = 0;
    while (same < common.size() && same < form->operands.size() && common[same].name == form->operands[same].name &&
           common[same].kind == form->operands[same].kind)
      ++same;
    common.resize(same);
  }
  return common;
}

void emitFamilyView(const Twine &name, StringRef base, ArrayRef<const FormView *> forms, size_t inherited,
                    raw_ostream &os) {
  std::vector<OperandView> common = commonStart(forms);
  if (common.size() <= inherited)
    return;
  os << "struct " << name << " : " << base << " {\n  using " << base << "::" << base << ";\n";
  for (size_t i = inherited; i < common.size(); ++i)
    emitReader(common[i], i, os);
  os << "};\n";
}

} // namespace

void emitOperands(const RecordKeeper &records, raw_ostream &os) {
  std::vector<FormView> forms = collectForms(records);
  for (const FormView &form : forms)
    emitView(form, os);

  os << "\nnamespace family {\n";
  MapVector<StringRef, SmallVector<const FormView *>> families;
  for (const FormView &form : forms)
    families[form.field("family")].push_back(&form);
  for (const auto &[family, members] : families) {
    size_t shared = commonStart(members).size();
    emitFamilyView(family, "CallView", members, 0, os);
    for (StringRef kind : {"Count", "Repeat"}) {
      SmallVector<const FormView *> ofKind;
      copy_if(members, std::back_inserter(ofKind), [&](const FormView *form) { return form->form == kind; });
      if (!ofKind.empty() && ofKind.size() < members.size())
        emitFamilyView(family + kind, shared ? family : "CallView", ofKind, shared, os);
    }
  }
  os << "} // namespace family\n";
}

// TILESMITH_ENUM_ATTRIBUTE(Name): the enumerations that are attributes of the isa dialect.
void emitEnumAttributes(const RecordKeeper &records, raw_ostream &os) {
  for (const Record *e : collectEnums(records))
    if (e->getValueAsBit("isAttribute"))
      os << "TILESMITH_ENUM_ATTRIBUTE(" << e->getName() << ")\n";
}

} // namespace tilesmith::tblgen
