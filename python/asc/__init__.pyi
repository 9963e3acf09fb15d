# Made by tools/stubs.py. Signatures and texts are in asc/__init__.py.

"""Kernels for Ascend NPUs, compiled and run on a model of the chip. The tile language is in the package `asc2`."""

from asc import codegen as codegen
from asc import common as common
from asc import language as language
from asc import lib as lib
from asc import runtime as runtime
from asc.language.core.constexpr import ConstExpr as ConstExpr
from asc.language.core.dtype import DataType as DataType
from asc.language.core.dtype import bfloat16 as bfloat16
from asc.language.core.dtype import bit as bit
from asc.language.core.dtype import bool_ as bool_
from asc.language.core.dtype import double as double
from asc.language.core.dtype import float16 as float16
from asc.language.core.dtype import float32 as float32
from asc.language.core.dtype import float4_e1m2 as float4_e1m2
from asc.language.core.dtype import float4_e2m1 as float4_e2m1
from asc.language.core.dtype import float64 as float64
from asc.language.core.dtype import float8_e4m3fn as float8_e4m3fn
from asc.language.core.dtype import float8_e5m2 as float8_e5m2
from asc.language.core.dtype import float8_e8m0fnu as float8_e8m0fnu
from asc.language.core.dtype import float_ as float_
from asc.language.core.dtype import half as half
from asc.language.core.dtype import hifloat8 as hifloat8
from asc.language.core.dtype import int1 as int1
from asc.language.core.dtype import int16 as int16
from asc.language.core.dtype import int32 as int32
from asc.language.core.dtype import int4 as int4
from asc.language.core.dtype import int64 as int64
from asc.language.core.dtype import int8 as int8
from asc.language.core.dtype import int_ as int_
from asc.language.core.dtype import uint16 as uint16
from asc.language.core.dtype import uint32 as uint32
from asc.language.core.dtype import uint64 as uint64
from asc.language.core.dtype import uint8 as uint8
from asc.language.core.dtype import void as void
from asc.language.core.enums import AippInputFormat as AippInputFormat
from asc.language.core.enums import AtomicDtype as AtomicDtype
from asc.language.core.enums import AtomicOp as AtomicOp
from asc.language.core.enums import BatchMode as BatchMode
from asc.language.core.enums import BatchOutMode as BatchOutMode
from asc.language.core.enums import BlockMode as BlockMode
from asc.language.core.enums import CO2Layout as CO2Layout
from asc.language.core.enums import CacheLine as CacheLine
from asc.language.core.enums import CacheMode as CacheMode
from asc.language.core.enums import CacheRwMode as CacheRwMode
from asc.language.core.enums import CubeFormat as CubeFormat
from asc.language.core.enums import DEFAULT_C0_SIZE as DEFAULT_C0_SIZE
from asc.language.core.enums import DataFormat as DataFormat
from asc.language.core.enums import DcciDst as DcciDst
from asc.language.core.enums import DeqScale as DeqScale
from asc.language.core.enums import GatherMaskMode as GatherMaskMode
from asc.language.core.enums import Hardware as Hardware
from asc.language.core.enums import IterateMode as IterateMode
from asc.language.core.enums import IterateOrder as IterateOrder
from asc.language.core.enums import KernelProperty as KernelProperty
from asc.language.core.enums import LayoutMode as LayoutMode
from asc.language.core.enums import MaskMode as MaskMode
from asc.language.core.enums import MatmulConfigMode as MatmulConfigMode
from asc.language.core.enums import MatmulPolicy as MatmulPolicy
from asc.language.core.enums import MemDsbT as MemDsbT
from asc.language.core.enums import ONE_BLK_SIZE as ONE_BLK_SIZE
from asc.language.core.enums import ScheduleType as ScheduleType
from asc.language.core.enums import TOTAL_L0C_SIZE as TOTAL_L0C_SIZE
from asc.language.core.enums import TOTAL_L1_SIZE as TOTAL_L1_SIZE
from asc.language.core.enums import TPosition as TPosition
from asc.language.core.enums import TransposeType as TransposeType
from asc.language.core.enums import pad_t as pad_t
from asc.language.core.ir_value import GlobalAddress as GlobalAddress
from asc.language.core.ir_value import PlainValue as PlainValue
from asc.language.core.ops import array as array
from asc.language.core.ops import ceildiv as ceildiv
from asc.language.core.ops import device_print as device_print
from asc.language.core.ops import get_block_idx as get_block_idx
from asc.language.core.ops import get_block_num as get_block_num
from asc.language.core.ops import inline as inline
from asc.language.core.ops import number as number
from asc.language.core.ops import range as range
from asc.language.core.ops import static_assert as static_assert
from asc.language.core.ops import static_range as static_range
from asc.language.core.tensor import GlobalTensor as GlobalTensor
from asc.language.core.tensor import ListTensorDesc as ListTensorDesc
from asc.language.core.tensor import LocalMemAllocator as LocalMemAllocator
from asc.language.core.tensor import LocalTensor as LocalTensor
from asc.language.core.tensor import LocalTensorAuto as LocalTensorAuto
from asc.language.core.tensor import TensorDesc as TensorDesc
from asc.language.core.types import CFG_NZ as CFG_NZ
from asc.language.core.types import CFG_ROW_MAJOR as CFG_ROW_MAJOR
from asc.language.core.types import FixpipeConfig as FixpipeConfig
from asc.runtime.ascendc import AscendCError as AscendCError
from asc.runtime.ascendc import load_ascendc as load_ascendc
from asc.runtime.compiler import CodegenOptions as CodegenOptions
from asc.runtime.compiler import CompileOptions as CompileOptions
from asc.runtime.compiler import LaunchOptions as LaunchOptions
from asc.runtime.errors import KernelError as KernelError
from asc.runtime.jit import JITFunction as JITFunction
from asc.runtime.jit import jit as jit
from asc.runtime.profile import check as check
from asc.runtime.profile import launch_mode as launch_mode
from asc.runtime.profile import profile as profile
from tilesmith.judge.verdict.local import VerifyReport as VerifyReport
from tilesmith.judge.verdict.local import verify as verify

