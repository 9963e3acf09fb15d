"""Softmax of rows: temporary buffers, reductions, and scalars read back from UB. The same in Ascend C:
kernels/ascendc/softmax_rows.cpp."""

import asc


@asc.jit
def scalar_of(pipe, tensor):
    event = pipe.fetch_event_id(asc.HardEvent.V_S)
    asc.set_flag(asc.HardEvent.V_S, event)
    asc.wait_flag(asc.HardEvent.V_S, event)
    return tensor.get_value(0)


@asc.jit
def softmax_rows(x: asc.GlobalAddress, y: asc.GlobalAddress, rows: int, columns: int):
    pipe = asc.TPipe()
    size = x.dtype.sizeof()
    aligned = (columns + 63) // 64 * 64
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, rows * columns)
    y_gm = asc.GlobalTensor()
    y_gm.set_global_buffer(y, rows * columns)
    ins = asc.TQue(asc.TPosition.VECIN, 2)
    outs = asc.TQue(asc.TPosition.VECOUT, 2)
    calc_buffer = asc.TBuf(asc.TPosition.VECCALC)
    work_buffer = asc.TBuf(asc.TPosition.VECCALC)
    result_buffer = asc.TBuf(asc.TPosition.VECCALC)
    pipe.init_buffer(ins, 2, aligned * size)
    pipe.init_buffer(outs, 2, aligned * size)
    pipe.init_buffer(calc_buffer, aligned * 4)
    pipe.init_buffer(work_buffer, aligned * 4)
    pipe.init_buffer(result_buffer, 32)
    copy = asc.DataCopyExtParams(1, columns * size, 0, 0, 0)
    pad = asc.DataCopyPadExtParams(x.dtype, False, 0, 0, 0)
    row = asc.get_block_idx()
    while row < rows:
        source = ins.alloc_tensor(x.dtype)
        asc.data_copy_pad(source, x_gm[row * columns], copy, pad)
        ins.enque(source)
        source = ins.deque(x.dtype)
        out = outs.alloc_tensor(x.dtype)
        calc = calc_buffer.get(asc.float32)
        work = work_buffer.get(asc.float32)
        result = result_buffer.get(asc.float32)
        if size == 2:
            asc.cast(calc, source, asc.RoundMode.CAST_NONE, columns)
        else:
            asc.adds(calc, source, 0.0, columns)
        ins.free_tensor(source)
        asc.reduce_max(result, calc, work, columns)
        asc.adds(calc, calc, -scalar_of(pipe, result), columns)
        asc.exp(calc, calc, columns)
        asc.reduce_sum(result, calc, work, columns)
        asc.muls(calc, calc, 1.0 / scalar_of(pipe, result), columns)
        if size == 2:
            asc.cast(out, calc, asc.RoundMode.CAST_RINT, columns)
        else:
            asc.adds(out, calc, 0.0, columns)
        outs.enque(out)
        out = outs.deque(x.dtype)
        asc.data_copy_pad(y_gm[row * columns], out, copy)
        outs.free_tensor(out)
        row += asc.get_block_num()
