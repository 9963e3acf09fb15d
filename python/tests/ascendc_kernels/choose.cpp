// Comparing, choosing, compacting, sorting.
#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t TILE = 2048;

// y = mask ? x : other, the mask as bytes of 0 and 1 in global memory.
extern "C" __global__ __aicore__ void where_bytes(GM_ADDR mask, GM_ADDR x, GM_ADDR other, GM_ADDR y, uint32_t length)
{
    TPipe pipe;
    TQue<TPosition::VECIN, 1> maskQueue, xQueue, otherQueue;
    TQue<TPosition::VECOUT, 1> outQueue;
    TBuf<> halfBuf, bitsBuf;
    pipe.InitBuffer(maskQueue, 1, TILE);
    pipe.InitBuffer(xQueue, 1, TILE * sizeof(float));
    pipe.InitBuffer(otherQueue, 1, TILE * sizeof(float));
    pipe.InitBuffer(outQueue, 1, TILE * sizeof(float));
    pipe.InitBuffer(halfBuf, TILE * sizeof(half));
    pipe.InitBuffer(bitsBuf, TILE / 8);
    GlobalTensor<uint8_t> maskGm;
    GlobalTensor<float> xGm, otherGm, yGm;
    maskGm.SetGlobalBuffer((__gm__ uint8_t *)mask, length);
    xGm.SetGlobalBuffer((__gm__ float *)x, length);
    otherGm.SetGlobalBuffer((__gm__ float *)other, length);
    yGm.SetGlobalBuffer((__gm__ float *)y, length);
    for (uint32_t at = GetBlockIdx() * TILE; at < length; at += GetBlockNum() * TILE) {
        LocalTensor<uint8_t> m = maskQueue.AllocTensor<uint8_t>();
        LocalTensor<float> a = xQueue.AllocTensor<float>(), b = otherQueue.AllocTensor<float>();
        DataCopy(m, maskGm[at], TILE);
        DataCopy(a, xGm[at], TILE);
        DataCopy(b, otherGm[at], TILE);
        maskQueue.EnQue(m);
        xQueue.EnQue(a);
        otherQueue.EnQue(b);
        m = maskQueue.DeQue<uint8_t>();
        a = xQueue.DeQue<float>();
        b = otherQueue.DeQue<float>();
        LocalTensor<half> wide = halfBuf.Get<half>();
        LocalTensor<uint8_t> bits = bitsBuf.Get<uint8_t>();
        Cast(wide, m, RoundMode::CAST_NONE, TILE);
        CompareScalar(bits, wide, static_cast<half>(0), CMPMODE::NE, TILE);
        LocalTensor<float> out = outQueue.AllocTensor<float>();
        Select(out, bits, a, b, SELMODE::VSEL_TENSOR_TENSOR_MODE, TILE);
        outQueue.EnQue(out);
        maskQueue.FreeTensor(m);
        xQueue.FreeTensor(a);
        otherQueue.FreeTensor(b);
        out = outQueue.DeQue<float>();
        DataCopy(yGm[at], out, TILE);
        outQueue.FreeTensor(out);
    }
}

// max(x, y) the long way, and x where it is positive, 0 elsewhere.
extern "C" __global__ __aicore__ void compare_select(GM_ADDR x, GM_ADDR y, GM_ADDR larger, GM_ADDR positive)
{
    TPipe pipe;
    TQue<TPosition::VECIN, 1> inX, inY;
    TQue<TPosition::VECOUT, 1> outLarger, outPositive;
    TBuf<> bitsBuf;
    pipe.InitBuffer(inX, 1, TILE * sizeof(half));
    pipe.InitBuffer(inY, 1, TILE * sizeof(half));
    pipe.InitBuffer(outLarger, 1, TILE * sizeof(half));
    pipe.InitBuffer(outPositive, 1, TILE * sizeof(half));
    pipe.InitBuffer(bitsBuf, TILE / 8);
    GlobalTensor<half> xGm, yGm, largerGm, positiveGm;
    xGm.SetGlobalBuffer((__gm__ half *)x + GetBlockIdx() * TILE);
    yGm.SetGlobalBuffer((__gm__ half *)y + GetBlockIdx() * TILE);
    largerGm.SetGlobalBuffer((__gm__ half *)larger + GetBlockIdx() * TILE);
    positiveGm.SetGlobalBuffer((__gm__ half *)positive + GetBlockIdx() * TILE);
    LocalTensor<half> a = inX.AllocTensor<half>(), b = inY.AllocTensor<half>();
    DataCopy(a, xGm, TILE);
    DataCopy(b, yGm, TILE);
    inX.EnQue(a);
    inY.EnQue(b);
    a = inX.DeQue<half>();
    b = inY.DeQue<half>();
    LocalTensor<uint8_t> bits = bitsBuf.Get<uint8_t>();
    LocalTensor<half> larger1 = outLarger.AllocTensor<half>(), positive1 = outPositive.AllocTensor<half>();
    Compare(bits, a, b, CMPMODE::GE, TILE);
    Select(larger1, bits, a, b, SELMODE::VSEL_TENSOR_TENSOR_MODE, TILE);
    CompareScalar(bits, a, static_cast<half>(0), CMPMODE::GT, TILE);
    Select(positive1, bits, a, static_cast<half>(0), SELMODE::VSEL_TENSOR_SCALAR_MODE, TILE);
    outLarger.EnQue(larger1);
    outPositive.EnQue(positive1);
    inX.FreeTensor(a);
    inY.FreeTensor(b);
    larger1 = outLarger.DeQue<half>();
    positive1 = outPositive.DeQue<half>();
    DataCopy(largerGm, larger1, TILE);
    DataCopy(positiveGm, positive1, TILE);
    outLarger.FreeTensor(larger1);
    outPositive.FreeTensor(positive1);
}

