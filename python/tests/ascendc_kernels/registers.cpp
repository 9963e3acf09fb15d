// Register code of the 950, as functions and in place.
#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t LANES = GetVecLen() / sizeof(float);

// One row: mean, variance, normalised; three passes over the row.
__simd_vf__ inline void NormaliseRow(__ubuf__ float *y, __ubuf__ float *x, __ubuf__ float *gamma, uint32_t n,
                                     uint16_t trips, float reciprocal, float epsilon) {
  MicroAPI::RegTensor<float> v, acc, mean, variance, g, one;
  MicroAPI::MaskReg all = MicroAPI::CreateMask<float, MicroAPI::MaskPattern::ALL>();
  uint32_t left = n;
  MicroAPI::Duplicate(acc, 0.0f);
  for (uint16_t i = 0; i < trips; ++i) {
    MicroAPI::MaskReg mask = MicroAPI::UpdateMask<float>(left);
    MicroAPI::DataCopy(v, x + i * LANES);
    MicroAPI::Add<float, MaskMergeMode::MERGING>(acc, acc, v, mask);
  }
  MicroAPI::ReduceSum(mean, acc, all);
  MicroAPI::Muls(mean, mean, reciprocal, all);
  MicroAPI::Duplicate(mean, mean, all);
  MicroAPI::Duplicate(acc, 0.0f);
  left = n;
  for (uint16_t i = 0; i < trips; ++i) {
    MicroAPI::MaskReg mask = MicroAPI::UpdateMask<float>(left);
    MicroAPI::DataCopy(v, x + i * LANES);
    MicroAPI::Sub(v, v, mean, mask);
    MicroAPI::Mul(v, v, v, mask);
    MicroAPI::Add<float, MaskMergeMode::MERGING>(acc, acc, v, mask);
  }
  MicroAPI::ReduceSum(variance, acc, all);
  MicroAPI::Muls(variance, variance, reciprocal, all);
  MicroAPI::Adds(variance, variance, epsilon, all);
  MicroAPI::Sqrt(variance, variance, all);
  MicroAPI::Duplicate(variance, variance, all);
  MicroAPI::Duplicate(one, 1.0f);
  MicroAPI::Div(variance, one, variance, all);
  left = n;
  for (uint16_t i = 0; i < trips; ++i) {
    MicroAPI::MaskReg mask = MicroAPI::UpdateMask<float>(left);
    MicroAPI::DataCopy(v, x + i * LANES);
    MicroAPI::DataCopy(g, gamma + i * LANES);
    MicroAPI::Sub(v, v, mean, mask);
    MicroAPI::Mul(v, v, variance, mask);
    MicroAPI::Mul(v, v, g, mask);
    MicroAPI::DataCopy(y + i * LANES, v, mask);
  }
}

