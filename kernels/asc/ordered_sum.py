"""All blocks add to one tile, in their order, so that rounding never differs. The same in Ascend C: ordered_sum of
kernels/ascendc/sync_blocks.cpp."""

import asc

TILE = 1024


@asc.jit
def ordered_sum(x: asc.GlobalAddress, y: asc.GlobalAddress, sync: asc.GlobalAddress):
    pipe = asc.TPipe()
    sync_buffer = asc.TBuf(asc.TPosition.VECCALC)
    queue = asc.TQueBind(asc.TPosition.VECIN, asc.TPosition.VECOUT, 1)
    pipe.init_buffer(sync_buffer, 1024)
    pipe.init_buffer(queue, 1, TILE * 4)
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x)
    y_gm = asc.GlobalTensor()
    y_gm.set_global_buffer(y)
    sync_gm = asc.GlobalTensor()
    sync_gm.set_global_buffer(sync)
    sync_local = sync_buffer.get(asc.int32)
    asc.init_determine_compute_workspace(sync_gm, sync_local)
    tile = queue.alloc_tensor(asc.float32)
    asc.data_copy(tile, x_gm[asc.get_block_idx() * TILE], TILE)
    queue.enque(tile)
    tile = queue.deque(asc.float32)
    asc.wait_pre_block(sync_gm, sync_local)
    asc.set_atomic_add(asc.float32)
    asc.data_copy(y_gm, tile, TILE)
    asc.set_atomic_none()
    asc.notify_next_block(sync_gm, sync_local)
    queue.free_tensor(tile)
