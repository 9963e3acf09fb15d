// Rows: layer norm with mean and variance by hand, softmax by whole-reduce, broadcasting one value per row.
#include "kernel_operator.h"
using namespace AscendC;

class KernelLayerNorm {
public:
    __aicore__ inline void Init(GM_ADDR x, GM_ADDR gamma, GM_ADDR beta, GM_ADDR y, GM_ADDR mean, uint32_t rows,
                                uint32_t columns, float epsilon)
    {
        this->columns = columns;
        this->epsilon = epsilon;
        uint32_t perBlock = rows / GetBlockNum(), rest = rows % GetBlockNum();
        uint32_t me = GetBlockIdx();
        myRows = me < rest ? perBlock + 1 : perBlock;
        firstRow = me < rest ? me * (perBlock + 1) : me * perBlock + rest;
        xGm.SetGlobalBuffer((__gm__ half *)x);
        yGm.SetGlobalBuffer((__gm__ half *)y);
        gammaGm.SetGlobalBuffer((__gm__ float *)gamma);
        betaGm.SetGlobalBuffer((__gm__ float *)beta);
        meanGm.SetGlobalBuffer((__gm__ float *)mean);
        pipe.InitBuffer(inQueue, 2, columns * sizeof(half));
        pipe.InitBuffer(outQueue, 2, columns * sizeof(half));
        pipe.InitBuffer(meanQueue, 1, 32);
        pipe.InitBuffer(constQueue, 1, 2 * columns * sizeof(float));
        pipe.InitBuffer(wideBuf, columns * sizeof(float));
        pipe.InitBuffer(squareBuf, columns * sizeof(float));
        pipe.InitBuffer(workBuf, columns * sizeof(float));
        pipe.InitBuffer(sumBuf, 32);
    }
    __aicore__ inline void Process()
    {
        if (myRows == 0) {
            return;
        }
        LocalTensor<float> constants = constQueue.AllocTensor<float>();
        DataCopy(constants, gammaGm, columns);
        DataCopy(constants[columns], betaGm, columns);
        constQueue.EnQue(constants);
        constants = constQueue.DeQue<float>();
        for (uint32_t row = firstRow; row < firstRow + myRows; row++) {
            CopyIn(row);
            Compute(row, constants, constants[columns]);
            CopyOut(row);
        }
        constQueue.FreeTensor(constants);
    }

private:
    __aicore__ inline void CopyIn(uint32_t row)
    {
        LocalTensor<half> x = inQueue.AllocTensor<half>();
        DataCopy(x, xGm[row * columns], columns);
        inQueue.EnQue(x);
    }
    __aicore__ inline float SumOf(LocalTensor<float> &values)
    {
        LocalTensor<float> sum = sumBuf.Get<float>();
        ReduceSum<float>(sum, values, workBuf.Get<float>(), columns);
        int32_t id = static_cast<int32_t>(pipe.FetchEventID(HardEvent::V_S));
        SetFlag<HardEvent::V_S>(id);
        WaitFlag<HardEvent::V_S>(id);
        float result = sum.GetValue(0);
        int32_t back = static_cast<int32_t>(pipe.FetchEventID(HardEvent::S_V));
        SetFlag<HardEvent::S_V>(back);
        WaitFlag<HardEvent::S_V>(back);
        return result;
    }
    __aicore__ inline void Compute(uint32_t row, const LocalTensor<float> &gamma, const LocalTensor<float> &beta)
    {
        LocalTensor<half> x = inQueue.DeQue<half>();
        LocalTensor<float> wide = wideBuf.Get<float>(), square = squareBuf.Get<float>();
        Cast(wide, x, RoundMode::CAST_NONE, columns);
        inQueue.FreeTensor(x);
        float mean = SumOf(wide) / static_cast<float>(columns);
        Adds(wide, wide, -mean, columns);
        Mul(square, wide, wide, columns);
        float variance = SumOf(square) / static_cast<float>(columns);
        float scale = 1.0f / sqrt(variance + epsilon);
        Muls(wide, wide, scale, columns);
        Mul(wide, wide, gamma, columns);
        Add(wide, wide, beta, columns);
        LocalTensor<half> y = outQueue.AllocTensor<half>();
        Cast(y, wide, RoundMode::CAST_RINT, columns);
        outQueue.EnQue(y);
        LocalTensor<float> meanLocal = meanQueue.AllocTensor<float>();
        Duplicate(meanLocal, mean, 8);
        meanQueue.EnQue(meanLocal);
    }
    __aicore__ inline void CopyOut(uint32_t row)
    {
        LocalTensor<half> y = outQueue.DeQue<half>();
        DataCopy(yGm[row * columns], y, columns);
        outQueue.FreeTensor(y);
        LocalTensor<float> mean = meanQueue.DeQue<float>();
        DataCopyExtParams one{1, sizeof(float), 0, 0, 0};
        DataCopyPad(meanGm[row], mean, one);
        meanQueue.FreeTensor(mean);
    }

    TPipe pipe;
    TQue<TPosition::VECIN, 2> inQueue;
    TQue<TPosition::VECIN, 1> constQueue;
    TQue<TPosition::VECOUT, 2> outQueue;
    TQue<TPosition::VECOUT, 1> meanQueue;
    TBuf<TPosition::VECCALC> wideBuf, squareBuf, workBuf, sumBuf;
    GlobalTensor<half> xGm, yGm;
    GlobalTensor<float> gammaGm, betaGm, meanGm;
    uint32_t columns, myRows, firstRow;
    float epsilon;
};

