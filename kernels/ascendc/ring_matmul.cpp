// C = relu(A) * B through a ring of four slots: the vector core of a block fills them, its cube core empties them, and
// neither waits for the other while there is room. Flags between the cores count: FULL the slots that are filled, FREE
// those that are empty again. The kernel is launched 1 : 1. Runs on both platforms.
#include "kernel_operator.h"

using namespace AscendC;

constexpr int32_t ROWS = 16;
constexpr int32_t SLOTS = 4;
constexpr uint16_t FULL = 3, FREE = 4;

class FillRing {
public:
    __aicore__ inline FillRing() {}
    __aicore__ inline void Init(GM_ADDR a, GM_ADDR ring, int32_t rows, int32_t k)
    {
        tiles = rows / ROWS;
        size = ROWS * k;
        aGm.SetGlobalBuffer((__gm__ half *)a, rows * k);
        ringGm.SetGlobalBuffer((__gm__ half *)ring + GetBlockIdx() * SLOTS * size, SLOTS * size);
        pipe.InitBuffer(queueIn, 2, size * sizeof(half));
        pipe.InitBuffer(queueOut, 2, size * sizeof(half));
    }
    __aicore__ inline void Process()
    {
        int32_t filled = 0;
        for (int32_t tile = GetBlockIdx(); tile < tiles; tile += GetBlockNum(), filled++) {
            LocalTensor<half> x = queueIn.AllocTensor<half>();
            DataCopy(x, aGm[tile * size], size);
            queueIn.EnQue(x);
            x = queueIn.DeQue<half>();
            LocalTensor<half> y = queueOut.AllocTensor<half>();
            Relu(y, x, size);
            queueOut.EnQue(y);
            queueIn.FreeTensor(x);
            y = queueOut.DeQue<half>();
            if (filled >= SLOTS) {
                CrossCoreWaitFlag(FREE);
            }
            DataCopy(ringGm[filled % SLOTS * size], y, size);
            CrossCoreSetFlag<2, PIPE_MTE3>(FULL);
            queueOut.FreeTensor(y);
        }
        for (int32_t i = 0; i < (filled < SLOTS ? filled : SLOTS); i++) {
            CrossCoreWaitFlag(FREE);
        }
    }

private:
    TPipe pipe;
    TQue<TPosition::VECIN, 2> queueIn;
    TQue<TPosition::VECOUT, 2> queueOut;
    GlobalTensor<half> aGm, ringGm;
    int32_t tiles, size;
};

class EmptyRing {
public:
    __aicore__ inline EmptyRing() {}
    __aicore__ inline void Init(GM_ADDR b, GM_ADDR c, GM_ADDR ring, int32_t rows, int32_t n, int32_t k)
    {
        this->n = n;
        this->k = k;
        tiles = rows / ROWS;
        bGm.SetGlobalBuffer((__gm__ half *)b, k * n);
        cGm.SetGlobalBuffer((__gm__ float *)c, rows * n);
        ringGm.SetGlobalBuffer((__gm__ half *)ring + GetBlockIdx() * SLOTS * ROWS * k, SLOTS * ROWS * k);
        pipe.InitBuffer(queueA1, 2, ROWS * k * sizeof(half));
        pipe.InitBuffer(queueA2, 2, ROWS * k * sizeof(half));
        pipe.InitBuffer(queueB1, 1, k * n * sizeof(half));
        pipe.InitBuffer(queueB2, 1, k * n * sizeof(half));
        pipe.InitBuffer(queueCO1, 2, ROWS * n * sizeof(float));
    }
    __aicore__ inline void Process()
    {
        LoadB();
        LocalTensor<half> b2 = queueB2.DeQue<half>();
        int32_t emptied = 0;
        for (int32_t tile = GetBlockIdx(); tile < tiles; tile += GetBlockNum(), emptied++) {
            LocalTensor<half> a1 = queueA1.AllocTensor<half>();
            CrossCoreWaitFlag(FULL);
            DataCopy(a1, ringGm[emptied % SLOTS * ROWS * k], Nd2NzParams(1, ROWS, k, 0, k, ROWS, 1, 0));
            CrossCoreSetFlag<2, PIPE_MTE2>(FREE);
            queueA1.EnQue(a1);
            a1 = queueA1.DeQue<half>();
            LocalTensor<half> a2 = queueA2.AllocTensor<half>();
            LoadData2DParams load; // one row of fractals lies the same in L1 and in L0A of both platforms
            load.repeatTimes = k / 16;
            load.srcStride = 1;
            LoadData(a2, a1, load);
            queueA2.EnQue(a2);
            queueA1.FreeTensor(a1);
            a2 = queueA2.DeQue<half>();
            LocalTensor<float> c1 = queueCO1.AllocTensor<float>();
            MmadParams multiply;
            multiply.m = ROWS;
            multiply.n = n;
            multiply.k = k;
            Mmad(c1, a2, b2, multiply);
            queueCO1.EnQue(c1);
            queueA2.FreeTensor(a2);
            c1 = queueCO1.DeQue<float>();
            FixpipeParamsV220 store;
            store.nSize = n;
            store.mSize = ROWS;
            store.srcStride = ROWS;
            store.dstStride = n;
            Fixpipe(cGm[tile * ROWS * n], c1, store);
            queueCO1.FreeTensor(c1);
        }
        queueB2.FreeTensor(b2);
    }

private:
    __aicore__ inline void LoadB()
    {
        LocalTensor<half> b1 = queueB1.AllocTensor<half>();
        DataCopy(b1, bGm, Nd2NzParams(1, k, n, 0, n, k, 1, 0));
        queueB1.EnQue(b1);
        b1 = queueB1.DeQue<half>();
        LocalTensor<half> b2 = queueB2.AllocTensor<half>();
        LoadData2DParams params;
        params.repeatTimes = n / 16;
        params.srcStride = k / 16;
        params.ifTranspose = true;
        for (int32_t i = 0; i < k / 16; i++) {
            LoadData(b2[i * 16 * n], b1[i * 16 * 16], params);
        }
        queueB2.EnQue(b2);
        queueB1.FreeTensor(b1);
    }

    TPipe pipe;
    TQue<TPosition::A1, 2> queueA1;
    TQue<TPosition::A2, 2> queueA2;
    TQue<TPosition::B1, 1> queueB1;
    TQue<TPosition::B2, 1> queueB2;
    TQue<TPosition::CO1, 2> queueCO1;
    GlobalTensor<half> bGm, ringGm;
    GlobalTensor<float> cGm;
    int32_t n, k, tiles;
};

extern "C" __global__ __aicore__ __mix__(1, 1) void ring_matmul(GM_ADDR a, GM_ADDR b, GM_ADDR c, GM_ADDR ring,
                                                                int32_t rows, int32_t n, int32_t k)
{
    if ASCEND_IS_AIV {
        FillRing op;
        op.Init(a, ring, rows, k);
        op.Process();
    }
    if ASCEND_IS_AIC {
        EmptyRing op;
        op.Init(b, c, ring, rows, n, k);
        op.Process();
    }
}
