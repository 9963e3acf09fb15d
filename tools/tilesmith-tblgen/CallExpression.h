// Expressions in records: how an operand comes from the arguments of a call, and when a call is one instruction or
// another.
//
// C's operators on 64-bit integers, members of parameter structs (`params.blockLen`), enumerators (`SELMODE::...`), and
// a few functions that Overload.td lists. They are data: the headers get them as C++, everything else as JSON.
#ifndef TILESMITH_TBLGEN_CALLEXPRESSION_H
#define TILESMITH_TBLGEN_CALLEXPRESSION_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/JSON.h"
#include <string>
#include <vector>

namespace tilesmith::tblgen {

struct CallExpression {
  enum Kind { Number, Name, Member, Index, Call, Unary, Binary, Choose };
  Kind kind = Number;
  std::string text; // the number, name, member, function or operator
  std::vector<CallExpression> of;

  bool isEnumerator() const { return kind == Name && text.find("::") != std::string::npos; }
  // Visits this expression and everything in it.
  void walk(llvm::function_ref<void(const CallExpression &)> visit) const {
    visit(*this);
    for (const CallExpression &each : of)
      each.walk(visit);
  }
};

// `fail` does not return.
CallExpression parseCallExpression(llvm::StringRef text, llvm::function_ref<void(const llvm::Twine &)> fail);

llvm::json::Value toJson(const CallExpression &expression);

} // namespace tilesmith::tblgen

#endif // TILESMITH_TBLGEN_CALLEXPRESSION_H
