"""Small things of kernels that are neither tensors nor enumerations: configurations, and the numbers `asc.property` gives."""

from __future__ import annotations

from dataclasses import dataclass

from asc._builtin import Builtin, instruction
from asc.language.core.enums import CO2Layout


@dataclass(frozen=True)
class FixpipeConfig:
    """How a fixpipe writes."""

    layout: CO2Layout = CO2Layout.ROW_MAJOR

    @classmethod
    def cfg_row_major(cls) -> FixpipeConfig:
        """Rows."""
        return cls(CO2Layout.ROW_MAJOR)

    @classmethod
    def cfg_nz(cls) -> FixpipeConfig:
        """Fractals."""
        return cls(CO2Layout.NZ)


CFG_ROW_MAJOR = FixpipeConfig.cfg_row_major()
CFG_NZ = FixpipeConfig.cfg_nz()


def _property(prop: KernelProperty) -> int:
    """A number of the chip: `asc.property(asc.TOTAL_L1_SIZE)`."""


property: Builtin = instruction("asc.basic.property", forms=("(prop: KernelProperty) -> int",))(_property)

__all__ = ["CFG_NZ", "CFG_ROW_MAJOR", "FixpipeConfig", "property"]
