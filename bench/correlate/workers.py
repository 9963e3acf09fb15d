"""Rows in processes of their own: several at once, and a kernel that crashes costs its row, not the run."""

import multiprocessing
import sys
import time
from multiprocessing.connection import wait
from pathlib import Path


def _work(connection, paths):
    sys.path[:0] = [path for path in paths if path not in sys.path]
    import importlib

    import _tilesmith

    _tilesmith.set_settings(threads=1, time_limit=0)
    while True:
        try:
            index, function, arguments = connection.recv()
        except EOFError:
            return
        module, name = function.split(".")
        begin = time.perf_counter()
        try:
            answer, error = getattr(importlib.import_module(module), name)(*arguments), None
        except Exception as exception:
            answer, error = None, str(exception) or type(exception).__name__
        try:
            connection.send((index, answer, time.perf_counter() - begin, error))
        except BrokenPipeError:  # nobody waits for it any more
            return


class _Worker:
    def __init__(self, context):
        self.connection, other = context.Pipe()
        here = str(Path(__file__).resolve().parent)
        self.process = context.Process(target=_work, args=(other, [here, *sys.path]), daemon=True)
        self.process.start()
        other.close()
        self.index = None


def run(tasks, jobs, done=lambda index, answer, seconds, error: None):
    """Runs [("module.function", arguments)]; `done` hears of each as it ends. Returns [(answer, seconds, error)]."""
    context = multiprocessing.get_context("spawn")
    results = [(None, 0.0, "did not run")] * len(tasks)
    todo = iter(range(len(tasks)))
    workers = []

    def next_task(worker):
        worker.index = next(todo, None)
        if worker.index is None:
            worker.connection.close()
            return False
        worker.connection.send((worker.index, *tasks[worker.index]))
        return True

    def start():
        worker = _Worker(context)
        if next_task(worker):
            workers.append(worker)

    for _ in range(max(1, min(jobs, len(tasks)))):
        start()
    while workers:
        for connection in wait([worker.connection for worker in workers]):
            worker = next(each for each in workers if each.connection is connection)
            try:
                index, answer, seconds, error = connection.recv()
            except (EOFError, ConnectionError):
                worker.process.join()
                workers.remove(worker)
                text = f"the kernel ended its process (exit code {worker.process.exitcode})"
                results[worker.index] = (None, 0.0, text)
                done(worker.index, None, 0.0, text)
                start()
                continue
            results[index] = (answer, seconds, error)
            done(index, answer, seconds, error)
            if not next_task(worker):
                workers.remove(worker)
    return results
