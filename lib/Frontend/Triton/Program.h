// What Triton's language keeps about a program while it is lowered, and what its builtins share.
//
// A value of the language is a tensor: a tile in UB, or a number of Python's core if it has no dimension. A pointer is
// an array and an offset in elements, which is a number or a tile of i32. A block pointer is an array, extents, strides
// and where the block stands, all numbers. So whatever control flow carries is tiles and numbers.
#ifndef TILESMITH_LIB_FRONTEND_TRITON_PROGRAM_H
#define TILESMITH_LIB_FRONTEND_TRITON_PROGRAM_H

#include "Python/Lowering.h"

#include "tilesmith/Dialect/Triton/Triton.h"

namespace tilesmith::frontend::triton {

using Shape = llvm::SmallVector<int64_t>;

namespace kinds {
extern const Kind *const tensor;     // a tile
extern const Kind *const pointer;    // ir: the array; dtype: of its elements; items: the offset
extern const Kind *const block;      // a block pointer; BlockParts
extern const Kind *const descriptor; // a tensor descriptor: a block pointer without a place of its own
} // namespace kinds

// items: the base's offset, then extents, strides and offsets of each dimension.
struct BlockParts : Parts {
  Shape shape; // of the block
};

inline bool isTensor(const Value &value) { return value.is(kinds::tensor); }
inline bool isPointer(const Value &value) { return value.is(kinds::pointer); }
inline tile::TileType typeOf(const Value &tensor) { return llvm::cast<tile::TileType>(tensor.ir.getType()); }
inline llvm::ArrayRef<int64_t> shapeOf(const Value &tensor) { return typeOf(tensor).getShape(); }
inline DType elementOf(const Value &tensor) { return fromMlir(typeOf(tensor).getElementType()); }
std::string formatShape(llvm::ArrayRef<int64_t> shape);

Value ofTensor(mlir::Value ir);
Value ofPointer(mlir::Value base, DType dtype, const Value &offset);

// The operators of the language.
enum class Op { Add, Sub, Mul, Div, FloorDiv, Mod, And, Or, Xor, Shl, Shr, Max, Min, Compare, Choose };

class Program final : public Session {
public:
  using Session::Session;
  static Program &of(Lowering &lowering) { return static_cast<Program &>(lowering.session()); }

  bool start(const KernelRequest &request, llvm::ArrayRef<Value> added) override;

  // A tile or a number.
  bool isValue(const Value &value) { return isTensor(value) || values.isNumeric(value); }
  // Each reports what is wrong and returns nothing then.
  Value expectValue(const Arguments &args, unsigned index);
  Value expectTile(const Arguments &args, unsigned index);
  std::optional<Shape> expectShape(const Argument &argument);
  std::optional<Shape> restAsShape(const Arguments &args);
  std::optional<DType> expectDType(const Argument &argument);
  std::optional<int64_t> expectAxis(const Argument &argument, int64_t rank);

  tile::TileType makeType(llvm::ArrayRef<int64_t> shape, DType dtype);
  bool checkType(llvm::ArrayRef<int64_t> shape, DType dtype, const Range &range);
  Shape shapeOfAny(const Value &value) { return isTensor(value) ? Shape(shapeOf(value)) : Shape(); }

  // Rules of types (Types.cpp). Nothing after an error.
  std::optional<DType> promote(Op op, const Value &lhs, const Value &rhs, const Range &range);
  // The value as one of this type: a tile, or a number.
  Value convert(const Value &value, DType dtype, const Range &range);

  // Operators (Elementwise.cpp).
  Value binary(Op op, const Value &lhs, const Value &rhs, const Range &range);
  Value compare(tile::CompareKind kind, const Value &lhs, const Value &rhs, const Range &range);
  Value unary(ast::UnaryOperator op, const Value &operand, const Range &range);
  Value select(const Value &condition, const Value &lhs, const Value &rhs, const Range &range);
  Value function(tile::UnaryKind kind, const Value &operand, const Range &range);

  // Shapes (Shape.cpp).
  std::optional<Shape> commonShape(llvm::ArrayRef<int64_t> a, llvm::ArrayRef<int64_t> b, const Range &range);
  Value broadcast(const Value &value, llvm::ArrayRef<int64_t> shape, const Range &range); // of tiles and numbers
  Value reshape(const Value &tensor, llvm::ArrayRef<int64_t> shape, const Range &range);
  Value transpose(const Value &tensor, llvm::ArrayRef<int64_t> axes, const Range &range);
  Value item(const Value &base, const Value &index, const Range &range);
  Value arange(int64_t start, int64_t end, const Range &range);

  // Pointers (Memory.cpp).
  Value move(const Value &pointer, const Value &elements, bool back, const Range &range);

