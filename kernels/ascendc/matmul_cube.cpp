// C = A * B on the matrix unit of the 910B: A1/B1, A2/B2 and CO1 queues, ND to NZ on the way in, row-major on the way
// out. One block computes baseM rows of C.
#include "kernel_operator.h"

using namespace AscendC;

class KernelMatmul {
public:
  __aicore__ inline void Init(GM_ADDR a, GM_ADDR b, GM_ADDR c, uint16_t m, uint16_t n, uint16_t k) {
    this->m = m;
    this->n = n;
    this->k = k;
    aGm.SetGlobalBuffer((__gm__ half *)a + GetBlockIdx() * m * k);
    bGm.SetGlobalBuffer((__gm__ half *)b);
    cGm.SetGlobalBuffer((__gm__ float *)c + GetBlockIdx() * m * n);
    pipe.InitBuffer(inQueueA1, 1, m * k * sizeof(half));
    pipe.InitBuffer(inQueueA2, 1, m * k * sizeof(half));
    pipe.InitBuffer(inQueueB1, 1, k * n * sizeof(half));
    pipe.InitBuffer(inQueueB2, 1, k * n * sizeof(half));
    pipe.InitBuffer(outQueueCO1, 1, m * n * sizeof(float));
  }

  __aicore__ inline void Process() {
    CopyIn();
    SplitA();
    SplitB();
    Compute();
    CopyOut();
  }

private:
  __aicore__ inline void CopyIn() {
    LocalTensor<half> a1 = inQueueA1.AllocTensor<half>();
    LocalTensor<half> b1 = inQueueB1.AllocTensor<half>();
    DataCopy(a1, aGm, Nd2NzParams(1, m, k, 0, k, m, 1, 0));
    DataCopy(b1, bGm, Nd2NzParams(1, k, n, 0, n, k, 1, 0));
    inQueueA1.EnQue(a1);
    inQueueB1.EnQue(b1);
  }
  // A row of fractals at a time, as the unit reads them.
  __aicore__ inline void SplitA() {
    LocalTensor<half> a1 = inQueueA1.DeQue<half>();
    LocalTensor<half> a2 = inQueueA2.AllocTensor<half>();
    LoadData2DParams params;
    params.repeatTimes = k / 16;
    params.srcStride = m / 16;
    params.ifTranspose = false;
    for (int i = 0; i < m / 16; ++i)
      LoadData(a2[i * 16 * k], a1[i * 16 * 16], params);
    inQueueA2.EnQue(a2);
    inQueueA1.FreeTensor(a1);
  }
  __aicore__ inline void SplitB() {
    LocalTensor<half> b1 = inQueueB1.DeQue<half>();
    LocalTensor<half> b2 = inQueueB2.AllocTensor<half>();
    LoadData2DParams params;
    params.repeatTimes = n / 16;
    params.srcStride = k / 16;
    params.ifTranspose = true;
    for (int i = 0; i < k / 16; ++i)
      LoadData(b2[i * 16 * n], b1[i * 16 * 16], params);
    inQueueB2.EnQue(b2);
    inQueueB1.FreeTensor(b1);
  }
  __aicore__ inline void Compute() {
    LocalTensor<half> a2 = inQueueA2.DeQue<half>();
    LocalTensor<half> b2 = inQueueB2.DeQue<half>();
    LocalTensor<float> c1 = outQueueCO1.AllocTensor<float>();
    MmadParams params;
    params.m = m;
    params.n = n;
    params.k = k;
    Mmad(c1, a2, b2, params);
    outQueueCO1.EnQue(c1);
    inQueueA2.FreeTensor(a2);
    inQueueB2.FreeTensor(b2);
  }
  __aicore__ inline void CopyOut() {
    LocalTensor<float> c1 = outQueueCO1.DeQue<float>();
    FixpipeParamsV220 params;
    params.nSize = n;
    params.mSize = m;
    params.srcStride = m;
    params.dstStride = n;
    Fixpipe(cGm, c1, params);
    outQueueCO1.FreeTensor(c1);
  }

  TPipe pipe;
  TQue<TPosition::A1, 1> inQueueA1;
  TQue<TPosition::A2, 1> inQueueA2;
  TQue<TPosition::B1, 1> inQueueB1;
  TQue<TPosition::B2, 1> inQueueB2;
  TQue<TPosition::CO1, 1> outQueueCO1;
  GlobalTensor<half> aGm, bGm;
  GlobalTensor<float> cGm;
  uint16_t m, n, k;
};

extern "C" __global__ __aicore__ void matmul_cube(GM_ADDR a, GM_ADDR b, GM_ADDR c, uint16_t m, uint16_t n, uint16_t k) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIC_ONLY);
  KernelMatmul op;
  op.Init(a, b, c, m, n, k);
  op.Process();
}
