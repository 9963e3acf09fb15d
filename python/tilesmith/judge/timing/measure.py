"""Timing a candidate beside its reference on one case, so that being timed is no different from being verified.

Both sides are called in turn, on inputs of many seeds: each call gets its own copy, at another address. The outputs of every call,
warm-up included, are compared with the reference's for the same inputs. What a process says about its own time is
held against what the judge saw: how long it waited for the answer, and what the process did after it.

A candidate that does not do the work it is timed for is `Unfair`; each kind has its own error type:

  MemoisedResult    an output belongs to other inputs, kernels ran in some calls only, or known inputs are much faster than new ones
  ChangedBehaviour  right at first, wrong later: a counter, a warm-up detector, state between calls
  LateResult        the output was not there when the call returned, and was a moment later
  WorkAfterReturn   the process went on computing after the call had returned
  LazyResult        the output is not a plain tensor; reading it would be the work
  TimerTampered     the process claims times that cannot be true
  OtherPlatform     kernels ran on another part than the judge asked for
"""

import hashlib
import math
import time
from dataclasses import dataclass, field

from ..isolation import sandbox, wire
from ..isolation.process import WorkerError
from ..verdict import seen
from ..verdict.findings import WRONG
from .rotation import size_of

ALWAYS_LOOK = 64 << 20  # bytes of outputs up to which every call is compared; above, one in LOOK_EVERY
LOOK_EVERY = 5
WATCHED = 3  # calls after which the process is watched
WATCH_SECONDS = 0.01  # at least; longer calls are watched longer
LATE_CPU = 0.004  # seconds of processor time after a call that are nobody's business: garbage collection, allocators
LATE_SECONDS = 0.2  # how long a wrong output may still change its mind, to tell late from wrong
SLACK_NS = 1_000_000  # of waiting and of processor time beyond what a process claims and what the reference's round trips take
NEW_INPUTS = 5  # calls with inputs not seen before, where there are not enough for all


class Unfair(WorkerError):
    """A candidate that is not doing the work it is timed for."""


@dataclass
class Side:
    """What was measured of one side."""

    clock: str  # "wall", "model", "gpu" or "given"
    times_ms: list = field(default_factory=list)
    operators: dict = field(default_factory=dict)  # name -> microseconds per call
    peak_bytes: int = 0

    @property
    def average_ms(self):
        """The mean of the middle half: a call that the machine held up says nothing about the kernel."""
        ordered = sorted(self.times_ms)
        cut = len(ordered) // 4
        middle = ordered[cut : len(ordered) - cut]
        return math.fsum(middle) / len(middle) if middle else 0.0

    def percentile(self, share):
        ordered = sorted(self.times_ms)
        at = share * (len(ordered) - 1)
        low = math.floor(at)
        return ordered[low] + (ordered[min(low + 1, len(ordered) - 1)] - ordered[low]) * (at - low)

    def details(self):
        """Clock, median and spread as results hold them."""
        mean = math.fsum(self.times_ms) / len(self.times_ms)
        low, median, high = (round(self.percentile(share), 6) for share in (0.1, 0.5, 0.9))
        return {
            "clock": self.clock,
            "mean_ms": round(mean, 6),
            "median_ms": median,
            "low_ms": low,
            "high_ms": high,
            "samples": len(self.times_ms),
        }


@dataclass
class Call:
    """One call of one side."""

    number: int  # negative: warm-up
    inputs: int  # index of the set of inputs
    round_trip_ns: int
    wall_ns: int
    cpu_ns: int  # processor time of the process and its device's meanwhile, as the kernel counts it
    model_ns: float | None
    gpu_ns: int | None
    launches: int
    operators: dict

    def time_ns(self, clock):
        return {"model": self.model_ns, "gpu": self.gpu_ns, "wall": self.wall_ns}[clock]


def _number(value, low, high):
    """A number another process claims, None if it cannot be."""
    fits = isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value) and low <= value <= high
    return value if fits else None


