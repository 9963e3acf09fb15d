// The matrix unit by its instructions: rows into fractals, into L0, products, results out.
#include "kernel_operator.h"
using namespace AscendC;

// C = A * B + bias on one core, with queues for every memory: A1/B1/C1, A2/B2/C2, CO1.
template <typename T, typename C> class KernelMmad {
public:
    __aicore__ inline KernelMmad(uint16_t m, uint16_t k, uint16_t n) : m(m), k(k), n(n)
    {
        c0 = 32 / sizeof(T);
        mBlocks = (m + 15) / 16;
        kBlocks = (k + c0 - 1) / c0;
        nBlocks = (n + 15) / 16;
    }
    __aicore__ inline void Init(GM_ADDR a, GM_ADDR b, GM_ADDR bias, GM_ADDR c)
    {
        aGM.SetGlobalBuffer((__gm__ T *)a);
        bGM.SetGlobalBuffer((__gm__ T *)b);
        biasGM.SetGlobalBuffer((__gm__ C *)bias);
        cGM.SetGlobalBuffer((__gm__ C *)c);
        pipe.InitBuffer(inQueueA1, 1, mBlocks * 16 * kBlocks * 32);
        pipe.InitBuffer(inQueueA2, 1, mBlocks * 16 * kBlocks * 32);
        pipe.InitBuffer(inQueueB1, 1, kBlocks * 32 * nBlocks * 16 * 2);
        pipe.InitBuffer(inQueueB2, 1, kBlocks * 32 * nBlocks * 16);
        pipe.InitBuffer(inQueueC1, 1, nBlocks * 16 * sizeof(C));
        pipe.InitBuffer(inQueueC2, 1, nBlocks * 16 * sizeof(C));
        pipe.InitBuffer(outQueueCO1, 1, mBlocks * nBlocks * 16 * 16 * sizeof(C));
    }
    __aicore__ inline void Process()
    {
        CopyIn();
        SplitA();
        SplitB();
        SplitBias();
        Compute();
        CopyOut();
    }

private:
    __aicore__ inline void CopyIn()
    {
        LocalTensor<T> a1 = inQueueA1.template AllocTensor<T>();
        LocalTensor<T> b1 = inQueueB1.template AllocTensor<T>();
        LocalTensor<C> c1 = inQueueC1.template AllocTensor<C>();
        Nd2NzParams paramsA;
        paramsA.ndNum = 1;
        paramsA.nValue = m;
        paramsA.dValue = k;
        paramsA.srcNdMatrixStride = 0;
        paramsA.srcDValue = k;
        paramsA.dstNzC0Stride = mBlocks * 16;
        paramsA.dstNzNStride = 1;
        paramsA.dstNzMatrixStride = 0;
        DataCopy(a1, aGM, paramsA);
        // B is [k, n]: its columns of 32 bytes become fractals of k rows.
        uint16_t rows = (k + c0 - 1) / c0 * c0;
        Nd2NzParams paramsB{1, k, n, 0, n, rows, 1, 0};
        DataCopy(b1, bGM, paramsB);
        DataCopy(c1, biasGM, n);
        inQueueA1.EnQue(a1);
        inQueueB1.EnQue(b1);
        inQueueC1.EnQue(c1);
    }
    __aicore__ inline void SplitA()
    {
        LocalTensor<T> a1 = inQueueA1.template DeQue<T>();
        LocalTensor<T> a2 = inQueueA2.template AllocTensor<T>();
        uint32_t dstOffset = kBlocks * 16 * c0, srcOffset = 16 * c0;
        for (uint32_t i = 0; i < mBlocks; ++i) {
            LoadData2DParams params;
            params.repeatTimes = kBlocks;
            params.srcStride = mBlocks;
            params.dstGap = 0;
            params.ifTranspose = false;
            LoadData(a2[i * dstOffset], a1[i * srcOffset], params);
        }
        inQueueA2.EnQue(a2);
        inQueueA1.FreeTensor(a1);
    }
    __aicore__ inline void SplitB()
    {
        LocalTensor<T> b1 = inQueueB1.template DeQue<T>();
        LocalTensor<T> b2 = inQueueB2.template AllocTensor<T>();
        if constexpr (sizeof(T) == 1) {
            // Squares of 32 x 32: two fractals below each other turn into two beside each other.
            for (uint32_t i = 0; i < kBlocks; ++i) {
                LoadData2dTransposeParams params;
                params.startIndex = i;
                params.repeatTimes = (n + 31) / 32;
                params.srcStride = kBlocks;
                params.dstGap = 1;
                params.dstFracGap = 0;
                LoadDataWithTranspose(b2[i * nBlocks * 16 * c0], b1, params);
            }
        } else {
            uint32_t kFractals = (k + 15) / 16;
            for (uint32_t i = 0; i < kFractals; ++i) {
                LoadData2DParams params;
                params.startIndex = i;
                params.repeatTimes = nBlocks;
                params.srcStride = kFractals;
                params.ifTranspose = true;
                LoadData(b2[i * nBlocks * 256], b1, params);
            }
        }
        inQueueB1.FreeTensor(b1);
        inQueueB2.EnQue(b2);
    }
    __aicore__ inline void SplitBias()
    {
        LocalTensor<C> c1 = inQueueC1.template DeQue<C>();
        LocalTensor<C> c2 = inQueueC2.template AllocTensor<C>();
        DataCopy(c2, c1, n);
        inQueueC1.FreeTensor(c1);
        inQueueC2.EnQue(c2);
    }
    __aicore__ inline void Compute()
    {
        LocalTensor<T> a2 = inQueueA2.template DeQue<T>();
        LocalTensor<T> b2 = inQueueB2.template DeQue<T>();
        LocalTensor<C> bias = inQueueC2.template DeQue<C>();
        LocalTensor<C> c = outQueueCO1.template AllocTensor<C>();
        MmadParams mmadParams;
        mmadParams.m = m;
        mmadParams.n = n;
        mmadParams.k = k;
        mmadParams.cmatrixInitVal = false;
        mmadParams.cmatrixSource = true;
        Mmad(c, a2, b2, bias, mmadParams);
        outQueueCO1.EnQue(c);
        inQueueA2.FreeTensor(a2);
        inQueueB2.FreeTensor(b2);
        inQueueC2.FreeTensor(bias);
    }
    __aicore__ inline void CopyOut()
    {
        LocalTensor<C> c = outQueueCO1.template DeQue<C>();
        FixpipeParamsV220 fixpipeParams;
        fixpipeParams.nSize = n;
        fixpipeParams.mSize = m;
        fixpipeParams.srcStride = mBlocks * 16;
        fixpipeParams.dstStride = n;
        fixpipeParams.ndNum = 1;
        fixpipeParams.srcNdStride = 0;
        fixpipeParams.dstNdStride = 0;
        Fixpipe(cGM, c, fixpipeParams);
        outQueueCO1.FreeTensor(c);
    }

    TPipe pipe;
    TQue<TPosition::A1, 1> inQueueA1;
    TQue<TPosition::A2, 1> inQueueA2;
    TQue<TPosition::B1, 1> inQueueB1;
    TQue<TPosition::B2, 1> inQueueB2;
    TQue<TPosition::C1, 1> inQueueC1;
    TQue<TPosition::C2, 1> inQueueC2;
    TQue<TPosition::CO1, 1> outQueueCO1;
    GlobalTensor<T> aGM, bGM;
    GlobalTensor<C> biasGM, cGM;
    uint16_t m, k, n, c0, mBlocks, kBlocks, nBlocks;
};

