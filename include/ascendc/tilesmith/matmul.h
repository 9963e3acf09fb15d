// Matmul: matrix objects. What they do is the Machine's (Isa/Services.td); a kernel on a vector core asks, and the cube
// core of its block computes.
#ifndef TILESMITH_ASCENDC_MATMUL_H
#define TILESMITH_ASCENDC_MATMUL_H

#include "tilesmith/Machine/Matmul.h"
#include "tilesmith/matmul_config.h"
#include "tilesmith/queues.h"
#include "tilesmith/tiling.h"

namespace tilesmith {

constexpr const MatmulConfig &configOf(const MatmulConfig &config) { return config; }
constexpr const MatmulConfig &configOf(const MatmulApiStaticTiling &tiling) { return tiling.cfg; }

} // namespace tilesmith

// How an object goes about a product: which parts are computed, and what of the factors stays in L1.
namespace AscendC::Impl::Detail {
#define TILESMITH_POLICY(NAME, COMPUTES_ALL)                                                                           \
  template <const auto &config, typename Object, typename... More> struct NAME {                                       \
    static constexpr bool tsComputesAll = COMPUTES_ALL;                                                                \
  };
TILESMITH_POLICY(MatmulPolicy, true)
TILESMITH_POLICY(NBuffer33MatmulPolicy, true)
TILESMITH_POLICY(SplitMMatmulPolicy, true)
TILESMITH_POLICY(TrianUpperMatmulPolicy, false)
TILESMITH_POLICY(TrianLowerMatmulPolicy, false)
#undef TILESMITH_POLICY
} // namespace AscendC::Impl::Detail

namespace matmul {

using AscendC::Impl::Detail::MatmulPolicy;
using AscendC::Impl::Detail::NBuffer33MatmulPolicy;
using AscendC::Impl::Detail::TrianLowerMatmulPolicy;
using AscendC::Impl::Detail::TrianUpperMatmulPolicy;

template <AscendC::TPosition POSITION, CubeFormat FORMAT, typename TYPE, bool ISTRANS = false,
          LayoutMode LAYOUT = LayoutMode::NONE, bool IBSHARE = false>
struct MatmulType {
  static constexpr AscendC::TPosition pos = POSITION;
  static constexpr CubeFormat format = FORMAT;
  using T = TYPE;
  static constexpr bool isTrans = ISTRANS;
  static constexpr LayoutMode layout = LAYOUT;
  static constexpr bool ibShare = IBSHARE;
};

// Functions of the user's own for copies of factors and results: none but the object's own are modelled.
template <auto dataCopyOut = nullptr, auto copyA1 = nullptr, auto copyB1 = nullptr> struct MatmulCallBackFunc {
  static constexpr bool isOwn = !std::is_same_v<decltype(dataCopyOut), std::nullptr_t> ||
                                !std::is_same_v<decltype(copyA1), std::nullptr_t> ||
                                !std::is_same_v<decltype(copyB1), std::nullptr_t>;
};

template <class A, class B, class C, class BIAS = C, const auto &CONFIG = CFG_NORM,
          class CALLBACKS = MatmulCallBackFunc<>,
          template <const auto &, typename, typename...> class POLICY = AscendC::Impl::Detail::MatmulPolicy>
class MatmulImpl {
  using Where = tilesmith::Where;

public:
  using AType = A;
  using BType = B;
  using CType = C;
  using BiasType = BIAS;
  using SrcAT = typename A::T;
  using SrcBT = typename B::T;
  using DstT = typename C::T;
  using BiasT = typename BIAS::T;
  static_assert(!CALLBACKS::isOwn, "Matmul: callbacks of MatmulCallBackFunc are not in the model yet");
  static_assert(POLICY<CONFIG, void>::tsComputesAll,
                "Matmul: policies that leave out parts of the result are not in the model yet");

  MatmulImpl() = default;

  // The object in the Machine, made when it is first used.
  int64_t tsHandle(Where where) {
    if (handle)
      return handle;
    handle = tilesmith::api->tsm_matmul_new(tilesmith::core);
    type<A>(TS_MATMUL_A, where);
    type<B>(TS_MATMUL_B, where);
    type<C>(TS_MATMUL_C, where);
    type<BIAS>(TS_MATMUL_BIAS, where);
    const MatmulConfig &config = tilesmith::configOf(CONFIG);
    constexpr MatmulConfig initial;
#define TILESMITH_MATMUL_CONFIG(TYPE, NAME, ...)                                                                       \
  if (config.NAME != initial.NAME)                                                                                     \
    tilesmith::api->tsm_matmul_config(tilesmith::core, where.loc(), handle, TS_MATMUL_CONFIG_##NAME,                   \
                                      int64_t(config.NAME));
#include "tilesmith/Machine/MatmulConfig.def"
    return handle;
  }

