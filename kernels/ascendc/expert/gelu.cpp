// y = gelu(x) in both usual forms, as an expert writes it.
//
// gelu(x) is x times a probability, and the probability is 1 / (1 + exp(-l)) with l its log-odds, an odd function of x:
//
//     gelu(x) = x / (1 + exp(x p(x^2)))
//
// For the tanh form p is exact with two coefficients. For the exact form (erf) it is a polynomial, fitted so that the
// error is even in max(|gelu(x)|, 2^-10) for half and 2^-13 for float: at most 7e-4 with four coefficients (a rounding
// to half has 5e-4) and 3e-6 with nine. Its last coefficient is negative, so that far away nothing returns. Against erf
// by a quotient this saves the absolute value, the sign and a third of the instructions.
#include "expert.h"

using namespace AscendC;

namespace {

enum class Form { TANH, ERF };

// -l / x in powers of x^2.
template <typename T, Form form> struct Coefficients;
template <typename T> struct Coefficients<T, Form::TANH> {
  static constexpr uint32_t COUNT = 2;
  static constexpr float VALUES[] = {-1.5957691216057308f, -0.07135481282553f};
};
template <> struct Coefficients<half, Form::ERF> {
  static constexpr uint32_t COUNT = 4;
  static constexpr float VALUES[] = {-1.59351521f, -0.0751324524f, 0.00087296847f, -4.10555481e-06f};
};
template <> struct Coefficients<float, Form::ERF> {
  static constexpr uint32_t COUNT = 9;
  static constexpr float VALUES[] = {-1.59578268f,     -0.0726306378f,   3.59925253e-05f,
                                     0.000121056693f,  -9.80118018e-06f, 4.39996157e-07f,
                                     -1.18860861e-08f, 1.79284037e-10f,  -1.15423616e-12f};
};

// On the 910B a float is better served by max(x, 0) - |x| P(X > |x|), which needs no quotient: the logarithm of the
// tail of the normal distribution as a polynomial in |x|, highest power first. Beyond FAR nothing of it is left.
constexpr float TAIL[] = {-8.697119824319088e-07f,  1.341368624707684e-05f, -5.875479109818116e-05f,
                          -0.00027735906769521534f, 0.0051543270237743855f, -0.036583349108695984f,
                          -0.31822699308395386f,    -0.7978952527046204f,   -0.6931469440460205f};
constexpr uint32_t TAIL_COUNT = sizeof(TAIL) / sizeof(float);
constexpr float FAR = 14.0f;

constexpr uint32_t LINE = 512; // bytes: tiles begin where lines of L2 do

#if __NPU_ARCH__ == 3510

// Everything stays in registers, two of them at a time so that one can work while the other waits for its last result.
template <typename T, Form form> constexpr uint32_t TILE = 8192;
constexpr uint32_t IN_BUFFERS = 3, OUT_BUFFERS = 3;
constexpr uint32_t AT_ONCE = 2;
constexpr uint32_t OTHER_BANKS = 0; // no two sources meet in UB

template <typename T, Form form>
__simd_vf__ inline void GeluVf(__ubuf__ T *y, __ubuf__ T *x, uint32_t count, uint16_t trips) {
  using C = Coefficients<T, form>;
  expert::FloatReg value[AT_ONCE], square[AT_ONCE], result[AT_ONCE], coefficient[C::COUNT];
  expert::MaskReg all = Reg::CreateMask<float>(), mask[AT_ONCE];
  for (uint32_t i = 0; i < C::COUNT; ++i)
    Reg::Duplicate(coefficient[i], C::VALUES[i], all);
  for (uint16_t trip = 0; trip < trips; ++trip) {
    for (uint32_t i = 0; i < AT_ONCE; ++i) {
      mask[i] = Reg::UpdateMask<float>(count);
      expert::LoadWide(value[i], x + (trip * AT_ONCE + i) * expert::REG_LANES, mask[i]);
    }
    for (uint32_t i = 0; i < AT_ONCE; ++i) {
      Reg::Mul(square[i], value[i], value[i], mask[i]);
      Reg::Muls(result[i], square[i], C::VALUES[C::COUNT - 1], mask[i]);
      Reg::Add(result[i], result[i], coefficient[C::COUNT - 2], mask[i]);
    }
    for (uint32_t power = C::COUNT - 2; power > 0; --power)
      for (uint32_t i = 0; i < AT_ONCE; ++i)
        Reg::FusedMulDstAdd(result[i], square[i], coefficient[power - 1], mask[i]);
    for (uint32_t i = 0; i < AT_ONCE; ++i) {
      Reg::Mul(result[i], result[i], value[i], mask[i]);
      Reg::Exp(result[i], result[i], mask[i]);
      Reg::Adds(result[i], result[i], 1.0f, mask[i]);
      Reg::Div(result[i], value[i], result[i], mask[i]);
      expert::StoreNarrow(y + (trip * AT_ONCE + i) * expert::REG_LANES, result[i], mask[i]);
    }
  }
}

template <typename T, Form form> class Compute {
public:
  __aicore__ inline explicit Compute(TPipe &) {}
  __aicore__ inline void operator()(const LocalTensor<T> &y, const LocalTensor<T> &x, uint32_t count) {
    asc_vf_call<GeluVf<T, form>>(expert::PointerTo(y), expert::PointerTo(x), count,
                                 uint16_t(expert::CeilDiv(count, expert::REG_LANES * AT_ONCE)));
  }
};

#else

// Long tiles: every instruction waits for the one before it, about 25 cycles whatever its length. What a tile needs in
// UB is 2 + 2 buffers of T and, in floats, the widened input of a half, the work, and x^2 where the polynomial needs it
// again.
template <typename T, Form form> constexpr uint32_t TILE = sizeof(T) == 4 ? 8192 : form == Form::TANH ? 11008 : 9216;
constexpr uint32_t IN_BUFFERS = 2, OUT_BUFFERS = 2;
// Two sources in the same banks of UB would be read one after the other: `work` begins half a turn of the 16 groups of
// 32 bytes after where the other buffers begin.
constexpr uint32_t OTHER_BANKS = 256;

template <typename T, Form form> class Compute {
public:
  __aicore__ inline explicit Compute(TPipe &pipe) {
    constexpr uint32_t tile = TILE<T, form>, floats = sizeof(T) == 4 ? 1 : form == Form::TANH ? 2 : 3;
    pipe.InitBuffer(buffer, floats * tile * sizeof(float) + OTHER_BANKS);
    LocalTensor<float> all = buffer.template Get<float>();
    work = all[(floats - 1) * tile + OTHER_BANKS / sizeof(float)];
    if constexpr (sizeof(T) == 2) {
      wide = all;
      square = all[tile];
    }
  }

  __aicore__ inline void operator()(const LocalTensor<T> &y, const LocalTensor<T> &x, uint32_t count) {
    if constexpr (sizeof(T) == 2) {
      Cast(wide, x, RoundMode::CAST_NONE, count);
      OnePlusExp(wide, count);
      // For a half the unit's approximation of a reciprocal is good enough, and it takes a quarter of a division; so is
      // the product of two halves, in half the time.
      Reciprocal(work, work, count);
      Cast(y, work, RoundMode::CAST_RINT, count);
      Mul(y, y, x, count);
    } else if constexpr (form == Form::TANH) {
      square = y; // free until the result is written
      OnePlusExp(x, count);
      Div(y, x, work, count);
    } else {
      Tail(y, x, count);
      Relu(y, x, count);
      Sub(y, y, work, count);
    }
  }

private:
  // work = 1 + exp(x p(x^2)), p by Horner's rule.
  __aicore__ inline void OnePlusExp(const LocalTensor<float> &x, uint32_t count) {
    using C = Coefficients<T, form>;
    constexpr uint32_t degree = C::COUNT - 1;
    LocalTensor<float> x2 = degree > 1 ? square : work;
    Mul(x2, x, x, count);
    Muls(work, x2, C::VALUES[degree], count);
    Adds(work, work, C::VALUES[degree - 1], count);
    for (uint32_t power = degree - 1; power > 0; --power) {
      Mul(work, work, x2, count);
      Adds(work, work, C::VALUES[power - 1], count);
    }
    Mul(work, work, x, count);
    Exp(work, work, count);
    Adds(work, work, 1.0f, count);
  }

  // work = |x| P(X > |x|) = |x| exp(p(|x|)). `a` is free until the result is written.
  __aicore__ inline void Tail(const LocalTensor<float> &a, const LocalTensor<float> &x, uint32_t count) {
    Abs(a, x, count);
    Mins(a, a, FAR, count);
    Muls(work, a, TAIL[0], count);
    Adds(work, work, TAIL[1], count);
    for (uint32_t i = 2; i < TAIL_COUNT; ++i) {
      Mul(work, work, a, count);
      Adds(work, work, TAIL[i], count);
    }
    Exp(work, work, count);
    Mul(work, work, a, count);
  }

  TBuf<> buffer;
  LocalTensor<float> wide, square, work;
};

#endif

template <typename T, Form form> __aicore__ inline void Gelu(GM_ADDR x, GM_ADDR y, uint32_t total) {
  constexpr uint32_t most = TILE<T, form>;
  GlobalTensor<T> xGm, yGm;
  xGm.SetGlobalBuffer((__gm__ T *)x, total);
  yGm.SetGlobalBuffer((__gm__ T *)y, total);
  TPipe pipe;
  TQue<TPosition::VECIN, IN_BUFFERS> in;
  TQue<TPosition::VECOUT, OUT_BUFFERS> out;
  pipe.InitBuffer(in, IN_BUFFERS, most * sizeof(T));
  TBuf<> apart; // a half's last product reads a buffer of each queue
  if constexpr (sizeof(T) == 2 && OTHER_BANKS > 0)
    pipe.InitBuffer(apart, OTHER_BANKS);
  pipe.InitBuffer(out, OUT_BUFFERS, most * sizeof(T));
  Compute<T, form> compute(pipe);

  // Of erf the vector unit decides.
  expert::Share share(total, most, LINE / sizeof(T), form == Form::TANH ? expert::HEAD_START / sizeof(T) : 0);
  auto load = [&](uint32_t tile) {
    LocalTensor<T> values = in.template AllocTensor<T>();
    expert::Load(values, xGm[share.Begin(tile)], share.Size(tile));
    in.EnQue(values);
  };
  for (uint32_t tile = 0; tile < expert::Least(IN_BUFFERS - 1, share.Tiles()); ++tile)
    load(tile);
  for (uint32_t tile = 0; tile < share.Tiles(); ++tile) {
    if (tile + IN_BUFFERS - 1 < share.Tiles())
      load(tile + IN_BUFFERS - 1);
    LocalTensor<T> values = in.template DeQue<T>(), results = out.template AllocTensor<T>();
    compute(results, values, share.Size(tile));
    in.FreeTensor(values);
    out.EnQue(results);
    results = out.template DeQue<T>();
    expert::Store(yGm[share.Begin(tile)], results, share.Size(tile));
    out.FreeTensor(results);
  }
}

} // namespace

extern "C" __global__ __aicore__ void gelu_tanh_half(GM_ADDR x, GM_ADDR y, uint32_t total) {
  Gelu<half, Form::TANH>(x, y, total);
}
extern "C" __global__ __aicore__ void gelu_tanh_float(GM_ADDR x, GM_ADDR y, uint32_t total) {
  Gelu<float, Form::TANH>(x, y, total);
}
extern "C" __global__ __aicore__ void gelu_erf_half(GM_ADDR x, GM_ADDR y, uint32_t total) {
  Gelu<half, Form::ERF>(x, y, total);
}
extern "C" __global__ __aicore__ void gelu_erf_float(GM_ADDR x, GM_ADDR y, uint32_t total) {
  Gelu<float, Form::ERF>(x, y, total);
}
