"""Outputs against golden ones: the accuracy gate of lib/Verify with its words.

`tensors` judges one pair, `outputs` two bundles (process.py). The verdict is the specification's; what else is known about a
pair (inexact integers, another dtype or stride) is in the verdict's facts, for findings.
"""

from dataclasses import dataclass, field

from tilesmith.extension import _tilesmith

from ..isolation import wire


@dataclass
class Verdict:
    """One output. `failure` is empty, or: shape, nan, inf, inf-sign, bool, numeric, missing, value."""

    passed: bool
    failure: str = ""
    reason: str = ""
    facts: dict = field(default_factory=dict)

    @property
    def mere(self):
        return self.facts.get("mere", 0.0)

    @property
    def mare(self):
        return self.facts.get("mare", 0.0)

    @property
    def threshold(self):
        return self.facts.get("threshold", 0.0)

    @property
    def is_outlier(self):
        """Whether it failed by single elements that are not far beyond their bound, where the mean is good. References have
        such elements, too: a difference of nearly equal numbers has few digits."""
        return self.failure == "numeric" and self.mere < self.threshold and self.mare < 100 * self.threshold

    def __str__(self):
        if not self.passed:
            return f"FAIL: {self.reason}"
        if "mere" not in self.facts:
            return "pass" + (f": {self.reason}" if self.reason else "")
        if self.reason:
            return f"pass: {self.reason}"
        return f"pass: MERE {self.mere:.3g} < {self.threshold:.3g}, MARE {self.mare:.3g} < {10 * self.threshold:.3g}"


def index_of(flat, shape):
    """[row, column ...] of an element."""
    place = []
    for extent in reversed(shape):
        place.append(flat % extent)
        flat //= extent
    return place[::-1]


def _reason(facts, shape):
    where = f"{index_of(facts['at'], shape)}" if facts["at"] >= 0 else "?"
    there = f"at {where}: {facts['candidate_there']:.9g}, expected {facts['golden_there']:.9g}"
    if facts["failure"] == "nan":
        return f"NaN on one side only, in {facts['nan_places']} places, first {there}"
    if facts["failure"] == "inf":
        return f"infinity on one side only, in {facts['inf_places']} places, first {there}"
    if facts["failure"] == "inf-sign":
        return f"infinities of different sign, in {facts['inf_signs']} places, first {there}"
    if facts["failure"] == "bool":
        return f"{facts['unequal']} of {facts['count']} booleans differ, first {there}"
    t = facts["threshold"]
    wrong = [
        f"{name} {facts[name.lower()]:.6g} is not < {bound:.6g}"
        for name, bound in (("MERE", t), ("MARE", 10 * t))
        if not facts[name.lower()] < bound
    ]
    return f"{' and '.join(wrong)}; largest error {there}"


def threshold_for(dtype, hifloat32):
    return _tilesmith.threshold("hifloat32") if hifloat32 and dtype == "float32" else 0.0


def tensors(candidate, candidate_bytes, golden, golden_bytes, hifloat32=False, threads=0):
    """Judges one tensor: descriptions with "dtype" and "shape", bytes as _tilesmith.compare takes them, contiguous."""
    if candidate["shape"] != golden["shape"]:
        return Verdict(False, "shape", f"shape {candidate['shape']}, expected {golden['shape']}")
    facts = _tilesmith.compare(
        candidate_bytes,
        candidate["dtype"],
        golden_bytes,
        golden["dtype"],
        wire.numel(golden["shape"]),
        threshold_for(golden["dtype"], hifloat32),
        threads,
    )
    if not facts["passed"]:
        return Verdict(False, facts["failure"], _reason(facts, golden["shape"]), facts)
    reason = ""
    if golden["dtype"] == "bool":
        reason = "all booleans are equal"
    elif facts["count"] and not facts["finite"]:
        reason = "nothing finite to compare"
    elif not facts["count"]:
        reason = "no elements"
    return Verdict(True, "", reason, facts)


def side(bundle, tensor):
    """Where a tensor's bytes are, for _tilesmith.compare: the file itself, so that only windows of it are mapped."""
    return bundle.fd, bundle.description["blobs"][tensor["blob"]][0] + tensor["offset"]


