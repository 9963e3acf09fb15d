// Blocks that wait for each other: two-phase reductions, pipelines of blocks, ordered accumulation.
#include "kernel_operator.h"

using namespace AscendC;

constexpr int32_t TILE = 1024;

// Phase 1: every block sums its share into the workspace. Phase 2, behind SyncAll: every block normalises its share by
// the sum of all.
class KernelNormalise {
public:
    __aicore__ inline KernelNormalise() {}
    __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, uint32_t totalLength)
    {
        blockLength = totalLength / GetBlockNum();
        xGm.SetGlobalBuffer((__gm__ float *)x + blockLength * GetBlockIdx(), blockLength);
        yGm.SetGlobalBuffer((__gm__ float *)y + blockLength * GetBlockIdx(), blockLength);
        partialGm.SetGlobalBuffer((__gm__ float *)workspace, GetBlockNum() * 8);
        pipe.InitBuffer(inQueue, 2, TILE * sizeof(float));
        pipe.InitBuffer(outQueue, 2, TILE * sizeof(float));
        pipe.InitBuffer(partialQueue, 1, 64 * 8 * sizeof(float));
        pipe.InitBuffer(sumBuf, 32);
        pipe.InitBuffer(workBuf, TILE * sizeof(float));
    }
    __aicore__ inline void Process()
    {
        float sum = 0;
        for (uint32_t i = 0; i < blockLength / TILE; i++) {
            LocalTensor<float> x = inQueue.AllocTensor<float>();
            DataCopy(x, xGm[i * TILE], TILE);
            inQueue.EnQue(x);
            x = inQueue.DeQue<float>();
            LocalTensor<float> one = sumBuf.Get<float>();
            ReduceSum(one, x, workBuf.Get<float>(), TILE);
            event_t id = static_cast<event_t>(GetTPipePtr()->FetchEventID(HardEvent::V_S));
            SetFlag<HardEvent::V_S>(id);
            WaitFlag<HardEvent::V_S>(id);
            sum += one.GetValue(0);
            inQueue.FreeTensor(x);
        }
        LocalTensor<float> mine = outQueue.AllocTensor<float>();
        Duplicate(mine, 0.0f, 8);
        event_t id = static_cast<event_t>(GetTPipePtr()->FetchEventID(HardEvent::V_S));
        SetFlag<HardEvent::V_S>(id);
        WaitFlag<HardEvent::V_S>(id);
        mine.SetValue(0, sum);
        event_t out = static_cast<event_t>(GetTPipePtr()->FetchEventID(HardEvent::S_MTE3));
        SetFlag<HardEvent::S_MTE3>(out);
        WaitFlag<HardEvent::S_MTE3>(out);
        outQueue.EnQue(mine);
        mine = outQueue.DeQue<float>();
        DataCopy(partialGm[GetBlockIdx() * 8], mine, 8);
        outQueue.FreeTensor(mine);

        SyncAll();

        LocalTensor<float> partials = partialQueue.AllocTensor<float>();
        DataCopy(partials, partialGm, GetBlockNum() * 8);
        partialQueue.EnQue(partials);
        partials = partialQueue.DeQue<float>();
        event_t in = static_cast<event_t>(GetTPipePtr()->FetchEventID(HardEvent::MTE2_S));
        SetFlag<HardEvent::MTE2_S>(in);
        WaitFlag<HardEvent::MTE2_S>(in);
        float total = 0;
        for (int32_t i = 0; i < GetBlockNum(); i++) {
            total += partials.GetValue(i * 8);
        }
        partialQueue.FreeTensor(partials);
        for (uint32_t i = 0; i < blockLength / TILE; i++) {
            LocalTensor<float> x = inQueue.AllocTensor<float>();
            DataCopy(x, xGm[i * TILE], TILE);
            inQueue.EnQue(x);
            x = inQueue.DeQue<float>();
            LocalTensor<float> y = outQueue.AllocTensor<float>();
            Muls(y, x, 1.0f / total, TILE);
            outQueue.EnQue(y);
            inQueue.FreeTensor(x);
            y = outQueue.DeQue<float>();
            DataCopy(yGm[i * TILE], y, TILE);
            outQueue.FreeTensor(y);
        }
    }

private:
    TPipe pipe;
    TQue<QuePosition::VECIN, 2> inQueue;
    TQue<QuePosition::VECIN, 1> partialQueue;
    TQue<QuePosition::VECOUT, 2> outQueue;
    TBuf<TPosition::VECCALC> sumBuf, workBuf;
    GlobalTensor<float> xGm, yGm, partialGm;
    uint32_t blockLength;
};

extern "C" __global__ __aicore__ void normalise(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, uint32_t totalLength)
{
    KernelNormalise op;
    op.Init(x, y, workspace, totalLength);
    op.Process();
}

