// Tiles that need not pass through UB: programs give the bytes they would have given had every instruction been
// executed in its turn, which is how kernels that are not compiled run.
#include "CoreTesting.h"
#include <cstring>
#include <functional>
#include <random>

using namespace tilesmith;
using namespace tilesmith::machine;
using namespace tilesmith::machine::testing;

namespace {

std::function<void(TsCore *, const int64_t *)> program;

constexpr size_t small = 1 << 14, large = (4 << 20) / 4 + 64; // floats; the large array is stored past the caches
constexpr int64_t usedUb = 64 << 10;

struct Memories {
  std::vector<float> few, many, all;
  bool operator==(const Memories &) const = default;
};

// What a program leaves: its arrays, and what it sees of UB at its end.
Memories outcome(Arch arch, bool compiled) {
  Memories memories = {iota(small), iota(large, 0.5f), std::vector<float>(usedUb / 4)};
  Bench bench(
      +[](TsCore *core, const int64_t *args) {
        tsm_duplicate(core, 0, F32, ub(0), 0, usedUb / 4);
        program(core, args);
        for (int64_t at = 0; at < usedUb; at += 512)
          store(core, args[2] + at, ub(at), 512);
      },
      arch);
  bench.launch.compiled = compiled;
  LaunchResult result = bench.arrays(memories.few, memories.many, memories.all).run();
  EXPECT_EQ(result.findings.size(), 0u) << (result.findings.empty() ? "" : result.findings[0].text);
  return memories;
}

void expectSame(Arch arch) { EXPECT_TRUE(outcome(arch, true) == outcome(arch, false)); }

constexpr int64_t tile = 1024, bytes = tile * 4;

} // namespace

TEST(Deferred, AStoreThatOverwritesWhatWasLoaded) {
  program = [](TsCore *core, const int64_t *args) {
    load(core, ub(0), args[0], bytes);
    load(core, ub(bytes), args[0] + bytes, bytes);
    tsm_add(core, 0, F32, ub(2 * bytes), ub(0), ub(bytes), tile);
    store(core, args[0] + 64, ub(2 * bytes), bytes); // both loads read from here
    store(core, args[0] + 4 * bytes, ub(0), bytes);
    tsm_adds(core, 0, F32, ub(0), ub(0), 0x3f800000, tile);
    store(core, args[0] + 5 * bytes, ub(0), bytes);
  };
  expectSame(Arch::C220);
}

TEST(Deferred, AResultThatIsUsedAfterItsArrayHasChanged) {
  program = [](TsCore *core, const int64_t *args) {
    load(core, ub(0), args[1], bytes);
    tsm_adds(core, 0, F32, ub(bytes), ub(0), 0x3f800000, tile);
    store(core, args[1] + bytes + 4, ub(bytes), bytes);
    store(core, args[1] + bytes + 8, ub(0), bytes);
    store(core, args[0], ub(bytes), bytes);
  };
  expectSame(Arch::C220);
}

TEST(Deferred, AnAccumulatorIsReadBeforeItIsWritten) {
  program = [](TsCore *core, const int64_t *args) {
    load(core, ub(0), args[1], bytes);
    load(core, ub(bytes), args[0], bytes);
    tsm_mul_add_dst(core, 0, F32, ub(0), ub(bytes), ub(bytes), tile);
    store(core, args[1] + 2 * bytes, ub(0), bytes);
  };
  expectSame(Arch::C220);
}

TEST(Deferred, OperandsThatLieOverEachOther) {
  program = [](TsCore *core, const int64_t *args) {
    load(core, ub(0), args[0], 2 * bytes);
    tsm_adds(core, 0, F32, ub(32), ub(0), 0x3f800000, tile); // each chunk reads what the one before it wrote
    store(core, args[0] + 4 * bytes, ub(32), bytes);
    tsm_adds(core, 0, F32, ub(2 * bytes), ub(32), 0x3f800000, tile);
    tsm_adds(core, 0, F32, ub(2 * bytes + 64), ub(4 * bytes), 0x3f800000, tile);
    store(core, args[0] + 6 * bytes, ub(2 * bytes), bytes);
  };
  expectSame(Arch::C220);
}

