#include "CrossFlags.h"

namespace tilesmith::machine {

std::string LaunchCores::nameOf(size_t core) const {
  if (!block.mixed())
    return {};
  std::string name(isa::stringify(kindOf(core)));
  return kindOf(core) == isa::CoreKind::AIV && block.aiv > 1 ? name + " " + std::to_string(subOf(core)) : name;
}

std::optional<CrossRoute> routeOf(const LaunchCores &cores, size_t core, int64_t mode, int64_t id, std::string &why) {
  const isa::BlockCores &block = cores.block;
  int64_t own = cores.blockOf(core);
  bool onCube = cores.kindOf(core) == isa::CoreKind::AIC;
  unsigned count = block.count();
  CoreBox cube{own, own + 1, 0, block.aic}, vectors{own, own + 1, block.aic, count};
  CrossRoute route;
  int64_t ids = mode == 4 && onCube ? 2 * isa::crossFlagIds : isa::crossFlagIds;
  if (id < 0 || id >= ids) {
    why = "cross-core flag " + std::to_string(id) + " does not exist (0 to " + std::to_string(ids - 1) + ")";
    return std::nullopt;
  }
  if (mode < 0 || mode == 3 || mode > 4) {
    why = "no cross-core flag has mode " + std::to_string(mode) + " (0, 1, 2 or 4)";
    return std::nullopt;
  }
  route.counter = id;
  // Collectors never share a key: mode, kind, block and id are in it.
  route.collector = (((own + 1) * 8 + mode) * 2 + onCube) * 2 * isa::crossFlagIds + id;
  switch (mode) {
  case 0:
    route.members = onCube ? CoreBox{0, cores.blocks, 0, block.aic} : CoreBox{0, cores.blocks, block.aic, count};
    route.receivers = route.members;
    route.collector = onCube * isa::crossFlagIds + id; // of no block
    return route;
  case 1:
    if (onCube || !block.mixed()) {
      why = "a cross-core flag of mode 1 is among the vector cores of a block of a mixed kernel";
      return std::nullopt;
    }
    route.members = route.receivers = vectors;
    return route;
  case 2:
    if (!block.mixed()) {
      why = "a cross-core flag of mode 2 is between the cube core and the vector cores of a block; a block of this "
            "kernel is one core";
      return std::nullopt;
    }
    route.members = onCube ? cube : vectors;
    route.receivers = onCube ? vectors : cube;
    return route;
  default: {
    if (!block.mixed() || block.aiv < 2) {
      why = "a cross-core flag of mode 4 is between the cube core and one of two vector cores of a block";
      return std::nullopt;
    }
    unsigned place = cores.placeOf(core);
    unsigned other = onCube ? unsigned(block.aic + id / isa::secondVectorFlagOffset) : 0;
    route.members = {own, own + 1, place, place + 1};
    route.receivers = {own, own + 1, other, other + 1};
    route.counter = counterOf(4, onCube ? id % isa::secondVectorFlagOffset
                                        : id + isa::secondVectorFlagOffset * int64_t(cores.subOf(core)));
    if (!onCube) // each vector core by itself
      route.collector += isa::crossFlagIds * int64_t(cores.subOf(core));
    return route;
  }
  }
}

} // namespace tilesmith::machine
