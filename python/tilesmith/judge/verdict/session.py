"""One verification: a task and a candidate in their workers, case after case.

`Session.verdicts` gives the specification's verdict on every case. `Session.findings` then looks for what the verdict does not
see (docs/verify.md lists them); it needs the time that is left and never changes a verdict.
"""

import os
import secrets
import threading
import time
from dataclasses import dataclass, field

from ..isolation import wire
from ..isolation.cases import cases_file
from ..isolation.process import Died, Limits, Raised, TimedOut, Worker, WorkerError
from . import compare, seen
from .evidence import Evidence
from .findings import SPECIAL

TASK_NAMES = ("Model", "get_init_inputs", "get_input_groups|get_inputs")
CANDIDATE_NAMES = ("ModelNew",)


@dataclass
class Finding:
    """Something the verdict does not see. `id` is stable; `output` is -1 where it is about the whole case."""

    id: str
    case_idx: int
    text: str
    output: int = -1
    facts: dict = field(default_factory=dict)

    def __str__(self):
        where = f"case {self.case_idx}" if self.case_idx else "all cases"
        return f"{where}{f', output {self.output}' if self.output >= 0 else ''}: {self.text} [{self.id}]"

    def to_json(self):
        result = {"id": self.id, "case_idx": self.case_idx, "text": self.text}
        if self.output >= 0:
            result["output"] = self.output
        result.update(self.facts)
        return result


@dataclass
class Case:
    """A case and what came of it."""

    index: int  # from 1
    inputs: list  # descriptions
    error_type: str = ""
    error_msg: str = ""
    verdicts: list = field(default_factory=list)

    @property
    def passed(self):
        return not self.error_type

    def input_desc(self):
        return [wire.describe(value) for value in self.inputs]


class _ReferenceFailed(Exception):
    """The task itself could not be run; `cause` is what its worker said."""

    def __init__(self, cause):
        super().__init__(cause)
        self.cause = cause


