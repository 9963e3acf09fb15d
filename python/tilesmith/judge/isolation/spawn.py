"""How worker processes are started.

A `Child` is a fresh interpreter that runs one of our modules with a connection to us. C++ kernels run in one directly. Candidates
do not: importing torch takes longer than judging most of them. There the child is a *nursery*, which imports torch once, holds
nothing else, and forks a process per worker. There is one nursery per judge; it ends with it, and removes its folder, however the
judge ended.
"""

import os
import select
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

from . import channel

_START = 120  # seconds


class Process:
    """A process that is not our child: known by a descriptor of the kernel's, so that its number cannot be mistaken."""

    def __init__(self, pid):
        self.pid = pid
        try:
            self._fd = os.pidfd_open(pid)
        except ProcessLookupError:
            self._fd = None

    def wait(self, timeout=None):
        """Did it end in time?"""
        if self._fd is not None and select.select([self._fd], [], [], timeout)[0]:
            os.close(self._fd)
            self._fd = None
        return self._fd is None

    @property
    def ended(self):
        return self.wait(0)

    def send(self, number):
        if self._fd is not None:
            try:
                signal.pidfd_send_signal(self._fd, number)
            except ProcessLookupError:
                pass


class Child:
    """`python -m module <connection> <fds>...`, in a session of its own and without input. `connection` is our end."""

    def __init__(self, module, environment, fds=(), **options):
        self.connection, theirs = socket.socketpair()
        handed = [theirs.fileno(), *fds]
        try:
            self.process = subprocess.Popen(
                [sys.executable, "-m", module, *map(str, handed)],
                pass_fds=handed,
                env=environment,
                stdin=subprocess.DEVNULL,
                start_new_session=True,
                **options,
            )
        except BaseException:
            self.connection.close()
            raise
        finally:
            theirs.close()

    def end(self):
        """Nothing of a child outlives its owner."""
        self.connection.close()
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()


def signal_name(number):
    """`SIGSEGV (Segmentation fault)`."""
    name = signal.Signals(number).name if number in signal.valid_signals() else str(number)
    return f"{name} ({signal.strsignal(number)})"


class Nursery:
    """The judge's side. `folder` is for everything that must not outlive the judge."""

    def __init__(self, environment):
        self.owner, self.lock = os.getpid(), threading.Lock()
        child = Child("tilesmith.judge.isolation.worker", environment, cwd="/")
        self.connection, self.process = child.connection, child.process
        try:
            self.folder = channel.receive(self.connection, time.monotonic() + _START)[0]["folder"]
        except (channel.Closed, TimeoutError, ValueError) as error:
            raise OSError(f"worker processes cannot be started: {error}") from None

    def fork(self, order, fds):
        """A Process of its own for `order`, with these descriptors. Raises OSError if the nursery cannot."""
        with self.lock:
            try:
                channel.send(self.connection, order, fds, _START)
                answer, _ = channel.receive(self.connection, time.monotonic() + _START)
            except (channel.Closed, TimeoutError, ValueError) as error:
                self.process.kill()
                self.process.wait()
                raise OSError(f"worker processes cannot be started: {error}") from None
            if "error" in answer:
                raise OSError(answer["error"])
            return Process(answer["pid"])

    @property
    def usable(self):
        return self.owner == os.getpid() and self.process.poll() is None


_nursery = None
_lock = threading.Lock()


def nursery(environment):
    """This judge's nursery, which is started if need be."""
    global _nursery
    with _lock:
        if _nursery is None or not _nursery.usable:
            _nursery = Nursery(environment)
        return _nursery


def serve(connection, prepare, work):
    """The nursery itself: calls prepare(), then forks and calls work(order, fds, nursery's process id) in the fork, until the
    judge is gone."""
    folder = tempfile.mkdtemp(prefix="tilesmith-judge-")
    try:
        channel.send(connection, {"folder": folder})
        prepare()
        _serve(connection, work)
    except channel.Closed:
        pass
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _serve(connection, work):
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody here waits for them
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the judge's
    nursery = os.getpid()
    while True:
        order, fds = channel.receive(connection)
        try:
            pid = os.fork()
        except OSError as error:
            channel.send(connection, {"error": str(error)})
            pid = -1
        if pid == 0:
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            signal.signal(signal.SIGINT, signal.SIG_DFL)
            connection.close()
            os.setsid()
            try:
                work(order, fds, nursery)
            finally:
                os._exit(0)
        for fd in fds:
            os.close(fd)
        if pid > 0:
            channel.send(connection, {"pid": pid})
