"""The parent's side of a worker: hands over arguments, watches over it. Its process is a Child of tilesmith.judge.isolation.

Every way a kernel can end its process (signals, exit, a hang) is an error that names the kernel; the next launch starts a
fresh worker.
"""

import json
import mmap
import os
import signal
import subprocess
import sys
import threading
import time
import weakref

from tilesmith.judge.isolation import channel, spawn

from asc.runtime.errors import KernelError

MARK = b"\0tilesmith-printed"  # on the worker's standard output: everything of this request was printed


def _end(child, crash):
    child.end()
    crash.close()


class Worker:
    """One process with one library loaded."""

    def __init__(self, library):
        crash_read, crash_write = os.pipe()
        environment = dict(os.environ, PYTHONPATH=os.pathsep.join(path for path in sys.path if path))
        try:
            child = spawn.Child("asc.runtime.ascendc.worker", environment, [crash_write], stdout=subprocess.PIPE)
        finally:
            os.close(crash_write)
        self.connection, self.process, self.crash = child.connection, child.process, os.fdopen(crash_read, "rb", buffering=0)
        os.set_blocking(crash_read, False)
        self.memory, self.memory_fd, self.memory_sent = None, -1, False
        self._segments = {}  # of devices, that the worker has mapped: number to address
        self._close = weakref.finalize(self, _end, child, self.crash)
        self.printed = threading.Event()
        threading.Thread(target=_forward, args=(self.process.stdout, self.printed), daemon=True).start()
        self.kernels = self.ask({"command": "load", "library": library}, "loading the library", 60)["kernels"]

    def close(self):
        self._close()
        self.drop_memory()

    def drop_memory(self):
        if self.memory is not None:
            self.memory.close()
            os.close(self.memory_fd)
            self.memory = None

    def shared(self, size):
        """Shared memory of at least this size; kept from launch to launch."""
        if self.memory is not None and len(self.memory) >= size:
            return self.memory
        self.drop_memory()
        size = max(size, 1 << 16)
        self.memory_fd = os.memfd_create("tilesmith-arguments")
        os.ftruncate(self.memory_fd, size)
        self.memory, self.memory_sent = mmap.mmap(self.memory_fd, size), False
        return self.memory

    def _share(self, request, on_device):
        """Tells the worker of segments of devices it has to map, and of those that are gone; files to send."""
        import _tilesmith

        gone = [number for number, at in self._segments.items() if (_tilesmith.heap_segment(at) or (None,))[0] != number]
        for number in gone:
            del self._segments[number]
        new = {each.segment: each for each in on_device if each.file >= 0 and each.segment not in self._segments}
        self._segments.update({number: each.where for number, each in new.items()})
        request["segments"], request["segments_gone"] = list(new), gone
        return [each.file for each in new.values()]

    def ask(self, request, what, timeout, on_device=()):
        """Sends a request and waits for its answer; an answer that never comes is an error."""
        deadline = None if timeout is None else time.monotonic() + timeout
        self.printed.clear()
        try:
            fds = [self.memory_fd] if self.memory is not None and not self.memory_sent else []
            request["memory"] = bool(fds)
            if on_device or self._segments:
                fds = fds + self._share(request, on_device)
            channel.send(self.connection, request, fds, timeout)
            self.memory_sent = True
            answer, _ = channel.receive(self.connection, deadline, limit=None)  # a timeline may be long, and is our own code's
            self.printed.wait(5)
        except TimeoutError:
            self.process.send_signal(signal.SIGABRT)  # it notes where it is
            place, block, _ = self._last_words()
            self.close()
            raise KernelError(
                f"{place}error: {what}{block} did not end within {timeout:g} s and was stopped [kernel.timeout]\n"
                + (
                    "help: the last instruction was issued on that line; the loop that does not end comes after it\n"
                    if place
                    else ""
                )
                + "help: a longer limit is given by timeout= (seconds), or None for none"
            ) from None
        except channel.Closed:
            text = self._obituary(what)
            self.close()
            raise KernelError(text) from None
        except BaseException:  # Ctrl-C: the worker must not go on behind the user's back
            self.close()
            raise
        if "error" in answer:
            raise RuntimeError(f"{what}: {answer['text']}" if answer["error"] != "KernelError" else answer["text"])
        return answer

    def _last_words(self):
        """("file:line: ", ", block 3", the note) of a worker that dies; empty where it does not tell."""
        try:
            self.process.wait(timeout=5)
        except subprocess.TimeoutExpired:
            pass
        try:
            note = json.loads(self.crash.read() or b"{}")
        except (ValueError, OSError):
            note = {}
        place = f"{note['file']}:{note['line']}: " if note.get("file") else ""
        return place, f", block {note['block']}" if "block" in note else "", note

    def _obituary(self, what):
        """What is known of a worker that died."""
        place, block, note = self._last_words()
        status = self.process.returncode
        if status is not None and status < 0:
            how = f"was ended by {spawn.signal_name(-status)}"
        elif "signal" in note:
            how = f"was ended by {spawn.signal_name(note['signal'])}"
        else:
            how = f"left the process with status {status}"
        hint = (
            (
                "\nhelp: the last instruction was issued on that line; what followed it in C++ read or wrote memory that is not "
                "the kernel's"
            )
            if place
            else ""
        )
        return f"{place}error: {what}{block} {how} [kernel.died]{hint}"


def _forward(stream, printed):
    """What kernels print goes where Python's own output goes now; a mark from the worker says that a launch printed all."""
    with stream:
        for line in stream:
            text, mark, _ = line.partition(MARK)
            if text:
                sys.stdout.write(text.decode(errors="replace"))
            if mark:
                printed.set()
    printed.set()