def _cpu_ns(pid):
    """Processor time of all threads of a process, 0 if it has ended. The number of its clock is part of Linux's interface."""
    try:
        return time.clock_gettime_ns((~pid << 3) | 2)
    except OSError:
        return 0


def cpu_seconds(process):
    """Processor time of a worker and all it started."""
    return sum(map(_cpu_ns, [process.pid, *sandbox.descendants(process.pid)])) / 1e9


class Seat:
    """A worker as one side of a measurement."""

    def __init__(self, worker, clock):
        self.worker, self.clock = worker, clock
        self.calls, self.platforms, self.facts = [], set(), {}

    def call(self, number, index, bundle):
        """Calls the model on a fresh copy of the bundle. Two slots in turn: the copy never lies where the one before lay."""
        slot = number % 2
        handed = self.worker.put(bundle, slot=slot)
        used = sum(map(_cpu_ns, self.worker.pids))
        begin = time.perf_counter_ns()
        self.facts = facts = self.worker.call(slot=slot, clock=self.clock, evidence=self.tells_evidence)
        trip = time.perf_counter_ns() - begin
        used = sum(map(_cpu_ns, self.worker.pids)) - used
        handed.close()
        wall = _number(facts.get("wall_ns"), 0, trip)
        launches = sum(_number(facts.get(name), 0, 1 << 40) or 0 for name in ("model_launches", "triton_launches"))
        operators = facts.get("operators") if isinstance(facts.get("operators"), dict) else {}
        operators = {str(name)[:200]: time_us for name, time_us in operators.items() if _number(time_us, 0, 1e12) is not None}
        call = Call(
            number,
            index,
            trip,
            trip if wall is None else int(wall),
            used,
            _number(facts.get("model_ns"), 0, 1e18),
            _number(facts.get("gpu_ns"), 1, trip),
            int(launches),
            operators,
        )
        self.calls.append(call)
        self._check_platforms(facts.get("platforms"))
        return call

    def _check_platforms(self, names):
        names = {str(name)[:200] for name in names} if isinstance(names, list) else set()
        self.platforms |= names
        wanted = self.worker.platform
        if wanted and names - {wanted}:
            raise Unfair("OtherPlatform", f"kernels ran on {', '.join(sorted(names - {wanted}))}, not on {wanted}")

    @property
    def tells_evidence(self):
        """Whether a device says of every call what did the work. It costs launches that are timed little."""
        return self.clock == "model" and getattr(self.worker, "has_device", False)

    def fetch(self, number):
        return self.worker.fetch(slot=number % 2)

    def side(self):
        timed = [call for call in self.calls if call.number >= 0]
        on_model = self.clock == "model" and all(call.model_ns and call.launches for call in timed)
        operators = {}
        for call in timed:
            for name, time_us in call.operators.items():
                operators[name] = operators.get(name, 0.0) + time_us / len(timed)
        clock = "model" if on_model else "gpu" if all(call.gpu_ns for call in timed) else "wall"
        return Side(clock, [call.time_ns(clock) / 1e6 for call in timed], operators if on_model else {})


def digest(bundle):
    """A hash of the contents of a bundle: the bytes of its tensors and everything else."""
    hasher = hashlib.sha256(repr(bundle.values).encode())
    for offset, size in bundle.description["blobs"]:
        hasher.update(bundle.memory()[offset : offset + size])
    return hasher.digest()


