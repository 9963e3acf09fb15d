"""Sums of the first `width` elements of rows of 64: one reduction with a mask for many rows. The same in Ascend C:
kernels/ascendc/sum_masked.cpp."""

import asc

COLUMNS = 64
ROWS = 32  # at once


@asc.jit
def sum_masked(x: asc.GlobalAddress, y: asc.GlobalAddress, rows: int, width: int):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, rows * COLUMNS)
    y_gm = asc.GlobalTensor()
    y_gm.set_global_buffer(y, rows)
    pipe = asc.TPipe()
    ins = asc.TQue(asc.TPosition.VECIN, 2)
    outs = asc.TQue(asc.TPosition.VECOUT, 2)
    pipe.init_buffer(ins, 2, ROWS * COLUMNS * 4)
    pipe.init_buffer(outs, 2, ROWS * 4)
    row = asc.get_block_idx() * ROWS
    while row < rows:
        a = ins.alloc_tensor(asc.float32)
        asc.data_copy(a, x_gm[row * COLUMNS], ROWS * COLUMNS)
        ins.enque(a)
        a = ins.deque(asc.float32)
        b = outs.alloc_tensor(asc.float32)
        asc.whole_reduce_sum(b, a, width, ROWS, 1, 1, 8)
        outs.enque(b)
        ins.free_tensor(a)
        b = outs.deque(asc.float32)
        asc.data_copy(y_gm[row], b, ROWS)
        outs.free_tensor(b)
        row += asc.get_block_num() * ROWS
