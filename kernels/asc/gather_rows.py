"""y[i] = x[index[i]] for a table that fits into UB: indices become offsets in bytes. The same in Ascend C:
kernels/ascendc/gather_rows.cpp."""

import asc

TILE = 512


@asc.jit
def gather_rows(x: asc.GlobalAddress, index: asc.GlobalAddress, y: asc.GlobalAddress, entries: int, length: int):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, entries)
    index_gm = asc.GlobalTensor()
    index_gm.set_global_buffer(index, length)
    y_gm = asc.GlobalTensor()
    y_gm.set_global_buffer(y, length)
    pipe = asc.TPipe()
    table_queue = asc.TQue(asc.TPosition.VECIN, 1)
    ins = asc.TQue(asc.TPosition.VECIN, 2)
    outs = asc.TQue(asc.TPosition.VECOUT, 2)
    pipe.init_buffer(table_queue, 1, entries * 4)
    pipe.init_buffer(ins, 2, TILE * 4)
    pipe.init_buffer(outs, 2, TILE * 4)
    table = table_queue.alloc_tensor(asc.float32)
    asc.data_copy(table, x_gm, entries)
    table_queue.enque(table)
    table = table_queue.deque(asc.float32)
    at = asc.get_block_idx() * TILE
    while at < length:
        a = ins.alloc_tensor(asc.int32)
        asc.data_copy(a, index_gm[at], TILE)
        ins.enque(a)
        a = ins.deque(asc.int32)
        b = outs.alloc_tensor(asc.float32)
        asc.muls(a, a, 4, TILE)
        asc.gather(b, table, a.reinterpret_cast(asc.uint32), 0, TILE)
        outs.enque(b)
        ins.free_tensor(a)
        b = outs.deque(asc.float32)
        asc.data_copy(y_gm[at], b, TILE)
        outs.free_tensor(b)
        at += asc.get_block_num() * TILE
    table_queue.free_tensor(table)