def order_of(sets, warmup, repeats, random):
    """Which set of inputs each call gets. With enough sets each is used once; else a few are kept back for single calls."""
    calls = warmup + repeats
    if sets >= calls:
        order = list(range(sets))
        random.shuffle(order)
        if 0 not in order[:calls]:  # the inputs `verify` saw are always among them
            order[random.randrange(warmup, calls)] = 0
        return order[:calls]
    new = list(range(max(1, sets - min(NEW_INPUTS, sets // 2, repeats // 2)), sets))
    known = list(range(sets - len(new)))
    random.shuffle(known)
    order = [known[call] if call < len(known) else random.choice(known) for call in range(calls)]
    places = random.sample(range(warmup + repeats // 2, calls), len(new))
    for place, index in zip(places, new):
        order[place] = index
    if 0 not in order:
        order[0] = 0
    return order


class Duel:
    """One case, measured. `reference` may be None when its time is given; then it is only asked for outputs.

    compare(actual, golden) gives None, or (grave, text) of what is wrong: not grave is an outlier that a tolerance made for
    other inputs may have.
    """

    def __init__(self, reference, candidate, sets, warmup, repeats, random, compare, time_reference=True, accept=()):
        self.reference, self.candidate, self.sets, self.compare = reference, candidate, sets, compare
        self.warmup, self.repeats, self.random, self.time_reference = warmup, repeats, random, time_reference
        self.order = order_of(len(sets), warmup, repeats, random)
        self.findings, self.accept = [], accept
        self.output_bytes = 0
        self.seen = {}  # digest of outputs -> set of inputs they belong to
        self.right = 0  # calls found right so far

    def run(self):
        """(Side of the reference or None, Side of the candidate)."""
        watched = set(self.random.sample(range(self.repeats), min(WATCHED, self.repeats)))
        looked = set(self.random.sample(range(self.repeats), -(-self.repeats // LOOK_EVERY))) | {self.repeats - 1}
        for number, index in zip(range(-self.warmup, self.repeats), self.order):
            before = cpu_seconds(self.candidate.worker.process) if number in watched else 0.0
            call = self.candidate.call(number, index, self.sets[index])
            if number in watched:
                self._watch(before, call)
            look = self.output_bytes <= ALWAYS_LOOK or number in looked
            if not self.time_reference:
                look = number in looked or number == -self.warmup
            if look:
                self._look(number, index)
            elif self.time_reference:
                self._reference_call(number, index)
        self._check_launches()
        self._check_clock()
        self._check_new_inputs()
        return (self.reference.side() if self.time_reference else None), self.candidate.side()

    def _reference_call(self, number, index):
        try:
            with self.candidate.worker.held():  # whatever it left running does not slow the reference down
                return self.reference.call(number, index, self.sets[index])
        except WorkerError as error:
            raise WorkerError(error.error_type, f"the reference: {error.error_msg}") from None

    def _look(self, number, index):
        """Compares the outputs of the call just made."""
        with self.candidate.fetch(number) as actual:
            for value in actual.values:
                for tensor in wire.tensors(value):
                    if "class" in tensor:
                        raise Unfair("LazyResult", f"call {self._name(number)} returned a {tensor['class']}, not a torch.Tensor")
            self._look_for_evidence(number, index, actual)
            self.output_bytes = size_of(actual.values)
            try:
                self._reference_call(number, index)
                golden = self.reference.fetch(number)
            except WorkerError as error:
                if self.time_reference:
                    raise
                return self._find(
                    "bench.not-compared",
                    f"outputs were not compared in the timed calls: {error.error_msg.strip().splitlines()[-1][:200]}",
                )
            with golden:
                wrong = self.compare(actual, golden)
                print_of = digest(actual)
                if wrong is None:
                    self.right += 1
                    self.seen.setdefault(print_of, index)
                elif wrong[0] or index == 0:
                    self._explain(number, index, wrong[1], print_of, golden)
                else:
                    self._find(
                        "bench.outliers", f"call {self._name(number)}, on inputs of another seed than `verify` uses: {wrong[1]}"
                    )

    def _look_for_evidence(self, number, index, actual):
        """A candidate may work in its first calls, where `verify` looks, and do something else when it is timed."""
        if not self.candidate.tells_evidence:
            return

        def note(case, id, text, *_, **facts):
            if id in WRONG and id not in self.accept:
                raise Unfair("ChangedBehaviour", f"call {self._name(number)}: {text} [{id}]")

        seen.look(None, self.sets[index], actual, self.candidate.facts, note)

    def _explain(self, number, index, text, print_of, golden):
        """A wrong output in a timed call: why is it wrong?"""
        time.sleep(LATE_SECONDS)
        with self.candidate.fetch(number) as again:
            if self.compare(again, golden) is None:
                raise Unfair(
                    "LateResult",
                    f"the outputs of call {self._name(number)} were not there when it returned, "
                    f"{LATE_SECONDS * 1000:.0f} ms later they were; at first: {text}",
                )
        if self.seen.get(print_of, index) != index:
            raise Unfair(
                "MemoisedResult", f"call {self._name(number)} returned what an earlier call had returned for other inputs: {text}"
            )
        if self.right:
            before = f"{self.right} call{'s were' if self.right > 1 else ' was'} right before"
            raise Unfair("ChangedBehaviour", f"{before}, call {self._name(number)} is not: {text}")
        raise WorkerError("AccuracyError", f"call {self._name(number)}: {text}")

    def _name(self, number):
        return f"{number + 1}" if number >= 0 else f"{number + self.warmup + 1} of the warm-up"

    def _find(self, name, text):
        if all(finding["id"] != name for finding in self.findings):
            self.findings.append({"id": name, "text": text})

    def _watch(self, before, call):
        during = cpu_seconds(self.candidate.worker.process)
        wait = max(WATCH_SECONDS, min(2 * call.round_trip_ns / 1e9, 1.0))
        time.sleep(wait)
        late = cpu_seconds(self.candidate.worker.process) - during
        if late > max(LATE_CPU, 0.25 * (during - before)):
            raise Unfair(
                "WorkAfterReturn",
                f"call {self._name(call.number)} returned after {call.round_trip_ns / 1e6:.2f} ms; the process went on to use "
                f"{late * 1000:.1f} ms of processor time in the next {wait * 1000:.0f} ms",
            )

    def _check_launches(self):
        counts = [call.launches for call in self.candidate.calls]
        if 0 in counts and any(counts):
            number = self.candidate.calls[counts.index(0)].number
            raise Unfair("MemoisedResult", f"call {self._name(number)} launched no kernel, others launched up to {max(counts)}")

    def _check_clock(self):
        """A process may claim less than the judge waited; the machine may be busy. It may not claim less in every call while it
        was computing: then its clock is wrong."""
        timed = [call for call in self.candidate.calls if call.number >= 0]
        if self.candidate.side().clock == "model":
            return
        usual = min((call.round_trip_ns - call.wall_ns for call in self.reference.calls), default=0)
        call = min(timed, key=lambda call: call.round_trip_ns - call.wall_ns)
        computing = min(call.cpu_ns - 2 * call.wall_ns for call in timed)
        if call.round_trip_ns - call.wall_ns > 3 * usual + SLACK_NS and computing > SLACK_NS:
            raise Unfair(
                "TimerTampered",
                f"the process claims {call.wall_ns / 1e6:.4f} ms for a call; the judge waited {call.round_trip_ns / 1e6:.4f} ms for "
                f"it, and the process used {call.cpu_ns / 1e6:.4f} ms of processor time",
            )

    def _check_new_inputs(self):
        """Where inputs had to be used again: are they much faster the second time?"""
        new, known, seen = [], [], set()
        clock = self.candidate.side().clock
        on_model = clock == "model"
        for call in self.candidate.calls:
            if call.number >= 0:
                (known if call.inputs in seen else new).append(call.time_ns(clock))
            seen.add(call.inputs)
        if on_model and new and known and min(new) > 1.2 * max(known):
            raise Unfair("MemoisedResult", f"inputs seen before take {max(known) / 1e6:.4f} ms, new ones {min(new) / 1e6:.4f} ms")
        if len(new) >= 3 and len(known) >= 3 and not on_model:
            new, known = sorted(new), sorted(known)
            middle_new, middle_known = new[len(new) // 2], known[len(known) // 2]
            if middle_new > 2 * middle_known and new[0] > known[3 * len(known) // 4] and middle_new - middle_known > 20_000:
                raise Unfair(
                    "MemoisedResult", f"inputs seen before take {middle_known / 1e6:.4f} ms, new ones {middle_new / 1e6:.4f} ms"
                )