extern "C" __global__ __aicore__ void layer_norm_registers(GM_ADDR x, GM_ADDR gamma, GM_ADDR y, uint32_t rows,
                                                           uint32_t columns) {
  TPipe pipe;
  TQue<TPosition::VECIN, 1> inQueue, gammaQueue;
  TQue<TPosition::VECOUT, 1> outQueue;
  uint32_t padded = (columns + LANES - 1) / LANES * LANES;
  pipe.InitBuffer(inQueue, 2, padded * sizeof(float));
  pipe.InitBuffer(outQueue, 2, padded * sizeof(float));
  pipe.InitBuffer(gammaQueue, 1, padded * sizeof(float));
  GlobalTensor<float> xGm, gammaGm, yGm;
  xGm.SetGlobalBuffer((__gm__ float *)x);
  gammaGm.SetGlobalBuffer((__gm__ float *)gamma);
  yGm.SetGlobalBuffer((__gm__ float *)y);
  DataCopyExtParams row{1, static_cast<uint32_t>(columns * sizeof(float)), 0, 0, 0};
  DataCopyPadExtParams<float> pad{false, 0, 0, 0};
  LocalTensor<float> g = gammaQueue.AllocTensor<float>();
  DataCopyPad(g, gammaGm, row, pad);
  gammaQueue.EnQue(g);
  g = gammaQueue.DeQue<float>();
  for (uint32_t i = GetBlockIdx(); i < rows; i += GetBlockNum()) {
    LocalTensor<float> in = inQueue.AllocTensor<float>();
    DataCopyPad(in, xGm[i * columns], row, pad);
    inQueue.EnQue(in);
    in = inQueue.DeQue<float>();
    LocalTensor<float> out = outQueue.AllocTensor<float>();
    asc_vf_call<NormaliseRow>((__ubuf__ float *)out.GetPhyAddr(), (__ubuf__ float *)in.GetPhyAddr(),
                              (__ubuf__ float *)g.GetPhyAddr(), columns, static_cast<uint16_t>(padded / LANES),
                              1.0f / columns, 1e-5f);
    inQueue.FreeTensor(in);
    outQueue.EnQue(out);
    out = outQueue.DeQue<float>();
    DataCopyPad(yGm[i * columns], out, row);
    outQueue.FreeTensor(out);
  }
  gammaQueue.FreeTensor(g);
}

// Code in place: half widened, a * x + y, narrowed again.
extern "C" __global__ __aicore__ void axpy_scope(GM_ADDR x, GM_ADDR y, float a, uint32_t length) {
  TPipe pipe;
  TQue<TPosition::VECIN, 1> xQueue, yQueue;
  TQue<TPosition::VECOUT, 1> outQueue;
  pipe.InitBuffer(xQueue, 1, length * sizeof(half));
  pipe.InitBuffer(yQueue, 1, length * sizeof(half));
  pipe.InitBuffer(outQueue, 1, length * sizeof(half));
  GlobalTensor<half> xGm, yGm;
  xGm.SetGlobalBuffer((__gm__ half *)x + GetBlockIdx() * length);
  yGm.SetGlobalBuffer((__gm__ half *)y + GetBlockIdx() * length);
  LocalTensor<half> xs = xQueue.AllocTensor<half>(), ys = yQueue.AllocTensor<half>();
  DataCopy(xs, xGm, length);
  DataCopy(ys, yGm, length);
  xQueue.EnQue(xs);
  yQueue.EnQue(ys);
  xs = xQueue.DeQue<half>();
  ys = yQueue.DeQue<half>();
  LocalTensor<half> out = outQueue.AllocTensor<half>();
  {
    static constexpr MicroAPI::CastTrait up = {MicroAPI::RegLayout::ZERO, MicroAPI::SatMode::UNKNOWN,
                                               MicroAPI::MaskMergeMode::ZEROING, RoundMode::UNKNOWN};
    static constexpr MicroAPI::CastTrait down = {MicroAPI::RegLayout::ZERO, MicroAPI::SatMode::NO_SAT,
                                                 MicroAPI::MaskMergeMode::ZEROING, RoundMode::CAST_RINT};
    __ubuf__ half *px = (__ubuf__ half *)xs.GetPhyAddr();
    __ubuf__ half *py = (__ubuf__ half *)ys.GetPhyAddr();
    __ubuf__ half *po = (__ubuf__ half *)out.GetPhyAddr();
    uint32_t left = length;
    uint16_t trips = (length + LANES - 1) / LANES;
    __VEC_SCOPE__ {
      MicroAPI::RegTensor<half> hx, hy;
      MicroAPI::RegTensor<float> fx, fy;
      for (uint16_t i = 0; i < trips; ++i) {
        MicroAPI::MaskReg mask = MicroAPI::UpdateMask<float>(left);
        MicroAPI::DataCopy<half, MicroAPI::LoadDist::DIST_UNPACK_B16>(hx, px + i * LANES);
        MicroAPI::DataCopy<half, MicroAPI::LoadDist::DIST_UNPACK_B16>(hy, py + i * LANES);
        MicroAPI::Cast<float, half, up>(fx, hx, mask);
        MicroAPI::Cast<float, half, up>(fy, hy, mask);
        MicroAPI::Axpy(fy, fx, a, mask);
        MicroAPI::Cast<half, float, down>(hy, fy, mask);
        MicroAPI::DataCopy<half, MicroAPI::StoreDist::DIST_PACK_B32>(po + i * LANES, hy, mask);
      }
    }
  }
  outQueue.EnQue(out);
  xQueue.FreeTensor(xs);
  yQueue.FreeTensor(ys);
  out = outQueue.DeQue<half>();
  DataCopy(yGm, out, length);
  outQueue.FreeTensor(out);
}

