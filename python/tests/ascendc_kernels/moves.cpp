// Moving data: strided copies, gathers by index, transposes, tails, atomic stores, pools of buffers.
#include "kernel_operator.h"
using namespace AscendC;

// Rows of any width to rows of another, in tiles, without touching the vector unit.
class KernelMove {
public:
  __aicore__ inline void Init(GM_ADDR src, GM_ADDR dst, uint32_t rows, uint32_t width, uint32_t srcPitch,
                              uint32_t dstPitch) {
    rows_ = rows;
    width_ = width;
    srcPitch_ = srcPitch;
    dstPitch_ = dstPitch;
    srcGm.SetGlobalBuffer((__gm__ half *)src);
    dstGm.SetGlobalBuffer((__gm__ half *)dst);
    pipe.InitBuffer(queue, 2, ROWS * ((width * sizeof(half) + 31) / 32 * 32));
  }
  __aicore__ inline void Process() {
    for (uint32_t row = GetBlockIdx() * ROWS; row < rows_; row += GetBlockNum() * ROWS) {
      uint16_t count = rows_ - row < ROWS ? rows_ - row : ROWS;
      uint32_t bytes = width_ * sizeof(half);
      auto local = queue.AllocTensor<half>();
      DataCopyPad(local, srcGm[row * srcPitch_],
                  {count, bytes, static_cast<uint32_t>((srcPitch_ - width_) * sizeof(half)), 0, 0}, {false, 0, 0, 0});
      queue.EnQue(local);
      local = queue.DeQue<half>();
      DataCopyPad(dstGm[row * dstPitch_], local,
                  DataCopyExtParams(count, bytes, 0, (dstPitch_ - width_) * sizeof(half), 0));
      queue.FreeTensor(local);
    }
  }

private:
  static constexpr uint32_t ROWS = 16;
  TPipe pipe;
  TQueBind<TPosition::VECIN, TPosition::VECOUT, 0> queue;
  GlobalTensor<half> srcGm, dstGm;
  uint32_t rows_, width_, srcPitch_, dstPitch_;
};
extern "C" __global__ __aicore__ void move_rows(GM_ADDR src, GM_ADDR dst, uint32_t rows, uint32_t width,
                                                uint32_t srcPitch, uint32_t dstPitch) {
  KernelMove op;
  op.Init(src, dst, rows, width, srcPitch, dstPitch);
  op.Process();
}

// Rows of a table by index; the indices are read as scalars.
extern "C" __global__ __aicore__ void embedding(GM_ADDR table, GM_ADDR index, GM_ADDR y, uint32_t count,
                                                uint32_t width) {
  TPipe pipe;
  TQue<TPosition::VECIN, 1> indexQueue;
  TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> rowQueue;
  uint32_t perBlock = (count + GetBlockNum() - 1) / GetBlockNum(), first = perBlock * GetBlockIdx();
  if (first >= count) {
    return;
  }
  uint32_t mine = count - first < perBlock ? count - first : perBlock;
  pipe.InitBuffer(indexQueue, 1, (mine * sizeof(int32_t) + 31) / 32 * 32);
  pipe.InitBuffer(rowQueue, 2, width * sizeof(float));
  GlobalTensor<float> tableGm, yGm;
  GlobalTensor<int32_t> indexGm;
  tableGm.SetGlobalBuffer((__gm__ float *)table);
  yGm.SetGlobalBuffer((__gm__ float *)y);
  indexGm.SetGlobalBuffer((__gm__ int32_t *)index);
  LocalTensor<int32_t> indices = indexQueue.AllocTensor<int32_t>();
  DataCopyPad(indices, indexGm[first], DataCopyParams{1, static_cast<uint16_t>(mine * sizeof(int32_t)), 0, 0},
              DataCopyPadParams{false, 0, 0, 0});
  TEventID id = pipe.FetchEventID<HardEvent::MTE2_S>();
  SetFlag<HardEvent::MTE2_S>(id);
  WaitFlag<HardEvent::MTE2_S>(id);
  for (uint32_t i = 0; i < mine; i++) {
    LocalTensor<float> row = rowQueue.AllocTensor<float>();
    DataCopy(row, tableGm[indices.GetValue(i) * width], width);
    rowQueue.EnQue(row);
    row = rowQueue.DeQue<float>();
    DataCopy(yGm[(first + i) * width], row, width);
    rowQueue.FreeTensor(row);
  }
  indexQueue.FreeTensor(indices);
}

