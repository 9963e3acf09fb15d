// Is a result as good as its dtype allows? The accuracy gate, on raw bytes.
//
// In this order, and the first that fails decides: NaN at the same places; infinities at the same places, then of the
// same sign; golden booleans equal; then, on places finite on both sides, with the candidate converted to the golden
// dtype and both as float32,
//
//     rel = |a - g| / max(|g|, t)      MERE = mean(rel) < t      MARE = max(rel) < 10 t      (t by golden dtype)
//
// Shapes are the caller's to compare. The parts of complex numbers count as elements.
//
// What always holds
//  - rel is computed in float32, as specified, and added up in double, in an order that depends on the number of
//  elements alone:
//    neither threads nor the host's vector width change a bit of the result
//  - values float32 cannot hold (large float64) are compared in double instead of being equal infinities
//  - memory is bounded whatever the size: files are mapped a window at a time
#ifndef TILESMITH_VERIFY_COMPARE_H
#define TILESMITH_VERIFY_COMPARE_H

#include "tilesmith/Verify/Elements.h"
#include <vector>

namespace tilesmith::verify {

// Contiguous elements: in memory (`data`), in a file (`fd`, first byte at `offset`), or one value repeated (neither).
struct Elements {
  DType dtype;
  const uint8_t *data = nullptr;
  int fd = -1;
  int64_t offset = 0;
  double constant = 0;

  bool isConstant() const { return !data && fd < 0; }
};

enum class Failure : uint8_t { None, NaNPlaces, InfPlaces, InfSigns, Bool, Numeric };

struct Comparison {
  Failure failure = Failure::None;
  double threshold = 0;
  int64_t count = 0;                                  // elements; parts of complex ones
  int64_t finite = 0;                                 // finite on both sides
  int64_t nanPlaces = 0, infPlaces = 0, infSigns = 0; // places that differ
  int64_t unequal = 0;                                // elements of integers and booleans that are not the same number
  double mere = 0, mare = 0;
  int64_t firstAt = -1; // first place of the failure; of MARE, the first with the largest rel; of unequal integers
  double candidateThere = 0, goldenThere = 0;
  bool readFailed = false; // a file could not be mapped; nothing else holds

  bool passed() const { return failure == Failure::None; }
};

struct Options {
  double threshold = 0; // 0: by golden dtype
  unsigned threads = 0; // 0: all
};

Comparison compare(const Elements &candidate, const Elements &golden, int64_t count, const Options &options = {});

// Mean of the finite golden values in double, rounded to their dtype; 0 if there are none.
double finiteMean(const Elements &golden, int64_t count, const Options &options = {});

// rel at the given shares (0.5, 0.99 ...) of the finite places, from at most 2^20 places at equal distances.
std::vector<double> relQuantiles(const Elements &candidate, const Elements &golden, int64_t count,
                                 const std::vector<double> &shares, const Options &options = {});

} // namespace tilesmith::verify

#endif // TILESMITH_VERIFY_COMPARE_H
