// Softmax of rows: a template over the element type, temporary buffers, reductions, and scalars read back from UB.
#include "kernel_operator.h"

using namespace AscendC;

template <typename T> class SoftmaxRows {
public:
  __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, uint32_t rows, uint32_t columns) {
    this->rows = rows;
    this->columns = columns;
    aligned = (columns + 63) / 64 * 64;
    xGm.SetGlobalBuffer((__gm__ T *)x, rows * columns);
    yGm.SetGlobalBuffer((__gm__ T *)y, rows * columns);
    pipe.InitBuffer(inQueue, 2, aligned * sizeof(T));
    pipe.InitBuffer(outQueue, 2, aligned * sizeof(T));
    pipe.InitBuffer(calcBuf, aligned * sizeof(float));
    pipe.InitBuffer(workBuf, aligned * sizeof(float));
    pipe.InitBuffer(resultBuf, 32);
  }

  __aicore__ inline void Process() {
    for (uint32_t row = GetBlockIdx(); row < rows; row += GetBlockNum()) {
      LocalTensor<T> in = inQueue.template AllocTensor<T>();
      DataCopyPad(in, xGm[row * columns], {1, static_cast<uint32_t>(columns * sizeof(T)), 0, 0, 0}, {false, 0, 0, 0});
      inQueue.EnQue(in);
      Compute();
      LocalTensor<T> out = outQueue.template DeQue<T>();
      DataCopyPad(yGm[row * columns], out, {1, static_cast<uint32_t>(columns * sizeof(T)), 0, 0, 0});
      outQueue.FreeTensor(out);
    }
  }

private:
  __aicore__ inline float ScalarOf(const LocalTensor<float> &tensor) {
    event_t vToS = static_cast<event_t>(GetTPipePtr()->FetchEventID(HardEvent::V_S));
    SetFlag<HardEvent::V_S>(vToS);
    WaitFlag<HardEvent::V_S>(vToS);
    return tensor.GetValue(0);
  }

  __aicore__ inline void Compute() {
    LocalTensor<T> in = inQueue.template DeQue<T>();
    LocalTensor<T> out = outQueue.template AllocTensor<T>();
    LocalTensor<float> calc = calcBuf.Get<float>(), work = workBuf.Get<float>(), result = resultBuf.Get<float>();
    if constexpr (sizeof(T) == 2)
      Cast(calc, in, RoundMode::CAST_NONE, columns);
    else
      Adds(calc, in, 0.0f, columns);
    inQueue.FreeTensor(in);
    ReduceMax(result, calc, work, columns);
    Adds(calc, calc, -ScalarOf(result), columns);
    Exp(calc, calc, columns);
    ReduceSum(result, calc, work, columns);
    Muls(calc, calc, 1.0f / ScalarOf(result), columns);
    if constexpr (sizeof(T) == 2)
      Cast(out, calc, RoundMode::CAST_RINT, columns);
    else
      Adds(out, calc, 0.0f, columns);
    outQueue.EnQue(out);
  }

  TPipe pipe;
  TQue<TPosition::VECIN, 2> inQueue;
  TQue<TPosition::VECOUT, 2> outQueue;
  TBuf<TPosition::VECCALC> calcBuf, workBuf, resultBuf;
  GlobalTensor<T> xGm, yGm;
  uint32_t rows, columns, aligned;
};

extern "C" __global__ __aicore__ void softmax_rows_half(GM_ADDR x, GM_ADDR y, uint32_t rows, uint32_t columns) {
  SoftmaxRows<half> op;
  op.Init(x, y, rows, columns);
  op.Process();
}

extern "C" __global__ __aicore__ void softmax_rows_float(GM_ADDR x, GM_ADDR y, uint32_t rows, uint32_t columns) {
  SoftmaxRows<float> op;
  op.Init(x, y, rows, columns);
  op.Process();
}
