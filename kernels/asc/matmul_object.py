"""C = A * B by a Matmul object on cube cores alone. How the product is shared is the host's: asc.lib.host.MultiCoreMatmulTiling. The same in
Ascend C: kernels/ascendc/matmul_object.cpp."""

import asc


@asc.jit(matmul_cube_only=True)
def matmul_object(a: asc.GlobalAddress, b: asc.GlobalAddress, c: asc.GlobalAddress, tiling: asc.adv.TCubeTiling):
    along_m = asc.ceildiv(tiling.m, tiling.single_core_m)
    row = asc.get_block_idx() % along_m * tiling.single_core_m
    column = asc.get_block_idx() // along_m * tiling.single_core_n
    a_gm = asc.GlobalTensor()
    a_gm.set_global_buffer(a + row * tiling.k_a)
    b_gm = asc.GlobalTensor()
    b_gm.set_global_buffer(b + column)
    c_gm = asc.GlobalTensor()
    c_gm.set_global_buffer(c + (row * tiling.n + column))

    pipe = asc.TPipe()
    matmul = asc.adv.Matmul(
        asc.adv.MatmulType(asc.TPosition.GM, asc.CubeFormat.ND, a.dtype),
        asc.adv.MatmulType(asc.TPosition.GM, asc.CubeFormat.ND, b.dtype),
        asc.adv.MatmulType(asc.TPosition.GM, asc.CubeFormat.ND, c.dtype),
    )
    asc.adv.register_matmul(pipe, None, matmul, tiling)
    matmul.set_tail(min(tiling.m - row, tiling.single_core_m), min(tiling.n - column, tiling.single_core_n))
    matmul.set_tensor_a(a_gm)
    matmul.set_tensor_b(b_gm)
    matmul.iterate_all(c_gm)
    matmul.end()
