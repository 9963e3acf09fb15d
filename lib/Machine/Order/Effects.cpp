#include "tilesmith/Machine/Effects.h"
#include "Footprint.h"
#include <algorithm>

namespace tilesmith::machine {

// Turns a region into as few effects as it takes: strides made positive, touching runs merged, levels that continue
// each other joined; the longest remaining level becomes the effect's own, the others are enumerated.
static void appendEffects(const Region &region, std::vector<Effect> &effects) {
  Effect effect{region.access, region.operand, region.memory, region.start, region.length, 0, 1};
  Extent extent = extentOf(region);
  if (extent.begin <= -beyondMemory || extent.end >= beyondMemory) {
    effect.length = beyondMemory; // refused by any bounds check
    effects.push_back(effect);
    return;
  }

  Level levels[3];
  unsigned num = region.numLevels;
  std::copy_n(region.levels, num, levels);
  for (unsigned i = 0; i < num; ++i)
    levels[i].stride = std::abs(levels[i].stride);
  effect.start = extent.begin;
  std::sort(levels, levels + num, [](const Level &a, const Level &b) { return a.stride < b.stride; });

  unsigned kept = 0;
  for (unsigned i = 0; i < num; ++i) {
    const Level level = levels[i];
    if (kept == 0 && level.stride <= effect.length)
      effect.length += level.stride * (level.count - 1);
    else if (kept > 0 && level.stride == levels[kept - 1].stride * levels[kept - 1].count)
      levels[kept - 1].count *= level.count;
    else
      levels[kept++] = level;
  }
  std::sort(levels, levels + kept, [](const Level &a, const Level &b) { return a.count > b.count; });
  if (kept > 0) {
    effect.count = levels[0].count;
    effect.stride = levels[0].stride;
  }
  int64_t middle = kept > 1 ? levels[1].count : 1, outer = kept > 2 ? levels[2].count : 1;
  for (int64_t o = 0; o < outer; ++o)
    for (int64_t m = 0; m < middle; ++m) {
      Effect placed = effect;
      placed.start += (kept > 1 ? m * levels[1].stride : 0) + (kept > 2 ? o * levels[2].stride : 0);
      effects.push_back(placed);
    }
}

void effectsOf(const Instr &instr, Arch arch, std::vector<Effect> &effects) {
  Regions regions;
  regionsOf(instr, arch, regions);
  for (const Region &region : regions)
    appendEffects(region, effects);
}

} // namespace tilesmith::machine
