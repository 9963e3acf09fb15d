// Accesses of two threads to the same bytes that nothing orders.
//
// Every byte remembers who wrote it and who read it since the last barrier. A barrier orders everything before it with
// everything behind it; an operation of a warp orders the lanes of that warp. Atomic operations are ordered with each
// other.
#ifndef TILESMITH_LIB_MACHINE_CORE_SIMTRACES_H
#define TILESMITH_LIB_MACHINE_CORE_SIMTRACES_H

#include "tilesmith/Machine/Simt.h"
#include <array>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

namespace tilesmith::machine {

class SimtRaces {
public:
  struct Race {
    uint32_t other = 0; // thread
    bool otherWrites = false;
    int64_t byte = 0;
  };

  void begin(int64_t numThreads);
  void meet(int64_t warp);
  // The first byte of an access that races with an earlier one.
  std::optional<Race> note(uint32_t thread, int64_t address, int64_t bytes, TsSimtAccess kind);

private:
  struct Access {
    uint32_t epoch = 0, warpEpoch = 0; // epoch 0: none
    uint16_t thread = 0;
    bool atomic = false;
  };
  struct Byte {
    Access write, read, otherRead; // otherRead: of another thread than read
  };
  static constexpr int64_t pageBytes = 256;
  using Page = std::array<Byte, size_t(pageBytes)>;

  bool meets(const Access &earlier, uint32_t thread, bool atomic) const;
  Page &pageOf(int64_t number);

  std::unordered_map<int64_t, std::unique_ptr<Page>> pages;
  int64_t lastNumber = -1;
  Page *lastPage = nullptr;
  std::vector<uint32_t> warpEpochs;
  uint32_t epoch = 1;
};

} // namespace tilesmith::machine

#endif // TILESMITH_LIB_MACHINE_CORE_SIMTRACES_H