  void Init(const TCubeTiling *tiling, AscendC::TPipe * = nullptr, Where where = Where::here()) {
    int64_t object = tsHandle(where), member = 0;
#define TILESMITH_CUBE_TILING(NAME, PYTHON)                                                                            \
  tilesmith::api->tsm_matmul_tiling(tilesmith::core, where.loc(), object, member++,                                    \
                                    known(tiling, [](auto &one) { return one.NAME; }));
#include "tilesmith/Machine/CubeTiling.def"
    tilesmith::api->tsm_matmul_init(tilesmith::core, where.loc(), object);
  }
  void Init(const TCubeTiling &tiling, Where where = Where::here()) { Init(&tiling, nullptr, where); }

  void SetOrgShape(int orgM, int orgN, int orgK, Where where = Where::here()) {
    shape(TS_MATMUL_ORG, orgM, orgN, orgK, orgK, 0, where);
  }
  void SetOrgShape(int orgM, int orgN, int orgKa, int orgKb, int orgKc = 0, Where where = Where::here()) {
    shape(TS_MATMUL_ORG, orgM, orgN, orgKa, orgKb, orgKc, where);
  }
  void SetSingleShape(int singleM, int singleN, int singleK, Where where = Where::here()) {
    shape(TS_MATMUL_SINGLE, singleM, singleN, singleK, 0, 0, where);
  }
  void SetTail(int tailM = -1, int tailN = -1, int tailK = -1, Where where = Where::here()) {
    shape(TS_MATMUL_TAIL, tailM, tailN, tailK, 0, 0, where);
  }

  void SetTensorA(const AscendC::GlobalTensor<SrcAT> &tensor, bool isTransposeA = false, Where where = Where::here()) {
    factor(TS_MATMUL_A, tensor.tsAddress(), isTransposeA, where);
  }
  void SetTensorA(const AscendC::LocalTensor<SrcAT> &tensor, bool isTransposeA = false, Where where = Where::here()) {
    factor(TS_MATMUL_A, tensor.tsAddress(), isTransposeA, where);
  }
  void SetTensorA(SrcAT, Where where = Where::here()) {
    tilesmith::unsupported(where, "SetTensorA of a scalar (CubeFormat::SCALAR)");
  }
  void SetTensorB(const AscendC::GlobalTensor<SrcBT> &tensor, bool isTransposeB = false, Where where = Where::here()) {
    factor(TS_MATMUL_B, tensor.tsAddress(), isTransposeB, where);
  }
  void SetTensorB(const AscendC::LocalTensor<SrcBT> &tensor, bool isTransposeB = false, Where where = Where::here()) {
    factor(TS_MATMUL_B, tensor.tsAddress(), isTransposeB, where);
  }
  void SetTensorB(SrcBT, Where where = Where::here()) {
    tilesmith::unsupported(where, "SetTensorB of a scalar (CubeFormat::SCALAR)");
  }
  void SetBias(const AscendC::GlobalTensor<BiasT> &bias, Where where = Where::here()) {
    factor(TS_MATMUL_BIAS, bias.tsAddress(), false, where);
  }
  void SetBias(const AscendC::LocalTensor<BiasT> &bias, Where where = Where::here()) {
    factor(TS_MATMUL_BIAS, bias.tsAddress(), false, where);
  }
  void DisableBias(Where where = Where::here()) { factor(TS_MATMUL_BIAS, 0, false, where); }
  void ClearBias(Where where = Where::here()) { DisableBias(where); }