  // 0, 1, ... along one dimension of `shape`; all others have size 1.
  Value countedAlong(llvm::ArrayRef<int64_t> shape, size_t dim, const Range &range);

  // Elements of a tile whose positions along an axis are those of `index`, a tile of the result's shape (Index.cpp).
  Value gather(const Value &tile, const Value &index, int64_t axis, const Range &range);
  // The same where there is a number or a tile for each dimension, which broadcasts to `shape`.
  Value gatherAt(const Value &tile, llvm::ArrayRef<Value> indices, llvm::ArrayRef<int64_t> shape, const Range &range);

  // Objects of the host that stand for a type: tl.float32, and the type of a pointer to it.
  Value dtypeObject(DType dtype, bool isPointer);

  Value grid[3];

private:
  HostRef dtypeClass, pointerClass;
};

template <Value (*lower)(Program &, const Arguments &)> Value on(Lowering &l, const Arguments &args);

// What a row of TritonOperations.def says beside its name.
llvm::StringRef kindOf(const Arguments &args);  // "exp": the operation of tile IR
llvm::StringRef methodOf(llvm::StringRef name); // the builtin behind a method of tensors; empty: none
std::vector<std::string> methodNames();
// The tile without an axis of size 1, or with it; without any dimension left, a number (Reduce.cpp).
Value withoutAxis(Program &p, const Value &kept, int64_t axis, bool keep, const Range &range);
// Elements `start` to `start + count` along an axis (Index.cpp).
Value sliced(Program &p, const Value &tile, int64_t axis, int64_t start, int64_t count, const Range &range);
std::optional<Value> operatorOf(Lowering &l, ast::Operator op, const Value &lhs, const Value &rhs, const Range &range);
// A method of a number: a value that is called.
std::optional<Value> numberMethod(const Value &number, llvm::StringRef name);
Value receiverOf(const Value &value); // the number such a method belongs to, or the value itself

// The families of TritonOperations.def.
#define TRITON_FAMILY(name) Value name(Program &p, const Arguments &args)
TRITON_FAMILY(programId);
TRITON_FAMILY(numPrograms);
TRITON_FAMILY(arange);
TRITON_FAMILY(full);
TRITON_FAMILY(zeros);
TRITON_FAMILY(zerosLike);
TRITON_FAMILY(load);
TRITON_FAMILY(store);
TRITON_FAMILY(atomic);
TRITON_FAMILY(compareAndSwap);
TRITON_FAMILY(makeBlockPtr);
TRITON_FAMILY(advance);
TRITON_FAMILY(unary);
TRITON_FAMILY(extremum);
TRITON_FAMILY(logical);
TRITON_FAMILY(divide);
TRITON_FAMILY(power);
TRITON_FAMILY(mulHigh);
TRITON_FAMILY(where);
TRITON_FAMILY(cast);
TRITON_FAMILY(broadcastTo);
TRITON_FAMILY(broadcast);
TRITON_FAMILY(expandDims);
TRITON_FAMILY(reshape);
TRITON_FAMILY(ravel);
TRITON_FAMILY(permute);
TRITON_FAMILY(reduce);
TRITON_FAMILY(arg);
TRITON_FAMILY(cumsum);
TRITON_FAMILY(reduceWith);
TRITON_FAMILY(scanWith);
TRITON_FAMILY(sort);
TRITON_FAMILY(join);
TRITON_FAMILY(interleave);
TRITON_FAMILY(split);
TRITON_FAMILY(makeDescriptor);
TRITON_FAMILY(loadDescriptor);
TRITON_FAMILY(storeDescriptor);
TRITON_FAMILY(flip);
TRITON_FAMILY(gather);
TRITON_FAMILY(extractSlice);
TRITON_FAMILY(insertSlice);
TRITON_FAMILY(getElement);
TRITON_FAMILY(cat);
TRITON_FAMILY(dot);
TRITON_FAMILY(staticRange);
TRITON_FAMILY(range);
TRITON_FAMILY(staticAssert);
TRITON_FAMILY(accept);
TRITON_FAMILY(same);
TRITON_FAMILY(devicePrint);
TRITON_FAMILY(constexprOf);
#undef TRITON_FAMILY

template <Value (*lower)(Program &, const Arguments &)> Value on(Lowering &l, const Arguments &args) {
  Arguments read = args;
  for (auto *list : {&read.named})
    for (Argument &argument : *list)
      if (argument)
        argument.value = receiverOf(argument.value);
  return lower(Program::of(l), read);
}

} // namespace tilesmith::frontend::triton

#endif // TILESMITH_LIB_FRONTEND_TRITON_PROGRAM_H
