#include "tilesmith/Runtime/SourceText.h"

namespace tilesmith::runtime {

std::string renderFinding(const machine::Finding &finding, const host::Metadata &metadata) {
  return machine::renderFinding(finding, metadata.kernel, [&](uint32_t loc) {
    constexpr size_t deepest = 9;
    std::vector<Place> places;
    for (; loc < metadata.locations.size() && places.size() < deepest; loc = metadata.locations[loc].caller) {
      const host::SourceLocation &location = metadata.locations[loc];
      places.push_back({location.file, location.line, location.column, 0});
      if (!location.caller)
        break;
    }
    return places;
  });
}

} // namespace tilesmith::runtime
