"""z = x + y without addresses, queues or flags: the compiler places the tensors and orders the pipes."""

import asc


@asc.jit
def add_automatic(x: asc.GlobalAddress, y: asc.GlobalAddress, z: asc.GlobalAddress, length: int, tile: asc.ConstExpr[int]):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x)
    y_gm = asc.GlobalTensor()
    y_gm.set_global_buffer(y)
    z_gm = asc.GlobalTensor()
    z_gm.set_global_buffer(z)
    for offset in asc.range(asc.get_block_idx() * tile, length, asc.get_block_num() * tile):
        x_local = asc.LocalTensorAuto(x.dtype, [tile])
        y_local = asc.LocalTensorAuto(x.dtype, [tile])
        asc.data_copy(x_local, x_gm[offset], tile)
        asc.data_copy(y_local, y_gm[offset], tile)
        asc.add(y_local, x_local, y_local, tile)
        asc.data_copy(z_gm[offset], y_local, tile)
