"""Where configurations are measured: in this process, or in children forked from it, which have the kernel and its arguments.

`run(jobs, emit)` measures jobs, each (index, config, limit, how), and calls emit(index, outcome) for each as it comes. Leaving by an
exception, Ctrl-C included, leaves no child behind.
"""

from __future__ import annotations

import json
import os
import select
import signal
import struct
import sys
import threading

from .measure import HOW, measure, quiet

LOST = 3  # attempts before a configuration whose process dies is given up


class Inline:
    """Here, one after the other."""

    count = 1

    def __init__(self, task):
        self.task = task

    def run(self, jobs, emit):
        for index, config, limit, how in jobs:
            with quiet():
                outcome = measure(self.task, config, limit, how)
            emit(index, outcome)

    def close(self):
        pass


class _Child:
    """A forked process that measures one configuration after another."""

    def __init__(self, task, configs):
        ours_in, theirs_out = os.pipe()
        theirs_in, ours_out = os.pipe()
        sys.stdout.flush()
        sys.stderr.flush()
        self.pid = os.fork()
        if self.pid == 0:
            os.close(ours_in)
            os.close(ours_out)
            status = 1
            try:
                signal.signal(signal.SIGINT, signal.SIG_DFL)  # the parent says when to end
                _serve(task, configs, theirs_in, theirs_out)
                status = 0
            finally:
                os._exit(status)
        os.close(theirs_in)
        os.close(theirs_out)
        self.incoming, self.outgoing = ours_in, ours_out
        self.job = None

    def ask(self, job):
        self.job = job
        index, _, limit, how = job
        try:
            os.write(self.outgoing, struct.pack("<qqb", index, limit, HOW.index(how)))
        except BrokenPipeError:
            pass  # its end is seen when its answer is read

    def answer(self):
        """The outcome, or None if the process has ended."""
        size = _read_all(self.incoming, 8)
        body = _read_all(self.incoming, struct.unpack("<q", size)[0]) if size else None
        return json.loads(body) if body else None

    def end(self):
        for fd in (self.incoming, self.outgoing):
            os.close(fd)
        try:
            os.kill(self.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        return os.waitpid(self.pid, 0)[1]


def _read_all(fd, count):
    parts = b""
    while len(parts) < count:
        part = os.read(fd, count - len(parts))
        if not part:
            return None
        parts += part
    return parts


def _serve(task, configs, incoming, outgoing):
    import _tilesmith

    with quiet():
        _tilesmith.set_settings(threads=1)
        while request := _read_all(incoming, 17):
            index, limit, how = struct.unpack("<qqb", request)
            body = json.dumps(measure(task, configs[index], limit, HOW[how])).encode()
            os.write(outgoing, struct.pack("<q", len(body)))
            while body:
                body = body[os.write(outgoing, body) :]


class Forked:
    """`count` children. They are started with the first jobs and end with `close`."""

    def __init__(self, task, configs, count):
        self.task, self.configs, self.count = task, configs, count
        self.children = []

    def run(self, jobs, emit):
        waiting = list(jobs)[::-1]
        attempts = {}
        idle = [child for child in self.children if child.job is None]
        while waiting or any(child.job for child in self.children):
            while waiting and (idle or len(self.children) < self.count):
                if not idle:
                    self.children.append(_Child(self.task, self.configs))
                    idle.append(self.children[-1])
                idle.pop().ask(waiting.pop())
            busy = {child.incoming: child for child in self.children if child.job}
            for fd in select.select(list(busy), [], [])[0]:
                child = busy[fd]
                outcome, job, child.job = child.answer(), child.job, None
                if outcome is not None:
                    idle.append(child)
                    emit(job[0], outcome)
                    continue
                self.children.remove(child)
                how = child.end()
                attempts[job[0]] = attempts.get(job[0], 0) + 1
                if attempts[job[0]] < LOST and os.WIFSIGNALED(how) and os.WTERMSIG(how) == signal.SIGKILL:
                    waiting.append(job)  # killed from outside, perhaps for memory
                else:
                    name = signal.Signals(os.WTERMSIG(how)).name if os.WIFSIGNALED(how) else f"status {os.WEXITSTATUS(how)}"
                    emit(job[0], {"status": "invalid", "reason": f"the process that measured it ended with {name}"})

    def close(self):
        while self.children:
            self.children.pop().end()


def make(task, configs, jobs):
    """Workers for a search: children where that is safe and worth it."""
    if jobs > 1 and len(configs) > 2 and hasattr(os, "fork") and threading.active_count() == 1:
        return Forked(task, configs, min(jobs, len(configs)))
    return Inline(task)
