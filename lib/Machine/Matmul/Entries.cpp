// The entries of matrix objects (Isa/Services.td).
#include "Core/CoreImpl.h"

using namespace tilesmith::machine;

static MatrixObjects::Output outputOf(int64_t dst, int64_t atomic, int64_t sequential, int64_t sync, int64_t waits) {
  return {dst, atomic, sequential != 0, sync != 0, waits != 0};
}

extern "C" {

int64_t tsm_matmul_new(TsCore *core) { return core->matrices.make(); }
void tsm_matmul_type(TsCore *core, int64_t loc, int64_t object, int64_t matrix, int64_t position, int64_t format,
                     int64_t dtype, int64_t turned, int64_t layout) {
  core->matrices.type(*core, loc, object, matrix, position, format, dtype, turned != 0, layout);
}
void tsm_matmul_config(TsCore *core, int64_t loc, int64_t object, int64_t member, int64_t value) {
  core->matrices.config(*core, loc, object, member, value);
}
void tsm_matmul_tiling(TsCore *core, int64_t loc, int64_t object, int64_t member, int64_t value) {
  core->matrices.tiling(*core, loc, object, member, value);
}
void tsm_matmul_init(TsCore *core, int64_t loc, int64_t object) { core->matrices.init(*core, loc, object); }
void tsm_matmul_serve(TsCore *core, int64_t loc, int64_t workspace, int64_t cubeOnly) {
  core->matrices.serve(*core, loc, workspace, cubeOnly != 0);
}
void tsm_matmul_factor(TsCore *core, int64_t loc, int64_t object, int64_t matrix, int64_t address, int64_t turned) {
  core->matrices.factor(*core, loc, object, matrix, address, turned != 0);
}
void tsm_matmul_shape(TsCore *core, int64_t loc, int64_t object, int64_t which, int64_t m, int64_t n, int64_t ka,
                      int64_t kb, int64_t kc) {
  core->matrices.shape(*core, loc, object, which, m, n, ka, kb, kc);
}
void tsm_matmul_set(TsCore *core, int64_t loc, int64_t object, int64_t number, int64_t value) {
  core->matrices.set(*core, loc, object, number, value);
}
int64_t tsm_matmul_iterate(TsCore *core, int64_t loc, int64_t object, int64_t partial, int64_t sync) {
  return core->matrices.iterate(*core, loc, object, partial != 0, sync != 0);
}
void tsm_matmul_get(TsCore *core, int64_t loc, int64_t object, int64_t dst, int64_t atomic, int64_t sequential,
                    int64_t sync) {
  core->matrices.get(*core, loc, object, outputOf(dst, atomic, sequential, sync, 1));
}
void tsm_matmul_all(TsCore *core, int64_t loc, int64_t object, int64_t dst, int64_t atomic, int64_t sequential,
                    int64_t sync, int64_t waits) {
  core->matrices.all(*core, loc, object, outputOf(dst, atomic, sequential, sync, waits));
}
void tsm_matmul_batch(TsCore *core, int64_t loc, int64_t object, int64_t dst, int64_t atomic, int64_t sync,
                      int64_t waits) {
  core->matrices.batch(*core, loc, object, outputOf(dst, atomic, 0, sync, waits));
}
void tsm_matmul_wait(TsCore *core, int64_t loc, int64_t object) { core->matrices.wait(*core, loc, object); }
void tsm_matmul_end(TsCore *core, int64_t loc, int64_t object) { core->matrices.end(*core, loc, object); }

} // extern "C"
