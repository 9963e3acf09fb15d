// C = leaky_relu(A * B + bias): a vector core takes its part of the product tile by tile into UB, while the cube core
// computes. Parts are whole tiles, which the host's tiling fixes.
#include "kernel_operator.h"
#include "lib/matmul_intf.h"

using namespace AscendC;

extern "C" __global__ __aicore__ __mix__(1, 2) void matmul_leaky_relu(GM_ADDR a, GM_ADDR b, GM_ADDR bias, GM_ADDR c,
                                                                      GM_ADDR workspace, TCubeTiling tiling,
                                                                      float alpha)
{
    TPipe pipe;
    Matmul<MatmulType<TPosition::GM, CubeFormat::ND, half>, MatmulType<TPosition::GM, CubeFormat::ND, half>,
           MatmulType<TPosition::VECIN, CubeFormat::ND, float>, MatmulType<TPosition::GM, CubeFormat::ND, float>>
        matmul;
    REGIST_MATMUL_OBJ(&pipe, workspace, matmul, &tiling);

    int32_t alongM = (tiling.M + tiling.singleCoreM - 1) / tiling.singleCoreM;
    int32_t row = GetBlockIdx() % alongM * tiling.singleCoreM;
    int32_t column = GetBlockIdx() / alongM * tiling.singleCoreN;
    GlobalTensor<half> aGm, bGm;
    GlobalTensor<float> biasGm, cGm;
    aGm.SetGlobalBuffer((__gm__ half *)a + row * tiling.Ka);
    bGm.SetGlobalBuffer((__gm__ half *)b + column);
    biasGm.SetGlobalBuffer((__gm__ float *)bias + column);
    cGm.SetGlobalBuffer((__gm__ float *)c + row * tiling.N + column);
    TQue<TPosition::VECOUT, 1> queue;
    int32_t elements = tiling.baseM * tiling.baseN;
    pipe.InitBuffer(queue, 1, elements * sizeof(float));

    matmul.SetTensorA(aGm);
    matmul.SetTensorB(bGm);
    matmul.SetBias(biasGm);
    int32_t tiles = tiling.singleCoreM / tiling.baseM;
    uint16_t line = tiling.baseN * sizeof(float) / 32;
    for (int32_t i = 0; matmul.Iterate(); i++) {
        LocalTensor<float> tile = queue.AllocTensor<float>();
        matmul.GetTensorC(tile, 0, true);
        LeakyRelu(tile, tile, alpha, elements);
        queue.EnQue(tile);
        tile = queue.DeQue<float>();
        DataCopyParams params(tiling.baseM, line, 0, tiling.N * sizeof(float) / 32 - line);
        DataCopy(cGm[i % tiles * tiling.baseM * tiling.N + i / tiles * tiling.baseN], tile, params);
        queue.FreeTensor(tile);
    }
    matmul.End();
}
