// WholeReduceSum, WholeReduceMax, WholeReduceMin: one result per repeat.
//
// A repeat of 16-bit elements has 128 lanes; the tree over neighbours of 128 lanes is the sum of the trees of its
// halves. f16 and bf16 sums are formed in f32 and rounded once. Unsigned types are those of registers: the instructions
// on UB have none.
#include "Variant.h"

namespace tilesmith::machine::TS_EXEC_VARIANT {

namespace {
template <typename T> struct Neutral {
  static constexpr bool isSigned = T(-1) < T(0);
  static constexpr int32_t lowest = isSigned ? -(int32_t(1) << (8 * sizeof(T) - 2)) * 2 : 0;
  static constexpr int32_t highest = isSigned ? ~lowest : int32_t(T(-1));
};

#define TS_REDUCE(NAME, TREE, COMBINE, FLOAT_NEUTRAL, INT_NEUTRAL)                                                     \
  template <typename T> struct NAME {                                                                                  \
    TS_ELEMENT LaneOf<T> neutral() {                                                                                   \
      if constexpr (isFloat<T>)                                                                                        \
        return el::splat(float(FLOAT_NEUTRAL));                                                                        \
      else                                                                                                             \
        return el::splat(int32_t(INT_NEUTRAL));                                                                        \
    }                                                                                                                  \
    static void run(const Rows &r) {                                                                                   \
      for (int64_t row = 0; row < r.rows; ++row) {                                                                     \
        LaneOf<T> result = neutral();                                                                                  \
        for (int64_t column = 0; column < r.cols; column += kLanes) {                                                  \
          int64_t count = r.cols - column;                                                                             \
          LaneOf<T> x = el::load<T>(source<T>(r, 0, row, column), count);                                              \
          LaneOf<T> tree = LaneOf<T>(TREE(el::select(el::prefixMask(count), x, neutral())));                           \
          result = column ? COMBINE(result, tree) : tree;                                                              \
        }                                                                                                              \
        el::storeResult<T>(target<T>(r, row, 0), result, 1);                                                           \
      }                                                                                                                \
    }                                                                                                                  \
  };
TS_REDUCE(Sum, el::treeSum, el::add, 0.0f, 0)
TS_REDUCE(Max, maximumOf<T>, maximum<T>, -__builtin_inff(), Neutral<T>::lowest)
TS_REDUCE(Min, minimumOf<T>, minimum<T>, __builtin_inff(), Neutral<T>::highest)
#undef TS_REDUCE
} // namespace

RowsFn reduceKernel(Opcode op, DType dtype) {
  switch (op) {
  case Opcode::WholeReduceSum:
    return pick<Sum, F16, BF16, float, int16_t, int32_t, uint32_t>(dtype);
  case Opcode::WholeReduceMax:
    return pick<Max, F16, BF16, float, int16_t, uint16_t, int32_t, uint32_t>(dtype);
  case Opcode::WholeReduceMin:
    return pick<Min, F16, BF16, float, int16_t, uint16_t, int32_t, uint32_t>(dtype);
  default:
    return nullptr;
  }
}

} // namespace tilesmith::machine::TS_EXEC_VARIANT