__version__: str

__all__ = [
    "AippInputFormat", "AscendCError", "AtomicDtype", "AtomicOp", "BatchMode", "BatchOutMode", "BlockMode", "CFG_NZ",
    "CFG_ROW_MAJOR", "CO2Layout", "CacheLine", "CacheMode", "CacheRwMode", "CodegenOptions", "CompileOptions", "ConstExpr",
    "CubeFormat", "DEFAULT_C0_SIZE", "DataFormat", "DataType", "DcciDst", "DeqScale", "FixpipeConfig", "GatherMaskMode",
    "GlobalAddress", "GlobalTensor", "Hardware", "IterateMode", "IterateOrder", "JITFunction", "KernelError",
    "KernelProperty", "LaunchOptions", "LayoutMode", "ListTensorDesc", "LocalMemAllocator", "LocalTensor",
    "LocalTensorAuto", "MaskMode", "MatmulConfigMode", "MatmulPolicy", "MemDsbT", "ONE_BLK_SIZE", "PlainValue",
    "ScheduleType", "TOTAL_L0C_SIZE", "TOTAL_L1_SIZE", "TPosition", "TensorDesc", "TransposeType", "VerifyReport", "array",
    "bfloat16", "bit", "bool_", "ceildiv", "check", "device_print", "double", "float16", "float32", "float4_e1m2",
    "float4_e2m1", "float64", "float8_e4m3fn", "float8_e5m2", "float8_e8m0fnu", "float_", "get_block_idx", "get_block_num",
    "half", "hifloat8", "inline", "int1", "int16", "int32", "int4", "int64", "int8", "int_", "jit", "launch_mode",
    "load_ascendc", "number", "pad_t", "profile", "range", "static_assert", "static_range", "uint16", "uint32", "uint64",
    "uint8", "verify", "void",
]
