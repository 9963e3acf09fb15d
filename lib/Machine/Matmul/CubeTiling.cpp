// How products of matrices are cut (Machine/CubeTiling.h).
//
// Parts of cores: of all ways to share the result in a grid the one whose largest part is smallest; of equal ones the
// one whose tiles load least. Tiles: 128 x 256 where that fits, the shape that loads fewest bytes for a full L0C, then
// as much of k as two buffers of L0A and L0B hold. Panels: as many steps as fit twice into L1, four at most.
#include "tilesmith/Machine/CubeTiling.h"
#include <algorithm>
#include <optional>
#include <tuple>

namespace {

constexpr int32_t failed = -1;
constexpr int64_t rows = 16, blockBits = 32 * 8; // of a fractal
constexpr int64_t usualM = 128, usualN = 256;    // of a tile

int64_t up(int64_t value, int64_t unit) { return (value + unit - 1) / unit * unit; }
int64_t ceil(int64_t a, int64_t b) { return (a + b - 1) / b; }
int64_t orElse(int64_t value, int64_t other) { return value > 0 ? value : other; }

struct Sizes {
  int64_t m, n, k;
};

// What is computed; of a problem without a shape, the whole matrices.
Sizes sizesOf(const TsCubeProblem &problem) {
  if (problem.m > 0)
    return {problem.m, problem.n, problem.k};
  return {problem.orgM, problem.orgN, problem.orgKa};
}

struct Parts {
  int64_t cores, m, n, k;
};

int64_t partOf(int64_t size, int64_t parts, int64_t unit, int64_t fixed, int64_t most, int64_t least) {
  if (fixed > 0)
    return fixed;
  int64_t part = std::min(up(ceil(size, parts), unit), size);
  if (most > 0)
    part = std::min(part, most);
  return least > 0 ? std::min(std::max(part, least), size) : part;
}

Parts partsOf(const TsCubeProblem &problem) {
  Sizes size = sizesOf(problem);
  int64_t cores = std::max<int64_t>(problem.cores, 1);
  int64_t unitM = std::max<int64_t>(problem.alignM, rows), unitN = std::max<int64_t>(problem.alignN, rows);
  std::optional<std::tuple<bool, int64_t, int64_t>> least;
  Parts best = {1, size.m, size.n, size.k};
  if (size.m <= 0 || size.n <= 0)
    return best;
  for (int64_t parts = 1; parts <= cores; ++parts) {
    int64_t m = partOf(size.m, parts, unitM, problem.singleM, problem.maxSingleM, problem.minSingleM);
    int64_t alongM = ceil(size.m, m), rest = std::max<int64_t>(cores / alongM, 1);
    int64_t n = partOf(size.n, rest, unitN, problem.singleN, problem.maxSingleN, problem.minSingleN);
    int64_t used = alongM * ceil(size.n, n);
    int64_t loads = m * ceil(n, orElse(problem.fixN, usualN)) + n * ceil(m, orElse(problem.fixM, usualM));
    std::tuple cost(used > cores, m * n, loads);
    if (!least || cost < *least) {
      least = cost;
      best = {used, m, n, size.k};
    }
  }
  best.k = orElse(problem.singleK, size.k);
  // Cores that have nothing to do take a part of the sum, where it may be cut.
  int64_t left = cores / best.cores;
  if (problem.splitsK && problem.singleK <= 0 && left > 1) {
    int64_t unit = std::max<int64_t>(problem.alignK, blockBits / std::max<int64_t>(problem.bitsA, problem.bitsB));
    best.k = partOf(size.k, left, unit, -1, problem.maxSingleK, problem.minSingleK);
    best.cores *= ceil(size.k, best.k);
  }
  return best;
}

// A tile's size: the fixed one, or the wanted one between its limits and inside what there is.
int64_t limited(int64_t size, int64_t wanted, int64_t unit, int64_t fixed, int64_t most, int64_t least) {
  if (fixed > 0)
    return up(fixed, unit);
  int64_t found = std::min(wanted, up(size, unit));
  if (most > 0)
    found = std::min(found, std::max(most / unit * unit, unit));
  return least > 0 ? std::max(found, up(least, unit)) : found;
}

struct Tile {
  int64_t m, n, k;
};

std::optional<Tile> tileOf(const TsCubeProblem &problem, const Parts &part) {
  int64_t bits = std::max<int64_t>(problem.bitsA, problem.bitsB), unit = blockBits / bits;
  int64_t m = limited(part.m, usualM, rows, problem.fixM, problem.maxM, problem.minM);
  int64_t n = limited(part.n, usualN, rows, problem.fixN, problem.maxN, problem.minN);
  if (problem.hasBias && problem.fixN <= 0) // a row of it lies in the bias table
    n = std::min(n, std::max(problem.bt / 4 / rows * rows, rows));
  while (m * n * 4 > problem.l0c)
    if (n >= m && n > rows && problem.fixN <= 0)
      n -= rows;
    else if (m > rows && problem.fixM <= 0)
      m -= rows;
    else
      return std::nullopt;
  int64_t buffers = problem.doubleA && problem.doubleB ? 2 : 1;
  auto mostOfK = [&](int64_t across, int64_t bytes) { return bytes * 8 / (buffers * across * bits) / unit * unit; };
  int64_t room = std::min(mostOfK(m, problem.l0a), mostOfK(n, problem.l0b));
  int64_t k = limited(part.k, std::max(room, unit), unit, problem.fixK, problem.maxK, problem.minK);
  if (problem.fixK <= 0)
    k = std::min(k, room);
  // With a fixed step one buffer may have to do.
  bool fits = m * k * bits / 8 <= problem.l0a && n * k * bits / 8 <= problem.l0b;
  return k >= unit && fits ? std::optional(Tile{m, n, k}) : std::nullopt;
}

} // namespace