  void SetHF32(bool enableHF32 = false, int32_t = 0, Where where = Where::here()) {
    set(TS_MATMUL_HF32, enableHF32, where);
  }
  void SetQuantScalar(uint64_t scale, Where where = Where::here()) {
    set(TS_MATMUL_QUANT_SCALAR, int64_t(scale), where);
  }
  void SetQuantVector(const AscendC::GlobalTensor<uint64_t> &scales, Where where = Where::here()) {
    set(TS_MATMUL_QUANT_VECTOR, scales.tsAddress(), where);
  }
  template <typename T> void SetWorkspace(const AscendC::GlobalTensor<T> &workspace, Where where = Where::here()) {
    set(TS_MATMUL_WORKSPACE, workspace.tsAddress(), where);
  }
  template <typename T> void SetWorkspace(__gm__ const T *workspace, int = 0, Where where = Where::here()) {
    AscendC::GlobalTensor<T> tensor;
    tensor.SetGlobalBuffer(const_cast<T *>(workspace));
    SetWorkspace(tensor, where);
  }
  // Memory that only other chips need, and what only callbacks read.
  void SetLocalWorkspace(const AscendC::LocalTensor<uint8_t> &) {}
  void SetUserDefInfo(uint64_t) {}
  template <typename T> void SetSelfDefineData(T) {}
  void SetSubBlockIdx(uint8_t) {}
  void SetBatchNum(int32_t batchA, int32_t batchB, Where where = Where::here()) {
    set(TS_MATMUL_BATCHES_A, batchA, where);
    set(TS_MATMUL_BATCHES_B, batchB, where);
  }
  void SetSparseIndex(const AscendC::GlobalTensor<uint8_t> &, Where where = Where::here()) {
    tilesmith::unsupported(where, "SetSparseIndex: products of sparse matrices");
  }

  template <bool sync = true> bool Iterate(bool enPartialSum = false, Where where = Where::here()) {
    return tilesmith::api->tsm_matmul_iterate(tilesmith::core, where.loc(), tsHandle(where), enPartialSum, sync) != 0;
  }
  template <bool sync = true, typename T>
  bool Iterate(bool, const AscendC::LocalTensor<T> &, Where where = Where::here()) {
    tilesmith::unsupported(where, "Iterate into a tensor of the caller's in CO1");
    return false;
  }
  template <bool sync = true, typename Tensor>
  void GetTensorC(const Tensor &tensor, uint8_t enAtomic = 0, bool enSequentialWrite = false,
                  Where where = Where::here()) {
    tilesmith::api->tsm_matmul_get(tilesmith::core, where.loc(), tsHandle(where), resultAt(tensor), enAtomic,
                                   enSequentialWrite, sync);
  }
  template <bool sync = true>
  void GetTensorC(const AscendC::GlobalTensor<DstT> &gm, const AscendC::LocalTensor<DstT> &local, uint8_t enAtomic = 0,
                  bool enSequentialWrite = false, Where where = Where::here()) {
    GetTensorC<sync>(local, enAtomic, enSequentialWrite, where);
    GetTensorC<sync>(gm, enAtomic, enSequentialWrite, where);
  }
  template <bool sync = true, typename Tensor>
  void IterateAll(const Tensor &tensor, uint8_t enAtomic = 0, bool enSequentialWrite = false,
                  bool waitIterateAll = false, bool = false, Where where = Where::here()) {
    tilesmith::api->tsm_matmul_all(tilesmith::core, where.loc(), tsHandle(where), resultAt(tensor), enAtomic,
                                   enSequentialWrite, sync, waitIterateAll);
  }
  template <bool sync = true, bool waitIterateBatch = false, typename Tensor>
  void IterateBatch(const Tensor &tensor, uint32_t batchA, uint32_t batchB, bool, uint32_t matrixStrideA = 0,
                    uint32_t matrixStrideB = 0, uint32_t matrixStrideC = 0, bool enPartialSum = false,
                    uint8_t enAtomic = 0, Where where = Where::here()) {
    if (enPartialSum)
      tilesmith::unsupported(where, "IterateBatch of partial sums");
    SetBatchNum(int32_t(batchA), int32_t(batchB), where);
    set(TS_MATMUL_STRIDE_A, matrixStrideA, where);
    set(TS_MATMUL_STRIDE_B, matrixStrideB, where);
    set(TS_MATMUL_STRIDE_C, matrixStrideC, where);
    tilesmith::api->tsm_matmul_batch(tilesmith::core, where.loc(), tsHandle(where), resultAt(tensor), enAtomic, sync,
                                     waitIterateBatch);
  }
  void WaitIterateAll(Where where = Where::here()) {
    tilesmith::api->tsm_matmul_wait(tilesmith::core, where.loc(), tsHandle(where));
  }
  void WaitIterateBatch(Where where = Where::here()) { WaitIterateAll(where); }
  void WaitGetTensorC(Where where = Where::here()) { WaitIterateAll(where); }
  void AsyncGetTensorC(const AscendC::LocalTensor<DstT> &tensor, Where where = Where::here()) {
    GetTensorC<false>(tensor, 0, true, where);
  }
  void End(Where where = Where::here()) {
    tilesmith::api->tsm_matmul_end(tilesmith::core, where.loc(), tsHandle(where));
  }

private:
  template <class TYPE> void type(int64_t matrix, Where where) {
    tilesmith::api->tsm_matmul_type(tilesmith::core, where.loc(), handle, matrix, int64_t(TYPE::pos),
                                    int64_t(TYPE::format), tilesmith::dtypeOf<typename TYPE::T>(), TYPE::isTrans,
                                    int64_t(TYPE::layout));
  }
  void factor(int64_t matrix, int64_t address, bool turned, Where where) {
    tilesmith::api->tsm_matmul_factor(tilesmith::core, where.loc(), tsHandle(where), matrix, address, turned);
  }
  void shape(int64_t which, int64_t m, int64_t n, int64_t ka, int64_t kb, int64_t kc, Where where) {
    tilesmith::api->tsm_matmul_shape(tilesmith::core, where.loc(), tsHandle(where), which, m, n, ka, kb, kc);
  }
  void set(int64_t number, int64_t value, Where where) {
    tilesmith::api->tsm_matmul_set(tilesmith::core, where.loc(), tsHandle(where), number, value);
  }
  template <typename Tensor> static int64_t resultAt(const Tensor &tensor) {
    static_assert(std::is_same_v<typename Tensor::PrimType, DstT>, "Matmul: the result has the element type of C_TYPE");
    return tensor.tsAddress();
  }
  // A member of the tiling: what is known while compiling comes first.
  template <typename Get> static int64_t known(const TCubeTiling *tiling, Get get) {
    if constexpr (std::is_same_v<std::decay_t<decltype(CONFIG)>, MatmulApiStaticTiling>)
      if (get(CONFIG) != -1)
        return get(CONFIG);
    return tiling ? get(*tiling) : 0;
  }

