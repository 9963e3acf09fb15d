// Values through control flow: taken apart into leaves and put together again, and what values of one name on two paths
// can both become.
#ifndef TILESMITH_LIB_FRONTEND_PYTHON_MERGE_H
#define TILESMITH_LIB_FRONTEND_PYTHON_MERGE_H

#include "Part.h"

namespace tilesmith::frontend {

class Merge : public Part {
public:
  using Part::Part;

  void flatten(const Value &value, llvm::SmallVectorImpl<mlir::Value> &leaves) {
    value.kind->flatten(l, value, leaves);
  }
  Value rebuild(const Value &like, mlir::ValueRange &leaves) { return like.kind->rebuild(l, like, leaves); }
  bool isSame(const Value &a, const Value &b) { return a.kind == b.kind && (!a || a.kind->isSame(l, a, b)); }
  bool sameStructure(const Value &a, const Value &b) { return a.kind == b.kind && a.kind->sameStructure(l, a, b); }
  Value carried(const Value &value, const Range &range) { return value.kind->carried(l, value, range); }

  // What a Python number becomes without further hints.
  Target defaultTarget(const Value &number) { return Target{kinds::scalar, number.kind->dtypeOf(l, number), {}}; }
  // The type two different values of one name can both take; none if there is no such type.
  Target join(const Value &a, const Value &b);
  // `value` as a value of the type, or invalid without an error.
  Value convertTo(const Value &value, const Target &target, const Range &range) {
    return target.kind->convert(l, value, target, range);
  }
  Value convertLike(const Value &value, const Value &like, const Range &range);
};

} // namespace tilesmith::frontend

#endif // TILESMITH_LIB_FRONTEND_PYTHON_MERGE_H