extern "C" __global__ __aicore__ void layer_norm(GM_ADDR x, GM_ADDR gamma, GM_ADDR beta, GM_ADDR y, GM_ADDR mean,
                                                 uint32_t rows, uint32_t columns, float epsilon)
{
    KernelLayerNorm op;
    op.Init(x, gamma, beta, y, mean, rows, columns, epsilon);
    op.Process();
}

// 64 columns: one repeat is one row, the results are spread over blocks again by Brcb.
extern "C" __global__ __aicore__ void softmax64(GM_ADDR x, GM_ADDR y, uint32_t rows)
{
    constexpr uint32_t COLUMNS = 64, ROWS = 32;
    TPipe pipe;
    TQue<TPosition::VECIN, 1> inQueue;
    TQue<TPosition::VECOUT, 1> outQueue;
    TBuf<> maxBuf, spreadBuf;
    pipe.InitBuffer(inQueue, 2, ROWS * COLUMNS * sizeof(float));
    pipe.InitBuffer(outQueue, 2, ROWS * COLUMNS * sizeof(float));
    pipe.InitBuffer(maxBuf, ROWS * sizeof(float));
    pipe.InitBuffer(spreadBuf, ROWS * 32);
    GlobalTensor<float> xGm, yGm;
    xGm.SetGlobalBuffer((__gm__ float *)x, rows * COLUMNS);
    yGm.SetGlobalBuffer((__gm__ float *)y, rows * COLUMNS);
    LocalTensor<float> most = maxBuf.Get<float>(), spread = spreadBuf.Get<float>();
    for (uint32_t first = GetBlockIdx() * ROWS; first < rows; first += GetBlockNum() * ROWS) {
        uint8_t count = rows - first < ROWS ? rows - first : ROWS;
        LocalTensor<float> in = inQueue.AllocTensor<float>();
        Duplicate(in, 0.0f, ROWS * COLUMNS);
        TEventID id = GetTPipePtr()->AllocEventID<HardEvent::V_MTE2>();
        SetFlag<HardEvent::V_MTE2>(id);
        WaitFlag<HardEvent::V_MTE2>(id);
        GetTPipePtr()->ReleaseEventID<HardEvent::V_MTE2>(id);
        DataCopy(in, xGm[first * COLUMNS], count * COLUMNS);
        inQueue.EnQue(in);
        in = inQueue.DeQue<float>();
        LocalTensor<float> out = outQueue.AllocTensor<float>();
        WholeReduceMax(most, in, COLUMNS, ROWS, 1, 1, 8, ReduceOrder::ORDER_ONLY_VALUE);
        Brcb(spread, most, ROWS / 8, {1, 8});
        Sub(out, in, spread, COLUMNS, ROWS, {1, 1, 0, 8, 8, 1});
        Exp(out, out, ROWS * COLUMNS);
        WholeReduceSum(most, out, COLUMNS, ROWS, 1, 1, 8);
        Brcb(spread, most, ROWS / 8, {1, 8});
        Div(out, out, spread, COLUMNS, ROWS, {1, 1, 0, 8, 8, 1});
        outQueue.EnQue(out);
        inQueue.FreeTensor(in);
        out = outQueue.DeQue<float>();
        DataCopy(yGm[first * COLUMNS], out, count * COLUMNS);
        outQueue.FreeTensor(out);
    }
}

// Where the maximum of each row is.
extern "C" __global__ __aicore__ void argmax_rows(GM_ADDR x, GM_ADDR index, uint32_t rows, uint32_t columns)
{
    TPipe pipe;
    TQue<TPosition::VECIN, 1> inQueue;
    TQue<TPosition::VECOUT, 1> outQueue;
    TBuf<> resultBuf, workBuf;
    pipe.InitBuffer(inQueue, 2, columns * sizeof(float));
    pipe.InitBuffer(outQueue, 1, 32);
    pipe.InitBuffer(resultBuf, 32);
    pipe.InitBuffer(workBuf, columns * sizeof(float));
    GlobalTensor<float> xGm;
    GlobalTensor<int32_t> indexGm;
    xGm.SetGlobalBuffer((__gm__ float *)x);
    indexGm.SetGlobalBuffer((__gm__ int32_t *)index);
    LocalTensor<float> result = resultBuf.Get<float>(), work = workBuf.Get<float>();
    for (uint32_t row = GetBlockIdx(); row < rows; row += GetBlockNum()) {
        LocalTensor<float> in = inQueue.AllocTensor<float>();
        DataCopy(in, xGm[row * columns], columns);
        inQueue.EnQue(in);
        in = inQueue.DeQue<float>();
        ReduceMax(result, in, work, static_cast<int32_t>(columns), true);
        inQueue.FreeTensor(in);
        event_t ready = static_cast<event_t>(GetTPipePtr()->FetchEventID(HardEvent::V_S));
        SetFlag<HardEvent::V_S>(ready);
        WaitFlag<HardEvent::V_S>(ready);
        float at = result.GetValue(1);
        int32_t where = *reinterpret_cast<int32_t *>(&at);
        LocalTensor<int32_t> out = outQueue.AllocTensor<int32_t>();
        out.SetValue(0, where);
        event_t done = static_cast<event_t>(GetTPipePtr()->FetchEventID(HardEvent::S_MTE3));
        SetFlag<HardEvent::S_MTE3>(done);
        WaitFlag<HardEvent::S_MTE3>(done);
        outQueue.EnQue(out);
        out = outQueue.DeQue<int32_t>();
        DataCopyPad(indexGm[row], out, DataCopyParams{1, sizeof(int32_t), 0, 0});
        outQueue.FreeTensor(out);
        event_t again = static_cast<event_t>(GetTPipePtr()->FetchEventID(HardEvent::MTE3_S));
        SetFlag<HardEvent::MTE3_S>(again);
        WaitFlag<HardEvent::MTE3_S>(again);
    }
}
