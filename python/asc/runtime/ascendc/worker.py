"""The process a user's C++ kernel runs in.

It owns nothing of the user's: arguments come in shared memory, findings and times go back as messages. It may die at any
moment; its parent then says what it was doing.
"""

import ctypes
import mmap
import os
import socket
import sys

import _tilesmith
from tilesmith.judge.isolation import channel, syscalls

from .. import timeline
from .process import MARK

_libc = ctypes.CDLL(None)
_libc.fflush.argtypes = [ctypes.c_void_p]


class _Arguments:
    """The shared memory, segments of devices, and views of the arrays in them."""

    def __init__(self):
        self.memory, self.segments = None, {}

    def take(self, request, fds):
        """Maps what came with a request; views of what is mapped no more keep it alive as long as they need it."""
        files = iter(fds)
        if request.get("memory"):
            self.memory = self._mapped(next(files))
        for number in request.get("segments_gone", ()):
            self.segments.pop(number, None)
        for number in request.get("segments", ()):
            self.segments[number] = self._mapped(next(files))

    def places(self, spans):
        """[(number of a segment, begin, end)] of addresses; what is in no segment is left out."""
        begins = {number: ctypes.addressof(ctypes.c_uint8.from_buffer(memory)) for number, memory in self.segments.items()}
        return [
            (number, begin - at, end - at)
            for begin, end in spans
            for number, at in begins.items()
            if at <= begin < at + len(self.segments[number])
        ]

    @staticmethod
    def _mapped(fd):
        memory = mmap.mmap(fd, os.fstat(fd).st_size)
        os.close(fd)
        return memory

    def values(self, described):
        for argument in described:
            if "offset" in argument:
                begin = argument["offset"]
                memory = self.segments[argument["segment"]] if "segment" in argument else self.memory
                yield (ctypes.c_uint8 * argument["size"]).from_buffer(memory, begin) if argument["size"] else None
            elif "struct" in argument:
                yield bytearray.fromhex(argument["struct"])
            else:
                yield argument["value"]


def _launch(kernels, request, arguments):
    seen = []
    for path in filter(None, request["platform_path"].split(os.pathsep)):  # what was added or changed since this process began
        _tilesmith.add_platforms(path)
    _tilesmith.set_platform(request["platform"])
    _tilesmith.set_settings(recorder=seen, raise_findings=False, **request["settings"])
    kernels[request["kernel"]].named(request["names"], request["types"])[request["blocks"]](*arguments.values(request["arguments"]))
    if "touched" in seen[0]:
        touched = seen[0]["touched"]
        touched.update({kind: arguments.places(touched[kind]) for kind in ("reads", "writes", "tables")})
    return timeline.pack(seen[0])


def main():
    connection = socket.socket(fileno=int(sys.argv[1]))
    _tilesmith.install_crash_handler(int(sys.argv[2]))
    if os.environ.get(syscalls.WANTED):
        syscalls.only_from_here()
        syscalls.hide_memory()
    kernels, arguments = {}, _Arguments()
    while True:
        try:
            request, fds = channel.receive(connection, limit=None)
        except channel.Closed:
            return 0
        arguments.take(request, fds)
        try:
            if request["command"] == "load":
                kernels = _tilesmith.load_kernel_library(request["library"])
                answer = {
                    "kernels": {name: [(p["kind"], p["size"]) for p in kernel.parameters] for name, kernel in kernels.items()}
                }
            else:
                answer = {"facts": _launch(kernels, request, arguments)}
        except Exception as error:  # the parent raises it where the user can see it
            answer = {"error": type(error).__name__, "text": str(error)}
        _libc.fflush(None)  # what the kernel printed through C
        sys.stdout.flush()
        os.write(1, MARK + b"\n")
        channel.send(connection, answer)


if __name__ == "__main__":
    sys.exit(main())
