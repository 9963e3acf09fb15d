// The gate over chunks. A chunk is a fixed number of places, judged by one thread with the vector kernels where both
// sides have one dtype, and place by place otherwise; both add up in the same lanes, so the way does not show in the
// result.
#include "tilesmith/Verify/Compare.h"
#include "Chunks.h"
#include "Kernels.h"
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace tilesmith::verify {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// What one chunk, or all of them, came to.
struct Tally {
  double sum = 0, max = 0;
  int64_t finite = 0, nanPlaces = 0, infPlaces = 0, infSigns = 0, boolPlaces = 0, unequal = 0;

  void add(const Tally &next) {
    sum += next.sum;
    max = std::max(max, next.max);
    finite += next.finite;
    nanPlaces += next.nanPlaces;
    infPlaces += next.infPlaces;
    infSigns += next.infSigns;
    boolPlaces += next.boolPlaces;
    unequal += next.unequal;
  }
  void add(const Lanes &lanes) {
    double tree[kLanes];
    std::memcpy(tree, lanes.sum, sizeof(tree));
    for (int width = kLanes / 2; width; width /= 2)
      for (int i = 0; i < width; ++i)
        tree[i] += tree[i + width];
    sum = tree[0];
    max = std::max<double>(max, *std::max_element(lanes.max, lanes.max + kLanes));
    finite = lanes.finite;
    nanPlaces = lanes.nanPlaces;
    infPlaces = lanes.infPlaces;
    infSigns = lanes.infSigns;
  }
};

// One place of both sides, judged the plain way.
struct Place {
  double candidate = 0, golden = 0; // as they are
  bool nanDiffers = false, infDiffers = false, signDiffers = false, boolDiffers = false, unequal = false,
       finite = false;
  double rel = 0;
};

class Judge {
public:
  Judge(const Elements &candidate, const Elements &golden, int64_t count, const Options &options)
      : candidate(candidate), golden(golden), parts(kindOf(golden.dtype) == Kind::Complex ? 2 : 1),
        places(count * parts), threshold(options.threshold ? options.threshold : thresholdOf(golden.dtype)),
        kernels(hostKernels()) {
    const Kind a = kindOf(candidate.dtype), g = kindOf(golden.dtype);
    exact = !candidate.isConstant() && (g == Kind::Integer || g == Kind::Bool);
    sameDtype = candidate.isConstant() || candidate.dtype == golden.dtype;
    bothIntegers = exact && (a == Kind::Integer || a == Kind::Bool);
  }

  // a and g point to the element of the place.
  Place place(const uint8_t *a, const uint8_t *g, int part) const {
    Place at;
    at.golden = asDouble(golden.dtype, g, part);
    bool candidateHasPart = kindOf(candidate.dtype) == Kind::Complex || part == 0;
    at.candidate = candidate.isConstant() ? (part ? 0 : candidate.constant)
                   : candidateHasPart     ? asDouble(candidate.dtype, a, part)
                                          : 0;
    at.nanDiffers = std::isnan(at.candidate) != std::isnan(at.golden);
    at.infDiffers = std::isinf(at.candidate) != std::isinf(at.golden);
    at.signDiffers =
        std::isinf(at.candidate) && std::isinf(at.golden) && std::signbit(at.candidate) != std::signbit(at.golden);
    at.finite = std::isfinite(at.candidate) && std::isfinite(at.golden);
    if (exact)
      at.unequal = bothIntegers ? asInteger(candidate.dtype, a) != asInteger(golden.dtype, g)
                                : !equalsInteger(at.candidate, asInteger(golden.dtype, g));
    at.boolDiffers = golden.dtype == DType::Bool && (exact ? at.unequal : at.candidate != at.golden);
    if (at.finite)
      at.rel = relOf(at, a, g, part);
    return at;
  }

  const Elements &candidate, &golden;
  const int parts;
  const int64_t places;
  const double threshold;
  const Kernels &kernels;
  bool exact, sameDtype, bothIntegers;

private:
  static bool equalsInteger(double value, __int128 golden) {
    return std::isfinite(value) && value == std::trunc(value) && std::fabs(value) < 0x1p100 &&
           __int128(value) == golden;
  }

  template <typename T> static double relOf(T a, T g, T threshold) {
    T rel = std::fabs(a - g) / std::max(std::fabs(g), threshold);
    return std::isnan(rel) ? kInfinity : rel; // converting took it out of the range
  }
  double relOf(const Place &at, const uint8_t *a, const uint8_t *g, int part) const {
    double converted = at.candidate;
    float narrowA, narrowG = asFloat(golden.dtype, g, part);
    if (!candidate.isConstant() && sameDtype) {
      narrowA = asFloat(candidate.dtype, a, part);
    } else {
      converted = roundedTo(golden.dtype, at.candidate);
      narrowA = float(converted);
    }
    if ((std::isinf(narrowA) && std::isfinite(converted)) || std::isinf(narrowG))
      return relOf(converted, at.golden, threshold);
    return relOf(narrowA, narrowG, float(threshold));
  }
};

// Rows of a chunk, one block at a time.
class ChunkRun {
public:
  ChunkRun(const Judge &judge, const uint8_t *candidate, const uint8_t *golden, int64_t places)
      : judge(judge), candidate(candidate), golden(golden), places(places) {}

  Tally run() {
    Tally tally;
    bool vectors = judge.sameDtype && judge.golden.dtype != DType::Bool;
    if (vectors && judge.candidate.isConstant())
      std::fill(a, a + kBlock, float(judge.candidate.constant));
    for (int64_t begin = 0; begin < places; begin += kBlock) {
      int64_t count = std::min(kBlock, places - begin);
      if (!vectors || !vectorBlock(begin, count))
        plainBlock(begin, count, tally);
    }
    tally.add(lanes);
    if (vectors && judge.exact)
      tally.unequal = judge.kernels.unequal(candidate, golden, places, sizeOf(judge.golden.dtype));
    return tally;
  }

private:
  bool vectorBlock(int64_t begin, int64_t count) {
    // Parts of complex numbers lie as elements of half the size do.
    int64_t size = sizeOf(judge.golden.dtype) / judge.parts;
    if (judge.candidate.isConstant()) {
      if (judge.parts == 2 || std::isinf(a[0]))
        return false;
    } else if (!judge.kernels.widen(judge.candidate.dtype, candidate + begin * size, count, a)) {
      return false;
    }
    if (!judge.kernels.widen(judge.golden.dtype, golden + begin * size, count, g))
      return false;
    judge.kernels.block(a, g, count, float(judge.threshold), lanes);
    return true;
  }

  void plainBlock(int64_t begin, int64_t count, Tally &tally) {
    int64_t sizeA = sizeOf(judge.candidate.dtype), sizeG = sizeOf(judge.golden.dtype);
    for (int64_t i = 0; i < count; ++i) {
      int64_t element = (begin + i) / judge.parts;
      Place at = judge.place(candidate + element * sizeA, golden + element * sizeG, int((begin + i) % judge.parts));
      lanes.nanPlaces += at.nanDiffers;
      lanes.infPlaces += at.infDiffers;
      lanes.infSigns += at.signDiffers;
      lanes.finite += at.finite;
      tally.boolPlaces += at.boolDiffers;
      tally.unequal +=
          at.unequal && !(judge.sameDtype && judge.golden.dtype != DType::Bool); // those are counted at the end
      lanes.sum[i % kLanes] += at.rel;
      tally.max = std::max(tally.max, at.rel); // past float32's range where that is the point
    }
  }

  const Judge &judge;
  const uint8_t *candidate, *golden;
  const int64_t places;
  Lanes lanes;
  alignas(64) float a[kBlock], g[kBlock];
};

int64_t Tally::*countOf(Failure failure) {
  switch (failure) {
  case Failure::NaNPlaces:
    return &Tally::nanPlaces;
  case Failure::InfPlaces:
    return &Tally::infPlaces;
  case Failure::InfSigns:
    return &Tally::infSigns;
  case Failure::Bool:
    return &Tally::boolPlaces;
  default:
    return &Tally::unequal;
  }
}

bool Place::*factOf(Failure failure) {
  switch (failure) {
  case Failure::NaNPlaces:
    return &Place::nanDiffers;
  case Failure::InfPlaces:
    return &Place::infDiffers;
  case Failure::InfSigns:
    return &Place::signDiffers;
  case Failure::Bool:
    return &Place::boolDiffers;
  default:
    return &Place::unequal;
  }
}

// The first place of what the comparison came to. Only one chunk is read again.
void locate(const Judge &judge, const Side &candidate, const Side &golden, const std::vector<Tally> &tallies,
            Comparison &result) {
  bool byRel = result.failure == Failure::Numeric;
  for (size_t chunk = 0; chunk < tallies.size(); ++chunk) {
    if (byRel ? tallies[chunk].max != result.mare : tallies[chunk].*countOf(result.failure) == 0)
      continue;
    ChunkBytes bytes(candidate, golden, judge.places, judge.parts, int64_t(chunk));
    int64_t sizeA = sizeOf(judge.candidate.dtype), sizeG = sizeOf(judge.golden.dtype);
    for (int64_t i = 0; i < bytes.places; ++i) {
      int64_t element = i / judge.parts;
      Place at = judge.place(bytes.candidate + element * sizeA, bytes.golden + element * sizeG, int(i % judge.parts));
      if (byRel ? at.finite && at.rel == result.mare : at.*factOf(result.failure)) {
        result.firstAt = (int64_t(chunk) * kChunk + i) / judge.parts;
        result.candidateThere = at.candidate;
        result.goldenThere = at.golden;
        return;
      }
    }
  }
}

} // namespace