// The positive elements one after the other, and how many there are.
extern "C" __global__ __aicore__ void compact(GM_ADDR x, GM_ADDR y, GM_ADDR count)
{
    TPipe pipe;
    TQue<TPosition::VECIN, 1> inQueue;
    TQue<TPosition::VECOUT, 1> outQueue;
    TBuf<> bitsBuf;
    pipe.InitBuffer(inQueue, 1, TILE * sizeof(float));
    pipe.InitBuffer(outQueue, 1, TILE * sizeof(float));
    pipe.InitBuffer(bitsBuf, TILE / 8);
    GlobalTensor<float> xGm, yGm;
    GlobalTensor<int32_t> countGm;
    xGm.SetGlobalBuffer((__gm__ float *)x, TILE);
    yGm.SetGlobalBuffer((__gm__ float *)y, TILE);
    countGm.SetGlobalBuffer((__gm__ int32_t *)count, 8);
    LocalTensor<float> in = inQueue.AllocTensor<float>();
    DataCopy(in, xGm, TILE);
    inQueue.EnQue(in);
    in = inQueue.DeQue<float>();
    LocalTensor<uint8_t> bits = bitsBuf.Get<uint8_t>();
    LocalTensor<float> out = outQueue.AllocTensor<float>();
    Duplicate(out, 0.0f, TILE);
    CompareScalar(bits, in, 0.0f, CMPMODE::GT, TILE);
    LocalTensor<uint32_t> pattern = bits.ReinterpretCast<uint32_t>();
    uint64_t kept = 0;
    GatherMask(out, in, pattern, true, TILE, {1, 1, 8, 8}, kept);
    outQueue.EnQue(out);
    inQueue.FreeTensor(in);
    out = outQueue.DeQue<float>();
    DataCopy(yGm, out, TILE);
    outQueue.FreeTensor(out);
    countGm.SetValue(0, static_cast<int32_t>(kept));
}

// Values and indices of 1024 scores, largest first: squares of 32, merged by four.
extern "C" __global__ __aicore__ void sort_descending(GM_ADDR x, GM_ADDR values, GM_ADDR indices)
{
    constexpr uint32_t N = 1024;
    TPipe pipe;
    TQue<TPosition::VECIN, 1> inQueue;
    TQue<TPosition::VECOUT, 1> valueQueue, indexQueue;
    TBuf<> indexBuf, sortBuf, mergeBuf;
    pipe.InitBuffer(inQueue, 1, N * sizeof(float));
    pipe.InitBuffer(valueQueue, 1, N * sizeof(float));
    pipe.InitBuffer(indexQueue, 1, N * sizeof(uint32_t));
    pipe.InitBuffer(indexBuf, N * sizeof(uint32_t));
    pipe.InitBuffer(sortBuf, N * 8);
    pipe.InitBuffer(mergeBuf, N * 8);
    GlobalTensor<float> xGm, valuesGm;
    GlobalTensor<uint32_t> indicesGm;
    xGm.SetGlobalBuffer((__gm__ float *)x + GetBlockIdx() * N);
    valuesGm.SetGlobalBuffer((__gm__ float *)values + GetBlockIdx() * N);
    indicesGm.SetGlobalBuffer((__gm__ uint32_t *)indices + GetBlockIdx() * N);
    LocalTensor<float> in = inQueue.AllocTensor<float>();
    DataCopy(in, xGm, N);
    inQueue.EnQue(in);
    in = inQueue.DeQue<float>();
    LocalTensor<int32_t> numbers = indexBuf.Get<int32_t>();
    ArithProgression<int32_t>(numbers, static_cast<int32_t>(0), static_cast<int32_t>(1), N);
    LocalTensor<float> sorted = sortBuf.Get<float>(), merged = mergeBuf.Get<float>();
    LocalTensor<uint32_t> index = numbers.ReinterpretCast<uint32_t>();
    Sort32(sorted, in, index, N / 32);
    uint32_t length = 32;
    while (length < N) {
        for (uint32_t at = 0; at < N; at += 4 * length) {
            uint32_t first = GetSortOffset<float>(at), step = GetSortOffset<float>(length);
            MrgSortSrcList<float> lists(sorted[first], sorted[first + step], sorted[first + 2 * step], sorted[first + 3 * step]);
            uint16_t counts[4] = {(uint16_t)length, (uint16_t)length, (uint16_t)length, (uint16_t)length};
            if (N - at < 4 * length) {
                counts[2] = counts[3] = 0;
                MrgSort4Info info(counts, false, 3, 1);
                MrgSort(merged[first], lists, info);
            } else {
                uint32_t taken[4];
                MrgSort<float, false>(merged[first], lists, counts, taken, 0b1111, 1);
            }
        }
        LocalTensor<float> swap = sorted;
        sorted = merged;
        merged = swap;
        length *= 4;
    }
    LocalTensor<float> value = valueQueue.AllocTensor<float>();
    LocalTensor<uint32_t> order = indexQueue.AllocTensor<uint32_t>();
    Extract(value, order, sorted, N / 32);
    inQueue.FreeTensor(in);
    valueQueue.EnQue(value);
    indexQueue.EnQue(order);
    value = valueQueue.DeQue<float>();
    order = indexQueue.DeQue<uint32_t>();
    DataCopy(valuesGm, value, N);
    DataCopy(indicesGm, order, N);
    valueQueue.FreeTensor(value);
    indexQueue.FreeTensor(order);
}
