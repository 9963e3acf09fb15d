// How a matrix in L1 gets to L0A and L0B: which load instructions, in what order. Compiled kernels and the Machine's
// matrix objects write them by the same rules.
//
// In L1 a matrix lies in NZ: columns of 32 bytes, in them one row after another; neighbouring columns are `stride`
// fractals apart. L0A holds fractals row by row on the 910B, column by column on the 950; L0B holds turned fractals, 32
// bytes of k after each other. A matrix may lie in L1 turned (rows and columns swapped) and is turned on its way.
//
// A sink has three functions, one per instruction. Destinations are counted in fractals from the start of the tile:
//   load(dst, start, repeats, stride, gap, turns)          load_data_2d
//   turn(dst, start, repeats, stride, gap, gapInside)      load_data_transpose
//   block(rows, columns, stride, apart, turns)             load_data_2d_v2, of the whole tile
#ifndef TILESMITH_SUPPORT_FRACTALLOADS_H
#define TILESMITH_SUPPORT_FRACTALLOADS_H

#include <cstdint>

namespace tilesmith {

// The part of a matrix that is loaded, as the product sees it: rows and columns in fractals of 16 rows x 32 bytes.
struct FractalShape {
  int64_t rows, perBlock;   // perBlock: elements in 32 bytes
  int64_t high, wide, deep; // rows / 16; columns / 16; columns / perBlock: each rounded up
};

template <typename Sink> class FractalLoads {
public:
  // `byColumns`: as the 950 has it.
  FractalLoads(Sink sink, bool byColumns) : sink(sink), byColumns(byColumns) {}

  void left(const FractalShape &shape, int64_t stride) {
    if (byColumns) {
      sink.block(shape.high, shape.deep, stride, shape.high, false);
    } else if (shape.high <= shape.deep) {
      for (int64_t row = 0; row < shape.high; ++row)
        sink.load(row * shape.deep, row, shape.deep, stride, 0, false);
    } else {
      for (int64_t column = 0; column < shape.deep; ++column)
        sink.load(column, column * stride, shape.high, 1, shape.deep - 1, false);
    }
  }

  void right(const FractalShape &shape, int64_t stride) {
    if (shape.perBlock == ofBytes) {
      squares(shape.high / 2, shape.wide / 2, shape.wide, 1, stride);
    } else if (byColumns) {
      sink.block(shape.high, shape.wide * 16 / shape.perBlock, stride, shape.wide, true);
    } else if (shape.perBlock == ofFloats) {
      for (int64_t column = 0; column < shape.wide; ++column)
        sink.turn(column, 2 * column * stride, shape.high, stride, 2 * shape.wide - 1, shape.wide - 1);
    } else if (shape.high <= shape.wide) {
      for (int64_t row = 0; row < shape.high; ++row)
        sink.load(row * shape.wide, row, shape.wide, stride, 0, true);
    } else {
      for (int64_t column = 0; column < shape.wide; ++column)
        sink.load(column, column * stride, shape.high, 1, shape.wide - 1, true);
    }
  }

  // Of a matrix that lies in L1 turned fractals of L0B are columns as they are.
  void rightTurned(const FractalShape &shape, int64_t stride) {
    int64_t deep = (shape.rows + shape.perBlock - 1) / shape.perBlock;
    if (byColumns) {
      sink.block(shape.wide, deep, stride, shape.wide, false);
    } else if (deep <= shape.wide) {
      for (int64_t k = 0; k < deep; ++k)
        sink.load(k * shape.wide, k * stride, shape.wide, 1, 0, false);
    } else {
      for (int64_t column = 0; column < shape.wide; ++column)
        sink.load(column, column, deep, stride, shape.wide - 1, false);
    }
  }

  // Fractals of 16 rows of k become fractals of 16 rows of m. `blocks`: of k, of 16 each.
  void leftTurned(const FractalShape &shape, int64_t blocks, int64_t stride) {
    if (shape.perBlock == ofBytes) {
      squares(shape.deep, shape.high / 2, byColumns ? shape.high : 1, byColumns ? 1 : shape.deep, stride);
    } else if (byColumns) {
      sink.block(blocks, shape.high * 16 / shape.perBlock, stride, shape.high, true);
    } else {
      for (int64_t row = 0; row < shape.high; ++row)
        if (shape.perBlock == ofFloats)
          sink.turn(row * shape.deep, 2 * row * stride, blocks, stride, 1, 0);
        else
          sink.load(row * shape.deep, row * stride, blocks, 1, 0, true);
    }
  }

private:
  static constexpr int64_t ofBytes = 32, ofFloats = 8; // elements in 32 bytes

  // A matrix of bytes is turned in squares of 32 x 32, which become two fractals each. `inner` squares follow each
  // other in a column of L1, and there are `outer` columns. In L0 what belongs to neighbours along a column lies
  // `apart`, and fractals of a square lie `beside` each other.
  void squares(int64_t inner, int64_t outer, int64_t apart, int64_t beside, int64_t stride) {
    if (byColumns) { // fractals of a square follow each other
      sink.block(2 * inner, outer, stride, apart, true);
    } else if (outer < inner) {
      for (int64_t i = 0; i < outer; ++i)
        sink.turn(2 * i * beside, i * stride / 2, inner, 1, apart - 1, beside - 1);
    } else {
      for (int64_t i = 0; i < inner; ++i)
        sink.turn(i * apart, i, outer, stride / 2, 2 * beside - 1, beside - 1);
    }
  }

  Sink sink;
  bool byColumns;
};

} // namespace tilesmith

#endif // TILESMITH_SUPPORT_FRACTALLOADS_H
