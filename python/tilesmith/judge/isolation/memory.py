"""Mapped files for the worker: a tensor in one has nothing it may touch on either side of it."""

import ctypes
import mmap
import os
import weakref

PAGE = mmap.PAGESIZE
_MAP_FIXED = 0x10


class Memory:
    """A file mapped with inaccessible pages on both sides; it stays mapped as long as somebody uses it."""

    def __init__(self, fd):
        self.size = os.fstat(fd).st_size
        libc = ctypes.CDLL(None, use_errno=True)
        libc.mmap.restype = ctypes.c_void_p
        libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long]
        length = (self.size + PAGE - 1) // PAGE * PAGE
        room = libc.mmap(None, length + 2 * PAGE, 0, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, -1, 0)
        if room == ctypes.c_void_p(-1).value:
            raise MemoryError(f"no room for {length} bytes of inputs")
        self.address = room + PAGE
        if length:
            placed = libc.mmap(self.address, length, mmap.PROT_READ | mmap.PROT_WRITE, mmap.MAP_SHARED | _MAP_FIXED, fd, 0)
            if placed != self.address:
                libc.munmap(ctypes.c_void_p(room), ctypes.c_size_t(length + 2 * PAGE))
                raise MemoryError(f"{length} bytes of inputs could not be mapped")
        weakref.finalize(self, libc.munmap, ctypes.c_void_p(room), ctypes.c_size_t(length + 2 * PAGE)).atexit = False
