// y[r, :] = x[r, :] + bias, eight rows at a time: mask and repeat form, the bias read again for every row (stride 0).
#include "kernel_operator.h"

constexpr uint32_t COLS = 64, ROWS = 8; // a row is one repeat of float

extern "C" __global__ __aicore__ void row_bias(GM_ADDR x, GM_ADDR bias, GM_ADDR y, uint32_t rows)
{
    AscendC::TPipe pipe;
    AscendC::TQue<AscendC::TPosition::VECIN, 2> inQueue;
    AscendC::TQue<AscendC::TPosition::VECIN, 1> biasQueue;
    AscendC::TQue<AscendC::TPosition::VECOUT, 2> outQueue;
    pipe.InitBuffer(inQueue, 2, ROWS * COLS * sizeof(float));
    pipe.InitBuffer(biasQueue, 1, COLS * sizeof(float));
    pipe.InitBuffer(outQueue, 2, ROWS * COLS * sizeof(float));
    AscendC::GlobalTensor<float> xGm, biasGm, yGm;
    xGm.SetGlobalBuffer((__gm__ float *)x, rows * COLS);
    biasGm.SetGlobalBuffer((__gm__ float *)bias, COLS);
    yGm.SetGlobalBuffer((__gm__ float *)y, rows * COLS);

    AscendC::LocalTensor<float> biasLocal = biasQueue.AllocTensor<float>();
    AscendC::DataCopy(biasLocal, biasGm, COLS);
    biasQueue.EnQue(biasLocal);
    biasLocal = biasQueue.DeQue<float>();
    AscendC::BinaryRepeatParams strides(1, 1, 1, 8, 8, 0);
    for (uint32_t row = AscendC::GetBlockIdx() * ROWS; row < rows; row += AscendC::GetBlockNum() * ROWS) {
        uint32_t count = rows - row < ROWS ? rows - row : ROWS;
        AscendC::LocalTensor<float> in = inQueue.AllocTensor<float>();
        AscendC::DataCopyParams copy(static_cast<uint16_t>(count), COLS * sizeof(float) / 32, 0, 0);
        AscendC::DataCopy(in, xGm[row * COLS], copy);
        inQueue.EnQue(in);
        in = inQueue.DeQue<float>();
        AscendC::LocalTensor<float> out = outQueue.AllocTensor<float>();
        uint64_t mask = COLS;
        AscendC::Add(out, in, biasLocal, mask, static_cast<uint8_t>(count), strides);
        outQueue.EnQue(out);
        inQueue.FreeTensor(in);
        out = outQueue.DeQue<float>();
        AscendC::DataCopy(yGm[row * COLS], out, copy);
        outQueue.FreeTensor(out);
    }
    biasQueue.FreeTensor(biasLocal);
}
