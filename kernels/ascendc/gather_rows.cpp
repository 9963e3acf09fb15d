// y[i] = x[index[i]] for a table that fits into UB: indices become offsets in bytes. The same in Python:
// kernels/asc/gather_rows.py.
#include "kernel_operator.h"

using namespace AscendC;

extern "C" __global__ __aicore__ void gather_rows(__gm__ float *x, __gm__ int32_t *index, __gm__ float *y, int32_t entries,
                                                  int32_t length)
{
    constexpr int32_t TILE = 512;
    GlobalTensor<float> xGm, yGm;
    GlobalTensor<int32_t> indexGm;
    xGm.SetGlobalBuffer(x, entries);
    indexGm.SetGlobalBuffer(index, length);
    yGm.SetGlobalBuffer(y, length);
    TPipe pipe;
    TQue<TPosition::VECIN, 1> tableQueue;
    TQue<TPosition::VECIN, 2> in;
    TQue<TPosition::VECOUT, 2> out;
    pipe.InitBuffer(tableQueue, 1, entries * sizeof(float));
    pipe.InitBuffer(in, 2, TILE * sizeof(float));
    pipe.InitBuffer(out, 2, TILE * sizeof(float));
    LocalTensor<float> table = tableQueue.AllocTensor<float>();
    DataCopy(table, xGm, entries);
    tableQueue.EnQue(table);
    table = tableQueue.DeQue<float>();
    for (int32_t at = GetBlockIdx() * TILE; at < length; at += GetBlockNum() * TILE) {
        LocalTensor<int32_t> a = in.AllocTensor<int32_t>();
        DataCopy(a, indexGm[at], TILE);
        in.EnQue(a);
        a = in.DeQue<int32_t>();
        LocalTensor<float> b = out.AllocTensor<float>();
        Muls(a, a, 4, TILE);
        Gather(b, table, a.ReinterpretCast<uint32_t>(), 0, TILE);
        out.EnQue(b);
        in.FreeTensor(a);
        b = out.DeQue<float>();
        DataCopy(yGm[at], b, TILE);
        out.FreeTensor(b);
    }
    tableQueue.FreeTensor(table);
}
