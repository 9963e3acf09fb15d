"""y = x where lower < x < upper, otherwise fill: comparisons to bits, selection by them. The same in Ascend C:
kernels/ascendc/clip_select.cpp."""

import asc

TILE = 512


@asc.jit
def clip_select(x: asc.GlobalAddress, y: asc.GlobalAddress, length: int, lower: float, upper: float, fill: float):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, length)
    y_gm = asc.GlobalTensor()
    y_gm.set_global_buffer(y, length)
    pipe = asc.TPipe()
    ins = asc.TQue(asc.TPosition.VECIN, 2)
    outs = asc.TQue(asc.TPosition.VECOUT, 2)
    mask_buffer = asc.TBuf(asc.TPosition.VECCALC)
    fill_buffer = asc.TBuf(asc.TPosition.VECCALC)
    pipe.init_buffer(ins, 2, TILE * 4)
    pipe.init_buffer(outs, 2, TILE * 4)
    pipe.init_buffer(mask_buffer, TILE // 8)
    pipe.init_buffer(fill_buffer, TILE * 4)
    mask = mask_buffer.get(asc.uint8)
    other = fill_buffer.get(asc.float32)
    asc.duplicate(other, fill, TILE)
    mode = asc.SelMode.VSEL_TENSOR_TENSOR_MODE
    offset = asc.get_block_idx() * TILE
    while offset < length:
        a = ins.alloc_tensor(asc.float32)
        asc.data_copy(a, x_gm[offset], TILE)
        ins.enque(a)
        a = ins.deque(asc.float32)
        b = outs.alloc_tensor(asc.float32)
        asc.compare_scalar(mask, a, lower, asc.CMPMODE.GT, TILE)
        asc.select(b, mask, a, other, mode, TILE)
        asc.compare_scalar(mask, a, upper, asc.CMPMODE.LT, TILE)
        asc.select(b, mask, b, other, mode, TILE)
        outs.enque(b)
        ins.free_tensor(a)
        b = outs.deque(asc.float32)
        asc.data_copy(y_gm[offset], b, TILE)
        outs.free_tensor(b)
        offset += asc.get_block_num() * TILE
