// Expressions in records: how an operand comes from the arguments of a call, and when a call is one instruction or
// another.
//
// C's operators on 64-bit integers, members of parameter structs (`params.blockLen`), enumerators (`SELMODE::...`), and
// functions. What names and functions mean is the reader's business: Overload.td lists those of calls, which the
// headers get as C++ and everything else as JSON; Layout.td those of layouts (LayoutExpression.h).
#ifndef TILESMITH_TBLGEN_EXPRESSION_H
#define TILESMITH_TBLGEN_EXPRESSION_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/JSON.h"
#include <string>
#include <vector>

namespace tilesmith::tblgen {

struct Expression {
  enum Kind { Number, Name, Member, Index, Call, Unary, Binary, Choose };
  Kind kind = Number;
  std::string text; // the number, name, member, function or operator
  std::vector<Expression> of;

  bool isEnumerator() const { return kind == Name && text.find("::") != std::string::npos; }
  // Visits this expression and everything in it.
  void walk(llvm::function_ref<void(const Expression &)> visit) const {
    visit(*this);
    for (const Expression &each : of)
      each.walk(visit);
  }
};

// `fail` is told why a text is not an expression; it does not return.
Expression parseExpression(llvm::StringRef text, llvm::function_ref<void(const llvm::Twine &)> fail);

llvm::json::Value toJson(const Expression &expression);

} // namespace tilesmith::tblgen

#endif // TILESMITH_TBLGEN_EXPRESSION_H
