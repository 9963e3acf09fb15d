// asc2.range: a loop that runs on the chip, with what it promises about its iterations.
#include "Tiles.h"

namespace tilesmith::frontend::asc2 {

static Value range(Tiles &t, const Arguments &args) {
  Value range = makeRange(t.l, args, false);
  if (!range)
    return {};
  int64_t unrollFactor = 1;
  if (args[0]) {
    std::optional<int64_t> factor = t.l.expect.integer(args[0], "unroll_factor");
    if (!factor)
      return {};
    if (*factor < 1)
      return t.fail(args[0].range, "ValueError", "unroll_factor must be at least 1, not " + llvm::Twine(*factor));
    // Unrolling never changes results; beyond this it only takes the compiler's time.
    static constexpr int64_t largest = 64;
    unrollFactor = std::min(*factor, largest);
  }
  std::optional<bool> parallel = t.l.expect.boolean(args[1], false, "parallel");
  if (!parallel)
    return {};
  auto &attributes = range.range().attributes;
  if (unrollFactor != 1)
    attributes.push_back(
        t.builder().getNamedAttr(tile::unrollFactorAttrName, t.builder().getI64IntegerAttr(unrollFactor)));
  if (*parallel)
    attributes.push_back(t.builder().getNamedAttr(tile::parallelAttrName, t.builder().getUnitAttr()));
  return range;
}

llvm::ArrayRef<Builtin::Row> rangeBuiltins() {
  static constexpr Builtin::Row rows[] = {
      {"asc2.range", on<range>},
      {"range", on<range>},
  };
  return rows;
}

} // namespace tilesmith::frontend::asc2
