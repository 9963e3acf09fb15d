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
    return {"record": "candidate", "status": "error", "validate": None, "verify": None, "bench": None, "error_type": error_type,
            "error_msg": message, "seconds": 0.0}


class Local:
    """`count` jobs at a time, each in a process of its own that ends with us, however we end."""

    def __init__(self, count):
        self.count = count

    def run(self, jobs, emit):
        waiting = collections.deque(jobs)
        if not waiting:
            return
        events, live, lock, stop = queue.Queue(), {}, threading.Lock(), threading.Event()

        def serve():  # the thread must live as long as its processes: they are told to end with it
            try:
                while not stop.is_set():
                    try:
                        job = waiting.popleft()
                    except IndexError:
                        return
                    self._attempt(job, events, live, lock, stop)
            finally:
                events.put(None)

        threads = [threading.Thread(target=serve, daemon=True) for _ in range(min(self.count, len(waiting)))]
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
            stop.set()
            with lock:
                for process in live.values():
                    process.kill()
            for thread in threads:
                thread.join()

    def _attempt(self, job, events, live, lock, stop):
        seen = []  # cases of an attempt that was lost need not be judged again
        for attempt in range(ATTEMPTS):
            with tempfile.TemporaryFile() as errors:
                with lock:
                    if stop.is_set():
                        return
                    process = subprocess.Popen([sys.executable, "-m", "tilesmith.judge.unit"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                               stderr=errors, start_new_session=True)
                    live[process.pid] = process
                finished = self._read(process, {**job, "done": job["done"] + seen}, events, job, seen)
                code = process.wait()
                with lock:
                    del live[process.pid]
                if finished or stop.is_set():
                    return
                errors.seek(max(0, errors.seek(0, os.SEEK_END) - TAIL))
                said = errors.read().decode("utf-8", "replace").strip()
        how = f"was ended by {signal.Signals(-code).name}" if code < 0 else f"ended with status {code}"
        events.put((job, lost_record("JudgeError", f"the judge's own process {how}, {ATTEMPTS} times" + (f"\n{said}" if said else ""))))

    @staticmethod
    def _read(process, sent, events, job, seen):
        """Passes the records of a process on. Whether the last was that of the candidate."""
        with process.stdin as stdin, process.stdout as stdout:
            try:
                stdin.write(json.dumps(sent).encode())
                stdin.close()
            except BrokenPipeError:
                return False
            for line in stdout:
                try:
                    record = json.loads(line)
                except ValueError:  # torn: the process was killed while it wrote
                    return False
                events.put((job, record))
                if record["record"] == "candidate":
                    return True
                seen.append(record)
        return False


class Ray:
    """The jobs as tasks of a Ray cluster. The folder of tasks travels with them; tilesmith and torch are there already."""

    def __init__(self, address, folder):
        try:
            import ray
        except ImportError:
            raise RuntimeError('the executor ray needs Ray, which is not installed: pip install "ray[client]"') from None
        self.ray = ray
        try:
            ray.init(address=None if address == "ray" else address, runtime_env={"working_dir": os.path.abspath(folder)},
                     logging_level="warning", log_to_driver=False)
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
