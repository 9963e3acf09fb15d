// C = A * (W * scale): weights of eight bits, one scale for each column. The two vector cores of a block make halves of
// the weights, the cube core multiplies. A strip of columns at a time goes through a workspace in global memory, two
// slots for each block. Runs on both platforms.
#include "kernel_operator.h"

using namespace AscendC;

constexpr int32_t ROWS = 16;  // of a tile of A
constexpr int32_t STRIP = 64; // columns
constexpr int32_t SLOTS = 2;

// A cross-core flag for each slot: the strip is there, and it may be overwritten.
constexpr uint16_t FULL = 0, FREE = SLOTS;

// A vector core: its half of the rows of each strip.
class Dequantise {
public:
    __aicore__ inline Dequantise() {}
    __aicore__ inline void Init(GM_ADDR w, GM_ADDR scale, GM_ADDR workspace, int32_t n, int32_t k)
    {
        this->n = n;
        block = GetBlockIdx() / GetTaskRation();
        rows = k / GetTaskRation();
        first = GetSubBlockIdx() * rows;
        stripSize = k * STRIP;
        wGm.SetGlobalBuffer((__gm__ int8_t *)w, k * n);
        scaleGm.SetGlobalBuffer((__gm__ half *)scale, n);
        workspaceGm.SetGlobalBuffer((__gm__ half *)workspace + block * SLOTS * stripSize, SLOTS * stripSize);
        pipe.InitBuffer(queueW, 2, rows * STRIP);
        pipe.InitBuffer(queueScale, 2, STRIP * sizeof(half));
        pipe.InitBuffer(queueOut, 2, rows * STRIP * sizeof(half));
    }
    __aicore__ inline void Process()
    {
        int32_t round = 0;
        for (int32_t strip = block; strip < n / STRIP; strip += GetBlockNum(), round++) {
            LocalTensor<int8_t> w = queueW.AllocTensor<int8_t>();
            DataCopyParams params(rows, STRIP / 32, (n - STRIP) / 32, 0);
            DataCopy(w, wGm[first * n + strip * STRIP], params);
            queueW.EnQue(w);
            LocalTensor<half> scale = queueScale.AllocTensor<half>();
            DataCopy(scale, scaleGm[strip * STRIP], STRIP);
            queueScale.EnQue(scale);
            w = queueW.DeQue<int8_t>();
            scale = queueScale.DeQue<half>();
            LocalTensor<half> out = queueOut.AllocTensor<half>();
            Cast(out, w, RoundMode::CAST_NONE, rows * STRIP);
            PipeBarrier<PIPE_V>();
            // Every row by the same scales: they stay where they are from repeat to repeat.
            Mul(out, out, scale, uint64_t(STRIP), uint8_t(rows), BinaryRepeatParams(1, 1, 1, 4, 4, 0));
            queueOut.EnQue(out);
            queueW.FreeTensor(w);
            queueScale.FreeTensor(scale);
            out = queueOut.DeQue<half>();
            int32_t slot = round % SLOTS;
            if (round >= SLOTS) {
                CrossCoreWaitFlag(FREE + slot);
            }
            DataCopy(workspaceGm[slot * stripSize + first * STRIP], out, rows * STRIP);
            CrossCoreSetFlag<2, PIPE_MTE3>(FULL + slot);
            queueOut.FreeTensor(out);
        }
        for (int32_t i = round < SLOTS ? 0 : round - SLOTS; i < round; i++) {
            CrossCoreWaitFlag(FREE + i % SLOTS);
        }
    }

private:
    TPipe pipe;
    TQue<TPosition::VECIN, 2> queueW, queueScale;
    TQue<TPosition::VECOUT, 2> queueOut;
    GlobalTensor<int8_t> wGm;
    GlobalTensor<half> scaleGm, workspaceGm;
    int32_t n, block, rows, first, stripSize;
};

