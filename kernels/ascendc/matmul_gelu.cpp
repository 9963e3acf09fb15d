// C = gelu(A * B) on the 950, whose cube core writes its results straight into the UB of its vector cores: no workspace.
// A tile is split by rows between the two; each has two slots for its half.
#include "kernel_operator.h"

using namespace AscendC;

constexpr int32_t ROWS = 16; // of a tile
constexpr int32_t SLOTS = 2; // in UB

// A cross-core flag for each slot: the product is there, and it may be overwritten.
constexpr uint16_t FULL = 0, FREE = SLOTS;

constexpr FixpipeConfig ROWS_TO_UB = {CO2Layout::ROW_MAJOR, true};

class MatmulGelu {
public:
    __aicore__ inline MatmulGelu() {}
    __aicore__ inline void Init(GM_ADDR a, GM_ADDR b, GM_ADDR c, int32_t rows, int32_t n, int32_t k)
    {
        this->n = n;
        this->k = k;
        tiles = rows / ROWS;
        share = ROWS / 2 * n;
        aGm.SetGlobalBuffer((__gm__ half *)a, rows * k);
        bGm.SetGlobalBuffer((__gm__ half *)b, k * n);
        cGm.SetGlobalBuffer((__gm__ float *)c, rows * n);
        // First on every core, so that both kinds mean the same addresses of UB.
        pipe.InitBuffer(slots, SLOTS * share * sizeof(float));
        if ASCEND_IS_AIC {
            pipe.InitBuffer(queueA1, 2, ROWS * k * sizeof(half));
            pipe.InitBuffer(queueA2, 2, ROWS * k * sizeof(half));
            pipe.InitBuffer(queueB1, 1, k * n * sizeof(half));
            pipe.InitBuffer(queueB2, 1, k * n * sizeof(half));
            pipe.InitBuffer(queueCO1, 2, ROWS * n * sizeof(float));
        }
        if ASCEND_IS_AIV {
            pipe.InitBuffer(queueOut, 2, share * sizeof(float));
        }
    }

    __aicore__ inline void ProcessCube()
    {
        LoadB();
        LocalTensor<half> b2 = queueB2.DeQue<half>();
        int32_t round = 0;
        for (int32_t tile = GetBlockIdx(); tile < tiles; tile += GetBlockNum(), round++) {
            LoadA(tile);
            Multiply(b2);
            int32_t slot = round % SLOTS;
            if (round >= SLOTS) {
                CrossCoreWaitFlag<2, PIPE_FIX>(FREE + slot);
            }
            HandOver(slot);
            CrossCoreSetFlag<2, PIPE_FIX>(FULL + slot);
        }
        queueB2.FreeTensor(b2);
        for (int32_t i = round < SLOTS ? 0 : round - SLOTS; i < round; i++) {
            CrossCoreWaitFlag<2, PIPE_FIX>(FREE + i % SLOTS);
        }
    }

    __aicore__ inline void ProcessVector()
    {
        LocalTensor<float> products = slots.Get<float>();
        int32_t round = 0, block = GetBlockIdx() / GetTaskRation();
        for (int32_t tile = block; tile < tiles; tile += GetBlockNum(), round++) {
            int32_t slot = round % SLOTS;
            LocalTensor<float> x = products[slot * share];
            LocalTensor<float> y = queueOut.AllocTensor<float>();
            CrossCoreWaitFlag<2, PIPE_V>(FULL + slot);
            // x / (1 + exp(-1.5957691 (x + 0.044715 x^3)))
            Mul(y, x, x, share);
            Mul(y, y, x, share);
            Muls(y, y, 0.044715f, share);
            Add(y, y, x, share);
            Muls(y, y, -1.5957691f, share);
            Exp(y, y, share);
            Adds(y, y, 1.0f, share);
            Div(y, x, y, share);
            CrossCoreSetFlag<2, PIPE_V>(FREE + slot);
            queueOut.EnQue(y);
            y = queueOut.DeQue<float>();
            DataCopy(cGm[tile * ROWS * n + GetSubBlockIdx() * share], y, share);
            queueOut.FreeTensor(y);
        }
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
    __aicore__ inline void LoadA(int32_t tile)
    {
        LocalTensor<half> a1 = queueA1.AllocTensor<half>();
        DataCopy(a1, aGm[tile * ROWS * k], Nd2NzParams(1, ROWS, k, 0, k, ROWS, 1, 0));
        queueA1.EnQue(a1);
        a1 = queueA1.DeQue<half>();
        LocalTensor<half> a2 = queueA2.AllocTensor<half>();
        LoadData2DParams params;
        params.repeatTimes = k / 16;
        params.srcStride = 1;
        LoadData(a2, a1, params);
        queueA2.EnQue(a2);
        queueA1.FreeTensor(a1);
    }
    __aicore__ inline void Multiply(const LocalTensor<half> &b2)
    {
        LocalTensor<half> a2 = queueA2.DeQue<half>();
        LocalTensor<float> c1 = queueCO1.AllocTensor<float>();
        MmadParams params;
        params.m = ROWS;
        params.n = n;
        params.k = k;
        Mmad(c1, a2, b2, params);
        queueCO1.EnQue(c1);
        queueA2.FreeTensor(a2);
    }
    // The upper half of the rows to the first vector core, the lower half to the second.
    __aicore__ inline void HandOver(int32_t slot)
    {
        LocalTensor<float> c1 = queueCO1.DeQue<float>();
        FixpipeParamsC310<CO2Layout::ROW_MAJOR> params;
        params.nSize = n;
        params.mSize = ROWS;
        params.srcStride = ROWS;
        params.dstStride = n;
        params.dualDstCtl = 1;
        Fixpipe<float, float, ROWS_TO_UB>(slots.Get<float>()[slot * share], c1, params);
        queueCO1.FreeTensor(c1);
    }

    TPipe pipe;
    TBuf<TPosition::VECCALC> slots;
    TQue<TPosition::A1, 2> queueA1;
    TQue<TPosition::A2, 2> queueA2;
    TQue<TPosition::B1, 1> queueB1;
    TQue<TPosition::B2, 1> queueB2;
    TQue<TPosition::CO1, 2> queueCO1;
    TQue<TPosition::VECOUT, 2> queueOut;
    GlobalTensor<half> aGm, bGm;
    GlobalTensor<float> cGm;
    int32_t n, k, tiles, share;
};

extern "C" __global__ __aicore__ __mix__(1, 2) void matmul_gelu(GM_ADDR a, GM_ADDR b, GM_ADDR c, int32_t rows,
                                                                int32_t n, int32_t k)
{
    MatmulGelu op;
    op.Init(a, b, c, rows, n, k);
    if ASCEND_IS_AIC {
        op.ProcessCube();
    }
    if ASCEND_IS_AIV {
        op.ProcessVector();
    }
}
