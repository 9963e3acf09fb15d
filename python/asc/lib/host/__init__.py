"""Tilings that host programs compute for kernels: how products are cut, by the memories of the chip."""

from asc.language.adv.tiling import RmsNormTiling, SoftmaxTiling, TCubeTiling
from asc.lib.host.enums import CubeFormat, DataType, DequantType, MatrixMadType, MatrixTraverse, ScheduleType, TPosition
from asc.lib.host.matmul import BatchMatmulTiling, MatmulApiTiling, MultiCoreMatmulTiling
from asc.lib.host.params import MatmulConfigParams
from asc.lib.host.platform import Platform, PlatformAscendCManager, get_ascendc_platform

__all__ = [
    "BatchMatmulTiling",
    "CubeFormat",
    "DataType",
    "DequantType",
    "MatmulApiTiling",
    "MatmulConfigParams",
    "MatrixMadType",
    "MatrixTraverse",
    "MultiCoreMatmulTiling",
    "Platform",
    "PlatformAscendCManager",
    "RmsNormTiling",
    "ScheduleType",
    "SoftmaxTiling",
    "TCubeTiling",
    "TPosition",
    "get_ascendc_platform",
]
