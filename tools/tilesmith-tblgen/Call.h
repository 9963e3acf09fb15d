// The Ascend C call of an instruction form, read from its record (Instruction.td explains the notation).
#ifndef TILESMITH_TBLGEN_CALL_H
#define TILESMITH_TBLGEN_CALL_H

#include "Table.h"

namespace tilesmith::tblgen {

// One argument of the call: an operand, a text that stands for itself, or a parameter struct made of such arguments.
struct CallArgument {
  int operand = -1;                     // index into the form's operands, or -1
  llvm::StringRef text;                 // where neither operand nor struct
  const llvm::Record *params = nullptr; // the struct, with one entry of `members` for each of its members
  std::vector<CallArgument> members;
};

struct CallView {
  std::vector<CallArgument> templateArguments; // operands stand for their element types
  std::vector<CallArgument> arguments;
};

// The call of a form, or nothing where the record leaves it to hand-written code. Ends the program with an error at the
// record if the notation is wrong: unknown operands, wrong numbers of members, operands that are missing or used twice.
std::optional<CallView> readCall(const FormView &form, const llvm::RecordKeeper &records);

} // namespace tilesmith::tblgen

#endif // TILESMITH_TBLGEN_CALL_H
