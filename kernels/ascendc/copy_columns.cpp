// A copy through one queue that is filled by loads and emptied by stores: TQueBind, no vector unit in between. Rows are
// cut out of a wider matrix by strides.
#include "kernel_operator.h"

using namespace AscendC;

template <typename T> class CopyColumns {
public:
  __aicore__ inline CopyColumns(GM_ADDR x, GM_ADDR y, uint32_t rows, uint32_t pitch, uint32_t columns)
      : rows(rows), pitch(pitch), columns(columns) {
    xGm.SetGlobalBuffer((__gm__ T *)x);
    yGm.SetGlobalBuffer((__gm__ T *)y);
    pipe.InitBuffer(bind, 2, rowsAtOnce * ((columns * sizeof(T) + 31) / 32 * 32));
  }

  __aicore__ inline void Process() {
    for (uint32_t row = GetBlockIdx() * rowsAtOnce; row < rows; row += GetBlockNum() * rowsAtOnce) {
      uint16_t count = rows - row < rowsAtOnce ? rows - row : rowsAtOnce;
      uint32_t bytes = columns * sizeof(T);
      auto tensor = bind.template AllocTensor<T>();
      DataCopyPad(tensor, xGm[row * pitch],
                  DataCopyExtParams{count, bytes, static_cast<uint32_t>(pitch * sizeof(T) - bytes), 0, 0},
                  DataCopyPadExtParams<T>{false, 0, 0, T(0)});
      bind.EnQue(tensor);
      tensor = bind.template DeQue<T>();
      DataCopyPad(yGm[row * columns], tensor, DataCopyExtParams{count, bytes, 0, 0, 0});
      bind.FreeTensor(tensor);
    }
  }

private:
  static constexpr uint32_t rowsAtOnce = 8;
  TPipe pipe;
  TQueBind<TPosition::VECIN, TPosition::VECOUT, 2> bind;
  GlobalTensor<T> xGm, yGm;
  uint32_t rows, pitch, columns;
};

extern "C" __global__ __aicore__ void copy_columns(GM_ADDR x, GM_ADDR y, uint32_t rows, uint32_t pitch,
                                                   uint32_t columns) {
  CopyColumns<int16_t>(x, y, rows, pitch, columns).Process();
}
