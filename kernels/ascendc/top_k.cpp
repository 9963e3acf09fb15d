// The k largest of each row of 1024 scores with their places, by the chip's sorting: squares of 32, merges, and the records apart
// again. The same in Python: kernels/asc/top_k.py.
#include "kernel_operator.h"

using namespace AscendC;

extern "C" __global__ __aicore__ void top_k(__gm__ float *x, __gm__ uint32_t *numbers, __gm__ float *scores,
                                            __gm__ uint32_t *places, int32_t rows, int32_t k)
{
    constexpr int32_t COLUMNS = 1024;
    GlobalTensor<float> xGm, scoresGm;
    GlobalTensor<uint32_t> numbersGm, placesGm;
    xGm.SetGlobalBuffer(x, rows * COLUMNS);
    numbersGm.SetGlobalBuffer(numbers, COLUMNS);
    scoresGm.SetGlobalBuffer(scores, rows * k);
    placesGm.SetGlobalBuffer(places, rows * k);
    TPipe pipe;
    TQue<TPosition::VECIN, 1> in, indexQueue;
    TQue<TPosition::VECOUT, 1> scoreQueue, placeQueue;
    TBuf<TPosition::VECCALC> sortedBuffer, workBuffer;
    pipe.InitBuffer(in, 2, COLUMNS * 4);
    pipe.InitBuffer(indexQueue, 1, COLUMNS * 4);
    pipe.InitBuffer(scoreQueue, 1, COLUMNS * 4);
    pipe.InitBuffer(placeQueue, 1, COLUMNS * 4);
    pipe.InitBuffer(sortedBuffer, COLUMNS * 8);
    pipe.InitBuffer(workBuffer, COLUMNS * 8);
    LocalTensor<uint32_t> index = indexQueue.AllocTensor<uint32_t>();
    DataCopy(index, numbersGm, COLUMNS);
    indexQueue.EnQue(index);
    index = indexQueue.DeQue<uint32_t>();
    LocalTensor<float> records = sortedBuffer.Get<float>(), work = workBuffer.Get<float>();
    for (int32_t row = GetBlockIdx(); row < rows; row += GetBlockNum()) {
        LocalTensor<float> a = in.AllocTensor<float>();
        DataCopy(a, xGm[row * COLUMNS], COLUMNS);
        in.EnQue(a);
        a = in.DeQue<float>();
        Sort<float, true>(records, a, index, work, COLUMNS / 32);
        LocalTensor<float> best = scoreQueue.AllocTensor<float>();
        LocalTensor<uint32_t> where = placeQueue.AllocTensor<uint32_t>();
        Extract(best, where, records, COLUMNS / 32);
        scoreQueue.EnQue(best);
        placeQueue.EnQue(where);
        in.FreeTensor(a);
        best = scoreQueue.DeQue<float>();
        where = placeQueue.DeQue<uint32_t>();
        DataCopyPad(scoresGm[row * k], best, DataCopyExtParams(1, k * 4, 0, 0, 0));
        DataCopyPad(placesGm[row * k], where, DataCopyExtParams(1, k * 4, 0, 0, 0));
        scoreQueue.FreeTensor(best);
        placeQueue.FreeTensor(where);
    }
    indexQueue.FreeTensor(index);
}
