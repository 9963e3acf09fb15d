// Products of matrices on a cube core: what a matrix object asks for, and the buffers it is computed in.
//
// A product is cut into tiles of baseM x baseN, a tile into steps of baseK. Factors come in panels of stepKa or stepKb
// steps to L1, where the last ones are kept and used again, go step by step to L0A and L0B, and the sum leaves L0C when
// it is complete. The buffers are queues of the core (Core/Queues.h), so every hand-over is a flag that checks, late
// mode and time see. All objects of a core share them.
#ifndef TILESMITH_LIB_MACHINE_MATMUL_PRODUCT_H
#define TILESMITH_LIB_MACHINE_MATMUL_PRODUCT_H

#include "tilesmith/Machine/CubeTiling.h"
#include "tilesmith/Machine/Instr.h"
#include <array>
#include <functional>
#include <vector>

struct TsCore;

namespace tilesmith::machine {

// A matrix in global memory, or in L1 as fractals. `pitch`: elements from row to row; of fractals the rows of a column.
struct MatrixPlace {
  int64_t address = 0;
  DType dtype = DType::F16;
  bool fractals = false;
  bool turned = false; // stored with rows and columns swapped
  int64_t pitch = 0;

  bool inL1() const { return Address(address).memory() == Memory::L1; }
};

struct Product {
  MatrixPlace a, b, c;
  MatrixPlace bias; // a row; address 0: none
  int64_t m = 0, n = 0, k = 0;
  TsCubeTiling tiling = {};
  // Tiles that are computed, in the object's order.
  int64_t first = 0, count = 0;
  bool sequential = false; // tiles follow each other in the result, baseM x baseN each; else they lie at their places
  isa::AtomicOp atomic = isa::AtomicOp::None;
  isa::QuantMode quant = isa::QuantMode::NoQuant;
  int64_t scale = 0;   // of a quantisation: the bits of a float
  int64_t scales = 0;  // in its place one for each column, in global memory
  bool hf32 = false;   // floats are multiplied with shorter mantissas
  int64_t factors = 0; // products with the same number have the same bytes in their factors

  int64_t tilesAlongM() const { return (m + tiling.baseM - 1) / tiling.baseM; }
  int64_t tilesAlongN() const { return (n + tiling.baseN - 1) / tiling.baseN; }
  int64_t tiles() const { return tilesAlongM() * tilesAlongN(); }
  // Where a tile lies: (rows, columns) of tiles. Order 0 walks along m first.
  std::pair<int64_t, int64_t> tileAt(int64_t index) const {
    return tiling.iterateOrder == 0 ? std::pair(index % tilesAlongM(), index / tilesAlongM())
                                    : std::pair(index / tilesAlongN(), index % tilesAlongN());
  }
  // Bytes of a tile of the result that is written by itself.
  int64_t tileBytes() const { return int64_t(tiling.baseM) * tiling.baseN * int64_t(isa::sizeOf(c.dtype)); }
};

class CubeBuffers {
public:
  // Computes the tiles; `written` is called behind each, with its number.
  void run(TsCore &core, int64_t loc, const Product &product, const std::function<void(int64_t)> &written);
  // Gives everything back: no flag is left.
  void end(TsCore &core, int64_t loc);
  void reset() { *this = {}; }

private:
  struct Ring {
    int64_t queue = 0, slots = 0, bytes = 0; // the scales of a tile have no queue: their address is here
  };
  enum RingName { A1, B1, Bias1, Scales, A2, B2, Bias2, C1, numRings };
  using Need = std::array<Ring, numRings>;
  // Part of a factor in L1: columns of fractals, `rows` rows each.
  struct Panel {
    RingName ring;
    int64_t address = 0, rows = 0;
    int64_t factors = 0, tile = 0, chunk = 0, used = 0;
  };

  Need needOf(const TsCore &core, const Product &product) const;
  // Makes the buffers large enough; false after a finding.
  bool fit(TsCore &core, int64_t loc, const Product &product);
  bool arrange(TsCore &core, int64_t loc, const Need &need);
  void dropPanels(TsCore &core, int64_t loc);
  void tile(TsCore &core, int64_t loc, const Product &product, int64_t index, int64_t ofCall);
  Panel panel(TsCore &core, int64_t loc, const Product &product, bool left, int64_t tile, int64_t chunk);
  void loadPanel(TsCore &core, int64_t loc, const MatrixPlace &from, int64_t to, int64_t row, int64_t rows,
                 int64_t column, int64_t columns, int64_t padded, int64_t high);
  int64_t loadBias(TsCore &core, int64_t loc, const Product &product, int64_t column, int64_t columns, int64_t padded);
  void loadScales(TsCore &core, int64_t loc, const Product &product, int64_t column, int64_t columns);
  void writeOut(TsCore &core, int64_t loc, const Product &product, int64_t from, int64_t high, int64_t row,
                int64_t column, int64_t rows, int64_t columns, int64_t ofCall);

  Need rings = {};
  struct Region {
    int64_t begin = 0, end = 0;
  };
  std::array<Region, isa::numMemory> regions = {};
  bool arranged = false;
  std::vector<Panel> panels; // in L1, popped from their queues
  int64_t uses = 0;
};

} // namespace tilesmith::machine

#endif // TILESMITH_LIB_MACHINE_MATMUL_PRODUCT_H
