"""C = leaky_relu(A * B + bias): a vector core takes its part of the product tile by tile into UB, while the cube core computes. Parts are
whole tiles, which the host's tiling fixes. The same in Ascend C: kernels/ascendc/matmul_leaky_relu.cpp."""

import asc


@asc.jit
def matmul_leaky_relu(
    a: asc.GlobalAddress,
    b: asc.GlobalAddress,
    bias: asc.GlobalAddress,
    c: asc.GlobalAddress,
    workspace: asc.GlobalAddress,
    tiling: asc.adv.TCubeTiling,
    alpha: float,
):
    pipe = asc.TPipe()
    matmul = asc.adv.Matmul(
        asc.adv.MatmulType(asc.TPosition.GM, asc.CubeFormat.ND, a.dtype),
        asc.adv.MatmulType(asc.TPosition.GM, asc.CubeFormat.ND, b.dtype),
        asc.adv.MatmulType(asc.TPosition.VECIN, asc.CubeFormat.ND, c.dtype),
        asc.adv.MatmulType(asc.TPosition.GM, asc.CubeFormat.ND, bias.dtype),
    )
    asc.adv.register_matmul(pipe, workspace, matmul, tiling)

    along_m = asc.ceildiv(tiling.m, tiling.single_core_m)
    row = asc.get_block_idx() % along_m * tiling.single_core_m
    column = asc.get_block_idx() // along_m * tiling.single_core_n
    a_gm = asc.GlobalTensor()
    a_gm.set_global_buffer(a + row * tiling.k_a)
    b_gm = asc.GlobalTensor()
    b_gm.set_global_buffer(b + column)
    bias_gm = asc.GlobalTensor()
    bias_gm.set_global_buffer(bias + column)
    c_gm = asc.GlobalTensor()
    c_gm.set_global_buffer(c + (row * tiling.n + column))
    queue = asc.TQue(asc.TPosition.VECOUT, 1)
    elements = tiling.base_m * tiling.base_n
    pipe.init_buffer(queue, 1, elements * c.dtype.sizeof())

    matmul.set_tensor_a(a_gm)
    matmul.set_tensor_b(b_gm)
    matmul.set_bias(bias_gm)
    tiles = tiling.single_core_m // tiling.base_m
    line = tiling.base_n * c.dtype.sizeof() // 32
    with matmul.iterate() as i:
        tile = queue.alloc_tensor(c.dtype)
        matmul.get_tensor_c(tile, en_sequential_write=True)
        asc.leaky_relu(tile, tile, alpha, elements)
        queue.enque(tile)
        tile = queue.deque(c.dtype)
        params = asc.DataCopyParams(tiling.base_m, line, 0, tiling.n * c.dtype.sizeof() // 32 - line)
        asc.data_copy(c_gm[i % tiles * tiling.base_m * tiling.n + i // tiles * tiling.base_n :], tile, repeat_params=params)
        queue.free_tensor(tile)
    matmul.end()