extern "C" void tilesmith_cube_problem(TsCubeProblem *problem) {
#define TILESMITH_CUBE_PROBLEM(NAME, VALUE) problem->NAME = VALUE;
#include "tilesmith/Machine/CubeTiling.def"
}

extern "C" void tilesmith_cube_parts(const TsCubeProblem *problem, int32_t result[4]) {
  Parts parts = partsOf(*problem);
  for (auto [i, value] :
       {std::pair(0, parts.cores), std::pair(1, parts.m), std::pair(2, parts.n), std::pair(3, parts.k)})
    result[i] = int32_t(value);
}

extern "C" int64_t tilesmith_cube_tiling(const TsCubeProblem *given, TsCubeTiling *result) {
  const TsCubeProblem &problem = *given;
  Sizes size = sizesOf(problem);
  if (size.m <= 0 || size.n <= 0 || size.k <= 0)
    return failed;
  Parts part = partsOf(problem);
  std::optional<Tile> base = tileOf(problem, part);
  if (!base)
    return failed;
  int64_t l1 = problem.l1 - (problem.hasBias ? base->n * 4 : 0);
  int64_t tileA = base->m * base->k * problem.bitsA / 8, tileB = base->n * base->k * problem.bitsB / 8;
  if (tileA + tileB > l1)
    return failed;
  bool doubles = problem.doubleA && problem.doubleB;
  int64_t buffers = doubles && 2 * (tileA + tileB) <= l1 ? 2 : 1;
  int64_t steps = ceil(part.k, base->k);
  int64_t step = std::max<int64_t>(std::min<int64_t>({l1 / (buffers * (tileA + tileB)), steps, 4}), 1);
  int64_t results = problem.doubleC && 2 * base->m * base->n * 4 <= problem.l0c ? 2 : 1;
  auto twice = [&](int64_t bytes, int64_t memory) { return doubles && 2 * bytes <= memory ? 2 : 1; };
  TsCubeTiling tiling = {};
  tiling.usedCoreNum = int32_t(part.cores);
  tiling.M = int32_t(orElse(problem.orgM, size.m));
  tiling.N = int32_t(orElse(problem.orgN, size.n));
  tiling.Ka = int32_t(orElse(problem.orgKa, size.k));
  tiling.Kb = int32_t(orElse(problem.orgKb, size.k));
  tiling.singleCoreM = int32_t(part.m);
  tiling.singleCoreN = int32_t(part.n);
  tiling.singleCoreK = int32_t(part.k);
  tiling.baseM = int32_t(base->m);
  tiling.baseN = int32_t(base->n);
  tiling.baseK = int32_t(base->k);
  tiling.depthA1 = tiling.depthB1 = int32_t(step * buffers);
  tiling.stepM = tiling.stepN = 1;
  tiling.stepKa = tiling.stepKb = int32_t(step);
  tiling.isBias = problem.hasBias != 0;
  tiling.transLength = int32_t(std::max({base->m * base->n * 4, tileA, tileB}));
  tiling.iterateOrder = problem.firstN != 0;
  tiling.shareL1Size = int32_t(buffers * step * (tileA + tileB));
  tiling.shareL0CSize = int32_t(results * base->m * base->n * 4);
  tiling.batchM = tiling.singleBatchM = std::max(problem.batchA, 1);
  tiling.batchN = tiling.singleBatchN = std::max(problem.batchB, 1);
  tiling.dbL0A = twice(tileA, problem.l0a);
  tiling.dbL0B = twice(tileB, problem.l0b);
  tiling.dbL0C = int32_t(results);
  tiling.BatchNum = problem.batchNum;
  std::copy_n(&problem.layoutAB, 15, &tiling.ALayoutInfoB);
  *result = tiling;
  return 0;
}
