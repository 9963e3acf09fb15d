"""What a device saw of a call: that kernels did the work, and on what.

A candidate whose device is a process of its own (tilesmith.judge.device) never has the bytes of inputs and results. So what remains to be
asked is what launches, copies and fills of this call did, and the device knows it byte by byte: which launch wrote each byte of an output,
what the launches had read, and whether the order of blocks matters.
"""

from ..isolation import wire
from .evidence import Evidence


def look(case, inputs, actual, facts, note, trivial=frozenset()):
    """Findings of a call that ran with evidence; note(case, id, text, ...) takes them.

    `trivial` has (output, the id of a finding) of outputs that an input or a constant would pass for: a copy or a fill beside launches
    is the answer there, and no frame of it.
    """
    derives = set()
    for index, value in enumerate(actual.values):
        for tensor in wire.tensors(value):
            count, size = wire.numel(tensor["shape"]), wire.SIZES[tensor["dtype"]]
            sources = tensor.get("sources") or {}
            written = sources.get("launch", 0)
            left = count * size - written - _moved_beside(sources, count * size, index, trivial)
            derives.update(sources.get("derives", ()))
            if left:
                others = {name: bytes_ for name, bytes_ in sources.items() if name not in ("launch", "derives")}
                came = ", ".join(_WORDS[name] for name in sorted(others, key=others.get, reverse=True))
                text = f"{-(-left // size)} of {count} elements were not written by a launch of this call but {came}"
                note(case, "not-by-kernels", text, index, count=-(-left // size))
    if "cut" in derives:
        text = "the launches that wrote the outputs read what a conversion computed: fractions cut off, numbers made truths or wrapped around"
        note(case, "not-by-kernels", text)
    has_inputs = any(wire.numel(tensor["shape"]) for value in inputs.values for tensor in wire.tensors(value))
    if has_inputs and derives and not derives & {"input", "converted", "cut"}:
        note(case, "not-from-inputs", "the launches that wrote the outputs read nothing that comes from this call's inputs")
    if "old" in derives:
        note(case, "kept-results", "the launches that wrote the outputs read what launches of an earlier call had written")
    for size in facts.get("own_data", ()):
        text = f"the launches read {size} bytes that the candidate brought, and that are no parameter of the reference"
        note(case, "own-data", text, count=size)
    if facts.get("plain_stores") or (facts.get("plain_loads") or 0) > 1:
        text = f"pointers of C read {facts['plain_loads']} and wrote {facts['plain_stores']} pages of global memory, which takes no time"
        note(case, "plain-pointers", text)
    for kernel, where in facts.get("order_matters", ()):
        note(case, "block-order", f"{where} comes out different when the last block of {kernel} runs first")
    Evidence._findings_of_launches(case, facts.get("launch_findings"), note)


def _moved_beside(sources, size, output, trivial):
    """Bytes of an output that copies and fills of the call may have left beside what launches wrote: constants around it, and inputs
    where it is a part of them. A copy alone is nobody's kernel."""
    written = sources.get("launch", 0)
    is_constant = trivial & {(output, "null-constant"), (output, "null-zeros")}
    beside = sources.get("filled", 0) if written and not is_constant else 0
    copied = written * _PART >= size - beside and (output, "null-input") not in trivial
    return beside + (sources.get("input", 0) if copied else 0)


_PART = 4  # launches write one part of so many of what is not constant
_WORDS = {
    "fresh": "never written",
    "input": "copied from an input",
    "given": "handed over by the host",
    "filled": "filled with a constant",
    "converted": "converted by a copy",
    "cut": "computed by a copy that converts",
    "prepared": "left by launches of an earlier call",
    "old": "left from an earlier call",
}
