// What pypto keeps about an operator while it is lowered, and what its builtins share: shapes in force, valid extents,
// conversions, checks of arguments.
//
// A tensor is a value of the graph dialect with one valid extent for each axis: an int, or a runtime number. A memory
// is an argument of the kernel, or a part of one that is written; reading one makes a tensor of it.
#ifndef TILESMITH_LIB_FRONTEND_PYPTO_OPERATOR_H
#define TILESMITH_LIB_FRONTEND_PYPTO_OPERATOR_H

#include "Python/Lowering.h"

#include "tilesmith/Dialect/Graph/Graph.h"

namespace tilesmith::frontend::pypto {

namespace kinds {
extern const Kind *const tensor; // items: valid extents
extern const Kind *const memory; // items: dimensions
extern const Kind *const local;  // a tensor that is written in parts: a cell; items: dimensions
} // namespace kinds

inline bool isTensor(const Value &value) { return value.is(kinds::tensor); }
inline bool isMemory(const Value &value) { return value.is(kinds::memory); }
inline bool isLocal(const Value &value) { return value.is(kinds::local); }
inline bool isArray(const Value &value) { return isTensor(value) || isMemory(value); }
inline graph::WholeTensorType typeOf(const Value &tensor) {
  return llvm::cast<graph::WholeTensorType>(tensor.ir.getType());
}
inline llvm::ArrayRef<int64_t> shapeOf(const Value &tensor) { return typeOf(tensor).getShape(); }
inline DType elementOf(const Value &tensor) { return fromMlir(typeOf(tensor).getElementType()); }
std::string formatShape(llvm::ArrayRef<int64_t> shape);

using Shape = llvm::SmallVector<int64_t>;
using Extents = llvm::SmallVector<Value>;

// The element types a row of Operations.def takes.
enum class DTypes { Floats, Numbers, Any };
enum class ResultType { Same, Widened, Bool, Other };
struct Operation {
  llvm::StringLiteral name;
  unsigned kind;
  DTypes dtypes;
  ResultType result;
};
const Operation &operationOf(const Arguments &args);

class Operator final : public Session {
public:
  using Session::Session;
  static Operator &of(Lowering &lowering) { return static_cast<Operator &>(lowering.session()); }

  bool start(const KernelRequest &request, llvm::ArrayRef<Value> added) override;

  // Arguments of builtins. Each reports what is wrong and returns nothing then.
  Value expectTensor(const Argument &argument, llvm::StringRef what);
  bool checkDType(const Value &tensor, DTypes allowed, const Arguments &args);
  std::optional<Shape> expectShape(llvm::ArrayRef<Value> items, const Range &range, llvm::StringRef what);
  std::optional<DType> expectDType(const Argument &argument);
  std::optional<int64_t> expectAxis(const Argument &argument, int64_t rank);
  // Numbers known while compiling or not.
  std::optional<Extents> expectNumbers(const Argument &argument, llvm::StringRef what);

  // Making values.
  Value makeTensor(mlir::Value ir, Extents extents);
  Extents fullExtents(llvm::ArrayRef<int64_t> shape);
  graph::WholeTensorType makeType(llvm::ArrayRef<int64_t> shape, DType dtype);
  // How large an array is along each axis: an int, or a runtime number.
  Extents dimsOf(const Value &array);
  // A memory in another shape: the same elements, which a write changes for both.
  Value reshaped(const Value &memory, Extents dims, const Range &range);
  // The tensor an array stands for.
  Value read(const Value &array, const Range &range);
  Value view(const Value &array, llvm::ArrayRef<int64_t> shape, llvm::ArrayRef<Value> offsets,
             std::optional<Extents> valid, const Range &range);
  bool assemble(const Value &value, const Value &memory, llvm::ArrayRef<Value> offsets, const Range &range,
                bool atomic = false);
  Value cast(const Value &tensor, DType dtype, const Range &range);
  Value unary(graph::UnaryKind kind, const Value &tensor, const Range &range);
  Value binary(graph::BinaryKind kind, const Value &lhs, const Value &rhs, const Range &range,
               ResultType result = ResultType::Same);
  Value compare(tile::CompareKind kind, const Value &lhs, const Value &rhs, const Range &range);
  Value select(const Value &condition, const Value &lhs, const Value &rhs, const Range &range);
  Value expand(const Value &tensor, llvm::ArrayRef<int64_t> shape, const Range &range);
  Value reshape(const Value &tensor, llvm::ArrayRef<int64_t> shape, Extents extents, const Range &range);
  // Where each element stands along an axis.
  Value iota(llvm::ArrayRef<int64_t> shape, int64_t axis, DType dtype, const Range &range);
  Value filled(llvm::ArrayRef<int64_t> shape, const Value &number, DType dtype, const Range &range);
  Value reduce(tile::ReduceKind kind, const Value &tensor, int64_t axis, bool keep, const Range &range);
  // The shape all broadcast to, and the valid extents of the result; nothing after an error.
  std::optional<std::pair<Shape, Extents>> broadcast(llvm::ArrayRef<Value> tensors, const Range &range);

  // Numbers of the scalar code, folded where they are known.
  mlir::Value i32(const Value &number, const Range &range) { return scalars.convert(number, DType::I32, range); }
  Value plus(const Value &a, const Value &b, const Range &range);
  Value minus(const Value &a, const Value &b, const Range &range);
  Value atMost(const Value &a, const Value &b, const Range &range);
  Value atLeast(const Value &a, const Value &b, const Range &range);
  // What a number is known to be; nothing: only the launch tells.
  std::optional<int64_t> known(const Value &number);

  mlir::DenseI64ArrayAttr vectorTile();
  mlir::DenseI64ArrayAttr cubeTile();