  int64_t handle = 0;
};

template <class A, class B, class C, class BIAS = C, const auto &CONFIG = CFG_NORM,
          class CALLBACKS = MatmulCallBackFunc<>,
          template <const auto &, typename, typename...> class POLICY = AscendC::Impl::Detail::MatmulPolicy>
using Matmul = MatmulImpl<A, B, C, BIAS, CONFIG, CALLBACKS, POLICY>;

} // namespace matmul

namespace AscendC {
using matmul::Matmul;
using matmul::MatmulCallBackFunc;
using matmul::MatmulImpl;
using matmul::MatmulType;
} // namespace AscendC

namespace tilesmith {

template <typename Object, typename... Rest>
void registerObjects(Where where, AscendC::TPipe *pipe, Object &object, Rest &...rest);

template <typename Object, typename Next, typename... Rest>
void registerAfter(Where where, AscendC::TPipe *pipe, Object &object, Next &next, Rest &...rest) {
  if constexpr (std::is_class_v<Next>) {
    registerObjects(where, pipe, next, rest...);
  } else {
    if constexpr (!std::is_null_pointer_v<Next>)
      if (next)
        object.Init(next, pipe, where);
    if constexpr (sizeof...(Rest) > 0)
      registerObjects(where, pipe, rest...);
  }
}
template <typename Object, typename... Rest>
void registerObjects(Where where, AscendC::TPipe *pipe, Object &object, Rest &...rest) {
  object.tsHandle(where);
  if constexpr (sizeof...(Rest) > 0)
    registerAfter(where, pipe, object, rest...);
}

// Objects, each with or without the address of its tiling.
template <bool cubeOnly, typename Workspace, typename... Objects>
void registerMatmuls(Where where, AscendC::TPipe *pipe, Workspace *workspace, Objects &&...objects) {
  registerObjects(where, pipe, objects...);
  api->tsm_matmul_serve(core, where.loc(), offsetOf(int64_t(reinterpret_cast<uintptr_t>(workspace))), cubeOnly);
}

} // namespace tilesmith

// The loader knows a kernel's type by what this becomes, where nothing else says it.
#ifdef ASCENDC_CUBE_ONLY
#define REGIST_MATMUL_OBJ(PIPE, WORKSPACE, ...)                                                                        \
  ::tilesmith::registerMatmuls<true>(::tilesmith::Where::here(), PIPE, WORKSPACE, __VA_ARGS__)
#else
#define REGIST_MATMUL_OBJ(PIPE, WORKSPACE, ...)                                                                        \
  ::tilesmith::registerMatmuls<false>(::tilesmith::Where::here(), PIPE, WORKSPACE, __VA_ARGS__)
#endif
#define REGIST_MATMUL_OBJ_STATIC REGIST_MATMUL_OBJ

#endif
