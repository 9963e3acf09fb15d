"""Where the jobs of a sweep run: in processes of this machine, or on a Ray cluster.

A job is a dictionary `unit.judge` understands. `run(jobs, emit)` runs all of them and calls `emit(job, record)` in the caller's
thread for each record as it comes; the last record of a job is that of its candidate. However a job ends, it ends with such a
record. Leaving `run` by an exception, Ctrl-C included, leaves no process behind.
"""

import collections
import json
import os
import queue
import signal
import subprocess
import sys
import tempfile
import threading

ATTEMPTS = 3  # a process that was killed from outside says nothing about the candidate
TAIL = 4000


def lost_record(error_type, message):
    """The record of a candidate nobody could judge."""
    return {
        "record": "candidate",
        "status": "error",
        "validate": None,
        "verify": None,
        "bench": None,
        "error_type": error_type,
        "error_msg": message,
        "seconds": 0.0,
    }


class _Server:
    """A process of ours that judges one candidate after the other (unit.py), started when there is something to judge."""

    def __init__(self):
        self.process = self.errors = None
        self.lock, self.stopped = threading.Lock(), False

    def judge(self, job, each):
        """Calls each(record) for the records of a job; None, or how the process ended before it was done."""
        with self.lock:
            if self.stopped:
                return "stopped"
            if self.process is None:
                self.errors = tempfile.TemporaryFile()
                self.process = subprocess.Popen(
                    [sys.executable, "-m", "tilesmith.judge.sweep.unit"],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=self.errors,
                    start_new_session=True,
                )
        try:
            self.process.stdin.write(json.dumps(job).encode() + b"\n")
            self.process.stdin.flush()
            for line in self.process.stdout:
                record = json.loads(line)
                each(record)
                if record["record"] == "candidate":
                    return None
        except (BrokenPipeError, ValueError):  # gone, perhaps in the middle of a line
            pass
        return self.end()

    def end(self):
        """Makes room for another process; how this one ended."""
        with self.lock:
            process, self.process = self.process, None
        if process is None:
            return "had ended"
        process.kill()
        code = process.wait()
        process.stdout.close()
        try:
            process.stdin.close()
        except BrokenPipeError:
            pass
        with self.errors as errors:
            errors.seek(max(0, errors.seek(0, os.SEEK_END) - TAIL))
            said = errors.read().decode("utf-8", "replace").strip()
        how = f"was ended by {signal.Signals(-code).name}" if code < 0 else f"ended with status {code}"
        return how + (f"\n{said}" if said else "")

    def stop(self):
        with self.lock:
            self.stopped = True
            if self.process is not None:
                self.process.kill()  # `judge`, in its own thread, sees the end of it


class Local:
    """`count` processes, which end with us, however we end."""

    def __init__(self, count):
        self.count = count

    def run(self, jobs, emit):
        waiting, events = collections.deque(jobs), queue.Queue()
        servers = [_Server() for _ in range(min(self.count, len(waiting)))]

        def serve(server):  # the thread must live as long as its process, which is told to end with it
            try:
                while waiting and not server.stopped:
                    try:
                        job = waiting.popleft()
                    except IndexError:
                        break
                    self._attempt(server, job, events)
            finally:
                server.end()
                events.put(None)

        threads = [threading.Thread(target=serve, args=(server,), daemon=True) for server in servers]
        for thread in threads:
            thread.start()
        serving = len(threads)
        try:
            while serving:
                try:
                    event = events.get(timeout=0.5)  # without a timeout a signal would wait for the next event
                except queue.Empty:
                    continue
                if event is None:
                    serving -= 1
                else:
                    emit(*event)
        finally:
            for server in servers:
                server.stop()
            for thread in threads:
                thread.join()

    @staticmethod
    def _attempt(server, job, events):
        seen = []  # cases of an attempt that was lost need not be judged again

        def each(record):
            events.put((job, record))
            if record["record"] != "candidate":
                seen.append(record)

        for _ in range(ATTEMPTS):
            lost = server.judge({**job, "done": job["done"] + seen}, each)
            if lost is None or server.stopped:
                return
        events.put((job, lost_record("JudgeError", f"the judge's own process {lost}\nin each of {ATTEMPTS} attempts")))


class Ray:
    """The jobs as tasks of a Ray cluster. The folder of tasks travels with them; tilesmith and torch are there already."""

    def __init__(self, address, folder):
        try:
            import ray
        except ImportError:
            raise RuntimeError('the executor ray needs Ray, which is not installed: pip install "ray[client]"') from None
        self.ray = ray
        try:
            ray.init(
                address=None if address == "ray" else address,
                runtime_env={"working_dir": os.path.abspath(folder)},
                logging_level="warning",
                log_to_driver=False,
            )
        except Exception as error:  # Ray's own errors have no common base
            raise RuntimeError(f"no Ray cluster could be reached at {address}: {error}") from None

    def run(self, jobs, emit):
        from . import unit

        judge = self.ray.remote(num_cpus=1, max_retries=ATTEMPTS - 1)(unit.records)
        try:
            pending = {judge.remote({**job, "folder": "."}): job for job in jobs}
            while pending:
                [ready], _ = self.ray.wait(list(pending), num_returns=1)
                job = pending.pop(ready)
                try:
                    records = self.ray.get(ready)
                except Exception as error:
                    records = [lost_record(type(error).__name__, str(error)[-TAIL:])]
                for record in records:
                    emit(job, record)
        finally:
            self.ray.shutdown()


def make(name, count, folder):
    """The executor a command line names: `local`, `ray`, or the address of a cluster."""
    return Local(count) if name == "local" else Ray(name, folder)
