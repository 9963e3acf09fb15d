// Which values an integer of the kernel can have, as far as its definition tells.
//
// Three places ask, with three assumptions about what arithmetic does; facts about the kernel (a launch has at
// most isa::mostBlocks blocks) are the same for all of them.
#ifndef TILESMITH_DIALECT_ISA_RANGES_H
#define TILESMITH_DIALECT_ISA_RANGES_H

#include "mlir/IR/Value.h"
#include "llvm/ADT/DenseMap.h"

#include <optional>

namespace tilesmith::isa {

// Both ends included. Wide enough for any sum or product of two 64-bit integers.
struct Range {
  __int128 low, high;

  bool isOne() const { return low == high; }
  bool within(const Range &other) const { return other.low <= low && high <= other.high; }
};

// All values of an integer type (index has 64 bits; one bit counts 0 and 1).
Range rangeOfType(mlir::Type type);

enum class Arithmetic {
  // As the IR defines it: a result that may leave its type can be anything in it.
  Wraps,
  // Taken not to overflow: an offset that does is outside every tensor the model can hold, and the Machine reports it.
  IsExact,
  // The same for sizes and counts, which are never negative.
  OfSizes,
};

// Values must not change while they are remembered here.
class Ranges {
public:
  explicit Ranges(Arithmetic arithmetic) : arithmetic(arithmetic) {}

  Range of(mlir::Value value);
  // The largest value; nothing where it is not known. Not for arithmetic that wraps, which always has one.
  std::optional<int64_t> highest(mlir::Value value);
  // What the operation would give without wrapping; nothing where that is not known.
  std::optional<Range> unwrapped(mlir::Operation *op);

private:
  bool wraps() const { return arithmetic == Arithmetic::Wraps; }
  Range anyOf(mlir::Type type) const;
  Range compute(mlir::Value value);
  Range ofCounter(mlir::BlockArgument counter);
  Range ofQuotient(mlir::Operation *op);
  Range ofRemainder(mlir::Operation *op);
  std::optional<Range> ofCast(mlir::Operation *op);

  Arithmetic arithmetic;
  llvm::DenseMap<mlir::Value, Range> known;
  // Definitions deeper than we look are part of the result; asked for directly, more would be known.
  llvm::DenseMap<mlir::Value, Range> provisional;
  unsigned depth = 0;
  bool wasCut = false;
};

// One value, where definitions change between questions.
Range rangeOf(mlir::Value value, Arithmetic arithmetic);

} // namespace tilesmith::isa

#endif // TILESMITH_DIALECT_ISA_RANGES_H
