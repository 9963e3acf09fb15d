"""A benchmark: every case of a task measured (measure.py), and what is too good to be true about it."""

import random
import time

from ..isolation import wire
from ..isolation.process import WorkerError
from ..verdict import compare, result
from ..verdict.session import Session
from . import measure, report, roofline, rotation, statistics

MIB = 1 << 20
ABSURD = 10.0  # a speedup above is flagged where both sides have the same clock
ABNORMAL_SHARE = 0.1  # of the passing cases; more without a valid speedup are flagged


def _finding(name, text):
    return {"id": f"bench.{name}", "text": text}


def judged(actual, golden, hifloat32=False):
    """None, or (grave, text). A single element beyond its bound is not grave where the mean is good: see measure.Duel."""
    verdicts = compare.outputs(actual, golden, hifloat32)
    wrong = [(index, verdict) for index, verdict in enumerate(verdicts) if not verdict.passed]
    if not wrong:
        return None
    grave = any(verdict.failure != "numeric" or not verdict.mere < verdict.threshold for _, verdict in wrong)
    index, verdict = wrong[0]
    return grave, f"output {index}: {verdict.reason}"


class Bench:
    """A task and a candidate in their workers, and what was measured."""

    def __init__(self, session, warmup, repeats, timeout, seed, framework_ms=None, accept=()):
        self.accept = accept
        self.session, self.warmup, self.repeats, self.timeout, self.framework_ms = session, warmup, repeats, timeout, framework_ms
        self.random = random.Random(seed)
        on_model = session.candidate.has_device or session.candidate.facts_of_load.get("dsl") == "asc"
        self.clock = "model" if on_model else "wall"
        self.shapes, self.details = [], []
        self.unloaded = {}  # bytes of each worker before anything was built

    def run(self, on_case=None):
        """Measures every case; (shapes, details) as statistics.result and results take them."""
        self._allow_time()
        cases = self.session.task.prepare(seed=0)
        for worker in (self.session.task, self.session.candidate):
            worker.reset_peak_memory()
            self.unloaded[worker.role] = worker.peak_memory()
        done = 0
        while done < len(cases):  # a worker that dies takes the inputs of its batch with it
            try:
                self._revive()
                calls = self.warmup + self.repeats
                for case, sets in rotation.rotate(self.session.task, cases, calls, self.random, first=done):
                    self._allow_time()
                    self._case(case, cases[case], sets)
                    done = case + 1
                    if on_case:
                        on_case(self.shapes[-1], self.details[-1])
                    if not self.session.task.alive or not self.session.candidate.alive:
                        break
            except WorkerError as error:  # the task could not make its inputs, or a file could not be loaded again
                self._failed(done, cases[done], error)
                done += 1
        return self.shapes, self.details

    def _allow_time(self):
        for worker in (self.session.task, self.session.candidate):
            worker.deadline = time.monotonic() + self.timeout

    def _revive(self):
        self._allow_time()
        for worker in (self.session.task, self.session.candidate):
            if not worker.alive:
                worker.restart()

    def _failed(self, case, description, error):
        self.shapes.append(
            {
                "case_idx": case + 1,
                "input_desc": [wire.describe(value) for value in description],
                "status": "fail",
                "framework": None,
                "implementation": None,
                "speedup_vs_torch": None,
                "error_type": error.error_type,
                "error_msg": result.truncated(error.error_msg),
            }
        )
        self.details.append({"case_idx": case + 1, "framework": None, "implementation": None, "findings": []})

    def _case(self, case, description, sets):
        try:
            framework, implementation, duel = self._measure(sets)
        except WorkerError as error:
            return self._failed(case, description, error)
        speedup = statistics.ratio(framework.average_ms, implementation.average_ms)
        self.shapes.append(
            {
                "case_idx": case + 1,
                "input_desc": [wire.describe(value) for value in description],
                "status": "pass",
                "framework": self._figures(framework),
                "implementation": self._figures(implementation),
                "speedup_vs_torch": speedup,
                "error_type": None,
                "error_msg": None,
            }
        )
        self.details.append(
            {
                "case_idx": case + 1,
                "framework": framework.details(),
                "implementation": implementation.details(),
                "platforms": sorted(duel.candidate.platforms),
                "launches": max((call.launches for call in duel.candidate.calls), default=0),
                "findings": duel.findings
                + self._doubts(framework, implementation, speedup, duel.output_bytes)
                + _host_bound(duel.candidate, implementation),
            }
        )

    def _measure(self, sets):
        task, candidate = self.session.task, self.session.candidate
        with task.init_inputs() as init:
            task.build("Model", init)
            candidate.build("ModelNew", init)
        if candidate.has_device:
            with task.state() as parameters:
                candidate.tell_parameters(parameters)
        for worker in (task, candidate):
            worker.reset_peak_memory()
        duel = measure.Duel(
            measure.Seat(task, "wall"),
            measure.Seat(candidate, self.clock),
            sets,
            self.warmup,
            self.repeats,
            self.random,
            lambda *pair: judged(*pair, self.session.hifloat32),
            time_reference=self.framework_ms is None,
            accept=self.accept,
        )
        framework, implementation = duel.run()
        if len(sets) > 1 and len({measure.digest(bundle) for bundle in sets}) == 1:
            duel.findings.append(
                _finding(
                    "same-inputs",
                    "the inputs of the task are the same for every seed; results that are "
                    "remembered cannot be told from results that are computed",
                )
            )
        if framework is None:
            framework = measure.Side("given", [self.framework_ms])
        else:
            framework.peak_bytes = max(0, task.peak_memory() - self.unloaded["task"])
        implementation.peak_bytes = max(0, candidate.peak_memory() - self.unloaded["candidate"])
        return framework, implementation, duel

    @staticmethod
    def _figures(side):
        return {"avg_latency_ms": side.average_ms, "peak_memory_mb": side.peak_bytes / MIB, "operators": side.operators}

    @staticmethod
    def _doubts(framework, implementation, speedup, output_bytes):
        """What is too good to be true."""
        found = []
        floor = roofline.floor_ms(implementation.clock, output_bytes)
        if implementation.average_ms < floor:
            found.append(
                _finding(
                    "below-roofline",
                    f"{implementation.average_ms:.6f} ms is less than writing {output_bytes} bytes "
                    f"of outputs takes, {floor:.6f} ms",
                )
            )
        if speedup > ABSURD and framework.clock == implementation.clock:
            found.append(_finding("absurd-speedup", f"a speedup of {speedup:.4g}x is more than {ABSURD:g}x: look at what it does"))
        return found