class Session:
    """Both workers, started and loaded. Raises WorkerError if one of the files cannot be loaded."""

    def __init__(
        self, task, candidate, timeout=900.0, limits=None, extra=(), hifloat32=False, platform=None, device="auto", options=None
    ):
        self.deadline = time.monotonic() + timeout
        self.hifloat32, self.found, self.cases = hifloat32, [], []
        limits, shared = limits or Limits(), options or {}
        self.seen = set()  # cases a device has told about
        self.platform, self.platforms = platform, set()  # that was asked for, and those the launches named
        self.task = self.candidate = None
        errors = {}

        def loaded(role, path, names, **options):
            worker = Worker(
                path, role=role, limits=limits, deadline=self.deadline, device=device, platform=platform, **shared, **options
            )
            if "evidence" not in options:
                setattr(self, role, worker)
            try:
                worker.facts_of_load = worker.load(*names)
            except BaseException:
                if "evidence" in options:
                    worker.stop()
                raise
            return worker

        def start(role, path, names, **options):
            try:
                loaded(role, path, names, **options)
            except Exception as error:
                errors[role] = error

        # Importing torch takes most of a small verification; both do it at the same time.
        own = {"hidden": [task, os.path.join(os.path.dirname(os.path.abspath(task)), "__pycache__")], "extra": extra}
        threads = [
            threading.Thread(target=start, args=("task", task, TASK_NAMES if cases_file(task) is None else TASK_NAMES[:2])),
            threading.Thread(target=start, args=("candidate", candidate, CANDIDATE_NAMES), kwargs=own),
        ]
        self.evidence = Evidence(lambda: loaded("candidate", candidate, CANDIDATE_NAMES, evidence=True, **own))
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for role in ("task", "candidate"):
            if role in errors:
                self.close()
                errors[role].role = role
                raise errors[role]

    def close(self):
        self.evidence.close()
        for worker in (self.task, self.candidate):
            if worker is not None:
                worker.stop()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    @property
    def evidence_of(self):
        """What shows that kernels wrote the outputs of every case that passed: "replaced results", "interpreter" or "none"."""
        passed = {case.index for case in self.cases if case.passed}
        if passed and passed <= self.seen:
            return "device process"
        if passed and passed <= self.evidence.judged:
            return "replaced results"
        return "interpreter" if self.candidate.facts.get("triton_launches") else "none"

    @property
    def isolation(self):
        return self.candidate.kept

    @property
    def printed(self):
        """What the candidate's process printed, the last one if it was started again."""
        return self.candidate.printed.text()

    # One run of a case.

    def _revive(self):
        """Workers that died in an earlier case are started again; the task has its inputs made again, too."""
        if not self.candidate.alive:
            self.candidate.restart()
        if not self.task.alive:
            self.task.restart()
            self.task.prepare(self.inputs_seed)

    def _reference(self, action):
        try:
            return action()
        except TimedOut:
            raise
        except WorkerError as error:
            raise _ReferenceFailed(error) from None

    def _run_both(self, case, inputs, evidence=False):
        """(actual, golden, handed to the candidate, handed to the task); everything is rebuilt."""
        with self._reference(self.task.init_inputs) as init:
            self._reference(lambda: self.task.build("Model", init, self.seed))
            self.candidate.build("ModelNew", init, self.seed)
        if evidence:
            with self._reference(self.task.state) as parameters:
                self.candidate.tell_parameters(parameters)
        actual, given = self.candidate.run(inputs, rng="save", evidence=evidence)
        self.platforms.update(str(name)[:200] for name in self.candidate.facts.get("platforms") or () if isinstance(name, str))
        golden, reference_given = self._reference(lambda: self.task.run(inputs))
        return actual, golden, given, reference_given

    # The verdict.

    def verdicts(self, skip=(), on_case=lambda case: None):
        """A Case for each case of the task. Raises TimedOut, and WorkerError if the task gives no inputs.

        on_case hears of each case as it is judged; those whose index is in `skip` are not judged.
        """
        self.seed = self.inputs_seed = 0
        self.cases = [Case(number, inputs) for number, inputs in enumerate(self.task.prepare(self.inputs_seed), 1)]
        for case in self.cases:
            if case.index in skip:
                continue
            try:
                self._judge(case)
            except TimedOut:
                raise
            except _ReferenceFailed as error:
                case.error_type = error.cause.error_type
                case.error_msg = f"the reference failed: {error.cause.error_msg}"
            except WorkerError as error:
                case.error_type, case.error_msg = error.error_type, error.error_msg
            on_case(case)
        return self.cases

    def _judge(self, case):
        self._revive()
        with self._reference(lambda: self.task.inputs(case.index - 1)) as inputs:
            actual, golden, given, reference_given = self._run_both(case, inputs)
            with actual, golden:
                case.verdicts = compare.outputs(actual, golden, self.hifloat32)
                wrong = [f"output {index}: {verdict.reason}" for index, verdict in enumerate(case.verdicts) if not verdict.passed]
                if wrong:
                    case.error_type, case.error_msg = "AssertionError", "\n".join(wrong)
                self._look_at(case, inputs, actual, golden, given, reference_given)

    # Findings.

    def note(self, case, id, text, output=-1, **facts):
        self.found.append(Finding(id, case.index, text, output, facts))

    def _look_at(self, case, inputs, actual, golden, given, reference_given):
        """What one run shows beyond its verdict. Called for every case, passed or not."""
        if given.changed() and not reference_given.changed():
            self.note(case, "inputs-modified", "the candidate wrote to its inputs, or past the end of one")
        if case.passed and self.candidate.facts.get("launches") and not self.candidate.has_device:
            self.evidence.begin()
        others = self.platforms - {self.platform}
        if self.platform and others:
            self.note(case, "platform", f"kernels ran on {', '.join(sorted(others))}, not on {self.platform}")
        if self.candidate.facts.get("dsl") != "torch":
            launches = [self.candidate.facts.get(name) for name in ("model_launches", "triton_launches")]
            if not any(isinstance(number, int) and number > 0 for number in launches):
                self.note(case, "no-launch", "no kernel was launched")
        if not golden.values:
            self.note(case, "vacuous", "the reference gives no outputs")
        given_tensors = [tensor for value in inputs.values for tensor in wire.tensors(value)]
        for index, (a, g) in enumerate(zip(actual.values, golden.values)):
            for a_tensor, g_tensor in zip(wire.tensors(a), wire.tensors(g)):
                self._look_at_tensor(case, index, inputs, given_tensors, actual, golden, a_tensor, g_tensor)

    def _look_at_tensor(self, case, index, inputs, given, actual, golden, a, g):
        if a["dtype"] != g["dtype"]:
            self.note(case, "dtype", f"dtype {a['dtype']}, expected {g['dtype']}", index)
        if a["shape"] != g["shape"]:
            return
        count = wire.numel(g["shape"])
        strides = [[stride for stride, extent in zip(tensor["stride"], tensor["shape"]) if extent > 1] for tensor in (a, g)]
        if count and strides[0] != strides[1]:
            self.note(case, "stride", f"strides {a['stride']}, expected {g['stride']}", index)
        if "alias" in a and "alias" not in g:
            self.note(case, "alias", f"shares its memory with input {a['alias']}", index)
        if "class" in a:
            self.note(case, "subclass", f"is a {str(a['class'])[:100]}, not a plain tensor", index)
        verdict = compare.tensors(a, compare.side(actual, a), g, compare.side(golden, g), self.hifloat32)
        facts = verdict.facts
        integers = not g["dtype"].startswith(("float", "bfloat", "complex")) and g["dtype"] != "bool"
        if integers and facts["unequal"]:
            first = (
                f", first at {compare.index_of(facts['at'], g['shape'])}: {facts['candidate_there']:.20g}, expected "
                f"{facts['golden_there']:.20g}"
                if facts["failure"] in ("", "numeric") and facts["at"] >= 0
                else ""
            )
            self.note(case, "integer", f"{facts['unequal']} of {count} integers differ{first}", index, count=facts["unequal"])
        if facts["count"] and not facts["finite"]:
            self.note(case, "vacuous", "nothing finite to compare: the reference gives only NaN and infinity", index)
        elif facts["finite"] * 2 < facts["count"]:
            self.note(case, "vacuous", f"only {facts['finite']} of {facts['count']} elements are finite", index)
        same = [(tensor, compare.side(inputs, tensor)) for tensor in given if _contiguous(tensor)]
        for probe in compare.null_probes(g, compare.side(golden, g), same, self.hifloat32):
            self.note(case, f"null-{probe.split()[0 if probe != 'a constant' else 1]}", f"{probe} would pass this case", index)
        if verdict.passed and facts["finite"] and not integers and g["dtype"] != "bool" and facts["mere"] > facts["threshold"] / 2:
            spread = compare.profile(actual, golden, a, g, self.hifloat32)
            text = ", ".join(f"{name} {value:.3g}" for name, value in spread.items())
            self.note(case, "near-bound", f"MERE {facts['mere']:.3g} is more than half of its bound; relative errors {text}", index)

    def findings(self):
        """All findings, after reruns with another seed, a second call, and other shapes. `complete` says whether time sufficed."""
        self.complete = True
        try:
            # The candidate is told the seed of its model, from which it could make inputs drawn with the same one.
            self.seed, self.inputs_seed = secrets.randbelow(1 << 31), secrets.randbelow(1 << 31)
            self._revive()
            self.task.prepare(self.inputs_seed)
            for case in self.cases:
                if case.passed:
                    self._rerun(case)
        except TimedOut:
            self.complete = False
        except WorkerError as error:
            self.found.append(Finding("second-seed", 0, f"the reruns ended early: {error}"))
        order = {
            name: number for number, name in enumerate(("second-seed", "nondeterministic", "perturbed-shape", "special-values"))
        }
        self.found.sort(key=lambda finding: (finding.case_idx, order.get(finding.id, -1)))
        return self.found

    def _rerun(self, case):
        try:
            self._revive()
            with self._reference(lambda: self.task.inputs(case.index - 1)) as inputs:
                self._second_seed(case, inputs)
                self._other_shapes(case, inputs.values)
                self._special_values(case, inputs.values)
        except TimedOut:
            raise
        except _ReferenceFailed as error:
            self.note(case, "second-seed", f"with seed {self.inputs_seed} the reference failed: {_last_line(error.cause)}")

    def _second_seed(self, case, inputs):
        try:
            on_device = self.candidate.has_device
            actual, golden, given, _ = self._run_both(case, inputs, evidence=on_device)
            with actual, golden:
                if on_device:
                    self.seen.add(case.index)
                    trivial = {(each.output, each.id) for each in self.found if each.case_idx == case.index}
                    seen.look(case, inputs, actual, self.candidate.facts, self.note, trivial)
                verdicts = compare.outputs(actual, golden, self.hifloat32)
                wrong = _first_wrong(verdicts)
                if wrong:
                    finding = "near-bound" if _are_outliers(verdicts) else "second-seed"
                    self.note(case, finding, f"with seed {self.inputs_seed}, {wrong}", seed=self.inputs_seed)
                    if finding == "second-seed":
                        return
                again, _ = self.candidate.run(inputs, rng="restore")
                with again:
                    if not _same_bytes(actual, again):
                        wrong = _first_wrong(compare.outputs(again, golden, self.hifloat32))
                        text = f": {wrong}" if wrong else " gives other bytes"
                        self.note(case, "nondeterministic", f"a second call on the same inputs{text}")
                if self.candidate.facts.get("launches") and not on_device:
                    with self._reference(self.task.init_inputs) as init:
                        self.evidence.look(case, inputs, init, self.seed, self.candidate.facts["launches"], self.note)
        except TimedOut:
            raise
        except WorkerError as error:
            self.note(case, "second-seed", f"with seed {self.inputs_seed}, {_last_line(error)}", seed=self.inputs_seed)

    def _other_shapes(self, case, values):
        """Leading and trailing extent of the first tensor, one less each, if the reference takes it."""
        shapes = [tensor["shape"] for value in values for tensor in wire.tensors(value) if tensor["shape"]]
        sizes = [size for size in dict.fromkeys([shapes[0][0], shapes[0][-1]]) if size > 2] if shapes else []
        for size in sizes:
            self._revive()
            try:
                with self.task.inputs(case.index - 1, narrow=size) as inputs, self.task.init_inputs() as init:
                    self.task.build("Model", init, self.seed)
                    golden, _ = self.task.run(inputs)
                    self._one_shape(case, size, inputs, init, golden)
            except TimedOut:
                raise
            except WorkerError:
                continue  # the reference does not take this shape: nothing to ask of the candidate

    def _special_values(self, case, values):
        """Inputs that are zero, large, denormal, infinite or NaN, if the reference copes with them."""
        if not any(tensor["dtype"].startswith(("float", "bfloat")) for value in values for tensor in wire.tensors(value)):
            return
        for kind, finding in SPECIAL.items():
            self._revive()
            try:
                with self.task.inputs(case.index - 1, special=kind) as inputs, self.task.init_inputs() as init:
                    self.task.build("Model", init, self.seed)
                    golden, handed = self.task.run(inputs)
                    handed.close()
                    with golden:
                        self._one_kind(case, kind, finding, inputs, init, golden)
            except TimedOut:
                raise
            except WorkerError:
                continue  # the reference does not take them

    def _one_kind(self, case, kind, finding, inputs, init, golden):
        exact = kind in ("infinite", "NaN")  # then the reference's own may be infinite, too
        if not exact and not all(compare.all_finite(golden, tensor) for value in golden.values for tensor in wire.tensors(value)):
            return
        try:
            self.candidate.build("ModelNew", init, self.seed)
            actual, handed = self.candidate.run(inputs)
            handed.close()
            with actual:
                verdicts = compare.outputs(actual, golden, self.hifloat32)
            wrong = _first_wrong(verdicts)
            if kind == "large" and all(verdict.passed or verdict.failure == "numeric" for verdict in verdicts):
                finding = "rare-values"  # the tolerance is one for results of usual inputs
        except TimedOut:
            raise
        except (Raised, Died) as error:
            wrong = _last_line(error)
        if wrong:
            self.note(case, finding, f"with {kind} inputs, {wrong}", kind=kind)

    def _one_shape(self, case, size, inputs, init, golden):
        finding = "perturbed-shape"
        shape = [value["shape"] if value["k"] == "tensor" else "..." for value in inputs.values]
        try:
            self.candidate.build("ModelNew", init, self.seed)
            actual, _ = self.candidate.run(inputs)
            with actual:
                verdicts = compare.outputs(actual, golden, self.hifloat32)
                wrong = _first_wrong(verdicts)
                finding = "near-bound" if _are_outliers(verdicts) else finding
        except TimedOut:
            raise
        except (Raised, Died) as error:
            wrong = _last_line(error)
        if wrong:
            self.note(case, finding, f"with inputs {shape}, {wrong}")


