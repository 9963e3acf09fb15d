// Activations by steps, with tails, in several element types.
#include "kernel_operator.h"

namespace {
constexpr int32_t BUFFER_NUM = 2;
constexpr uint32_t TILE_LENGTH = 2048;

struct TilingData {
    uint32_t totalLength;
    float scale;
};

__aicore__ inline void CopyTiling(TilingData *tiling, GM_ADDR tilingGM)
{
    int32_t *ptr = reinterpret_cast<int32_t *>(tiling);
    auto tiling32 = reinterpret_cast<__gm__ int32_t *>(tilingGM);
    for (uint32_t i = 0; i < sizeof(TilingData) / sizeof(int32_t); i++, ptr++) {
        *ptr = *(tiling32 + i);
    }
}

__aicore__ inline uint32_t CeilDiv(uint32_t a, uint32_t b) { return b == 0 ? a : (a + b - 1) / b; }
} // namespace

// What the activations share: elements come in, are widened, changed by the functor and go out, the tail padded.
template <typename T, class Activation> class KernelActivation {
public:
    __aicore__ inline KernelActivation() = default;
    __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, uint32_t totalLength, AscendC::TPipe *pipeIn)
    {
        pipe = pipeIn;
        total = totalLength;
        xGm.SetGlobalBuffer(reinterpret_cast<__gm__ T *>(x), total);
        yGm.SetGlobalBuffer(reinterpret_cast<__gm__ T *>(y), total);
        pipe->InitBuffer(inQueue, BUFFER_NUM, TILE_LENGTH * sizeof(T));
        pipe->InitBuffer(outQueue, BUFFER_NUM, TILE_LENGTH * sizeof(T));
        pipe->InitBuffer(wideBuf, TILE_LENGTH * sizeof(float));
        pipe->InitBuffer(tmpBuf, TILE_LENGTH * sizeof(float));
    }
    __aicore__ inline void Process()
    {
        uint32_t tiles = CeilDiv(total, TILE_LENGTH);
        for (uint32_t i = AscendC::GetBlockIdx(); i < tiles; i += AscendC::GetBlockNum()) {
            uint32_t length = i == tiles - 1 ? total - i * TILE_LENGTH : TILE_LENGTH;
            CopyIn(i, length);
            Compute(length);
            CopyOut(i, length);
        }
    }

private:
    __aicore__ inline void CopyIn(uint32_t i, uint32_t length)
    {
        AscendC::LocalTensor<T> x = inQueue.template AllocTensor<T>();
        AscendC::DataCopyExtParams copy{1, static_cast<uint32_t>(length * sizeof(T)), 0, 0, 0};
        AscendC::DataCopyPadExtParams<T> pad{true, 0, 0, static_cast<T>(0)};
        uint32_t perBlock = 32 / sizeof(T);
        pad.rightPadding = (perBlock - length % perBlock) % perBlock;
        AscendC::DataCopyPad(x, xGm[i * TILE_LENGTH], copy, pad);
        inQueue.EnQue(x);
    }
    __aicore__ inline void Compute(uint32_t length)
    {
        AscendC::LocalTensor<T> x = inQueue.template DeQue<T>();
        AscendC::LocalTensor<T> y = outQueue.template AllocTensor<T>();
        AscendC::LocalTensor<float> tmp = tmpBuf.Get<float>();
        if constexpr (AscendC::IsSameType<T, float>::value) {
            Activation::Run(y, x, tmp, length);
        } else {
            AscendC::LocalTensor<float> wide = wideBuf.Get<float>();
            AscendC::Cast(wide, x, AscendC::RoundMode::CAST_NONE, length);
            Activation::Run(wide, wide, tmp, length);
            AscendC::Cast(y, wide, AscendC::RoundMode::CAST_RINT, length);
        }
        outQueue.template EnQue<T>(y);
        inQueue.FreeTensor(x);
    }
    __aicore__ inline void CopyOut(uint32_t i, uint32_t length)
    {
        AscendC::LocalTensor<T> y = outQueue.template DeQue<T>();
        AscendC::DataCopyExtParams copy{1, static_cast<uint32_t>(length * sizeof(T)), 0, 0, 0};
        AscendC::DataCopyPad(yGm[i * TILE_LENGTH], y, copy);
        outQueue.FreeTensor(y);
    }

    AscendC::TPipe *pipe;
    AscendC::TQue<AscendC::TPosition::VECIN, BUFFER_NUM> inQueue;
    AscendC::TQue<AscendC::TPosition::VECOUT, BUFFER_NUM> outQueue;
    AscendC::TBuf<> wideBuf;
    AscendC::TBuf<AscendC::TPosition::VECCALC> tmpBuf;
    AscendC::GlobalTensor<T> xGm, yGm;
    uint32_t total;
};

