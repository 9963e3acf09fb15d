// A matrix of halves the other way round, 16 x 16 elements at a time. The same in Python: kernels/asc/transpose_squares.py.
#include "kernel_operator.h"

using namespace AscendC;

extern "C" __global__ __aicore__ void transpose_squares(__gm__ half *x, __gm__ half *y, int32_t rows, int32_t columns)
{
    constexpr int32_t SIDE = 16;
    GlobalTensor<half> xGm, yGm;
    xGm.SetGlobalBuffer(x, rows * columns);
    yGm.SetGlobalBuffer(y, rows * columns);
    TPipe pipe;
    TQue<TPosition::VECIN, 2> in;
    TQue<TPosition::VECOUT, 2> out;
    pipe.InitBuffer(in, 2, SIDE * SIDE * sizeof(half));
    pipe.InitBuffer(out, 2, SIDE * SIDE * sizeof(half));
    int32_t squares = rows / SIDE * (columns / SIDE);
    for (int32_t square = GetBlockIdx(); square < squares; square += GetBlockNum()) {
        int32_t row = square / (columns / SIDE) * SIDE;
        int32_t column = square % (columns / SIDE) * SIDE;
        LocalTensor<half> a = in.AllocTensor<half>();
        DataCopy(a, xGm[row * columns + column], DataCopyParams(SIDE, 1, columns / SIDE - 1, 0));
        in.EnQue(a);
        a = in.DeQue<half>();
        LocalTensor<half> b = out.AllocTensor<half>();
        Transpose(b, a);
        out.EnQue(b);
        in.FreeTensor(a);
        b = out.DeQue<half>();
        DataCopy(yGm[column * rows + row], b, DataCopyParams(SIDE, 1, 0, rows / SIDE - 1));
        out.FreeTensor(b);
    }
}