// Every block reads what its right neighbour wrote, behind the barrier by counters in global memory.
extern "C" __global__ __aicore__ void rotate_soft(GM_ADDR x, GM_ADDR y, GM_ADDR mid, GM_ADDR sync)
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> syncBuf;
    TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> queue;
    pipe.InitBuffer(syncBuf, 8 * 64 * sizeof(int32_t));
    pipe.InitBuffer(queue, 1, TILE * sizeof(half));
    GlobalTensor<half> xGm, yGm, midGm;
    GlobalTensor<int32_t> syncGm;
    xGm.SetGlobalBuffer((__gm__ half *)x);
    yGm.SetGlobalBuffer((__gm__ half *)y);
    midGm.SetGlobalBuffer((__gm__ half *)mid);
    syncGm.SetGlobalBuffer((__gm__ int32_t *)sync);
    int64_t me = GetBlockIdx(), next = (me + 1) % GetBlockNum();
    LocalTensor<half> tile = queue.AllocTensor<half>();
    DataCopy(tile, xGm[me * TILE], TILE);
    queue.EnQue(tile);
    tile = queue.DeQue<half>();
    DataCopy(midGm[me * TILE], tile, TILE);
    queue.FreeTensor(tile);
    LocalTensor<int32_t> syncLocal = syncBuf.Get<int32_t>();
    SyncAll(syncGm, syncLocal);
    tile = queue.AllocTensor<half>();
    DataCopy(tile, midGm[next * TILE], TILE);
    queue.EnQue(tile);
    tile = queue.DeQue<half>();
    DataCopy(yGm[me * TILE], tile, TILE);
    queue.FreeTensor(tile);
}

// A running sum over blocks: each waits for the one before it.
extern "C" __global__ __aicore__ void chain(GM_ADDR x, GM_ADDR y, GM_ADDR sync)
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> syncBuf;
    TQue<TPosition::VECIN, 2> inQueue;
    TQue<TPosition::VECOUT, 1> outQueue;
    pipe.InitBuffer(syncBuf, 256);
    pipe.InitBuffer(inQueue, 2, TILE * sizeof(float));
    pipe.InitBuffer(outQueue, 1, TILE * sizeof(float));
    GlobalTensor<float> xGm, yGm;
    GlobalTensor<int32_t> syncGm;
    xGm.SetGlobalBuffer((__gm__ float *)x);
    yGm.SetGlobalBuffer((__gm__ float *)y);
    syncGm.SetGlobalBuffer((__gm__ int32_t *)sync);
    LocalTensor<int32_t> syncLocal = syncBuf.Get<int32_t>();
    int32_t me = GetBlockIdx();
    LocalTensor<float> mine = inQueue.AllocTensor<float>();
    DataCopy(mine, xGm[me * TILE], TILE);
    inQueue.EnQue(mine);
    mine = inQueue.DeQue<float>();
    LocalTensor<float> sum = outQueue.AllocTensor<float>();
    if (me > 0) {
        IBWait(syncGm, syncLocal, me - 1, 0);
        LocalTensor<float> before = inQueue.AllocTensor<float>();
        DataCopy(before, yGm[(me - 1) * TILE], TILE);
        inQueue.EnQue(before);
        before = inQueue.DeQue<float>();
        Add(sum, mine, before, TILE);
        inQueue.FreeTensor(before);
    } else {
        Adds(sum, mine, 0.0f, TILE);
    }
    inQueue.FreeTensor(mine);
    outQueue.EnQue(sum);
    sum = outQueue.DeQue<float>();
    DataCopy(yGm[me * TILE], sum, TILE);
    outQueue.FreeTensor(sum);
    if (me + 1 < GetBlockNum()) {
        IBSet(syncGm, syncLocal, me, 0);
    }
}

// All blocks add to one tile, in their order, so that rounding never differs.
extern "C" __global__ __aicore__ void ordered_sum(GM_ADDR x, GM_ADDR y, GM_ADDR sync)
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> syncBuf;
    TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> queue;
    pipe.InitBuffer(syncBuf, 1024);
    pipe.InitBuffer(queue, 1, TILE * sizeof(float));
    GlobalTensor<float> xGm, yGm;
    GlobalTensor<int32_t> syncGm;
    xGm.SetGlobalBuffer((__gm__ float *)x);
    yGm.SetGlobalBuffer((__gm__ float *)y);
    syncGm.SetGlobalBuffer((__gm__ int32_t *)sync);
    LocalTensor<int32_t> syncLocal = syncBuf.Get<int32_t>();
    InitDetermineComputeWorkspace(syncGm, syncLocal);
    LocalTensor<float> tile = queue.AllocTensor<float>();
    DataCopy(tile, xGm[GetBlockIdx() * TILE], TILE);
    queue.EnQue(tile);
    tile = queue.DeQue<float>();
    WaitPreBlock(syncGm, syncLocal);
    SetAtomicAdd<float>();
    DataCopy(yGm, tile, TILE);
    SetAtomicNone();
    NotifyNextBlock(syncGm, syncLocal);
    queue.FreeTensor(tile);
}

// Flags of the chip: a stage hands over when its stores are complete.
extern "C" __global__ __aicore__ void stages(GM_ADDR x, GM_ADDR y, int32_t rounds)
{
    TPipe pipe;
    TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> queue;
    pipe.InitBuffer(queue, 1, TILE * sizeof(int32_t));
    GlobalTensor<int32_t> xGm, yGm;
    xGm.SetGlobalBuffer((__gm__ int32_t *)x);
    yGm.SetGlobalBuffer((__gm__ int32_t *)y);
    int64_t blocks = GetBlockNum();
    for (int32_t round = 0; round < rounds; round++) {
        GlobalTensor<int32_t> &from = round % 2 ? yGm : xGm;
        GlobalTensor<int32_t> &to = round % 2 ? xGm : yGm;
        LocalTensor<int32_t> tile = queue.AllocTensor<int32_t>();
        DataCopy(tile, from[(GetBlockIdx() + 1) % blocks * TILE], TILE);
        queue.EnQue(tile);
        tile = queue.DeQue<int32_t>();
        DataCopy(to[GetBlockIdx() * TILE], tile, TILE);
        queue.FreeTensor(tile);
        CrossCoreSetFlag<0, PIPE_MTE3>(5);
        CrossCoreWaitFlag(5);
    }
}
