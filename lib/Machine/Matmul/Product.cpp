#include "Product.h"
#include "Core/CoreImpl.h"
#include "tilesmith/Isa/Chip.h"
#include "tilesmith/Support/FractalLoads.h"

namespace tilesmith::machine {

namespace {

using isa::blockBytes;
using isa::fractalRows;

int64_t up(int64_t value, int64_t unit) { return (value + unit - 1) / unit * unit; }
int64_t bytesOf(DType dtype) { return int64_t(isa::sizeOf(dtype)); }
int64_t perBlock(DType dtype) { return blockBytes / bytesOf(dtype); }
bool ofBytes(DType dtype) { return bytesOf(dtype) == 1; }

// What sizes are rounded up to: turned matrices of bytes move in squares of 32 x 32.
int64_t unitOfK(const Product &product) { return ofBytes(product.a.dtype) ? 32 : fractalRows; }
int64_t unitOfM(const Product &product) { return ofBytes(product.a.dtype) && product.a.turned ? 32 : fractalRows; }
int64_t unitOfN(const Product &product) { return ofBytes(product.b.dtype) && !product.b.turned ? 32 : fractalRows; }

DType sumOf(const Product &product) { return isa::isFloat(product.a.dtype) ? DType::F32 : DType::I32; }

// Columns of fractals in results that leave as fractals.
int64_t columnOf(DType dtype) { return ofBytes(dtype) ? 32 : fractalRows; }

template <typename View, typename... Operands>
void issue(TsCore &core, int64_t loc, DType dtype, DType dtype2, Operands... operands) {
  Instr instr = makeCall<View>(uint32_t(loc), operands...);
  instr.dtype = dtype;
  instr.dtype2 = dtype2;
  core.issue(instr);
}

// Loads into L0 (Support/FractalLoads.h).
struct LoadSink {
  TsCore &core;
  int64_t loc;
  DType dtype;
  int64_t dst, src;

