#include "tilesmith/Transforms/Plan/PlanPasses.h"
namespace tilesmith {
#define GEN_PASS_DEF_VERIFYSYNCHRONISE
#include "tilesmith/Transforms/Plan/PlanPasses.h.inc"
namespace {
struct VerifySynchronise : impl::VerifySynchroniseBase<VerifySynchronise> {
  void runOnOperation() override {}
};
} // namespace
} // namespace tilesmith
