// Register code of a vector function, lane arithmetic by element functions.
//
// A register is 64 lanes in memory of the frame, an operation a call of an element function on such memory. Inlining
// and SROA turn both into vector registers. Floats of any width are f32 lanes holding values of their type, integers
// and masks i32 lanes (a mask is 0 or -1).
#ifndef TILESMITH_LIB_TARGET_HOST_VECTORCODE_H
#define TILESMITH_LIB_TARGET_HOST_VECTORCODE_H

#include "VectorFunction.h"

namespace tilesmith::host {

struct LaneType {
  isa::DType dtype = isa::DType::F32;

  bool isFloat() const { return dtype <= isa::DType::F32; }
  bool isUnsigned() const { return dtype >= isa::DType::U8 && dtype <= isa::DType::U64; }
  bool isMask() const { return dtype == isa::DType::I1; }
  bool isWide() const { return dtype == isa::DType::F32 || dtype == isa::DType::I32 || dtype == isa::DType::U32; }
  std::string name() const; // as element functions spell it: f16, u8 ...
};

// Null for element types that do not fit into lanes of 32 bits.
std::optional<LaneType> laneTypeOf(mlir::Type element);

class VectorCode {
public:
  // Frame memory is reserved at the head of `entry`.
  VectorCode(mlir::Block *entry, Lowering &lowering);

  mlir::Value reserve(LaneType type);
  void splat(mlir::Value scalar, mlir::Value reg);
  void setConstant(mlir::TypedAttr value, LaneType type, mlir::Value reg);

  // Memory. `count` is a constant.
  void load(mlir::Value at, int64_t count, LaneType type, mlir::Value reg);
  void store(mlir::Value at, int64_t count, LaneType type, mlir::Value reg);
  void loadOne(mlir::Value at, LaneType type, mlir::Value reg); // one element in all lanes
  // A scalar of the element type as what one lane holds.
  mlir::Value toLane(mlir::Value scalar, LaneType type);

  // The bits of 16-bit floats in lanes of u16.
  void narrowToBits(LaneType type, mlir::Value reg, mlir::Value bits);
  // Lanes of u16, or whatever else is chosen by its bits.
  void selectBits(mlir::Value mask, mlir::Value a, mlir::Value b, mlir::Value result);

  // `canonical`: with NaNs as results have them. They are made so before the result is rounded: the conversion of a
  // store folds into the rounding's.
  mlir::LogicalResult compute(isa::VfComputeOp op, mlir::ValueRange operands, mlir::Value result, bool canonical);

  // Reductions in the canonical order.
  void startReduction(isa::VfReduction kind, LaneType type, int64_t cols, mlir::Value accumulator);
  void accumulate(isa::VfReduction kind, LaneType type, mlir::Value reg, int64_t count, mlir::Value accumulator);
  void finishReduction(isa::VfReduction kind, LaneType type, mlir::Value accumulator, mlir::Value at);
  // One result for each `width` lanes; the first `results` of them are stored.
  void reduceGroups(isa::VfReduction kind, LaneType type, mlir::Value reg, int64_t width, int64_t results,
                    mlir::Value at);

  mlir::Value offset(mlir::Value pointer, mlir::Value bytes);

  mlir::OpBuilder b;
  mlir::Location loc; // of what is being emitted

private:
  mlir::Type laneScalar(LaneType type);
  mlir::Type vectorType(LaneType type);
  mlir::Value vector(mlir::Value reg, LaneType type); // the lanes as a value
  mlir::Value call(llvm::Twine name, mlir::ValueRange args, mlir::Type result = {});
  void loadBits(mlir::Value at, int64_t count, mlir::Value reg);
  void storeBits(mlir::Value at, int64_t count, mlir::Value reg);
  mlir::LogicalResult cast(isa::VfComputeOp op, LaneType from, LaneType to, mlir::Value source, mlir::Value result,
                           bool canonical);

  mlir::Block *entry;
  Lowering &lowering;
};

} // namespace tilesmith::host

#endif // TILESMITH_LIB_TARGET_HOST_VECTORCODE_H
