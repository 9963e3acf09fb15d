#include "SimtRaces.h"

namespace tilesmith::machine {

void SimtRaces::begin(int64_t numThreads) {
  pages.clear();
  lastNumber = -1;
  warpEpochs.assign(size_t((numThreads + TS_SIMT_WARP - 1) / TS_SIMT_WARP), 1);
  epoch = 1;
}

void SimtRaces::meet(int64_t warp) {
  if (warp < 0)
    ++epoch;
  else
    ++warpEpochs[size_t(warp)];
}

SimtRaces::Page &SimtRaces::pageOf(int64_t number) {
  if (number != lastNumber) {
    std::unique_ptr<Page> &page = pages[number];
    if (!page)
      page = std::make_unique<Page>();
    lastNumber = number;
    lastPage = page.get();
  }
  return *lastPage;
}

bool SimtRaces::meets(const Access &earlier, uint32_t thread, bool atomic) const {
  if (earlier.epoch != epoch || earlier.thread == thread || (earlier.atomic && atomic))
    return false;
  uint32_t warp = thread / TS_SIMT_WARP;
  return earlier.thread / TS_SIMT_WARP != warp || earlier.warpEpoch == warpEpochs[warp];
}

std::optional<SimtRaces::Race> SimtRaces::note(uint32_t thread, int64_t address, int64_t bytes, TsSimtAccess kind) {
  bool atomic = kind == TS_SIMT_ATOMIC, writes = kind != TS_SIMT_READ;
  Access mine = {epoch, warpEpochs[thread / TS_SIMT_WARP], uint16_t(thread), atomic};
  std::optional<Race> race;
  for (int64_t at = address; at < address + bytes; ++at) {
    Byte &byte = pageOf(at / pageBytes)[size_t(at % pageBytes)];
    if (!race && meets(byte.write, thread, atomic))
      race = Race{byte.write.thread, true, at};
    if (writes && !race)
      for (const Access *read : {&byte.read, &byte.otherRead})
        if (!race && meets(*read, thread, atomic))
          race = Race{read->thread, false, at};
    if (writes)
      byte.write = mine;
    else if (byte.read.epoch != epoch || byte.read.thread == thread)
      byte.read = mine;
    else
      byte.otherRead = mine;
  }
  return race;
}

} // namespace tilesmith::machine
