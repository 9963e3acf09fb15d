"""Inputs of many seeds for each case of a task, made in batches that fit into memory.

Inputs come from the task itself, so they are always of the kind the task means. Seed 0 is what `verify` uses; the others are
drawn here and known to nobody before.
"""

import time

from ..isolation import wire
from ..isolation.process import WorkerError

BUDGET = 1 << 30  # bytes of inputs held at a time, unless a single case needs more
FEWEST = 4  # sets of inputs for a case, whatever they cost
SECONDS = 10.0  # what making the inputs of one batch may take, beyond the fewest


def size_of(description):
    """Bytes of the tensors in a list of described values."""
    tensors = [tensor for value in description for tensor in wire.tensors(value)]
    return sum(wire.numel(tensor["shape"]) * wire.SIZES[tensor["dtype"]] for tensor in tensors)


def batches(sizes, wanted, first=0):
    """[[(case, sets of it) ...] ...]: runs of consecutive cases, from `first` on, whose inputs fit into the budget together."""
    found, used = [], 0
    for case, size in list(enumerate(sizes))[first:]:
        count = max(min(FEWEST, wanted), min(wanted, BUDGET // max(size, 1)))
        if not found or used + count * size > BUDGET:
            found.append([])
            used = 0
        found[-1].append((case, count))
        used += count * size
    return found


def rotate(task, cases, wanted, random, first=0):
    """Yields (case, [Bundle ...]) for the cases of a task worker; the first set is that of seed 0. Bundles are closed by us.

    A set whose arguments are not described like those of seed 0 is left out: its times would be of another shape.
    """
    for batch in batches([size_of(description) for description in cases], wanted, first):
        sets = {case: [] for case, _ in batch}
        try:
            begin = time.monotonic()
            for turn in range(max(count for _, count in batch)):
                if turn >= FEWEST and time.monotonic() - begin > SECONDS:
                    break
                described = task.prepare(seed=random.randrange(1, 1 << 31) if turn else 0)
                for case, count in batch:
                    if len(described) <= case:
                        raise WorkerError(
                            "TaskError", f"the task gave inputs for {len(cases)} cases, and then for {len(described)}"
                        )
                    if turn == 0 or turn < count and described[case] == cases[case]:
                        sets[case].append(task.inputs(case))
            for case, _ in batch:
                yield case, sets[case]
        finally:
            for bundles in sets.values():
                for bundle in bundles:
                    bundle.close()
