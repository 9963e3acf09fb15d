// A form of a function with the arguments of one call.
#ifndef TILESMITH_LIB_FRONTEND_ASC_BOUND_H
#define TILESMITH_LIB_FRONTEND_ASC_BOUND_H

#include "Forms.h"

namespace tilesmith::frontend::asc {

class Text;

// What an expression of the table is: a number, or a number of an element type that is not converted yet.
struct Result {
  Number number;
  Value typed;
  explicit operator bool() const { return bool(number) || bool(typed); }
};

// A form with the arguments of one call.
class Bound {
public:
  Bound(Core &core, const Form &form, const CallSite &site) : core(core), form(form), site(site), range(site.range) {}

  // Whether the arguments fit. With `sameTypes` tensors whose element type has one name have one type.
  bool fits(bool sameTypes);
  // Whether they would, if the tensors lay in other memories.
  bool fitsElsewhere() { return distribute() && bindTypes() && form.where; }
  bool lower();
  // As Ascend C, in a kernel that is written.
  bool write();

private:
  bool writeOptions(Text &text);
  bool writeArgument(Text &text, const Form::Parameter &parameter, const Argument &argument);

  bool distribute();
  bool accepts(const Form::Parameter &parameter, const Argument &argument) const;
  bool bindTypes();

  const Argument *argumentOf(llvm::StringRef name) const;
  DType typeOf(llvm::StringRef name) const;

  Result evaluate(const llvm::json::Value &expression);
  Result evaluateName(llvm::StringRef name);
  Result evaluateMember(const llvm::json::Object &object);
  Result evaluateCall(llvm::StringRef function, const llvm::json::Array &of);
  Number numberOf(const llvm::json::Value &expression) { return evaluate(expression).number; }
  // The tensor an expression is about, for its memory and element type.
  const Value *tensorIn(const llvm::json::Value &expression) const;
  DType carriedType(const Form::Way &way, int8_t operand) const;

  bool ways(size_t index);
  bool repeated(const Form::Way &way);
  bool issue(const Form::Way &way);
  Number maskFor(const Form::Way &way);
  bool either(const Number &condition, llvm::function_ref<bool()> then, llvm::function_ref<bool()> otherwise);

  Core &core;
  const Form &form;
  const CallSite &site;
  Range range;
  llvm::SmallVector<Argument, 8> arguments;
  Argument isSetMask;
  llvm::SmallVector<std::pair<std::string, DType>, 4> types;
  bool agree = true; // no two tensors disagree on a type
  Number callIndex;  // `i`
  const Form::Way *current = nullptr;
};

} // namespace tilesmith::frontend::asc

#endif // TILESMITH_LIB_FRONTEND_ASC_BOUND_H
