// What a Python expression inside a kernel evaluates to.
//
// A value is either known while compiling (Host, and sequences, ranges and methods made of it) or exists when the
// kernel runs (Scalar, Tile, Accumulator, Tensor, Address: these hold IR). An invalid value means that an error was
// reported.
#ifndef TILESMITH_LIB_FRONTEND_VALUE_H
#define TILESMITH_LIB_FRONTEND_VALUE_H

#include "tilesmith/Dialect/Tile/Tile.h"
#include "tilesmith/Frontend/HostEval.h"

#include <memory>

namespace tilesmith::frontend {

struct Compound;

struct Value {
  enum Kind : uint8_t {
    Invalid,
    Host,        // a Python object
    Scalar,      // PlainValue: a runtime number
    Tile,        // a value in on-chip memory
    Accumulator, // result of zeros_acc: a cell that matmul_acc writes
    Tensor,      // an array in global memory; items: its dims
    Address,     // GlobalAddress; items: the element offset, if any
    Sequence,    // a tuple or list with any elements
    Method,      // bound method of a value; items: the value
    Range,       // range(...); items: start, stop, step
    Slice,       // items: lower, upper, step
    Mask,        // asc2.mask(...); items: count, bits, other, each or None
  };

  Kind kind = Invalid;
  DType dtype = DType::Void; // Scalar, Tensor, Address
  unsigned cell = 0;         // Accumulator
  mlir::Value ir;            // Scalar, Tile, Tensor, Address
  HostRef host;              // Host
  std::shared_ptr<Compound> parts;

  explicit operator bool() const { return kind != Invalid; }
  bool isHost() const { return kind == Host; }
  bool isScalar() const { return kind == Scalar; }
  bool isTile() const { return kind == Tile; }
  bool isSequence() const { return kind == Sequence; }

  llvm::ArrayRef<Value> items() const;
  tile::TileType tileType() const { return llvm::cast<tile::TileType>(ir.getType()); }
  // Element type of a tile.
  DType elementType() const { return fromMlir(tileType().getElementType()); }

  static Value ofHost(HostRef object);
  static Value ofScalar(mlir::Value ir, DType dtype);
  static Value ofTile(mlir::Value ir);
  static Value ofAccumulator(unsigned cell);
  static Value ofTensor(mlir::Value ir, DType dtype, llvm::ArrayRef<Value> dims);
  static Value ofAddress(mlir::Value base, DType dtype);
  static Value ofAddress(mlir::Value base, DType dtype, const Value &offset);
  static Value ofSequence(llvm::ArrayRef<Value> items, bool isList, unsigned region = 0);
  static Value ofMethod(const Value &receiver, llvm::StringRef name);
};

// The compile-time part of a value that has parts.
struct Compound {
  llvm::SmallVector<Value, 3> items;
  bool isList = false;
  bool isShape = false;        // shape of a tensor or tile
  DType arrayOf = DType::Void; // asc.array: what each item is
  unsigned region = 0;         // where a list was made: it may only be changed there
  std::string method;          // Method
  bool isStatic = false;       // Range: unrolled while compiling
  int64_t unrollFactor = 1;
  bool parallel = false;
};

} // namespace tilesmith::frontend

#endif // TILESMITH_LIB_FRONTEND_VALUE_H
