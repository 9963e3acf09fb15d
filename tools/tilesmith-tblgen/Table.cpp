#include "Table.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/TableGen/Error.h"

using namespace llvm;

namespace tilesmith::tblgen {

int FormView::operandIndex(StringRef name) const {
  for (size_t i = 0; i < operands.size(); ++i)
    if (operands[i].name == name)
      return int(i);
  PrintFatalError(record, "no operand named '" + name + "'");
}

int FormView::maskOperand() const {
  for (size_t i = 0; i < operands.size(); ++i)
    if (operands[i].isMask)
      return int(i);
  return -1;
}

std::string FormView::camelCase() const { return convertToCamelFromSnakeCase(mnemonic, /*capitalizeFirst=*/true); }

static void appendOperands(std::vector<OperandView> &into, const Record *record, StringRef field) {
  for (const Record *op : record->getValueAsListOfDefs(field))
    into.push_back({op->getValueAsString("name"), op->getValueAsString("pythonName"), op->getValueAsString("kind"),
                    op->getValueAsString("access"), op->getValueAsString("enumeration"),
                    op->getValueAsString("element"), op->getValueAsString("register"),
                    op->getValueAsListOfStrings("memories"), op->getValueAsString("low"), op->getValueAsString("high"),
                    op->getValueAsString("multiple"), op->getValueAsBit("isMask"), op->getValueAsInt("alignment")});
}

static std::vector<const Record *> inSourceOrder(ArrayRef<const Record *> records) {
  std::vector<const Record *> sorted(records.begin(), records.end());
  llvm::sort(sorted, [](const Record *a, const Record *b) { return a->getID() < b->getID(); });
  return sorted;
}

std::vector<const Record *> layoutsOf(const FormView &form) {
  std::vector<const Record *> layouts = form.record->getValueAsListOfDefs("layout");
  if (form.form != "Plain")
    append_range(layouts, form.record->getValueAsListOfDefs(form.form == "Count" ? "countLayout" : "repeatLayout"));
  return layouts;
}

std::vector<FormView> collectForms(const RecordKeeper &records) {
  std::vector<FormView> forms;
  for (const Record *record : inSourceOrder(records.getAllDerivedDefinitions("Instruction")))
    for (StringRef form : record->getValueAsListOfStrings("forms")) {
      FormView view{record, form.str(), record->getValueAsString("mnemonic").str(), {}};
      // A single form needs no suffix to be told apart.
      if (form == "Repeat" && record->getValueAsListOfStrings("forms").size() > 1)
        view.mnemonic += "_r";
      appendOperands(view.operands, record, "operands");
      if (form == "Count")
        appendOperands(view.operands, record, "countOperands");
      if (form == "Repeat")
        appendOperands(view.operands, record, "repeatOperands");
      forms.push_back(std::move(view));
    }
  return forms;
}

std::vector<const Record *> collect(const RecordKeeper &records, StringRef type) {
  return inSourceOrder(records.getAllDerivedDefinitions(type));
}

std::vector<const Record *> collectEnums(const RecordKeeper &records) { return collect(records, "Enumeration"); }

std::vector<const Record *> collectParams(const RecordKeeper &records) { return collect(records, "Params"); }

} // namespace tilesmith::tblgen
