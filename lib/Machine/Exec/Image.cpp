// An image in L1 as the matrix a convolution multiplies: img2col on the way into L0.
#include "Exec.h"
#include "tilesmith/Isa/Chip.h"
#include <cstring>

namespace tilesmith::machine::exec {

namespace {
using isa::blockBytes, isa::fractalBytes;

int64_t along(int64_t pair) { return pair % 256; }      // the width
int64_t down(int64_t pair) { return pair / 256 % 256; } // the height

// The image, and the matrix it is: a row for each place of the filter, a column for each element under it.
class Image {
public:
  Image(isa::LoadData_3dV2 call, int64_t size, const uint8_t *bytes)
      : call(call), bytes(bytes), left(along(call.pads())), top(along(call.pads() >> 16)) {
    int64_t right = down(call.pads()), bottom = down(call.pads() >> 16);
    int64_t spanW = along(call.dilation()) * (along(call.filter()) - 1) + 1;
    int64_t spanH = down(call.dilation()) * (down(call.filter()) - 1) + 1;
    placesW = (call.l1W() + left + right - spanW) / along(call.stride()) + 1;
    placesH = (call.l1H() + top + bottom - spanH) / down(call.stride()) + 1;
    groups = (call.channelSize() * size + blockBytes - 1) / blockBytes;
    int64_t value = call.padValue();
    for (int64_t at = 0; at < blockBytes; at += size)
      std::memcpy(padding + at, &value, size_t(size));
  }

  // A group of channels, 32 bytes, of row `place` and group of columns `column`; null beyond the matrix.
  const uint8_t *at(int64_t place, int64_t column) const {
    int64_t filterW = along(call.filter()), filterH = down(call.filter());
    int64_t channels = column / (filterW * filterH);
    if (place >= placesW * placesH || channels >= groups)
      return nullptr;
    int64_t y = place / placesW * down(call.stride()) + column / filterW % filterH * down(call.dilation()) - top;
    int64_t x = place % placesW * along(call.stride()) + column % filterW * along(call.dilation()) - left;
    bool inside = y >= 0 && y < call.l1H() && x >= 0 && x < call.l1W();
    return inside ? bytes + ((channels * call.l1H() + y) * call.l1W() + x) * blockBytes : padding;
  }

private:
  isa::LoadData_3dV2 call;
  const uint8_t *bytes;
  int64_t left, top, placesW, placesH, groups;
  uint8_t padding[blockBytes];
};
} // namespace

// In L0A rows of the matrix are rows, its fractals row by row on the 910B and column by column on the 950. In L0B rows
// run along k and columns along n, where a fractal is 16 columns of 32 bytes.
void loadImage(const Instr &instr, const MemoryView &memory) {
  isa::LoadData_3dV2 call(instr);
  int64_t size = isa::sizeOf(instr.dtype), group = blockBytes / size;
  int64_t rows = (call.mExtension() + 15) / 16 * 16, wide = (call.kExtension() + group - 1) / group;
  if (rows <= 0 || wide <= 0)
    return;
  Image image(call, size, memory.at(call.src()));
  bool toB = call.dst().memory() == Memory::L0B, byRows = memory.arch == Arch::C220;
  uint8_t *dst = memory.at(call.dst());
  constexpr uint8_t zeros[blockBytes] = {};
  for (int64_t column = 0; column < wide; ++column)
    for (int64_t row = 0; row < rows; ++row) {
      const uint8_t *found = image.at(call.mStart() + row, call.kStart() / group + column);
      const uint8_t *from = found ? found : zeros;
      if (!toB) {
        int64_t fractal = byRows ? row / 16 * wide + column : column * (rows / 16) + row / 16;
        std::memcpy(dst + fractal * fractalBytes + row % 16 * blockBytes, from, blockBytes);
        continue;
      }
      for (int64_t i = 0; i < group; ++i) {
        int64_t n = column * group + i, fractal = row / group * (wide * group / 16) + n / 16;
        std::memcpy(dst + fractal * fractalBytes + n % 16 * blockBytes + row % group * size, from + i * size,
                    size_t(size));
      }
    }
}

} // namespace tilesmith::machine::exec