// Buffer ids instead of flags: one id for each buffer covers both directions.
__simd_vf__ inline void Doubled(__ubuf__ float *y, __ubuf__ float *x, uint32_t n, uint16_t trips) {
  Reg::RegTensor<float> v;
  for (uint16_t i = 0; i < trips; ++i) {
    Reg::MaskReg m = Reg::UpdateMask<float>(n);
    Reg::LoadAlign(v, x + i * LANES);
    Reg::Muls(v, v, 2.0f, m);
    Reg::StoreAlign(y + i * LANES, v, m);
  }
}
extern "C" __global__ __vector__ void doubled_mutex(GM_ADDR xg, GM_ADDR yg, uint32_t n) {
  InitSocState();
  constexpr uint32_t TILE = 1024;
  GlobalTensor<float> X, Y;
  X.SetGlobalBuffer((__gm__ float *)xg);
  Y.SetGlobalBuffer((__gm__ float *)yg);
  for (uint32_t o = GetBlockIdx() * TILE, i = 0; o < n; o += GetBlockNum() * TILE, ++i) {
    uint32_t c = n - o < TILE ? n - o : TILE, buffer = i % 2;
    LocalTensor<float> x(TPosition::VECIN, buffer * TILE * 4, TILE),
        y(TPosition::VECOUT, (2 + buffer) * TILE * 4, TILE);
    Mutex::Lock<PIPE_MTE2>(buffer);
    DataCopyPad(x, X[o], DataCopyExtParams(1, c * 4, 0, 0, 0), DataCopyPadExtParams<float>(false, 0, 0, 0.f));
    Mutex::Unlock<PIPE_MTE2>(buffer);
    Mutex::Lock<PIPE_V>(buffer);
    Mutex::Lock<PIPE_V>(2 + buffer);
    asc_vf_call<Doubled>((__ubuf__ float *)y.GetPhyAddr(), (__ubuf__ float *)x.GetPhyAddr(), c,
                         uint16_t((c + 63) / 64));
    Mutex::Unlock<PIPE_V>(buffer);
    Mutex::Unlock<PIPE_V>(2 + buffer);
    Mutex::Lock<PIPE_MTE3>(2 + buffer);
    DataCopyPad(Y[o], y, DataCopyExtParams(1, c * 4, 0, 0, 0));
    Mutex::Unlock<PIPE_MTE3>(2 + buffer);
  }
  PipeBarrier<PIPE_ALL>();
}

// Sum and largest of unsigned words, which no memory-level reduction takes.
__simd_vf__ inline void ReduceWords(__ubuf__ uint32_t *sums, __ubuf__ uint32_t *largest, __ubuf__ uint32_t *x,
                                    uint16_t trips) {
  Reg::RegTensor<uint32_t> v, sum, most;
  Reg::MaskReg all = Reg::CreateMask<uint32_t>();
  Reg::Duplicate(sum, static_cast<uint32_t>(0));
  Reg::Duplicate(most, static_cast<uint32_t>(0));
  for (uint16_t i = 0; i < trips; ++i) {
    Reg::LoadAlign(v, x + i * LANES);
    Reg::Add(sum, sum, v, all);
    Reg::Max(most, most, v, all);
  }
  Reg::Reduce<ReduceType::SUM>(sum, sum, all);
  Reg::Reduce<ReduceType::MAX>(most, most, all);
  Reg::StoreAlign<uint32_t, Reg::StoreDist::DIST_FIRST_ELEMENT_B32>(sums, sum, all);
  Reg::StoreAlign<uint32_t, Reg::StoreDist::DIST_FIRST_ELEMENT_B32>(largest, most, all);
}

