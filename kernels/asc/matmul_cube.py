"""C = A * B on the matrix unit of the 910B: queues from L1 to L0 to L0C, ND to NZ on the way in, rows on the way out. A block
computes m rows of C. The same in Ascend C: kernels/ascendc/matmul_cube.cpp."""

import asc
from asc.runtime.config import KernelType


@asc.jit
def split(dst, src, count, repeats, stride, step, transposes):
    """Fractals of L1 to L0, a row of them at a time, as the unit reads them."""
    params = asc.LoadData2DParams()
    params.repeat_times = repeats
    params.src_stride = stride
    params.if_transpose = transposes
    for i in asc.range(count):
        asc.load_data(dst[i * step], src[i * 16 * 16], params)


@asc.jit(kernel_type=KernelType.AIC_ONLY)
def matmul_cube(a: asc.GlobalAddress, b: asc.GlobalAddress, c: asc.GlobalAddress, m: int, n: int, k: int):
    pipe = asc.TPipe()
    a_gm = asc.GlobalTensor()
    a_gm.set_global_buffer(a + asc.get_block_idx() * m * k)
    b_gm = asc.GlobalTensor()
    b_gm.set_global_buffer(b)
    c_gm = asc.GlobalTensor()
    c_gm.set_global_buffer(c + asc.get_block_idx() * m * n)
    a1_queue = asc.TQue(asc.TPosition.A1, 1)
    a2_queue = asc.TQue(asc.TPosition.A2, 1)
    b1_queue = asc.TQue(asc.TPosition.B1, 1)
    b2_queue = asc.TQue(asc.TPosition.B2, 1)
    c1_queue = asc.TQue(asc.TPosition.CO1, 1)
    pipe.init_buffer(a1_queue, 1, m * k * 2)
    pipe.init_buffer(a2_queue, 1, m * k * 2)
    pipe.init_buffer(b1_queue, 1, k * n * 2)
    pipe.init_buffer(b2_queue, 1, k * n * 2)
    pipe.init_buffer(c1_queue, 1, m * n * 4)

    a1 = a1_queue.alloc_tensor(a.dtype)
    b1 = b1_queue.alloc_tensor(b.dtype)
    asc.data_copy(a1, a_gm, asc.Nd2NzParams(1, m, k, 0, k, m, 1, 0))
    asc.data_copy(b1, b_gm, asc.Nd2NzParams(1, k, n, 0, n, k, 1, 0))
    a1_queue.enque(a1)
    b1_queue.enque(b1)

    a1 = a1_queue.deque(a.dtype)
    a2 = a2_queue.alloc_tensor(a.dtype)
    split(a2, a1, m // 16, k // 16, m // 16, 16 * k, False)
    a2_queue.enque(a2)
    a1_queue.free_tensor(a1)

    b1 = b1_queue.deque(b.dtype)
    b2 = b2_queue.alloc_tensor(b.dtype)
    split(b2, b1, k // 16, n // 16, k // 16, 16 * n, True)
    b2_queue.enque(b2)
    b1_queue.free_tensor(b1)

    a2 = a2_queue.deque(a.dtype)
    b2 = b2_queue.deque(b.dtype)
    c1 = c1_queue.alloc_tensor(c.dtype)
    asc.mmad(c1, a2, b2, asc.MmadParams(m, n, k))
    c1_queue.enque(c1)
    a2_queue.free_tensor(a2)
    b2_queue.free_tensor(b2)

    c1 = c1_queue.deque(c.dtype)
    asc.fixpipe(c_gm, c1, asc.FixpipeParamsV220(n, m, m, n))
    c1_queue.free_tensor(c1)
