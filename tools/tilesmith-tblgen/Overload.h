// A call of Ascend C and what it becomes, read from the records: an Overload (Overload.td), or the call that an
// instruction form gives itself (Instruction.td).
#ifndef TILESMITH_TBLGEN_OVERLOAD_H
#define TILESMITH_TBLGEN_OVERLOAD_H

#include "Expression.h"
#include "Table.h"

namespace tilesmith::tblgen {

struct Parameter {
  std::string type, element; // LocalTensor<T> is LocalTensor of T
  std::string name, defaultValue;
  const llvm::Record *params = nullptr; // of a parameter struct

  bool isTensor() const { return type == "LocalTensor" || type == "GlobalTensor"; }
  bool isMask() const { return type == "Mask"; }
  bool isTyped() const { return type.size() == 1; } // a number of an element type
};

// A template parameter behind the element types: `HardEvent event`, `const FixpipeConfig &config = CFG_NZ`.
struct Option {
  std::string type, name, defaultValue;
};

// A condition that must hold; otherwise the call is a finding, or does not compile where types alone decide.
struct MustView {
  Expression condition;
  std::string finding;
};

// One instruction the call may be: when, how often (with `i` counting), and the operands in the form's order.
struct WayView {
  FormView form;
  std::optional<Expression> when, times;
  std::vector<Expression> operands;
};

struct OverloadView {
  const llvm::Record *record = nullptr; // errors point there
  std::string name, summary, otherwise;
  std::optional<Expression> where; // on types: the call is not there otherwise
  std::vector<Parameter> parameters;
  std::vector<std::string> types; // of elements: template parameters
  bool setsMask = false;          // whether a template parameter says if the call sets the mask
  std::vector<Option> options;
  std::vector<MustView> musts;
  std::vector<WayView> ways;

  const Parameter *find(llvm::StringRef name) const;
  bool hasOption(llvm::StringRef name) const;
  // Whether types and template arguments alone decide.
  bool isStatic(const Expression &condition) const;
  // The type of a member of a parameter struct (`params.blockLen`, `params.params.ndNum`); null: none of the table's.
  const llvm::Record *memberOf(const Expression &member) const;
  // The element type of the first tensor in the expression.
  std::string elementOf(const Expression &value) const;
};

// All calls: those of the Overload records, then those the instructions give themselves. Ends the program with an error
// at the record where one is wrong: unknown parameters, members and operands, operands without a value.
std::vector<OverloadView> collectOverloads(const llvm::RecordKeeper &records);

} // namespace tilesmith::tblgen

#endif // TILESMITH_TBLGEN_OVERLOAD_H
