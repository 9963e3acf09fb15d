// Tilings of matrix products, as host programs ask for them (namespace matmul_tiling). What is computed is the
// library's (Machine/CubeTiling.h).
#ifndef TILESMITH_ASCENDC_MATMUL_HOST_H
#define TILESMITH_ASCENDC_MATMUL_HOST_H

#include "tilesmith/Machine/CubeTiling.h"
#include "tilesmith/host.h"
#include "tilesmith/matmul_tilings.h"
#include "tiling/platform/platform_ascendc.h"
#include <algorithm>
#include <string.h>
#ifdef TILESMITH_KERNELS_ONLY
#pragma weak tilesmith_cube_problem
#pragma weak tilesmith_cube_tiling
#pragma weak tilesmith_cube_parts
#endif

namespace matmul_tiling {

enum class TPosition : int32_t {
  GM,
  A1,
  A2,
  B1,
  B2,
  C1,
  C2,
  CO1,
  CO2,
  VECIN,
  VECOUT,
  VECCALC,
  LCM = VECCALC,
  SPM,
  SHM = SPM,
  TSCM,
  MAX
};
enum class CubeFormat : int32_t { ND = 0, NZ, ZN, ZZ, NN, ND_ALIGN, SCALAR, VECTOR, ROW_MAJOR, COLUMN_MAJOR };
enum class DataType : int32_t {
  DT_FLOAT = 0,
  DT_FLOAT16 = 1,
  DT_INT8 = 2,
  DT_INT32 = 3,
  DT_UINT8 = 4,
  DT_INT16 = 6,
  DT_UINT16 = 7,
  DT_UINT32 = 8,
  DT_INT64 = 9,
  DT_UINT64 = 10,
  DT_DOUBLE = 11,
  DT_BOOL = 12,
  DT_BF16 = 27,
  DT_BFLOAT16 = 27,
  DT_INT4 = 29
};
enum class DequantType : int32_t { SCALAR = 0, TENSOR };
enum class MatrixMadType : int32_t { NORMAL = 0, HF32, MXMODE };
enum class MatrixTraverse : int32_t { NOSET = 0, FIRSTM, FIRSTN };
enum class ScheduleType : int32_t { INNER_PRODUCT = 0, OUTER_PRODUCT };

struct MatmulConfigParams {
  int32_t mmConfigType = 1;
  bool enableL1CacheUB = false;
  ScheduleType scheduleType = ScheduleType::INNER_PRODUCT;
  MatrixTraverse traverse = MatrixTraverse::NOSET;
  bool enVecND2NZ = false;

  MatmulConfigParams(int32_t type = 1, bool l1CacheUB = false, ScheduleType schedule = ScheduleType::INNER_PRODUCT,
                     MatrixTraverse order = MatrixTraverse::NOSET, bool vecND2NZ = false)
      : mmConfigType(type), enableL1CacheUB(l1CacheUB), scheduleType(schedule), traverse(order), enVecND2NZ(vecND2NZ) {}
};

// The tiling of a product on one core. Setters return 0; GetTiling returns 0, or -1 where sizes are missing or nothing
// fits.
class MatmulApiTiling {
public:
  MatmulApiTiling() : MatmulApiTiling(platform_ascendc::PlatformAscendC()) {}
  explicit MatmulApiTiling(const platform_ascendc::PlatformAscendC &platform) {
    tilesmith_cube_problem(&problem);
    using platform_ascendc::CoreMemType;
    const CoreMemType types[] = {CoreMemType::L1, CoreMemType::L0_A, CoreMemType::L0_B, CoreMemType::L0_C,
                                 CoreMemType::BT};
    int32_t *sizes[] = {&problem.l1, &problem.l0a, &problem.l0b, &problem.l0c, &problem.bt};
    for (int i = 0; i < 5; ++i) {
      uint64_t size;
      platform.GetCoreMemSize(types[i], size);
      *sizes[i] = int32_t(size);
    }
    whole = problem;
  }
  virtual ~MatmulApiTiling() = default;

  int32_t SetAType(TPosition, CubeFormat, DataType type, bool = false) { return ask(problem.bitsA, bitsOf(type)); }
  int32_t SetBType(TPosition, CubeFormat, DataType type, bool = false) { return ask(problem.bitsB, bitsOf(type)); }
  int32_t SetCType(TPosition, CubeFormat, DataType) { return 0; }
  int32_t SetBiasType(TPosition, CubeFormat, DataType) { return 0; }
  int32_t EnableBias(bool isBias = false) { return ask(problem.hasBias, isBias); }
  int32_t SetBias(bool isBias = false) { return EnableBias(isBias); }
  int32_t SetDequantType(DequantType) { return 0; }
  int32_t SetMadType(MatrixMadType) { return 0; }
  int32_t SetSparse(bool = false) { return 0; }
  void SetMatmulConfigParams(int32_t, bool = false, ScheduleType = ScheduleType::INNER_PRODUCT,
                             MatrixTraverse = MatrixTraverse::NOSET, bool = false) {}
  void SetMatmulConfigParams(const MatmulConfigParams &) {}

