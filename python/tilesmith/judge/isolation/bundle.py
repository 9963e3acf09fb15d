"""Values of one process in the hands of another: what a worker gave, and what it was given."""

import fcntl
import hashlib
import mmap
import os
import weakref

from . import wire

_WINDOW = 64 << 20  # bytes of a file that are mapped at a time


class Bundle:
    """Values of a worker: their description, and the file with their bytes (wire.py)."""

    def __init__(self, description, fd):
        self.description, self.fd = description, fd
        self._mapped = None
        self._close = weakref.finalize(self, os.close, fd)

    @property
    def values(self):
        return self.description["values"]

    def memory(self):
        """The whole file, read-only."""
        if self._mapped is None and os.fstat(self.fd).st_size:
            self._mapped = mmap.mmap(self.fd, 0, mmap.MAP_SHARED, mmap.PROT_READ)
        return memoryview(self._mapped) if self._mapped is not None else memoryview(b"")

    def bytes_of(self, tensor):
        """The bytes of a contiguous tensor, as a view of the file."""
        begin = self.description["blobs"][tensor["blob"]][0] + tensor["offset"]
        return self.memory()[begin : begin + wire.numel(tensor["shape"]) * wire.SIZES[tensor["dtype"]]]

    def close(self):
        self._mapped = None  # views of it keep it alive as long as they need it
        self._close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


class OnDevice:
    """A bundle in the memory of a device: what a worker was handed is where it is."""

    def __init__(self, device, bundle, slot):
        self.device, self.slot = device, slot
        blobs = device.ask("put", bundle, inputs=bundle.description, slot=slot)[0]["blobs"]
        self.description = {"values": bundle.values, "blobs": blobs}

    def changed(self):
        return bool(self.device.ask("changed", slot=self.slot)[0]["changed"])

    def close(self):
        pass  # the memory is the device's, who drops it for the next one


class Handed:
    """A copy of a bundle in a worker's hands. The file can be written by it, and not be cut short."""

    def __init__(self, bundle):
        self.description = bundle.description
        size = os.fstat(bundle.fd).st_size
        self.fd = os.memfd_create("tilesmith-inputs", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
        self._close = weakref.finalize(self, os.close, self.fd)
        os.ftruncate(self.fd, size)
        done = 0
        while done < size:
            done += os.sendfile(self.fd, bundle.fd, done, size - done)
        fcntl.fcntl(self.fd, fcntl.F_ADD_SEALS, fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_GROW | fcntl.F_SEAL_SEAL)
        self.before = self.hash()

    def hash(self):
        size, hasher = os.fstat(self.fd).st_size, hashlib.sha256()
        for begin in range(0, size, _WINDOW):
            with mmap.mmap(self.fd, min(_WINDOW, size - begin), mmap.MAP_SHARED, mmap.PROT_READ, offset=begin) as memory:
                hasher.update(memory)
        return hasher.hexdigest()

    def changed(self):
        """Were the inputs, or the bytes behind them, written?"""
        return self.hash() != self.before

    def close(self):
        self._close()
