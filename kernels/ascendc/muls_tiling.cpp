// y = x * factor in float. Sizes come in a tiling struct in global memory; the last tile may be short (DataCopyPad).
#include "kernel_operator.h"

struct MulsTiling {
    uint32_t totalLength;
    uint32_t tileLength;
    float factor;
};

template <typename T> __aicore__ inline void CopyTiling(T *tiling, GM_ADDR tilingGm)
{
    auto *words = reinterpret_cast<uint32_t *>(tiling);
    auto *source = reinterpret_cast<__gm__ uint32_t *>(tilingGm);
    for (uint32_t i = 0; i < sizeof(T) / sizeof(uint32_t); i++) {
        words[i] = source[i];
    }
}

class KernelMuls {
public:
    __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, const MulsTiling &t)
    {
        tiling = t;
        xGm.SetGlobalBuffer((__gm__ float *)x, t.totalLength);
        yGm.SetGlobalBuffer((__gm__ float *)y, t.totalLength);
        pipe.InitBuffer(inQueue, 2, t.tileLength * sizeof(float));
        pipe.InitBuffer(outQueue, 2, t.tileLength * sizeof(float));
    }
    __aicore__ inline void Process()
    {
        uint32_t stride = tiling.tileLength * AscendC::GetBlockNum();
        for (uint32_t offset = tiling.tileLength * AscendC::GetBlockIdx(); offset < tiling.totalLength; offset += stride) {
            uint32_t rest = tiling.totalLength - offset;
            uint32_t count = rest < tiling.tileLength ? rest : tiling.tileLength;
            Tile(offset, count);
        }
    }

private:
    __aicore__ inline void Tile(uint32_t offset, uint32_t count)
    {
        AscendC::DataCopyExtParams copy{1, static_cast<uint32_t>(count * sizeof(float)), 0, 0, 0};
        AscendC::DataCopyPadExtParams<float> pad{false, 0, 0, 0.0f};
        AscendC::LocalTensor<float> in = inQueue.AllocTensor<float>();
        AscendC::DataCopyPad(in, xGm[offset], copy, pad);
        inQueue.EnQue(in);
        in = inQueue.DeQue<float>();
        AscendC::LocalTensor<float> out = outQueue.AllocTensor<float>();
        AscendC::Muls(out, in, tiling.factor, static_cast<int32_t>(count));
        outQueue.EnQue(out);
        inQueue.FreeTensor(in);
        out = outQueue.DeQue<float>();
        AscendC::DataCopyPad(yGm[offset], out, copy);
        outQueue.FreeTensor(out);
    }

    AscendC::TPipe pipe;
    AscendC::TQue<AscendC::QuePosition::VECIN, 1> inQueue;
    AscendC::TQue<AscendC::QuePosition::VECOUT, 1> outQueue;
    AscendC::GlobalTensor<float> xGm, yGm;
    MulsTiling tiling;
};

extern "C" __global__ __aicore__ void muls_tiling(GM_ADDR x, GM_ADDR y, GM_ADDR tilingGm)
{
    MulsTiling tiling;
    CopyTiling(&tiling, tilingGm);
    KernelMuls op;
    op.Init(x, y, tiling);
    op.Process();
}
