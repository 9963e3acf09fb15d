"""How fast the judge compares: 1 GiB of float16 against golden, beside the time it takes to read both.

    ./dev run bench/compare.py [MiB per side] [dtype]

Both sides lie in memory files, as between the judge and its workers. "read" is read() of both files into small buffers, by as
many threads as the comparison has. Rounds of both alternate and medians are compared. The time of all cores says the same on a
machine that is busy with other things.
"""

import os
import resource
import statistics
import sys
import threading
import time

import _tilesmith
import numpy as np

ROUNDS = 7
THREADS = len(os.sched_getaffinity(0))
SIZES = {"float8_e4m3fn": 1, "int8": 1, "float16": 2, "bfloat16": 2, "int32": 4, "float32": 4, "float64": 8, "int64": 8}


def fill(fd, size, change):
    block = np.random.default_rng(1).standard_normal(1 << 20).astype(np.float16)
    if change:
        block = (block.astype(np.float32) * np.float32(1 + 2.0**-10)).astype(np.float16)
    data = block.tobytes()
    os.ftruncate(fd, size)
    for begin in range(0, size, len(data)):
        os.pwrite(fd, data[: size - begin], begin)


def read(fds, size):
    """All of both files, shared between threads in pieces."""
    pieces = [(fd, begin) for fd in fds for begin in range(0, size, 8 << 20)]

    def work(mine):
        buffer = bytearray(1 << 18)
        for fd, begin in mine:
            for offset in range(begin, min(begin + (8 << 20), size), len(buffer)):
                os.preadv(fd, [buffer], offset)

    threads = [threading.Thread(target=work, args=(pieces[i::THREADS],)) for i in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def timed(action):
    """(seconds, seconds of all cores)."""
    begin, cores = time.perf_counter(), time.process_time()
    action()
    return time.perf_counter() - begin, time.process_time() - cores


def main():
    size = int(sys.argv[1]) << 20 if len(sys.argv) > 1 else 1 << 30
    dtype = sys.argv[2] if len(sys.argv) > 2 else "float16"
    fds = [os.memfd_create("candidate"), os.memfd_create("golden")]
    for fd, change in zip(fds, (True, False)):
        fill(fd, size, change)
    count = size // SIZES[dtype]

    def compare():
        return _tilesmith.compare((fds[0], 0), dtype, (fds[1], 0), dtype, count)

    rounds = [timed(lambda: read(fds, size)) + timed(compare) for _ in range(ROUNDS)]
    reading, reading_cores, comparing, comparing_cores = map(statistics.median, zip(*rounds))
    facts = compare()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{dtype}, 2 x {size >> 20} MiB, {THREADS} threads: MERE {facts['mere']:.3g}, MARE {facts['mare']:.3g}")
    print(f"  read     {reading:7.3f} s   {2 * size / reading / 1e9:6.1f} GB/s")
    print(f"  compare  {comparing:7.3f} s   {2 * size / comparing / 1e9:6.1f} GB/s   {comparing / reading:.2f} x read")
    print(
        f"  cores    {reading_cores:7.3f} s to read, {comparing_cores:.3f} s to compare   {comparing_cores / reading_cores:.2f} x"
    )
    print(f"  peak memory of the process {peak:.0f} MiB")


if __name__ == "__main__":
    main()
