#include "Lowering.h"

namespace tilesmith::frontend {

Target Merge::join(const Value &a, const Value &b) {
  if (values.isNumber(a) && values.isNumber(b)) {
    Target x = defaultTarget(a), y = defaultTarget(b);
    if (x.dtype == y.dtype)
      return x;
    return isFloat(x.dtype) ? x : isFloat(y.dtype) ? y : Target{kinds::scalar, DType::I32, {}};
  }
  if (values.isNumber(a))
    return b.kind->targetOf(b);
  if (values.isNumber(b))
    return a.kind->targetOf(a);
  return {};
}

Value Merge::convertLike(const Value &value, const Value &like, const Range &range) {
  if (sameStructure(value, like)) {
    llvm::SmallVector<mlir::Value> leaves, expected;
    flatten(value, leaves);
    flatten(like, expected);
    bool fits = llvm::all_of(llvm::zip_equal(leaves, expected),
                             [](auto pair) { return std::get<0>(pair).getType() == std::get<1>(pair).getType(); });
    return fits ? value : Value();
  }
  Target target = like.kind->targetOf(like);
  return target ? convertTo(values.read(value), target, range) : Value();
}

} // namespace tilesmith::frontend