// The sum of the rows that share an index: stores that add.
extern "C" __global__ __aicore__ void scatter_add(GM_ADDR x, GM_ADDR index, GM_ADDR y, uint32_t count, uint32_t width) {
  TPipe pipe;
  TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> queue;
  pipe.InitBuffer(queue, 2, width * sizeof(float));
  GlobalTensor<float> xGm, yGm;
  GlobalTensor<int32_t> indexGm;
  xGm.SetGlobalBuffer((__gm__ float *)x);
  yGm.SetGlobalBuffer((__gm__ float *)y);
  indexGm.SetGlobalBuffer((__gm__ int32_t *)index, count);
  SetAtomicAdd<float>();
  for (uint32_t i = GetBlockIdx(); i < count; i += GetBlockNum()) {
    auto row = queue.AllocTensor<float>();
    DataCopy(row, xGm[i * width], width);
    queue.EnQue(row);
    row = queue.DeQue<float>();
    DataCopy(yGm[indexGm.GetValue(i) * width], row, width);
    queue.FreeTensor(row);
  }
  SetAtomicNone();
}

// A matrix of half, turned by squares of 16.
extern "C" __global__ __aicore__ void transpose_matrix(GM_ADDR x, GM_ADDR y, uint32_t rows, uint32_t columns) {
  TPipe pipe;
  TQue<TPosition::VECIN, 1> inQueue;
  TQue<TPosition::VECOUT, 1> outQueue;
  pipe.InitBuffer(inQueue, 2, 512);
  pipe.InitBuffer(outQueue, 2, 512);
  GlobalTensor<half> xGm, yGm;
  xGm.SetGlobalBuffer((__gm__ half *)x);
  yGm.SetGlobalBuffer((__gm__ half *)y);
  uint32_t across = columns / 16;
  for (uint32_t tile = GetBlockIdx(); tile < rows / 16 * across; tile += GetBlockNum()) {
    uint32_t row = tile / across * 16, column = tile % across * 16;
    LocalTensor<half> in = inQueue.AllocTensor<half>();
    DataCopy(in, xGm[row * columns + column], {16, 1, static_cast<uint16_t>(across - 1), 0});
    inQueue.EnQue(in);
    in = inQueue.DeQue<half>();
    LocalTensor<half> out = outQueue.AllocTensor<half>();
    Transpose(out, in);
    outQueue.EnQue(out);
    inQueue.FreeTensor(in);
    out = outQueue.DeQue<half>();
    DataCopy(yGm[column * rows + row], out, {16, 1, 0, static_cast<uint16_t>(rows / 16 - 1)});
    outQueue.FreeTensor(out);
  }
}

// Float squares turned by rows at addresses of their own.
extern "C" __global__ __aicore__ void transpose_rows(GM_ADDR x, GM_ADDR y) {
  TPipe pipe;
  TQue<TPosition::VECIN, 1> inQueue;
  TQue<TPosition::VECOUT, 1> outQueue;
  pipe.InitBuffer(inQueue, 1, 16 * 8 * sizeof(float));
  pipe.InitBuffer(outQueue, 1, 16 * 8 * sizeof(float));
  GlobalTensor<float> xGm, yGm;
  xGm.SetGlobalBuffer((__gm__ float *)x + GetBlockIdx() * 128);
  yGm.SetGlobalBuffer((__gm__ float *)y + GetBlockIdx() * 128);
  LocalTensor<float> in = inQueue.AllocTensor<float>();
  DataCopy(in, xGm, 128);
  inQueue.EnQue(in);
  in = inQueue.DeQue<float>();
  LocalTensor<float> out = outQueue.AllocTensor<float>();
  LocalTensor<float> from[16], to[16];
  for (int i = 0; i < 16; i++) {
    from[i] = in[i * 8];
    to[i] = out[i * 8];
  }
  TransDataTo5HDParams params;
  params.repeatTimes = 1;
  TransDataTo5HD<float>(to, from, params);
  outQueue.EnQue(out);
  inQueue.FreeTensor(in);
  out = outQueue.DeQue<float>();
  DataCopy(yGm, out, 128);
  outQueue.FreeTensor(out);
}