// The cube core: all tiles of A by each strip.
class MultiplyStrips {
public:
    __aicore__ inline MultiplyStrips() {}
    __aicore__ inline void Init(GM_ADDR a, GM_ADDR c, GM_ADDR workspace, int32_t rows, int32_t n, int32_t k)
    {
        this->rows = rows;
        this->n = n;
        this->k = k;
        aGm.SetGlobalBuffer((__gm__ half *)a, rows * k);
        cGm.SetGlobalBuffer((__gm__ float *)c, rows * n);
        workspaceGm.SetGlobalBuffer((__gm__ half *)workspace + GetBlockIdx() * SLOTS * k * STRIP, SLOTS * k * STRIP);
        pipe.InitBuffer(queueA1, 2, ROWS * k * sizeof(half));
        pipe.InitBuffer(queueA2, 2, ROWS * k * sizeof(half));
        pipe.InitBuffer(queueB1, 2, k * STRIP * sizeof(half));
        pipe.InitBuffer(queueB2, 1, k * STRIP * sizeof(half));
        pipe.InitBuffer(queueCO1, 2, ROWS * STRIP * sizeof(float));
    }
    __aicore__ inline void Process()
    {
        int32_t round = 0;
        for (int32_t strip = GetBlockIdx(); strip < n / STRIP; strip += GetBlockNum(), round++) {
            LoadStrip(round % SLOTS);
            LocalTensor<half> b2 = queueB2.DeQue<half>();
            for (int32_t tile = 0; tile < rows / ROWS; tile++) {
                LoadA(tile);
                Compute(b2);
                Store(tile, strip);
            }
            queueB2.FreeTensor(b2);
        }
    }

private:
    __aicore__ inline void LoadStrip(int32_t slot)
    {
        LocalTensor<half> b1 = queueB1.AllocTensor<half>();
        CrossCoreWaitFlag(FULL + slot);
        DataCopy(b1, workspaceGm[slot * k * STRIP], Nd2NzParams(1, k, STRIP, 0, STRIP, k, 1, 0));
        CrossCoreSetFlag<2, PIPE_MTE2>(FREE + slot);
        queueB1.EnQue(b1);
        b1 = queueB1.DeQue<half>();
        LocalTensor<half> b2 = queueB2.AllocTensor<half>();
        LoadData2DParams params;
        params.repeatTimes = STRIP / 16;
        params.srcStride = k / 16;
        params.ifTranspose = true;
        for (int32_t i = 0; i < k / 16; i++) {
            LoadData(b2[i * 16 * STRIP], b1[i * 16 * 16], params);
        }
        queueB2.EnQue(b2);
        queueB1.FreeTensor(b1);
    }
    __aicore__ inline void LoadA(int32_t tile)
    {
        LocalTensor<half> a1 = queueA1.AllocTensor<half>();
        DataCopy(a1, aGm[tile * ROWS * k], Nd2NzParams(1, ROWS, k, 0, k, ROWS, 1, 0));
        queueA1.EnQue(a1);
        a1 = queueA1.DeQue<half>();
        LocalTensor<half> a2 = queueA2.AllocTensor<half>();
        LoadData2DParams params; // one row of fractals lies the same in L1 and in L0A of both platforms
        params.repeatTimes = k / 16;
        params.srcStride = 1;
        LoadData(a2, a1, params);
        queueA2.EnQue(a2);
        queueA1.FreeTensor(a1);
    }
    __aicore__ inline void Compute(const LocalTensor<half> &b2)
    {
        LocalTensor<half> a2 = queueA2.DeQue<half>();
        LocalTensor<float> c1 = queueCO1.AllocTensor<float>();
        MmadParams params;
        params.m = ROWS;
        params.n = STRIP;
        params.k = k;
        Mmad(c1, a2, b2, params);
        queueCO1.EnQue(c1);
        queueA2.FreeTensor(a2);
    }
    __aicore__ inline void Store(int32_t tile, int32_t strip)
    {
        LocalTensor<float> c1 = queueCO1.DeQue<float>();
        FixpipeParamsV220 params;
        params.nSize = STRIP;
        params.mSize = ROWS;
        params.srcStride = ROWS;
        params.dstStride = n;
        Fixpipe(cGm[tile * ROWS * n + strip * STRIP], c1, params);
        queueCO1.FreeTensor(c1);
    }

    TPipe pipe;
    TQue<TPosition::A1, 2> queueA1;
    TQue<TPosition::A2, 2> queueA2;
    TQue<TPosition::B1, 2> queueB1;
    TQue<TPosition::B2, 1> queueB2;
    TQue<TPosition::CO1, 2> queueCO1;
    GlobalTensor<half> aGm, workspaceGm;
    GlobalTensor<float> cGm;
    int32_t rows, n, k;
};

extern "C" __global__ __aicore__ void dequant_matmul(GM_ADDR a, GM_ADDR w, GM_ADDR scale, GM_ADDR c, GM_ADDR workspace,
                                                     int32_t rows, int32_t n, int32_t k)
{
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2);
    if ASCEND_IS_AIV {
        Dequantise op;
        op.Init(w, scale, workspace, n, k);
        op.Process();
    }
    if ASCEND_IS_AIC {
        MultiplyStrips op;
        op.Init(a, c, workspace, rows, n, k);
        op.Process();
    }
}