Comparison compare(const Elements &candidate, const Elements &golden, int64_t count, const Options &options) {
  Judge judge(candidate, golden, count, options);
  Comparison result;
  result.threshold = judge.threshold;
  result.count = judge.places;
  Side candidateSide(candidate, count), goldenSide(golden, count);
  result.readFailed = candidateSide.failed || goldenSide.failed;
  if (result.readFailed)
    return result;
  std::vector<Tally> tallies(size_t(chunkCount(judge.places)));
  forEachChunk(int64_t(tallies.size()), options.threads, [&](int64_t chunk) {
    ChunkBytes bytes(candidateSide, goldenSide, judge.places, judge.parts, chunk);
    tallies[size_t(chunk)] = ChunkRun(judge, bytes.candidate, bytes.golden, bytes.places).run();
  });
  Tally total;
  for (const Tally &tally : tallies)
    total.add(tally);
  result.finite = total.finite;
  result.nanPlaces = total.nanPlaces;
  result.infPlaces = total.infPlaces;
  result.infSigns = total.infSigns;
  result.unequal = total.unequal;
  bool numeric = golden.dtype != DType::Bool && total.finite > 0;
  result.mere = numeric ? total.sum / double(total.finite) : 0;
  result.mare = numeric ? total.max : 0;
  if (total.nanPlaces)
    result.failure = Failure::NaNPlaces;
  else if (total.infPlaces)
    result.failure = Failure::InfPlaces;
  else if (total.infSigns)
    result.failure = Failure::InfSigns;
  else if (total.boolPlaces)
    result.failure = Failure::Bool;
  else if (numeric && !(result.mere < judge.threshold && result.mare < 10 * judge.threshold))
    result.failure = Failure::Numeric;
  if (result.failure != Failure::None || result.unequal)
    locate(judge, candidateSide, goldenSide, tallies, result);
  return result;
}

