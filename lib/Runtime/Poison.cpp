#include "tilesmith/Runtime/Poison.h"
#include "tilesmith/Machine/Effects.h"
#include <algorithm>
#include <array>
#include <cctype>
#include <mutex>

namespace tilesmith::runtime {
namespace {

using machine::GlobalRange;

constexpr size_t tableDigits = 512;

uint64_t mixed(uint64_t value) { // the finaliser of splitmix64
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9;
  value = (value ^ (value >> 27)) * 0x94d049bb133111eb;
  return value ^ (value >> 31);
}

unsigned digit(char c) { return unsigned(c <= '9' ? c - '0' : std::tolower(c) - 'a' + 10); }

// How many launches this text has poisoned before.
uint64_t launchOf(const std::string &poison) {
  static auto *state = new std::pair<std::mutex, std::pair<std::string, uint64_t>>;
  std::lock_guard lock(state->first);
  auto &[text, count] = state->second;
  if (text != poison) {
    text = poison;
    count = 0;
  }
  return count++;
}

struct Filler {
  std::array<uint8_t, 256> table;
  uint64_t launch;
  std::span<const GlobalRange> ranges;

  void fill(int64_t begin, int64_t end) const {
    for (size_t number = 0; number < ranges.size(); ++number) {
      const GlobalRange &range = ranges[number];
      int64_t first = std::max(begin, range.device), last = std::min(end, range.device + range.size);
      for (int64_t at = first; at < last; ++at) {
        int64_t offset = at - range.device;
        uint64_t word = mixed(mixed(launch << 16 | number) + uint64_t(offset / 8));
        range.host[offset] = table[1 + (word >> (offset % 8 * 8) & 0xff) % 255];
      }
    }
  }
};

} // namespace

bool isPoison(const std::string &text) {
  return text.size() >= tableDigits &&
         std::all_of(text.begin(), text.begin() + tableDigits, [](unsigned char c) { return std::isxdigit(c); });
}

void poisonWritten(std::span<const machine::BlockTrace> traces, isa::Arch arch, std::span<const GlobalRange> ranges,
                   const std::string &poison) {
  Filler filler{{}, launchOf(poison), ranges};
  for (size_t i = 0; i < filler.table.size(); ++i)
    filler.table[i] = uint8_t(digit(poison[2 * i]) << 4 | digit(poison[2 * i + 1]));
  std::vector<machine::Effect> effects;
  for (const machine::BlockTrace &trace : traces)
    for (const machine::Instr &instr : trace.calls) {
      effects.clear();
      machine::effectsOf(instr, arch, effects);
      for (const machine::Effect &effect : effects)
        if (effect.access == machine::Access::Write && effect.memory == isa::Memory::GM)
          for (int64_t run = 0; run < effect.count; ++run) {
            int64_t begin = effect.start + run * effect.stride;
            filler.fill(begin, begin + effect.length);
          }
    }
}

} // namespace tilesmith::runtime
