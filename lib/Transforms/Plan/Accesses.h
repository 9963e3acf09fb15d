// Which bytes an instruction touches, as far as the IR tells.
//
// An access names the buffer it starts from (an isa.alloc or a kernel argument), the ring's slot if it goes through
// one, a byte offset as a linear form and an upper bound of its length. Unknown parts are widened, never narrowed.
#ifndef TILESMITH_LIB_TRANSFORMS_PLAN_ACCESSES_H
#define TILESMITH_LIB_TRANSFORMS_PLAN_ACCESSES_H

#include "Linear.h"
#include "tilesmith/Dialect/Isa/IsaDialect.h"

namespace tilesmith::plan {

// Where an address value may point. A value that travels through control flow may have several places.
struct Place {
  mlir::Value root;                        // result of isa.alloc, or kernel argument; null: anywhere in the memory
  mlir::Value slot;                        // index given to isa.slot
  std::optional<Linear> offset = Linear(); // bytes from the root (or slot); nullopt: anywhere in it
};
llvm::SmallVector<Place, 1> placesOf(mlir::Value buffer);

// A move that touches rows of an array in GM: at most `count`, `length` bytes of each, `pitch` bytes apart.
struct Rows {
  int64_t count = 1;
  Linear pitch, length;
};

// What a vector instruction touches repeat after repeat: so many bytes, `pitch` bytes apart.
struct Repeats {
  int64_t pitch, bytes;

  // Whether others that begin `distance` bytes further on lie in the gaps, whatever the numbers of repeats.
  bool misses(const Repeats &other, int64_t distance) const {
    if (pitch <= 0 || pitch != other.pitch)
      return false;
    int64_t behind = (distance % pitch + pitch) % pitch;
    return bytes <= behind && behind + other.bytes <= pitch;
  }
};

struct Access {
  isa::Memory memory = isa::Memory::UB;
  Place place;
  std::optional<int64_t> size; // at most so many bytes from the offset; nullopt: to the end of the buffer
  bool write = false;
  std::optional<Rows> rows = {};
  std::optional<Repeats> repeats = {};
};

// The pipe an op runs on; none for ops that are not instructions (scalar arithmetic, control flow, buffers).
std::optional<isa::Pipe> pipeOf(mlir::Operation *op);

// Reads and writes of an instruction, in operand order.
llvm::SmallVector<Access, 4> accessesOf(mlir::Operation *op);

// As accessesOf, but naming operands instead of places: for those who evaluate addresses themselves.
struct OperandAccess {
  mlir::Value buffer;
  std::optional<int64_t> size;
  bool write;
  std::optional<Rows> rows = {};
  std::optional<Repeats> repeats = {};
};
llvm::SmallVector<OperandAccess, 4> operandAccessesOf(mlir::Operation *op);

} // namespace tilesmith::plan

#endif // TILESMITH_LIB_TRANSFORMS_PLAN_ACCESSES_H