def _contiguous(tensor):
    expected = 1
    for extent, stride in zip(reversed(tensor["shape"]), reversed(tensor["stride_in_file"])):
        if extent > 1 and stride != expected:
            return False
        expected *= extent
    return True


def _first_wrong(verdicts):
    return next((f"output {index}: {verdict.reason}" for index, verdict in enumerate(verdicts) if not verdict.passed), "")


def _are_outliers(verdicts):
    """Whether nothing is wrong but a few elements close to their bound."""
    return all(verdict.passed or verdict.is_outlier for verdict in verdicts)


def _same_bytes(first, second):
    """Equal as bits: NaN equals NaN, -0.0 does not equal 0.0."""
    tensors = [
        [(bundle.bytes_of(tensor), tensor) for value in bundle.values for tensor in wire.tensors(value)]
        for bundle in (first, second)
    ]
    if len(tensors[0]) != len(tensors[1]):
        return False
    for (a, left), (b, right) in zip(*tensors):
        if (left["dtype"], left["shape"]) != (right["dtype"], right["shape"]):
            return False
        import _tilesmith

        if _tilesmith.compare(a, "uint8", b, "uint8", a.nbytes)["unequal"]:
            return False
    return True


def _last_line(error):
    """The telling part of a traceback."""
    lines = [line for line in error.error_msg.strip().splitlines() if line.strip()]
    return (lines[-1] if lines else error.error_type)[:500]