def _host_bound(seat, implementation):
    """On the chip the host gives each launch to a queue; a call of many short ones waits for the host."""
    import _tilesmith

    if implementation.clock != "model" or len(seat.platforms) != 1 or not seat.platforms <= set(_tilesmith.platforms()):
        return []
    launches = max(call.launches for call in seat.calls)
    price_ms = launches * _tilesmith.describe_platform(min(seat.platforms))["host_launch_ns"] / 1e6
    if launches < 2 or price_ms <= implementation.average_ms:
        return []
    text = f"{launches} launches a call cost the host {price_ms:.4f} ms, more than the {implementation.average_ms:.4f} ms they take"
    return [_finding("host-bound", text)]


def overall_findings(shapes, details):
    """What is doubtful about the benchmark as a whole."""
    found = []
    clocks = {(detail["framework"]["clock"], detail["implementation"]["clock"]) for detail in details if detail["implementation"]}
    if {("wall", "model"), ("gpu", "model")} & clocks:
        found.append(
            _finding(
                "mixed-clocks",
                "the candidate's time is that of the model of the chip, the reference's that of "
                "this machine; give a time of the chip by --skip_framework --framework_latency_ms",
            )
        )
    passing = [shape for shape in shapes if shape["status"] == "pass"]
    abnormal = [shape for shape in passing if statistics.classify(shape["speedup_vs_torch"]) != "valid"]
    if len(abnormal) > ABNORMAL_SHARE * len(passing):
        found.append(
            _finding(
                "abnormal-share",
                f"{len(abnormal)} of {report.plural(len(passing), 'passing case')} have no valid "
                "speedup; the mean says nothing about them",
            )
        )
    return found


def measured(op_name, session, warmup, repeats, timeout, seed, framework_ms=None, on_case=None, accept=()):
    """The whole result of benchmarking what a session holds, without bindings."""
    bench = Bench(session, warmup, repeats, timeout, seed, framework_ms, accept)
    shapes, details = bench.run(on_case)
    content = statistics.result(op_name, warmup, repeats, shapes)
    content["details"] = {
        "seed": seed,
        "isolation": session.isolation,
        "shapes": details,
        "findings": overall_findings(shapes, details),
    }
    return content


def open_session(task, candidate, timeout, extra=(), hifloat32=False, platform=None):
    """Both workers, for timing: fresh memory is not poisoned, which would cost time."""
    return Session(task, candidate, timeout, extra=extra, hifloat32=hifloat32, platform=platform, options={"poison": False})