TEST(Deferred, ScalarsAndAtomicsSeeEverythingBefore) {
  program = [](TsCore *core, const int64_t *args) {
    load(core, ub(0), args[0], bytes);
    tsm_adds(core, 0, F32, ub(bytes), ub(0), 0x3f800000, tile);
    tsm_set_value(core, 0, F32, ub(bytes + 4), tsm_get_value(core, 0, F32, ub(bytes + 8)));
    tsm_set_atomic(core, 0, int64_t(isa::AtomicOp::Add));
    store(core, args[0] + bytes, ub(bytes), bytes);
    tsm_set_atomic(core, 0, int64_t(isa::AtomicOp::None));
    store(core, args[0] + 2 * bytes, ub(bytes), bytes);
  };
  expectSame(Arch::C220);
}

// y = x + 1 as the compiler emits it: a body and the same for some of its elements.
namespace vf {
void part(uint8_t *ub, const int64_t *args, int64_t begin, int64_t end) {
  for (int64_t i = begin; i < end; ++i) {
    float x;
    std::memcpy(&x, ub + Address(args[0]).offset() + i * 4, 4);
    x += 1;
    std::memcpy(ub + Address(args[1]).offset() + i * 4, &x, 4);
  }
}
void whole(uint8_t *ub, const int64_t *args) { part(ub, args, 0, tile); }

const TsVfAccess accesses[] = {{0, TS_VF_FULL, 0, uint8_t(DType::F32), bytes},
                               {1, TS_VF_FULL, 1, uint8_t(DType::F32), bytes}};

void call(TsCore *core, int64_t to, int64_t from) {
  static const TsVfDesc desc = [] {
    TsVfDesc desc = {};
    desc.rows = 1;
    desc.cols = tile;
    desc.numAccesses = 2;
    desc.narrowest = 4;
    desc.accesses = accesses;
    desc.part = part;
    return desc;
  }();
  int64_t args[TS_VF_MAX_ARGS] = {from, to};
  tsm_vf(core, 0, &desc, whole, args, 2);
}
} // namespace vf

TEST(Deferred, VectorFunctionsInParts) {
  program = [](TsCore *core, const int64_t *args) {
    for (int64_t i = 0; i < 3; ++i) {
      load(core, ub(0), args[i % 2] + i * bytes + 16, bytes);
      vf::call(core, ub(bytes), ub(0));
      vf::call(core, ub(bytes), ub(bytes)); // over itself
      store(core, args[1] + (10 + i) * bytes + 16, ub(bytes), bytes);
    }
  };
  expectSame(Arch::C310);
}

// Tiles and instructions at random, often over each other.
TEST(Deferred, RandomProgramsGiveTheSameBytes) {
  for (uint64_t seed = 0; seed < 60; ++seed) {
    Arch arch = seed % 2 ? Arch::C310 : Arch::C220;
    program = [&](TsCore *core, const int64_t *args) {
      std::mt19937 random(seed);
      auto below = [&](int64_t bound) { return int64_t(random() % uint64_t(bound)); };
      auto place = [&](int64_t least = 1) {
        int64_t slot = below(10 / least) * bytes;
        return ub(below(8) ? slot : slot + 32 * (1 + below(8)));
      };
      auto global = [&] {
        int64_t within = below(8) * bytes + (below(4) ? 0 : 4 * below(64));
        return args[below(2)] + within;
      };
      for (int64_t i = 0; i < 40; ++i) {
        int64_t count = below(4) ? tile : 256 + 8 * below(90);
        switch (below(arch == Arch::C310 ? 9 : 8)) {
        case 0:
        case 1:
        case 2:
          load(core, place(), global(), count * 4, 1 + below(3));
          break;
        case 3:
        case 4:
          store(core, global(), place(), count * 4);
          break;
        case 5:
          tsm_max(core, 0, F32, place(), place(), place(), count);
          break;
        case 6:
          tsm_axpy(core, 0, F32, place(), place(), 0x3f000000, count);
          break;
        case 7:
          tsm_cast(core, 0, F16, F32, place(), place(), int64_t(isa::RoundMode::Rint), count);
          break;
        default:
          vf::call(core, place(), place());
          break;
        }
      }
    };
    Memories now = outcome(arch, true), before = outcome(arch, false);
    ASSERT_EQ(std::memcmp(now.few.data(), before.few.data(), small * 4), 0) << seed;
    ASSERT_EQ(std::memcmp(now.many.data(), before.many.data(), large * 4), 0) << seed;
    ASSERT_EQ(std::memcmp(now.all.data(), before.all.data(), usedUb), 0) << seed;
  }
}