// A length that is no multiple of 32 bytes, with DataCopy alone: the last block is stored shifted to end at the end,
// its own elements chosen by a pattern, so that nothing is written twice differently.
extern "C" __global__ __aicore__ void abs_unaligned(GM_ADDR x, GM_ADDR y, uint32_t length) {
  TPipe pipe;
  TQue<TPosition::VECIN, 1> inQueue;
  TQue<TPosition::VECOUT, 1> outQueue;
  TBuf<> patternBuf, tailBuf;
  uint32_t padded = (length + 15) / 16 * 16;
  pipe.InitBuffer(inQueue, 1, padded * sizeof(half));
  pipe.InitBuffer(outQueue, 1, padded * sizeof(half));
  pipe.InitBuffer(patternBuf, 32);
  pipe.InitBuffer(tailBuf, 64);
  GlobalTensor<half> xGm, yGm;
  xGm.SetGlobalBuffer((__gm__ half *)x, length);
  yGm.SetGlobalBuffer((__gm__ half *)y, length);
  LocalTensor<half> in = inQueue.AllocTensor<half>();
  DataCopyPad(in, xGm, DataCopyParams{1, static_cast<uint16_t>(length * sizeof(half)), 0, 0},
              DataCopyPadParams{true, 0, static_cast<uint8_t>(padded - length), 0});
  inQueue.EnQue(in);
  in = inQueue.DeQue<half>();
  LocalTensor<half> out = outQueue.AllocTensor<half>();
  Abs(out, in, padded);
  inQueue.FreeTensor(in);
  uint32_t whole = length / 16 * 16, rest = length - whole;
  LocalTensor<uint16_t> pattern = patternBuf.Get<uint16_t>();
  LocalTensor<half> tail = tailBuf.Get<half>();
  if (rest) {
    // 16 elements that end where the array ends: bits rest ... rest + 15 of the last two blocks.
    Duplicate(pattern, static_cast<uint16_t>(0), 16);
    event_t first = static_cast<event_t>(pipe.FetchEventID(HardEvent::V_S));
    SetFlag<HardEvent::V_S>(first);
    WaitFlag<HardEvent::V_S>(first);
    pattern.SetValue(0, static_cast<uint16_t>(0xffff << rest));
    pattern.SetValue(1, static_cast<uint16_t>((1 << rest) - 1));
    event_t ready = static_cast<event_t>(pipe.FetchEventID(HardEvent::S_V));
    SetFlag<HardEvent::S_V>(ready);
    WaitFlag<HardEvent::S_V>(ready);
    uint64_t kept = 0;
    GatherMask(tail, out[whole - 16], pattern, true, 32, {1, 1, 8, 8}, kept);
    ascendc_assert(kept == 16, "kept %d elements", static_cast<int32_t>(kept));
  }
  outQueue.EnQue(out);
  out = outQueue.DeQue<half>();
  DataCopy(yGm, out, whole);
  if (rest) {
    event_t stored = static_cast<event_t>(pipe.FetchEventID(HardEvent::V_MTE3));
    SetFlag<HardEvent::V_MTE3>(stored);
    WaitFlag<HardEvent::V_MTE3>(stored);
    PipeBarrier<PIPE_MTE3>();
    DataCopy(yGm[length - 16], tail, 16);
  }
  outQueue.FreeTensor(out);
}

// x + y, then x - y, with the buffers of both steps in one place.
extern "C" __global__ __aicore__ void pools(GM_ADDR x, GM_ADDR y, GM_ADDR sum, GM_ADDR difference, uint32_t length) {
  TPipe pipe;
  TBufPool<TPosition::VECCALC> pool, pool1, pool2;
  TQue<TPosition::VECIN, 1> x1, y1, x2, y2;
  TQue<TPosition::VECOUT, 1> z1, z2;
  uint32_t bytes = length * sizeof(float);
  pipe.InitBufPool(pool, 3 * bytes);
  pool.InitBufPool(pool1, 3 * bytes);
  pool.InitBufPool(pool2, 3 * bytes, pool1);
  GlobalTensor<float> xGm, yGm, sumGm, differenceGm;
  xGm.SetGlobalBuffer((__gm__ float *)x);
  yGm.SetGlobalBuffer((__gm__ float *)y);
  sumGm.SetGlobalBuffer((__gm__ float *)sum);
  differenceGm.SetGlobalBuffer((__gm__ float *)difference);
  auto step = [&](auto &qx, auto &qy, auto &qz, GlobalTensor<float> &out, bool add) {
    LocalTensor<float> a = qx.template AllocTensor<float>(), b = qy.template AllocTensor<float>();
    DataCopy(a, xGm, length);
    DataCopy(b, yGm, length);
    qx.EnQue(a);
    qy.EnQue(b);
    a = qx.template DeQue<float>();
    b = qy.template DeQue<float>();
    LocalTensor<float> c = qz.template AllocTensor<float>();
    if (add) {
      Add(c, a, b, length);
    } else {
      Sub(c, a, b, length);
    }
    qz.EnQue(c);
    qx.FreeTensor(a);
    qy.FreeTensor(b);
    c = qz.template DeQue<float>();
    DataCopy(out, c, length);
    qz.FreeTensor(c);
  };
  pool1.InitBuffer(x1, 1, bytes);
  pool1.InitBuffer(y1, 1, bytes);
  pool1.InitBuffer(z1, 1, bytes);
  step(x1, y1, z1, sumGm, true);
  pool1.Reset();
  PipeBarrier<PIPE_ALL>();
  pool2.InitBuffer(x2, 1, bytes);
  pool2.InitBuffer(y2, 1, bytes);
  pool2.InitBuffer(z2, 1, bytes);
  step(x2, y2, z2, differenceGm, false);
  pool2.Reset();
}

