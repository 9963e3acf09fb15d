// C = A * B by a Matmul object that vector cores ask: the cube core of their block computes it. Every vector core has a
// part of C, which the host's MultiCoreMatmulTiling gives it.
#include "kernel_operator.h"
#include "lib/matmul_intf.h"

using namespace AscendC;

extern "C" __global__ __aicore__ __mix__(1, 2) void matmul_mix(GM_ADDR a, GM_ADDR b, GM_ADDR c, GM_ADDR workspace,
                                                               TCubeTiling tiling)
{
    TPipe pipe;
    Matmul<MatmulType<TPosition::GM, CubeFormat::ND, half>, MatmulType<TPosition::GM, CubeFormat::ND, half>,
           MatmulType<TPosition::GM, CubeFormat::ND, float>>
        matmul;
    REGIST_MATMUL_OBJ(&pipe, workspace, matmul, &tiling);

    if (GetBlockIdx() < tiling.usedCoreNum) {
        int32_t alongM = (tiling.M + tiling.singleCoreM - 1) / tiling.singleCoreM;
        int32_t row = GetBlockIdx() % alongM * tiling.singleCoreM;
        int32_t column = GetBlockIdx() / alongM * tiling.singleCoreN;
        GlobalTensor<half> aGm, bGm;
        GlobalTensor<float> cGm;
        aGm.SetGlobalBuffer((__gm__ half *)a + row * tiling.Ka);
        bGm.SetGlobalBuffer((__gm__ half *)b + column);
        cGm.SetGlobalBuffer((__gm__ float *)c + row * tiling.N + column);
        int32_t rows = tiling.M - row, columns = tiling.N - column;
        matmul.SetTail(rows < tiling.singleCoreM ? rows : tiling.singleCoreM,
                       columns < tiling.singleCoreN ? columns : tiling.singleCoreN);
        matmul.SetTensorA(aGm);
        matmul.SetTensorB(bGm);
        matmul.IterateAll(cGm);
        matmul.End();
    }
}