extern "C" __global__ __aicore__ void mmad_bias(GM_ADDR a, GM_ADDR b, GM_ADDR bias, GM_ADDR c, uint16_t m, uint16_t k, uint16_t n)
{
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIC_ONLY);
    KernelMmad<half, float> op(m, k, n);
    op.Init(a, b, bias, c);
    op.Process();
}
extern "C" __global__ __aicore__ void mmad_int8(GM_ADDR a, GM_ADDR b, GM_ADDR bias, GM_ADDR c, uint16_t m, uint16_t k, uint16_t n)
{
    KernelMmad<int8_t, int32_t> op(m, k, n);
    op.Init(a, b, bias, c);
    op.Process();
}

// int8 products, scaled to half on the way out; the sum over k in two steps; flags by hand.
extern "C" __global__ __aicore__ void mmad_dequant(GM_ADDR a, GM_ADDR b, GM_ADDR c, float scale)
{
    constexpr uint16_t M = 32, K = 64, N = 32, STEP = 32;
    LocalTensor<int8_t> a1(TPosition::A1, 0, M * K), b1(TPosition::B1, 64 * 1024, K * N);
    LocalTensor<int8_t> a2(TPosition::A2, 0, M * STEP), b2(TPosition::B2, 0, STEP * N);
    LocalTensor<int32_t> co1(TPosition::CO1, 0, M * N);
    GlobalTensor<int8_t> aGm, bGm;
    GlobalTensor<half> cGm;
    aGm.SetGlobalBuffer((__gm__ int8_t *)a, M * K);
    bGm.SetGlobalBuffer((__gm__ int8_t *)b, K * N);
    cGm.SetGlobalBuffer((__gm__ half *)c, M * N);
    // Both operands have k inside: B comes as [n, k].
    DataCopy(a1, aGm, Nd2NzParams(1, M, K, 0, K, M, 1, 0));
    DataCopy(b1, bGm, Nd2NzParams(1, N, K, 0, K, N, 1, 0));
    SetFlag<HardEvent::MTE2_MTE1>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_MTE1>(EVENT_ID0);
    for (uint16_t step = 0; step < K / STEP; step++) {
        if (step > 0) {
            WaitFlag<HardEvent::M_MTE1>(EVENT_ID0);
        }
        LoadData(a2, a1[step * M * STEP], LoadData2DParams(0, M / 16, 1, 0, 0, false, 0));
        LoadData(b2, b1[step * N * STEP], LoadData2DParams(0, N / 16, 1, 0, 0, false, 0));
        SetFlag<HardEvent::MTE1_M>(EVENT_ID0);
        WaitFlag<HardEvent::MTE1_M>(EVENT_ID0);
        MmadParams params(M, N, STEP, 0, false, step == 0);
        Mmad(co1, a2, b2, params);
        PipeBarrier<PIPE_M>();
        if (step + 1 < K / STEP) {
            SetFlag<HardEvent::M_MTE1>(EVENT_ID0);
        }
    }
    SetFlag<HardEvent::M_FIX>(EVENT_ID0);
    WaitFlag<HardEvent::M_FIX>(EVENT_ID0);
    FixpipeParamsV220 out(N, M, M, N, false);
    out.quantPre = QuantMode_t::DEQF16;
    out.deqScalar = static_cast<int64_t>(*reinterpret_cast<int32_t *>(&scale));
    Fixpipe<half, int32_t, CFG_ROW_MAJOR>(cGm, co1, out);
    PipeBarrier<PIPE_ALL>();
}

