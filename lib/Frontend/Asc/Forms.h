// Functions with several forms, as the overloads of the instruction table give them (tools/asc_calls.py).
#ifndef TILESMITH_LIB_FRONTEND_ASC_FORMS_H
#define TILESMITH_LIB_FRONTEND_ASC_FORMS_H

#include "Core.h"

#include "llvm/Support/JSON.h"

namespace tilesmith::frontend::asc {

// One way to write a call.
struct Form {
  struct Parameter {
    std::string name, type, element, defaultValue, python;
    bool isOption = false;  // in Ascend C an argument of the template
    bool isWritten = false; // in Ascend C it has no default
    bool isTensor() const { return type == "LocalTensor" || type == "GlobalTensor"; }
    bool isMask() const { return type == "Mask"; }
    bool isTyped() const { return type == "T" || type == "U" || type == "V"; } // a number of an element type
  };
  struct Way {
    const isa::InstructionInfo *instruction;
    const llvm::json::Array *operands;
    const llvm::json::Value *when, *times; // or null
  };
  struct Must {
    const llvm::json::Value *condition;
    std::string text;
  };
  std::string cpp;                // as Ascend C calls it
  std::vector<std::string> types; // the template's
  std::vector<Parameter> parameters;
  std::vector<Way> ways;
  std::vector<Must> musts;
  const llvm::json::Value *where = nullptr;
  std::string otherwise;
  bool setsMask = false;

  const Parameter *find(llvm::StringRef name) const;
  std::string signature() const;
};

struct Function {
  llvm::json::Value json;
  std::vector<Form> forms;
};

// Null if there is no such function.
const Function *findFunction(llvm::StringRef name);
// The number of an enumerator as expressions of the table write it; nothing if there is none.
std::optional<int64_t> findEnumerator(llvm::StringRef name);

// The low and the high word of a mask of bits. A mask operand: a number of first lanes, or the register, which becomes
// the bits that are given. Elements of a repeat are of so many bytes.
std::optional<std::pair<Number, Number>> maskWords(Core &core, const Argument &mask);
Number maskOperand(Core &core, const Argument &mask, int64_t bytes, const Range &range);

} // namespace tilesmith::frontend::asc

#endif // TILESMITH_LIB_FRONTEND_ASC_FORMS_H
