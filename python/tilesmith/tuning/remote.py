"""Configurations measured on a Ray cluster: a task runs the script up to the launch that is tuned, and measures there."""

import os

ATTEMPTS = 3


class _Done(KeyboardInterrupt):
    """The launch was reached; the rest of the script is of no interest. It ends as by Ctrl-C, which nobody reports as an error."""


def measure_launch(where, jobs):
    """Outcomes of jobs (index, values, limit, how) for launch `number` of a script; runs in a process of its own."""
    import _tilesmith
    from asc.runtime import config
    from asc.runtime.tuning.config import Config
    from asc.runtime.tuning.measure import Task, measure, quiet

    from tilesmith import script
    from tilesmith.document import Document

    outcomes, heard = [], 0

    def reached(kernel, blocks, arguments):
        task = Task(kernel, arguments, blocks)
        with quiet():
            _tilesmith.set_settings(threads=1)
            for index, values, limit, how in jobs:
                outcomes.append((index, measure(task, Config(**values), limit, how)))
        raise _Done

    class Listener:
        def launched(self, kernel, blocks, arguments):
            nonlocal heard
            heard += 1
            if heard == where["number"]:
                fixed = {name: value for name, value in arguments.items() if name not in where["tuned"]}
                reached(kernel, blocks, fixed)

        def autotuned(self, kernel, blocks, arguments, given):
            nonlocal heard
            heard += 1
            if heard == where["number"]:
                reached(kernel.kernel, blocks, arguments)
            return kernel._search(blocks, arguments, given, jobs=1)

    from .session import listening

    if where["platform"]:
        config.set_platform(config.Backend.Model, where["platform"])
        config._pinned = config.current_platform()

    class Args:
        script, args, command, host_launches, document = where["script"], where["args"], "tune", [], Document("tune")

    try:
        with listening(Listener()):
            script.run(Args)
    except _Done:
        pass
    if outcomes:
        return outcomes
    raise RuntimeError(f"{where['script']} did not come to launch {where['number']} again")


class Ray:
    """Workers on a cluster: the folder of the script travels with the tasks; tilesmith is there already."""

    def __init__(self, address, script, args, platform):
        try:
            import ray
        except ImportError:
            raise RuntimeError('the executor ray needs Ray, which is not installed: pip install "ray[client]"') from None
        self.ray, self.started = ray, False
        self.address, self.folder = address, os.path.dirname(os.path.abspath(script)) or "."
        self.where = {"script": os.path.basename(script), "args": args, "platform": platform}

    def workers(self, number, task, configs):
        """For one launch."""
        if not self.started:
            try:
                self.ray.init(
                    address=None if self.address == "ray" else self.address,
                    runtime_env={"working_dir": self.folder},
                    logging_level="warning",
                    log_to_driver=False,
                )
            except Exception as error:  # Ray's own errors have no common base
                raise RuntimeError(f"no Ray cluster could be reached at {self.address}: {error}") from None
            self.started = True
        return _RayWorkers(
            self.ray, {**self.where, "number": number, "tuned": sorted({name for config in configs for name in config})}
        )

    def close(self):
        if self.started:
            self.ray.shutdown()


class _RayWorkers:
    def __init__(self, ray, where):
        self.ray, self.where = ray, where
        self.count = max(1, int(ray.cluster_resources().get("CPU", 1)))
        self.measure = ray.remote(num_cpus=1, max_retries=ATTEMPTS - 1)(measure_launch)

    def run(self, jobs, emit):
        jobs = [(index, config.values, limit, how) for index, config, limit, how in jobs]
        share = max(1, -(-len(jobs) // self.count))
        pending = {}
        for at in range(0, len(jobs), share):
            part = jobs[at : at + share]
            pending[self.measure.remote(self.where, part)] = part
        while pending:
            [ready], _ = self.ray.wait(list(pending), num_returns=1)
            part = pending.pop(ready)
            try:
                outcomes = self.ray.get(ready)
            except Exception as error:
                outcomes = [(index, {"status": "invalid", "reason": f"its task failed: {error}"[:300]}) for index, *_ in part]
            for index, outcome in outcomes:
                emit(index, outcome)

    def close(self):
        pass
