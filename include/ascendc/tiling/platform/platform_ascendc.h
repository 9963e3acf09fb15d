// What host programs ask about the chip: the numbers of the platform they run on (TILESMITH_PLATFORM).
#ifndef TILESMITH_ASCENDC_PLATFORM_ASCENDC_H
#define TILESMITH_ASCENDC_PLATFORM_ASCENDC_H

#include "tilesmith/host.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

namespace platform_ascendc {

enum class CoreMemType { L0_A = 0, L0_B, L0_C, L1, L2, UB, HBM, FB, BT, RESERVED };
enum class SocVersion {
  ASCEND910 = 0,
  ASCEND910B,
  ASCEND310P,
  ASCEND310B,
  ASCEND910_93,
  ASCEND910_95,
  ASCEND950,
  RESERVED_VERSION = 99999
};

class PlatformAscendC {
public:
  // Of the platform of this name; null: of the one the program runs on.
  explicit PlatformAscendC(const char *name = nullptr) {
    if (!tilesmith_platform(name, &facts)) {
      fprintf(stderr, "error: no platform is called '%s'\n", name ? name : "");
      exit(1);
    }
  }

  // Cube cores each come with vector cores; a kernel of both kinds of cores has at most that many blocks at once.
  uint32_t GetCoreNum() const { return uint32_t(facts.cubeCores); }
  uint32_t GetCoreNumAic() const { return uint32_t(facts.cubeCores); }
  uint32_t GetCoreNumAiv() const { return uint32_t(facts.vectorCores); }
  uint32_t GetCoreNumVector() const { return 0; } // vector cores that belong to no cube core

  SocVersion GetSocVersion() const {
    auto is = [&](const char *prefix) { return strncmp(facts.name, prefix, strlen(prefix)) == 0; };
    return is("Ascend950")      ? SocVersion::ASCEND950
           : is("Ascend910_95") ? SocVersion::ASCEND910_95
           : is("Ascend910_93") ? SocVersion::ASCEND910_93
                                : SocVersion::ASCEND910B;
  }

  void GetCoreMemSize(const CoreMemType &type, uint64_t &size) const {
    const int64_t sizes[] = {facts.l0a, facts.l0b, facts.l0c, facts.l1, facts.l2,
                             facts.ub,  facts.gm,  facts.fb,  facts.bt};
    size = type < CoreMemType::RESERVED ? uint64_t(sizes[int(type)]) : 0;
  }
  // Bytes in a cycle for each cube core and its vector cores, of memories they share.
  void GetCoreMemBw(const CoreMemType &type, uint64_t &bandwidth) const {
    int64_t rate = type == CoreMemType::HBM ? facts.hbmMBps : type == CoreMemType::L2 ? facts.l2MBps : 0;
    bandwidth = uint64_t(rate / facts.clockMHz / facts.cubeCores);
  }
  uint32_t GetLibApiWorkSpaceSize() const { return 16 * 1024 * 1024; }

  // Blocks of a kernel that uses cores of both kinds, for this many slices of the work of its vector cores.
  uint32_t CalcTschBlockDim(uint32_t slices, uint32_t aic, uint32_t aiv) const {
    if (aic == 0 || aiv == 0 || aic > aiv)
      return slices;
    uint32_t ratio = aiv / aic;
    return (slices + ratio - 1) / ratio;
  }

private:
  TsPlatformFacts facts = {};
};

class PlatformAscendCManager {
public:
  static PlatformAscendC *GetInstance() {
    static PlatformAscendC instance;
    return &instance;
  }
  // That of another part; null when there is none of this name.
  static PlatformAscendC *GetInstance(const char *name) {
    TsPlatformFacts facts;
    return !name ? GetInstance() : tilesmith_platform(name, &facts) ? new PlatformAscendC(name) : nullptr;
  }
};

} // namespace platform_ascendc

#endif
