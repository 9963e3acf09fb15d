#include "tilesmith/Machine/Platform.h"

namespace tilesmith::machine {

namespace {

// The files are read three times: as functions that fill a Platform, as tables of facts, and as the list of parts.
constexpr int32_t hundredths(double value) { return int32_t(value * 100 + 0.5); }

#define PLATFORM(identifier, text, architecture)                                                                       \
  constexpr Platform make_##identifier() {                                                                             \
    Platform p;                                                                                                        \
    p.name = text;                                                                                                     \
    p.arch = isa::Arch::architecture;
#define DERIVED(identifier, text, base)                                                                                \
  constexpr Platform make_##identifier() {                                                                             \
    Platform p = make_##base();                                                                                        \
    p.name = text;
#define NUMBER(field, value, source) p.field = value;
#define CAPACITY(memory, bytes, source) p.capacity[unsigned(isa::Memory::memory)] = bytes;
#define PATH(field, latency, bytesPerCycle, source) p.field = {latency, hundredths(bytesPerCycle)};
#define VECTOR(cost, fixed, f32, f16, source)                                                                          \
  p.vector[unsigned(isa::CostClass::cost)] = {fixed, hundredths(f32), hundredths(f16)};
#define VF(cost, cycles, source) p.vfCost[unsigned(isa::CostClass::cost)] = hundredths(cycles);
#define END                                                                                                            \
  return p;                                                                                                            \
  }
#include "platforms/All.def"
#undef PLATFORM
#undef DERIVED
#undef NUMBER
#undef CAPACITY
#undef PATH
#undef VECTOR
#undef VF
#undef END

// The last line of each table is empty: a part may have no line of its own.
#define PLATFORM(identifier, text, architecture) constexpr PlatformFact facts_##identifier[] = {
#define DERIVED(identifier, text, base) constexpr PlatformFact facts_##identifier[] = {
#define NUMBER(field, value, source) {#field, #value, source},
#define CAPACITY(memory, bytes, source) {"capacity." #memory, #bytes, source},
#define PATH(field, latency, bytesPerCycle, source) {#field, #latency " + bytes / " #bytesPerCycle, source},
#define VECTOR(cost, fixed, f32, f16, source) {"vector." #cost, #fixed " + " #f32 " or " #f16 " per repeat", source},
#define VF(cost, cycles, source) {"vf." #cost, #cycles, source},
#define END                                                                                                            \
  {                                                                                                                    \
  }                                                                                                                    \
  }                                                                                                                    \
  ;
#include "platforms/All.def"
#undef PLATFORM
#undef DERIVED
#undef NUMBER
#undef CAPACITY
#undef PATH
#undef VECTOR
#undef VF
#undef END

struct Part {
  std::string_view name, base;
  std::span<const PlatformFact> facts;
};

#define NUMBER(...)
#define CAPACITY(...)
#define PATH(...)
#define VECTOR(...)
#define VF(...)
#define END
#define PLATFORM(identifier, text, architecture) make_##identifier(),
#define DERIVED(identifier, text, base) make_##identifier(),
constexpr Platform platforms[] = {
#include "platforms/All.def"
};
#undef PLATFORM
#undef DERIVED
#define PLATFORM(identifier, text, architecture) {text, "", {facts_##identifier, std::size(facts_##identifier) - 1}},
#define DERIVED(identifier, text, base) {text, #base, {facts_##identifier, std::size(facts_##identifier) - 1}},
constexpr Part parts[] = {
#include "platforms/All.def"
};

} // namespace

std::span<const Platform> allPlatforms() { return platforms; }

const Platform *findPlatform(std::string_view name) {
  for (const Platform &platform : platforms)
    if (platform.name == name)
      return &platform;
  return nullptr;
}

std::span<const PlatformFact> factsOf(const Platform &platform) {
  for (const Part &part : parts)
    if (part.name == platform.name)
      return part.facts;
  return {};
}

const Platform *baseOf(const Platform &platform) {
  for (const Part &part : parts)
    if (part.name == platform.name && !part.base.empty())
      return findPlatform(part.base);
  return nullptr;
}

} // namespace tilesmith::machine
