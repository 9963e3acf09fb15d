"""Configurations: values for the ConstExpr parameters of a kernel, its number of blocks, its options."""

from __future__ import annotations

import itertools
import operator

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

BLOCKS = ("blocks", "core_num")  # the names of the number of blocks


class Config:
    """One choice: `asc2.Config(tile=1024, blocks=8)`. Values are read as `config.tile` or `config["tile"]`.

    Names are ConstExpr parameters of the kernel, `blocks`, and options of jit.
    """

    def __init__(self, **values: Any) -> None:
        if all(name in values for name in BLOCKS):
            raise TypeError("a configuration names its number of blocks once: blocks and core_num are the same")
        if "core_num" in values:
            values = {"blocks" if name == "core_num" else name: value for name, value in values.items()}
        object.__setattr__(self, "values", values)

    values: dict[str, Any]

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(f"{self!r} has no value '{name}'") from None

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError("a configuration cannot be changed")

    def __getitem__(self, name: str) -> Any:
        return object.__getattribute__(self, "values")[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.values)

    def __contains__(self, name: object) -> bool:
        return name in self.values

    def __reduce__(self):
        return _config_of, (self.values,)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Config) and self.values == other.values

    def __hash__(self) -> int:
        return hash(self.key())

    def key(self) -> str:
        """A text that is equal for equal configurations."""
        return ", ".join(f"{name}={self.values[name]!r}" for name in sorted(self.values))

    def text(self) -> str:
        """As people write it: tile=1024 blocks=8."""
        return " ".join(f"{name}={value if not isinstance(value, str) else repr(value)}" for name, value in self.values.items())

    def __repr__(self) -> str:
        return f"Config({', '.join(f'{name}={value!r}' for name, value in self.values.items())})"


def _config_of(values):
    return Config(**values)


def expand(configs: Any) -> list[Config]:
    """The configurations somebody means: a list of them, or a dict of lists, of which every combination is one."""
    if hasattr(configs, "keys"):
        for name, choices in configs.items():
            if isinstance(choices, (str, bytes)) or not hasattr(choices, "__iter__"):
                raise TypeError(f"configs: '{name}' needs a list of values to choose from, not {choices!r}")
        lists = [list(choices) for choices in configs.values()]
        found = [Config(**dict(zip(configs, values))) for values in itertools.product(*lists)] if lists else []
    else:
        if isinstance(configs, (str, bytes)) or not hasattr(configs, "__iter__"):
            raise TypeError(f"configs is a list of asc2.Config or a dict of lists, not {configs!r}")
        found = []
        for entry in configs:
            if not isinstance(entry, Config):
                if not hasattr(entry, "keys"):
                    raise TypeError(f"configs: an entry is an asc2.Config, not {entry!r}")
                entry = Config(**entry)
            found.append(entry)
    unique = list(dict.fromkeys(found))
    if not unique:
        raise ValueError("configs names no configuration")
    return unique


def check(configs: Iterable[Config], kernel: Any) -> None:
    """Raises TypeError for a name that the kernel has no ConstExpr parameter for and that is not an option."""
    from asc.runtime.compiler import OPTION_NAMES

    constant = {name: is_constant for name, is_constant, *_ in kernel.parameters}
    tunable = [name for name, is_constant in constant.items() if is_constant]
    for name in dict.fromkeys(name for config in configs for name in config):
        if constant.get(name) or name in BLOCKS or name in OPTION_NAMES:
            continue
        if name in constant:
            raise TypeError(
                f"'{name}' of '{kernel.__name__}' is not a ConstExpr parameter; only those, blocks and options are tuned"
            )
        import difflib

        near = next(iter(difflib.get_close_matches(name, [*tunable, "blocks", *OPTION_NAMES], 1)), None)
        hint = f"; did you mean '{near}'?" if near else ""
        known = ", ".join(tunable) or "none"
        raise TypeError(f"'{kernel.__name__}' has no ConstExpr parameter '{name}'{hint} (it has: {known})")


def blocks_of(config: Config, blocks: Any) -> int:
    """The number of blocks of a configuration: its own, or what was given, a number or a function of the configuration."""
    if "blocks" in config:
        blocks = config["blocks"]
    elif callable(blocks):
        blocks = blocks(config)
    if blocks is None:
        raise TypeError(f"{config!r} names no number of blocks, and none was given: kernel[blocks](...)")
    return operator.index(blocks)
