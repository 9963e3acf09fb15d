// Sums of the first `width` elements of rows of 64: one reduction with a mask for many rows. The same in Python:
// kernels/asc/sum_masked.py.
#include "kernel_operator.h"

using namespace AscendC;

extern "C" __global__ __aicore__ void sum_masked(__gm__ float *x, __gm__ float *y, int32_t rows, int32_t width)
{
    constexpr int32_t COLUMNS = 64, ROWS = 32;
    GlobalTensor<float> xGm, yGm;
    xGm.SetGlobalBuffer(x, rows * COLUMNS);
    yGm.SetGlobalBuffer(y, rows);
    TPipe pipe;
    TQue<TPosition::VECIN, 2> in;
    TQue<TPosition::VECOUT, 2> out;
    pipe.InitBuffer(in, 2, ROWS * COLUMNS * sizeof(float));
    pipe.InitBuffer(out, 2, ROWS * sizeof(float));
    for (int32_t row = GetBlockIdx() * ROWS; row < rows; row += GetBlockNum() * ROWS) {
        LocalTensor<float> a = in.AllocTensor<float>();
        DataCopy(a, xGm[row * COLUMNS], ROWS * COLUMNS);
        in.EnQue(a);
        a = in.DeQue<float>();
        LocalTensor<float> b = out.AllocTensor<float>();
        WholeReduceSum(b, a, width, ROWS, 1, 1, 8);
        out.EnQue(b);
        in.FreeTensor(a);
        b = out.DeQue<float>();
        DataCopy(yGm[row], b, ROWS);
        out.FreeTensor(b);
    }
}
