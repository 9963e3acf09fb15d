"""The k largest of each row of 1024 scores with their places, by the chip's sorting: squares of 32, merges, and the records apart
again. The same in Ascend C: kernels/ascendc/top_k.cpp."""

import asc

COLUMNS = 1024


@asc.jit
def top_k(x: asc.GlobalAddress, numbers: asc.GlobalAddress, scores: asc.GlobalAddress, places: asc.GlobalAddress, rows: int, k: int):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, rows * COLUMNS)
    numbers_gm = asc.GlobalTensor()
    numbers_gm.set_global_buffer(numbers, COLUMNS)
    scores_gm = asc.GlobalTensor()
    scores_gm.set_global_buffer(scores, rows * k)
    places_gm = asc.GlobalTensor()
    places_gm.set_global_buffer(places, rows * k)
    pipe = asc.TPipe()
    ins = asc.TQue(asc.TPosition.VECIN, 1)
    index_queue = asc.TQue(asc.TPosition.VECIN, 1)
    score_queue = asc.TQue(asc.TPosition.VECOUT, 1)
    place_queue = asc.TQue(asc.TPosition.VECOUT, 1)
    sorted_buffer = asc.TBuf(asc.TPosition.VECCALC)
    work_buffer = asc.TBuf(asc.TPosition.VECCALC)
    pipe.init_buffer(ins, 2, COLUMNS * 4)
    pipe.init_buffer(index_queue, 1, COLUMNS * 4)
    pipe.init_buffer(score_queue, 1, COLUMNS * 4)
    pipe.init_buffer(place_queue, 1, COLUMNS * 4)
    pipe.init_buffer(sorted_buffer, COLUMNS * 8)
    pipe.init_buffer(work_buffer, COLUMNS * 8)
    index = index_queue.alloc_tensor(asc.uint32)
    asc.data_copy(index, numbers_gm, COLUMNS)
    index_queue.enque(index)
    index = index_queue.deque(asc.uint32)
    records = sorted_buffer.get(asc.float32)
    work = work_buffer.get(asc.float32)
    row = asc.get_block_idx()
    while row < rows:
        a = ins.alloc_tensor(asc.float32)
        asc.data_copy(a, x_gm[row * COLUMNS], COLUMNS)
        ins.enque(a)
        a = ins.deque(asc.float32)
        asc.sort(records, a, index, work, COLUMNS // 32, True)
        best = score_queue.alloc_tensor(asc.float32)
        where = place_queue.alloc_tensor(asc.uint32)
        asc.extract(best, where, records, COLUMNS // 32)
        score_queue.enque(best)
        place_queue.enque(where)
        ins.free_tensor(a)
        best = score_queue.deque(asc.float32)
        where = place_queue.deque(asc.uint32)
        asc.data_copy_pad(scores_gm[row * k], best, asc.DataCopyExtParams(1, k * 4, 0, 0, 0))
        asc.data_copy_pad(places_gm[row * k], where, asc.DataCopyExtParams(1, k * 4, 0, 0, 0))
        score_queue.free_tensor(best)
        place_queue.free_tensor(where)
        row += asc.get_block_num()
    index_queue.free_tensor(index)
