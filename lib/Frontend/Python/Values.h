// Questions about values of any kind.
#ifndef TILESMITH_LIB_FRONTEND_PYTHON_VALUES_H
#define TILESMITH_LIB_FRONTEND_PYTHON_VALUES_H

#include "Part.h"

namespace tilesmith::frontend {

class Values : public Part {
public:
  using Part::Part;

  // "a tile [4, 64] float16", "the int 3", "a runtime int32"; short: without the number of a host value.
  std::string describe(const Value &value);
  std::string describeShort(const Value &value);

  bool isNone(const Value &value) { return value.isHost() && host.isNone(value.host); }
  bool isNumber(const Value &value); // bool, int or float of the host
  bool isNumeric(const Value &value) { return value.isScalar() || isNumber(value); }
  bool isInteger(const Value &value); // numeric, and not a float
  DType dtypeOf(const Value &value) { return value ? value.kind->dtypeOf(l, value) : DType::Void; }
  Truth truth(const Value &value, const Range &range);

  // What an operation sees: of a value that changes in place, the current one.
  Value read(const Value &value) { return value ? value.kind->read(l, value) : value; }
  HostRef toHost(const Value &value) { return value ? value.kind->toHost(l, value) : HostRef(); }
  // The items of anything that has some while compiling. `what` names it in the error.
  bool toSequence(const Value &value, llvm::SmallVectorImpl<Value> &items, const Range &range, llvm::StringRef what);
};

} // namespace tilesmith::frontend

#endif // TILESMITH_LIB_FRONTEND_PYTHON_VALUES_H
