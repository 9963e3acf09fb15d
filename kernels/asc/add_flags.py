"""z = x + y with tensors at fixed addresses and flags by hand, two slots. The same in Ascend C: kernels/ascendc/add_flags.cpp."""

import asc

TILE = 2048


@asc.jit
def add_flags(x: asc.GlobalAddress, y: asc.GlobalAddress, z: asc.GlobalAddress, length: int):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, length)
    y_gm = asc.GlobalTensor()
    y_gm.set_global_buffer(y, length)
    z_gm = asc.GlobalTensor()
    z_gm.set_global_buffer(z, length)
    for id in asc.range(2):
        asc.set_flag(asc.HardEvent.V_MTE2, id)
        asc.set_flag(asc.HardEvent.MTE3_V, id)
    size = x.dtype.sizeof()
    slot = 0
    offset = asc.get_block_idx() * TILE
    while offset < length:
        x_local = asc.LocalTensor(x.dtype, asc.TPosition.VECIN, slot * TILE * size, TILE)
        y_local = asc.LocalTensor(x.dtype, asc.TPosition.VECIN, (2 + slot) * TILE * size, TILE)
        z_local = asc.LocalTensor(x.dtype, asc.TPosition.VECOUT, (4 + slot) * TILE * size, TILE)
        asc.wait_flag(asc.HardEvent.V_MTE2, slot)
        asc.data_copy(x_local, x_gm[offset], TILE)
        asc.data_copy(y_local, y_gm[offset], TILE)
        asc.set_flag(asc.HardEvent.MTE2_V, slot)
        asc.wait_flag(asc.HardEvent.MTE2_V, slot)
        asc.wait_flag(asc.HardEvent.MTE3_V, slot)
        asc.add(z_local, x_local, y_local, TILE)
        asc.set_flag(asc.HardEvent.V_MTE2, slot)
        asc.set_flag(asc.HardEvent.V_MTE3, slot)
        asc.wait_flag(asc.HardEvent.V_MTE3, slot)
        asc.data_copy(z_gm[offset], z_local, TILE)
        asc.set_flag(asc.HardEvent.MTE3_V, slot)
        offset += asc.get_block_num() * TILE
        slot = slot ^ 1
    for id in asc.range(2):
        asc.wait_flag(asc.HardEvent.V_MTE2, id)
        asc.wait_flag(asc.HardEvent.MTE3_V, id)
