"""z = x + y with queues of two buffers, so that the copies of one tile run while another is computed. The same in Ascend C:
kernels/ascendc/add_custom.cpp."""

import asc

TILE_NUM = 8
BUFFER_NUM = 2


@asc.jit
def copy_in(progress, x_queue, y_queue, x_gm, y_gm, tile_length):
    x_local = x_queue.alloc_tensor(x_gm.dtype)
    y_local = y_queue.alloc_tensor(y_gm.dtype)
    asc.data_copy(x_local, x_gm[progress * tile_length], tile_length)
    asc.data_copy(y_local, y_gm[progress * tile_length], tile_length)
    x_queue.enque(x_local)
    y_queue.enque(y_local)


@asc.jit
def compute(x_queue, y_queue, z_queue, dtype, tile_length):
    x_local = x_queue.deque(dtype)
    y_local = y_queue.deque(dtype)
    z_local = z_queue.alloc_tensor(dtype)
    asc.add(z_local, x_local, y_local, tile_length)
    z_queue.enque(z_local)
    x_queue.free_tensor(x_local)
    y_queue.free_tensor(y_local)


@asc.jit
def copy_out(progress, z_queue, z_gm, tile_length):
    z_local = z_queue.deque(z_gm.dtype)
    asc.data_copy(z_gm[progress * tile_length], z_local, tile_length)
    z_queue.free_tensor(z_local)


@asc.jit
def add_custom(x: asc.GlobalAddress, y: asc.GlobalAddress, z: asc.GlobalAddress, total_length: int):
    block_length = total_length // asc.get_block_num()
    tile_length = block_length // TILE_NUM // BUFFER_NUM
    size = x.dtype.sizeof()
    pipe = asc.TPipe()
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x + block_length * asc.get_block_idx(), block_length)
    y_gm = asc.GlobalTensor()
    y_gm.set_global_buffer(y + block_length * asc.get_block_idx(), block_length)
    z_gm = asc.GlobalTensor()
    z_gm.set_global_buffer(z + block_length * asc.get_block_idx(), block_length)
    x_queue = asc.TQue(asc.TPosition.VECIN, BUFFER_NUM)
    y_queue = asc.TQue(asc.TPosition.VECIN, BUFFER_NUM)
    z_queue = asc.TQue(asc.TPosition.VECOUT, BUFFER_NUM)
    pipe.init_buffer(x_queue, BUFFER_NUM, tile_length * size)
    pipe.init_buffer(y_queue, BUFFER_NUM, tile_length * size)
    pipe.init_buffer(z_queue, BUFFER_NUM, tile_length * size)
    for i in range(TILE_NUM * BUFFER_NUM):
        copy_in(i, x_queue, y_queue, x_gm, y_gm, tile_length)
        compute(x_queue, y_queue, z_queue, x.dtype, tile_length)
        copy_out(i, z_queue, z_gm, tile_length)
