// Moves between memories and the matrix unit, for test_ascendc_conformance_moves.py: one request, one chain of calls.
#include "kernel_operator.h"

using namespace AscendC;

constexpr uint32_t SLOT = 32768;

struct Move {
  int32_t size, form, blocks, length, srcGap, dstGap, isPad, left, right, value;
};

template <typename T> void MoveOf(GM_ADDR out, GM_ADDR src, GM_ADDR before, const Move &r) {
  GlobalTensor<T> outGm, srcGm, beforeGm;
  outGm.SetGlobalBuffer((__gm__ T *)out);
  srcGm.SetGlobalBuffer((__gm__ T *)src);
  beforeGm.SetGlobalBuffer((__gm__ T *)before);
  LocalTensor<T> ub(TPosition::VECCALC, 0, SLOT / sizeof(T));
  bool in = r.form < 3;
  DataCopy(ub, in ? beforeGm : srcGm, SLOT / sizeof(T));
  PipeBarrier<PIPE_ALL>();
  DataCopyParams plain(r.blocks, r.length, r.srcGap, r.dstGap);
  DataCopyExtParams extended(r.blocks, r.length, r.srcGap, r.dstGap, 0);
  switch (r.form) {
  case 0:
    DataCopy(ub, srcGm, plain);
    break;
  case 1:
    DataCopyPad(ub, srcGm, extended, DataCopyPadExtParams<T>(r.isPad, r.left, r.right, T(r.value)));
    break;
  case 2:
    DataCopyPad(ub, srcGm, plain, DataCopyPadParams(r.isPad, r.left, r.right, r.value));
    break;
  case 3:
    DataCopy(outGm, ub, plain);
    break;
  case 4:
    DataCopyPad(outGm, ub, extended);
    break;
  case 5:
    DataCopyPad(outGm, ub, plain);
    break;
  }
  PipeBarrier<PIPE_ALL>();
  if (in)
    DataCopy(outGm, ub, SLOT / sizeof(T));
}

extern "C" __global__ __aicore__ void move(GM_ADDR out, GM_ADDR src, GM_ADDR before, Move r) {
  if (r.size == 1)
    MoveOf<uint8_t>(out, src, before, r);
  else if (r.size == 2)
    MoveOf<uint16_t>(out, src, before, r);
  else
    MoveOf<uint32_t>(out, src, before, r);
}

struct Product {
  int32_t dtype, m, n, k, step, lda, ldb, ldc, turned, bias, relu, half, rowsInside;
};

// C = A * B (+ bias), k in steps that accumulate. A is [m, k]; B is [n, k], or [k, n] where it is turned on the way to L0B.
template <typename T, typename C> void ProductOf(GM_ADDR c, GM_ADDR a, GM_ADDR b, GM_ADDR bias, const Product &r) {
  constexpr uint32_t c0 = 32 / sizeof(T), fractal = 16 * c0;
  uint32_t rowsA = (r.m + 15) / 16, rowsB = (r.n + 15) / 16, columns = (r.k + c0 - 1) / c0;
  LocalTensor<T> a1(TPosition::A1, 0, rowsA * columns * fractal), b1(TPosition::B1, 256 * 1024, rowsB * columns * fractal);
  LocalTensor<T> a2(TPosition::A2, 0, 65536 / sizeof(T)), b2(TPosition::B2, 0, 65536 / sizeof(T));
  LocalTensor<C> bias1(TPosition::C1, 448 * 1024, rowsB * 16), bias2(TPosition::C2, 0, rowsB * 16);
  LocalTensor<C> co1(TPosition::CO1, 0, rowsA * rowsB * 256);
  GlobalTensor<T> aGm, bGm;
  GlobalTensor<C> biasGm, cGm;
  aGm.SetGlobalBuffer((__gm__ T *)a);
  bGm.SetGlobalBuffer((__gm__ T *)b);
  biasGm.SetGlobalBuffer((__gm__ C *)bias);
  cGm.SetGlobalBuffer((__gm__ C *)c);
  DataCopy(a1, aGm, Nd2NzParams(1, r.m, r.k, 0, r.lda, rowsA * 16, 1, 0));
  if (r.turned)
    DataCopy(b1, bGm, Nd2NzParams(1, r.k, r.n, 0, r.ldb, columns * c0, 1, 0));
  else
    DataCopy(b1, bGm, Nd2NzParams(1, r.n, r.k, 0, r.ldb, rowsB * 16, 1, 0));
  if (r.bias)
    DataCopy(bias1, biasGm, rowsB * 16);
  PipeBarrier<PIPE_ALL>();
  if (r.bias)
    DataCopy(bias2, bias1, rowsB * 16);
  for (int32_t begin = 0; begin < r.k; begin += r.step) {
    int32_t length = r.k - begin < r.step ? r.k - begin : r.step;
    uint32_t first = begin / c0, count = (length + c0 - 1) / c0;
    PipeBarrier<PIPE_ALL>();
    if (r.rowsInside) // L0A of the 950: fractals below each other first
      LoadData(a2, a1[first * rowsA * fractal], LoadData2DParams(0, count * rowsA, 1, 0, 0, false, 0));
    for (uint32_t i = 0; i < rowsA && !r.rowsInside; ++i)
      LoadData(a2[i * count * fractal], a1[(first * rowsA + i) * fractal], LoadData2DParams(0, count, rowsA, 0, 0, false, 0));
    if (r.turned) // 16 bits: a fractal is a square
      for (uint32_t i = 0; i < count; ++i)
        if (r.rowsInside) // where startIndex counts columns of fractals
          LoadData(b2[i * rowsB * fractal], b1[(first + i) * fractal], LoadData2DParams(0, rowsB, columns, 0, 0, true, 0));
        else
          LoadData(b2[i * rowsB * fractal], b1, LoadData2DParams(first + i, rowsB, columns, 0, 0, true, 0));
    else
      LoadData(b2, b1[first * rowsB * fractal], LoadData2DParams(0, count * rowsB, 1, 0, 0, false, 0));
    PipeBarrier<PIPE_ALL>();
    MmadParams params(r.m, r.n, length, 0, false, begin == 0);
    if (begin == 0 && r.bias) {
      params.cmatrixInitVal = false;
      params.cmatrixSource = true;
      Mmad(co1, a2, b2, bias2, params);
    } else {
      Mmad(co1, a2, b2, params);
    }
  }
  PipeBarrier<PIPE_ALL>();
  FixpipeParamsV220 out(r.n, r.m, rowsA * 16, r.ldc, r.relu);
  if constexpr (std::is_same_v<C, float>) {
    if (r.half) {
      GlobalTensor<half> halfGm;
      halfGm.SetGlobalBuffer((__gm__ half *)c);
      out.quantPre = QuantMode_t::F322F16;
      return Fixpipe<half, float, CFG_ROW_MAJOR>(halfGm, co1, out);
    }
  }
  Fixpipe<C, C, CFG_ROW_MAJOR>(cGm, co1, out);
}

extern "C" __global__ __aicore__ void product(GM_ADDR c, GM_ADDR a, GM_ADDR b, GM_ADDR bias, Product r) {
  if (r.dtype == 0)
    ProductOf<half, float>(c, a, b, bias, r);
  else if (r.dtype == 1)
    ProductOf<bfloat16_t, float>(c, a, b, bias, r);
  else if (r.dtype == 2)
    ProductOf<float, float>(c, a, b, bias, r);
  else
    ProductOf<int8_t, int32_t>(c, a, b, bias, r);
}
