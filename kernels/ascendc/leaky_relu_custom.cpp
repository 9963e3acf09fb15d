// LeakyRelu with its sizes in a tiling struct in global memory, and the last tile shorter than the others.
#include "kernel_operator.h"

using namespace AscendC;

struct LeakyReluTiling {
  uint32_t totalLength;
  uint32_t tileLength;
  float negativeSlope;
};

class KernelLeakyRelu {
public:
  __aicore__ inline KernelLeakyRelu(TPipe *pipe) : pipe(pipe) {}

  __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, const LeakyReluTiling &tiling) {
    uint32_t perBlock = (tiling.totalLength + GetBlockNum() - 1) / GetBlockNum();
    perBlock = (perBlock + 7) / 8 * 8; // blocks start on 32 bytes
    uint32_t begin = perBlock * GetBlockIdx();
    length = begin < tiling.totalLength ? tiling.totalLength - begin : 0;
    length = length < perBlock ? length : perBlock;
    tile = tiling.tileLength;
    slope = tiling.negativeSlope;
    xGm.SetGlobalBuffer((__gm__ float *)x + begin, length);
    yGm.SetGlobalBuffer((__gm__ float *)y + begin, length);
    pipe->InitBuffer(inQueue, 2, tile * sizeof(float));
    pipe->InitBuffer(outQueue, 2, tile * sizeof(float));
  }

  __aicore__ inline void Process() {
    for (uint32_t offset = 0; offset < length; offset += tile) {
      uint32_t count = length - offset < tile ? length - offset : tile;
      CopyIn(offset, count);
      Compute(count);
      CopyOut(offset, count);
    }
  }

private:
  __aicore__ inline void CopyIn(uint32_t offset, uint32_t count) {
    LocalTensor<float> x = inQueue.AllocTensor<float>();
    DataCopyExtParams copy{1, static_cast<uint32_t>(count * sizeof(float)), 0, 0, 0};
    DataCopyPadExtParams<float> pad{false, 0, 0, 0};
    DataCopyPad(x, xGm[offset], copy, pad);
    inQueue.EnQue(x);
  }
  __aicore__ inline void Compute(uint32_t count) {
    LocalTensor<float> x = inQueue.DeQue<float>();
    LocalTensor<float> y = outQueue.AllocTensor<float>();
    LeakyRelu(y, x, slope, count);
    outQueue.EnQue(y);
    inQueue.FreeTensor(x);
  }
  __aicore__ inline void CopyOut(uint32_t offset, uint32_t count) {
    LocalTensor<float> y = outQueue.DeQue<float>();
    DataCopyExtParams copy{1, static_cast<uint32_t>(count * sizeof(float)), 0, 0, 0};
    DataCopyPad(yGm[offset], y, copy);
    outQueue.FreeTensor(y);
  }

  TPipe *pipe;
  TQue<QuePosition::VECIN, 1> inQueue;
  TQue<QuePosition::VECOUT, 1> outQueue;
  GlobalTensor<float> xGm, yGm;
  uint32_t length, tile;
  float slope;
};

extern "C" __global__ __aicore__ void leaky_relu_custom(GM_ADDR x, GM_ADDR y, GM_ADDR tiling) {
  LeakyReluTiling sizes = *reinterpret_cast<__gm__ LeakyReluTiling *>(tiling);
  TPipe pipe;
  KernelLeakyRelu op(&pipe);
  op.Init(x, y, sizes);
  op.Process();
}