// Blocks of C over cores, float, NZ results in global memory.
extern "C" __global__ __aicore__ void mmad_nz(GM_ADDR a, GM_ADDR b, GM_ADDR c)
{
    constexpr uint16_t M = 32, K = 16, N = 32;
    LocalTensor<half> a1(TPosition::A1, 0, M * K), b1(TPosition::B1, 16 * 1024, K * N);
    LocalTensor<half> a2(TPosition::A2, 0, M * K), b2(TPosition::B2, 0, K * N);
    LocalTensor<float> co1(TPosition::CO1, 0, M * N);
    GlobalTensor<half> aGm, bGm;
    GlobalTensor<float> cGm;
    aGm.SetGlobalBuffer((__gm__ half *)a + GetBlockIdx() * M * K, M * K);
    bGm.SetGlobalBuffer((__gm__ half *)b, K * N);
    cGm.SetGlobalBuffer((__gm__ float *)c + GetBlockIdx() * M * N, M * N);
    DataCopy(a1, aGm, Nd2NzParams(1, M, K, 0, K, M, 1, 0));
    DataCopy(b1, bGm, Nd2NzParams(1, K, N, 0, N, K, 1, 0));
    SetFlag<HardEvent::MTE2_MTE1>(0);
    WaitFlag<HardEvent::MTE2_MTE1>(0);
    LoadData(a2, a1, LoadData2DParams(0, M / 16, 1, 0, 0, false, 0));
    LoadData(b2, b1, LoadData2DParams(0, N / 16, 1, 0, 0, true, 0));
    SetFlag<HardEvent::MTE1_M>(0);
    WaitFlag<HardEvent::MTE1_M>(0);
    Mmad(co1, a2, b2, MmadParams(M, N, K, 0, false, true));
    SetFlag<HardEvent::M_FIX>(0);
    WaitFlag<HardEvent::M_FIX>(0);
    FixpipeParamsV220 out;
    out.nSize = N;
    out.mSize = M;
    out.srcStride = M;
    out.dstStride = M * 16 * sizeof(float) / 32;
    out.reluEn = true;
    Fixpipe<float, float, CFG_NZ>(cGm, co1, out);
    PipeBarrier<PIPE_ALL>();
}
