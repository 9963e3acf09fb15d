// Vector functions (C310) as register code: one `__simd_vf__` function for each isa.vf.
//
// Lanes. An element takes one 32-bit lane whatever its type, 64 per trip: a register of a narrow type holds element i
// in its lane 4 / size * i, as the unpacking loads leave it, and the masks are those of 32-bit lanes, whose bits select
// just these lanes in a register of any narrower type.
//
// Exactness. Operations on half and bfloat16 registers round once, and so does what the Machine computes: it works in
// float and rounds after each operation, and add, subtract, multiply, divide and square root of 11 or 8 significant
// bits rounded through 24 are correctly rounded. The exception is rsqrt, two operations, which is computed in float
// here too. Reductions accumulate element j of a row in lane j mod 64, then one tree over neighbours; sums start from
// -0, which keeps the first addend's zero, and lanes no element reached count as +0 in the tree.
#ifndef TILESMITH_LIB_TARGET_ASCENDC_VECTORFUNCTION_H
#define TILESMITH_LIB_TARGET_ASCENDC_VECTORFUNCTION_H

#include "Places.h"
#include "tilesmith/Dialect/Isa/IsaDialect.h"
#include <map>

namespace tilesmith::ascendc {

class VectorFunctions {
public:
  explicit VectorFunctions(Names &names) : names(names) {}

  // Writes the function under this name, or one like it that is free; parameters are named after the arguments of the
  // call. Returns the name.
  mlir::FailureOr<std::string> add(isa::VfOp vf, llvm::StringRef wanted, const Places &places,
                                   llvm::ArrayRef<std::string> parameterNames);

  // Everything that stands before the kernels: conversions in use, then the functions. Empty without functions.
  std::string definitions() const;

  // A constexpr CastTrait; returns its name. `round` is an enumerator of AscendC::RoundMode.
  std::string castTrait(llvm::StringRef layout, llvm::StringRef saturation, llvm::StringRef round);

private:
  Names &names;
  std::map<std::string, std::string> traits; // name to definition
  std::string functions;
};

} // namespace tilesmith::ascendc

#endif // TILESMITH_LIB_TARGET_ASCENDC_VECTORFUNCTION_H
