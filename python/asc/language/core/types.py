"""Small things of kernels that are neither tensors nor enumerations: how a fixpipe writes."""

from __future__ import annotations

from asc.language.core.enums import CO2Layout


class FixpipeConfig:
    """How a fixpipe writes: in rows, or in fractals."""

    def __init__(self, layout: CO2Layout = CO2Layout.ROW_MAJOR):
        self.layout = layout

    @classmethod
    def cfg_row_major(cls) -> FixpipeConfig:
        """Rows."""
        return cls(CO2Layout.ROW_MAJOR)

    @classmethod
    def cfg_nz(cls) -> FixpipeConfig:
        """Fractals."""
        return cls(CO2Layout.NZ)

    def __repr__(self) -> str:
        return f"FixpipeConfig({self.layout!r})"


CFG_ROW_MAJOR = FixpipeConfig.cfg_row_major()
CFG_NZ = FixpipeConfig.cfg_nz()

__all__ = ["CFG_NZ", "CFG_ROW_MAJOR", "FixpipeConfig"]
