// Expressions and layouts of a record (Layout.td explains the notation), checked against the operands of a form.
#ifndef TILESMITH_TBLGEN_LAYOUTEXPRESSION_H
#define TILESMITH_TBLGEN_LAYOUTEXPRESSION_H

#include "Table.h"
#include <memory>
#include <set>

namespace tilesmith::tblgen {

struct LayoutExpression {
  enum Kind { Number, Name, Unary, Binary, Choice, Call };
  Kind kind;
  int64_t number = 0;
  std::string text; // a name, an operator, the function of a call
  std::vector<std::shared_ptr<LayoutExpression>> parts;
};
using LayoutExpressionPtr = std::shared_ptr<LayoutExpression>;

// Parses an expression; a shape is a call. Ends the program with an error at the record if the notation is wrong or a
// name is neither an operand nor known. Enumerators become their numbers.
LayoutExpressionPtr parseLayoutExpression(const FormView &form, const llvm::RecordKeeper &records,
                                          llvm::StringRef text);

// As C++ over values that have the operators; the names it uses are added to `names`.
std::string cppOf(const LayoutExpression &expression, std::set<std::string> &names);

// For people: with `c310` decided, and folded to a number where nothing is left to know.
std::string textOf(const LayoutExpression &expression, bool c310);

} // namespace tilesmith::tblgen

#endif // TILESMITH_TBLGEN_LAYOUTEXPRESSION_H
