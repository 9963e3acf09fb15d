// C = A * B by a Matmul object on cube cores alone. How the product is shared is the host's (MultiCoreMatmulTiling).
#define ASCENDC_CUBE_ONLY
#include "kernel_operator.h"
#include "lib/matmul_intf.h"

using namespace AscendC;

extern "C" __global__ __aicore__ void matmul_object(GM_ADDR a, GM_ADDR b, GM_ADDR c, TCubeTiling tiling)
{
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIC_ONLY);
    int32_t alongM = (tiling.M + tiling.singleCoreM - 1) / tiling.singleCoreM;
    int32_t row = GetBlockIdx() % alongM * tiling.singleCoreM;
    int32_t column = GetBlockIdx() / alongM * tiling.singleCoreN;
    GlobalTensor<half> aGm, bGm;
    GlobalTensor<float> cGm;
    aGm.SetGlobalBuffer((__gm__ half *)a + row * tiling.Ka);
    bGm.SetGlobalBuffer((__gm__ half *)b + column);
    cGm.SetGlobalBuffer((__gm__ float *)c + row * tiling.N + column);

    TPipe pipe;
    Matmul<MatmulType<TPosition::GM, CubeFormat::ND, half>, MatmulType<TPosition::GM, CubeFormat::ND, half>,
           MatmulType<TPosition::GM, CubeFormat::ND, float>>
        matmul;
    REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), matmul, &tiling);
    int32_t rows = tiling.M - row, columns = tiling.N - column;
    matmul.SetTail(rows < tiling.singleCoreM ? rows : tiling.singleCoreM,
                   columns < tiling.singleCoreN ? columns : tiling.singleCoreN);
    matmul.SetTensorA(aGm);
    matmul.SetTensorB(bGm);
    matmul.IterateAll(cGm);
    matmul.End();
}
