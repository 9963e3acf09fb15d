// y = x * scale + shift in half on the 950, written in place between __VEC_SCOPE__ braces: halves are unpacked on load,
// widened, and packed again.
#include "kernel_operator.h"

using namespace AscendC;

constexpr MicroAPI::CastTrait toFloat = {MicroAPI::RegLayout::ZERO, MicroAPI::SatMode::UNKNOWN,
                                         MicroAPI::MaskMergeMode::ZEROING, RoundMode::UNKNOWN};
constexpr MicroAPI::CastTrait toHalf = {MicroAPI::RegLayout::ZERO, MicroAPI::SatMode::NO_SAT,
                                        MicroAPI::MaskMergeMode::ZEROING, RoundMode::CAST_RINT};

extern "C" __global__ __aicore__ void scale_scope(GM_ADDR x, GM_ADDR y, uint32_t length, float scale, float shift) {
  constexpr uint32_t tile = 1024;
  GlobalTensor<half> xGm, yGm;
  xGm.SetGlobalBuffer((__gm__ half *)x, length);
  yGm.SetGlobalBuffer((__gm__ half *)y, length);
  TPipe pipe;
  TQue<TPosition::VECIN, 2> in;
  TQue<TPosition::VECOUT, 2> out;
  pipe.InitBuffer(in, 2, tile * sizeof(half));
  pipe.InitBuffer(out, 2, tile * sizeof(half));
  for (uint32_t offset = GetBlockIdx() * tile; offset < length; offset += GetBlockNum() * tile) {
    LocalTensor<half> a = in.AllocTensor<half>();
    DataCopy(a, xGm[offset], tile);
    in.EnQue(a);
    a = in.DeQue<half>();
    LocalTensor<half> b = out.AllocTensor<half>();
    __ubuf__ half *from = (__ubuf__ half *)a.GetPhyAddr();
    __ubuf__ half *to = (__ubuf__ half *)b.GetPhyAddr();
    __VEC_SCOPE__ {
      MicroAPI::RegTensor<half> narrow;
      MicroAPI::RegTensor<float> wide;
      uint32_t left = tile;
      for (uint16_t i = 0; i < tile / 64; ++i) {
        MicroAPI::MaskReg mask = MicroAPI::UpdateMask<float>(left);
        MicroAPI::DataCopy<half, MicroAPI::LoadDist::DIST_UNPACK_B16>(narrow, from + i * 64);
        MicroAPI::Cast<float, half, toFloat>(wide, narrow, mask);
        MicroAPI::Muls(wide, wide, scale, mask);
        MicroAPI::Adds(wide, wide, shift, mask);
        MicroAPI::Cast<half, float, toHalf>(narrow, wide, mask);
        MicroAPI::DataCopy<half, MicroAPI::StoreDist::DIST_PACK_B32>(to + i * 64, narrow, mask);
      }
    }
    out.EnQue(b);
    in.FreeTensor(a);
    b = out.DeQue<half>();
    DataCopy(yGm[offset], b, tile);
    out.FreeTensor(b);
  }
}