// Static tensors: no pipe, no queues; two buffers and flags by hand.
extern "C" __global__ __aicore__ void static_add(GM_ADDR x, GM_ADDR y, GM_ADDR z, uint32_t tiles) {
  constexpr uint32_t TILE = 1024;
  InitSocState();
  LocalMemAllocator<Hardware::UB> allocator;
  LocalTensor<float> xs[2], ys[2], zs[2];
  for (int i = 0; i < 2; i++) {
    xs[i] = allocator.Alloc<TPosition::VECIN, float, TILE>();
    ys[i] = allocator.Alloc<TPosition::VECIN, float, TILE>();
    zs[i] = allocator.Alloc<TPosition::VECOUT, float>(TILE);
  }
  GlobalTensor<float> xGm, yGm, zGm;
  uint64_t base = GetBlockIdx() * tiles * TILE;
  xGm.SetGlobalBuffer((__gm__ float *)x + base);
  yGm.SetGlobalBuffer((__gm__ float *)y + base);
  zGm.SetGlobalBuffer((__gm__ float *)z + base);
  SetFlag<HardEvent::V_MTE2>(EVENT_ID0);
  SetFlag<HardEvent::V_MTE2>(EVENT_ID1);
  SetFlag<HardEvent::MTE3_V>(EVENT_ID0);
  SetFlag<HardEvent::MTE3_V>(EVENT_ID1);
  for (uint32_t i = 0; i < tiles; i++) {
    int32_t id = i % 2 ? EVENT_ID1 : EVENT_ID0;
    WaitFlag<HardEvent::V_MTE2>(id);
    DataCopy(xs[i % 2], xGm[i * TILE], TILE);
    DataCopy(ys[i % 2], yGm[i * TILE], TILE);
    SetFlag<HardEvent::MTE2_V>(id);
    WaitFlag<HardEvent::MTE2_V>(id);
    WaitFlag<HardEvent::MTE3_V>(id);
    Add(zs[i % 2], xs[i % 2], ys[i % 2], TILE);
    SetFlag<HardEvent::V_MTE2>(id);
    SetFlag<HardEvent::V_MTE3>(id);
    WaitFlag<HardEvent::V_MTE3>(id);
    DataCopy(zGm[i * TILE], zs[i % 2], TILE);
    SetFlag<HardEvent::MTE3_V>(id);
  }
  WaitFlag<HardEvent::V_MTE2>(EVENT_ID0);
  WaitFlag<HardEvent::V_MTE2>(EVENT_ID1);
  WaitFlag<HardEvent::MTE3_V>(EVENT_ID0);
  WaitFlag<HardEvent::MTE3_V>(EVENT_ID1);
  PipeBarrier<PIPE_ALL>();
}

// Runs of rows into a box without gaps, and back into another place.
extern "C" __global__ __aicore__ void slices(GM_ADDR x, GM_ADDR y, GM_ADDR z) {
  LocalTensor<float> local(TPosition::VECCALC, 0, 96);
  GlobalTensor<float> from, to, back;
  from.SetGlobalBuffer((__gm__ float *)x);
  to.SetGlobalBuffer((__gm__ float *)y);
  back.SetGlobalBuffer((__gm__ float *)z);
  SliceInfo box[] = {{16, 70, 7, 3, 87}, {0, 2, 1, 1, 3}}, dense[] = {{0, 47, 0, 3, 48}, {0, 1, 0, 1, 2}};
  DataCopy(local, from, dense, box, 2);
  PipeBarrier<PIPE_ALL>();
  DataCopy(to, local, 96);
  DataCopy(back, local, box, dense, 2);
}
