// Writes isa instructions: integers that fold while they are written, buffers, and calls in the order of the table.
//
// Invariants
//  - an integer known at compile time never becomes arithmetic
//  - every constant exists once, at the top of the kernel
//  - operands of an instruction stand in the order of its record
#ifndef TILESMITH_TRANSFORMS_LOWERTOISA_EMITTER_H
#define TILESMITH_TRANSFORMS_LOWERTOISA_EMITTER_H

#include "tilesmith/Isa/Chip.h"
#include "tilesmith/Transforms/Passes.h"

namespace tilesmith {

using isa::blockBytes, isa::repeatBytes, isa::fractalBytes, isa::fractalRows;

// A 64-bit integer, or a truth value: an attribute when it is known, otherwise a value.
using Int = mlir::OpFoldResult;

// One operand of an instruction.
class Operand {
public:
  Operand(mlir::Value value) : value(value) {}
  Operand(Int integer) : integer(integer) {}
  Operand(int64_t number) : number(number) {}
  Operand(int number) : number(number) {}
  Operand(isa::RoundMode mode) : number(int64_t(mode)) {}
  Operand(isa::CmpMode mode) : number(int64_t(mode)) {}
  Operand(isa::AtomicOp op) : number(int64_t(op)) {}
  Operand(isa::QuantMode mode) : number(int64_t(mode)) {}

private:
  friend class Emitter;
  mlir::Value value;
  Int integer;
  int64_t number = 0;
};

class Emitter {
public:
  Emitter(mlir::func::FuncOp kernel, isa::Arch arch);

  mlir::OpBuilder b;
  mlir::Location loc;
  const isa::Arch arch;

  // Integers.
  Int known(int64_t number) { return b.getI64IntegerAttr(number); }
  Int truth(bool value) { return b.getBoolAttr(value); }
  static std::optional<int64_t> get(Int integer);
  static bool is(Int integer, int64_t number) { return get(integer) == number; }
  mlir::Value value(Int integer);
  mlir::Value value(int64_t number) { return value(known(number)); }
  // An i32, index or i64 of the kernel as an i64.
  Int widen(mlir::Value scalar);
  Int add(Int a, Int b);
  Int sub(Int a, Int b);
  Int mul(Int a, Int b);
  Int div(Int a, Int b); // both not negative
  Int rem(Int a, Int b); // both not negative
  Int min(Int a, Int b);
  Int max(Int a, Int b);
  Int clamp(Int a, Int low, Int high) { return min(max(a, low), high); }
  Int less(Int a, Int b);
  Int equal(Int a, Int b);
  Int both(Int a, Int b);
  Int either(Int a, Int b);

  // Scalars of an element type.
  mlir::Value scalar(mlir::Type type, double number);

  // Buffers.
  mlir::Value alloc(isa::Memory memory, mlir::Type elementType, int64_t bytes, llvm::StringRef source = "",
                    llvm::StringRef shape = "");
  mlir::Value offset(mlir::Value buffer, Int bytes);
  mlir::Value view(mlir::Value buffer, mlir::Type elementType);
  static mlir::Type elementOf(mlir::Value buffer);
  static int64_t sizeOf(mlir::Type elementType);
  static int64_t sizeOfElement(mlir::Value buffer) { return sizeOf(elementOf(buffer)); }
  // Lanes of one repeat.
  static int64_t lanesOf(mlir::Type elementType) { return repeatBytes / sizeOf(elementType); }

  // Instructions.
  mlir::Operation *emit(llvm::StringRef mnemonic, llvm::ArrayRef<Operand> operands, mlir::Type result = {});
  bool supports(llvm::StringRef mnemonic, mlir::Type elementType) const;

  // Control flow around what `body` emits; nothing is built when the answer is known.
  void when(Int condition, llvm::function_ref<void()> body, llvm::function_ref<void()> otherwise = nullptr);
  void loop(Int from, Int to, llvm::function_ref<void(Int)> body);
  // A loop from 0, or for a few times what it does: instructions that follow each other need no barrier of a loop's
  // end, and their addresses are known.
  void repeat(int64_t times, llvm::function_ref<void(Int)> body);

  // UB to UB, exactly `count` elements; both start on 32 bytes.
  void copyElements(mlir::Value dst, mlir::Value src, int64_t count);
  // Rows of `cols` elements, element by element on the scalar pipe: for rows that do not start on 32 bytes.
  void repack(mlir::Value dst, int64_t dstPitch, mlir::Value src, int64_t srcPitch, int64_t rows, int64_t cols);
  // Every one of `count` elements becomes the scalar; any element type, i1 included.
  void fill(mlir::Value dst, mlir::Value scalar, int64_t count);

private:
  mlir::Attribute attribute(std::string_view enumeration, int64_t number);
  Int fold(Int a, Int b, llvm::function_ref<int64_t(int64_t, int64_t)> evaluate,
           llvm::function_ref<mlir::Value(mlir::Value, mlir::Value)> build);

  mlir::Block *entry;
  llvm::DenseMap<mlir::Attribute, mlir::Value> constants;
};

inline int64_t roundUp(int64_t number, int64_t multiple) { return (number + multiple - 1) / multiple * multiple; }
inline int64_t divideUp(int64_t number, int64_t by) { return (number + by - 1) / by; }

} // namespace tilesmith

#endif // TILESMITH_TRANSFORMS_LOWERTOISA_EMITTER_H
