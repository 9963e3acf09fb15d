// int8(round(x * scale + offset)), by way of half as the chip converts. The same in Python: kernels/asc/scale_to_bytes.py.
#include "kernel_operator.h"

using namespace AscendC;

extern "C" __global__ __aicore__ void scale_to_bytes(__gm__ float *x, __gm__ int8_t *y, int32_t length, float scale, float offset)
{
    constexpr int32_t TILE = 1024;
    GlobalTensor<float> xGm;
    GlobalTensor<int8_t> yGm;
    xGm.SetGlobalBuffer(x, length);
    yGm.SetGlobalBuffer(y, length);
    TPipe pipe;
    TQue<TPosition::VECIN, 2> in;
    TQue<TPosition::VECOUT, 2> out;
    TBuf<TPosition::VECCALC> halves;
    pipe.InitBuffer(in, 2, TILE * sizeof(float));
    pipe.InitBuffer(out, 2, TILE);
    pipe.InitBuffer(halves, TILE * sizeof(half));
    LocalTensor<half> between = halves.Get<half>();
    for (int32_t at = GetBlockIdx() * TILE; at < length; at += GetBlockNum() * TILE) {
        LocalTensor<float> a = in.AllocTensor<float>();
        DataCopy(a, xGm[at], TILE);
        in.EnQue(a);
        a = in.DeQue<float>();
        LocalTensor<int8_t> b = out.AllocTensor<int8_t>();
        Muls(a, a, scale, TILE);
        Adds(a, a, offset, TILE);
        Cast(between, a, RoundMode::CAST_RINT, TILE);
        Cast(b, between, RoundMode::CAST_RINT, TILE);
        out.EnQue(b);
        in.FreeTensor(a);
        b = out.DeQue<int8_t>();
        DataCopy(yGm[at], b, TILE);
        out.FreeTensor(b);
    }
}
