// A view of the instruction records, as the emitters need it: one entry for each instruction and form.
#ifndef TILESMITH_TBLGEN_TABLE_H
#define TILESMITH_TBLGEN_TABLE_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/TableGen/Record.h"
#include <optional>
#include <string>
#include <vector>

namespace tilesmith::tblgen {

struct OperandView {
  llvm::StringRef name, python, kind, access, enumeration, element, fromRegister;
  std::vector<llvm::StringRef> memories;
  llvm::StringRef low, high, multiple; // expressions; no `high`: anything
  bool isMask;
  int64_t alignment; // in elements
  bool isBuffer() const { return kind == "Buffer"; }
  bool isScalar() const { return kind == "Scalar"; }
  bool isAttribute() const { return kind == "Attribute"; }
};

struct FormView {
  const llvm::Record *record;
  std::string form;     // Plain, Count, Repeat
  std::string mnemonic; // with the suffix of the form
  std::vector<OperandView> operands;

  llvm::StringRef field(llvm::StringRef name) const { return record->getValueAsString(name); }
  bool hasDtype() const { return !field("dtypeOf").empty(); }
  bool hasDtype2() const { return !field("dtype2Of").empty(); }
  bool hasResult() const { return record->getValueAsBit("hasResult"); }
  int operandIndex(llvm::StringRef name) const;
  // The operand that says which lanes are active; -1: none does.
  int maskOperand() const;
  // CamelCase of the mnemonic, for C++ names: add_r -> AddR.
  std::string camelCase() const;
};

// Where the bytes of a form's buffers lie: records of Lies.
std::vector<const llvm::Record *> layoutsOf(const FormView &form);

// All instructions in all their forms, in the order of the table.
std::vector<FormView> collectForms(const llvm::RecordKeeper &records);

// Records of a class in the order of the table.
std::vector<const llvm::Record *> collect(const llvm::RecordKeeper &records, llvm::StringRef type);
std::vector<const llvm::Record *> collectEnums(const llvm::RecordKeeper &records);
std::vector<const llvm::Record *> collectParams(const llvm::RecordKeeper &records);

} // namespace tilesmith::tblgen

#endif // TILESMITH_TBLGEN_TABLE_H
