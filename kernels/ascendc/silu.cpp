// y = x / (1 + exp(-x)): half in and out, float inside, temporaries in TBuf.
#include "kernel_operator.h"

constexpr uint32_t TILE = 2048;

class KernelSilu {
public:
    __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, uint32_t length)
    {
        this->length = length;
        xGm.SetGlobalBuffer((__gm__ half *)x, length);
        yGm.SetGlobalBuffer((__gm__ half *)y, length);
        pipe.InitBuffer(inQueue, 2, TILE * sizeof(half));
        pipe.InitBuffer(outQueue, 2, TILE * sizeof(half));
        pipe.InitBuffer(wideBuf, TILE * sizeof(float));
        pipe.InitBuffer(expBuf, TILE * sizeof(float));
    }
    __aicore__ inline void Process()
    {
        for (uint32_t offset = AscendC::GetBlockIdx() * TILE; offset < length; offset += AscendC::GetBlockNum() * TILE) {
            uint32_t count = length - offset < TILE ? length - offset : TILE;
            CopyIn(offset, count);
            Compute(count);
            CopyOut(offset, count);
        }
    }

private:
    __aicore__ inline void CopyIn(uint32_t offset, uint32_t count)
    {
        AscendC::LocalTensor<half> x = inQueue.AllocTensor<half>();
        AscendC::DataCopyExtParams params{1, static_cast<uint32_t>(count * sizeof(half)), 0, 0, 0};
        AscendC::DataCopyPad(x, xGm[offset], params, AscendC::DataCopyPadExtParams<half>{false, 0, 0, half(0)});
        inQueue.EnQue(x);
    }
    __aicore__ inline void Compute(int32_t count)
    {
        AscendC::LocalTensor<half> x = inQueue.DeQue<half>();
        AscendC::LocalTensor<half> y = outQueue.AllocTensor<half>();
        AscendC::LocalTensor<float> wide = wideBuf.Get<float>();
        AscendC::LocalTensor<float> e = expBuf.Get<float>();
        AscendC::Cast(wide, x, AscendC::RoundMode::CAST_NONE, count);
        AscendC::PipeBarrier<PIPE_V>();
        AscendC::Muls(e, wide, -1.0f, count);
        AscendC::PipeBarrier<PIPE_V>();
        AscendC::Exp(e, e, count);
        AscendC::PipeBarrier<PIPE_V>();
        AscendC::Adds(e, e, 1.0f, count);
        AscendC::PipeBarrier<PIPE_V>();
        AscendC::Div(wide, wide, e, count);
        AscendC::PipeBarrier<PIPE_V>();
        AscendC::Cast(y, wide, AscendC::RoundMode::CAST_RINT, count);
        outQueue.EnQue(y);
        inQueue.FreeTensor(x);
    }
    __aicore__ inline void CopyOut(uint32_t offset, uint32_t count)
    {
        AscendC::LocalTensor<half> y = outQueue.DeQue<half>();
        AscendC::DataCopyExtParams params{1, static_cast<uint32_t>(count * sizeof(half)), 0, 0, 0};
        AscendC::DataCopyPad(yGm[offset], y, params);
        outQueue.FreeTensor(y);
    }

    AscendC::TPipe pipe;
    AscendC::TQue<AscendC::TPosition::VECIN, 2> inQueue;
    AscendC::TQue<AscendC::TPosition::VECOUT, 2> outQueue;
    AscendC::TBuf<AscendC::TPosition::VECCALC> wideBuf, expBuf;
    AscendC::GlobalTensor<half> xGm, yGm;
    uint32_t length = 0;
};

extern "C" __global__ __aicore__ void silu(GM_ADDR x, GM_ADDR y, uint32_t length)
{
    KernelSilu op;
    op.Init(x, y, length);
    op.Process();
}
