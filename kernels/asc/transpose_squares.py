"""A matrix of halves the other way round, 16 x 16 elements at a time. The same in Ascend C: kernels/ascendc/transpose_squares.cpp."""

import asc

SIDE = 16


@asc.jit
def transpose_squares(x: asc.GlobalAddress, y: asc.GlobalAddress, rows: int, columns: int):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, rows * columns)
    y_gm = asc.GlobalTensor()
    y_gm.set_global_buffer(y, rows * columns)
    pipe = asc.TPipe()
    ins = asc.TQue(asc.TPosition.VECIN, 2)
    outs = asc.TQue(asc.TPosition.VECOUT, 2)
    pipe.init_buffer(ins, 2, SIDE * SIDE * 2)
    pipe.init_buffer(outs, 2, SIDE * SIDE * 2)
    squares = rows // SIDE * (columns // SIDE)
    square = asc.get_block_idx()
    while square < squares:
        row = square // (columns // SIDE) * SIDE
        column = square % (columns // SIDE) * SIDE
        a = ins.alloc_tensor(x.dtype)
        asc.data_copy(a, x_gm[row * columns + column], asc.DataCopyParams(SIDE, 1, columns // SIDE - 1, 0))
        ins.enque(a)
        a = ins.deque(x.dtype)
        b = outs.alloc_tensor(x.dtype)
        asc.transpose(b, a)
        outs.enque(b)
        ins.free_tensor(a)
        b = outs.deque(x.dtype)
        asc.data_copy(y_gm[column * rows + row], b, asc.DataCopyParams(SIDE, 1, 0, rows // SIDE - 1))
        outs.free_tensor(b)
        square += asc.get_block_num()