  void load(int64_t at, int64_t start, int64_t repeats, int64_t stride, int64_t gap, bool turns) {
    issue<isa::LoadData_2d>(core, loc, dtype, dtype, Address(to(at)), Address(src), start, repeats, stride, gap,
                            int64_t(turns));
  }
  void turn(int64_t at, int64_t start, int64_t repeats, int64_t stride, int64_t gap, int64_t gapInside) {
    issue<isa::LoadDataTranspose>(core, loc, dtype, dtype, Address(to(at)), Address(src), start, repeats, stride, gap,
                                  gapInside);
  }
  void block(int64_t rows, int64_t columns, int64_t stride, int64_t apart, bool turns) {
    issue<isa::LoadData_2dV2>(core, loc, dtype, dtype, Address(dst), Address(src), 0, 0, rows, columns, stride, apart,
                              int64_t(turns));
  }

private:
  int64_t to(int64_t fractals) const { return dst + fractals * isa::fractalBytes; }
};

} // namespace

static constexpr Memory memoryOfRing[] = {Memory::L1,  Memory::L1,  Memory::L1, Memory::L1,
                                          Memory::L0A, Memory::L0B, Memory::BT, Memory::L0C};
static constexpr Position positionOfRing[] = {Position::A1, Position::B1, Position::C1, Position::C1,
                                              Position::A2, Position::B2, Position::C2, Position::CO1};

CubeBuffers::Need CubeBuffers::needOf(const TsCore &core, const Product &product) const {
  const TsCubeTiling &tiling = product.tiling;
  int64_t unitK = unitOfK(product), size = bytesOf(product.a.dtype);
  int64_t m = up(tiling.baseM, unitOfM(product)), n = up(tiling.baseN, unitOfN(product));
  int64_t k = up(tiling.baseK, unitK);
  auto depth = [&](int64_t depth, int64_t steps) {
    return std::clamp<int64_t>(depth / std::max<int64_t>(steps, 1), 1, 3);
  };
  auto panel = [&](int64_t steps) {
    return up(std::min<int64_t>(std::max<int64_t>(steps, 1) * tiling.baseK, product.k), unitK);
  };
  auto twice = [&](int64_t bytes, Memory memory) { return 2 * bytes <= core.platform->capacityOf(memory) ? 2 : 1; };
  Need need = {};
  if (!product.a.inL1())
    need[A1] = {0, depth(tiling.depthA1, tiling.stepKa), m * panel(tiling.stepKa) * size};
  if (!product.b.inL1())
    need[B1] = {0, depth(tiling.depthB1, tiling.stepKb), n * panel(tiling.stepKb) * size};
  need[A2] = {0, twice(m * k * size, Memory::L0A), m * k * size};
  need[B2] = {0, twice(n * k * size, Memory::L0B), n * k * size};
  int64_t sum = m * n * 4;
  need[C1] = {0, tiling.dbL0C > 1 ? twice(sum, Memory::L0C) : 1, sum};
  if (product.scales)
    need[Scales] = {0, 1, up(n * 8, blockBytes)};
  if (product.bias.address) {
    need[Bias1] = {0, 1, up(n * bytesOf(product.bias.dtype), blockBytes)};
    need[Bias2] = {0, 1, n * 4};
  }
  return need;
}

bool CubeBuffers::fit(TsCore &core, int64_t loc, const Product &product) {
  Need need = needOf(core, product);
  bool fits = arranged;
  for (size_t i = 0; i < numRings; ++i) {
    fits &= need[i].bytes <= rings[i].bytes;
    need[i].bytes = std::max(need[i].bytes, rings[i].bytes);
    need[i].slots = std::max(need[i].slots, rings[i].slots);
  }
  return fits || arrange(core, loc, need);
}

void CubeBuffers::run(TsCore &core, int64_t loc, const Product &product, const std::function<void(int64_t)> &written) {
  if (!fit(core, loc, product))
    return;
  for (int64_t i = 0; i < product.count && !core.ended; ++i) {
    tile(core, loc, product, product.first + i, i);
    written(i);
  }
}

void CubeBuffers::dropPanels(TsCore &core, int64_t loc) {
  for (const Panel &panel : panels)
    core.queues.free(core, loc, rings[panel.ring].queue, panel.address);
  panels.clear();
}

void CubeBuffers::end(TsCore &core, int64_t loc) {
  if (!arranged)
    return;
  dropPanels(core, loc);
  for (size_t i = 0; i < numRings; ++i) {
    Region region = regions[unsigned(memoryOfRing[i])];
    core.queues.destroy(core, loc, memoryOfRing[i], region.begin, region.end);
    rings[i] = {};
  }
  arranged = false;
}

bool CubeBuffers::arrange(TsCore &core, int64_t loc, const Need &wanted) {
  Need need = wanted;
  end(core, loc);
  for (size_t i = 0; i < numRings; ++i) {
    Region &region = regions[unsigned(memoryOfRing[i])];
    if (region.end) // of an earlier arrangement
      continue;
    region = {core.queues.givenOut(memoryOfRing[i]), core.platform->capacityOf(memoryOfRing[i])};
    if (region.end > region.begin && need[i].bytes)
      core.queues.makeBuffer(core, loc, int64_t(positionOfRing[i]), region.end - region.begin);
  }
  for (Memory memory : {Memory::L1, Memory::L0A, Memory::L0B, Memory::BT, Memory::L0C}) {
    Region region = regions[unsigned(memory)];
    auto total = [&] {
      int64_t bytes = 0;
      for (size_t i = 0; i < numRings; ++i)
        if (memoryOfRing[i] == memory)
          bytes += need[i].slots * up(need[i].bytes, blockBytes);
      return bytes;
    };
    // Fewer buffers where there is no room for all of them.
    while (total() > region.end - region.begin) {
      Ring *largest = nullptr;
      for (size_t i = 0; i < numRings; ++i)
        if (memoryOfRing[i] == memory && need[i].slots > 1 && (!largest || need[i].bytes > largest->bytes))
          largest = &need[i];
      if (!largest) {
        core.report(uint32_t(loc), FindingKind::QueueCapacity,
                    "a matrix object needs " + std::to_string(total()) + " bytes of " +
                        std::string(isa::stringify(memory)) + " for its tiling, which has " +
                        std::to_string(region.end - region.begin) + " left");
        core.ended = true;
        return false;
      }
      --largest->slots;
    }
    for (size_t i = 0; i < numRings; ++i) {
      if (memoryOfRing[i] != memory || !need[i].bytes)
        continue;
      int64_t position = int64_t(positionOfRing[i]);
      if (i != Scales)
        need[i].queue = core.queues.makeQueue(core, loc, position, position, need[i].slots, need[i].bytes, region.begin,
                                              region.end);
      else
        need[i].queue = Address(memory, region.begin).bits;
      region.begin += need[i].slots * up(need[i].bytes, blockBytes);
    }
  }
  rings = need;
  arranged = !core.ended;
  return arranged;
}

// Rows and columns as the matrix is stored; `high` rows are in a column of L1, `padded` columns in the panel, and what
// the matrix does not have of them is zero.
void CubeBuffers::loadPanel(TsCore &core, int64_t loc, const MatrixPlace &from, int64_t to, int64_t row, int64_t rows,
                            int64_t column, int64_t columns, int64_t padded, int64_t high) {
  int64_t size = bytesOf(from.dtype), width = perBlock(from.dtype);
  if (padded != columns || high != rows) {
    issue<isa::FillL1>(core, loc, DType::I16, DType::I16, Address(to), 1, high * padded * size / blockBytes, 0, 0);
    core.issue(makeCall<isa::PipeBarrier>(uint32_t(loc), Pipe::MTE2));
  }
  if (from.fractals) {
    int64_t at = from.address + (column / width * from.pitch + row) * blockBytes;
    issue<isa::CopyGmToUb>(core, loc, from.dtype, from.dtype, Address(to), Address(at), (columns + width - 1) / width,
                           rows * blockBytes, (from.pitch - rows) * blockBytes, high - rows, 0, 0, 0, 0);
    return;
  }
  constexpr int64_t longestRow = 65535; // of one copy on the 910B
  int64_t at = from.address + (row * from.pitch + column) * size;
  bool far = from.pitch > longestRow && core.platform->arch == Arch::C220;
  int64_t copies = far ? rows : 1;
  for (int64_t i = 0; i < copies; ++i)
    issue<isa::CopyGmToL1Nz>(core, loc, from.dtype, from.dtype, Address(to + i * blockBytes),
                             Address(at + i * from.pitch * size), 1, far ? 1 : rows, columns, 0,
                             far ? columns : from.pitch, high, 1, 0);
}

CubeBuffers::Panel CubeBuffers::panel(TsCore &core, int64_t loc, const Product &product, bool left, int64_t tile,
                                      int64_t chunk) {
  const MatrixPlace &from = left ? product.a : product.b;
  const TsCubeTiling &tiling = product.tiling;
  int64_t steps = std::max<int64_t>(left ? tiling.stepKa : tiling.stepKb, 1) * tiling.baseK;
  int64_t base = left ? tiling.baseM : tiling.baseN, all = left ? product.m : product.n;
  int64_t other = std::min(base, all - tile * base), otherUnit = left ? unitOfM(product) : unitOfN(product);
  int64_t k = std::min(steps, product.k - chunk * steps), unitK = unitOfK(product);
  bool rowsAreK = left == from.turned;
  if (from.inL1()) { // all of it is there
    int64_t alongK = chunk * steps, across = tile * base, width = perBlock(from.dtype);
    int64_t row = rowsAreK ? alongK : across, column = rowsAreK ? across : alongK;
    return {left ? A1 : B1, from.address + (column / width * from.pitch + row) * blockBytes, from.pitch};
  }
  RingName name = left ? A1 : B1;
  Panel wanted{name, 0, up(rowsAreK ? k : other, rowsAreK ? unitK : otherUnit), product.factors, tile, chunk, ++uses};
  int64_t held = 0;
  Panel *oldest = nullptr;
  for (Panel &panel : panels) {
    if (panel.ring != name)
      continue;
    if (panel.factors == wanted.factors && panel.tile == tile && panel.chunk == chunk) {
      panel.used = uses;
      return panel;
    }
    ++held;
    if (!oldest || panel.used < oldest->used)
      oldest = &panel;
  }
  const Ring &ring = rings[name];
  if (held == ring.slots) {
    core.queues.free(core, loc, ring.queue, oldest->address);
    panels.erase(panels.begin() + (oldest - panels.data()));
  }
  wanted.address = core.queues.alloc(core, loc, ring.queue);
  int64_t padded = up(rowsAreK ? other : k, rowsAreK ? otherUnit : unitK);
  loadPanel(core, loc, from, wanted.address, rowsAreK ? chunk * steps : tile * base, rowsAreK ? k : other,
            rowsAreK ? tile * base : chunk * steps, rowsAreK ? other : k, padded, wanted.rows);
  core.queues.push(core, loc, ring.queue, wanted.address, -1, -1);
  core.queues.pop(core, loc, ring.queue, -1, -1);
  panels.push_back(wanted);
  return wanted;
}

// A part of the bias, in the bias table; `padded` columns of it are read.
int64_t CubeBuffers::loadBias(TsCore &core, int64_t loc, const Product &product, int64_t column, int64_t columns,
                              int64_t padded) {
  const MatrixPlace &bias = product.bias;
  int64_t size = bytesOf(bias.dtype), from = core.queues.alloc(core, loc, rings[Bias1].queue);
  padded = up(padded, perBlock(bias.dtype));
  if (padded > up(columns, perBlock(bias.dtype))) {
    issue<isa::FillL1>(core, loc, DType::I16, DType::I16, Address(from), 1, padded * size / blockBytes, 0, 0);
    core.issue(makeCall<isa::PipeBarrier>(uint32_t(loc), Pipe::MTE2));
  }
  issue<isa::CopyGmToUb>(core, loc, bias.dtype, bias.dtype, Address(from), Address(bias.address + column * size), 1,
                         columns * size, 0, 0, 0, 0, 0, 0);
  core.queues.push(core, loc, rings[Bias1].queue, from, -1, -1);
  core.queues.pop(core, loc, rings[Bias1].queue, -1, -1);
  int64_t to = core.queues.alloc(core, loc, rings[Bias2].queue);
  issue<isa::CopyL1ToTable>(core, loc, sumOf(product), bias.dtype, Address(to), Address(from), 1, padded, 0, 0);
  core.queues.free(core, loc, rings[Bias1].queue, from);
  core.queues.push(core, loc, rings[Bias2].queue, to, -1, -1);
  return core.queues.pop(core, loc, rings[Bias2].queue, -1, -1);
}

// A word for each column of a tile, in L1. The tile before has been written out.
void CubeBuffers::loadScales(TsCore &core, int64_t loc, const Product &product, int64_t column, int64_t columns) {
  auto order = [&](Pipe from, Pipe to) {
    int64_t id = core.queues.allocEvent(core, loc, int64_t(from), int64_t(to), /*keep=*/false);
    core.issue(makeCall<isa::SetFlag>(uint32_t(loc), from, to, id));
    core.issue(makeCall<isa::WaitFlag>(uint32_t(loc), from, to, id));
  };
  order(Pipe::FIX, Pipe::MTE2);
  issue<isa::CopyGmToUb>(core, loc, DType::U64, DType::U64, Address(rings[Scales].queue),
                         Address(product.scales + column * 8), 1, columns * 8, 0, 0, 0, 0, 0, 0);
  order(Pipe::MTE2, Pipe::FIX);
}

void CubeBuffers::writeOut(TsCore &core, int64_t loc, const Product &product, int64_t from, int64_t high, int64_t row,
                           int64_t column, int64_t rows, int64_t columns, int64_t ofCall) {
  const MatrixPlace &to = product.c;
  int64_t size = bytesOf(to.dtype), width = columnOf(to.dtype);
  int64_t pitch = !product.sequential ? to.pitch : to.fractals ? up(rows, fractalRows) : product.tiling.baseN;
  int64_t at = to.address;
  if (product.sequential)
    at += ofCall * product.tileBytes();
  else
    at += (to.fractals ? (column / width * pitch + row) * width : row * pitch + column) * size;
  if (product.atomic != isa::AtomicOp::None)
    core.issue(makeCall<isa::SetAtomic>(uint32_t(loc), product.atomic));
  int64_t outPitch = to.fractals ? pitch * width * size / blockBytes : pitch;
  if (product.scales)
    issue<isa::FixpipeVector>(core, loc, to.dtype, sumOf(product), Address(at), Address(from), columns, rows, high,
                              outPitch, product.quant, 0, 0, Address(rings[Scales].queue), 1, 0, 0,
                              int64_t(to.fractals));
  else if (to.fractals || product.scale)
    issue<isa::FixpipeQuant>(core, loc, to.dtype, sumOf(product), Address(at), Address(from), columns, rows, high,
                             outPitch, product.quant, 0, 0, product.scale, 1, 0, 0, int64_t(to.fractals));
  else
    issue<isa::FixpipeToGm>(core, loc, to.dtype, sumOf(product), Address(at), Address(from), columns, rows, high, pitch,
                            product.quant, 0, 0);
  if (product.atomic != isa::AtomicOp::None)
    core.issue(makeCall<isa::SetAtomic>(uint32_t(loc), isa::AtomicOp::None));
}

void CubeBuffers::tile(TsCore &core, int64_t loc, const Product &product, int64_t index, int64_t ofCall) {
  const TsCubeTiling &tiling = product.tiling;
  Queues &queues = core.queues;
  auto [i, j] = product.tileAt(index);
  int64_t row = i * tiling.baseM, column = j * tiling.baseN;
  int64_t m = std::min<int64_t>(tiling.baseM, product.m - row), n = std::min<int64_t>(tiling.baseN, product.n - column);
  int64_t mRun = up(m, unitOfM(product)), nRun = up(n, unitOfN(product));
  bool byColumns = core.platform->arch == Arch::C310;
  DType factor = product.a.dtype, sum = sumOf(product);
  int64_t width = perBlock(factor);
  int64_t stepsOfA = std::max<int64_t>(tiling.stepKa, 1), stepsOfB = std::max<int64_t>(tiling.stepKb, 1);
  // Squares are computed whole; one row would be read as a plain vector.
  int64_t rows = unitOfM(product) != fractalRows ? mRun : m == 1 ? fractalRows : m;
  int64_t columns = unitOfN(product) == fractalRows ? n : nRun;
  int64_t high = up(rows, fractalRows), fractals = rows / fractalRows * (columns / fractalRows); // whole ones
  int64_t c1 = queues.alloc(core, loc, rings[C1].queue);
  for (int64_t step = 0; step * tiling.baseK < product.k && !core.ended; ++step) {
    int64_t k = std::min<int64_t>(tiling.baseK, product.k - step * tiling.baseK), kRun = up(k, unitOfK(product));
    Panel a1 = panel(core, loc, product, true, i, step / stepsOfA);
    Panel b1 = panel(core, loc, product, false, j, step / stepsOfB);
    int64_t inA = step % stepsOfA * tiling.baseK, inB = step % stepsOfB * tiling.baseK;
    int64_t a2 = queues.alloc(core, loc, rings[A2].queue);
    FractalLoads left(
        LoadSink{core, loc, factor, a2, a1.address + (product.a.turned ? inA : inA / width * a1.rows) * blockBytes},
        byColumns);
    FractalShape leftShape{m, width, mRun / fractalRows, kRun / fractalRows, kRun / width};
    if (product.a.turned)
      left.leftTurned(leftShape, kRun / fractalRows, a1.rows / fractalRows);
    else
      left.left(leftShape, a1.rows / fractalRows);
    queues.push(core, loc, rings[A2].queue, a2, -1, -1);
    int64_t b2 = queues.alloc(core, loc, rings[B2].queue);
    FractalLoads right(
        LoadSink{core, loc, factor, b2, b1.address + (product.b.turned ? inB / width * b1.rows : inB) * blockBytes},
        byColumns);
    FractalShape rightShape{kRun, width, kRun / fractalRows, nRun / fractalRows, nRun / width};
    if (product.b.turned)
      right.rightTurned(rightShape, b1.rows / fractalRows);
    else
      right.right(rightShape, b1.rows / fractalRows);
    queues.push(core, loc, rings[B2].queue, b2, -1, -1);
    bool biased = step == 0 && product.bias.address;
    int64_t table = biased ? loadBias(core, loc, product, column, n, columns) : 0;
    queues.pop(core, loc, rings[A2].queue, -1, -1);
    queues.pop(core, loc, rings[B2].queue, -1, -1);
    if (step > 0 && fractals < isa::mmadFollowFractals)
      core.issue(makeCall<isa::PipeBarrier>(uint32_t(loc), Pipe::M));
    if (product.hf32 && biased)
      issue<isa::MmadHf32Bias>(core, loc, sum, factor, Address(c1), Address(a2), Address(b2), rows, columns, kRun, 0, 1,
                               Address(table), 0);
    else if (product.hf32)
      issue<isa::MmadHf32>(core, loc, sum, factor, Address(c1), Address(a2), Address(b2), rows, columns, kRun, 0,
                           int64_t(step == 0), 0);
    else if (biased)
      issue<isa::MmadBias>(core, loc, sum, factor, Address(c1), Address(a2), Address(b2), rows, columns, kRun, 0, 1,
                           Address(table));
    else
      issue<isa::Mmad>(core, loc, sum, factor, Address(c1), Address(a2), Address(b2), rows, columns, kRun, 0,
                       int64_t(step == 0));
    if (biased)
      queues.free(core, loc, rings[Bias2].queue, table);
    queues.free(core, loc, rings[A2].queue, a2);
    queues.free(core, loc, rings[B2].queue, b2);
  }
  queues.push(core, loc, rings[C1].queue, c1, -1, -1);
  queues.pop(core, loc, rings[C1].queue, -1, -1);
  if (product.scales)
    loadScales(core, loc, product, column, n);
  writeOut(core, loc, product, c1, high, row, column, m, n, ofCall);
  queues.free(core, loc, rings[C1].queue, c1);
}

} // namespace tilesmith::machine