double finiteMean(const Elements &golden, int64_t count, const Options &options) {
  struct Sum {
    double sum = 0;
    int64_t finite = 0;
  };
  const int parts = kindOf(golden.dtype) == Kind::Complex ? 2 : 1;
  std::vector<Sum> sums(size_t(chunkCount(count * parts)));
  const Kernels &kernels = hostKernels();
  Side none(Elements{golden.dtype}, count), side(golden, count);
  if (side.failed)
    return 0;
  forEachChunk(int64_t(sums.size()), options.threads, [&](int64_t chunk) {
    ChunkBytes bytes(none, side, count * parts, parts, chunk);
    Sum &sum = sums[size_t(chunk)];
    alignas(64) float block[kBlock];
    const int64_t size = sizeOf(golden.dtype) / parts;
    for (int64_t begin = 0; begin < bytes.places; begin += kBlock) {
      int64_t n = std::min(kBlock, bytes.places - begin);
      kernels.widen(golden.dtype, bytes.golden + begin * size, n, block);
      for (int64_t i = 0; i < n; ++i)
        if (std::isfinite(block[i])) {
          sum.sum += block[i];
          ++sum.finite;
        }
    }
  });
  Sum total;
  for (const Sum &sum : sums) {
    total.sum += sum.sum;
    total.finite += sum.finite;
  }
  return total.finite ? roundedTo(golden.dtype, total.sum / double(total.finite)) : 0;
}

std::vector<double> relQuantiles(const Elements &candidate, const Elements &golden, int64_t count,
                                 const std::vector<double> &shares, const Options &options) {
  Judge judge(candidate, golden, count, options);
  const int64_t step = std::max<int64_t>(1, (judge.places + (1 << 20) - 1) >> 20);
  Side candidateSide(candidate, count), goldenSide(golden, count);
  if (candidateSide.failed || goldenSide.failed)
    return {};
  std::vector<std::vector<double>> found(size_t(chunkCount(judge.places)));
  forEachChunk(int64_t(found.size()), options.threads, [&](int64_t chunk) {
    ChunkBytes bytes(candidateSide, goldenSide, judge.places, judge.parts, chunk);
    int64_t sizeA = sizeOf(candidate.dtype), sizeG = sizeOf(golden.dtype);
    for (int64_t i = (step - chunk * kChunk % step) % step; i < bytes.places; i += step) {
      Place at = judge.place(bytes.candidate + i / judge.parts * sizeA, bytes.golden + i / judge.parts * sizeG,
                             int(i % judge.parts));
      if (at.finite)
        found[size_t(chunk)].push_back(at.rel);
    }
  });
  std::vector<double> all, result;
  for (std::vector<double> &part : found)
    all.insert(all.end(), part.begin(), part.end());
  std::sort(all.begin(), all.end());
  for (double share : shares)
    result.push_back(all.empty() ? 0
                                 : all[std::min(all.size() - 1, size_t(std::max(0.0, share) * double(all.size())))]);
  return result;
}

} // namespace tilesmith::verify