extern "C" __global__ __aicore__ void reduce_words(GM_ADDR x, GM_ADDR y, uint32_t length) {
  TPipe pipe;
  TQue<TPosition::VECIN, 1> inQueue;
  TQue<TPosition::VECOUT, 1> outQueue;
  pipe.InitBuffer(inQueue, 1, length * sizeof(uint32_t));
  pipe.InitBuffer(outQueue, 1, 64);
  GlobalTensor<uint32_t> xGm, yGm;
  xGm.SetGlobalBuffer((__gm__ uint32_t *)x);
  yGm.SetGlobalBuffer((__gm__ uint32_t *)y);
  LocalTensor<uint32_t> in = inQueue.AllocTensor<uint32_t>();
  DataCopy(in, xGm, length);
  inQueue.EnQue(in);
  in = inQueue.DeQue<uint32_t>();
  LocalTensor<uint32_t> out = outQueue.AllocTensor<uint32_t>();
  asc_vf_call<ReduceWords>((__ubuf__ uint32_t *)out.GetPhyAddr(), (__ubuf__ uint32_t *)out[8].GetPhyAddr(),
                           (__ubuf__ uint32_t *)in.GetPhyAddr(), static_cast<uint16_t>(length / LANES));
  outQueue.EnQue(out);
  inQueue.FreeTensor(in);
  out = outQueue.DeQue<uint32_t>();
  DataCopyPad(yGm, out, DataCopyExtParams(2, sizeof(uint32_t), 0, 0, 0));
  outQueue.FreeTensor(out);
}

// Calls on memory that the 950 has as vector functions: differences, slopes, numbers on one side, elements in turn.
extern "C" __global__ __aicore__ void by_registers(GM_ADDR xGm, GM_ADDR yGm, GM_ADDR zGm, uint32_t count) {
  using namespace AscendC;
  TPipe pipe;
  TBuf<TPosition::VECCALC> buffer;
  pipe.InitBuffer(buffer, 16 * 1024);
  LocalTensor<float> x = buffer.Get<float>(), y = x[1024], z = x[2048], w = x[3072];
  GlobalTensor<float> gm;
  gm.SetGlobalBuffer((__gm__ float *)xGm);
  DataCopy(x, gm, count);
  gm.SetGlobalBuffer((__gm__ float *)yGm);
  DataCopy(y, gm, count);
  gm.SetGlobalBuffer((__gm__ float *)zGm);
  PipeBarrier<PIPE_ALL>();
  auto store = [&] {
    PipeBarrier<PIPE_ALL>();
    DataCopy(gm, z, count);
    PipeBarrier<PIPE_ALL>();
    gm = gm[count];
  };
  AbsSub(z, x, y, count), store();
  ExpSub(z, x, y, count), store();
  Prelu(z, x, y, count), store();
  Subs(z, x, 1.5f, count), store();
  Divs(z, x, 3.0f, count), store();
  Ands(z.ReinterpretCast<int16_t>(), x.ReinterpretCast<int16_t>(), int16_t(0x7ff0), 2 * count), store();
  Ors(z.ReinterpretCast<int16_t>(), x.ReinterpretCast<int16_t>(), int16_t(0x0101), 2 * count), store();
  Interleave(z, w, x, y, count), store();
  DeInterleave(x, y, z, w, count);
  Adds(z, y, 0.0f, count), store();
}
