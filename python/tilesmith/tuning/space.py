"""The configurations of a launch that a command line means."""

import itertools

from tilesmith.document import Failure

MOST = 4096
REACH = {1: 3, 2: 2, 3: 2, 4: 1, 5: 1}  # powers of two to either side, by the number of parameters


def parse_value(text):
    """A value as Python would write it, or else a word."""
    import ast

    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return text


def parse_set(texts):
    """{name: [values]} of `--set tile=1024,2048`."""
    chosen = {}
    for text in texts or ():
        name, equals, values = text.partition("=")
        if not equals or not name.strip() or not values.strip():
            raise Failure(f"--set takes NAME=VALUE,VALUE,..., such as tile=1024,2048, not '{text}'")
        chosen[name.strip()] = [parse_value(value.strip()) for value in values.split(",") if value.strip()]
    return chosen


def parse_blocks(text):
    """[numbers] of `--blocks 8,16,48`."""
    try:
        numbers = [int(part) for part in text.split(",") if part.strip()]
    except ValueError:
        numbers = []
    if not numbers or min(numbers) < 1:
        raise Failure(f"--blocks takes numbers of blocks, such as 8,16,48, not '{text}'")
    return numbers


def _around(value, reach):
    """Powers of two times a value, down as far as they divide it."""
    down = [value >> step for step in range(reach, 0, -1) if value % (1 << step) == 0]
    return [*down, *(value << step for step in range(reach + 1))]


def derived(present):
    """Values around those of a launch, for its parameters that are positive integers."""
    numbers = {name: value for name, value in present.items() if type(value) is int and value > 0}
    if len(numbers) > max(REACH):
        raise Failure(f"the kernel has {len(numbers)} integer ConstExpr parameters; name those to be tuned by --set NAME=VALUES")
    return {name: _around(value, REACH[len(numbers)]) for name, value in numbers.items()}


def product(chosen, present, blocks):
    """(configurations, the one of the present values): every combination of the chosen values."""
    from asc.runtime.tuning.config import Config

    lists = dict(chosen)
    if blocks:
        lists["blocks"] = blocks
    count = 1
    for values in lists.values():
        count *= len(values)
    if count > MOST:
        raise Failure(f"{count} configurations are more than {MOST}; name fewer values")
    now = Config(**{name: present[name] for name in lists if name in present})
    found = [Config(**dict(zip(lists, values))) for values in itertools.product(*lists.values())]
    return list(dict.fromkeys([now, *found])), now