  Shape vectorShape;  // set_vec_tile_shapes; empty: not set
  Shape cubeShape[3]; // set_cube_tile_shapes: of m, k, n the sizes in L0 and L1
  bool splitK = false;

  bool checkPositive(llvm::ArrayRef<int64_t> shape, const Range &range, llvm::StringRef what);
  // A number, or a tensor; one of an Element.
  Value operand(const Argument &argument, llvm::StringRef what);
  std::optional<Shape> shapeArgument(const Argument &argument, llvm::StringRef what);
  // The array an argument names; what is written into it is seen by all.
  Value expectArray(const Argument &argument, llvm::StringRef what);
  // valid_shape, or nothing; false after an error.
  bool validArgument(const Argument &argument, llvm::ArrayRef<int64_t> shape, std::optional<Extents> &valid);

private:
  std::optional<DType> operandType(const Value &lhs, const Value &rhs, const Range &range);
};

template <Value (*lower)(Operator &, const Arguments &)> Value on(Lowering &l, const Arguments &args) {
  return lower(Operator::of(l), args);
}

// One axis of an index: where it begins and how long it is, if that is known; a number drops the axis. Without a start,
// what is written ends at `stop`.
struct Piece {
  Value start, stop;
  std::optional<int64_t> size; // kDynamic: the whole dynamic axis
  bool drops = false;
};
std::optional<llvm::SmallVector<Piece>> piecesOf(Operator &o, const Value &array, const Value &index, bool isWrite,
                                                 const Range &range);
Value readItem(Operator &o, const Value &array, const Value &index, const Range &range);
bool writeItem(Operator &o, const Value &memory, const Value &index, const Value &value, const Range &range);

llvm::StringRef tensorMethod(llvm::StringRef name);
std::vector<std::string> tensorMethodNames();

Value unary(Operator &o, const Arguments &args);
Value binary(Operator &o, const Arguments &args);
Value compare(Operator &o, const Arguments &args);
Value round(Operator &o, const Arguments &args);
Value logicalNot(Operator &o, const Arguments &args);
Value logicalAnd(Operator &o, const Arguments &args);
Value where(Operator &o, const Arguments &args);
Value clip(Operator &o, const Arguments &args);
Value cast(Operator &o, const Arguments &args);
Value view(Operator &o, const Arguments &args);
Value assemble(Operator &o, const Arguments &args);
Value move(Operator &o, const Arguments &args);
Value reshape(Operator &o, const Arguments &args);
Value unsqueeze(Operator &o, const Arguments &args);
Value transpose(Operator &o, const Arguments &args);
Value permute(Operator &o, const Arguments &args);
Value clone(Operator &o, const Arguments &args);
Value expandClone(Operator &o, const Arguments &args);
Value localTensor(Operator &o, const Arguments &args);
Value full(Operator &o, const Arguments &args);
Value zeros(Operator &o, const Arguments &args);
Value ones(Operator &o, const Arguments &args);
Value reduce(Operator &o, const Arguments &args);
Value softmax(Operator &o, const Arguments &args);
Value rmsNorm(Operator &o, const Arguments &args);
Value matmul(Operator &o, const Arguments &args);
Value arange(Operator &o, const Arguments &args);
Value concat(Operator &o, const Arguments &args);
Value argument(Operator &o, const Arguments &args);
Value variance(Operator &o, const Arguments &args);
Value cumsum(Operator &o, const Arguments &args);
Value topk(Operator &o, const Arguments &args);
Value argsort(Operator &o, const Arguments &args);

Value atomicAdd(Operator &o, const Arguments &args);
Value gather(Operator &o, const Arguments &args);
Value indexSelect(Operator &o, const Arguments &args);
Value scatter(Operator &o, const Arguments &args);
Value scatterInPlace(Operator &o, const Arguments &args);
Value scatterUpdate(Operator &o, const Arguments &args);
Value indexPut(Operator &o, const Arguments &args);
Value indexAdd(Operator &o, const Arguments &args);
Value pad(Operator &o, const Arguments &args);
Value fillPad(Operator &o, const Arguments &args);
Value triangle(Operator &o, const Arguments &args);
Value oneHot(Operator &o, const Arguments &args);
Value cumprod(Operator &o, const Arguments &args);
Value hypot(Operator &o, const Arguments &args);
Value floorDiv(Operator &o, const Arguments &args);
Value ceilDiv(Operator &o, const Arguments &args);
Value leakyRelu(Operator &o, const Arguments &args);
Value prelu(Operator &o, const Arguments &args);
Value axpy(Operator &o, const Arguments &args);
Value expDifference(Operator &o, const Arguments &args);
Value copySign(Operator &o, const Arguments &args);
Value sign(Operator &o, const Arguments &args);
Value signBit(Operator &o, const Arguments &args);
Value isNan(Operator &o, const Arguments &args);
Value isFinite(Operator &o, const Arguments &args);
Value bitwise(Operator &o, const Arguments &args);
Value bitwiseNot(Operator &o, const Arguments &args);
Value asin(Operator &o, const Arguments &args);
Value acos(Operator &o, const Arguments &args);
Value atan(Operator &o, const Arguments &args);
Value atan2(Operator &o, const Arguments &args);
Value asinh(Operator &o, const Arguments &args);
Value acosh(Operator &o, const Arguments &args);
Value atanh(Operator &o, const Arguments &args);
Value cbrt(Operator &o, const Arguments &args);
Value gatherMask(Operator &o, const Arguments &args);

llvm::ArrayRef<Builtin::Row> controlBuiltins();

} // namespace tilesmith::frontend::pypto

#endif // TILESMITH_LIB_FRONTEND_PYPTO_OPERATOR_H
