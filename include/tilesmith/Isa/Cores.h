// Kinds of cores: which of them has what, and which cores a block of a kernel has.
//
// The one place that decides on which kind of core something runs. Compiler, Machine and headers ask here.
#ifndef TILESMITH_ISA_CORES_H
#define TILESMITH_ISA_CORES_H

#include "tilesmith/Isa/Chip.h"

namespace tilesmith::isa {

// A set of kinds of cores.
class CoreKinds {
public:
  constexpr CoreKinds() = default;
  constexpr CoreKinds(CoreKind kind) : bits(uint8_t(1u << unsigned(kind))) {}
  static constexpr CoreKinds any() { return CoreKinds(CoreKind::AIC) | CoreKinds(CoreKind::AIV); }

  constexpr bool has(CoreKind kind) const { return bits >> unsigned(kind) & 1; }
  constexpr bool empty() const { return !bits; }
  // Whether it says which kind: one, and not the other.
  constexpr bool decides() const { return bits == 1 || bits == 2; }
  constexpr CoreKinds operator|(CoreKinds other) const { return fromBits(bits | other.bits); }
  constexpr CoreKinds operator&(CoreKinds other) const { return fromBits(bits & other.bits); }
  constexpr CoreKinds &operator|=(CoreKinds other) { return *this = *this | other; }
  constexpr CoreKinds &operator&=(CoreKinds other) { return *this = *this & other; }
  constexpr bool operator==(const CoreKinds &) const = default;

private:
  static constexpr CoreKinds fromBits(unsigned bits) {
    CoreKinds kinds;
    kinds.bits = uint8_t(bits);
    return kinds;
  }
  uint8_t bits = 0;
};

// The cores that have a memory, which no architecture changes, and those that have a pipe.
constexpr CoreKinds coresWith(Memory memory) {
  CoreKinds kinds;
  for (CoreKind kind : {CoreKind::AIC, CoreKind::AIV})
    if (ruleOf(Arch::C220, kind).memories & memoryBit(memory))
      kinds |= kind;
  return kinds;
}
constexpr CoreKinds coresWith(Pipe pipe, Arch arch) {
  if (pipe == Pipe::ALL)
    return CoreKinds::any();
  CoreKinds kinds;
  for (CoreKind kind : {CoreKind::AIC, CoreKind::AIV})
    if (ruleOf(arch, kind).pipes & pipeBit(pipe))
      kinds |= kind;
  return kinds;
}

// The cores an instruction can run on: those with its pipe, and with the memory it reads. What it writes decides only
// where neither does: direct paths of the 950 write into the memory of another core of the block. `memoryOf(i)` is the
// memory buffer operand i lies in.
template <typename MemoryOf> constexpr CoreKinds coresFor(const InstructionInfo &info, Arch arch, MemoryOf memoryOf) {
  CoreKinds kinds = coresWith(info.pipe, arch);
  for (Access access : {Access::Read, Access::Write})
    for (unsigned i = 0; i < info.numOperands && !kinds.decides(); ++i)
      if (info.operands[i].kind == OperandKind::Buffer && (unsigned(info.operands[i].access) & unsigned(access)))
        kinds &= coresWith(memoryOf(i));
  return kinds;
}

// The cores of one block.
struct BlockCores {
  uint8_t aic = 0, aiv = 0;

  constexpr bool operator==(const BlockCores &) const = default;
  constexpr unsigned count() const { return unsigned(aic) + aiv; }
  constexpr bool mixed() const { return aic && aiv; }
  constexpr CoreKinds kinds() const {
    return (aic ? CoreKinds(CoreKind::AIC) : CoreKinds()) | (aiv ? CoreKinds(CoreKind::AIV) : CoreKinds());
  }
};
constexpr BlockCores coresOf(KernelType type) {
  switch (type) {
  case KernelType::AicOnly:
  case KernelType::MixAicHardSync:
  case KernelType::MixAic_1_0:
    return {1, 0};
  case KernelType::MixAic_1_1:
    return {1, 1};
  case KernelType::MixAic_1_2:
    return {1, uint8_t(vectorCoresPerCube)};
  default:
    return {0, 1};
  }
}

// The type of a kernel that does not say it, by the kinds of cores its code needs.
constexpr KernelType kernelTypeFor(CoreKinds needed) {
  return !needed.has(CoreKind::AIC)  ? KernelType::AivOnly
         : needed.has(CoreKind::AIV) ? KernelType::MixAic_1_2
                                     : KernelType::AicOnly;
}

// "cube core (AIC)", for messages.
constexpr std::string_view describe(CoreKind kind) {
  return kind == CoreKind::AIC ? "cube core (AIC)" : "vector core (AIV)";
}

} // namespace tilesmith::isa

#endif // TILESMITH_ISA_CORES_H