def _values(actual, golden, a, g, hifloat32):
    if g["k"] == "tensor" and a["k"] == "tensor":
        return tensors(a, side(actual, a), g, side(golden, g), hifloat32)
    if "none" in (a["k"], g["k"]):  # even if both are: nothing was computed
        return Verdict(False, "missing", f"None on {'both sides' if a['k'] == g['k'] else 'one side'}")
    if "other" in (a["k"], g["k"]):
        other = a if a["k"] == "other" else g
        return Verdict(False, "value", f"a {other.get('type')} cannot be compared")
    if "tensor" in (a["k"], g["k"]):
        return Verdict(False, "value", f"{wire.shown(a)}, expected {wire.shown(g)}")
    if any(True for _ in wire.tensors(g)) or any(True for _ in wire.tensors(a)):
        return _containers(actual, golden, a, g, hifloat32)
    left, right = wire.plain(a), wire.plain(g)
    return Verdict(True) if left == right else Verdict(False, "value", f"{left!r}, expected {right!r}"[:500])


def _containers(actual, golden, a, g, hifloat32):
    """Lists, tuples and dicts with tensors inside: same kind, same keys, and every item passes."""
    if a["k"] != g["k"] or len(a["v"]) != len(g["v"]):
        return Verdict(False, "value", f"{wire.shown(a)}, expected {wire.shown(g)}"[:500])
    pairs = list(zip(a["v"], g["v"]))
    if a["k"] == "dict":
        mine = {repr(wire.plain(key)): item for key, item in a["v"]}
        wanted = [(repr(wire.plain(key)), item) for key, item in g["v"]]
        if sorted(mine) != sorted(key for key, _ in wanted):
            return Verdict(False, "value", "the keys differ")
        pairs = [(mine[key], item) for key, item in wanted]  # in any order
    worst = Verdict(True)
    for index, (x, y) in enumerate(pairs):
        verdict = _values(actual, golden, x, y, hifloat32)
        if not verdict.passed:
            return Verdict(False, verdict.failure, f"item {index}: {verdict.reason}", verdict.facts)
        if verdict.mare > worst.mare:
            worst = verdict
    return worst


def outputs(actual, golden, hifloat32=False):
    """One Verdict per golden output of two bundles; a wrong number of outputs is one verdict."""
    if len(actual.values) != len(golden.values):
        return [Verdict(False, "missing", f"{len(actual.values)} outputs, expected {len(golden.values)}")]
    verdicts = []
    for a, g in zip(actual.values, golden.values):
        try:
            verdicts.append(_values(actual, golden, a, g, hifloat32))
        except (ValueError, TypeError, KeyError, RecursionError) as error:  # such as an integer too long to be printed
            verdicts.append(Verdict(False, "value", f"cannot be compared: {error}"[:500]))
    return verdicts


def all_finite(bundle, tensor):
    """Whether a tensor has no NaN and no infinity."""
    data = side(bundle, tensor)
    facts = _tilesmith.compare(data, tensor["dtype"], data, tensor["dtype"], wire.numel(tensor["shape"]))
    return facts["finite"] == facts["count"]


def null_probes(golden, source, inputs=(), hifloat32=False):
    """Outputs without any work that would pass as this golden tensor: ["zeros", "a constant", "input 0" ...].

    source: the golden bytes; inputs: (description, bytes) of contiguous tensors.
    """
    count = wire.numel(golden["shape"])
    if not count:
        return []

    def passes(candidate, dtype):
        return _tilesmith.compare(candidate, dtype, source, golden["dtype"], count, threshold_for(golden["dtype"], hifloat32))[
            "passed"
        ]

    found = []
    if passes(0.0, golden["dtype"]):
        found.append("zeros")
    elif count > 1 and passes(_tilesmith.finite_mean(source, golden["dtype"], count), golden["dtype"]):
        found.append("a constant")
    for index, (tensor, data) in enumerate(inputs):
        if tensor["shape"] == golden["shape"] and tensor["dtype"] == golden["dtype"] and passes(data, tensor["dtype"]):
            found.append(f"input {index}")
    return found


def profile(actual, golden, a, g, hifloat32=False):
    """How the errors are spread: {"p50", "p90", "p99", "p99.9"} of rel."""
    shares = {"p50": 0.5, "p90": 0.9, "p99": 0.99, "p99.9": 0.999}
    found = _tilesmith.rel_quantiles(
        side(actual, a),
        a["dtype"],
        side(golden, g),
        g["dtype"],
        wire.numel(g["shape"]),
        list(shares.values()),
        threshold_for(g["dtype"], hifloat32),
    )
    return dict(zip(shares, found))