struct Sigmoid {
    using F = AscendC::LocalTensor<float>;
    static __aicore__ inline void Run(F &y, F &x, F &tmp, uint32_t n)
    {
        AscendC::Muls(tmp, x, -1.0f, n);
        AscendC::Exp(tmp, tmp, n);
        AscendC::Adds(tmp, tmp, 1.0f, n);
        AscendC::Reciprocal(y, tmp, n);
    }
};
struct GeluTanh {
    using F = AscendC::LocalTensor<float>;
    static __aicore__ inline void Run(F &y, F &x, F &tmp, uint32_t n)
    {
        AscendC::Mul(tmp, x, x, n);
        AscendC::Mul(tmp, tmp, x, n);
        AscendC::Muls(tmp, tmp, 0.044715f, n);
        AscendC::Add(tmp, tmp, x, n);
        AscendC::Muls(tmp, tmp, -1.5957691216057308f, n);
        AscendC::Exp(tmp, tmp, n);
        AscendC::Adds(tmp, tmp, 1.0f, n);
        AscendC::Div(y, x, tmp, n);
    }
};
struct HardSwish {
    using F = AscendC::LocalTensor<float>;
    static __aicore__ inline void Run(F &y, F &x, F &tmp, uint32_t n)
    {
        AscendC::Adds(tmp, x, 3.0f, n);
        AscendC::Maxs(tmp, tmp, 0.0f, n);
        AscendC::Mins(tmp, tmp, 6.0f, n);
        AscendC::Mul(tmp, tmp, x, n);
        AscendC::Muls(y, tmp, 1.0f / 6.0f, n);
    }
};

#define ACTIVATION(NAME, TYPE, FUNCTOR)                                                                    \
    extern "C" __global__ __aicore__ void NAME(GM_ADDR x, GM_ADDR y, GM_ADDR tiling)                        \
    {                                                                                                      \
        KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);                                                     \
        TilingData tilingData;                                                                             \
        CopyTiling(&tilingData, tiling);                                                                    \
        AscendC::TPipe pipe;                                                                               \
        KernelActivation<TYPE, FUNCTOR> op;                                                                 \
        op.Init(x, y, tilingData.totalLength, &pipe);                                                       \
        op.Process();                                                                                      \
    }
ACTIVATION(sigmoid_half, half, Sigmoid)
ACTIVATION(sigmoid_float, float, Sigmoid)
ACTIVATION(gelu_half, half, GeluTanh)
ACTIVATION(gelu_bfloat, bfloat16_t, GeluTanh)
ACTIVATION(hard_swish_float, float, HardSwish)

// swish(a) * b, where a and b are the halves of a row.
extern "C" __global__ __aicore__ void swiglu(GM_ADDR x, GM_ADDR y, uint32_t rows, uint32_t columns)
{
    using namespace AscendC;
    TPipe pipe;
    TQue<TPosition::VECIN, 1> inQueue;
    TQue<TPosition::VECOUT, 1> outQueue;
    TBuf<> tmpBuf;
    uint32_t half_ = columns / 2;
    pipe.InitBuffer(inQueue, 2, columns * sizeof(float));
    pipe.InitBuffer(outQueue, 2, half_ * sizeof(float));
    pipe.InitBuffer(tmpBuf, half_ * sizeof(float));
    GlobalTensor<float> xGm, yGm;
    xGm.SetGlobalBuffer((__gm__ float *)x, rows * columns);
    yGm.SetGlobalBuffer((__gm__ float *)y, rows * half_);
    LocalTensor<float> tmp = tmpBuf.Get<float>();
    for (uint32_t row = GetBlockIdx(); row < rows; row += GetBlockNum()) {
        auto in = inQueue.AllocTensor<float>();
        DataCopy(in, xGm[row * columns], columns);
        inQueue.EnQue(in);
        in = inQueue.DeQue<float>();
        auto a = in, b = in[half_];
        auto out = outQueue.AllocTensor<float>();
        Muls(tmp, a, -1.0f, half_);
        PipeBarrier<PIPE_V>();
        Exp(tmp, tmp, half_);
        PipeBarrier<PIPE_V>();
        Adds(tmp, tmp, 1.0f, half_);
        PipeBarrier<PIPE_V>();
        Div(tmp, a, tmp, half_);
        PipeBarrier<PIPE_V>();
        Mul(out, tmp, b, half_);
        outQueue.EnQue(out);
        inQueue.FreeTensor(in);
        out = outQueue.DeQue<float>();
        DataCopy(yGm[row * half_], out, half_);
        outQueue.FreeTensor(out);
    }
}