  int32_t SetShape(int32_t m, int32_t n, int32_t k) { return ask3(&problem.m, m, n, k); }
  int32_t SetOrgShape(int32_t m, int32_t n, int32_t k) { return SetOrgShape(m, n, k, k); }
  int32_t SetOrgShape(int32_t m, int32_t n, int32_t ka, int32_t kb) {
    problem.orgKb = kb;
    return ask3(&problem.orgM, m, n, ka);
  }
  int32_t SetFixSplit(int32_t baseM = -1, int32_t baseN = -1, int32_t baseK = -1) {
    return ask3(&problem.fixM, baseM, baseN, baseK);
  }
  int32_t SetSplitRange(int32_t maxM = -1, int32_t maxN = -1, int32_t maxK = -1, int32_t minM = -1, int32_t minN = -1,
                        int32_t minK = -1) {
    ask3(&problem.maxM, maxM, maxN, maxK);
    return ask3(&problem.minM, minM, minN, minK);
  }
  int32_t SetBufferSpace(int32_t l1 = -1, int32_t l0c = -1, int32_t = -1, int32_t bt = -1) {
    auto take = [](int32_t given, int32_t all) { return given < 0 ? all : std::min(given, all); };
    problem.l1 = take(l1, whole.l1);
    problem.l0c = take(l0c, whole.l0c);
    problem.bt = take(bt, whole.bt);
    return 0;
  }
  int32_t SetTraverse(MatrixTraverse traverse) { return ask(problem.firstN, traverse == MatrixTraverse::FIRSTN); }
  int32_t SetDoubleBuffer(bool a = true, bool b = true, bool c = true, bool = true, bool = true, bool = true) {
    return ask3(&problem.doubleA, a, b, c);
  }
  int32_t SetALayout(int32_t b, int32_t s, int32_t n, int32_t g, int32_t d) {
    return ask5(&problem.layoutAB, b, s, n, g, d);
  }
  int32_t SetBLayout(int32_t b, int32_t s, int32_t n, int32_t g, int32_t d) {
    return ask5(&problem.layoutBB, b, s, n, g, d);
  }
  int32_t SetCLayout(int32_t b, int32_t s, int32_t n, int32_t g, int32_t d) {
    return ask5(&problem.layoutCB, b, s, n, g, d);
  }
  int32_t SetBatchNum(int32_t batch) { return ask(problem.batchNum, batch); }
  int32_t SetBatchInfoForNormal(int32_t batchA, int32_t batchB, int32_t, int32_t, int32_t) {
    problem.batchA = batchA;
    return ask(problem.batchB, batchB);
  }
  int32_t GetBaseM() const { return base[0]; }
  int32_t GetBaseN() const { return base[1]; }
  int32_t GetBaseK() const { return base[2]; }

  virtual int64_t GetTiling(AscendC::tiling::TCubeTiling &tiling) {
    static_assert(sizeof(tiling) == sizeof(TsCubeTiling), "the struct of kernels is that of the library");
    TsCubeTiling made;
    if (tilesmith_cube_tiling(&problem, &made) != 0)
      return -1;
    memcpy(static_cast<void *>(&tiling), &made, sizeof made);
    base[0] = made.baseM;
    base[1] = made.baseN;
    base[2] = made.baseK;
    return 0;
  }

protected:
  static int32_t bitsOf(DataType type) {
    switch (type) {
    case DataType::DT_INT4:
      return 4;
    case DataType::DT_INT8:
    case DataType::DT_UINT8:
    case DataType::DT_BOOL:
      return 8;
    case DataType::DT_FLOAT:
    case DataType::DT_INT32:
    case DataType::DT_UINT32:
      return 32;
    case DataType::DT_INT64:
    case DataType::DT_UINT64:
    case DataType::DT_DOUBLE:
      return 64;
    default:
      return 16;
    }
  }
  static int32_t ask(int32_t &member, int32_t value) {
    member = value;
    return 0;
  }
  // Members that follow each other.
  static int32_t ask3(int32_t *first, int32_t a, int32_t b, int32_t c) {
    first[0] = a;
    first[1] = b;
    first[2] = c;
    return 0;
  }
  static int32_t ask5(int32_t *first, int32_t a, int32_t b, int32_t c, int32_t d, int32_t e) {
    first[3] = d;
    first[4] = e;
    return ask3(first, a, b, c);
  }

  TsCubeProblem problem, whole;
  int32_t base[3] = {};
};

class MultiCoreMatmulTiling : public MatmulApiTiling {
public:
  using MatmulApiTiling::MatmulApiTiling;

  int32_t SetDim(int32_t dim) { return ask(problem.cores, dim); }
  int32_t SetSingleShape(int32_t m = -1, int32_t n = -1, int32_t k = -1) { return ask3(&problem.singleM, m, n, k); }
  int32_t SetSingleRange(int32_t maxM = -1, int32_t maxN = -1, int32_t maxK = -1, int32_t minM = -1, int32_t minN = -1,
                         int32_t minK = -1) {
    ask3(&problem.maxSingleM, maxM, maxN, maxK);
    return ask3(&problem.minSingleM, minM, minN, minK);
  }
  int32_t SetAlignSplit(int32_t m, int32_t n, int32_t k) { return ask3(&problem.alignM, m, n, k); }
  void EnableMultiCoreSplitK(bool flag) { problem.splitsK = flag; }
  int32_t GetSingleShape(int32_t &m, int32_t &n, int32_t &k) {
    int32_t parts[4];
    tilesmith_cube_parts(&problem, parts);
    m = parts[1];
    n = parts[2];
    k = parts[3];
    return 0;
  }
  int32_t GetCoreNum(int32_t &dim, int32_t &alongM, int32_t &alongN) {
    int32_t parts[4], m = problem.m > 0 ? problem.m : problem.orgM, n = problem.m > 0 ? problem.n : problem.orgN;
    tilesmith_cube_parts(&problem, parts);
    dim = parts[0];
    alongM = (m + parts[1] - 1) / parts[1];
    alongN = (n + parts[2] - 1) / parts[2];
    return 0;
  }
};

class BatchMatmulTiling : public MatmulApiTiling {
public:
  using MatmulApiTiling::MatmulApiTiling;
};

} // namespace matmul_tiling

#endif
