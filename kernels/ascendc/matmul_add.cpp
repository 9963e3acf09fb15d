// C = A * B + D on cube and vector cores: the cube core of a block multiplies, its two vector cores add, half of the
// rows of a tile each. Products go through a workspace in global memory, two slots for each block. Runs on both
// platforms.
#include "kernel_operator.h"

using namespace AscendC;

constexpr int32_t ROWS = 16; // of a tile
constexpr int32_t SLOTS = 2; // of the workspace of a block

// A cross-core flag for each slot: its product is there, and it may be overwritten.
constexpr uint16_t FULL = 0, FREE = SLOTS;

// The cube core: a tile of A times all of B, which stays in L0B.
class Multiply {
public:
    __aicore__ inline Multiply() {}
    __aicore__ inline void Init(GM_ADDR a, GM_ADDR b, GM_ADDR workspace, int32_t rows, int32_t n, int32_t k)
    {
        this->n = n;
        this->k = k;
        tiles = rows / ROWS;
        aGm.SetGlobalBuffer((__gm__ half *)a, rows * k);
        bGm.SetGlobalBuffer((__gm__ half *)b, k * n);
        workspaceGm.SetGlobalBuffer((__gm__ float *)workspace + GetBlockIdx() * SLOTS * ROWS * n, SLOTS * ROWS * n);
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
        int32_t round = 0;
        for (int32_t tile = GetBlockIdx(); tile < tiles; tile += GetBlockNum(), round++) {
            LoadA(tile);
            Compute(b2);
            int32_t slot = round % SLOTS;
            if (round >= SLOTS) {
                CrossCoreWaitFlag(FREE + slot);
            }
            Store(slot);
            CrossCoreSetFlag<2, PIPE_FIX>(FULL + slot);
        }
        queueB2.FreeTensor(b2);
        // Every set is waited for, or it would be there when the next kernel begins.
        for (int32_t i = round < SLOTS ? 0 : round - SLOTS; i < round; i++) {
            CrossCoreWaitFlag(FREE + i % SLOTS);
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
        params.n = n;
        params.k = k;
        Mmad(c1, a2, b2, params);
        queueCO1.EnQue(c1);
        queueA2.FreeTensor(a2);
    }
    __aicore__ inline void Store(int32_t slot)
    {
        LocalTensor<float> c1 = queueCO1.DeQue<float>();
        FixpipeParamsV220 params;
        params.nSize = n;
        params.mSize = ROWS;
        params.srcStride = ROWS;
        params.dstStride = n;
        Fixpipe(workspaceGm[slot * ROWS * n], c1, params);
        queueCO1.FreeTensor(c1);
    }

    TPipe pipe;
    TQue<TPosition::A1, 2> queueA1;
    TQue<TPosition::A2, 2> queueA2;
    TQue<TPosition::B1, 1> queueB1;
    TQue<TPosition::B2, 1> queueB2;
    TQue<TPosition::CO1, 2> queueCO1;
    GlobalTensor<half> aGm, bGm;
    GlobalTensor<float> workspaceGm;
    int32_t n, k, tiles;
};

// A vector core: its half of each tile's product, plus D.
class AddHalf {
public:
    __aicore__ inline AddHalf() {}
    __aicore__ inline void Init(GM_ADDR d, GM_ADDR c, GM_ADDR workspace, int32_t rows, int32_t n)
    {
        block = GetBlockIdx() / GetTaskRation();
        share = ROWS / GetTaskRation() * n;
        tileSize = ROWS * n;
        first = GetSubBlockIdx() * share;
        tiles = rows / ROWS;
        dGm.SetGlobalBuffer((__gm__ float *)d, rows * n);
        cGm.SetGlobalBuffer((__gm__ float *)c, rows * n);
        workspaceGm.SetGlobalBuffer((__gm__ float *)workspace + block * SLOTS * tileSize, SLOTS * tileSize);
        pipe.InitBuffer(queueProduct, 2, share * sizeof(float));
        pipe.InitBuffer(queueD, 2, share * sizeof(float));
        pipe.InitBuffer(queueC, 2, share * sizeof(float));
    }
    __aicore__ inline void Process()
    {
        int32_t round = 0;
        for (int32_t tile = block; tile < tiles; tile += GetBlockNum(), round++) {
            int32_t slot = round % SLOTS;
            LocalTensor<float> d = queueD.AllocTensor<float>();
            DataCopy(d, dGm[tile * tileSize + first], share);
            queueD.EnQue(d);
            LocalTensor<float> product = queueProduct.AllocTensor<float>();
            CrossCoreWaitFlag(FULL + slot);
            DataCopy(product, workspaceGm[slot * tileSize + first], share);
            CrossCoreSetFlag<2, PIPE_MTE2>(FREE + slot);
            queueProduct.EnQue(product);
            product = queueProduct.DeQue<float>();
            d = queueD.DeQue<float>();
            LocalTensor<float> c = queueC.AllocTensor<float>();
            Add(c, product, d, share);
            queueC.EnQue(c);
            queueProduct.FreeTensor(product);
            queueD.FreeTensor(d);
            c = queueC.DeQue<float>();
            DataCopy(cGm[tile * tileSize + first], c, share);
            queueC.FreeTensor(c);
        }
    }

private:
    TPipe pipe;
    TQue<TPosition::VECIN, 2> queueProduct, queueD;
    TQue<TPosition::VECOUT, 2> queueC;
    GlobalTensor<float> dGm, cGm, workspaceGm;
    int32_t block, share, tileSize, first, tiles;
};

extern "C" __global__ __aicore__ void matmul_add(GM_ADDR a, GM_ADDR b, GM_ADDR d, GM_ADDR c, GM_ADDR workspace,
                                                 int32_t rows, int32_t n, int32_t k)
{
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2);
    if ASCEND_IS_AIC {
        Multiply op;
        op.Init(a, b, workspace, rows, n, k);
        op.Process();
    }
    if ASCEND_IS_AIV {
        AddHalf op;
        op.Init(d, c, workspace, rows, n);
        op.Process();
    }
}
