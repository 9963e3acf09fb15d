// z = x + y, as an expert writes it. Nothing but memory costs time here, so all that counts is that loads never wait: three
// buffers, each pair of loads with one flag for both, and tiles small enough that the first and the last, which nothing
// hides, are short. One instruction computes a tile on either platform.
#include "expert.h"

using namespace AscendC;

namespace {

constexpr uint32_t TILE_BYTES = 16 * 1024; // the least at which a load has its full speed
constexpr uint32_t BUFFERS = 3;
constexpr uint32_t LINE = 512; // bytes: tiles begin where lines of L2 do
// Both sources of an instruction in the same banks of UB would be read one after the other on the 910B: the second
// one begins half a turn of the 16 groups of 32 bytes later.
constexpr uint32_t OTHER_BANKS = 256;

template <typename T> __aicore__ inline void AddAll(GM_ADDR x, GM_ADDR y, GM_ADDR z, uint32_t total) {
  GlobalTensor<T> xGm, yGm, zGm;
  xGm.SetGlobalBuffer((__gm__ T *)x, total);
  yGm.SetGlobalBuffer((__gm__ T *)y, total);
  zGm.SetGlobalBuffer((__gm__ T *)z, total);
  TPipe pipe;
  TQue<TPosition::VECIN, BUFFERS> in;
  TQue<TPosition::VECOUT, BUFFERS> out;
  pipe.InitBuffer(in, BUFFERS, 2 * (TILE_BYTES + OTHER_BANKS));
  pipe.InitBuffer(out, BUFFERS, TILE_BYTES);
  constexpr uint32_t second = (TILE_BYTES + OTHER_BANKS) / sizeof(T);

  expert::Share share(total, TILE_BYTES / sizeof(T), LINE / sizeof(T));
  auto load = [&](uint32_t tile) {
    LocalTensor<T> inputs = in.template AllocTensor<T>();
    expert::Load(inputs, xGm[share.Begin(tile)], share.Size(tile));
    expert::Load(inputs[second], yGm[share.Begin(tile)], share.Size(tile));
    in.EnQue(inputs);
  };
  for (uint32_t tile = 0; tile < expert::Least(BUFFERS - 1, share.Tiles()); ++tile)
    load(tile);
  for (uint32_t tile = 0; tile < share.Tiles(); ++tile) {
    if (tile + BUFFERS - 1 < share.Tiles())
      load(tile + BUFFERS - 1);
    LocalTensor<T> inputs = in.template DeQue<T>(), sum = out.template AllocTensor<T>();
    Add(sum, inputs, inputs[second], share.Size(tile));
    in.FreeTensor(inputs);
    out.EnQue(sum);
    sum = out.template DeQue<T>();
    expert::Store(zGm[share.Begin(tile)], sum, share.Size(tile));
    out.FreeTensor(sum);
  }
}

} // namespace

extern "C" __global__ __aicore__ void add_half(GM_ADDR x, GM_ADDR y, GM_ADDR z, uint32_t total) {
  AddAll<half>(x, y, z, total);
}
extern "C" __global__ __aicore__ void add_float(GM_ADDR x, GM_ADDR y, GM_ADDR z, uint32_t total) {
  AddAll<float>(x, y, z, total);
}
